//! Edits that were made before, and those that only look so.

use super::{CODE, becomes, fails, run};
use mvdiff_edit::{ErrorKind, Status};

#[test]
fn new_lines_that_stand_somewhere_are_no_proof() {
    // A deletion with a slip in it, and a line that never was.
    fails(
        "a line\nb line\nc line\n",
        "a line\nb lime",
        "a line",
        ErrorKind::NoMatch,
    );
    fails(CODE, "nothing_like_it()", "import os", ErrorKind::NoMatch);
    fails(
        CODE,
        "    chek(dat)\n    return data",
        "    return data",
        ErrorKind::NoMatch,
    );
    // What is there but for white space is not absent.
    fails(
        "foo(b)\n    foo(a)\n",
        "foo(a)",
        "foo(b)",
        ErrorKind::Ambiguous,
    );
}

#[test]
fn an_edit_that_was_made_is_known_by_its_context() {
    let (search, replace) = (
        "    check(data)\n    return data",
        "    check(data)\n    return data.strip()",
    );
    let once = run(CODE, search, replace).text.unwrap();
    let again = run(std::str::from_utf8(&once).unwrap(), search, replace);
    assert_eq!(again.blocks[0].status, Status::AlreadyApplied);
    let gone = (
        "def load(path):\n    x\n    with",
        "def load(path):\n    with",
    );
    let done = run("def load(path):\n    with\n", gone.0, gone.1);
    assert_eq!(done.blocks[0].status, Status::AlreadyApplied);
}

#[test]
fn an_edit_of_indentation_was_not_made_before_it_is() {
    let old = "class Square(Shape):\nwidth: float\nheight: float\n\ncheck(Square)\n";
    let new = "class Square(Shape):\n    width: float\n    height: float\n\ncheck(Square)";
    // The block has a slip: its new lines are there but for indentation.
    let slip = "class Square(Shapes):\nwidth: float\nheight: float\n\ncheck(Square)";
    becomes(old, slip, new, &format!("{new}\n"));
    let again = run(&format!("{new}\n"), slip, new);
    assert_eq!(again.blocks[0].status, Status::AlreadyApplied);
}

#[test]
fn a_place_that_is_alike_does_not_say_that_an_edit_was_made() {
    let text = "async def one():\n    try:\n        return answer\n    except Error as exc:\n        await answer.close()\n        raise exc\n";
    let sibling = text.replace("return answer\n", "return answers\n");
    fails(
        &sibling,
        "        return answer\n    except Error as exc:  # pragma: no cover\n        await answer.close()\n        raise exc",
        "        return answer\n    except Error as exc:\n        await answer.close()\n        raise exc",
        ErrorKind::NoMatch,
    );
}

#[test]
fn a_block_that_changes_nothing_there_is_not_called_applied() {
    let edited = run(
        "one line\n\ntwo lines\n",
        "one line\n    \ntwo lines",
        "one line\n\ntwo lines",
    );
    assert_eq!(edited.blocks[0].status, Status::AlreadyApplied);
}

#[test]
fn an_edit_of_indentation_is_made_only_if_the_line_is_so_deep() {
    let text = "def run(self, commands):\n# build all commands into one request to increase speed\n    all = join(commands)\n    send(all)\n";
    let search = "def run(self, commands):\n# build all commands into one request to inrease speed\n    all = join(commands)";
    let edited = run(
        text,
        search,
        "def run(self, commands):\n    # build all commands into one request to increase speed\n    all = join(commands)",
    );
    assert_ne!(edited.blocks[0].status, Status::AlreadyApplied);
}

#[test]
fn what_was_done_in_part_with_more_in_between_is_something_else() {
    fails(
        "request(app)\n.get('/')\n.end(function(err, res){\n  check(res.headers);\n  check(res.text);\n  done();\n})\n",
        "request(app)\n.get('/')\n.end(function(res){\n  done();\n})",
        "request(app)\n.get('/')\n.expect(200)\n.end(function(err, res){\n  done(err);\n})",
        ErrorKind::NoMatch,
    );
}
