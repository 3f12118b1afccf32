//! One column: old lines above new ones.

use super::palette::LineStyle;
use super::parts::{Gap, Inner, Part, Section};
use super::text::{Shown, Tone};
use super::{LineEnds, Page, Place, Side};
use crate::styles::visible_name;
use crate::view::{FileView, MoveView, Row};
use std::io::{self, Write};

pub(super) struct Column<'c, 'v, 't> {
    pub page: &'c Page<'v, 't>,
    pub file: &'c FileView<'t>,
    pub ends: LineEnds,
}

impl Column<'_, '_, '_> {
    pub(super) fn print(
        &self,
        out: &mut dyn Write,
        sections: &[Section<'_, '_>],
    ) -> io::Result<()> {
        let mut is_first = true;
        let mut short = false;
        for section in sections {
            // Blocks that left are a list, and need no air between them.
            let went = matches!(section.part, Part::Went(..));
            match (&section.part, section.gap) {
                (_, Gap::None) => {}
                (Part::Rows(first, rows), Gap::Lines) => {
                    let heading = self.page.heading(self.file, *first, rows);
                    if !is_first || heading.is_some() {
                        self.gap(out, heading.as_deref().unwrap_or(""))?;
                    }
                }
                _ if (short && went) || is_first => {}
                _ => writeln!(out)?,
            }
            is_first = false;
            short = went;
            match &section.part {
                Part::Rows(_, rows) => self.rows(out, rows)?,
                Part::Went(block, name) => self.head(out, block, "→", name.as_deref())?,
                Part::Came(block, inner) => self.came(out, block, inner)?,
            }
        }
        Ok(())
    }

    fn rows<'r, 't>(&self, out: &mut dyn Write, rows: &'r [Row<'t>]) -> io::Result<()> {
        for run in rows.chunk_by(|a, b| a.is_quiet() == b.is_quiet()) {
            let sides = |row: &'r Row<'t>| match row {
                Row::Lines { old, new } => [old.as_ref(), new.as_ref()],
                Row::Unknown { .. } => [None, None],
            };
            let quiet = run[0].is_quiet();
            for row in run {
                let [old, new] = sides(row);
                let Some(line) = old.filter(|_| !quiet).or(new.filter(|_| quiet)) else {
                    continue;
                };
                let was = old.filter(|_| quiet).map(|old| old.number);
                let place = Place {
                    was,
                    ..Place::of(line, new.map(|new| new.text))
                };
                self.line(out, place, (!quiet).then_some(Side::Old))?;
            }
            for row in run.iter().filter(|_| !quiet) {
                let [old, new] = sides(row);
                if let Some(new) = new {
                    let place = Place::of(new, old.map(|old| old.text));
                    self.line(out, place, Some(Side::New))?;
                }
            }
        }
        Ok(())
    }

    fn came(&self, out: &mut dyn Write, block: &MoveView, inner: &[Inner<'_>]) -> io::Result<()> {
        self.head(out, block, "←", Some(&block.what))?;
        let last = inner.len().saturating_sub(1);
        let mut changed = false;
        for (at, inner) in inner.iter().enumerate() {
            match inner {
                Inner::Same(line) => self.line(out, *line, None)?,
                // Between changes, which would run together; otherwise the numbers show it.
                Inner::Folded(..) if changed && at < last => self.gap(out, "")?,
                Inner::Folded(..) => {}
                Inner::Changed(steps) => {
                    changed = true;
                    // The original of a copy is still where it was.
                    let old = steps.iter().filter_map(|step| step.old);
                    for line in old.filter(|_| !block.is_copy) {
                        self.line(out, line, Some(Side::Old))?;
                    }
                    for line in steps.iter().filter_map(|step| step.new) {
                        self.line(out, line, Some(Side::New))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Lines that are not shown, and what is around those that follow.
    fn gap(&self, out: &mut dyn Write, heading: &str) -> io::Result<()> {
        let faint = self.page.palette.style(Tone::Faint, None);
        let gutter = 2 * self.page.digits + 1;
        write!(out, "{faint}{:>gutter$} │{faint:#}", "⋮")?;
        if heading.is_empty() {
            return writeln!(out);
        }
        let shown = Shown::of(&[(heading, Tone::Place)]);
        // One line of it is enough to know where one is.
        let room = self.room().unwrap_or(usize::MAX);
        let cells = shown.wrap(Some(room), false).swap_remove(0);
        writeln!(out, "  {}", shown.paint(cells, None, &self.page.palette))
    }

    /// One end of a block in words; the arrow says which.
    fn head(
        &self,
        out: &mut dyn Write,
        block: &MoveView,
        arrow: &str,
        what: Option<&str>,
    ) -> io::Result<()> {
        let verb = match (block.is_copy, block.is_indent) {
            (true, _) => "copied",
            (_, true) => block.shifted(),
            _ => "moved",
        };
        let label = format!("{}  {verb}", Page::label(block, arrow));
        let places = format!("  {}", visible_name(&block.places()));
        let what = what.map(|what| format!("   {what}")).unwrap_or_default();
        let head = [
            (&label[..], Tone::Moved),
            (&places, Tone::Plain),
            (&what, Tone::Faint),
        ];
        self.page.words(out, &Shown::of(&head), ("  ", "      "))
    }

    /// Columns for the text of a line.
    fn room(&self) -> Option<usize> {
        self.page.screen.width.map(|width| {
            let gutter = 2 * self.page.digits + 1 + " │ +".chars().count();
            usize::from(width).saturating_sub(gutter).max(2)
        })
    }

    /// A line behind its numbers, old and new, and its mark; wrapped.
    fn line(&self, out: &mut dyn Write, line: Place<'_>, side: Option<Side>) -> io::Result<()> {
        let Page {
            palette, digits, ..
        } = self.page;
        let digits = *digits;
        let ink: Option<&LineStyle> = side.map(|side| match side {
            Side::Old => &palette.old,
            Side::New => &palette.new,
        });
        let shown = self.page.text(line, self.ends);
        let number = Some(line.number);
        let numbers = match side {
            None => [line.was, number],
            Some(Side::Old) => [number, None],
            Some(Side::New) => [None, number],
        };
        let mut numbers = numbers.map(|number| number.map_or(String::new(), |n| n.to_string()));
        let wrapped = numbers.clone().map(|number| match &number[..] {
            "" => String::new(),
            _ => "↳".to_owned(),
        });
        let mut mark = ink.map_or(" ", |ink| ink.mark);
        let faint = palette.style(Tone::Faint, None);
        for cells in shown.wrap(self.room(), false) {
            let [old, new] = &numbers;
            let (opening, closing) = match numbers[1].parse() {
                Ok(at) => self.page.link(self.file, at),
                Err(_) => (String::new(), ""),
            };
            let new = format!(
                "{:>width$}{opening}{new}{closing}",
                "",
                width = digits.saturating_sub(new.chars().count())
            );
            write!(out, "{faint}{old:>digits$} {new} │{faint:#}")?;
            if ink.is_some() || shown.width(cells.clone()) > 0 {
                let style = palette.style(Tone::Plain, ink);
                let text = shown.paint(cells.clone(), ink, palette);
                write!(out, " {style}{mark}{style:#}{text}")?;
                if ink.is_some_and(LineStyle::is_tinted) {
                    write!(out, "{style}{TO_THE_EDGE}{style:#}")?;
                }
            }
            writeln!(out)?;
            if let Some(guide) = shown.guide(cells).filter(|_| palette.guides) {
                writeln!(out, "{:gutter$} │  {guide}", "", gutter = 2 * digits + 1)?;
            }
            numbers.clone_from(&wrapped);
            mark = " ";
        }
        Ok(())
    }
}

/// Paints the rest of a line in its background, without any characters.
const TO_THE_EDGE: &str = "\u{1b}[K";
