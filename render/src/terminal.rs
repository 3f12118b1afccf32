//! The line report on a terminal.

use crate::paint::{self, FAINT, MOVED, NAME, NEW, OLD, decode, visible};
use crate::view::words::{summary, survived};
use mvdiff_text::{Change, Inner, LineReport, Lines, MovedBlock};
use std::io::{self, Write};

/// What the two texts are called.
#[derive(Clone, Debug)]
pub struct Names {
    /// The old text.
    pub old: String,
    /// The new text.
    pub new: String,
}

/// Prints a report: every change with its lines, every move with both its ends
/// and what changed inside, and a sentence that sums it up.
///
/// # Errors
/// What the writer returns.
pub fn terminal(
    out: &mut dyn Write,
    names: &Names,
    (old, new): (&Lines<'_>, &Lines<'_>),
    report: &LineReport,
    context: u32,
) -> io::Result<()> {
    if report.is_empty() {
        return Ok(());
    }
    let widest = report.lines[0].max(report.lines[1]).max(1);
    let page = Page {
        old,
        new,
        width: widest.to_string().len().max(4),
        context,
    };
    let (from, to) = (visible(&names.old), visible(&names.new));
    writeln!(out, "{NAME}{from} → {to}{NAME:#}")?;
    let mut parts: Vec<Part<'_>> = report.changes.iter().map(Part::Change).collect();
    parts.extend(report.moves.iter().map(Part::Move));
    parts.extend(report.copies.iter().map(Part::Copy));
    parts.sort_by_key(Part::at);
    let mut printed = 0;
    for (p, part) in parts.iter().enumerate() {
        match part {
            Part::Change(change) => {
                let next = parts.get(p + 1).map_or(u32::MAX, |next| next.at().0);
                let follows = p > 0 && matches!(parts[p - 1], Part::Change(_));
                printed = page.change(out, change, (printed, next), follows)?;
            }
            Part::Move(block) => printed = page.block(out, block, ("M", "moved"))?,
            Part::Copy(block) => printed = page.block(out, block, ("C", "copied"))?,
        }
    }
    let moves: Vec<&MovedBlock> = report.moves.iter().collect();
    let sentence = summary(&report.stats, &report.changes, &moves);
    writeln!(out, "\n{sentence}")
}

enum Part<'r> {
    Change(&'r Change),
    Move(&'r MovedBlock),
    Copy(&'r MovedBlock),
}

impl Part<'_> {
    /// Where it stands in the new text, then in the old one.
    fn at(&self) -> (u32, u32) {
        match self {
            Self::Change(change) => (change.modified[0], change.original[0]),
            Self::Move(block) | Self::Copy(block) => {
                (block.modified_line_start, block.original_line_start)
            }
        }
    }
}

struct Page<'p, 't> {
    old: &'p Lines<'t>,
    new: &'p Lines<'t>,
    width: usize,
    context: u32,
}

impl Page<'_, '_> {
    /// A change with its context; returns the last new line that was printed.
    /// Context is not printed twice and does not reach into what comes `next`; a
    /// change that `follows` another closely is not set apart.
    fn change(
        &self,
        out: &mut dyn Write,
        change: &Change,
        (printed, next): (u32, u32),
        follows: bool,
    ) -> io::Result<u32> {
        let [start, end] = change.modified;
        let from = start.saturating_sub(self.context).max(printed + 1);
        if !follows || from > printed + 1 {
            writeln!(out)?;
        }
        for line in from..start {
            self.context_line(out, line)?;
        }
        self.lines(out, change)?;
        let last = (self.new.len() as u32 + 1)
            .min(next)
            .min(end.saturating_add(self.context));
        for line in end..last.max(end) {
            self.context_line(out, line)?;
        }
        Ok(last.max(end) - 1)
    }

    /// A moved or copied block with what changed inside; returns its last new
    /// line.
    fn block(
        &self,
        out: &mut dyn Write,
        block: &MovedBlock,
        (mark, verb): (&str, &str),
    ) -> io::Result<u32> {
        let lines = |start: u32, end: u32| match end - start {
            0 => format!("{start}"),
            _ => format!("{start}-{end}"),
        };
        let from = lines(block.original_line_start, block.original_line_end);
        let to = lines(block.modified_line_start, block.modified_line_end);
        let unchanged = survived(block);
        writeln!(
            out,
            "\n  {MOVED}{mark}{}  {verb}{MOVED:#}  {from} → {to}   {FAINT}{unchanged}{FAINT:#}",
            block.id
        )?;
        for change in &block.changes {
            self.lines(out, change)?;
        }
        Ok(block.modified_line_end)
    }

    fn lines(&self, out: &mut dyn Write, change: &Change) -> io::Result<()> {
        for line in change.original[0]..change.original[1] {
            let text = self.old.get(line as usize - 1);
            let marks = change.inner.iter().map(|inner| &inner.original);
            paint::line(out, self.width, line, OLD, text, &spans(marks, line, text))?;
        }
        for line in change.modified[0]..change.modified[1] {
            let text = self.new.get(line as usize - 1);
            let marks = change.inner.iter().map(|inner: &Inner| &inner.modified);
            paint::line(out, self.width, line, NEW, text, &spans(marks, line, text))?;
        }
        Ok(())
    }

    fn context_line(&self, out: &mut dyn Write, line: u32) -> io::Result<()> {
        let text = self.new.get(line as usize - 1);
        paint::context(out, self.width, line, text)
    }
}

/// The marked stretches of a line, as character offsets; none when they would
/// mark nearly all of it, which only shouts.
fn spans<'i>(
    marks: impl Iterator<Item = &'i [u32; 4]>,
    line: u32,
    text: &[u8],
) -> Vec<(usize, usize)> {
    let spans: Vec<(usize, usize)> = marks
        .filter(|mark| mark[0] == line)
        .map(|mark| (mark[1] as usize - 1, mark[3] as usize - 1))
        .filter(|(start, end)| start < end)
        .collect();
    paint::quiet(spans, decode(text).chars().count())
}
