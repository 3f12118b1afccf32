//! The paths in a file header.

use crate::{accept, names};
use mvdiff_text::patch::{Status, quote_path, write_header};

const HUNK: &str = "@@ -1 +1 @@\n-a\n+b\n";

fn one(text: &str) -> (String, String) {
    let sets = accept(text.as_bytes());
    let all = names(&sets);
    assert_eq!(all.len(), 1, "{text}");
    all[0].clone()
}

fn pair(old: &str, new: &str) -> (String, String) {
    (old.to_owned(), new.to_owned())
}

#[test]
fn prefixes_are_taken_off_where_they_are_prefixes() {
    for (old, new, wanted) in [
        ("a/x", "b/x", pair("x", "x")),
        ("a/x", "b/y", pair("x", "y")),
        ("b/x", "a/x", pair("x", "x")),
        ("old/s/x", "new/s/x", pair("s/x", "s/x")),
        ("x.orig", "x", pair("x.orig", "x")),
        ("src/x", "src/y", pair("src/x", "src/y")),
        ("a/x", "a/x", pair("a/x", "a/x")),
        ("w/x", "i/y", pair("w/x", "i/y")),
        ("/dev/null", "b/x", pair("-", "x")),
        ("a/x", "/dev/null", pair("x", "-")),
        ("/dev/null", "w/x", pair("-", "w/x")),
        ("\"/dev/null\"", "b/x", pair("/dev/null", "b/x")),
        ("a/", "b/", pair("a/", "b/")),
    ] {
        let text = format!("--- {old}\n+++ {new}\n{HUNK}");
        assert_eq!(one(&text), wanted, "{text}");
    }
}

#[test]
fn git_prefixes_are_known_from_its_own_line() {
    for (line, old, new, wanted) in [
        ("i/x w/x", "i/x", "w/x", pair("x", "x")),
        ("c/x w/y", "c/x", "w/y", pair("x", "y")),
        ("old/x new/x", "old/x", "new/x", pair("x", "x")),
        ("a/x a/x", "a/x", "/dev/null", pair("a/x", "-")),
        ("b/x a/x", "b/x", "/dev/null", pair("x", "-")),
        ("i/x w/x", "/dev/null", "w/x", pair("-", "x")),
        ("old/x new/x", "/dev/null", "new/x", pair("-", "x")),
    ] {
        let text = format!("diff --git {line}\n--- {old}\n+++ {new}\n{HUNK}");
        assert_eq!(one(&text), wanted, "{text}");
    }
}

#[test]
fn folders_called_like_prefixes_stay_where_the_rename_names_them() {
    let rename = "similarity index 80%\nrename from b/x y\nrename to a/b\n";
    let text = format!("diff --git b/x y a/b\n{rename}--- b/x y\t\n+++ a/b\n{HUNK}");
    assert_eq!(one(&text), pair("b/x y", "a/b"));
    let whole = "similarity index 100%\nrename from b/x y\nrename to a/b\n";
    let text = format!("diff --git b/x y a/b\n{whole}");
    assert_eq!(one(&text), pair("b/x y", "a/b"));
}

#[test]
fn names_side_by_side_are_told_apart() {
    for (line, wanted) in [
        ("a/x b/x", pair("x", "x")),
        ("a/x y b/x y", pair("x y", "x y")),
        ("x y x y", pair("x y", "x y")),
        ("long/x y b/x y", pair("x y", "x y")),
        ("\"a/x\\ty\" \"b/x\\ty\"", pair("x\ty", "x\ty")),
        ("a/x \"b/\\303\\274\"", pair("x", "ü")),
        ("\"a/\\303\\274\" b/x", pair("ü", "x")),
        ("a/d1/x b/d2/x", pair("d1/x", "d2/x")),
        ("a/d1/x y b/d2/x y", pair("d1/x y", "d2/x y")),
        ("a/we\"ird b/we\"ird", pair("we\"ird", "we\"ird")),
    ] {
        let text = format!("diff --git {line}\nold mode 100644\nnew mode 100755\n");
        assert_eq!(one(&text), wanted, "{text}");
    }
}

#[test]
fn gnu_says_that_binaries_differ() {
    for (names, wanted) in [
        ("o/x and n/x", pair("x", "x")),
        ("old/a and b and newer/a and b", pair("a and b", "a and b")),
        ("/dev/null and b/x", pair("-", "x")),
        ("x.orig and x", pair("x.orig", "x")),
    ] {
        let text = format!("Binary files {names} differ\n");
        assert_eq!(one(&text), wanted, "{text}");
    }
}

#[test]
fn a_time_at_the_epoch_means_absent_only_without_lines() {
    let new = "+++ n/f\t2024-01-01 00:00:00 +0000\n";
    for (stamp, is_absent) in [
        ("1970-01-01 00:00:00.000000000 +0000", true),
        ("1970-01-01 01:00:00.000000000 +0100", true),
        ("1969-12-31 16:00:00.000000000 -0800", true),
        ("1970-01-01 05:30:00 +05:30", true),
        ("1970-01-01 01:00:00.000000000 +0000", false),
        ("1970-01-01 00:00:00.000000001 +0000", false),
        ("(revision 0)", true),
        ("(nonexistent)", true),
        ("(working copy)", false),
    ] {
        let text = format!("--- o/f\t{stamp}\n{new}@@ -0,0 +1 @@\n+x\n");
        let old = if is_absent { "-" } else { "f" };
        assert_eq!(one(&text), pair(old, "f"), "{stamp}");
        if stamp != "(nonexistent)" {
            let text = format!("--- o/f\t{stamp}\n{new}{HUNK}");
            assert_eq!(one(&text), pair("f", "f"), "{stamp} with lines");
        }
    }
    let both = "--- f\t(revision 0)\n+++ f\t(revision 0)\n@@ -0,0 +1 @@\n+x\n";
    assert_eq!(one(both), pair("-", "f"));
}

#[test]
fn subversion_and_mercurial_heads_are_understood() {
    let rule = "=".repeat(67);
    let svn_binary = format!(
        "Index: i.png\n{rule}\nCannot display: file marked as a binary type.\n\
         svn:mime-type = image/png\nIndex: e\n{rule}\nIndex: f\n{rule}\n\
         diff --git a/f b/f\n--- a/f\t(revision 1)\n+++ b/f\t(working copy)\n{HUNK}"
    );
    let sets = accept(svn_binary.as_bytes());
    assert_eq!(
        names(&sets),
        [pair("i.png", "i.png"), pair("e", "e"), pair("f", "f")]
    );
    assert!(sets[0].files[0].is_binary());
    assert_eq!(sets[0].files[2].hunks().len(), 1);

    let hg = format!(
        "diff -r 0123456789ab -r ba9876543210 f.c\n\
         --- a/f.c\tThu Jan 01 00:00:00 1970 +0000\n+++ b/f.c\tMon Jan 01 00:00:00 2024 +0000\n\
         {HUNK}diff -r 0123456789ab g\nBinary file g has changed\n"
    );
    let sets = accept(hg.as_bytes());
    assert_eq!(names(&sets), [pair("f.c", "f.c"), pair("g", "g")]);
    assert!(sets[0].files[1].is_binary());
}

/// The text of a property may look like a file header.
#[test]
fn properties_are_passed_by_their_numbers() {
    let text = format!(
        "Index: f\n{}\n--- f\t(revision 1)\n+++ f\t(working copy)\n{HUNK}\n\
         Property changes on: f\n{}\nModified: p\n## -1,2 +1,3 ##\n--- a/g\n+++ b/g\n \n+@@ -1 +1 @@\n",
        "=".repeat(67),
        "_".repeat(67),
    );
    let sets = accept(text.as_bytes());
    assert_eq!(names(&sets), [pair("f", "f")]);
    assert!(sets[0].files[0].trailer.ends_with(b"+@@ -1 +1 @@\n"));
}

#[test]
fn modes_ids_and_statuses_are_read() {
    let text = b"diff --git a/f b/g\nold mode 100644\nnew mode 100755\nsimilarity index 90%\n\
        rename from f\nrename to g\nindex 0123abc..4567def\n\
        diff --git a/h b/h\ndeleted file mode 120000\nindex 0123abc..0000000\n\
        diff --git a/f b/c\nsimilarity index 100%\ncopy from f\ncopy to c\n\
        diff --git a/m b/m\nindex 1..2 100644\nBinary files a/m and b/m differ\n";
    let sets = accept(text);
    let files = &sets[0].files;
    let of = |at: usize| (files[at].status, files[at].old_mode, files[at].new_mode);
    assert_eq!(of(0), (Status::Renamed, Some(0o100_644), Some(0o100_755)));
    assert_eq!(files[0].ids, Some((&b"0123abc"[..], &b"4567def"[..])));
    assert_eq!(of(1), (Status::Deleted, Some(0o120_000), None));
    assert_eq!(of(2), (Status::Copied, None, None));
    assert_eq!(of(3), (Status::Modified, Some(0o100_644), Some(0o100_644)));
    assert!(files[3].is_binary());
}

#[test]
fn heads_that_were_sent_with_carriage_returns_are_read() {
    let text = "diff --git a/f b/f\r\nindex 1..2 100644\r\n--- a/f\r\n+++ b/f\r\n\
        @@ -1,2 +1,2 @@\r\n\r\n-a\r\n+b\r\n";
    assert_eq!(one(text), pair("f", "f"));
    let sets = accept(text.as_bytes());
    assert_eq!(sets[0].files[0].ids, Some((&b"1"[..], &b"2"[..])));
    assert_eq!(sets[0].files[0].hunks()[0].lines[0].text, b"\r\n");
}

#[test]
fn a_byte_order_mark_hides_no_file() {
    let text = format!("\u{feff}--- a/f\n+++ b/f\n{HUNK}");
    assert_eq!(one(&text), pair("f", "f"));
    assert_eq!(crate::print(&accept(text.as_bytes())), text.as_bytes());
}

#[test]
fn a_new_head_is_read_back() {
    let made = |old: Option<&str>, new: Option<&str>| {
        let mut out = Vec::new();
        write_header(&mut out, old.map(str::as_bytes), new.map(str::as_bytes)).expect("memory");
        String::from_utf8(out).expect("ASCII")
    };
    assert_eq!(
        made(Some("a b"), Some("ü b")),
        "diff --git a/a b \"b/\\303\\274 b\"\n--- a/a b\t\n+++ \"b/\\303\\274 b\"\t\n"
    );
    for (old, new) in [
        (Some("x"), Some("x")),
        (Some("x y"), Some("z")),
        (None, Some("b/x y")),
        (Some("\"q\"\\"), None),
        (Some("a\nb\u{7f}"), Some("\u{1}")),
    ] {
        let text = made(old, new);
        let text = match (old, new) {
            (None, _) => text + "@@ -0,0 +1 @@\n+b\n",
            (_, None) => text + "@@ -1 +0,0 @@\n-b\n",
            _ => text + HUNK,
        };
        let wanted = pair(old.unwrap_or("-"), new.unwrap_or("-"));
        assert_eq!(one(&text), wanted, "{text}");
    }
    assert!(write_header(&mut Vec::new(), None, None).is_err());
    assert_eq!(&*quote_path(b"\x07\x1b\\"), br#""\a\033\\""#);
}
