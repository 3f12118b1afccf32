//! Facts about whole files: names, modes, additions and deletions, binary bodies.

use crate::{Case, kept, moved, new, old, with_contents};
use mvdiff_text::verify::Hidden;

fn lost(file: &str) -> Hidden {
    Hidden::FactLost {
        file: file.as_bytes().to_vec(),
    }
}

const RENAME: &str = "\
diff --git a/old.py b/new.py
old mode 100644
new mode 100755
similarity index 80%
rename from old.py
rename to new.py
index 1111111..2222222
--- a/old.py
+++ b/new.py
@@ -1,2 +1,2 @@
 a
-b
+c
";

#[test]
fn a_rename_and_a_mode_stay() {
    let case = Case::plain(RENAME);
    case.passes();
    for line in [
        "old mode 100644\n",
        "new mode 100755\n",
        "rename from old.py\n",
        "rename to new.py\n",
    ] {
        case.with_diff(line, "").is_refused(lost("new.py"));
    }
    // Blob ids and similarity are not facts.
    case.with_diff("similarity index 80%\n", "")
        .with_diff("index 1111111..2222222\n", "")
        .passes();
    case.with_diff("rename to new.py", "rename to other.py")
        .check()
        .unwrap_err();
}

#[test]
fn a_rename_stays_though_all_of_its_lines_moved() {
    let both = format!(
        "{RENAME}diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,0 +2 @@\n+b\n@@ -9 +9,0 @@\n-c\n"
    );
    let head = &RENAME[..RENAME.find("index 1111").unwrap()];
    let case = Case::plain(both.clone())
        .with_diff(&both, head)
        .but(|report| {
            report.moves = vec![
                moved(["old.py", "x"], [[2, 2], [2, 2]], &[[2, 2, 1]]),
                moved(["x", "new.py"], [[9, 9], [2, 2]], &[[9, 2, 1]]),
            ];
            report.moves_detected = 2;
            report.total_lines_moved = 2;
        });
    case.passes();
    case.with_diff(head, "").is_refused(lost("new.py"));
}

#[test]
fn files_without_hunks_stay_as_they_are() {
    let mode = "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n";
    let rename = "diff --git a/p b/q\nsimilarity index 100%\nrename from p\nrename to q\n";
    let empty = "diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n";
    for part in [mode, rename, empty] {
        let patch = format!("{mode}{rename}{empty}");
        let case = Case::plain(patch);
        case.passes();
        let file = part.split_once(" b/").unwrap().1.lines().next().unwrap();
        case.with_diff(part, "").is_refused(lost(file));
    }
    let renamed = with_contents(Case::plain(rename), &[(Some("a\nb\n"), Some("a\nb\n"))]);
    renamed.passes();
    let listed = |run| renamed.but(|report| report.kept = vec![run]);
    listed(kept("p", 1, "q", 1, 2)).passes();
    listed(kept("p", 1, "q", 2, 1)).is_refused(Hidden::KeptUnequal {
        old: old("p", 1),
        new: new("q", 2),
    });
}

#[test]
fn binary_files_stay_as_they_are() {
    let stub = "diff --git a/i.png b/i.png\nindex 1111111..2222222 100644\nBinary files a/i.png and b/i.png differ\n";
    let body = "diff --git a/j b/j\nindex 1111111..2222222 100644\nGIT binary patch\nliteral 3\nKcmZQzWMT#Y01f~L\n\nliteral 0\nHcmV?d00001\n\n";
    let case = Case::plain(format!("{stub}{body}"));
    case.passes();
    case.with_diff(stub, "").is_refused(lost("i.png"));
    case.with_diff(body, "").is_refused(lost("j"));
    case.with_diff("HcmV?d00001", "HcmV?d00002")
        .is_refused(lost("j"));
    case.with_diff(stub, &format!("{stub}{stub}"))
        .check()
        .unwrap_err();
}

#[test]
fn copied_files_stay_as_they_are() {
    let patch = "\
diff --git a/o b/o
--- a/o
+++ b/o
@@ -1 +1 @@
-a
+b
diff --git a/o b/copy
similarity index 90%
copy from o
copy to copy
--- a/o
+++ b/copy
@@ -1,2 +1,2 @@
-a
+c
 x
";
    let case = Case::plain(patch);
    case.passes();
    case.with_diff("+c\n", "+d\n").is_refused(lost("copy"));
    case.with_diff("copy from o\n", "").check().unwrap_err();
    let into = case.but(|report| {
        report.moves = vec![moved(["o", "copy"], [[1, 1], [1, 1]], &[[1, 1, 1]])];
    });
    into.is_refused(Hidden::NoSuchFile {
        file: b"copy".to_vec(),
    });
}

const CREATED: &str = "\
diff --git a/gone b/gone
deleted file mode 100644
index 1111111..0000000
--- a/gone
+++ /dev/null
@@ -1,2 +0,0 @@
-alpha
-beta
diff --git a/made b/made
new file mode 100755
index 0000000..1111111
--- /dev/null
+++ b/made
@@ -0,0 +1,2 @@
+alpha
+beta
";

#[test]
fn a_file_that_came_and_one_that_went_are_told() {
    Case::plain(CREATED).passes();
    let left = "diff --git a/gone b/gone\ndeleted file mode 100644\ndiff --git a/made b/made\nnew file mode 100755\n";
    let case = Case::plain(CREATED).with_diff(CREATED, left).but(|report| {
        report.moves = vec![moved(["gone", "made"], [[1, 2], [1, 2]], &[[1, 1, 2]])];
        report.moves_detected = 1;
        report.total_lines_moved = 2;
    });
    case.passes();
    let whole = [(Some("alpha\nbeta\n"), None), (None, Some("alpha\nbeta\n"))];
    with_contents(case.clone(), &whole).passes();
    case.with_diff("new file mode 100755\n", "")
        .is_refused(lost("made"));
    case.with_diff("diff --git a/gone b/gone\ndeleted file mode 100644\n", "")
        .is_refused(lost("gone"));
    let stayed = case.but(|report| report.kept = vec![kept("gone", 1, "made", 1, 2)]);
    stayed.is_refused(Hidden::NotPartners {
        old: b"gone".to_vec(),
        new: b"made".to_vec(),
    });
}

#[test]
fn a_plain_diff_tells_it_by_its_names() {
    let patch = "\
--- a/gone\t2026-01-01 00:00:00
+++ /dev/null
@@ -1 +0,0 @@
-alpha
--- a/x
+++ b/x
@@ -1,0 +2 @@
+alpha
";
    let patch = patch.replace("\t2026-01-01 00:00:00", "");
    Case::plain(patch.clone()).passes();
    let case = Case::plain(patch.clone())
        .with_diff(&patch, "--- a/gone\n+++ /dev/null\n")
        .but(|report| {
            report.moves = vec![moved(["gone", "x"], [[1, 1], [2, 2]], &[[1, 2, 1]])];
            report.moves_detected = 1;
            report.total_lines_moved = 1;
        });
    case.passes();
    case.with_diff("--- a/gone\n+++ /dev/null\n", "")
        .is_refused(lost("gone"));
}

#[test]
fn a_file_that_became_a_link_is_two() {
    let patch = "\
diff --git a/x b/x
deleted file mode 100644
--- a/x
+++ /dev/null
@@ -1,2 +0,0 @@
-target
-more
diff --git a/x b/x
new file mode 120000
--- /dev/null
+++ b/x
@@ -0,0 +1 @@
+target
\\ No newline at end of file
";
    let case = Case::plain(patch);
    case.passes();
    case.but(|report| report.kept = vec![kept("x", 1, "x", 1, 1)])
        .is_refused(Hidden::NotPartners {
            old: b"x".to_vec(),
            new: b"x".to_vec(),
        });
    case.with_diff("deleted file mode 100644\n", "")
        .check()
        .unwrap_err();
    // A move between the two, with one line left.
    let left = "\
diff --git a/x b/x
deleted file mode 100644
diff --git a/x b/x
new file mode 120000
diff --git a/x b/x
--- a/x
+++ b/x
@@ -2 +1,0 @@
-more
";
    let between = case.with_diff(patch, left).but(|report| {
        let mut block = moved(["x", "x"], [[1, 2], [1, 1]], &[[1, 1, 1]]);
        block.effective_diff_lines = 1;
        report.moves = vec![block];
        report.moves_detected = 1;
        report.total_lines_moved = 1;
    });
    between.passes();
}

#[test]
fn a_path_that_two_files_claim_names_neither() {
    let one = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n";
    let two = format!("{one}{}", one.replace("-a\n+b", "-b\n+c"));
    let case = Case::plain(two);
    case.passes();
    case.with_diff("+c", "+d").is_refused(lost("f"));
    case.but(|report| {
        report.moves = vec![moved(["f", "f"], [[1, 1], [1, 1]], &[[1, 1, 1]])];
    })
    .is_refused(Hidden::NoSuchFile {
        file: b"f".to_vec(),
    });
}

#[test]
fn names_in_quotes_and_with_spaces() {
    let file = |name: &str, hunk: &str| {
        format!("diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n{hunk}")
    };
    let patch =
        file("a b/c", "@@ -1 +0,0 @@\n-one\n") + &file("t\tb", "@@ -0,0 +1,2 @@\n+one\n+two\n");
    let case = |head: &str| {
        let left = format!("{head}@@ -1,0 +2 @@\n+two\n");
        Case::plain(patch.clone())
            .with_diff(&patch, &left)
            .but(|report| {
                let mut block = moved(["a b/c", "t\tb"], [[1, 1], [1, 2]], &[[1, 1, 1]]);
                block.effective_diff_lines = 1;
                report.moves = vec![block];
                report.moves_detected = 1;
                report.total_lines_moved = 1;
            })
    };
    let quoted = "diff --git a/a b/c \"b/t\\tb\"\n";
    case(quoted).passes();
    case(&format!("{quoted}--- a/a b/c\t\n+++ \"b/t\\011b\"\n")).passes();
    case("diff --git a/a b/c \"b/t\\qb\"\n")
        .check()
        .unwrap_err();
    case("diff --git a/a b/c \"b/t\\tb\n").check().unwrap_err();
}
