//! One column: old lines above new ones.

use super::palette::Ink;
use super::parts::{Gap, Inner, Part, Section};
use super::text::{Shown, Tone};
use super::{LineEnds, Page, Place};
use crate::paint::visible_name;
use crate::view::{MoveView, Row};
use std::io::{self, Write};

pub(super) struct Column<'c, 'v, 't> {
    pub page: &'c Page<'v, 't>,
    pub ends: LineEnds,
}

impl Column<'_, '_, '_> {
    pub(super) fn print(
        &self,
        out: &mut dyn Write,
        sections: &[Section<'_, '_>],
    ) -> io::Result<()> {
        let mut short = false;
        for section in sections {
            // Blocks that left are a list, and need no air between them.
            let went = matches!(section.part, Part::Went(_));
            if section.gap != Gap::None && !(short && went) {
                writeln!(out)?;
            }
            short = went;
            match &section.part {
                Part::Rows(rows) => self.rows(out, rows)?,
                Part::Went(block) => self.head(out, block, "→", "")?,
                Part::Came(block, inner) => self.came(out, block, inner)?,
            }
        }
        Ok(())
    }

    fn rows<'r, 't>(&self, out: &mut dyn Write, rows: &'r [Row<'t>]) -> io::Result<()> {
        let palette = &self.page.palette;
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
                let ink = (!quiet).then_some(&palette.old);
                self.line(out, Place::of(line, new.map(|new| new.text)), ink)?;
            }
            for row in run.iter().filter(|_| !quiet) {
                let [old, new] = sides(row);
                if let Some(new) = new {
                    let place = Place::of(new, old.map(|old| old.text));
                    self.line(out, place, Some(&palette.new))?;
                }
            }
        }
        Ok(())
    }

    fn came(&self, out: &mut dyn Write, block: &MoveView, inner: &[Inner<'_>]) -> io::Result<()> {
        let palette = &self.page.palette;
        self.head(out, block, "←", &block.what)?;
        let last = inner.len().saturating_sub(1);
        let mut changed = false;
        for (at, inner) in inner.iter().enumerate() {
            match inner {
                Inner::Same(line) => self.line(out, *line, None)?,
                // Between changes, for these would run together; else the numbers tell.
                Inner::Folded(..) if changed && at < last => self.gap(out)?,
                Inner::Folded(..) => {}
                Inner::Changed(steps) => {
                    changed = true;
                    // What a copy changed still stands where it was.
                    let old = steps.iter().filter_map(|step| step.old);
                    for line in old.filter(|_| !block.is_copy) {
                        self.line(out, line, Some(&palette.old))?;
                    }
                    for line in steps.iter().filter_map(|step| step.new) {
                        self.line(out, line, Some(&palette.new))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Lines that are not shown.
    fn gap(&self, out: &mut dyn Write) -> io::Result<()> {
        let faint = self.page.palette.style(Tone::Faint, None);
        let digits = self.page.digits;
        writeln!(out, "{faint}{:>digits$} │{faint:#}", "⋮")
    }

    /// One end of a block in words; the arrow says which.
    fn head(
        &self,
        out: &mut dyn Write,
        block: &MoveView,
        arrow: &str,
        what: &str,
    ) -> io::Result<()> {
        let verb = match (block.is_copy, block.is_indent) {
            (true, _) => "copied",
            (_, true) => "indented",
            _ => "moved",
        };
        let label = format!("{}  {verb}", Page::label(block, arrow));
        let places = format!("  {}", visible_name(&block.places()));
        let what = if what.is_empty() {
            String::new()
        } else {
            format!("   {what}")
        };
        let head = [
            (&label[..], Tone::Moved),
            (&places, Tone::Plain),
            (&what, Tone::Faint),
        ];
        self.page.words(out, &Shown::of(&head), ("  ", "      "))
    }

    /// A line behind its number and mark, wrapped.
    fn line(&self, out: &mut dyn Write, line: Place<'_>, ink: Option<&Ink>) -> io::Result<()> {
        let Page {
            palette, digits, ..
        } = self.page;
        let digits = *digits;
        let shown = self.page.text(line, self.ends);
        let room = self.page.screen.width.map(|width| {
            let gutter = digits + " │ +".chars().count();
            usize::from(width).saturating_sub(gutter).max(2)
        });
        let mut number = line.number.to_string();
        let mut mark = ink.map_or(" ", |ink| ink.mark);
        let faint = palette.style(Tone::Faint, None);
        for cells in shown.wrap(room, false) {
            write!(out, "{faint}{number:>digits$} │{faint:#}")?;
            if ink.is_some() || shown.width(cells.clone()) > 0 {
                let style = palette.style(Tone::Plain, ink);
                let text = shown.paint(cells.clone(), ink, palette);
                write!(out, " {style}{mark}{style:#}{text}")?;
            }
            writeln!(out)?;
            if let Some(guide) = shown.guide(cells).filter(|_| palette.guides) {
                writeln!(out, "{:digits$} │  {guide}", "")?;
            }
            "↳".clone_into(&mut number);
            mark = " ";
        }
        Ok(())
    }
}
