//! Views on a terminal: one column or two, whatever was compared.

mod headings;
mod links;
mod non_text;
mod palette;
mod parts;
mod repaint;
mod side_by_side;
mod text;
mod unified;

use crate::syntax::{Highlighter, SyntaxColours};
use crate::view::{FileView, Line, MoveView, Other, Row, State, View};
pub use links::link_path;
use palette::Palette;
use parts::{Blocks, Section};
pub use repaint::repaint;
use std::cell::RefCell;
use std::io::{self, Write};
use text::{Shown, Spaces, Tone, Trim};
use unicode_width::UnicodeWidthChar as _;

/// What the two texts are called.
#[derive(Clone, Debug)]
pub struct Names {
    /// The old text.
    pub old: String,
    /// The new text.
    pub new: String,
}

/// How a view is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// One column or two.
    pub layout: Layout,
    /// Columns that a line may take; `None` if unknown. Lines are then not
    /// wrapped, and two columns take 80.
    pub width: Option<u16>,
    /// Columns from one tab stop to the next, at least 1. Default 4.
    pub tabs: u8,
    /// Unchanged lines around a change. Default 3, as `git diff`.
    pub context: u32,
    /// Unchanged lines around a change inside a moved block. Default 0.
    pub inner_context: u32,
    /// Which colours there are.
    pub colours: Colours,
    /// How code is coloured, on tints.
    pub syntax: Option<SyntaxColours>,
    /// Whether moved blocks are shown with all their lines.
    pub show_moved: bool,
    /// The address that file names and line numbers lead to, with `{path}` and `{line}`
    /// in it.
    pub links: Option<&'static str>,
    /// Whether the heading of a hunk in the patch comes before our own rules.
    pub git_headings: bool,
}

impl Default for Screen {
    fn default() -> Self {
        Self {
            layout: Layout::Unified,
            width: None,
            tabs: 4,
            context: 3,
            inner_context: 0,
            colours: Colours::Off,
            syntax: None,
            show_moved: false,
            links: None,
            git_headings: false,
        }
    }
}

/// One column or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Old lines above new ones.
    Unified,
    /// Old lines on the left, new ones on the right.
    SideBySide,
    /// Side by side the files whose lines fit, nearly all of them; else unified.
    Fitting,
}

/// Which colours there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// None, and no escape codes: changed words are marked in a line below.
    Off,
    /// The terminal's own sixteen, which follow its theme.
    Plain,
    /// Tinted backgrounds.
    Tinted {
        /// For a dark terminal, else for a light one.
        dark: bool,
        /// In 24 bits, else from the table of 256.
        rich: bool,
    },
}

/// Columns where the width is unknown.
const USUAL_WIDTH: u16 = 80;
/// Columns below which nothing can be laid out.
const LEAST_WIDTH: u16 = 20;

/// Prints a view: file by file every change with its lines, every move at both
/// its ends with what changed inside, and the sentence that sums it up.
///
/// # Errors
/// What the writer returns.
pub fn terminal(out: &mut dyn Write, view: &View<'_>, screen: &Screen) -> io::Result<()> {
    let page = Page::new(view, *screen);
    for (index, file) in view.files.iter().enumerate() {
        let sections = parts::sections(view, &page.blocks, index, screen);
        if sections.is_empty() && file.facts.is_empty() && file.non_text.is_nothing() {
            continue;
        }
        page.head(out, file)?;
        page.sections(out, file, &sections)?;
        non_text::print(out, &file.non_text, screen.colours)?;
        writeln!(out)?;
    }
    if view.summary.is_empty() {
        return Ok(());
    }
    let summary = Shown::of(&[(&view.summary, Tone::Plain)]);
    page.words(out, &summary, ("", ""))
}

/// What every line of the output needs to know.
struct Page<'v, 't> {
    blocks: Blocks<'v, 't>,
    palette: Palette,
    screen: Screen,
    /// Columns of a line number.
    digits: usize,
    /// What the words of lines are, if code is coloured.
    words: Option<RefCell<Highlighter>>,
}

impl<'v, 't> Page<'v, 't> {
    fn new(view: &'v View<'t>, mut screen: Screen) -> Self {
        screen.width = screen.width.map(|width| width.max(LEAST_WIDTH));
        let rows = view.files.iter().filter_map(|file| file.rows.last());
        let last = |row: &Row<'_>| match row {
            Row::Lines { old, new } => {
                let number = |line: &Option<Line<'_>>| line.as_ref().map_or(0, |l| l.number);
                number(old).max(number(new))
            }
            Row::Unknown { old, new } => old.end.max(new.end) - 1,
        };
        // The last row has the last line of one side; the other side's may be
        // longer by what left at the end, which the ends of moves know.
        let ends = view.moves.iter().map(|m| m.old.last.max(m.new.last));
        let widest = rows.map(last).chain(ends).max().unwrap_or(0);
        Self {
            blocks: Blocks::of(view),
            palette: Palette::new(screen.colours, screen.syntax),
            digits: widest.to_string().len().max(3),
            words: screen.syntax.map(|_| RefCell::new(Highlighter::new())),
            screen,
        }
    }

    fn width(&self) -> usize {
        usize::from(self.screen.width.unwrap_or(USUAL_WIDTH))
    }

    /// The name of a file and what happened to it.
    fn head(&self, out: &mut dyn Write, file: &FileView<'_>) -> io::Result<()> {
        let name = crate::styles::visible_name(&file.name());
        let mut head = vec![(&name[..], Tone::Name)];
        for fact in &file.facts {
            head.extend([("  ", Tone::Plain), (fact, Tone::Faint)]);
        }
        let link = self.link(file, 1);
        out.write_all(link.0.as_bytes())?;
        self.words(out, &Shown::of(&head), ("", "    "))?;
        out.write_all(link.1.as_bytes())
    }

    fn sections(
        &self,
        out: &mut dyn Write,
        file: &FileView<'_>,
        sections: &[Section<'_, '_>],
    ) -> io::Result<()> {
        let ends = LineEnds::of(file);
        self.read_code(file, sections);
        // A file that came or went would leave one half of the screen empty.
        let columns = side_by_side::Columns::new(self, file, ends);
        let is_beside = match self.screen.layout {
            Layout::Unified => false,
            Layout::SideBySide => has_both_sides(file),
            Layout::Fitting => has_both_sides(file) && columns.fit(sections),
        };
        if is_beside {
            columns.print(out, sections)
        } else {
            let column = unified::Column {
                page: self,
                file,
                ends,
            };
            column.print(out, sections)
        }
    }

    /// Text that may break between words, behind what the first line starts with
    /// and what the others do.
    fn words(
        &self,
        out: &mut dyn Write,
        text: &Shown,
        (first, rest): (&str, &str),
    ) -> io::Result<()> {
        let room = self.screen.width.map(|width| {
            let start = first.len().max(rest.len());
            usize::from(width).saturating_sub(start).max(1)
        });
        for (index, line) in text.wrap(room, true).into_iter().enumerate() {
            let start = if index == 0 { first } else { rest };
            let line = text.paint(line, None, &self.palette);
            writeln!(out, "{start}{line}")?;
        }
        Ok(())
    }

    /// A line as it is shown: what cannot be seen in it, and matters, is made
    /// visible.
    fn text(&self, line: Place<'_>, ends: LineEnds) -> Shown {
        let tabs = usize::from(self.screen.tabs.max(1));
        let trim = match (line.state, line.pair) {
            (State::Same, _) => Trim::Quiet,
            (state, Some(other))
                if state == State::Edited || looks(line.text, tabs) == looks(other, tabs) =>
            {
                Trim::Edited {
                    blanks: blanks_at_end(line.text) != blanks_at_end(other),
                    carriage: has_carriage(line.text) != has_carriage(other),
                    spaces: spaces(line, other, tabs),
                }
            }
            _ => Trim::Alone {
                carriage: ends == LineEnds::Mixed,
            },
        };
        let words = self.words.as_ref().map(RefCell::borrow);
        let words = words
            .as_ref()
            .map_or(&[][..], |words| words.words(line.text));
        let mut shown = Shown::line(line.text, line.spans, words, trim, tabs);
        if let Some(remark) = line.remark {
            shown.say(&format!("  ({remark})"), Tone::Faint);
        }
        shown
    }

    /// Finds out what the words of all lines are that will be shown of a file.
    fn read_code(&self, file: &FileView<'_>, sections: &[Section<'_, '_>]) {
        let Some(words) = &self.words else { return };
        let mut words = words.borrow_mut();
        words.forget();
        let name = file.new.as_ref().or(file.old.as_ref());
        let name = name.map_or("", |name| &name[..]);
        let first = match (file.lines.first(), file.rows.first()) {
            (Some(first), _) => first,
            (None, Some(Row::Lines { old, new })) => {
                let line = new.as_ref().or(old.as_ref());
                line.map_or(&[][..], |line| line.text)
            }
            (None, _) => &[],
        };
        for section in sections {
            let Some(mut reading) = words.read(name, first) else {
                return;
            };
            for (side, text) in section.lines() {
                match side {
                    Side::Old => words.old_line(&mut reading, text),
                    Side::New => words.line(&mut reading, text),
                }
            }
            for (old, new) in section.unchanged() {
                words.same(old, new);
            }
        }
    }

    /// The line about a block in its place: its mark with an arrow, then the
    /// rest.
    fn label(block: &MoveView, arrow: &str) -> String {
        format!("{} {arrow}", block.label)
    }
}

/// Which side a line is on; one of both sides counts as new.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Old,
    New,
}

/// A line to be shown, and its other version if it has one.
#[derive(Clone, Copy)]
struct Place<'p> {
    number: u32,
    text: &'p [u8],
    spans: &'p [(usize, usize)],
    state: State,
    pair: Option<&'p [u8]>,
    /// What its text does not show.
    remark: Option<&'static str>,
    /// Its number on the other side, for one that is as it was.
    was: Option<u32>,
}

impl<'p> Place<'p> {
    fn of(line: &'p Line<'_>, pair: Option<&'p [u8]>) -> Self {
        Self {
            number: line.number,
            text: line.text,
            spans: &line.spans,
            state: line.state,
            pair,
            remark: None,
            was: line.other.as_ref().map(|other| other.number),
        }
    }

    /// The old end of an edited line of a move.
    fn other(other: &'p Other<'_>, pair: &'p [u8]) -> Self {
        Self {
            number: other.number,
            text: other.text,
            spans: &other.spans,
            state: State::Edited,
            pair: Some(pair),
            remark: None,
            was: None,
        }
    }
}

/// How the lines of a file end: only where they do not agree is it worth a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEnds {
    Alike,
    Mixed,
}

impl LineEnds {
    fn of(file: &FileView<'_>) -> Self {
        let lines = file.rows.iter().flat_map(|row| match row {
            Row::Lines { old, new } => [old.as_ref(), new.as_ref()],
            Row::Unknown { .. } => [None, None],
        });
        let lines = lines.flatten().map(|line| line.text);
        let lines = lines.chain(file.lines.iter().copied());
        let mut whole = lines.filter(|text| text.ends_with(b"\n"));
        let first = whole.next().map(has_carriage);
        if whole.all(|text| Some(has_carriage(text)) == first) {
            Self::Alike
        } else {
            Self::Mixed
        }
    }
}

/// Whether there is something to put on the left and on the right.
fn has_both_sides(file: &FileView<'_>) -> bool {
    let is_there = |side: usize| {
        file.rows.iter().any(|row| match row {
            Row::Lines { old, new } => [old, new][side].is_some(),
            Row::Unknown { old, new } => ![old, new][side].is_empty(),
        })
    };
    is_there(0) && is_there(1)
}

fn has_carriage(line: &[u8]) -> bool {
    line.strip_suffix(b"\n").unwrap_or(line).ends_with(b"\r")
}

/// The white space at a line's end, line end aside.
fn blanks_at_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let text = line.trim_ascii_end().len();
    &line[text..]
}

/// Where white space of an edited line has to be visible to distinguish the line from
/// its other version: tabs look like blanks.
fn spaces(line: Place<'_>, other: &[u8], tabs: usize) -> Spaces {
    let start = |text: &'_ [u8]| text.len() - text.trim_ascii_start().len();
    let starts = (&line.text[..start(line.text)], &other[..start(other)]);
    let has_tab = starts.0.contains(&b'\t') || starts.1.contains(&b'\t');
    let ends_alike = blanks_at_end(line.text) == blanks_at_end(other)
        && has_carriage(line.text) == has_carriage(other)
        && line.text.ends_with(b"\n") == other.ends_with(b"\n");
    let alike = || line.text != other && looks(line.text, tabs) == looks(other, tabs);
    if line.spans.is_empty() && ends_alike && alike() {
        Spaces::Everywhere
    } else if starts.0 != starts.1 && has_tab {
        Spaces::AtTheStart
    } else {
        Spaces::Nowhere
    }
}

/// A line as it looks where white space is not marked.
fn looks(line: &[u8], tabs: usize) -> String {
    let mut looks = String::new();
    let mut column = 0;
    for chunk in line.utf8_chunks() {
        for c in chunk.valid().chars() {
            let width = match c {
                '\t' => tabs - column % tabs,
                c => c.width().unwrap_or(0),
            };
            if c.is_whitespace() {
                looks.extend(std::iter::repeat_n(' ', width));
            } else {
                looks.push(c);
            }
            column += width;
        }
        for byte in chunk.invalid() {
            let spelt = crate::styles::spelt(*byte);
            column += spelt.len();
            looks.push_str(&spelt);
        }
    }
    looks
}
