//! An effective report as a view: whole files where they are known, else the hunks
//! of the patch with gaps between them.

use super::layout::{Details, Fate, Half, layout};
use super::pair::{pair_up, words};
use super::remarks::remarks;
use super::shift::without_shift;
use super::{End, FileView, Inside, MoveView, Other, Row, State, Sum, View};
use crate::effective::{facts, summary, survived};
use crate::paint::{decode, unlike};
use mvdiff_text::effective::{
    Contents, EffectiveReport, FileContents, KeptRun, MoveDetail, MoveKind, ShownLines, TwinSide,
};
use mvdiff_text::patch::{Changeset, FilePatch, Hunk, LineKind, Remark};
use mvdiff_text::{Ignore, Lines};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

impl<'t> View<'t> {
    /// A patch and what became of it.
    #[must_use]
    pub fn of_effective(
        changeset: &'t Changeset<'t>,
        contents: &Contents<'t>,
        report: &EffectiveReport,
    ) -> View<'t> {
        Self::laid_out(changeset, contents, report, usize::MAX)
    }

    /// The same with rows for at most so many unchanged lines around what happened: a
    /// change of a few lines in a long file needs no rows for all of it. What lies
    /// farther off is [`Row::Unknown`], and its lines are in [`FileView::lines`].
    #[must_use]
    pub fn of_effective_near(
        changeset: &'t Changeset<'t>,
        contents: &Contents<'t>,
        report: &EffectiveReport,
        around: u32,
    ) -> View<'t> {
        Self::laid_out(changeset, contents, report, around as usize)
    }

    fn laid_out(
        changeset: &'t Changeset<'t>,
        contents: &Contents<'t>,
        report: &EffectiveReport,
        around: usize,
    ) -> View<'t> {
        let files = changeset.files.iter().enumerate();
        let mut sheets: Vec<Sheet<'t>> = files
            .map(|(index, file)| Sheet::new(file, contents.files.get(index)))
            .collect();
        let mut kept: HashMap<[&[u8]; 2], Vec<&KeptRun>> = HashMap::new();
        for run in &report.kept {
            kept.entry([&run.0.0, &run.2.0]).or_default().push(run);
        }
        for sheet in &mut sheets {
            if let (Some(old), Some(new)) = (sheet.path(0), sheet.path(1)) {
                let is_named = report
                    .blocks()
                    .iter()
                    .any(|m| m.source_file.0 == old || m.target_file.0 == new);
                let runs = kept.get(&[old, new]).map_or(&[][..], |runs| &runs[..]);
                sheet.keep(runs, is_named);
            }
        }
        let blocks = report.blocks();
        let mut by_size: Vec<usize> = (0..blocks.len()).collect();
        let size = |m: &MoveDetail| m.source_lines[1] - m.source_lines[0];
        // Where one block lies within another, its lines are its own.
        by_size.sort_by_key(|&index| std::cmp::Reverse(size(&blocks[index])));
        for index in by_size {
            place(&mut sheets, index, &blocks[index]);
        }
        if report.shown.are_known() {
            for sheet in &mut sheets {
                sheet.hold_to(&report.shown);
            }
        }
        let end = |side: usize, path: &[u8], [first, last]: [u32; 2]| End {
            file: sheets.iter().position(|s| s.path(side) == Some(path)),
            path: decode(path),
            first,
            last,
        };
        let moves = blocks.iter().map(|m| MoveView {
            label: format!("{}{}", crate::effective::mark(m).0, m.id),
            is_copy: m.kind == MoveKind::Copy,
            is_indent: m.kind == MoveKind::Indent,
            old: end(0, &m.source_file.0, m.source_lines),
            new: end(1, &m.target_file.0, m.target_lines),
            what: survived(m),
            confidence: m.score,
            unlike: m.indent.as_ref().map(unlike),
        });
        let moves = moves.collect();
        let files = sheets.into_iter().map(|sheet| sheet.view(around));
        let loose = changeset.remarks();
        View {
            title: title(changeset),
            byline: byline(changeset),
            files: files.chain(loose.iter().map(unread)).collect(),
            moves,
            summary: summary(report),
            sum: Sum {
                changed: report.input.added + report.input.removed,
                left: report.total_lines_effectively_changed,
            },
            notes: remarks(Ignore::default(), &report.notes),
        }
    }
}

/// Text around the files that may be a change, as it came: its first line as a
/// name, the others behind it.
fn unread<'t>(remark: &Remark<'_>) -> FileView<'t> {
    let lines = remark.text.split(|&byte| byte == b'\n').map(decode);
    let mut lines = lines.filter(|line| !line.trim().is_empty());
    let name = lines.next();
    let mut facts = vec!["shown unchanged".to_owned()];
    facts.extend(lines.map(|line| line.trim().to_owned()));
    FileView {
        old: name.clone(),
        new: name,
        facts,
        ..FileView::default()
    }
}

/// The commit, or the files where there is none.
fn title(changeset: &Changeset<'_>) -> String {
    let commit = changeset.commit.map(|id| {
        let id = decode(id);
        id.chars().take(12).collect::<String>()
    });
    match (commit, changeset.subject.map(decode)) {
        (Some(id), Some(subject)) => format!("{id} {subject}"),
        (Some(text), None) | (None, Some(text)) => text,
        (None, None) => match &changeset.files[..] {
            [] => match &changeset.remarks()[..] {
                [] => "no changes".to_owned(),
                [first, ..] => decode(first.first_line()),
            },
            [file] => decode(file.path()),
            files => format!("{} files", files.len()),
        },
    }
}

/// The author and the date in the head of a commit or a mail.
fn byline(changeset: &Changeset<'_>) -> Option<String> {
    let lines = || changeset.preamble.split(|&byte| byte == b'\n').map(decode);
    let field = |names: [&str; 2]| {
        let mut found = lines().take_while(|line| !line.starts_with("    "));
        found.find_map(|line| {
            let value = names.iter().find_map(|name| line.strip_prefix(*name))?;
            Some(value.trim().to_owned()).filter(|value| !value.is_empty())
        })
    };
    let author = field(["Author:", "From:"])?;
    Some(match field(["Date:", "AuthorDate:"]) {
        Some(date) => format!("{author}, {date}"),
        None => author,
    })
}

/// A file while it is laid out: in one piece, or hunk by hunk.
struct Sheet<'t> {
    file: &'t FilePatch<'t>,
    /// Whether it is in one piece.
    is_whole: bool,
    pieces: Vec<[Half<'t>; 2]>,
    details: [Details<'t>; 2],
}

impl<'t> Sheet<'t> {
    fn new(file: &'t FilePatch<'t>, contents: Option<&FileContents<'t>>) -> Self {
        let whole = contents.and_then(|contents| whole(file, *contents));
        let is_whole = whole.is_some();
        let pieces = match whole {
            _ if file.is_binary() => Vec::new(),
            Some(halves) => vec![halves],
            None => file.hunks().iter().map(piece).collect(),
        };
        Self {
            file,
            is_whole,
            pieces,
            details: Default::default(),
        }
    }

    fn path(&self, side: usize) -> Option<&'t [u8]> {
        [&self.file.old_path, &self.file.new_path][side].as_deref()
    }

    /// Marks what stayed, as the report settled it.
    fn keep(&mut self, runs: &[&KeptRun], is_named: bool) {
        if runs.is_empty() && !is_named {
            return; // The patch's own alignment holds.
        }
        for halves in &mut self.pieces {
            for half in halves.iter_mut() {
                half.fates.fill(Fate::Alone);
            }
            for run in runs {
                for (side, first) in [run.1, run.3].into_iter().enumerate() {
                    let half = &mut halves[side];
                    let here = half.first..half.first + half.lines.len() as u32;
                    let end = (first + run.4).min(here.end);
                    for line in first.max(here.start)..end {
                        half.set(line, Fate::Kept);
                    }
                }
            }
        }
    }

    /// Shows what the report shows and nothing else: white space that it leaves out
    /// did not happen, and white space that it was asked to show did.
    fn hold_to(&mut self, shown: &ShownLines) {
        for (side, of) in [TwinSide::Old, TwinSide::New].into_iter().enumerate() {
            let Some(path) = self.path(side) else {
                continue;
            };
            let numbers: HashSet<u32> = shown.numbers(of, path).collect();
            for half in self.pieces.iter_mut().map(|halves| &mut halves[side]) {
                for (fate, number) in half.fates.iter_mut().zip(half.first..) {
                    let is_shown = || numbers.contains(&number);
                    *fate = match *fate {
                        Fate::Alone if !is_shown() => Fate::LeftOut,
                        Fate::Moved(block, State::Alone) if !is_shown() => {
                            Fate::Moved(block, State::Same)
                        }
                        Fate::Moved(block, State::Same) if is_shown() => {
                            Fate::Moved(block, State::Edited)
                        }
                        fate => fate,
                    };
                }
            }
        }
    }

    fn text(&self, side: usize, number: u32) -> Option<&'t [u8]> {
        self.pieces
            .iter()
            .find_map(|halves| halves[side].text(number))
    }

    fn fate(&self, side: usize, number: u32) -> Option<Fate> {
        let mut halves = self.pieces.iter().map(|halves| &halves[side]);
        halves.find_map(|half| half.fate(number))
    }

    fn set(&mut self, side: usize, number: u32, fate: Fate) {
        for halves in &mut self.pieces {
            halves[side].set(number, fate);
        }
    }

    fn view(mut self, around: usize) -> FileView<'t> {
        let mut rows: Vec<Row<'t>> = Vec::new();
        let mut headings = Vec::new();
        let mut at = [1, 1];
        let mut pieces = std::mem::take(&mut self.pieces);
        // A patch by itself has few enough lines.
        let around = if self.is_whole { around } else { usize::MAX };
        for (index, [old, new]) in pieces.iter().enumerate() {
            if at[0] < old.first || at[1] < new.first {
                rows.push(Row::Unknown {
                    old: at[0]..old.first.max(at[0]),
                    new: at[1]..new.first.max(at[1]),
                });
            }
            if let Some(hunk) = self.file.hunks().get(index).filter(|_| !self.is_whole) {
                headings.push((rows.len(), heading(hunk)));
            }
            let details = (&self.details[0], &self.details[1]);
            let laid = layout((old, new), details, around);
            rows.append(&mut pair_up(laid));
            at = [old, new].map(|half| half.first + half.lines.len() as u32);
        }
        if self.is_whole {
            headings = placed(self.file, &rows);
        }
        FileView {
            old: self.path(0).map(decode),
            new: self.path(1).map(decode),
            facts: facts(self.file),
            rows,
            lines: match pieces.pop() {
                Some([_, new]) if around < usize::MAX => new.lines,
                _ => Vec::new(),
            },
            headings,
            inside: Inside::Nothing,
        }
    }
}

/// The heading of a hunk.
fn heading(hunk: &Hunk<'_>) -> String {
    decode(hunk.heading.trim_ascii())
}

/// What the hunks say of their places, by the rows of a whole file.
fn placed(file: &FilePatch<'_>, rows: &[Row<'_>]) -> Vec<(usize, String)> {
    let mut hunks = file.hunks().iter().peekable();
    let mut placed = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let Row::Lines { new: Some(new), .. } = row else {
            continue;
        };
        while let Some(hunk) = hunks.next_if(|hunk| starts(hunk).1 <= new.number) {
            placed.push((at, heading(hunk)));
        }
        if hunks.peek().is_none() {
            break;
        }
    }
    placed
}

/// A whole file, if both its sides are known or not there.
fn whole<'t>(file: &FilePatch<'t>, contents: FileContents<'t>) -> Option<[Half<'t>; 2]> {
    let known = |bytes: Option<&'t [u8]>, is_there: bool| match bytes {
        Some(bytes) => Lines::new(bytes).ok().map(|lines| lines.iter().collect()),
        None => (!is_there).then(Vec::new),
    };
    let old = known(contents.old, file.old_path.is_some())?;
    let new = known(contents.new, file.new_path.is_some())?;
    let mut halves = [Half::new(1, old, Fate::Kept), Half::new(1, new, Fate::Kept)];
    for hunk in file.hunks() {
        let (mut old, mut new) = starts(hunk);
        for line in &hunk.lines {
            match line.kind {
                LineKind::Context => (old, new) = (old + 1, new + 1),
                LineKind::Removed => {
                    halves[0].set(old, Fate::Alone);
                    old += 1;
                }
                LineKind::Added => {
                    halves[1].set(new, Fate::Alone);
                    new += 1;
                }
            }
        }
    }
    Some(halves)
}

/// A hunk by itself.
fn piece<'t>(hunk: &Hunk<'t>) -> [Half<'t>; 2] {
    let (old, new) = starts(hunk);
    let half = |first: u32, own: LineKind| {
        let lines = hunk.lines.iter();
        let here = lines.filter(|line| [LineKind::Context, own].contains(&line.kind));
        let fates = here.clone().map(|line| match line.kind {
            LineKind::Context => Fate::Kept,
            _ => Fate::Alone,
        });
        Half {
            first,
            fates: fates.collect(),
            lines: here.map(|line| line.text).collect(),
        }
    };
    [half(old, LineKind::Removed), half(new, LineKind::Added)]
}

/// The numbers of a hunk's first lines; where a side has none, git names the line
/// before.
fn starts(hunk: &Hunk<'_>) -> (u32, u32) {
    let first = |start: u32, count: u32| start.saturating_add(u32::from(count == 0));
    (
        first(hunk.old_start, hunk.old_count),
        first(hunk.new_start, hunk.new_count),
    )
}

/// Puts a block into the files of its ends.
fn place(sheets: &mut [Sheet<'_>], index: usize, block: &MoveDetail) {
    let paths = [&block.source_file.0[..], &block.target_file.0[..]];
    let [old, new] = [0, 1].map(|side| {
        let mut files = sheets.iter();
        files.position(|sheet| sheet.path(side) == Some(paths[side]))
    });
    // The lines that a copy or a merge uses once more have places of their own.
    let is_shown = |side: usize| match block.kind {
        MoveKind::Copy => side == 1,
        MoveKind::Merge => side == 0,
        MoveKind::Move | MoveKind::Indent | MoveKind::Stay => true,
    };
    let lines = |[first, last]: [u32; 2]| first..last + 1;
    let ends: [(Option<usize>, usize, Range<u32>); 2] = [
        (old, 0, lines(block.source_lines)),
        (new, 1, lines(block.target_lines)),
    ];
    // What is between the lines of a block that stayed is not part of it.
    let is_whole = block.kind != MoveKind::Indent;
    for (file, side, range) in ends.into_iter().filter(|end| is_whole && is_shown(end.1)) {
        let Some(file) = file else { continue };
        for line in range {
            // Lines that stayed within the block's reach did not move with it.
            let sheet = &mut sheets[file];
            if sheet.fate(side, line) == Some(Fate::Alone) {
                sheet.set(side, line, Fate::Moved(index, State::Alone));
            }
        }
    }
    let runs = block.pairs.iter();
    let same = runs.flat_map(|&[old, new, len]| (old..old + len).zip(new..));
    let same = same.map(|(o, n)| (o, n, State::Same));
    let edited = block.edited_pairs.iter();
    let edited = edited.map(|&[o, n]| (o, n, State::Edited));
    for (o, n, state) in same.chain(edited) {
        let text = |file: Option<usize>, side: usize, line: u32| {
            file.and_then(|file| sheets[file].text(side, line))
        };
        let texts = (text(old, 0, o), text(new, 1, n));
        let spans = match texts {
            (Some(old), Some(new)) if state == State::Edited => {
                let mut spans = words(old, new);
                let both = (&mut spans.0, &mut spans.1);
                without_shift(block.indent.as_ref(), (old, new), both);
                spans
            }
            _ => Default::default(),
        };
        let sides = [
            (old, 0, (o, &spans.0), (n, texts.1, &spans.1)),
            (new, 1, (n, &spans.1), (o, texts.0, &spans.0)),
        ];
        for (file, side, (line, own), (number, other, spans)) in sides {
            let Some(file) = file.filter(|_| is_shown(side)) else {
                continue;
            };
            let fate = match block.kind {
                MoveKind::Indent => Fate::Indented(index),
                _ => Fate::Moved(index, state),
            };
            sheets[file].set(side, line, fate);
            let details = &mut sheets[file].details[side];
            details.spans.insert(line, own.clone());
            let other = other.map(|text| Other {
                number,
                text,
                spans: spans.clone(),
            });
            details.others.extend(other.map(|other| (line, other)));
        }
    }
}
