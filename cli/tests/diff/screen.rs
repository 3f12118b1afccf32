//! Width, layout, themes, and a real terminal.

use super::Dir;
use crate::support::FOREIGN;
use std::path::Path;
use std::process::Command;

const OLD: &[u8] = b"def total(order):\n    return sum(order.items)\n";
const NEW: &[u8] = b"def total(order):\n    return sum(order.lines)\n";

/// Two columns have the old and the new line side by side.
const BESIDE: &str = "│   2 +    return sum(order.lines)";
const ABOVE: &str = "\n      2 │ +    return sum(order.lines)\n";

fn read(dir: &Dir, args: &[&str], variables: &[(&str, &str)]) -> String {
    let args = [&["--format", "terminal"], args, &["old", "new"]].concat();
    let ran = dir.diff_with(&args, b"", variables);
    assert_eq!((ran.code, &ran.err[..]), (1, ""));
    ran.text().to_owned()
}

#[test]
fn two_columns_from_120_on() {
    let dir = Dir::of(OLD, NEW);
    for (columns, wanted) in [("119", ABOVE), ("120", BESIDE), ("80", ABOVE)] {
        let printed = read(&dir, &[], &[("COLUMNS", columns)]);
        assert!(printed.contains(wanted), "{columns}: {printed}");
        let printed = read(&dir, &["--width", columns], &[("COLUMNS", "100")]);
        assert!(printed.contains(wanted), "{columns}: {printed}");
    }
    assert!(
        read(&dir, &[], &[]).contains(ABOVE),
        "nobody knows how wide"
    );
    assert!(read(&dir, &["-y"], &[]).contains(BESIDE), "80 then");
}

#[test]
fn what_is_said_wins_over_the_environment_and_the_width() {
    let dir = Dir::of(OLD, NEW);
    let wide = ("COLUMNS", "200");
    let two = ("MVDIFF_LAYOUT", "side-by-side");
    let one = ("MVDIFF_LAYOUT", "unified");
    for (args, variables, wanted) in [
        (&["--layout", "unified"][..], &[wide][..], ABOVE),
        (&[], &[wide, one], ABOVE),
        (&["-y"], &[wide, one], BESIDE),
        (&["--layout=auto"], &[wide, one], BESIDE),
        (&["--layout=unified"], &[wide, two], ABOVE),
        (&[], &[two], BESIDE),
        (&["--layout=unified", "--side-by-side"], &[], BESIDE),
    ] {
        let printed = read(&dir, args, variables);
        assert!(
            printed.contains(wanted),
            "{args:?} {variables:?}: {printed}"
        );
    }
}

#[test]
fn nothing_is_wider_than_the_width_and_a_file_has_none() {
    let long = "words and words ".repeat(20);
    let dir = Dir::of(b"x\n", format!("{long}\n").as_bytes());
    for args in [&["-W", "60"][..], &["-y", "-W", "60"]] {
        let printed = read(&dir, args, &[]);
        let widest = printed.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(60), "{printed}");
        assert!(printed.contains("   ↳ "), "{printed}");
    }
    let args = ["--format", "terminal", "-o", "out", "old", "new"];
    dir.diff_with(&args, b"", &[("COLUMNS", "60")]);
    let written = std::fs::read_to_string(dir.path("out")).unwrap();
    assert!(written.contains(long.trim_end()), "{written}");
}

#[test]
fn tabs_are_as_wide_as_one_says() {
    let dir = Dir::of(b"\tone\n", b"\ttwo\n");
    assert!(read(&dir, &[], &[]).contains("+    two\n"));
    assert!(read(&dir, &["--tabs", "8"], &[]).contains("+        two\n"));
    assert!(read(&dir, &[], &[("MVDIFF_TABS", "2")]).contains("+  two\n"));
}

#[test]
fn themes_tint_lines_where_the_background_is_known() {
    let dir = Dir::of(OLD, NEW);
    let coloured = |args: &[&str], variables: &[(&str, &str)]| {
        let args = [&["--color", "always"], args].concat();
        read(&dir, &args, variables)
    };
    let (table, rich, plain) = ("\u{1b}[48;5;", "\u{1b}[48;2;", "\u{1b}[32m+");
    let true_colour = ("COLORTERM", "truecolor");
    assert!(coloured(&[], &[]).contains(plain));
    assert!(coloured(&["--theme", "dark"], &[]).contains(table));
    assert!(coloured(&["--theme", "light"], &[true_colour]).contains(rich));
    assert!(coloured(&[], &[("MVDIFF_THEME", "light")]).contains(table));
    let background = |said| coloured(&[], &[("COLORFGBG", said), true_colour]);
    assert!(background("15;0").contains("\u{1b}[48;2;18;50;30m"), "dark");
    assert!(
        background("0;default;15").contains("\u{1b}[48;2;228;246;231m"),
        "light"
    );
    assert!(background("nonsense").contains(plain));
    let said = coloured(&["--theme", "plain"], &[("COLORFGBG", "15;0"), true_colour]);
    assert!(said.contains(plain));
    let none = read(&dir, &["--theme", "dark"], &[]);
    assert!(!none.contains('\u{1b}'), "no colours into a pipe");
}

#[test]
fn options_out_of_range_are_trouble() {
    let dir = Dir::of(OLD, NEW);
    for (option, value) in [("--width", "19"), ("--tabs", "0"), ("--theme", "blue")] {
        dir.diff(&[option, value, "old", "new"]).is_trouble(option);
    }
    let ran = dir.diff_with(&["old", "new"], b"", &[("MVDIFF_LAYOUT", "three")]);
    ran.is_trouble("--layout");
}

#[test]
fn a_variable_that_is_empty_is_not_set() {
    let dir = Dir::of(OLD, NEW);
    let names = [
        "MVDIFF_LAYOUT",
        "MVDIFF_WIDTH",
        "MVDIFF_TABS",
        "MVDIFF_THEME",
    ];
    assert_eq!(
        read(&dir, &[], &names.map(|name| (name, ""))),
        read(&dir, &[], &[])
    );
    dir.diff(&["--width", "", "old", "new"])
        .is_trouble("--width");
}

#[test]
fn two_files_without_a_command_are_compared() {
    let dir = Dir::of(OLD, NEW);
    let ran = dir.mvdiff(&["old", "new"], b"", &[]);
    assert_eq!(
        (ran.code, ran.text()),
        (1, dir.diff(&["old", "new"]).text())
    );
    dir.mvdiff(&["old", "nowhere"], b"", &[])
        .is_trouble("subcommand");
}

/// What the program prints on a terminal of its own, or nothing where no program
/// makes one.
#[cfg(target_os = "linux")]
fn on_a_terminal(dir: &Dir, setup: &str, args: &str) -> Option<String> {
    let mvdiff = assert_cmd::cargo::cargo_bin!("mvdiff");
    let line = format!("{setup} '{}' diff {args} old new", mvdiff.display());
    let mut script = Command::new("script");
    for name in FOREIGN {
        script.env_remove(name);
    }
    let script = script
        .current_dir(dir.path(""))
        .args(["-qec", &line, "/dev/null"])
        .env("TERM", "xterm-256color")
        // Nothing says what the background is like.
        .env("MVDIFF_THEME", "plain")
        .env("SHELL", "/bin/sh");
    let output = script.output().ok()?;
    Some(
        String::from_utf8(output.stdout)
            .unwrap()
            .replace("\r\n", "\n"),
    )
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_there_are_colours_columns_and_a_pager() {
    let dir = Dir::of(OLD, NEW);
    let shown = |setup: &str, args: &str| on_a_terminal(&dir, setup, args);
    let Some(printed) = shown("stty rows 40 cols 100; MVDIFF_PAGER=cat", "") else {
        return; // no program `script` here
    };
    assert!(printed.starts_with("\u{1b}[1mold → new"), "{printed:?}");
    assert!(printed.contains("\u{1b}[32m+"), "{printed:?}");
    let wide = shown("stty rows 40 cols 130; MVDIFF_PAGER=cat", "--color never").unwrap();
    assert!(wide.contains(BESIDE), "{wide}");
    let paged = shown("stty rows 40 cols 130; MVDIFF_PAGER='sed s/^/paged:/'", "").unwrap();
    assert!(paged.starts_with("paged:\u{1b}[1mold"), "{paged:?}");
    let own = shown("PAGER='sed s/^/paged:/' MVDIFF_PAGER=", "").unwrap();
    assert!(!own.contains("paged"), "an empty name is no pager: {own:?}");
    let unpaged = shown("MVDIFF_PAGER='sed s/^/paged:/'", "--no-pager").unwrap();
    assert!(!unpaged.contains("paged"), "{unpaged:?}");
    let plain = shown("NO_COLOR=1 MVDIFF_PAGER=cat", "").unwrap();
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
    // Whatever other options less gets, it passes colours on.
    let speaks = "MVDIFF_PAGER='echo \"$LESS\"; cat'";
    let told = shown(&format!("LESS=FX {speaks}"), "").unwrap();
    assert!(told.contains("-R FX"), "{told:?}");
    let tinted = shown("MVDIFF_THEME= COLORFGBG='15;0' MVDIFF_PAGER=cat", "").unwrap();
    assert!(tinted.contains("\u{1b}[48;5;22m+"), "{tinted:?}");
}

/// Nothing but what is printed changes the picture of the README.
#[cfg(target_os = "linux")]
#[test]
fn the_picture_of_the_readme_is_what_is_printed() {
    let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
    let dir = Dir::new(&[]);
    let made = dir.path("terminal.svg");
    let mut script = Command::new("sh");
    let ran = script
        .arg(pictures.join("terminal.sh"))
        .arg(&made)
        .env("MVDIFF", assert_cmd::cargo::cargo_bin!("mvdiff"))
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let kept = std::fs::read_to_string(pictures.join("terminal.svg")).unwrap();
    let made = std::fs::read_to_string(made).unwrap();
    assert!(made == kept, "run docs/pictures/terminal.sh and look at it");
}
