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
fn a_file_that_should_go_and_has_more_lines_stays() {
    let dir = Dir::new(&[("a.txt", MENU)]);
    for head in ["diff --git a/a.txt b/a.txt\ndeleted file mode 100644\n", ""] {
        let diff = "--- a/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-soup\n-salad\n";
        let ran = dir.run_with(&["-"], format!("{head}{diff}").as_bytes());
        ran.is(1, "has lines that the diff does not remove");
        assert_eq!(dir.text("a.txt"), MENU);
    }
}

#[test]
fn what_a_unified_diff_cannot_say_here_is_refused_by_name() {
    let dir = Dir::new(&[("a.txt", MENU)]);
    let copy = "diff --git a/a.txt b/b.txt\nsimilarity index 50%\ncopy from a.txt\ncopy to b.txt\n--- a/a.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-soup\n+broth\n";
    dir.run_with(&["-"], copy.as_bytes()).is(2, "copied");
    let cut = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n soup\n";
    dir.run_with(&["-"], cut.as_bytes()).is(2, "-:6: expected");
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

/// The file `a.txt` as an input in some form makes it, and undone again.
#[track_caller]
fn makes(input: &str, args: &[&str], due: &str) {
    let dir = Dir::new(&[("a.txt", MENU)]);
    let args = [args, &["-"]].concat();
    let args: Vec<&str> = match args.iter().position(|arg| *arg == "a.txt") {
        // The file comes behind the blocks.
        Some(at) => {
            let mut args = args.clone();
            let file = args.remove(at);
            args.push(file);
            args
        }
        None => args,
    };
    let ran = dir.run_with(&args, input.as_bytes());
    ran.is(0, "");
    assert_eq!(dir.text("a.txt"), due);
    dir.run(&["--undo"]).is(0, "");
    assert_eq!(dir.text("a.txt"), MENU);
}

#[test]
fn every_form_is_told_by_what_it_holds() {
    let due = "soup\ngreens\nbread\n";
    let fence = "```";
    makes(
        "------- SEARCH\nsalad\n=======\ngreens\n+++++++ REPLACE\n",
        &["a.txt"],
        due,
    );
    makes(
        "--- SEARCH\nsalad\n===\ngreens\n+++ REPLACE\n",
        &["a.txt"],
        due,
    );
    makes(
        &format!(
            "Sure, here it is.\n\n`a.txt`\n{fence}text\n<<<<<<< SEARCH\nsalad\n=======\ngreens\n>>>>>>> REPLACE\n{fence}\nDone.\n"
        ),
        &[],
        due,
    );
    makes(
        &format!(
            "{fence}diff\n--- a.txt\n+++ a.txt\n@@ ... @@\n soup\n-salad\n+greens\n bread\n{fence}\nThat is all.\n"
        ),
        &[],
        due,
    );
    makes(
        "--- a/a.txt\n+++ b/a.txt\n@@ -7,9 +8,3 @@\n soup\n-salad\n+greens\n",
        &[],
        due,
    );
    makes(
        "*** Begin Patch\n*** Update File: a.txt\n@@\n soup\n-salad\n+greens\n*** End Patch\n",
        &[],
        due,
    );
    makes(
        r#"{"file_path":"a.txt","old_string":"salad","new_string":"greens"}"#,
        &[],
        due,
    );
    makes(
        r#"{"name":"edit","input":{"path":"./a.txt","edits":[{"oldText":"sa","newText":"gr"},{"old_str":"lad","new_str":"eens"}]}}"#,
        &[],
        due,
    );
    makes(
        "<edits><old_text line=2>\nsalad\n</old_text><new_text>\ngreens\n</new_text></edits>",
        &["a.txt"],
        due,
    );
    makes(
        "<<<<<<< old\nsalad\n=======\ngreens\n>>>>>>> new\n",
        &["a.txt"],
        due,
    );
    // And by its name.
    makes(
        "<<<<<<< SEARCH\nsalad\n=======\ngreens\n>>>>>>> REPLACE\n",
        &["--form", "cline", "a.txt"],
        due,
    );
}

#[test]
fn strings_are_replaced_as_often_as_they_say() {
    let dir = Dir::new(&[("a.txt", "x = a; y = a;\nz = a;\n")]);
    let edit = |more: &str| format!(r#"{{"path":"a.txt","old_str":"a;","new_str":"b;"{more}}}"#);
    let run = |more: &str| dir.run_with(&["-"], edit(more).as_bytes());
    run("").is(1, "fits 3 places");
    run(r#","expected_replacements":2"#).is(1, "is there 3 times (lines 1, 1, 2), not 2");
    run(r#","replace_all":true"#).is(0, "");
    assert_eq!(dir.text("a.txt"), "x = b; y = b;\nz = b;\n");
    // Of a line that should go nothing may stay.
    let gone = r#"{"path":"a.txt","old_str":"z = b","new_str":""}"#;
    dir.run_with(&["-"], gone.as_bytes())
        .is(1, "give whole lines");
    let insert = r#"{"command":"insert","path":"a.txt","insert_line":1,"new_str":"new"}"#;
    dir.run_with(&["-"], insert.as_bytes()).is(0, "");
    assert_eq!(dir.text("a.txt"), "x = b; y = b;\nnew\nz = b;\n");
    let beyond = insert.replace(":1,", ":9,");
    dir.run_with(&["-"], beyond.as_bytes())
        .is(1, "does not fit");
    assert_eq!(dir.text("a.txt"), "x = b; y = b;\nnew\nz = b;\n");
    let create = r#"{"command":"create","path":"in/b.txt","file_text":"one\ntwo"}"#;
    dir.run_with(&["-"], create.as_bytes()).is(0, "");
    assert_eq!(dir.text("in/b.txt"), "one\ntwo");
}

#[test]
fn a_patch_makes_moves_and_deletes_files_all_or_none() {
    let files = [("a.txt", MENU), ("old.txt", "x\n"), ("gone.txt", "y\n")];
    let dir = Dir::new(&files);
    let patch = "*** Begin Patch\n*** Add File: in/new.txt\n+one\n+two\n*** Update File: old.txt\n\
        *** Move to: in/moved.txt\n@@\n-x\n+z\n*** Delete File: gone.txt\n\
        *** Update File: a.txt\n@@\n-soup\n+broth\n*** End Patch\n";
    let ran = dir.run_with(&["-"], patch.as_bytes());
    ran.is(0, "");
    assert_eq!(dir.files(), ["a.txt", "in/moved.txt", "in/new.txt"]);
    assert_eq!(
        (dir.text("in/moved.txt"), dir.text("in/new.txt")),
        ("z\n".into(), "one\ntwo\n".into())
    );
    dir.run(&["--undo"]).is(0, "");
    assert_eq!(dir.files(), ["a.txt", "gone.txt", "old.txt"]);
    assert_eq!(dir.text("old.txt"), "x\n");
    // One part that does not fit, and nothing happens.
    let bad = patch.replace("-soup", "-nothing like it");
    dir.run_with(&["-"], bad.as_bytes())
        .is(1, "nothing was written");
    let taken = patch.replace("in/moved.txt", "a.txt");
    dir.run_with(&["-"], taken.as_bytes())
        .is(2, "cannot become a.txt, which is there already");
    let made = patch.replace("in/new.txt", "a.txt");
    dir.run_with(&["-"], made.as_bytes())
        .is(2, "is there already");
    let out = patch.replace("in/moved.txt", "../moved.txt");
    dir.run_with(&["-"], out.as_bytes()).is(2, "leads out");
    assert_eq!(dir.files(), ["a.txt", "gone.txt", "old.txt"]);
}

#[test]
fn what_stands_above_says_which_place_is_meant() {
    let text = "class A:\n    def f(self):\n        return 1\n\nclass B:\n    def f(self):\n        return 1\n";
    let dir = Dir::new(&[("a.py", text)]);
    let patch = "*** Begin Patch\n*** Update File: a.py\n@@ class B:\n@@     def f(self):\n-        return 1\n+        return 2\n*** End Patch\n";
    dir.run_with(&["-"], patch.as_bytes()).is(0, "");
    let due = text.rsplitn(2, "return 1").collect::<Vec<_>>();
    assert_eq!(dir.text("a.py"), format!("{}return 2{}", due[1], due[0]));
    let diff = "--- a.py\n+++ a.py\n@@ ... @@ class A:\n     def f(self):\n-        return 1\n+        return 3\n";
    dir.run_with(&["-"], diff.as_bytes()).is(0, "");
    assert!(
        dir.text("a.py")
            .starts_with("class A:\n    def f(self):\n        return 3\n")
    );
}

#[test]
fn separators_in_the_text_are_told_by_the_file() {
    let dir = Dir::new(&[("a.md", "Title\n=======\n\nbody\n")]);
    let blocks = block("Title\n=======", "Name\n=======");
    dir.apply(&blocks, "a.md", &[]).is(0, "");
    assert_eq!(dir.text("a.md"), "Name\n=======\n\nbody\n");
}

#[test]
fn a_file_that_is_given_must_be_the_one_that_is_named() {
    let dir = Dir::new(&[("a.txt", MENU), ("b.txt", MENU)]);
    let edit = r#"{"path":"b.txt","old_str":"salad","new_str":"greens"}"#;
    dir.run_with(&["-", "a.txt"], edit.as_bytes())
        .is(2, "names b.txt, not a.txt");
    dir.run_with(&["-", "b.txt"], edit.as_bytes()).is(0, "");
    let full = dir.path("tree").canonicalize().unwrap().join("a.txt");
    let edit = edit.replace("b.txt", full.to_str().unwrap());
    dir.run_with(&["-"], edit.as_bytes()).is(0, "");
    assert_eq!(dir.text("a.txt"), "soup\ngreens\nbread\n");
}

#[test]
fn calls_of_tools_are_read_as_they_are_logged() {
    let due = "soup\ngreens\nbread\n";
    makes(
        r#"{"path":"a.txt","search":"salad","replace":"greens"}"#,
        &[],
        due,
    );
    makes(
        r#"{"type":"function","function":{"name":"edit","arguments":"{\"file_path\":\"a.txt\",\"old_string\":\"salad\",\"new_string\":\"greens\"}"}}"#,
        &[],
        due,
    );
    makes(
        r#"{"command":["apply_patch","*** Begin Patch\n*** Update File: a.txt\n@@\n-salad\n+greens\n*** End Patch\n"]}"#,
        &[],
        due,
    );
    makes(
        "<replace_in_file>\n<path>a.txt</path>\n<diff>\n------- SEARCH\nsalad\n=======\ngreens\n+++++++ REPLACE\n</diff>\n</replace_in_file>\n",
        &[],
        due,
    );
}

#[test]
fn json_in_several_fences_is_read_to_the_last() {
    let fence = "```";
    makes(
        &format!(
            "First:\n{fence}json\n{{\"path\":\"a.txt\",\"old_str\":\"sa\",\"new_str\":\"gr\"}}\n{fence}\n\nA sample:\n{fence}sh\nls\n{fence}\n\nThen:\n{fence}json\n{{\"path\":\"a.txt\",\"old_str\":\"lad\\n\",\"new_str\":\"eens\\n\"}}\n{fence}\n"
        ),
        &[],
        "soup\ngreens\nbread\n",
    );
}

#[test]
fn a_string_that_is_there_twice_is_not_replaced_in_one_place() {
    let edit = br#"{"path":"a.py","old_string":"x = 1","new_string":"x = 2"}"#;
    let dir = Dir::new(&[("a.py", "x = 1\nfoo(x = 1)\n")]);
    dir.run_with(&["-"], edit).is(1, "fits 2 places");
    assert_eq!(dir.text("a.py"), "x = 1\nfoo(x = 1)\n");
    // A longer word is another one.
    let dir = Dir::new(&[("a.py", "x = 1\nx = 12\n")]);
    dir.run_with(&["-"], edit).is(0, "");
    assert_eq!(dir.text("a.py"), "x = 2\nx = 12\n");
}

#[test]
fn a_diff_that_only_renames_is_read() {
    let dir = Dir::new(&[("old.txt", "soup\n")]);
    let edit = b"diff --git a/old.txt b/new.txt\nsimilarity index 100%\nrename from old.txt\nrename to new.txt\n";
    dir.run_with(&["-"], edit).is(0, "");
    assert_eq!(dir.files(), ["new.txt"]);
    assert_eq!(dir.text("new.txt"), "soup\n");
}

#[test]
fn a_line_behind_the_end_is_named() {
    let dir = Dir::new(&[("a.txt", "soup\nsalad\n")]);
    let edit = br#"{"path":"a.txt","insert_line":9,"new_str":"x"}"#;
    dir.run_with(&["-"], edit).is(1, "the file has 2 lines");
    assert_eq!(dir.text("a.txt"), "soup\nsalad\n");
}

#[test]
fn what_is_null_is_not_there() {
    makes(
        r#"{"command":"str_replace","path":"a.txt","old_str":"salad","new_str":"greens","insert_line":null,"file_text":null}"#,
        &[],
        "soup\ngreens\nbread\n",
    );
    makes(
        r#"{"command":"insert","path":"a.txt","old_str":null,"new_str":"eggs","insert_line":1}"#,
        &[],
        "soup\neggs\nsalad\nbread\n",
    );
    makes(
        r#"{"path":"a.txt","insert_line":1,"new_str":""}"#,
        &[],
        "soup\n\nsalad\nbread\n",
    );
    makes(
        r#"{"path":"a.txt","old_string":"a","new_string":"o","replace_all":"true"}"#,
        &[],
        "soup\nsolod\nbreod\n",
    );
}

#[test]
fn json_between_lines_of_prose_is_read() {
    let reply = "Two edits. The first:\n\n{\"path\": \"a.txt\",\n \"old_str\": \"soup\", \"new_str\": \"broth\"}\n\nand then\n\n{\"path\": \"a.txt\", \"old_str\": \"bread\", \"new_str\": \"rolls\"}\nDone.\n";
    makes(reply, &[], "broth\nsalad\nrolls\n");
    // In the lines of a block it is text.
    let json = r#"{"path":"x","old_str":"a","new_str":"b"}"#;
    let dir = Dir::new(&[("a.txt", &format!("soup\n{json}\n"))]);
    let edit = block(json, "bread");
    dir.apply(&edit, "a.txt", &[]).is(0, "");
    assert_eq!(dir.text("a.txt"), "soup\nbread\n");
}

#[test]
fn tags_with_one_file_are_read() {
    let call = |path: &str, blocks: &str| {
        format!("<apply_diff>\n<path>{path}</path>\n<diff>\n{blocks}</diff>\n</apply_diff>\n")
    };
    let dir = Dir::new(&[("a.txt", MENU), ("b.txt", MENU)]);
    let reply = format!(
        "First this:\n{}and then:\n{}",
        call("a.txt", &block("soup", "<path>x</path>")),
        call("b.txt", &block("salad", "greens")),
    );
    dir.run_with(&["-"], reply.as_bytes()).is(0, "");
    assert_eq!(dir.text("a.txt"), "<path>x</path>\nsalad\nbread\n");
    assert_eq!(dir.text("b.txt"), "soup\ngreens\nbread\n");
}

#[test]
fn a_string_inside_of_several_lines_is_ambiguous() {
    let dir = Dir::new(&[("a.txt", "one soup\nmore soup\n")]);
    let edit = br#"{"path":"a.txt","old_string":"soup","new_string":"broth"}"#;
    let ran = dir.run_with(&["--format", "json", "-"], edit);
    assert_eq!(ran.code, 1);
    let report = &ran.json()["files"][0]["blocks"][0];
    assert_eq!(report["error_kind"], "ambiguous");
    assert_eq!(report["hint_kind"], "ambiguous");
    assert_eq!(report["candidates"][1]["line"], 2);
    let message = report["message"].as_str().unwrap();
    assert!(message.contains("replace_all"), "{message}");
}

#[test]
fn text_in_utf8_is_not_written_into_another_encoding() {
    let old: &[u8] = b"# caf\xe9\nx = 1\n";
    let dir = Dir::new(&[]);
    let edit = r#"{"path":"a.py","insert_line":2,"new_str":"y = 'über'"}"#;
    for edit in [
        edit.to_owned(),
        format!("a.py\n{}", block("x = 1", "x = 'über'")),
    ] {
        dir.write("tree/a.py", old);
        let ran = dir.run_with(&["--format", "json", "-"], edit.as_bytes());
        assert_eq!(ran.code, 1);
        assert_eq!(
            ran.json()["files"][0]["blocks"][0]["error_kind"],
            "encoding"
        );
        assert_eq!(std::fs::read(dir.path("tree/a.py")).unwrap(), old);
    }
    // Bytes of the file's own encoding, and ASCII, are fine.
    dir.write("tree/a.py", old);
    let edit = b"<<<<<<< SEARCH\nx = 1\n=======\nx = '\xfcber'\n>>>>>>> REPLACE\n";
    dir.run_with(&["-", "a.py"], edit).is(0, "");
    let new = std::fs::read(dir.path("tree/a.py")).unwrap();
    assert_eq!(new, b"# caf\xe9\nx = '\xfcber'\n");
}

#[test]
fn all_places_are_taken_apart_from_white_space() {
    let dir = Dir::new(&[("a.txt", "  soup\n  salad\n\tsoup\n\tsalad\n")]);
    let edit = |more: &str| {
        format!(
            r#"{{"path":"a.txt","old_string":"soup\nsalad","new_string":"soup\neggs\nsalad"{more}}}"#
        )
    };
    let run = |more: &str| dir.run_with(&["-"], edit(more).as_bytes());
    run("").is(1, "fits 2 places");
    run(r#","expected_replacements":3"#).is(1, "is there 2 times (lines 1, 3), not 3");
    let all = edit(r#","replace_all":true"#);
    let ran = dir.run_with(&["--format", "json", "-"], all.as_bytes());
    ran.is(0, "");
    assert_eq!(ran.json()["files"][0]["blocks"][0]["places"], 2);
    let due = "  soup\n  eggs\n  salad\n\tsoup\n\teggs\n\tsalad\n";
    assert_eq!(dir.text("a.txt"), due);
    // What is merely alike is in one place.
    let edit = br#"{"path":"a.txt","old_string":"  soups\n  eggs","new_string":"x","expected_replacements":2}"#;
    dir.run_with(&["-"], edit).is(1, "does not fit");
    assert_eq!(dir.text("a.txt"), due);
}

#[test]
fn places_that_fit_are_given_with_what_distinguishes_them() {
    let text = "def soup():\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n    stir()\n\ndef stew():\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n    stir()\n";
    let dir = Dir::new(&[("a.py", text)]);
    let ran = dir.apply(
        &block("    stir()", "    shake()"),
        "a.py",
        &["--format", "json"],
    );
    assert_eq!(ran.code, 1);
    let report = ran.json();
    let candidates = &report["files"][0]["blocks"][0]["candidates"];
    let around = candidates[1]["around"]["text"].as_str().unwrap();
    assert!(text.contains(around) && text.matches(around).count() == 1);
    let edit = block(
        around.trim_end(),
        around.trim_end().replace("stir", "shake").as_str(),
    );
    dir.apply(&edit, "a.py", &[]).is(0, "");
    let due = text.replacen("stir()\n\n", "@", 1).replace("stir", "shake");
    assert_eq!(dir.text("a.py"), due.replace('@', "stir()\n\n"));
}

#[test]
fn blocks_that_are_indented_as_a_whole_are_read_without_that() {
    let blocks = format!("a.txt\n```\n{}```", block("salad", "greens\n  eggs"));
    let list = format!("1. First:\n\n   {}\n", blocks.replace('\n', "\n   "));
    makes(&list, &[], "soup\ngreens\n  eggs\nbread\n");
    let dir = Dir::new(&[("a.txt", MENU)]);
    let torn = list.replace("   greens", "greens");
    dir.run_with(&["-"], torn.as_bytes())
        .is(2, "is not indented as the block");
    assert_eq!(dir.text("a.txt"), MENU);
}

#[test]
fn bytes_are_not_written_between_those_of_wide_characters() {
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let marked = [b"\xff\xfe".to_vec(), wide(MENU)].concat();
    for old in [wide(MENU), marked] {
        for edit in [
            r#"{"path":"a.txt","insert_line":1,"new_str":"eggs"}"#,
            r#"{"path":"a.txt","old_string":"b","new_string":"tr"}"#,
            r#"{"path":"a.txt","old_string":"s","new_string":"","replace_all":true}"#,
            "*** Update File: a.txt\n@@\n+eggs\n",
        ] {
            let dir = Dir::new(&[]);
            dir.write("tree/a.txt", &old);
            let ran = dir.run_with(&["-"], edit.as_bytes());
            assert_eq!(ran.code, 1, "{edit}");
            assert_eq!(std::fs::read(dir.path("tree/a.txt")).unwrap(), old);
        }
    }
}
