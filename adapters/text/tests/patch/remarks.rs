//! Text around files: possible changes are found, and prose is not.

use crate::accept;
use mvdiff_text::patch::Changeset;

const FILE: &str = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n";
const OTHER: &str = "--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n";
const BUMP: &str = "Submodule lib 1234567..89abcde:\n  > a commit\n  < another\n";
const PROPERTY: &str = "Property changes on: x\n\
    ___________________________________________________________________\n\
    Added: svn:executable\n## -0,0 +1 ##\n+*\n\\ No newline at end of property\n";

/// All remarks, each with the number of files before it.
fn remarks(text: &str) -> Vec<(usize, String)> {
    let sets = accept(text.as_bytes());
    let all = sets.iter().flat_map(Changeset::remarks);
    all.map(|r| (r.after, String::from_utf8_lossy(r.text).into_owned()))
        .collect()
}

#[track_caller]
fn only(text: &str, after: usize, wanted: &str) {
    assert_eq!(remarks(text), [(after, wanted.to_owned())], "{text}");
}

#[track_caller]
fn none(text: &str) {
    assert_eq!(remarks(text), [], "{text}");
}

#[test]
fn what_tools_say_of_a_change_is_found_wherever_it_stands() {
    for said in [
        BUMP,
        "Submodule lib contains modified content\n",
        "Submodule lib contains untracked content\n",
        "Submodule a b 0000000...89abcde (new submodule)\n",
        "Submodule lib 1234567...0000000 (submodule deleted)\n",
        "Submodule lib 1234567...89abcde (commits not present)\n",
        "Submodule lib 1234567..89abcde (rewind):\n  < gone\n",
        "* Unmerged path secret.c\n",
        "Only in new: backdoor.py\n",
        "Only in new/a folder: a file\n",
        "Binary file x.bin has changed\n",
        "Files old/x and new/x differ\n",
        "Symbolic links old/x and new/x differ\n",
        "File old/x is a directory while file new/x is a regular file\n",
        "=== renamed file 'a' => 'b'\n",
        "=== added directory 'd'\n",
        "=== modified file 'x' (properties changed: -x to +x)\n",
        PROPERTY,
    ] {
        only(&format!("{FILE}{said}"), 1, said);
        only(&format!("{FILE}{said}{OTHER}"), 1, said);
        only(&format!("{said}{OTHER}"), 0, said);
        only(said, 0, said);
        only(&format!("\u{feff}{said}"), 0, said);
        only(&format!("{FILE}\n{said}\n"), 1, &format!("\n{said}"));
        let crlf = said.replace('\n', "\r\n");
        only(&format!("{FILE}{crlf}"), 1, &crlf);
        let log = format!("commit 0123456789\n\n    message\n\n{said}{FILE}");
        only(&log, 0, &format!("\n{said}"));
        let mail = format!("From 0 Mon Sep 17 00:00:00 2001\nSubject: s\n\nm\n---\n{said}\n{FILE}");
        only(&mail, 0, said);
        let signed = format!("Subject: s\n\nm\n---\n{FILE}{said}-- \n2.47\n");
        only(&signed, 1, said);
    }
}

#[test]
fn between_files_everything_is_found_that_is_not_known() {
    only(
        &format!("{FILE}x.bin: permissions changed\n{OTHER}"),
        1,
        "x.bin: permissions changed\n",
    );
    only(
        &format!("{FILE}rename from a\nrename to b\n"),
        1,
        "rename from a\nrename to b\n",
    );
    let bare = "diff --git a/x b/x\n";
    only(&format!("{bare}{FILE}"), 0, bare);
    only(&format!("{FILE}{bare}{FILE}"), 1, bare);
    let odd = "warning: x\n+changed\n";
    only(&format!("{FILE}{odd}"), 1, odd);
    let both = format!("{FILE}{BUMP}{OTHER}{PROPERTY}");
    assert_eq!(
        remarks(&both),
        [(1, BUMP.to_owned()), (2, PROPERTY.to_owned())]
    );
    // A property may contain text that looks like the end of a mail.
    let odd = PROPERTY.replace("## -0,0 +1 ##\n+*", "## -1 +1 ##\n-- \n+*");
    only(&format!("{FILE}{odd}"), 1, &odd);
}

#[test]
fn prose_is_no_change() {
    let stat = " f | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n";
    for before in [
        "",
        "A fix for the thing.\n\nIt was broken: see below.\n",
        stat,
        ":100644 100644 1234567 89abcde M\tf\n\n",
        "commit 0123456789 (HEAD -> main)\nMerge: 1234567 89abcde\nAuthor: A <a@b>\nDate: now\n\n    \
         Only in theory: this\n    * Unmerged path x\n    Submodule lib 1234567..89abcde:\n\n",
        "commit 0123456789\n\n    s\n---\n f | 2 +-\n\n",
        "tag v1\nTagger: A\n\nrelease\n\ncommit 0123456789\n\n    s\n\n",
        "# HG changeset patch\n# User a\n# Node ID 0123456789abcdef\nOnly in theory: this\n\n",
        "0123456 Only in theory: this\n",
        "0123456 (Only in theory: this, 2026-01-01)\n\n",
    ] {
        for after in ["", "\n", "-- \n2.47.3\n\n", "--\nA list\nhttp://x/y\n"] {
            none(&format!("{before}{FILE}{after}"));
        }
    }
    let message = "Only in theory: this\nFiles a and b differ\nSubmodule lib 1234567..89abcde:\n";
    let mail = format!(
        "From 0123456789abcdef Mon Sep 17 00:00:00 2001\nFrom: A <a@b>\nSubject: [PATCH] s\n\n\
         {message}---\n{stat}\n{FILE}\nbase-commit: 0123456789\nprerequisite-patch-id: 01\n-- \n2.47\n\n"
    );
    none(&mail);
    none(&format!("{mail}{mail}"));
    none("Subject: s\n\nOnly in theory: this\n\nbest,\nme\n");
    none(&format!(
        "Subject: s\n\nm\n---\n{FILE}\nThis is all that is needed.\n"
    ));
}

#[test]
fn logs_in_formats_of_ones_own_are_prose() {
    none(&format!(
        "0123456 a\n{FILE}1234567 a merge\n89abcde b\n{FILE}2345678 a merge\n"
    ));
    none(&format!("two\n\n{FILE}one\n\n{FILE}"));
    none(&format!(
        "0123456 A\n\nbody\n\n{FILE}89abcde B\n\nbody\n\n{FILE}"
    ));
    only(
        &format!("two\n\n{FILE}one\n\n{BUMP}{FILE}"),
        1,
        &format!("one\n\n{BUMP}"),
    );
}

#[test]
fn harmless_lines_of_tools_are_prose() {
    for said in [
        "Common subdirectories: old/d and new/d\n",
        "Files old/x and new/x are identical\n",
        "cvs diff: Diffing src\n",
        "warning: LF will be replaced by CRLF\n",
    ] {
        none(&format!("{FILE}{said}{OTHER}{said}"));
    }
    none(&format!(
        "=== modified file 'f'\n{FILE}=== modified file 'g'\n{OTHER}"
    ));
    none(
        "Index: x\n===================================================================\n\
          Cannot display: file marked as a binary type.\nsvn:mime-type = application/octet-stream\n",
    );
}

#[test]
fn a_diff_in_a_message_that_git_would_apply_is_found() {
    let mail = format!("Subject: s\n\nsee\n\n{OTHER}\nand this\n---\n\n{FILE}");
    only(&mail, 0, &format!("\n{OTHER}"));
    none(&format!(
        "Subject: s\n\n  {}\n---\n\n{FILE}",
        OTHER.replace('\n', "\n  ")
    ));
}
