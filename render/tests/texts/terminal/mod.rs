//! The terminal: exact screens, and laws about all of them.

mod laws;
mod screens;

use mvdiff_render::view::View;
use mvdiff_render::{Layout, Names, Screen, terminal};
use mvdiff_text::{LineReport, Lines};

/// Two texts on a screen.
fn shown(old: &[u8], new: &[u8], screen: &Screen) -> String {
    report(old, new, screen).1
}

/// What became of two texts, and the screen.
fn report(old: &[u8], new: &[u8], screen: &Screen) -> (LineReport, String) {
    let names = Names {
        old: "old".into(),
        new: "new".into(),
    };
    let report = mvdiff_text::diff_lines(old, new, &mvdiff_text::options()).expect("small texts");
    let lines = (
        Lines::new(old).expect("small"),
        Lines::new(new).expect("small"),
    );
    let view = View::of_lines(&names, (&lines.0, &lines.1), &report);
    let printed = print(&view, screen);
    (report, printed)
}

fn print(view: &View<'_>, screen: &Screen) -> String {
    let mut out = Vec::new();
    terminal(&mut out, view, screen).expect("memory takes every byte");
    String::from_utf8(out).expect("what is printed is UTF-8")
}

fn beside(width: u16) -> Screen {
    Screen {
        layout: Layout::SideBySide,
        width: Some(width),
        ..Screen::default()
    }
}

fn narrow(width: u16) -> Screen {
    Screen {
        width: Some(width),
        ..Screen::default()
    }
}

/// Text without its escape codes.
fn stripped(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.split_once('m').map_or("", |(_, rest)| rest)
    })
}
