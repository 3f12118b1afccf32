//! The ways to say an edit.

use super::{Dir, block, form};

const MENU: &str = "soup\nsalad\nbread\n";

#[test]
fn json_names_several_files() {
    let dir = Dir::new(&[("a.txt", MENU), ("b/c.txt", MENU)]);
    let form = form(&[
        ("a.txt", &block("soup", "broth")),
        ("./b/c.txt", &block("bread", "rolls")),
    ]);
    let ran = dir.run_with(&["-"], form.as_bytes());
    ran.is(0, "");
    assert_eq!(dir.text("a.txt"), "broth\nsalad\nbread\n");
    assert_eq!(dir.text("b/c.txt"), "soup\nsalad\nrolls\n");
    assert_eq!(dir.files(), ["a.txt", "b/c.txt"]);
}

#[test]
fn a_file_that_is_named_twice_is_edited_twice() {
    let dir = Dir::new(&[("a.txt", MENU)]);
    let form = form(&[
        ("a.txt", &block("soup", "broth")),
        ("./a.txt", &block("bread", "rolls")),
    ]);
    let ran = dir.run_with(&["--format", "json", "-"], form.as_bytes());
    let report = ran.json();
    assert_eq!(report["files"].as_array().unwrap().len(), 1);
    assert_eq!(report["files"][0]["blocks"].as_array().unwrap().len(), 2);
    assert_eq!(dir.text("a.txt"), "broth\nsalad\nrolls\n");
}

#[test]
fn tags_with_prose_around_them_are_read() {
    let dir = Dir::new(&[("a.txt", MENU), ("b.txt", MENU)]);
    let tags = format!(
        "Here you are:\n<apply_diff>\n<args>\n<file>\n<path>a.txt</path>\n<diff>\n\
         <content><![CDATA[\n{}]]></content>\n<start_line>1</start_line>\n</diff>\n</file>\n\
         <file><path>b.txt</path><diff><content>\n{}</content></diff></file></args></apply_diff>\n",
        block("soup", "<b> & </content>"),
        block("salad", "a < b"),
    );
    dir.run_with(&["-"], tags.as_bytes()).is(0, "");
    assert_eq!(dir.text("a.txt"), "<b> & </content>\nsalad\nbread\n");
    assert_eq!(dir.text("b.txt"), "soup\na < b\nbread\n");
}

#[test]
fn a_unified_diff_lands_where_its_lines_drifted_to() {
    let dir = Dir::new(&[("a.txt", "new first\nnew second\nsoup\r\nsalad\nbread")]);
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n soup\n-salad\n+greens\n+eggs\n bread\n\\ No newline at end of file\n";
    dir.run_with(&["-"], diff.as_bytes()).is(0, "");
    assert_eq!(
        dir.text("a.txt"),
        "new first\nnew second\nsoup\r\ngreens\neggs\nbread"
    );
}

#[test]
fn a_unified_diff_makes_files_and_takes_them_away() {
    let dir = Dir::new(&[("gone.txt", "a\nb\n"), ("x.txt", "x")]);
    let diff = "\
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1,2 +0,0 @@
-a
-b
diff --git a/in/new.txt b/in/new.txt
new file mode 100644
--- /dev/null
+++ b/in/new.txt
@@ -0,0 +1,2 @@
+one
+two
diff --git a/x.txt b/x.txt
--- a/x.txt
+++ b/x.txt
@@ -1 +1 @@
-x
\\ No newline at end of file
+y
";
    dir.run_with(&["-"], diff.as_bytes()).is(0, "");
    assert_eq!(dir.files(), ["in/new.txt", "x.txt"]);
    assert_eq!(dir.text("in/new.txt"), "one\ntwo\n");
    assert_eq!(dir.text("x.txt"), "y\n");
    dir.run(&["--undo"]).is(0, "");
    assert_eq!(dir.files(), ["gone.txt", "x.txt"]);
    assert_eq!(
        (dir.text("gone.txt"), dir.text("x.txt")),
        ("a\nb\n".into(), "x".into())
    );
}

#[test]
fn what_a_unified_diff_cannot_say_here_is_refused_by_name() {
    let dir = Dir::new(&[("a.txt", MENU)]);
    let rename = "diff --git a/a.txt b/b.txt\nsimilarity index 50%\nrename from a.txt\nrename to b.txt\n--- a/a.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-soup\n+broth\n";
    dir.run_with(&["-"], rename.as_bytes()).is(2, "renamed");
    let cut = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n soup\n";
    dir.run_with(&["-"], cut.as_bytes()).is(2, "-:5: expected");
    assert_eq!(dir.text("a.txt"), MENU);
}

#[test]
fn an_empty_search_makes_a_file() {
    let dir = Dir::new(&[]);
    let form = form(&[("src/new.py", &block("", "print(1)"))]);
    dir.run_with(&["-"], form.as_bytes()).is(0, "");
    assert_eq!(dir.text("src/new.py"), "print(1)\n");
    dir.run(&["--undo"]).is(0, "");
    assert_eq!(dir.files(), [""; 0]);
}

#[test]
fn forms_that_cannot_be_read_are_refused_with_their_line() {
    let dir = Dir::new(&[("a.txt", MENU)]);
    let bad = [
        ("{\"files\":[{\"path\":\"a.txt\"}]}", "missing field"),
        ("{\"files\":\n[{]}", "-:2: "),
        (
            "<file><path>a.txt</path><diff></diff></file>",
            "<diff> has no <content>",
        ),
        ("<apply_diff><file><path>a.txt", "never closed"),
    ];
    for (text, says) in bad {
        dir.run_with(&["-"], text.as_bytes()).is(2, says);
    }
    dir.run_with(&["-"], block("soup", "x").as_bytes())
        .is(2, "name no file");
    assert_eq!(dir.text("a.txt"), MENU);
}
