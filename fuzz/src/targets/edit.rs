//! Edits in every form are read or refused, the same way each time; a block that
//! is to the letter makes of its text what it says.

use super::two_texts;
use mvdiff_edit::blocks::Block;
use mvdiff_edit::forms::Form;
use mvdiff_edit::{Edits, Options, Status, edit, edit_compat};

pub(crate) const SEEDS: &[&str] = &[
    "<<<<<<< SEARCH\n:start_line:2\n-------\nfn a() {\n    1\n}\n=======\nfn a() {\n    2\n}\n>>>>>>> REPLACE\n",
    "------- SEARCH\none\ntwo\n=======\none\n// ... existing code ...\n+++++++ REPLACE\n",
    "Here:\n\nsrc/f.py\n```python\n<<<<<<< SEARCH\n  12 | a\n=======\n  12 | b\n>>>>>>> REPLACE\n```\n",
    "*** Begin Patch\n*** Update File: f\n*** Move to: g\n@@ def f():\n a\n-b\n+c\n*** End of File\n*** End Patch\n",
    "--- a/f\n+++ b/f\n@@ ... @@\n a\n-b\n+&lt;c&gt;\n\n d\n",
    "{\"file_path\": \"f\", \"old_string\": \"a\\nb\", \"new_string\": \"c\", \"replace_all\": true}\n",
    "{\"path\": \"f\", \"edits\": [{\"insert_line\": 1, \"new_str\": \"x\\n\"}, {\"old_text\": \"a\", \"new_text\": \"\"}]}\n",
    "<old_text line=3>\na\n</old_text>\n<new_text>\n\u{201c}b\u{201d}\n</new_text>\n",
    "<<<<<<< old\na\n|||||||\nz\n=======\nb\n>>>>>>> new\n",
];

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

pub(crate) fn law(input: &[u8]) {
    for threshold in [1.0, 0.8] {
        let options = Options::default().with(|o| o.threshold = threshold);
        // The input is the text, too: then its blocks are found in it.
        for task in FORMS
            .iter()
            .filter_map(|form| form.read(input).ok())
            .flatten()
        {
            let run = || edit(input, &task.edits, &options);
            let (Ok(edited), Ok(again)) = (run(), run()) else {
                continue;
            };
            assert_eq!(edited, again);
            assert!(edited.text.is_some() || !edited.is_complete());
            if edited
                .blocks
                .iter()
                .all(|block| block.status == Status::Failed)
            {
                assert!(edited.text.is_none_or(|text| text == input));
            }
        }
        let _ = edit_compat(input, &Edits::Text(input.to_vec()), &options);
    }
    let (old, new) = two_texts(input);
    to_the_letter(&old, &new);
    to_the_letter(&new, &old);
}

fn to_the_letter(old: &[u8], new: &[u8]) {
    // Ends of lines, and of the last one, follow the text.
    if !old.ends_with(b"\n") || old.contains(&b'\r') || new.contains(&b'\r') {
        return;
    }
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        text.split(|byte| *byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect()
    };
    let block = Block::literal(lines(old), lines(new), None);
    let edits = Edits::Blocks(vec![block]);
    let edited = edit(old, &edits, &Options::default()).expect("a block");
    if edited.blocks[0].status == Status::Applied {
        let text = edited.text.expect("a new text");
        assert_eq!(lines(&text), lines(new));
    }
}
