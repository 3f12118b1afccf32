//! Two columns: old lines on the left, new ones on the right.

use super::palette::LineStyle;
use super::parts::{Gap, Inner, Part, Section};
use super::text::{Shown, Tone};
use super::{LineEnds, Page, Place};
use crate::styles::{decode, visible_name};
use crate::view::{End, FileView, MoveView, Row};
use std::fmt::Write as _;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr as _;

pub(super) struct Columns<'c, 'v, 't> {
    page: &'c Page<'v, 't>,
    file: &'c FileView<'t>,
    ends: LineEnds,
    /// Columns for the text of each side.
    room: usize,
}

/// What is in one of the two columns.
struct Cell<'c> {
    number: Option<u32>,
    ink: Option<&'c LineStyle>,
    text: Shown,
    /// Whether it is a line of a file, which breaks anywhere.
    is_line: bool,
}

impl<'c, 'v, 't> Columns<'c, 'v, 't> {
    pub(super) fn new(page: &'c Page<'v, 't>, file: &'c FileView<'t>, ends: LineEnds) -> Self {
        let half = page.width().saturating_sub(" │ ".chars().count()) / 2;
        let gutter = page.digits + " +".len();
        Self {
            page,
            file,
            ends,
            room: half.saturating_sub(gutter).max(2),
        }
    }

    pub(super) fn print(
        &self,
        out: &mut dyn Write,
        sections: &[Section<'_, '_>],
    ) -> io::Result<()> {
        for (at, section) in sections.iter().enumerate() {
            let heading = match section.part {
                Part::Rows(first, rows) if section.gap == Gap::Lines => {
                    self.page.heading(self.file, first, rows)
                }
                _ => None,
            };
            if at > 0 || heading.is_some() {
                self.gap(out, section.gap, heading)?;
            }
            match &section.part {
                Part::Rows(_, rows) => self.rows(out, rows)?,
                Part::Went(block, name) => {
                    let lines = match (name, block.old.last - block.old.first) {
                        (Some(name), _) => name.clone(),
                        (None, 0) => "(1 line)".to_owned(),
                        (None, more) => format!("({} lines)", more + 1),
                    };
                    let places = format!(" {}", place(block, &block.new));
                    let head = [
                        (&Page::label(block, "→")[..], Tone::Moved),
                        (&places, Tone::Plain),
                        (&format!("   {lines}"), Tone::Faint),
                    ];
                    self.pair(out, Some(words(&head)), None)?;
                }
                Part::Came(block, inner) => self.came(out, block, inner)?,
            }
        }
        Ok(())
    }

    /// Whether nearly all lines fit into their columns.
    pub(super) fn fit(&self, sections: &[Section<'_, '_>]) -> bool {
        /// Of so many rows, so many may be wrapped.
        const ROWS: usize = 100;
        const WRAPPED: usize = 8;
        let tabs = usize::from(self.page.screen.tabs.max(1));
        let lines = sections.iter().flat_map(Section::lines);
        let (mut all, mut wrapped) = (0, 0);
        for (_, text) in lines {
            all += 1;
            let columns: usize = if text.is_ascii() {
                let wide = |byte: &u8| if *byte == b'\t' { tabs } else { 1 };
                text.iter().map(wide).sum()
            } else {
                decode(text).width()
            };
            wrapped += usize::from(columns > self.room + 1);
        }
        wrapped * ROWS <= all * WRAPPED
    }

    fn rows(&self, out: &mut dyn Write, rows: &[Row<'_>]) -> io::Result<()> {
        let palette = &self.page.palette;
        for row in rows {
            let Row::Lines { old, new } = row else {
                continue;
            };
            let quiet = row.is_quiet();
            let (old, new) = (old.as_ref(), new.as_ref());
            let left = old.map(|line| {
                let place = Place::of(line, new.map(|new| new.text));
                self.line(place, (!quiet).then_some(&palette.old))
            });
            let right = new.map(|line| {
                let place = Place::of(line, old.map(|old| old.text));
                self.line(place, (!quiet).then_some(&palette.new))
            });
            self.pair(out, left, right)?;
        }
        Ok(())
    }

    /// A block in its new place, with its old text next to what changed.
    fn came(&self, out: &mut dyn Write, block: &MoveView, inner: &[Inner<'_>]) -> io::Result<()> {
        let palette = &self.page.palette;
        let places = format!(" {}", place(block, &block.old));
        let what = format!("   {}", block.what);
        let mut head = vec![(Page::label(block, "←"), Tone::Moved)];
        if block.is_copy {
            head.push((" copied from".to_owned(), Tone::Plain));
        }
        if block.is_indent {
            head.push((format!(" {}, was", block.shifted()), Tone::Plain));
        }
        head.extend([(places, Tone::Plain), (what, Tone::Faint)]);
        let head: Vec<(&str, Tone)> = head.iter().map(|(text, tone)| (&text[..], *tone)).collect();
        self.pair(out, None, Some(words(&head)))?;
        let changed = inner.iter().any(|inner| matches!(inner, Inner::Changed(_)));
        for inner in inner {
            match inner {
                // The head of a block without changes has said it.
                Inner::Folded(..) if !changed => {}
                Inner::Folded(line, 1) if line.text.trim_ascii().is_empty() => {}
                // A fold of a single line would take as much room as the line.
                Inner::Same(line) | Inner::Folded(line, 1) => {
                    self.pair(out, None, Some(self.line(*line, None)))?;
                }
                Inner::Folded(_, count) => {
                    let fold = format!("… {count} lines unchanged");
                    self.pair(out, None, Some(words(&[(&fold, Tone::Faint)])))?;
                }
                Inner::Changed(steps) => {
                    for step in steps {
                        // The original of a copy is still where it was.
                        let ink = (!block.is_copy).then_some(&palette.old);
                        let left = step.old.map(|line| self.line(line, ink));
                        let right = step.new.map(|line| self.line(line, Some(&palette.new)));
                        self.pair(out, left, right)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn line(&self, line: Place<'_>, ink: Option<&'c LineStyle>) -> Cell<'c> {
        Cell {
            number: Some(line.number),
            ink,
            text: self.page.text(line, self.ends),
            is_line: true,
        }
    }

    /// A row that sets apart what follows, with a mark where lines are not shown.
    fn gap(&self, out: &mut dyn Write, gap: Gap, heading: Option<String>) -> io::Result<()> {
        let mark = match gap {
            Gap::None => return Ok(()),
            Gap::End => "",
            Gap::Lines => "⋮",
        };
        let faint = self.page.palette.style(Tone::Faint, None);
        let (digits, half) = (self.page.digits, self.room + 3);
        if let Some(heading) = heading {
            write!(out, "{faint}{mark:>digits$}{faint:#}  ")?;
            let shown = Shown::of(&[(&heading, Tone::Place)]);
            let room = self.page.width().saturating_sub(digits + 2).max(2);
            let cells = shown.wrap(Some(room), false).swap_remove(0);
            return writeln!(out, "{}", shown.paint(cells, None, &self.page.palette));
        }
        let right = format!("{mark:>digits$}");
        let row = format!("{mark:>digits$}{:half$}│ {right}", "");
        writeln!(out, "{faint}{}{faint:#}", row.trim_end())
    }

    /// Two cells side by side, as many lines as the longer one takes.
    fn pair(
        &self,
        out: &mut dyn Write,
        left: Option<Cell<'_>>,
        right: Option<Cell<'_>>,
    ) -> io::Result<()> {
        let faint = self.page.palette.style(Tone::Faint, None);
        let (left, right) = (self.lines(left), self.lines(right));
        for at in 0..left.len().max(right.len()) {
            let (text, width) = left.get(at).map_or(("", 0), |line| (&line.0, line.1));
            let blank = (self.page.digits + 2 + self.room).saturating_sub(width);
            write!(out, "{text}{:blank$} {faint}│{faint:#}", "")?;
            match right.get(at) {
                Some((text, width)) if *width > 0 => writeln!(out, " {text}")?,
                _ => writeln!(out)?,
            }
        }
        Ok(())
    }

    /// The lines of a cell, painted, and how wide they are.
    fn lines(&self, cell: Option<Cell<'_>>) -> Vec<(String, usize)> {
        let Some(cell) = cell else {
            return Vec::new();
        };
        let Page {
            palette, digits, ..
        } = self.page;
        let digits = *digits;
        let faint = palette.style(Tone::Faint, None);
        let mut number = cell.number.map(|number| number.to_string());
        let mut mark = cell.ink.map_or(" ", |ink| ink.mark);
        let mut lines = Vec::new();
        for cells in cell.text.wrap(Some(self.room), !cell.is_line) {
            let shown = number.take().unwrap_or_default();
            let style = palette.style(Tone::Plain, cell.ink);
            let mut line = format!("{faint}{shown:>digits$}{faint:#}");
            if cell.ink.is_none() && cells.is_empty() {
                lines.push((line, digits));
                continue;
            }
            let _ = write!(line, " {style}{mark}{style:#}");
            line.push_str(&cell.text.paint(cells.clone(), cell.ink, palette));
            let mut width = cell.text.width(cells.clone());
            if cell.ink.is_some_and(LineStyle::is_tinted) {
                let blank = self.room.saturating_sub(width);
                let _ = write!(line, "{style}{:blank$}{style:#}", "");
                width += blank;
            }
            lines.push((line, digits + 2 + width));
            if let Some(guide) = cell.text.guide(cells).filter(|_| palette.guides) {
                let width = digits + 2 + guide.len();
                lines.push((format!("{:digits$}  {guide}", ""), width));
            }
            number = cell.is_line.then(|| "↳".to_owned());
            mark = " ";
        }
        lines
    }
}

/// The other end of a block, as its own end needs to name it.
fn place(block: &MoveView, end: &End) -> String {
    let within = block.old.file == block.new.file;
    visible_name(&if within { end.numbers() } else { end.place() })
}

fn words<'c>(text: &[(&str, Tone)]) -> Cell<'c> {
    Cell {
        number: None,
        ink: None,
        text: Shown::of(text),
        is_line: false,
    }
}
