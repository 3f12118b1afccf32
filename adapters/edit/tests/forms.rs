//! Whatever an input holds, it is read or refused.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

use mvdiff_edit::forms::Form;
use mvdiff_edit::{Options, edit};
use proptest::prelude::*;

const FORMS: [Form; 8] = [
    Form::Roo,
    Form::Cline,
    Form::Aider,
    Form::Udiff,
    Form::ApplyPatch,
    Form::Strings,
    Form::Zed,
    Form::Conflict,
];

/// Lines of all forms, in no order.
fn input() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "<<<<<<< SEARCH",
        "=======",
        ">>>>>>> REPLACE",
        "------- SEARCH",
        "+++++++ REPLACE",
        "<<<<<<< old",
        "|||||||",
        ">>>>>>> new",
        "-------",
        ":start_line:2",
        ":start_line:",
        "3",
        "--- a/x.txt",
        "+++ b/x.txt",
        "+++ /dev/null",
        "@@ ... @@",
        "@@ -1,2 +1,2 @@",
        "@@",
        "@@ class A:",
        "rename from a",
        "rename to b",
        "diff --git a/x b/x",
        "*** Begin Patch",
        "*** Update File: x.txt",
        "*** Add File: y",
        "*** Delete File: z",
        "*** Move to: w",
        "*** End of File",
        "*** End Patch",
        "<old_text line=2>",
        "</old_text>",
        "<new_text>",
        "</new_text>",
        "{\"path\":\"x\",\"old_str\":\"a\",\"new_str\":\"b\"}",
        "{\"edits\":[",
        "{\"path\":\"x\",\"insert_line\":1,\"new_str\":\"b\"}",
        "```json",
        "```",
        "x.txt",
        "...",
        "    // ... existing code ...",
        " a",
        "-b",
        "+c",
        "\\ No newline at end of file",
        "",
        "a",
        "b",
        "    c",
        "12 | a",
        "     3\ta",
        "&lt;a&gt;",
        "caf\u{e9}",
        "cafe\u{301}",
    ]);
    prop::collection::vec(known, 0..14).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_input_is_read_or_refused(input in input(), text in input()) {
        let told = Form::of(input.as_bytes());
        prop_assert!(FORMS.contains(&told));
        for form in FORMS {
            let Ok(tasks) = form.read(input.as_bytes()) else {
                continue;
            };
            for task in tasks {
                let edited = edit(text.as_bytes(), &task.edits, &Options::default());
                let Ok(edited) = edited else { continue };
                prop_assert_eq!(edited.error_kind.is_some(), edited.text.is_none());
            }
        }
    }
}

#[test]
fn a_string_that_makes_a_file_is_the_file() {
    for content in ["one", "one\n", "one\ntwo", "one\n\n"] {
        let input = serde_json::json!({"file_path": "f", "old_string": "", "new_string": content});
        let tasks = Form::Strings.read(input.to_string().as_bytes()).unwrap();
        let edited = edit(b"", &tasks[0].edits, &Options::default()).unwrap();
        assert_eq!(
            edited.text.as_deref(),
            Some(content.as_bytes()),
            "{content:?}"
        );
    }
}
