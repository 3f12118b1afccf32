//! The effective report on a terminal.

use crate::paint::{self, FAINT, MOVED, NAME, NEW, OLD, decode, indented, visible};
use mvdiff_text::changed_words;
use mvdiff_text::effective::{EffectiveReport, MoveDetail, MoveKind};
use mvdiff_text::patch::{self, Changeset, FilePatch, Hunk, HunkLine, LineKind, Status};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Prints a report on a changeset: file by file what is left to read, where
/// blocks went and came from with what changed inside them, and a sentence that
/// sums it up.
///
/// # Errors
/// What the writer returns.
pub fn effective<'r>(
    out: &mut dyn Write,
    report: &'r EffectiveReport,
    changeset: &'r Changeset<'r>,
) -> io::Result<()> {
    let left = patch::parse(&report.effective_diff.0).map_err(io::Error::other)?;
    let hunks = left.iter().flat_map(|set| &set.files).flat_map(Shown::of);
    let page = Page::new(report, changeset, hunks.collect());
    for file in &changeset.files {
        page.file(out, file)?;
    }
    writeln!(out, "{}", summary(report))
}

/// A hunk that is left, and the files it stands in.
struct Shown<'r> {
    old: &'r [u8],
    new: &'r [u8],
    hunk: &'r Hunk<'r>,
}

impl<'r> Shown<'r> {
    fn of(file: &'r FilePatch<'r>) -> impl Iterator<Item = Self> {
        file.hunks().iter().map(|hunk| Self {
            old: file.old_path.as_deref().unwrap_or_default(),
            new: file.new_path.as_deref().unwrap_or_default(),
            hunk,
        })
    }

    /// Whether all of it changed inside a block: no line stands in two places.
    fn is_inside(&self, block: &MoveDetail) -> bool {
        let within = |range: [u32; 2], start: u32, count: u32| {
            count == 0 || (range[0] <= start && start + count - 1 <= range[1])
        };
        block.kind == MoveKind::Move
            && self.old == block.source_file.0
            && self.new == block.target_file.0
            && within(block.source_lines, self.hunk.old_start, self.hunk.old_count)
            && within(block.target_lines, self.hunk.new_start, self.hunk.new_count)
            && (self.hunk.old_count > 0 || self.hunk.new_count > 0)
    }
}

struct Page<'r> {
    report: &'r EffectiveReport,
    changeset: &'r Changeset<'r>,
    /// What is left outside of moves.
    own: Vec<Shown<'r>>,
    /// What is left inside each move.
    inner: Vec<Vec<Shown<'r>>>,
    width: usize,
}

impl<'r> Page<'r> {
    fn new(
        report: &'r EffectiveReport,
        changeset: &'r Changeset<'r>,
        hunks: Vec<Shown<'r>>,
    ) -> Self {
        let last = |h: &Hunk<'_>| (h.old_start + h.old_count).max(h.new_start + h.new_count);
        let widest = hunks.iter().map(|shown| last(shown.hunk)).max();
        let mut page = Self {
            report,
            changeset,
            own: Vec::new(),
            inner: report.moves.iter().map(|_| Vec::new()).collect(),
            width: widest.unwrap_or(0).to_string().len().max(4),
        };
        for shown in hunks {
            let block = report.moves.iter().position(|m| shown.is_inside(m));
            match block {
                Some(block) => page.inner[block].push(shown),
                None => page.own.push(shown),
            }
        }
        page
    }

    fn file(&self, out: &mut dyn Write, file: &FilePatch<'_>) -> io::Result<()> {
        let old = file.old_path.as_deref();
        let new = file.new_path.as_deref();
        let moves = || self.report.moves.iter().zip(&self.inner);
        let went =
            moves().filter(|(m, _)| m.kind == MoveKind::Move && Some(&m.source_file.0[..]) == old);
        let came = moves().filter(|(m, _)| Some(&m.target_file.0[..]) == new);
        let own = self.own.iter().filter(|shown| {
            shown.old == old.unwrap_or_default() && shown.new == new.unwrap_or_default()
        });
        let mut parts: Vec<Part<'_, 'r>> = went
            .map(|(block, _)| Part::Went(block, self.seat(file, block.source_lines[0])))
            .collect();
        parts.extend(came.map(|(block, inner)| Part::Came(block, inner)));
        parts.extend(own.map(Part::Own));
        let facts = facts(file).into_iter();
        let facts = facts.fold(String::new(), |line, fact| line + "  " + &fact);
        if parts.is_empty() && facts.is_empty() {
            return Ok(());
        }
        parts.sort_by_key(Part::at);
        let name = match (old, new) {
            (Some(old), Some(new)) if old != new => format!("{} → {}", shown(old), shown(new)),
            _ => shown(file.path()),
        };
        writeln!(out, "{NAME}{name}{NAME:#}{FAINT}{facts}{FAINT:#}")?;
        for (at, part) in parts.iter().enumerate() {
            match part {
                Part::Went(block, _) => departure(out, block)?,
                Part::Came(block, inner) => self.came(out, block, inner)?,
                Part::Own(shown) => {
                    if at > 0 {
                        writeln!(out)?;
                    }
                    self.hunk(out, shown.hunk)?;
                }
            }
        }
        writeln!(out)
    }

    /// Where an old line would stand in the new file, had it stayed: behind what
    /// stayed before it.
    fn seat(&self, file: &FilePatch<'_>, line: u32) -> u32 {
        let own = self.report.kept.iter().filter(|run| {
            Some(&run.0.0[..]) == file.old_path.as_deref()
                && Some(&run.2.0[..]) == file.new_path.as_deref()
        });
        let before = own.take_while(|run| run.1 < line).last();
        before.map_or(0, |run| run.3 + run.4)
    }

    /// A block that came here, and what changed inside it.
    fn came(&self, out: &mut dyn Write, block: &MoveDetail, inner: &[Shown<'_>]) -> io::Result<()> {
        let (mark, verb) = mark(block);
        let from = if block.source_file == block.target_file {
            lines(block.source_lines)
        } else {
            place(&block.source_file.0, block.source_lines)
        };
        let to = lines(block.target_lines);
        writeln!(
            out,
            "  {MOVED}{mark}{}  {verb}{MOVED:#}  {from} → {to}   {FAINT}{}{FAINT:#}",
            block.id,
            survived(block)
        )?;
        if let Some((line, text)) = self.name_of(block, inner) {
            paint::context(out, self.width, line, text)?;
        }
        inner
            .iter()
            .try_for_each(|shown| self.hunk(out, shown.hunk))
    }

    /// What moved is not repeated, but a name for it helps: its first line that
    /// says anything, unless what changed comes before it.
    fn name_of(&self, block: &MoveDetail, inner: &[Shown<'_>]) -> Option<(u32, &'r [u8])> {
        const LOOKED_AT: usize = 4;
        let shown = inner.first().map_or(u32::MAX, |shown| shown.hunk.new_start);
        let lines = block.pairs.iter().flat_map(|run| run[1]..run[1] + run[2]);
        let mut known = lines.take_while(|line| *line < shown).take(LOOKED_AT);
        known.find_map(|line| {
            let text = self.new_line(&block.target_file.0, line)?;
            (!text.trim_ascii().is_empty()).then_some((line, text))
        })
    }

    /// A line of a new file, if a hunk of the input shows it.
    fn new_line(&self, path: &[u8], number: u32) -> Option<&'r [u8]> {
        let files = self.changeset.files.iter();
        let mut hunks = files
            .filter(|file| file.new_path.as_deref() == Some(path))
            .flat_map(FilePatch::hunks);
        let hunk = hunks.find(|h| (h.new_start..h.new_start + h.new_count).contains(&number))?;
        let mut lines = hunk.lines.iter().filter(|l| l.kind != LineKind::Removed);
        lines
            .nth((number - hunk.new_start) as usize)
            .map(|line| line.text)
    }

    fn hunk(&self, out: &mut dyn Write, hunk: &Hunk<'_>) -> io::Result<()> {
        let (mut old, mut new) = (hunk.old_start, hunk.new_start);
        for group in hunk
            .lines
            .chunk_by(|a, b| (a.kind == LineKind::Context) == (b.kind == LineKind::Context))
        {
            if group[0].kind == LineKind::Context {
                for line in group {
                    paint::context(out, self.width, new, line.text)?;
                    (old, new) = (old + 1, new + 1);
                }
            } else {
                (old, new) = self.group(out, group, (old, new))?;
            }
        }
        Ok(())
    }

    /// Changed lines in a row. Where as many came as went, the words that
    /// changed are marked.
    fn group(
        &self,
        out: &mut dyn Write,
        group: &[HunkLine<'_>],
        (mut old, mut new): (u32, u32),
    ) -> io::Result<(u32, u32)> {
        let of_kind = |kind: LineKind| -> Vec<&[u8]> {
            let lines = group.iter().filter(|line| line.kind == kind);
            lines.map(|line| line.text).collect()
        };
        let (removed, added) = (of_kind(LineKind::Removed), of_kind(LineKind::Added));
        let words: Vec<_> = if removed.len() == added.len() {
            let pairs = removed.iter().zip(&added);
            pairs.map(|(old, new)| changed_words(old, new)).collect()
        } else {
            Vec::new()
        };
        let quiet = |spans: Option<&Vec<(usize, usize)>>, text: &[u8]| {
            let spans = spans.cloned().unwrap_or_default();
            paint::quiet(spans, decode(text).chars().count())
        };
        for (at, text) in removed.iter().enumerate() {
            let spans = quiet(words.get(at).map(|w| &w.0), text);
            paint::line(out, self.width, old, OLD, text, &spans)?;
            old += 1;
        }
        for (at, text) in added.iter().enumerate() {
            let spans = quiet(words.get(at).map(|w| &w.1), text);
            paint::line(out, self.width, new, NEW, text, &spans)?;
            new += 1;
        }
        Ok((old, new))
    }
}

/// A move in one line, with both its ends.
#[must_use]
pub fn one_line(block: &MoveDetail) -> String {
    let (mark, verb) = mark(block);
    let from = place(&block.source_file.0, block.source_lines);
    let to = place(&block.target_file.0, block.target_lines);
    format!(
        "{mark}{} {verb} {from} -> {to}, {}",
        block.id,
        survived(block)
    )
}

pub(crate) fn mark(block: &MoveDetail) -> (&'static str, &'static str) {
    match block.kind {
        MoveKind::Move => ("M", "moved"),
        MoveKind::Copy => ("C", "copied"),
    }
}

/// The end of a block that has left.
fn departure(out: &mut dyn Write, block: &MoveDetail) -> io::Result<()> {
    let from = lines(block.source_lines);
    let to = if block.source_file == block.target_file {
        lines(block.target_lines)
    } else {
        place(&block.target_file.0, block.target_lines)
    };
    writeln!(out, "  {MOVED}M{}  moved{MOVED:#}  {from} → {to}", block.id)
}

enum Part<'p, 'r> {
    /// A block that left, and where in the new file it would stand.
    Went(&'p MoveDetail, u32),
    Came(&'p MoveDetail, &'p [Shown<'r>]),
    Own(&'p Shown<'r>),
}

impl Part<'_, '_> {
    /// Its place in the new file; what left a place comes before what came.
    fn at(&self) -> (u32, u8) {
        match self {
            Self::Went(_, seat) => (*seat, 0),
            Self::Own(shown) => (shown.hunk.new_start, 1),
            Self::Came(block, _) => (block.target_lines[0], 2),
        }
    }
}

fn shown(path: &[u8]) -> String {
    visible(&decode(path))
}

fn lines([first, last]: [u32; 2]) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first}-{last}")
    }
}

fn place(path: &[u8], range: [u32; 2]) -> String {
    format!("{}:{}", shown(path), lines(range))
}

/// What happened to a file beside its lines.
pub(crate) fn facts(file: &FilePatch<'_>) -> Vec<String> {
    let mut facts = Vec::new();
    match file.status {
        Status::Added => facts.push("new".to_owned()),
        Status::Deleted => facts.push("deleted".to_owned()),
        Status::Renamed => facts.push("renamed".to_owned()),
        Status::Copied => facts.push("copied".to_owned()),
        Status::Modified => {}
    }
    if let (Some(old), Some(new)) = (file.old_mode, file.new_mode)
        && old != new
    {
        facts.push(format!("mode {old:o} → {new:o}"));
    }
    if file.is_binary() {
        facts.push("binary".to_owned());
    }
    facts
}

/// How much of a block survived.
pub(crate) fn survived(block: &MoveDetail) -> String {
    let matched = block.matched_lines;
    let gone = block.edited_pairs.len() as u32 + deleted(block);
    let mut text = match (matched, gone) {
        (1, 0) => "unchanged".to_owned(),
        (0, gone) => format!("all {gone} lines edited"),
        (_, 0) => format!("{matched} lines unchanged"),
        _ => format!("{matched} of {} lines unchanged", matched + gone),
    };
    if let Some(shift) = &block.indent {
        let _ = write!(text, ", {}", indented(shift));
    }
    text
}

/// Old lines of a block that have no counterpart.
fn deleted(block: &MoveDetail) -> u32 {
    let size = block.source_lines[1] - block.source_lines[0] + 1;
    let paired = block.matched_lines + block.edited_pairs.len() as u32;
    // A copy took what it took; blank lines that went are in `whitespace_lines`.
    let shown = block.effective_diff_lines;
    size.saturating_sub(paired).min(shown)
}

/// The sentence at the end.
pub(crate) fn summary(report: &EffectiveReport) -> String {
    let count = |n: u32, one: &str, more: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{} {more}", grouped(n)),
    };
    let changed = report.input.added + report.input.removed;
    let left = report.total_lines_effectively_changed;
    let files = count(report.input.files, "file", "files");
    let copies = report.moves.iter().filter(|m| m.kind == MoveKind::Copy);
    let copies = copies.count() as u32;
    let moves = report.moves_detected - copies;
    let mut found = files;
    if moves > 0 {
        let _ = write!(found, ", {}", count(moves, "move", "moves"));
    }
    if copies > 0 {
        let _ = write!(found, ", {}", count(copies, "copy", "copies"));
    }
    if report.moves_detected == 0 {
        return format!(
            "{found}. Nothing moved; {} to read.",
            count(left, "line", "lines")
        );
    }
    format!(
        "{found}. {} of {} changed lines only moved; {} left to read.   (nothing hidden: checked)",
        grouped(changed.saturating_sub(left)),
        grouped(changed),
        grouped(left)
    )
}

/// 1234567 as 1,234,567.
fn grouped(n: u32) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let shown = [0, 12, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "12", "999", "1,000", "1,234,567"]);
    }
}
