//! Whole replies of a chat: all of their edits are made, or none.

use super::{Dir, block};

const CODE: &str = "def f():\n    a = 1\n    return a\n\n\ndef g():\n    b = 2\n    return b\n";

fn dir() -> Dir {
    Dir::new(&[("a.py", CODE), ("b.py", "x = 1\n")])
}

/// The same edit of b.py in each form that names files, or is for one file.
fn second() -> Vec<String> {
    vec![
        format!("b.py\n```\n{}```\n", block("x = 1", "x = 2")),
        "------- SEARCH\nx = 1\n=======\nx = 2\n+++++++ REPLACE\n".into(),
        "```diff\n--- b.py\n+++ b.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n```\n".into(),
        "*** Begin Patch\n*** Update File: b.py\n@@\n-x = 1\n+x = 2\n*** End Patch\n".into(),
        "```json\n{\"path\":\"b.py\",\"old_string\":\"x = 1\",\"new_string\":\"x = 2\"}\n```\n"
            .into(),
        "<old_text>\nx = 1\n</old_text>\n<new_text>\nx = 2\n</new_text>\n".into(),
        "<<<<<<< old\nx = 1\n=======\nx = 2\n>>>>>>> new\n".into(),
    ]
}

#[test]
fn edits_in_two_forms_are_not_made_by_halves() {
    let firsts = [
        "*** Begin Patch\n*** Update File: a.py\n@@\n-    a = 1\n+    a = 3\n*** End Patch\n",
        "```diff\n--- a.py\n+++ a.py\n@@ ... @@\n-    a = 1\n+    a = 3\n```\n",
        "--- a.py\n+++ a.py\n@@ -2,1 +2,1 @@\n-    a = 1\n+    a = 3\n",
        "```json\n{\"path\":\"a.py\",\"old_string\":\"a = 1\",\"new_string\":\"a = 3\"}\n```\n",
        "a.py\n```\n<<<<<<< SEARCH\n    a = 1\n=======\n    a = 3\n>>>>>>> REPLACE\n```\n",
    ];
    let kinds = ["***", "@@ ...", "@@ -", "json", "SEARCH"];
    let is_same = |first: &str, second: &str| {
        kinds
            .iter()
            .any(|kind| first.contains(kind) && second.contains(kind))
            || first.contains("@@ ") && second.contains("@@ ")
    };
    for first in firsts {
        for second in second().iter().filter(|second| !is_same(first, second)) {
            for reply in [
                format!("First:\n{first}\nand then:\n{second}\nDone.\n"),
                format!("First:\n{second}\nand then:\n{first}\nDone.\n"),
            ] {
                let dir = dir();
                let ran = dir.run_with(&["-"], reply.as_bytes());
                assert_eq!(ran.code, 2, "{reply}\n{}{}", ran.text(), ran.err);
                assert_eq!(dir.text("a.py"), CODE, "{reply}");
                assert_eq!(dir.text("b.py"), "x = 1\n", "{reply}");
            }
        }
    }
}

#[test]
fn an_edit_beside_others_is_named() {
    let reply = "a.py\n<<<<<<< SEARCH\n    a = 1\n=======\n    a = 3\n>>>>>>> REPLACE\n\n```diff\n--- b.py\n+++ b.py\n@@ ... @@\n-x = 1\n+x = 2\n```\n";
    let ran = dir().run_with(&["-"], reply.as_bytes());
    ran.is(
        2,
        "-:9: another edit is here, beside those read as aider; give edits of one form at a time",
    );
    // What is only written about, or inside of an edit, is none.
    let about =
        "I set \"old_string\" as *** you said, with @@ marks and --- lines.\n- One\n- Two\n";
    for reply in [
        format!(
            "{about}\na.py\n{}\n{about}",
            block("    a = 1", "    a = 3")
        ),
        format!("{about}\n--- a.py\n+++ a.py\n@@ ... @@\n-    a = 1\n+    a = 3\n\n{about}"),
        format!(
            "*** Begin Patch\n*** Update File: a.py\n-    a = 1\n+    a = 3\n*** End Patch\n{about}"
        ),
    ] {
        let dir = dir();
        dir.run_with(&["-"], reply.as_bytes()).is(0, "");
        assert_eq!(dir.text("a.py"), CODE.replace("a = 1", "a = 3"), "{reply}");
    }
    let dir = Dir::new(&[("a.md", "one\n")]);
    let inner = "one\n```diff\n--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n```\n{\"old_string\": \"a\"}";
    dir.apply(&block("one", inner), "a.md", &[]).is(0, "");
    assert_eq!(dir.text("a.md"), format!("{inner}\n"));
}

#[test]
fn a_line_of_a_hunk_without_its_blank_does_not_end_it() {
    let reply = "```diff\n--- a.py\n+++ a.py\n@@ ... @@\n def f():\n-    a = 1\n+    a = 3\n     return a\n\n\ndef g():\n-    b = 2\n+    b = 4\n     return b\n```\n";
    let changed = CODE.replace("a = 1", "a = 3").replace("b = 2", "b = 4");
    for reply in [
        reply.to_owned(),
        reply.replace("```diff\n", "").replace("```\n", ""),
    ] {
        let dir = dir();
        dir.run_with(&["-"], reply.as_bytes()).is(0, "");
        assert_eq!(dir.text("a.py"), changed, "{reply}");
    }
    // One that the file does not have is refused with all of its hunk.
    let dir = dir();
    let other = reply.replace("def g", "def h");
    dir.run_with(&["-"], other.as_bytes()).is(1, "a.py");
    assert_eq!(dir.text("a.py"), CODE);
}

#[test]
fn a_reply_that_names_another_file_is_not_for_the_one_that_is_given() {
    let reply = format!(
        "a.py\n```\n{}```\n\nb.py\n```\n{}```\n",
        block("    a = 1", "    a = 3"),
        block("    b = 2", "    b = 4"),
    );
    let dir = dir();
    dir.apply(&reply, "a.py", &[]).is(2, "names several files");
    let (first, other) = reply.split_once("\n\n").unwrap();
    dir.apply(other, "a.py", &[]).is(2, "names b.py, not a.py");
    assert_eq!(dir.text("a.py"), CODE);
    dir.apply(first, "a.py", &[]).is(0, "");
    assert_eq!(dir.text("a.py"), CODE.replace("a = 1", "a = 3"));
}

#[test]
fn a_start_line_below_the_name_of_a_file_is_a_hint() {
    let dir = Dir::new(&[("a.py", "x = 1\ny = 2\nx = 1\n")]);
    let reply = "a.py\n```\n<<<<<<< SEARCH\n:start_line:3\n-------\nx = 1\n=======\nx = 3\n\
                 >>>>>>> REPLACE\n```\n";
    dir.run_with(&["-", "a.py"], reply.as_bytes()).is(0, "");
    assert_eq!(dir.text("a.py"), "x = 1\ny = 2\nx = 3\n");
}
