//! JSON with old and new strings, as careless callers write it.

use super::Dir;
use serde_json::{Value, json};

#[track_caller]
fn refuses(text: &str, edit: &Value, says: &str) {
    let dir = Dir::new(&[("a.txt", text)]);
    let ran = dir.run_with(&["-"], edit.to_string().as_bytes());
    assert_ne!(ran.code, 0, "{edit}");
    ran.is(ran.code, says);
    assert_eq!(dir.text("a.txt"), text, "{edit}");
}

#[track_caller]
fn makes(text: &str, edit: &Value, due: &str) {
    let dir = Dir::new(&[("a.txt", text)]);
    dir.run_with(&["-"], edit.to_string().as_bytes()).is(0, "");
    assert_eq!(dir.text("a.txt"), due, "{edit}");
}

#[test]
fn a_new_string_under_a_wrong_name_deletes_nothing() {
    let missing = "\"new_string\" is missing";
    refuses(
        "a\nb\n",
        &json!({"path": "a.txt", "old_string": "a\n", "replacement": "x\n"}),
        missing,
    );
    refuses(
        "a\nb\n",
        &json!({"path": "a.txt", "old_string": "a\n"}),
        missing,
    );
    refuses(
        "a\nb\n",
        &json!({"path": "a.txt", "old_str": "a\n", "new_content": "x\n"}),
        missing,
    );
    // The editor that this spelling comes from lets it be left out.
    makes(
        "a\nb\n",
        &json!({"command": "str_replace", "path": "a.txt", "old_str": "a\n"}),
        "b\n",
    );
    makes(
        "a\nb\n",
        &json!({"path": "a.txt", "old_string": "a\n", "new_string": ""}),
        "b\n",
    );
}

#[test]
fn an_object_that_says_two_things_is_not_half_done() {
    let edit = json!({"old_string": "b", "new_string": "c"});
    let both = json!({"path": "a.txt", "old_string": "a", "new_string": "x", "edits": [edit]});
    refuses("a\nb\n", &both, "beside a list of edits");
    let both = json!({"path": "a.txt", "old_str": "a", "new_str": "x", "insert_line": 1});
    refuses("a\nb\n", &both, "not both");
    // With a command it is known what the others are for.
    let mut one = both;
    one["command"] = "str_replace".into();
    makes("a\nb\n", &one, "x\nb\n");
    one["command"] = "insert".into();
    makes("a\nb\n", &one, "a\nx\nb\n");
    let counted = json!({"path": "a.txt", "old_string": "a", "new_string": "x",
        "replace_all": true, "expected_replacements": 2});
    refuses("a\na\na\n", &counted, "");
    makes("a\na\n", &counted, "x\nx\n");
}

#[test]
fn newlines_and_blanks_are_replaced_to_the_letter() {
    let edit =
        |old: &str, new: &str| json!({"path": "a.txt", "old_string": old, "new_string": new});
    makes("a\nb\n", &edit("b\n", "b"), "a\nb");
    makes("a\nb\nc\n", &edit("a\n", "a"), "ab\nc\n");
    makes("a\n\nb\n", &edit("\n\n", "\n"), "a\nb\n");
    makes("a\r\n\r\nb\r\n", &edit("\n\n", "\n"), "a\r\nb\r\n");
    makes("a    b\n", &edit("    ", " "), "a b\n");
    refuses("  a\n  b\n", &edit("  ", "\t"), "is there 2 times");
    makes(
        "one two\r\nthree four\r\n",
        &edit("two\nthree", "2\n3"),
        "one 2\r\n3 four\r\n",
    );
}

#[test]
fn json_beside_json_is_read_or_refused() {
    let dir = Dir::new(&[("a.txt", "a\nb\n")]);
    let (first, second) = (
        r#"{"path":"a.txt","old_string":"a","new_string":"x"}"#,
        r#"{"path":"a.txt","old_string":"b","new_string":"y"}"#,
    );
    for reply in [
        format!("```json\n{first}\n```\nand\n{second}\n"),
        format!("Here:\n{first}\nAnd this: {second}\n"),
        format!("Here:\n{first}\n{}", &second[..40]),
    ] {
        dir.run_with(&["-"], reply.as_bytes())
            .is(2, "another edit is here");
        assert_eq!(dir.text("a.txt"), "a\nb\n", "{reply}");
    }
    for reply in [
        format!("Here:\n[{first},\n{second}]\nDone.\n"),
        format!("{first}\n{second}\nDone.\n"),
    ] {
        dir.run_with(&["-"], reply.as_bytes()).is(0, "");
        assert_eq!(dir.text("a.txt"), "x\ny\n", "{reply}");
        dir.run(&["--undo"]).is(0, "");
    }
}
