use super::{Repo, lines, moved, plain};

#[test]
fn a_diff_is_shown_for_reading_with_or_without_colours_in_it() {
    let repo = moved();
    let shown = repo.piped(&[], &repo.git(&["diff"]));
    assert_eq!((shown.code, &shown.err[..]), (0, ""));
    assert!(shown.text().contains("M1 ←  moved"), "{}", shown.text());
    assert!(shown.text().contains("left to read"), "{}", shown.text());
    let coloured = repo.git(&["diff", "--color=always"]);
    assert!(coloured.contains(&0x1b));
    assert_eq!(repo.piped(&[], &coloured).text(), shown.text());
    let named = repo.piped(&["pager"], &coloured);
    assert_eq!(named.text(), shown.text());
}

#[test]
fn what_is_no_diff_goes_through_byte_for_byte() {
    let repo = moved();
    repo.git(&["commit", "--quiet", "-am", "Move\n\n--- a rule\n- a list\n"]);
    for args in [
        &["blame", "a.py"][..],
        &["blame", "--color-lines", "a.py"],
        &["grep", "-n", "--color=always", "line"],
        &["log", "--oneline", "--color=always"],
        &["log", "--graph", "-p", "--color=always"],
        &["log"],
        &["log", "-p", "--word-diff=color", "--color=always"],
        &["status"],
        &["ls-files", "-z"],
        &["cat-file", "-p", "HEAD:a.py"],
    ] {
        let said = repo.git(args);
        let passed = repo.piped(&[], &said);
        assert_eq!((passed.code, &passed.err[..]), (0, ""), "{args:?}");
        assert!(
            passed.out == said,
            "{args:?}: {}",
            String::from_utf8_lossy(&passed.out)
        );
    }
    for bytes in [
        &b""[..],
        b"\0\xff\x1b[31mno newline",
        b"\r\n--- \n",
        b"diff -\n",
        b"@@ -1 +1 @@\n",
    ] {
        assert_eq!(repo.piped(&["pager"], bytes).out, bytes);
    }
}

#[test]
fn a_merge_goes_through_and_the_commits_around_it_are_shown() {
    let repo = Repo::of(&[("f", "a\nb\nc\n")]);
    repo.git(&["checkout", "--quiet", "-b", "other"]);
    repo.commit(&[("f", "a\nother\nc\n")]);
    repo.git(&["checkout", "--quiet", "main"]);
    repo.commit(&[("f", "a\nmain\nc\n")]);
    let merged = repo
        .git_command()
        .args(["merge", "other"])
        .output()
        .unwrap();
    assert!(!merged.status.success());
    repo.commit(&[("f", "a\nboth\nc\n")]);
    let log = repo.git(&["log", "-p", "--cc"]);
    let shown = repo.piped(&[], &log);
    let text = shown.text();
    assert!(
        text.contains("diff --cc f\n") && text.contains("\n++both\n"),
        "{text}"
    );
    assert_eq!(text.matches("\ncommit ").count() + 1, 4, "{text}");
    assert!(text.contains(" │ +main\n"), "{text}");
    assert!(!text.contains("diff --git"), "{text}");
}

#[test]
fn heads_of_commits_keep_gits_colours() {
    let repo = moved();
    repo.git(&["commit", "--quiet", "-am", "Move"]);
    let log = repo.git(&["log", "-p", "--color=always"]);
    let shown = repo.piped(&["--color", "always"], &log);
    let head = log.split(|b| *b == b'\n').next().unwrap();
    assert!(head.starts_with(b"\x1b[33mcommit "));
    assert!(shown.out.starts_with(head), "{}", shown.text());
}

/// As many lines as git sent, each of which says the same: `git add -p` counts them.
#[test]
fn as_a_filter_every_line_stays_a_line() {
    let repo = moved();
    repo.write("b.txt", "no newline\r\n\ttab\x0c\u{e9}");
    repo.git(&["add", "-N", "b.txt"]);
    for args in [
        &["diff"][..],
        &["diff", "-U0"],
        &["diff", "HEAD", "--color=always"],
    ] {
        let diff = repo.git(args);
        let shown = repo.piped(&["--color-only", "--color=always", "--theme=dark"], &diff);
        assert_eq!((shown.code, &shown.err[..]), (0, ""));
        assert!(shown.out.contains(&0x1b));
        assert_eq!(plain(&shown.out), plain(&diff), "{args:?}");
    }
}

/// git reads what a filter says through a pipe, and calls one only where it wants colours.
#[test]
fn a_filter_colours_unless_told_not_to() {
    let repo = moved();
    let diff = repo.git(&["diff"]);
    let coloured = |args: &[&str], variables: &[(&str, &str)]| {
        let ran = repo.run(&repo.path(""), args, &diff, variables);
        assert_eq!((ran.code, &ran.err[..]), (0, ""));
        ran.out.contains(&0x1b)
    };
    assert!(coloured(&["--color-only"], &[]));
    assert!(!coloured(&["--color-only", "--color=never"], &[]));
    assert!(!coloured(&["--color-only"], &[("NO_COLOR", "1")]));
}

#[test]
fn git_add_patch_takes_what_the_filter_says() {
    use std::io::Write as _;
    use std::process::Stdio;
    let repo = moved();
    let program = assert_cmd::cargo::cargo_bin!("mvdiff");
    let filter = format!("'{}' --color-only", program.display());
    let mut git = repo.git_command();
    git.args(["-c", "color.ui=always", "-c"])
        .arg(format!("interactive.diffFilter={filter}"))
        .args(["add", "-p"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = git.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"y\ny\ny\n").unwrap();
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(
        ended.status.success() && !said.contains("mismatched"),
        "{said}"
    );
    assert!(repo.git(&["diff"]).is_empty());
}

#[test]
fn always_colour_in_a_pipe_is_for_reading() {
    let repo = moved();
    let patch = repo.git(&["diff"]);
    for args in [&["git"][..], &["effective"]] {
        let args = [&["--color", "always"], args].concat();
        let shown = repo.piped(&args, &patch);
        assert!(plain(&shown.out).contains("M1 ←  moved"), "{args:?}");
        assert!(shown.out.contains(&0x1b));
    }
}

#[test]
fn code_is_coloured_on_tints_and_the_text_is_the_same() {
    let repo = Repo::of(&[("a.py", "def one():\n    return 1\n")]);
    repo.write("a.py", "def one():\n    return \"two\"  # why\n");
    let patch = repo.git(&["diff"]);
    let shown = |args: &[&str]| {
        let args = [&["--color=always", "--theme=dark"], args].concat();
        repo.piped(&args, &patch)
    };
    let (with, without) = (shown(&[]), shown(&["--no-syntax"]));
    assert_ne!(with.out, without.out);
    assert_eq!(plain(&with.out), plain(&without.out));
    let nord = shown(&["--syntax-theme", "nord"]);
    assert_ne!(nord.out, with.out);
    assert_eq!(plain(&nord.out), plain(&with.out));
    shown(&["--syntax-theme", "nrod"]).is_trouble("available themes: ");
}

#[test]
fn moved_code_is_shown_on_demand() {
    let repo = moved();
    let patch = repo.git(&["diff"]);
    let folded = repo.piped(&[], &patch);
    assert!(
        !folded.text().contains("result += item.price"),
        "{}",
        folded.text()
    );
    let shown = repo.piped(&["--show-moved"], &patch);
    assert!(
        shown.text().contains("result += item.price"),
        "{}",
        shown.text()
    );
}

#[test]
fn file_names_and_numbers_are_links_on_demand() {
    let repo = Repo::of(&[("a b.py", "x = 1\n")]);
    repo.write("a b.py", "x = 2\n");
    let patch = repo.git(&["diff"]);
    let args = ["--color=always", "--hyperlinks=vscode"];
    let shown = repo.piped(&args, &patch);
    let text = shown.text();
    assert!(text.contains("\u{1b}]8;;vscode://file/"), "{text:?}");
    assert!(text.contains("/a%20b.py:1\u{1b}\\"), "{text:?}");
    let off = repo.piped(&["--hyperlinks"], &patch);
    assert!(!off.text().contains('\u{1b}'));
    repo.piped(&["--hyperlinks=none such"], &patch)
        .is_trouble("{path}");
}

#[test]
fn the_function_around_a_hunk_is_named() {
    let lines: Vec<String> = (0..20).map(|i| format!("        x = {i}\n")).collect();
    let body = lines.concat();
    let text = format!("class A:\n    def first(self):\n{body}\n    def second(self):\n{body}");
    let repo = Repo::of(&[("a.py", &text)]);
    repo.write("a.py", text.replacen("x = 10\n", "x = ten\n", 1));
    let ran = repo.piped(&[], &repo.git(&["diff"]));
    assert!(
        ran.text().contains("⋮ │  def first(self)"),
        "{}",
        ran.text()
    );
    // Without the whole file, what git says.
    let patch = "--- a/a.py\n+++ b/a.py\n@@ -20,2 +20,2 @@ class B:\n a\n-b\n+c\n";
    let ran = repo.piped(&[], patch.as_bytes());
    assert!(ran.text().contains("⋮ │  class B:"), "{}", ran.text());
    assert!(
        ran.text()
            .contains(" 20  20 │  a\n 21     │ -b\n     21 │ +c\n"),
        "{}",
        ran.text()
    );
}

/// A log in which every commit has a message and a diff.
fn history() -> Repo {
    let repo = moved();
    repo.git(&[
        "commit",
        "--quiet",
        "-am",
        "Move total\n\nIt belongs below.",
    ]);
    repo.write("a.py", lines(1, 9));
    repo.write("Cargo.lock", "one\n");
    repo.git(&["add", "--all"]);
    repo.git(&["commit", "--quiet", "-am", "Cut it short\n\nSee #12."]);
    repo
}

#[test]
fn nothing_of_a_log_in_ones_own_format_is_lost() {
    let repo = history();
    for format in ["%s%n%b", "%s", "%h %an%n%n%B", "", "format:%s%n%b"] {
        for colour in ["never", "always"] {
            let (format, colour) = (format!("--format={format}"), format!("--color={colour}"));
            let log = repo.git(&["log", "-p", &format, &colour]);
            let shown = repo.piped(&["--color=never", "--show-moved", "--show-generated"], &log);
            assert_eq!((shown.code, &shown.err[..]), (0, ""));
            let prose = repo.git(&["log", &format, "--color=never"]);
            for line in String::from_utf8_lossy(&prose).lines() {
                assert!(
                    shown.text().contains(line),
                    "{format}: {line}\n{}",
                    shown.text()
                );
            }
            // Nothing moves from one commit to another.
            assert!(!shown.text().contains("M2"), "{}", shown.text());
        }
    }
}

#[test]
fn the_end_of_a_mail_goes_through() {
    let repo = history();
    let mails = repo.git(&["format-patch", "--stdout", "--signature=by hand", "-2"]);
    let shown = repo.piped(&["--color=never"], &mails);
    assert_eq!(
        shown.text().matches("-- \nby hand\n").count(),
        2,
        "{}",
        shown.text()
    );
    assert_eq!(
        shown.text().matches("\nSubject: [PATCH ").count(),
        2,
        "{}",
        shown.text()
    );
}

#[test]
fn one_blank_line_sets_commits_apart() {
    let repo = Repo::of(&[("a.txt", "one\n")]);
    repo.commit(&[("a.txt", "two\n")]);
    let log = repo.git(&["log", "-p"]);
    let shown = repo.piped(&["--color=never"], &log);
    assert!(shown.text().contains("+two\n\ncommit "), "{}", shown.text());
}

#[test]
fn what_is_folded_can_be_shown() {
    let repo = history();
    let diff = repo.git(&["show"]);
    let shown = repo.piped(&["--color=never"], &diff);
    assert!(
        shown.text().contains("--show-generated shows them"),
        "{}",
        shown.text()
    );
    let shown = repo.piped(&["--color=never", "--show-generated"], &diff);
    assert!(shown.text().contains("+one"), "{}", shown.text());
}

#[test]
fn words_marked_in_lines_go_through_as_they_are() {
    let repo = history();
    for words in [
        &["--word-diff"][..],
        &["--color-words"],
        &["--word-diff=porcelain"],
        &["--graph"],
    ] {
        let log = repo.git(&[&["log", "-p", "--color=never"], words].concat());
        let shown = repo.piped(&["--color=never"], &log);
        let ours: Vec<&str> = shown
            .text()
            .lines()
            .filter(|line| !line.is_empty())
            .collect();
        let text = String::from_utf8_lossy(&log).into_owned();
        let gits: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(ours, gits, "{words:?}");
    }
}

/// Escapes in a file are its content, with colours from git around them or without.
#[test]
fn colours_of_a_files_own_are_shown_as_they_are() {
    let old = "x \u{1b}[31mred\u{1b}[0m y\nplain\n\u{1b}[1mstart\n  \tindented\u{1b}[m\nkept \u{1b}[2m\n\u{1b}[mreset\n";
    let new = "x \u{1b}[32mred\u{1b}[0m y\nplain\u{1b}[m\n\u{1b}[4mstart\n  \tindented  \nkept \u{1b}[2m\nreset\n";
    let repo = Repo::of(&[("a.txt", old)]);
    repo.write("a.txt", new);
    let plain = repo.piped(&["--color=never"], &repo.git(&["diff", "--no-color"]));
    assert!(
        plain.text().contains("-x \\u{1b}[31mred"),
        "{}",
        plain.text()
    );
    for setting in ["new", "all", "none"] {
        let highlight = format!("--ws-error-highlight={setting}");
        let coloured = repo.git(&["diff", "--color=always", &highlight]);
        let ran = repo.piped(&["--color=never"], &coloured);
        assert_eq!(ran.text(), plain.text(), "{setting}");
    }
}
