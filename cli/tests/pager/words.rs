//! Words that people know from git, against what git says.

use super::{Repo, lines, moved};

fn changed() -> Repo {
    let repo = Repo::of(&[
        ("a.txt", &lines(1, 20)),
        ("sub/b c.txt", "one\n"),
        ("Cargo.lock", "x\n"),
    ]);
    repo.write(
        "a.txt",
        lines(1, 20)
            .replace("number 10\n", "number  10\n")
            .replace("number 4\n", "four\n"),
    );
    repo.write("sub/b c.txt", "one\ntwo\n");
    repo.write("Cargo.lock", "y\n");
    repo
}

#[test]
fn summaries_are_gits_own() {
    let repo = changed();
    for word in ["--numstat", "--name-only", "--name-status", "--stat"] {
        let ours = repo.mvdiff(&["git", word]);
        assert_eq!((ours.code, &ours.err[..]), (0, ""), "{word}");
        assert_eq!(ours.out, repo.git(&["diff", word]), "{word}");
        if word != "--stat" {
            let ours = repo.mvdiff(&["git", word, "-z"]);
            assert_eq!(ours.out, repo.git(&["diff", word, "-z"]), "{word} -z");
        }
    }
}

#[test]
fn stat_counts_what_moved() {
    let repo = moved();
    let ours = repo.mvdiff(&["git", "--stat"]);
    assert!(ours.text().contains("a.py | 14 +"), "{}", ours.text());
    assert!(ours.text().contains("moved)\n"), "{}", ours.text());
    let last = ours.text().lines().last().unwrap();
    assert!(
        last.contains("7 insertions(+), 7 deletions(-)") && last.ends_with(" moved"),
        "{last}"
    );
}

/// The lines that a plain diff of ours removes and adds, and those of git.
fn signs(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let is_line = |line: &&str| {
        (line.starts_with('+') || line.starts_with('-'))
            && !line.starts_with("+++")
            && !line.starts_with("---")
    };
    text.lines().filter(is_line).map(str::to_owned).collect()
}

#[test]
fn white_space_and_direction_mean_what_they_mean_to_git() {
    let repo = changed();
    repo.write(
        "a.txt",
        lines(1, 20)
            .replace("number 4\n", "number 4  \n\n")
            .replace("number 9\n", "nine\n"),
    );
    for words in [
        &["-w"][..],
        &["-b"],
        &["--ignore-space-at-eol"],
        &["-R"],
        &["-R", "-w"],
        &["-U0"],
        &["-U7"],
    ] {
        let ours = repo.mvdiff(&[&["git", "--format=unified"], words].concat());
        let gits = repo.git(&[&["diff"], words].concat());
        assert_eq!(signs(&ours.out), signs(&gits), "{words:?}");
    }
    let ours = repo.mvdiff(&["git", "--format=unified", "-B", "-b"]);
    let gits = repo.git(&["diff", "--ignore-blank-lines", "-b"]);
    assert_eq!(signs(&ours.out), signs(&gits));
}

#[test]
fn words_of_git_go_together() {
    let repo = changed();
    repo.commit(&[("c.txt", &lines(30, 40))]);
    repo.git(&["mv", "c.txt", "d.txt"]);
    repo.git(&["rm", "--quiet", "--cached", "Cargo.lock"]);
    for words in [
        &["--numstat", "-w"][..],
        &["--numstat", "-b", "-R"],
        &["--stat", "-R", "HEAD~1"],
        &["--name-status", "--staged"],
        &["--name-status", "-z", "--staged"],
        &["--name-only", "HEAD~1", "HEAD"],
        &["--numstat", "HEAD", "--", "sub", "d.txt"],
        &["--stat", "HEAD", "a.txt"],
    ] {
        let ours = repo.mvdiff(&[&["git"], words].concat());
        assert_eq!((ours.code, &ours.err[..]), (0, ""), "{words:?}");
        let gits = repo.git(&[&["diff", "-M"], words].concat());
        assert_eq!(ours.text(), String::from_utf8_lossy(&gits), "{words:?}");
    }
}

#[test]
fn commits_have_the_lines_that_git_shows() {
    let repo = changed();
    repo.git(&["commit", "--quiet", "-am", "Change"]);
    repo.commit(&[(
        "a.txt",
        &lines(1, 20).replace("number 9\n", "number  9\nnine\n"),
    )]);
    for words in [
        &["show"][..],
        &["show", "HEAD~1"],
        &["show", "-w", "HEAD"],
        &["show", "-R", "HEAD"],
        &["show", "HEAD~1", "--", "sub"],
        &["log", "-p"],
        &["log", "-p", "-b", "-2"],
        &["log", "-p", "-U0", "HEAD~1..HEAD"],
        &["log", "-p", "--", "a.txt"],
    ] {
        let ours = repo.mvdiff(&[&["git"], words, &[][..]].concat());
        assert_eq!(ours.code, 0, "{words:?}: {}", ours.err);
        let gits = repo.git(words);
        assert_eq!(signs(&ours.out), signs(&gits), "{words:?}");
    }
}

#[test]
fn context_is_as_wide_as_asked_for() {
    let repo = Repo::of(&[("a.txt", &lines(1, 40))]);
    repo.write("a.txt", lines(1, 40).replace("number 20\n", "twenty\n"));
    for count in [0, 1, 5, 12] {
        let word = format!("-U{count}");
        let shown = repo.mvdiff(&["git", "--format=terminal", "--layout=unified", &word]);
        let is_context = |line: &&str| line.contains(" │  line number") && !line.contains('⋮');
        let context = shown.text().lines().filter(is_context).count();
        assert_eq!(context, 2 * count, "{}", shown.text());
    }
}

#[test]
fn paths_need_no_dashes_and_patterns_leave_files_out() {
    let repo = changed();
    let names = |args: &[&str]| {
        let ran = repo.mvdiff(&[&["git", "--name-only"], args].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.text().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(names(&["sub"]), ["sub/b c.txt"]);
    assert_eq!(names(&["HEAD", "a.txt", "sub"]), ["a.txt", "sub/b c.txt"]);
    assert_eq!(names(&["--exclude", "*.txt"]), ["Cargo.lock"]);
    assert_eq!(
        names(&["--exclude", "sub", "--exclude", "Cargo.lock"]),
        ["a.txt"]
    );
    for pattern in ["*.txt", "sub", "sub/", "/a.txt", "sub/*", "*c.txt", "none"] {
        // As a line of .gitignore, where git is asked which files it would leave out.
        repo.write(".git/info/exclude", pattern);
        let all = names(&[]);
        let left = all.iter().filter(|name| {
            let asked = repo
                .git_command()
                .args(["check-ignore", "--quiet", "--no-index", "--", name])
                .status();
            !asked.unwrap().success()
        });
        let left: Vec<&String> = left.collect();
        let ours = names(&["--exclude", pattern]);
        assert_eq!(ours.iter().collect::<Vec<_>>(), left, "{pattern}");
    }
    repo.write(".git/info/exclude", "");
    repo.mvdiff(&["git", "HEAD", "none"]).is_trouble("none");
    repo.git(&["branch", "sub"]);
    repo.mvdiff(&["git", "sub"])
        .is_trouble("is both a revision and a file");
    assert_eq!(names(&["--", "sub"]), ["sub/b c.txt"]);
}

#[test]
fn lock_files_and_generated_files_are_counted() {
    let repo = changed();
    let shown = repo.mvdiff(&["git", "--format=terminal"]);
    assert!(
        shown
            .text()
            .contains("Cargo.lock  lock file, 2 lines changed"),
        "{}",
        shown.text()
    );
    assert!(!shown.text().contains("-x"), "{}", shown.text());
    let all = repo.mvdiff(&["git", "--format=terminal", "--show-generated"]);
    assert!(all.text().contains(" │ -x\n"), "{}", all.text());
    repo.write(".gitattributes", "a.txt linguist-generated\n");
    let shown = repo.mvdiff(&["git", "--format=terminal"]);
    assert!(
        shown.text().contains("a.txt  generated, 4 lines changed"),
        "{}",
        shown.text()
    );
}

#[test]
fn commits_are_shown_with_their_heads() {
    let repo = moved();
    repo.git(&["commit", "--quiet", "-am", "Move total"]);
    for args in [
        &["git", "show", "--format=terminal"][..],
        &["git", "log", "-p", "-n1", "--format=terminal"],
    ] {
        let shown = repo.mvdiff(args);
        let text = shown.text();
        assert_eq!((shown.code, &shown.err[..]), (0, ""));
        assert!(text.starts_with("commit "), "{text}");
        assert!(text.contains("\nAuthor: Somebody"), "{text}");
        assert!(
            text.contains("\n    Move total\n") && text.contains("M1 ←  moved"),
            "{text}"
        );
    }
    let log = repo.mvdiff(&["git", "log", "--format=json"]).json();
    assert_eq!(log["changesets"].as_array().unwrap().len(), 2);
    repo.mvdiff(&["git", "show", "none"]).is_trouble("none");
    let file = repo.mvdiff(&["git", "show", "--format=terminal", "HEAD:a.py"]);
    assert_eq!(file.out, repo.git(&["show", "HEAD:a.py"]));
}

#[test]
fn options_stand_before_what_git_says_to_a_driver() {
    let repo = moved();
    let program = assert_cmd::cargo::cargo_bin!("mvdiff");
    let mut git = repo.git_command();
    let external = format!(
        "'{}' --color always --theme dark --layout unified",
        program.display()
    );
    let said = git
        .args(["-c"])
        .arg(format!("diff.external={external}"))
        .args(["diff"])
        .output()
        .unwrap();
    let text = super::plain(&said.stdout);
    assert!(
        said.status.success(),
        "{}",
        String::from_utf8_lossy(&said.stderr)
    );
    assert!(text.contains("M1 ←  moved"), "{text}");
    assert!(said.stdout.contains(&0x1b));
}

#[test]
fn a_log_takes_the_words_of_git_log() {
    let repo = moved();
    repo.git(&["commit", "--quiet", "-am", "Move total"]);
    repo.commit(&[("b.txt", "one\n")]);
    let shown = |args: &[&str]| {
        let ran = repo.mvdiff(&[&["git", "log", "--format=terminal"], args].concat());
        assert_eq!((ran.code, &ran.err[..]), (0, ""), "{args:?}");
        let text = ran.text();
        text.lines()
            .filter(|line| line.starts_with("commit "))
            .count()
    };
    assert_eq!(shown(&["-p", "-2"]), 2);
    assert_eq!(shown(&["-1"]), 1);
    assert_eq!(shown(&["--grep=Move"]), 1);
    assert_eq!(shown(&["--author=Nobody"]), 0);
    assert_eq!(shown(&["--no-merges", "--reverse"]), 3);
    let oneline = repo.mvdiff(&["git", "log", "--oneline", "--stat", "-2"]);
    assert_eq!(oneline.out, repo.git(&["log", "--oneline", "--stat", "-2"]));
    repo.mvdiff(&["git", "log", "-n", "x"])
        .is_trouble("must be a number");
}

#[test]
fn git_diff_may_be_said_in_full() {
    let repo = changed();
    let short = repo.mvdiff(&["git", "--name-only"]);
    let full = repo.mvdiff(&["git", "diff", "--name-only"]);
    assert_eq!((full.code, &full.out), (0, &short.out));
}

#[test]
fn a_misspelt_variable_is_named_and_mended() {
    let repo = changed();
    let ran = repo.run(&repo.path(""), &["git"], b"", &[("MVDIFF_THEME", "drak")]);
    ran.is_trouble("(from MVDIFF_THEME); did you mean dark?");
}

/// `show` and `log` count and name files as git does.
#[test]
fn summaries_of_commits_are_gits_own() {
    let repo = changed();
    repo.git(&["commit", "--quiet", "-am", "Change"]);
    repo.git(&["mv", "a.txt", "e.txt"]);
    repo.commit(&[("sub/b c.txt", "one\n two\n")]);
    for command in [&["show"][..], &["show", "HEAD~1"], &["log", "-2"]] {
        for word in ["--stat", "--numstat", "--name-only", "--name-status"] {
            for more in [&[][..], &["-R"], &["-w"], &["--", "sub"]] {
                let words = [command, &[word], more].concat();
                let ours = repo.mvdiff(&[&["git"], &words[..]].concat());
                assert_eq!((ours.code, &ours.err[..]), (0, ""), "{words:?}");
                assert_eq!(
                    ours.text(),
                    String::from_utf8_lossy(&repo.git(&words)),
                    "{words:?}"
                );
            }
            if word != "--stat" {
                let words = [command, &[word, "-z"]].concat();
                let ours = repo.mvdiff(&[&["git"], &words[..]].concat());
                assert_eq!(ours.out, repo.git(&words), "{words:?}");
            }
        }
    }
}

/// `-p` and `-u` ask for what is shown anyway.
#[test]
fn a_patch_may_be_asked_for() {
    let repo = changed();
    let plain = repo.mvdiff(&["git"]);
    for word in ["-p", "-u", "--patch"] {
        let asked = repo.mvdiff(&["git", word]);
        assert_eq!((asked.code, &asked.out), (0, &plain.out), "{word}");
        let shown = repo.mvdiff(&["git", "show", word]);
        assert_eq!(shown.out, repo.mvdiff(&["git", "show"]).out, "{word}");
    }
}

#[test]
fn nothing_to_show_is_said() {
    let repo = moved();
    let ran = repo.mvdiff(&["git", "--format=terminal", "HEAD", "HEAD"]);
    assert_eq!((ran.code, ran.text()), (0, "No changes.\n"));
    // As a pager there is nothing to say, as in git.
    assert_eq!(repo.piped(&[], b"").text(), "");
}

#[cfg(unix)]
#[test]
fn a_link_is_called_one() {
    let repo = Repo::of(&[("a.txt", "one\n")]);
    std::os::unix::fs::symlink("a.txt", repo.path("link")).unwrap();
    repo.commit(&[]);
    std::fs::remove_file(repo.path("link")).unwrap();
    std::os::unix::fs::symlink("b.txt", repo.path("link")).unwrap();
    let shown = repo.mvdiff(&["git", "--format=terminal"]);
    assert!(shown.text().contains("link  link\n"), "{}", shown.text());
    assert!(shown.text().contains("-a.txt"), "{}", shown.text());
}

/// What else changed among the lines of a block that was indented is where the file has it.
#[test]
fn changes_among_indented_lines_are_in_order() {
    let body = |indent: &str, middle: &str| {
        let lines = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];
        let mut lines: Vec<String> = lines
            .iter()
            .map(|name| format!("{indent}{name} = compute_{name}(input)\n"))
            .collect();
        lines.insert(3, format!("{indent}{middle}\n"));
        lines.concat()
    };
    let old = format!("start()\n{}end()\n", body("", "return early"));
    let new = format!(
        "start()\nif ready:\n{}end()\n",
        body("    ", "print(a, b, c)")
    );
    let repo = Repo::of(&[("a.py", &old)]);
    repo.write("a.py", new);
    for layout in ["unified", "side-by-side"] {
        let shown = repo.mvdiff(&["git", "--format=terminal", "--layout", layout, "-W100"]);
        let text = shown.text();
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
        assert!(text.contains("I1 ←"), "{text}");
        assert!(at("compute_alpha") < at("return early"), "{text}");
        assert!(at("return early") < at("compute_zeta"), "{text}");
        assert!(at("print(a, b, c)") < at("compute_zeta"), "{text}");
        assert_eq!(text.matches("return early").count(), 1, "{text}");
    }
}
