//! Laws: nothing wider than the screen, nothing missing, no unwanted code.

use super::{beside, narrow, print, report, shown, stripped};
use crate::support::patch;
use mvdiff_render::view::View;
use mvdiff_render::{Colours, Layout, Screen};
use mvdiff_text::effective::{Contents, EffectiveOptions, FileContents, Source, effective};
use mvdiff_text::{Change, LineReport, MoveKind};
use proptest::prelude::*;
use std::path::Path;
use unicode_width::UnicodeWidthStr as _;

/// Paragraphs in some order, some lines edited, blank lines between them: moves are
/// common.
fn text() -> impl Strategy<Value = String> {
    let paragraph = (0..6_usize, prop::option::of(0..4_usize), any::<bool>());
    let paragraph = paragraph.prop_map(|(which, edit, indented)| {
        let line = |at: usize| {
            let word = if edit == Some(at) { "edited" } else { "stays" };
            let indent = if indented { "    " } else { "" };
            format!("{indent}the {which} paragraph {word} in line {at}\n")
        };
        (0..4).map(line).collect::<String>()
    });
    let small = "[ab]\n".prop_map(String::from);
    let blank = Just("\n".to_owned());
    prop::collection::vec(prop_oneof![4 => paragraph, 1 => small, 1 => blank], 0..8)
        .prop_map(|p| p.concat())
}

/// Lines of everything that has no width, too much of it, or one that depends.
fn odd_text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        "[a-z ]{1,12}".prop_map(String::into_bytes),
        prop::sample::select(vec![
            "\t",
            "日本語",
            "e\u{301}",
            "👩\u{200d}👩\u{200d}👧",
            "❤\u{fe0f}",
            "🇩🇪",
            "\u{1b}[31m",
            "\u{202e}",
            "\r",
            "\u{7}",
            "لا",
            "\u{200b}",
            "ｱ",
            "한",
            "\u{300}",
            " ",
            "क्",
            "क्क्क्क्क्क्",
            "\u{1100}\u{1100}\u{1100}",
            "\u{600}\u{600}\u{600}\u{600}",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        Just(vec![0xff, 0xc3]),
    ];
    let line = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat());
    (prop::collection::vec(line, 0..12), any::<bool>()).prop_map(|(lines, ended)| {
        let mut text = lines.join(&b'\n');
        if ended {
            text.push(b'\n');
        }
        text
    })
}

/// A marked line of one column: side, number, text.
fn marked(line: &str) -> Option<(char, u32, &str)> {
    let (number, rest) = line.split_once(" │ ")?;
    let mark = rest.chars().next().filter(|mark| "+-".contains(*mark))?;
    // What is said of a line is none of its text.
    let text = rest[1..].split("  (not ").next()?;
    Some((mark, number.trim().parse().ok()?, text))
}

/// The lines of changes, as they are marked.
fn wanted<'t>(
    changes: impl Iterator<Item = &'t Change>,
    texts: [&'t str; 2],
) -> Vec<(char, u32, &'t str)> {
    let lines = texts.map(|text| text.lines().collect::<Vec<&str>>());
    let mut wanted = Vec::new();
    for change in changes {
        for (side, [start, end]) in [change.original, change.modified].into_iter().enumerate() {
            let text = |line: u32| match lines[side][line as usize - 1] {
                "" => "⏎",
                text => text,
            };
            wanted.extend((start..end).map(|line| (['-', '+'][side], line, text(line))));
        }
    }
    wanted.sort_unstable();
    wanted
}

fn all_changes(report: &LineReport) -> impl Iterator<Item = &Change> {
    let inside = report.moves.iter().flat_map(|block| &block.changes);
    report.changes.iter().chain(inside)
}

/// Holds the marked lines of a patch's screen against what the report leaves to read.
fn shows_what_is_left(
    patch: &[u8],
    contents: &Contents<'_>,
    options: &EffectiveOptions,
) -> Result<(), TestCaseError> {
    let sets = mvdiff_text::patch::parse(patch).expect("a patch");
    let report = effective(&sets[0], contents, options).expect("small");
    let left = mvdiff_text::patch::parse(&report.effective_diff.0).expect("a patch");
    let mut wanted: Vec<(char, u32)> = Vec::new();
    let files = left.iter().flat_map(|set| &set.files);
    for hunk in files.flat_map(mvdiff_text::patch::FilePatch::hunks) {
        use mvdiff_text::patch::LineKind;
        let first = |start: u32, count: u32| start + u32::from(count == 0);
        let mut old = first(hunk.old_start, hunk.old_count);
        let mut new = first(hunk.new_start, hunk.new_count);
        for line in &hunk.lines {
            match line.kind {
                LineKind::Context => (old, new) = (old + 1, new + 1),
                LineKind::Removed => {
                    wanted.push(('-', old));
                    old += 1;
                }
                LineKind::Added => {
                    wanted.push(('+', new));
                    new += 1;
                }
            }
        }
    }
    wanted.sort_unstable();
    let view = View::of_effective(&sets[0], contents, &report);
    let printed = print(&view, &Screen::default());
    let lines = printed.lines().filter_map(marked);
    let mut shown: Vec<(char, u32)> = lines.map(|(mark, number, _)| (mark, number)).collect();
    shown.sort_unstable();
    prop_assert_eq!(shown, wanted, "{}", printed);
    // Rows that are far from everything make no difference.
    for (context, layout) in [
        (0, Layout::Unified),
        (1, Layout::SideBySide),
        (3, Layout::Unified),
    ] {
        let screen = Screen {
            context,
            layout,
            ..Screen::default()
        };
        let near = View::of_effective_near(&sets[0], contents, &report, context);
        prop_assert_eq!(print(&near, &screen), print(&view, &screen));
    }
    for block in report.blocks() {
        // A block that stayed has one place.
        let (letter, least) = match block.kind {
            MoveKind::Indent => ('I', 1),
            _ => ('M', 2),
        };
        let ends = printed.matches(&format!("{letter}{} ", block.id)).count();
        prop_assert!(ends >= least, "{letter}{} in\n{}", block.id, printed);
    }
    Ok(())
}

proptest! {
    #[test]
    fn no_line_is_wider_than_the_screen(
        old in odd_text(),
        new in odd_text(),
        width in 36..160_u16,
        two in any::<bool>(),
    ) {
        let screen = if two { beside(width) } else { narrow(width) };
        let printed = shown(&old, &new, &screen);
        for line in printed.lines() {
            prop_assert!(line.width() <= usize::from(width), "{} > {}: {:?}", line.width(), width, line);
        }
        let hidden = printed.contains(['\u{1b}', '\t', '\r', '\u{7}', '\u{202e}', '\u{200b}']);
        prop_assert!(!hidden, "{:?}", printed);
    }

    #[test]
    fn screens_of_any_size_are_laid_out(
        old in odd_text(),
        new in odd_text(),
        width in 0..40_u16,
        tabs in 0..40_u8,
        two in any::<bool>(),
        tinted in any::<bool>(),
    ) {
        let colours = if tinted { Colours::Tinted { dark: true, rich: true } } else { Colours::Off };
        let screen = if two { beside(width) } else { narrow(width) };
        let printed = shown(&old, &new, &Screen { tabs, colours, ..screen });
        prop_assert_eq!(printed.contains("old → new"), old != new);
        if width >= 20 {
            for line in stripped(&printed).lines() {
                prop_assert!(line.width() <= usize::from(width), "{:?}", line);
            }
        }
    }

    #[test]
    fn one_column_shows_what_changed_and_nothing_else(
        old in text(),
        new in text(),
        context in 0..4_u32,
    ) {
        let screen = Screen { context, ..Screen::default() };
        let (report, printed) = report(old.as_bytes(), new.as_bytes(), &screen);
        // Indentation that changed is marked.
        let printed = printed.replace('·', " ");
        let mut shown: Vec<(char, u32, &str)> = printed.lines().filter_map(marked).collect();
        shown.sort_unstable();
        prop_assert_eq!(shown, wanted(all_changes(&report), [&old, &new]), "{}", printed);
    }

    #[test]
    fn two_columns_show_every_line_that_changed(old in text(), new in text()) {
        let (report, printed) = report(old.as_bytes(), new.as_bytes(), &beside(200));
        let printed = printed.replace('·', " ");
        for (mark, number, text) in wanted(all_changes(&report), [&old, &new]) {
            let line = format!("{number:>3} {mark}{text}");
            // Where one side is empty, one column is enough; it has both numbers.
            let alone = match mark {
                '-' => format!("{number:>3} {:3} │ {mark}{text}", ""),
                _ => format!("{number:>3} │ {mark}{text}"),
            };
            let shown = printed.contains(&line) || printed.contains(&alone);
            prop_assert!(shown, "{:?} in\n{}", line, printed);
        }
    }

    #[test]
    fn colour_is_all_that_colour_changes(old in text(), new in text(), two in any::<bool>(), dark in any::<bool>()) {
        let with = |colours| {
            let layout = if two { Layout::SideBySide } else { Layout::Unified };
            let screen = Screen { colours, layout, ..narrow(120) };
            shown(old.as_bytes(), new.as_bytes(), &screen)
        };
        let off = with(Colours::Off);
        // Without colours, lines of ~ are below what changed.
        let is_guide = |line: &&str| line.contains('~') && line.chars().all(|c| " ~│".contains(c));
        let plain: Vec<&str> = off.lines().filter(|line| !is_guide(line)).collect();
        for colours in [Colours::Plain, Colours::Tinted { dark, rich: true }] {
            let coloured = stripped(&with(colours));
            let lines: Vec<&str> = coloured.lines().map(str::trim_end).collect();
            let plain: Vec<&str> = plain.iter().map(|line| line.trim_end()).collect();
            prop_assert_eq!(lines, plain);
        }
    }

    #[test]
    fn a_patch_shows_what_is_left_to_read(
        old in text(),
        new in text(),
        context in 0..4_u32,
        known in any::<bool>(),
        show_whitespace in any::<bool>(),
    ) {
        prop_assume!(old != new);
        let contents = Contents {
            source: Source::Dirs,
            files: vec![FileContents { old: Some(old.as_bytes()), new: Some(new.as_bytes()) }],
            others: Vec::new(),
        };
        let contents = if known { contents } else { Contents::default() };
        let options = EffectiveOptions { show_whitespace, ..EffectiveOptions::default() };
        shows_what_is_left(&patch(&old, &new, context), &contents, &options)?;
    }
}

#[test]
fn the_patches_of_the_fixtures_show_what_is_left_to_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/text");
    let mut seen = 0;
    for case in std::fs::read_dir(root).unwrap() {
        let case = case.unwrap().path();
        let Ok(patch) = std::fs::read(case.join("git.diff")) else {
            continue;
        };
        let sets = mvdiff_text::patch::parse(&patch).unwrap();
        let read = |side: &str, name: Option<&[u8]>| {
            let name = std::str::from_utf8(name?).ok()?;
            std::fs::read(case.join(side).join(name)).ok()
        };
        let files: Vec<[Option<Vec<u8>>; 2]> = sets[0]
            .files
            .iter()
            .map(|f| {
                [
                    read("old", f.old_path.as_deref()),
                    read("new", f.new_path.as_deref()),
                ]
            })
            .collect();
        let contents = Contents {
            source: Source::Dirs,
            files: files
                .iter()
                .map(|[old, new]| FileContents {
                    old: old.as_deref(),
                    new: new.as_deref(),
                })
                .collect(),
            others: Vec::new(),
        };
        for contents in [contents, Contents::default()] {
            for show_whitespace in [true, false] {
                let options = EffectiveOptions {
                    show_whitespace,
                    ..EffectiveOptions::default()
                };
                let held = shows_what_is_left(&patch, &contents, &options);
                assert!(held.is_ok(), "{}: {}", case.display(), held.unwrap_err());
            }
        }
        seen += 1;
    }
    assert!(seen > 10, "the cases are there");
}

#[test]
fn clusters_without_end_are_broken_at_the_edge() {
    for cluster in ["क्", "\u{1100}", "\u{600}", "\u{1100}\u{1160}"] {
        let old = cluster.repeat(300);
        let new = format!("{old}z");
        for screen in [beside(120), beside(20), narrow(20), narrow(80)] {
            let printed = shown(old.as_bytes(), new.as_bytes(), &screen);
            let width = usize::from(screen.width.expect("it has one"));
            assert!(printed.contains('z'), "{printed}");
            assert!(printed.lines().all(|line| line.width() <= width));
        }
    }
}

#[test]
fn a_line_of_a_megabyte_is_no_trouble() {
    let words = "word ".repeat(200_000);
    let old = format!("before\n{words}end\n{words}stays\nafter\n");
    let new = old.replacen("end", "END", 1).replacen("after", "behind", 1);
    for screen in [beside(120), narrow(80)] {
        let printed = shown(old.as_bytes(), new.as_bytes(), &screen);
        assert!(printed.contains("END"));
    }
}
