//! White space: indentation, blank lines, ends of lines.

use super::{becomes, fails, run};
use mvdiff_edit::{ErrorKind, Status};

#[test]
fn a_line_beside_context_whose_first_line_lost_its_indent_stays_in_its_block() {
    let text = "class A:\n    def f(self):\n        x = 1\n        return x\n";
    becomes(
        text,
        "def f(self):\n        x = 1",
        "def f(self):\n        x = 1\n        y = 2",
        "class A:\n    def f(self):\n        x = 1\n        y = 2\n        return x\n",
    );
    let text = "def test_a():\n    one()\n    two()\n";
    becomes(
        text,
        "one()\n    two()",
        "one()\n    two()\n\ndef test_b():\n    three()",
        "def test_a():\n    one()\n    two()\n\ndef test_b():\n    three()\n",
    );
}

#[test]
fn blanks_at_line_ends_say_nothing_about_the_place() {
    fails("hit  \na\nhit\n", "hit", "miss", ErrorKind::Ambiguous);
    becomes("hit  \na\nhit\n", "hit  ", "miss", "miss\na\nhit\n");
}

#[test]
fn brackets_at_another_depth_are_other_brackets() {
    let text = "    it('works', done => {\n        done();\n      })\n    })\n  })\n})\n";
    fails(
        text,
        "        done();\n    })\n  })\n})",
        "        done();\n    })\n\n    it('more')\n  })\n})",
        ErrorKind::NoMatch,
    );
}

#[test]
fn blank_lines_are_not_put_in_twice() {
    let text = "start();\n\nmiddle();\nlast();\n";
    let twice = run(text, "start();\nmiddle();", "start();\n\nmiddle();");
    assert_eq!(twice.blocks[0].status, Status::AlreadyApplied);
    let gone = run(text, "middle();\n\nlast();", "middle();\nlast();");
    assert_eq!(gone.blocks[0].status, Status::AlreadyApplied);
    // A block that is about blanks on a blank line, with a slip elsewhere.
    let text = "alpha = compute(beta)\n    \ngamma = compute(delta)\n";
    becomes(
        text,
        "alpha = compute(betas)\n    \ngamma = compute(delta)",
        "alpha = compute(beta)\n\ngamma = compute(delta)",
        "alpha = compute(beta)\n\ngamma = compute(delta)\n",
    );
}

#[test]
fn white_space_on_blank_lines_stays() {
    becomes(
        "def f():\n    return 1\n",
        "    def f():\n        return 1",
        "    def f():\n        \"\"\"One.\n    \n        Two.\"\"\"\n        return 1",
        "def f():\n    \"\"\"One.\n    \n    Two.\"\"\"\n    return 1\n",
    );
}

#[test]
fn a_lone_carriage_return_stays_what_it_is() {
    becomes(
        "one\r\ntwo\rthree\nfour\r\n",
        "one\ntwo\nthree\nfour",
        "one\ntwo\nTHREE\nfour",
        "one\r\ntwo\rTHREE\nfour\r\n",
    );
    // Where nothing else ends lines, the text is one line.
    fails("a\rb\rc", "b", "B", ErrorKind::NoMatch);
    // Inside of a line it is a character like others.
    let progress = "start\n10%\r20%\nend\n";
    becomes(
        progress,
        "start",
        "start\nnew",
        "start\nnew\n10%\r20%\nend\n",
    );
    becomes(
        progress,
        "10%\r20%",
        "10%\r15%\r20%",
        "start\n10%\r15%\r20%\nend\n",
    );
}

#[test]
fn white_space_between_signs_does_not_count() {
    becomes(
        "  function  add( a, b ) {\n    return a + b;\n  }\n",
        "function add(a, b) {",
        "const add = (a, b) => {",
        "  const add = (a, b) => {\n    return a + b;\n  }\n",
    );
    fails("let ab = 12;\n", "let a b = 1 2;", "x", ErrorKind::NoMatch);
}

#[test]
fn a_blank_line_that_goes_must_be_there() {
    let run = "    def run(job):\n        fast.go(job)\n";
    let (first, second) = ("try:\n    import fast\n", "try:\n");
    let rest = format!("finally:\n    pass\n\n{second}{run}except OSError:\n    pass\n");
    // The block skips the import: without it, the second place looks the same but
    // for the blank line.
    becomes(
        &format!("{first}\n{run}{rest}"),
        &format!("try:\n\n{}", run.trim_end()),
        &format!(
            "try:\nexcept ImportError:\n    pass\nelse:\n{}",
            run.trim_end()
        ),
        &format!("{first}except ImportError:\n    pass\nelse:\n{run}{rest}"),
    );
}

#[test]
fn a_bracket_at_another_depth_is_another_one_with_tabs_too() {
    // The block skips the bracket of the inner block.
    fails(
        "func f() {\n\tif x {\n\t\tpanic(\"too many\")\n\t}\n}\n\nfunc g() {\n}\n",
        "\t\tpanic(\"too many\")\n}",
        "\t\tpanic(\"too many\")\n}\n\nfunc h() {\n}",
        ErrorKind::NoMatch,
    );
}

#[test]
fn a_block_that_is_less_deep_as_a_whole_is_not_narrower() {
    let text = "def f():\n    \"\"\"\n        Schemes:\n            redis:// one\n            unix:// two\n        There are more.\n    \"\"\"\n";
    becomes(
        text,
        "    Schemes:\n        redis:// one\n        unix:// two\n    There are more.",
        "    Schemes:\n\n    - `redis`\n      <http://one>\n    - `unix`\n      <http://two>\n    There are more.",
        "def f():\n    \"\"\"\n        Schemes:\n\n        - `redis`\n          <http://one>\n        - `unix`\n          <http://two>\n        There are more.\n    \"\"\"\n",
    );
}

#[test]
fn a_blank_line_is_not_the_end_of_another_line() {
    let text = "/*!\n * Express - View\n * Copyright\n */\n";
    fails(
        text,
        "\n * Express - View\n * Copyright",
        " * Express - View\n * Copyright",
        ErrorKind::NoMatch,
    );
}

#[test]
fn a_line_that_is_nested_now_is_not_taken_out_of_its_branch() {
    fails(
        "def start(self, content, status):\n    if content is None:\n        self.body = b''\n    else:\n        self.body = self.render(content)\n    self.status = status\n    self.init_headers()\n",
        "def start(self, content, status):\n    self.body = self.render(content)\n    self.status = status\n    self.init_headers()",
        "def start(self, content, status):\n    self.status = status\n    self.body = self.render(content)\n    self.init_headers()",
        ErrorKind::NoMatch,
    );
}

#[test]
fn a_bracket_and_little_else_at_another_depth_is_no_place() {
    let text = "func press() error {\n\tif closed {\n\t\treturn nil\n\t}\n\n\topen()\n}\n";
    fails(
        text,
        "\n\treturn nil\n}",
        "\n\treturn nil\n}\n\nfunc enabled() bool {\n\treturn false\n}",
        ErrorKind::NoMatch,
    );
}

#[test]
fn new_lines_that_have_the_indentation_of_the_file_keep_it() {
    let text = "class A:\n    def old(self):\n        return 1\n";
    becomes(
        text,
        "def old(self):\n    return 1",
        "    def new(self):\n        return 2",
        "class A:\n    def new(self):\n        return 2\n",
    );
    // One further out is measured from the block.
    becomes(
        "if a:\n    go()\n",
        "go()",
        "if b:\n    go(b)",
        "if a:\n    if b:\n        go(b)\n",
    );
    // So is one that stays.
    becomes(
        text,
        "def old(self):\n    return 1",
        "def old(self):\n        return 2",
        "class A:\n    def old(self):\n            return 2\n",
    );
}

#[test]
fn new_lines_are_measured_from_the_first_where_only_that_lost_its_indent() {
    becomes(
        "{\n  function old() {\n    // some code\n  }\n}\n",
        "function old() {\n    // some code\n  }",
        "function new_one() {\n  // new code\n}",
        "{\n  function new_one() {\n    // new code\n  }\n}\n",
    );
    becomes(
        "{\n  function old() {\n    // some code\n  }\n}\n",
        "function old() {\n    // some code\n  }",
        "function new_one() {\n    // new code\n  }",
        "{\n  function new_one() {\n    // new code\n  }\n}\n",
    );
}

#[test]
fn lines_that_are_indented_otherwise_on_purpose_stay_so() {
    // A text of several lines, in a program with tabs.
    let text = "package a\n\nfunc A() {\n\trun()\n\tdone()\n}\n";
    let new = "\tdone()\n}\n\nfunc B() {\n\ttext := `metadata:\n  name: b\n`\n\trun(text)\n}";
    becomes(text, "\tdone()\n}", new, &text.replace("\tdone()\n}", new));
    // A recipe of make, in a program with blanks.
    let text = "def f():\n    run()\n";
    let new = "def f():\n    run()\n\nMAKE = \"\"\"\nall:\n\techo\n\"\"\"\n\ndef g():\n    more()";
    becomes(text, "def f():\n    run()", new, &format!("{new}\n"));
    // Without a line that is indented as the file is, it is a slip.
    becomes(
        "func A() {\n\trun()\n}\n",
        "func A() {",
        "func B() {\n    run()\n}\n\nfunc A() {",
        "func B() {\n\trun()\n}\n\nfunc A() {\n\trun()\n}\n",
    );
}
