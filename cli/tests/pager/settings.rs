//! Settings from files, git and the environment; what is said of wrong ones.

use super::{Repo, moved};

fn config(repo: &Repo, variables: &[(&str, &str)]) -> String {
    let ran = repo.run(&repo.path(""), &["config"], b"", variables);
    assert_eq!((ran.code, &ran.err[..]), (0, ""));
    ran.text().to_owned()
}

/// The value of a setting and who says it.
fn held(text: &str, name: &str) -> (String, String) {
    let line = text
        .lines()
        .find(|line| line.split_whitespace().next() == Some(name))
        .unwrap();
    let (value, source) = line.split_once('#').unwrap();
    let value = value.split_once('=').unwrap().1.trim().to_owned();
    (value, source.trim().to_owned())
}

#[test]
fn the_nearer_one_holds() {
    let repo = Repo::new();
    assert_eq!(
        held(&config(&repo, &[]), "tabs"),
        ("4".into(), "default".into())
    );
    std::fs::create_dir_all(repo.beside(".config/mvdiff")).unwrap();
    std::fs::write(
        repo.beside(".config/mvdiff/config.toml"),
        "tabs = 2\nsyntax = false\n",
    )
    .unwrap();
    let (value, source) = held(&config(&repo, &[]), "tabs");
    assert!(value == "2" && source.ends_with("config.toml"), "{source}");
    assert_eq!(held(&config(&repo, &[]), "syntax").0, "false");
    repo.write(".mvdiff.toml", "tabs = 3\n");
    assert_eq!(held(&config(&repo, &[]), "tabs").0, "3");
    repo.git(&["config", "mvdiff.tabs", "5"]);
    repo.git(&["config", "mvdiff.syntaxTheme", "Nord"]);
    let text = config(&repo, &[]);
    assert_eq!(
        held(&text, "tabs"),
        ("5".into(), "git config mvdiff.tabs".into())
    );
    assert_eq!(held(&text, "syntax-theme").0, "Nord");
    let text = config(&repo, &[("MVDIFF_TABS", "6")]);
    assert_eq!(held(&text, "tabs"), ("6".into(), "MVDIFF_TABS".into()));
}

#[test]
fn settings_hold_for_reading_and_the_command_line_above_them() {
    let repo = Repo::of(&[("a", "x\n")]);
    repo.write("a", "\ty\n");
    repo.git(&["config", "mvdiff.tabs", "7"]);
    let patch = repo.git(&["diff"]);
    let shown = |args: &[&str]| {
        repo.piped(&[&["pager"], args].concat(), &patch)
            .text()
            .to_owned()
    };
    let wide = |columns: usize| format!("+{:columns$}y\n", "");
    assert!(shown(&[]).contains(&wide(7)), "{}", shown(&[]));
    assert!(shown(&["--tabs=2"]).contains(&wide(2)));
    // Programs get the same whatever is set.
    repo.git(&["config", "mvdiff.tabs", "none"]);
    assert_eq!(repo.mvdiff(&["git", "--format=unified"]).code, 0);
    let ran = repo.piped(&["pager"], &patch);
    assert_eq!((ran.code, &ran.out), (2, &patch));
    assert!(
        ran.err.contains("from git config mvdiff.tabs"),
        "{}",
        ran.err
    );
}

#[test]
fn a_repository_says_nothing_that_could_harm() {
    let repo = Repo::of(&[("a", "x\n")]);
    repo.write(".mvdiff.toml", "pager = \"touch /tmp/harm\"\n");
    repo.mvdiff(&["config"])
        .is_trouble("only your own configuration");
    repo.write(".mvdiff.toml", "tabz = 1\n");
    repo.mvdiff(&["config"]).is_trouble("did you mean tabs?");
    repo.write(".mvdiff.toml", "tabs = \n");
    repo.mvdiff(&["config"])
        .is_trouble(".mvdiff.toml: line 1: ");
    std::fs::remove_file(repo.path(".mvdiff.toml")).unwrap();
    repo.git(&["config", "mvdiff.pager", "touch harm"]);
    assert_eq!(held(&config(&repo, &[]), "pager").1, "default");
}

/// With mvdiff as its pager, git shows nothing if mvdiff gives up.
#[test]
fn a_wrong_file_of_a_repository_keeps_nobody_from_reading() {
    let repo = Repo::of(&[("a", "x\n")]);
    repo.write("a", "\ty\n");
    let patch = repo.git(&["diff", "a"]);
    let right = repo.piped(&["pager"], &patch);
    for wrong in [
        "pager = \"touch harm\"\n",
        "hyperlinks = \"https://example.org/{path}\"\n",
        "tabz = 1\n",
        "tabs = \n",
        "tabs = 99\n",
        "layout = \"wide\"\n",
        "syntax = \"perhaps\"\n",
        // What is right in a wrong file does not hold either.
        "tabs = 9\nwidth = 1\n",
        &format!("tabs = 9 # {}\n", "x".repeat(1 << 16)),
    ] {
        repo.write(".mvdiff.toml", wrong);
        let shown = repo.piped(&["pager"], &patch);
        assert_eq!((shown.code, shown.text()), (0, right.text()), "{wrong}");
        assert!(shown.err.starts_with("mvdiff: note: "), "{}", shown.err);
        assert!(shown.err.contains(".mvdiff.toml: "), "{}", shown.err);
        assert_eq!(shown.err.lines().count(), 1, "{}", shown.err);
        repo.mvdiff(&["config"]).is_trouble(".mvdiff.toml: ");
    }
}

#[cfg(unix)]
#[test]
fn a_file_of_a_repository_leads_nowhere() {
    let repo = Repo::of(&[("a", "x\n")]);
    repo.write("a", "\ty\n");
    let patch = repo.git(&["diff", "a"]);
    for target in ["/dev/zero", "/dev/stdin", "a"] {
        std::os::unix::fs::symlink(target, repo.path(".mvdiff.toml")).unwrap();
        let shown = repo.piped(&["pager"], &patch);
        assert_eq!(shown.code, 0, "{target}: {}", shown.err);
        assert!(shown.text().contains("y\n"), "{target}: {}", shown.text());
        assert!(shown.err.contains("must be a file"), "{}", shown.err);
        std::fs::remove_file(repo.path(".mvdiff.toml")).unwrap();
    }
}

#[test]
fn what_is_wrong_is_named() {
    let repo = moved();
    repo.mvdiff(&["gti"]).is_trouble("did you mean git?");
    repo.mvdiff(&["git", "--layuot=auto"])
        .is_trouble("did you mean --layout?");
    let ran = repo.run(
        &repo.path(""),
        &["git", "--format=terminal"],
        b"",
        &[("MVDIFF_LAYOUT", "wide")],
    );
    ran.is_trouble("from MVDIFF_LAYOUT");
    let ran = repo.mvdiff(&["git", "-U", "x"]);
    ran.is_trouble("must be a number of lines");
    let ran = repo.mvdiff(&["git", "--gap", "x"]);
    ran.is_trouble("must be a whole number");
    let ran = repo.mvdiff(&["effective", "none.patch"]);
    ran.is_trouble("No such file");
    assert!(!ran.err.contains("os error"), "{}", ran.err);
}

#[test]
fn what_was_meant_is_suggested_and_nothing_else() {
    let repo = moved();
    let said = |args: &[&str], says: &str| {
        let ran = repo.mvdiff(args);
        ran.is_trouble(says);
        ran.err
    };
    said(&["git", "shwo"], "did you mean mvdiff git show?");
    said(&["git", "lgo"], "did you mean mvdiff git log?");
    said(&["git", "nosuch"], "name commits, branches or tags");
    said(&["diff", "--verison"], "did you mean --version?");
    said(&["git", "--hlep"], "did you mean --help?");
    let told = said(&["git", "--no-index"], "git diff --no-index | mvdiff");
    assert!(!told.contains("did you mean"), "{told}");
    said(&["git", "--word-diff"], "git diff --word-diff | mvdiff");
    let told = said(
        &["diff", "--width=5", "a.py", "a.py"],
        "must be from 20 to 10000",
    );
    assert!(!told.contains("..="), "{told}");
    said(
        &["git", "--syntax-theme=nrod", "--format=terminal"],
        "did you mean Nord?",
    );
}

#[test]
fn a_variable_that_sends_git_elsewhere_is_named() {
    let repo = moved();
    let run = |variables: &[(&str, &str)]| repo.run(&repo.path(""), &["git"], b"", variables);
    run(&[("GIT_DIR", "/none")]).is_trouble("GIT_DIR is set");
    run(&[("GIT_WORK_TREE", "/none")]).is_trouble("GIT_WORK_TREE is set");
    let ran = run(&[("GIT_CONFIG_COUNT", "x")]);
    ran.is_trouble("GIT_CONFIG_COUNT");
    assert!(!ran.err.contains("inside a repository"), "{}", ran.err);
    repo.write("broken", "[core\n");
    let broken = repo.path("broken");
    let ran = run(&[("GIT_CONFIG_GLOBAL", broken.to_str().unwrap())]);
    ran.is_trouble("bad config line 1 in file");
    assert!(!ran.err.contains("inside a repository"), "{}", ran.err);
}

/// A pager that prints nothing hides what git said.
#[test]
fn a_wrong_setting_does_not_swallow_what_git_prints() {
    let repo = moved();
    std::fs::create_dir_all(repo.beside(".config/mvdiff")).unwrap();
    let diff = repo.git(&["diff"]);
    for wrong in [
        "theme = \"lite\"\n",
        "theem = \"light\"\n",
        "tabs = \"x\"\n",
        "theme = light\n",
    ] {
        std::fs::write(repo.beside(".config/mvdiff/config.toml"), wrong).unwrap();
        let used = [("GIT_PAGER_IN_USE", "1")];
        let ran = repo.run(&repo.path(""), &[], &diff, &used);
        assert_eq!(
            (ran.code, ran.err.lines().count()),
            (2, 1),
            "{wrong}: {}",
            ran.err
        );
        assert_eq!(ran.out, diff, "{wrong}");
    }
    // A wrong option is the user's, who sees the message.
    std::fs::remove_file(repo.beside(".config/mvdiff/config.toml")).unwrap();
    let ran = repo.run(&repo.path(""), &["--theme=lite"], &diff, &[]);
    assert_eq!((ran.code, ran.out.len()), (2, 0));
}

#[test]
fn lock_files_are_shown_where_a_setting_says_so() {
    let repo = Repo::of(&[("Cargo.lock", "version = 3\n")]);
    repo.write("Cargo.lock", "version = 4\n");
    let diff = repo.git(&["diff"]);
    let shown = || repo.piped(&["pager"], &diff).text().to_owned();
    assert!(shown().contains("--show-generated"), "{}", shown());
    repo.git(&["config", "mvdiff.show-generated", "true"]);
    assert!(shown().contains("+version = 4"), "{}", shown());
    assert_eq!(held(&config(&repo, &[]), "show-generated").0, "true");
}
