//! What is accepted is printed and read again, and nothing of it is lost.

use mvdiff_text::patch::{Body, Changeset, parse, write_patch};

pub(crate) const SEEDS: &[&str] = &[
    "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\nSubmodule lib 1234567..89abcde:\n  > c\n",
    "Only in new: x\nFiles old/x and new/x differ\n* Unmerged path x\nBinary file x has changed\n",
    "Index: x\n===================================================================\n--- x\t(revision 1)\n+++ x\t(working copy)\n@@ -1 +1 @@\n-a\n+b\n\nProperty changes on: x\n___________________________________________________________________\nAdded: svn:executable\n## -0,0 +1 ##\n+*\n\\ No newline at end of property\n",
    "From 0 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] s\n\nm\n---\n f | 2 +-\n\ndiff --git a/f b/f\nold mode 100644\nnew mode 100755\n-- \n2.47\n",
    "=== renamed file 'a' => 'b'\n--- a\n+++ b\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n",
];

pub(crate) fn law(input: &[u8]) {
    let Ok(first) = parse(input) else {
        return;
    };
    let printed = print(&first);
    let second = parse(&printed).expect("what was accepted is accepted again");
    assert_eq!(without_bytes(&second), without_bytes(&first));
    assert_eq!(print(&second), printed);
    for set in &first {
        let mut after = 0;
        for remark in set.remarks() {
            assert!(after <= remark.after && remark.after <= set.files.len());
            after = remark.after;
            let around = match remark.after.checked_sub(1) {
                None => set.preamble,
                Some(file) => set.files[file].trailer,
            };
            let is_part = around.windows(remark.text.len()).any(|w| w == remark.text);
            assert!(is_part, "a remark is a part of the input");
        }
    }
}

fn print(sets: &[Changeset<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    for set in sets {
        write_patch(&mut out, set).expect("memory");
    }
    out
}

/// How a hunk was written in its input is not part of its meaning.
fn without_bytes<'p>(sets: &[Changeset<'p>]) -> Vec<Changeset<'p>> {
    let mut sets = sets.to_vec();
    for file in sets.iter_mut().flat_map(|set| &mut set.files) {
        if let Body::Text(hunks) = &mut file.body {
            for hunk in hunks {
                hunk.bytes = b"";
            }
        }
    }
    sets
}
