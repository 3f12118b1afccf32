//! `mvdiff merge` on texts.

use super::Dir;

const BASE: &[u8] = b"alpha = 1\nbeta = 2\ngamma = 3\ndelta = 4\nepsilon = 5\nzeta = 6\n";

fn dir(ours: &[u8], theirs: &[u8]) -> Dir {
    Dir::new(&[("base", BASE), ("ours", ours), ("theirs", theirs)])
}

#[test]
fn what_both_did_is_printed_or_written() {
    let dir = dir(
        b"alpha = 10\nbeta = 2\ngamma = 3\ndelta = 4\nepsilon = 5\nzeta = 6\n",
        b"alpha = 1\nbeta = 2\ngamma = 3\ndelta = 4\nepsilon = 5\nzeta = 60\neta = 7\n",
    );
    let wanted = "alpha = 10\nbeta = 2\ngamma = 3\ndelta = 4\nepsilon = 5\nzeta = 60\neta = 7\n";
    let ran = dir.mvdiff(&["merge", "base", "ours", "theirs"], b"", &[]);
    assert_eq!((ran.code, ran.text(), &ran.err[..]), (0, wanted, ""));
    // The result may take the place of ours, as for git.
    let ran = dir.mvdiff(&["merge", "base", "ours", "theirs", "-o", "ours"], b"", &[]);
    assert_eq!((ran.code, ran.text(), &ran.err[..]), (0, "", ""));
    assert_eq!(std::fs::read_to_string(dir.path("ours")).unwrap(), wanted);
}

#[test]
fn a_name_does_not_forge_a_marker() {
    let name = "ours\n>>>>>>> \u{1b}[31m";
    let dir = Dir::new(&[
        ("base", BASE),
        (name, &b"x = 1\n"[..]),
        ("theirs", &b"y = 1\n"[..]),
    ]);
    for more in [&[][..], &["--label", name]] {
        let args = [&["merge", "base", name, "theirs"][..], more].concat();
        let ran = dir.mvdiff(&args, b"", &[]);
        let markers = |mark: &str| ran.text().lines().filter(|l| l.starts_with(mark)).count();
        assert_eq!(
            (ran.code, markers("<<<<<<<"), markers(">>>>>>>")),
            (1, 1, 1)
        );
        assert!(!ran.text().contains('\u{1b}'), "{}", ran.text());
    }
}

#[test]
fn conflicts_are_in_the_result_and_listed() {
    let dir = dir(
        b"alpha = 1\nbeta = 2\ngamma = 30\ndelta = 4\nepsilon = 5\nzeta = 6\n",
        b"alpha = 1\nbeta = 2\ngamma = 33\ndelta = 4\nepsilon = 5\nzeta = 6\n",
    );
    let wanted = "alpha = 1\nbeta = 2\n<<<<<<<<< main\ngamma = 30\n||||||||| before\ngamma = 3\n\
                  =========\ngamma = 33\n>>>>>>>>> topic\ndelta = 4\nepsilon = 5\nzeta = 6\n";
    let options = [
        "--style",
        "diff3",
        "--marker-size",
        "9",
        "-L",
        "main",
        "-L",
        "before",
        "-L",
        "topic",
    ];
    let ran = dir.mvdiff(
        &[
            &["merge"],
            &options[..],
            &["base", "ours", "theirs", "-o", "out"],
        ]
        .concat(),
        b"",
        &[],
    );
    let told = "out:3: conflict: 1 line of ours, 1 line of theirs, 1 line of the base\n";
    assert_eq!((ran.code, ran.text(), &ran.err[..]), (1, told, ""));
    assert_eq!(std::fs::read_to_string(dir.path("out")).unwrap(), wanted);
    let ran = dir.mvdiff(
        &["merge", "--favor", "theirs", "base", "ours", "theirs"],
        b"",
        &[],
    );
    assert_eq!((ran.code, ran.text().contains("gamma = 33\n")), (0, true));
}

#[test]
fn trouble_is_one_line_and_leaves_everything_as_it_was() {
    let dir = dir(b"a\n", b"b\n");
    std::fs::write(dir.path("binary"), b"a\0b").unwrap();
    for (files, says) in [
        (
            ["base", "ours", "binary"],
            "binary: is neither text nor a workbook",
        ),
        (["base", "ours", "nowhere"], "nowhere: cannot read"),
        (["-", "-", "theirs"], "only one of BASE, OURS and THEIRS"),
    ] {
        let words = [&["merge"], &files[..], &["-o", "ours"]].concat();
        dir.mvdiff(&words, b"", &[]).is_trouble(says);
        assert_eq!(std::fs::read(dir.path("ours")).unwrap(), b"a\n");
    }
}

#[test]
fn a_spent_budget_is_a_note_and_in_json_nowhere_else() {
    let lines = |word: &str| (0..200).fold(String::new(), |t, i| t + &format!("{word} {i}\n"));
    let dir = dir(BASE, lines("theirs").as_bytes());
    std::fs::write(dir.path("base"), lines("ours")).unwrap();
    std::fs::write(dir.path("ours"), lines("ours")).unwrap();
    let spent = "a work budget ran out, so that more may conflict than has to";
    let ran = dir.mvdiff(&["merge", "base", "ours", "theirs"], b"", &[]);
    assert_eq!(ran.err, format!("mvdiff: note: {spent}\n"));
    let json = ["merge", "--format", "json", "base", "ours", "theirs"];
    let ran = dir.mvdiff(&json, b"", &[]);
    let report: serde_json::Value = serde_json::from_str(ran.text()).unwrap();
    assert_eq!(report["complete"], false);
    let note = serde_json::json!([{ "kind": "budget", "message": spent }]);
    assert_eq!((&report["notes"], &ran.err[..]), (&note, ""));
}
