//! An effective report as a view: whole files where they are known, else the hunks
//! of the patch with gaps between them.

use super::layout::{Details, layout};
use super::pair_lines::{pair_up, words};
use super::reindent::without_shift;
use super::remarks::remarks;
use super::{End, FileView, MoveView, NonTextChange, Other, Row, State, Sum, View};
use crate::effective::{facts, is_shifted, summary, survived};
use crate::styles::{decode, unlike};
use mvdiff_text::Ignore;
use mvdiff_text::effective::{
    Contents, EffectiveReport, FileFates, MoveDetail, MoveKind, TwinSide,
};
use mvdiff_text::patch::{Changeset, FilePatch, Hunk, Remark};

impl<'t> View<'t> {
    /// A patch and what became of it. Whether a report that somebody else made is about
    /// this patch, [`verify`](mvdiff_text::verify::verify) says.
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
        let fates = report.fates(changeset, contents);
        let files = changeset.files.iter().zip(fates);
        let mut sheets: Vec<Sheet<'t>> = files
            .map(|(file, fates)| Sheet {
                file,
                fates,
                details: Default::default(),
            })
            .collect();
        let blocks = report.blocks();
        for index in report.blocks_by_size() {
            note_pairs(&mut sheets, &blocks[index]);
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
            unlike: m.indent.as_ref().map(unlike).filter(|_| is_shifted(m)),
        });
        let moves = moves.collect();
        let files = sheets.into_iter().map(|sheet| sheet.view(around));
        let remarks_around = changeset.remarks();
        View {
            title: title(changeset),
            byline: byline(changeset),
            files: files.chain(remarks_around.iter().map(unread)).collect(),
            moves,
            summary: summary(report),
            sum: Sum {
                changed: report.input.added.saturating_add(report.input.removed),
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

/// A file while it is laid out.
struct Sheet<'t> {
    file: &'t FilePatch<'t>,
    fates: FileFates<'t>,
    details: [Details<'t>; 2],
}

impl<'t> Sheet<'t> {
    fn path(&self, side: usize) -> Option<&'t [u8]> {
        [&self.file.old_path, &self.file.new_path][side].as_deref()
    }

    fn view(mut self, around: usize) -> FileView<'t> {
        let mut rows: Vec<Row<'t>> = Vec::new();
        let mut headings = Vec::new();
        let mut at = [1, 1];
        let mut pieces = std::mem::take(&mut self.fates.stretches);
        let is_whole = self.fates.is_whole;
        // A patch by itself has few enough lines.
        let around = if is_whole { around } else { usize::MAX };
        for (index, [old, new]) in pieces.iter().enumerate() {
            if at[0] < old.first || at[1] < new.first {
                rows.push(Row::Unknown {
                    old: at[0]..old.first.max(at[0]),
                    new: at[1]..new.first.max(at[1]),
                });
            }
            if let Some(hunk) = self.file.hunks().get(index).filter(|_| !is_whole) {
                headings.push((rows.len(), heading(hunk)));
            }
            let details = (&self.details[0], &self.details[1]);
            let laid = layout((old, new), details, around);
            rows.append(&mut pair_up(laid));
            at = [old, new].map(|side| side.first + side.lines.len() as u32);
        }
        if is_whole {
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
            non_text: NonTextChange::Nothing,
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
        while let Some(hunk) = hunks.next_if(|hunk| hunk.first_lines()[1] <= new.number) {
            placed.push((at, heading(hunk)));
        }
        if hunks.peek().is_none() {
            break;
        }
    }
    placed
}

/// Notes what changed inside the lines of a block, and the other end of each.
fn note_pairs(sheets: &mut [Sheet<'_>], block: &MoveDetail) {
    let paths = [&block.source_file.0[..], &block.target_file.0[..]];
    let [old, new] = [0, 1].map(|side| {
        let mut files = sheets.iter();
        files.position(|sheet| sheet.path(side) == Some(paths[side]))
    });
    for (o, n, state) in block.line_pairs() {
        let text = |file: Option<usize>, side: TwinSide, line: u32| {
            file.and_then(|file| sheets[file].fates.text(side, line))
        };
        let texts = (text(old, TwinSide::Old, o), text(new, TwinSide::New, n));
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
            (old, TwinSide::Old, (o, &spans.0), (n, texts.1, &spans.1)),
            (new, TwinSide::New, (n, &spans.1), (o, texts.0, &spans.0)),
        ];
        for (file, side, (line, own), (number, other, spans)) in sides {
            let Some(file) = file.filter(|_| block.owns(side)) else {
                continue;
            };
            let details = &mut sheets[file].details[side as usize];
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
