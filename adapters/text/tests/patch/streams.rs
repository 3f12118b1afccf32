//! Several commits in one input.

use crate::nasty::fixtures;
use crate::{accept, count, print};

fn heads(text: &[u8]) -> Vec<(Option<String>, Option<String>, usize)> {
    let show = |bytes: Option<&[u8]>| bytes.map(|b| String::from_utf8_lossy(b).into_owned());
    accept(text)
        .iter()
        .map(|set| (show(set.commit), show(set.subject), set.files.len()))
        .collect()
}

fn head(commit: &str, subject: &str, files: usize) -> (Option<String>, Option<String>, usize) {
    (Some(commit.to_owned()), Some(subject.to_owned()), files)
}

const DIFF: &str = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n";

#[test]
fn logs_and_mails_are_a_changeset_for_each_commit() {
    let ids = [
        "4cd7435dd4a9b3c35d8c518f0ee8c9337e94ce22",
        "6a07aaddce488caf2dcf10462cf7380bfd7f81fd",
        "adf757083b89f6f8639a6b83890d4b2bb66ecd60",
    ];
    for (name, bytes, _) in fixtures() {
        let mut wanted: Vec<_> = ids
            .iter()
            .zip(["change 0", "change 1", "change 2"])
            .map(|(id, subject)| head(id, subject, 1))
            .collect();
        match &*name {
            "log_p" => wanted.reverse(),
            "mail_series_mbox" => {}
            _ => continue,
        }
        assert_eq!(heads(&bytes), wanted, "{name}");
        assert_eq!(print(&accept(&bytes)), bytes, "{name}");
    }
}

#[test]
fn logs_in_other_forms_are_told_apart() {
    let full = "4cd7435dd4a9b3c35d8c518f0ee8c9337e94ce22";
    let short = "4cd7435";
    for (one, wanted) in [
        (format!("{short} a subject\n"), head(short, "a subject", 1)),
        (format!("{full} a subject\n\n"), head(full, "a subject", 1)),
        (
            format!(
                "commit {short} (HEAD -> main)\nAuthor: A <a@x>\n\n    a subject\n\n    more\n\n"
            ),
            head(short, "a subject", 1),
        ),
        (
            format!("# HG changeset patch\n# User A\n# Node ID {full}\na subject\n\nmore\n"),
            head(full, "a subject", 1),
        ),
        (
            format!("changeset:   3:{short}aaaaa\nuser:        A\nsummary:     a subject\n\n"),
            head("4cd7435aaaaa", "a subject", 1),
        ),
        (
            format!(
                "{}\nr12 | a | 2024-01-01 | 1 line\n\na subject\n\n",
                "-".repeat(72)
            ),
            head("r12", "a subject", 1),
        ),
        (
            format!(
                "From {full} Mon Sep 17 00:00:00 2001\nFrom: A <a@x>\nSubject: [PATCH v2 1/2] [x] a subject\n\nmore\n---\n f | 2 +-\n\n"
            ),
            head(full, "[x] a subject", 1),
        ),
    ] {
        let text = format!("{one}{DIFF}{one}{DIFF}");
        assert_eq!(heads(text.as_bytes()), [wanted.clone(), wanted], "{text}");
    }
    let bare = format!("{full}\n{DIFF}");
    assert_eq!(heads(bare.as_bytes()), [(Some(full.to_owned()), None, 1)]);
}

#[test]
fn a_commit_without_files_is_a_changeset_too() {
    let text = format!(
        "tag v1\nTagger: A\n\ncommit 0123456789\nMerge: 1 2\n\n    merge\n\n\
         commit 9876543210\n\n    change\n\n{DIFF}"
    );
    assert_eq!(
        heads(text.as_bytes()),
        [
            head("0123456789", "merge", 0),
            head("9876543210", "change", 1)
        ]
    );
    assert!(accept(text.as_bytes())[0].preamble.starts_with(b"tag v1"));
}

#[test]
fn a_mail_may_quote_hunks_and_name_commits_before_its_patch() {
    let quoted = "--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\ncommit 0123456789\n";
    let mail =
        format!("Message-Id: <1@x>\nSubject: [PATCH] s\n\n{quoted}\n---\n\n{DIFF}-- \n2.47\n");
    assert_eq!(heads(mail.as_bytes()), [(None, Some("s".to_owned()), 1)]);
    // If no `diff --git` follows, `---` and `+++` start the patch.
    let plain = "Subject: s\n\nmessage\n\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n";
    assert_eq!(count(&accept(plain.as_bytes())).files, 1);
}

#[test]
fn text_between_files_is_kept_with_the_file_before() {
    let text = format!("{DIFF}Only in old: x\n{DIFF}-- \n2.47.3\n\n");
    let sets = accept(text.as_bytes());
    assert_eq!(sets.len(), 1);
    assert_eq!(sets[0].files[0].trailer, b"Only in old: x\n");
    assert_eq!(sets[0].files[1].trailer, b"-- \n2.47.3\n\n");
    assert_eq!(print(&sets), text.as_bytes());
}
