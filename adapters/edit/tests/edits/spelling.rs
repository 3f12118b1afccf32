//! What blocks have that files have not: numbers, entities, quotes, elisions, slips.

use super::{CODE, becomes, fails, run, run_with};
use mvdiff_edit::{ErrorKind, Options};

#[test]
fn ends_of_lines_are_not_doubled() {
    let text = "let total = price * qty;\nuse(total);\n";
    becomes(
        text,
        "let total = price * qty",
        "let total = price * count;",
        "let total = price * count;\nuse(total);\n",
    );
    // Whether the new line ends with the sign, too, is not said.
    fails(
        text,
        "let total = price * qty",
        "let total = price * count",
        ErrorKind::NoMatch,
    );
    becomes("    go(a(b))\n", "go(a(b)", "go(a(c))", "    go(a(c))\n");
    becomes(
        "    go(a(b))\n",
        "go(a(b)",
        "x = 1\ngo(a(c))",
        "    x = 1\n    go(a(c))\n",
    );
    becomes(
        "let limit = 5;\n",
        "limit = 5;",
        "let limit = 6;",
        "let limit = 6;\n",
    );
    becomes(
        "def go(a):\n    pass\n",
        "def go(a)",
        "def go(a, b):",
        "def go(a, b):\n    pass\n",
    );
    // What is cut off here cannot be known.
    fails(
        "call(a,\n     b)\n",
        "call(a",
        "call(c)",
        ErrorKind::NoMatch,
    );
}

#[test]
fn bars_are_text_and_numbers_are_not() {
    let union = "type A =\n  | \"one\"\n  | \"two\";\n";
    becomes(
        union,
        "type A =\n  | \"one\"",
        "type A =\n  | \"one\"\n  | \"three\"",
        "type A =\n  | \"one\"\n  | \"three\"\n  | \"two\";\n",
    );
    fails(
        "| a |\n| b |\n",
        "| b |\n| c |",
        "| b |\n| d |",
        ErrorKind::NoMatch,
    );
    becomes(
        CODE,
        "     6\t    check(data)\n     7\t    return data",
        "     6\t    check(data)\n     7\t    return 1",
        &CODE.replace("return data", "return 1"),
    );
    becomes(
        CODE,
        "6: check(data)\n7: return data",
        "6: check(data)\n7: return 1",
        &CODE.replace("return data", "return 1"),
    );
    let options = Options::default().with(|o| o.threshold = 0.6);
    let search = "     6\t    check(dat)\n     7\t    return dta";
    let edited = run_with(CODE, search, "     6\t    x()\n     7\t    y()", &options);
    let text = String::from_utf8(edited.text.unwrap_or_default()).unwrap();
    assert!(!text.contains('\t'), "{text}");
}

#[test]
fn dashes_without_a_head_are_text() {
    let text = "Title\n-------\nbody\n";
    becomes(
        text,
        "-------\nbody",
        "-------\ntext",
        "Title\n-------\ntext\n",
    );
    becomes(
        text,
        "-------\nTitle",
        "-------\nName",
        "Name\n-------\nbody\n",
    );
    becomes(
        text,
        ":start_line:2\n-------\nbody",
        "-------\ntext",
        "Title\n-------\ntext\n",
    );
    becomes("a\nb\na\n", ":start_line:\n3\n-------\na", "c", "a\nb\nc\n");
}

#[test]
fn entities_are_read_as_what_they_mean_where_nothing_else_fits() {
    let code = "if a < b && c:\n    go()\n";
    becomes(
        code,
        "if a &lt; b &amp;&amp; c:",
        "if a &gt; b:",
        "if a > b:\n    go()\n",
    );
    becomes(
        code,
        "    go()",
        "    if x &lt; y: go()",
        "if a < b && c:\n    if x < y: go()\n",
    );
    becomes("<p>1</p>\nx\n", "x", "a &lt; b", "<p>1</p>\na &lt; b\n");
    let options = Options::default().with(|o| o.unescape_html = true);
    let edited = run_with("<p>1</p>\nx\n", "x", "a &lt; b", &options);
    assert_eq!(edited.text.unwrap(), b"<p>1</p>\na < b\n");
}

#[test]
fn accents_and_invisible_characters_are_seen_through() {
    let text = "name = 'cafe\u{301}'\nx = 1\n";
    becomes(
        text,
        "name = 'caf\u{e9}'\nx = 1",
        "name = 'caf\u{e9}'\nx = 2",
        "name = 'cafe\u{301}'\nx = 2\n",
    );
    becomes("a\u{200b}b = 1\nc\n", "ab = 1", "ab = 2", "ab = 2\nc\n");
}

#[test]
fn a_word_that_the_block_believes_in_is_not_overwritten() {
    fails(
        "def f(items):\n    use(items, 1)\n    return items\n",
        "def f(items):\n    use(item, 1)\n    return items",
        "def f(items):\n    use(item, 2)\n    return items",
        ErrorKind::NoMatch,
    );
    fails(
        "x = 1\ntimeout = 30\ny = 2\n",
        "x = 1\ntimeout = 300\ny = 2",
        "x = 1\ntimeout = 5\ny = 2",
        ErrorKind::NoMatch,
    );
}

#[test]
fn lines_that_stand_for_others_keep_them() {
    becomes(
        CODE,
        "def load(path):\n    # ... existing code ...\n    return data",
        "def load(path):\n    # ... existing code ...\n    return data.strip()",
        &CODE.replace("return data", "return data.strip()"),
    );
    becomes(
        CODE,
        "import os\n...\n    with open(path, 'w') as file:",
        "import os\n...\n    with open(path, 'a') as file:",
        &CODE.replace("'w'", "'a'"),
    );
    // Only the new lines leave something out: that would be lost.
    fails(
        CODE,
        "    check(data)\n    return data",
        "    # ... existing code ...\n    return 1",
        ErrorKind::Elided,
    );
    let edited = run(
        CODE,
        "def load(path):\n...\n    check(data)",
        "def load(path):\n    pass",
    );
    assert_eq!(edited.text, None);
}

#[test]
fn tags_in_strings_are_no_markup() {
    let text = format!(
        "let page = \"<b>hi</b>\";\n{}go();\n",
        "step();\n".repeat(40)
    );
    becomes(
        &text,
        "go();",
        "if a &lt; b &amp;&amp; c {\n    go();\n}",
        &text.replace("go();", "if a < b && c {\n    go();\n}"),
    );
    let page = "<p>\nTerms\n</p>\n";
    becomes(
        page,
        "Terms",
        "Terms &amp; more",
        "<p>\nTerms &amp; more\n</p>\n",
    );
}

#[test]
fn a_sign_that_was_forgotten_at_the_end_of_a_line_is_a_slip() {
    let text = "const options = {\n  enabled: true,\n  retries: 3\n};\n";
    becomes(
        text,
        "const options = {\n  enabled: true\n  retries: 3\n};",
        "const options = {\n  enabled: false,\n  retries: 5\n};",
        "const options = {\n  enabled: false,\n  retries: 5\n};\n",
    );
    // Whether the new line should have it is not said.
    fails(
        text,
        "const options = {\n  enabled: true\n  retries: 3\n};",
        "const options = {\n  enabled: false\n  retries: 3\n};",
        ErrorKind::NoMatch,
    );
}

#[test]
fn a_slip_in_a_line_that_is_put_elsewhere_is_not_written() {
    let text = "function read(res) {\n  const inner = res.response;\n  const out = new Answer();\n  out.items = inner.items;\n  out.id = res.id;\n  return out;\n}\n";
    becomes(
        text,
        &text.trim_end().replace("res.response;", "res.responses;"),
        "function read(res) {\n  const out = new Answer();\n  out.id = res.id;\n  const inner = res.responses;\n  if (!inner) {\n    return out;\n  }\n  out.items = inner.items;\n  return out;\n}",
        "function read(res) {\n  const out = new Answer();\n  out.id = res.id;\n  const inner = res.response;\n  if (!inner) {\n    return out;\n  }\n  out.items = inner.items;\n  return out;\n}\n",
    );
}

#[test]
fn signs_that_follow_each_other_are_one_word() {
    // A line of a diff that lacks its blank looks for `- head`.
    fails(
        "-- head\nselect 1;\n-- foot\n",
        "- head\nselect 1;",
        "select 2;",
        ErrorKind::NoMatch,
    );
}

#[test]
fn typographic_quotes_are_not_written_where_the_text_has_plain_ones() {
    becomes(
        "name = 'one'\nkind = \"two\"\n",
        "name = ‘one’\nkind = “two”",
        "kind = “two”\nname = ‘uno’",
        "kind = \"two\"\nname = 'uno'\n",
    );
    // Those that the text has, too, are meant.
    becomes(
        "say('one', “two”)\nsay(“three”)\n",
        "say(‘one’, “two”)\nsay(“three”)",
        "say(‘uno’, “two”)\nsay(“four”)",
        "say('uno', “two”)\nsay(“four”)\n",
    );
}

#[test]
fn entities_in_comments_do_not_keep_those_in_code() {
    let text =
        "/**\n * A List&lt;String&gt; of it.\n */\nclass T {\n  int a = 1;\n\n  int b = 2;\n}\n";
    becomes(
        text,
        "  int a = 1;\n\n  int b = 2;",
        "  int a = 1;\n  // List&lt;T&gt;\n  List&lt;String&gt; c;\n\n  int b = 2;",
        &text.replace(
            "int a = 1;\n",
            "int a = 1;\n  // List&lt;T&gt;\n  List<String> c;\n",
        ),
    );
}

#[test]
fn a_comment_that_says_the_rest_is_the_same_is_not_written() {
    fails(
        CODE,
        "    check(data)\n    return data",
        "    check(data)\n    return data\n# rest of the code remains the same",
        ErrorKind::Elided,
    );
}

#[test]
fn an_entity_beside_quotes_as_they_are_is_text() {
    becomes(
        CODE,
        "def save(path, data):\n    check(data)",
        "def save(path, data):\n    check(data, \"http://example.com/&apos;\")",
        &CODE.replace(
            "data):\n    check(data)",
            "data):\n    check(data, \"http://example.com/&apos;\")",
        ),
    );
}

#[test]
fn a_line_that_was_cut_off_is_not_a_whole_line_elsewhere() {
    // `makeError({` without its last sign is the other line to the letter.
    let text = "one(() => {\n  ctx.makeError(\n    data,\n  );\n});\ntwo(() => {\n  ctx.makeError({\n    code,\n  });\n});\n";
    fails(
        text,
        "  ctx.makeError(",
        "  ctx.addError({",
        ErrorKind::NoMatch,
    );
    // The same behind a blank.
    let text = "    if (!found)\n        stop();\n\n    if (!found) {\n        go();\n    }\n";
    fails(
        text,
        "    if (!found) ",
        "    if (!entry) {",
        ErrorKind::NoMatch,
    );
    // Where nothing was cut off, the line is the line.
    becomes(
        text,
        "    if (!found)",
        "    if (!entry)",
        &text.replacen("found", "entry", 1),
    );
}

#[test]
fn entities_in_strings_do_not_keep_those_in_code() {
    let text = "const char *escape(char c) {\n  if (c == '<') return \"&lt;\";\n  return plain(c);\n}\n\nint last(int n) {\n  return n;\n}\n";
    becomes(
        text,
        "  return n;",
        "  return n &lt; 0 &amp;&amp; m ? 0 : n;",
        &text.replace("return n;", "return n < 0 && m ? 0 : n;"),
    );
    // Between quotes they are text there.
    becomes(
        text,
        "  return plain(c);",
        "  return c == 38 ? \"&amp;\" : plain(c);",
        &text.replace("return plain(c);", "return c == 38 ? \"&amp;\" : plain(c);"),
    );
}

#[test]
fn escaped_code_is_not_written_into_markup_that_has_no_entities() {
    let page = "it('a', () => {\n  render(\n    <Box>\n      <Text>a</Text>\n    </Box>,\n  );\n  done();\n});\n";
    becomes(
        page,
        "  done();\n});",
        "  done();\n});\n\nit('b', () =&gt; {\n  render(\n    &lt;Box /&gt;,\n  );\n});",
        &format!("{page}\nit('b', () => {{\n  render(\n    <Box />,\n  );\n}});\n"),
    );
    // Text of a page that has some, or that is no code, stays.
    let page = "<p>\n  a &lt; b\n</p>\n<p>\n  c\n</p>\n";
    becomes(
        page,
        "  c",
        "  c\n  d &gt; e",
        &page.replace("  c\n", "  c\n  d &gt; e\n"),
    );
    let page = "<p>\n  c\n</p>\n";
    becomes(
        page,
        "  c",
        "  c -&gt; d",
        &page.replace("  c\n", "  c -&gt; d\n"),
    );
}

#[test]
fn entities_of_tags_that_comments_have_as_they_are_are_not_written() {
    let text = "/**\n * Keeps {@code a &lt; b}.\n * <p>Always.\n */\nint keep() {\n    return one;\n}\n\n\
                /**\n * Removes it.\n */\nint remove() {\n    return two;\n}\n";
    becomes(
        text,
        " * Removes it.\n */",
        " * Removes it.\n * &lt;p&gt;Now.\n */",
        &text.replace("Removes it.\n", "Removes it.\n * <p>Now.\n"),
    );
    // What the comments write so is meant so.
    let text = text.replace("<p>", "&lt;p&gt;");
    becomes(
        &text,
        " * Removes it.\n */",
        " * Removes it.\n * &lt;p&gt;Now.\n */",
        &text.replace("Removes it.\n", "Removes it.\n * &lt;p&gt;Now.\n"),
    );
}

#[test]
fn what_stands_for_others_may_say_so_in_other_words() {
    let text = "def f():\n    a = 1\n    b = 2\n    c = 3\n    return a\n";
    becomes(
        text,
        "def f():\n    ...\n    return a",
        "def f():\n    # ... rest unchanged ...\n    return a + 1",
        &text.replace("return a", "return a + 1"),
    );
    let lazy = run(
        text,
        "def f():\n    a = 1",
        "def f():\n    a = 2\n    # ... rest of code ...",
    );
    let around = lazy.blocks[0].around.as_ref().unwrap();
    assert_eq!((lazy.text, around.lines), (None, [1, 5]));
    assert_eq!(around.text.0, text.as_bytes());
}
