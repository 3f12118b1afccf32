//! White space that does not count, beside git's word on it.

use super::Dir;
use std::fmt::Write as _;
use std::process::Command;

const FLAGS: [&[&str]; 6] = [
    &["-b"],
    &["-w"],
    &["-B"],
    &["-b", "-B"],
    &["-w", "-B"],
    &["-w", "-U1"],
];

/// Numbers that are the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % sides
    }

    fn line(&mut self) -> String {
        match self.roll(8) {
            0 | 1 => String::new(),
            2 => "}".into(),
            3 => format!("    call({}, {})", self.roll(4), self.roll(4)),
            4 => format!("if x == {}:", self.roll(6)),
            _ => format!("\tvalue of number {} here", self.roll(30)),
        }
    }

    /// A version of a text: lines edited, spaced otherwise, blank ones put in or out.
    fn version(&mut self, text: &[String]) -> Vec<String> {
        let mut new = Vec::new();
        for line in text {
            match self.roll(14) {
                0 => {}
                1 => new.push(self.line()),
                2 => new.extend([String::new(), line.clone()]),
                3 => new.push(line.replace(' ', "  ")),
                4 => new.push(line.replace(' ', "")),
                5 => new.push(format!("{line} \t")),
                6 => new.push(format!("  {line}")),
                7 => new.push(format!("{line}\r")),
                8 if line.is_empty() => new.push("   ".into()),
                8 => new.extend([line.clone(), String::new()]),
                _ => new.push(line.clone()),
            }
        }
        new
    }
}

fn random_pair(seed: u64) -> (String, String) {
    let mut dice = Dice(seed * 7919 + 1);
    let old: Vec<String> = (0..dice.roll(40)).map(|_| dice.line()).collect();
    let new = dice.version(&old);
    let mut text = |lines: &[String]| {
        let end = if dice.roll(5) == 0 { "" } else { "\n" };
        lines.join("\n") + end
    };
    (text(&old), text(&new))
}

/// What git prints, from the first hunk on.
fn git(dir: &Dir, flags: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(dir.0.path())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CEILING_DIRECTORIES", dir.0.path())
        .args(["diff", "--no-index", "--histogram", "--no-color", "--text"])
        // Git's own -B is another one.
        .args(flags.iter().map(|flag| match *flag {
            "-B" => "--ignore-blank-lines",
            flag => flag,
        }))
        .args(["old", "new"])
        .output()
        .expect("git is needed for this test");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.find("@@ ")
        .map_or_else(String::new, |at| text[at..].to_owned())
}

/// How many lines a patch removes and adds.
fn changed(patch: &str) -> usize {
    let head = |line: &&str| !line.starts_with("--- a/") && !line.starts_with("+++ b/");
    let lines = patch.lines().filter(head);
    lines.filter(|line| line.starts_with(['-', '+'])).count()
}

/// Hunks without what git says after their numbers.
fn hunks(patch: &str) -> String {
    let from = patch.find("@@ ").unwrap_or(patch.len());
    let lines = patch[from..].lines().map(|line| match line.rfind(" @@") {
        Some(at) if line.starts_with("@@ ") => &line[..at + 3],
        _ => line,
    });
    lines.fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{line}");
        text
    })
}

#[test]
fn random_texts_as_git_has_them() {
    let (mut ours, mut theirs, mut equal, mut pairs) = (0, 0, 0, 0);
    for seed in 0..60 {
        let (old, new) = random_pair(seed);
        let dir = Dir::of(old.as_bytes(), new.as_bytes());
        for flags in FLAGS {
            let ran = dir.diff(&[&["--format", "unified"], flags, &["old", "new"]].concat());
            let git = git(&dir, flags);
            let text = ran.text();
            assert_eq!(
                text.is_empty(),
                git.is_empty(),
                "{seed} {flags:?}\n{text}\n{git}"
            );
            assert_eq!(ran.code, i32::from(!git.is_empty()), "{seed} {flags:?}");
            ours += changed(text);
            theirs += changed(&git);
            equal += usize::from(hunks(text) == hunks(&git));
            pairs += 1;
        }
    }
    assert!(ours <= theirs, "{ours} lines, and git's are {theirs}");
    // The others are aligned otherwise, as well.
    assert!(equal * 10 >= pairs * 8, "{equal} of {pairs} are git's");
}

#[test]
fn texts_that_differ_in_what_is_ignored_are_the_same() {
    let dir = Dir::of(b"a b\nc\n\n", b"a   b \nc");
    for format in ["terminal", "unified"] {
        let ran = dir.diff(&["-b", "-B", "--format", format, "old", "new"]);
        assert_eq!(
            (ran.code, ran.text(), &ran.err[..]),
            (0, "", ""),
            "{format}"
        );
        assert_eq!(dir.diff(&["--format", format, "old", "new"]).code, 1);
    }
    let json = dir.diff(&["-b", "-B", "--format", "json", "old", "new"]);
    assert_eq!(json.code, 0);
    let report = json.json();
    assert_eq!(
        report["ignore"],
        serde_json::json!(["space-change", "blank-lines"])
    );
    assert_eq!(report["changes"], serde_json::json!([]));
    assert_eq!(report["stats"]["deletions"], 0);
}

#[test]
fn what_is_around_a_change_is_the_new_text() {
    let dir = Dir::of(b"if x:\na\nb\n", b"if  x:\n  a\nc\n");
    let ran = dir.diff(&["-w", "--format", "unified", "old", "new"]);
    let (_, hunk) = ran.text().split_once("@@\n").unwrap();
    assert_eq!(hunk, " if  x:\n   a\n-b\n+c\n");
    let read = dir.diff(&["-w", "--format", "terminal", "old", "new"]);
    assert!(read.text().contains("if  x:"), "{}", read.text());
}

#[test]
fn a_block_that_was_spaced_otherwise_moved_unchanged() {
    let block = "def total(order):\n    return sum(order.items)\n";
    let rest = super::numbers(100_000..100_008);
    let spaced = block.replace("    ", "\t");
    let dir = Dir::of(
        [block, &rest].concat().as_bytes(),
        [&rest[..], &spaced].concat().as_bytes(),
    );
    let report = dir.diff(&["-w", "--format", "json", "old", "new"]).json();
    assert_eq!(report["moves"][0]["similarity"], 1.0);
    assert_eq!(report["moves"][0]["changes"], serde_json::json!([]));
    assert_eq!(
        report["moves"][0]["ignored"][0]["original"],
        serde_json::json!([2, 3])
    );
}

#[test]
fn workbooks_have_options_of_their_own() {
    let dir = Dir::new(&[("a.csv", b"x\n"), ("b.csv", b"y\n")]);
    for flag in ["-b", "-w", "-B"] {
        dir.diff(&[flag, "a.csv", "b.csv"]).is_trouble("--ignore-");
        assert_eq!(dir.diff(&[flag, "--as", "text", "a.csv", "b.csv"]).code, 1);
    }
}
