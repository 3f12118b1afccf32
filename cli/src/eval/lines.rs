//! `lines`: two files, what moved and what changed. Reports are compared in a form
//! that the truth can be written in, too: a line for each move, each old line that
//! went or changed, each new one that came or changed, and each kind of remark.
//! The base is the report of a diff that does not know moves.

use super::fixtures::Folder;
use mvdiff_metrics::eval::Texts;
use mvdiff_text::{Change, LineReport, diff_lines, options};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The truth about a pair of files; see fixtures/README.md.
#[derive(Default, Deserialize)]
struct Truth {
    moves: Vec<[usize; 4]>,
    changed: Sides,
    blank: Option<Sides>,
    indents: Option<Vec<[String; 2]>>,
    #[serde(default)]
    notes: BTreeSet<String>,
}

#[derive(Clone, Default, Deserialize)]
struct Sides {
    old: BTreeSet<usize>,
    new: BTreeSet<usize>,
}

/// Both files, line by line.
struct Files<'t> {
    old: Vec<&'t [u8]>,
    new: Vec<&'t [u8]>,
}

pub(super) fn answer(folder: &Folder) -> anyhow::Result<Texts> {
    let (old, new) = (folder.read("old.txt")?, folder.read("new.txt")?);
    let truth: Truth = folder.truth()?;
    let files = Files {
        old: old.split(|b| *b == b'\n').collect(),
        new: new.split(|b| *b == b'\n').collect(),
    };
    let plain = options().with(|o| o.moves = false);
    let found = diff_lines(&old, &new, &options())?;
    let unreduced = diff_lines(&old, &new, &plain)?;
    Ok(Texts {
        base: files.form(&files.told(&unreduced, &truth)),
        expected: files.form(&truth),
        ours: files.form(&files.told(&found, &truth)),
    })
}

impl Files<'_> {
    fn is_blank(lines: &[&[u8]], line: usize) -> bool {
        lines
            .get(line - 1)
            .is_none_or(|text| text.trim_ascii().is_empty())
    }

    /// What a report says, as the truth would have it: blank lines at the edges of
    /// moves count for neither, and what the truth does not mention is left out.
    fn told(&self, report: &LineReport, truth: &Truth) -> Truth {
        let trim = |lines: &[&[u8]], first: u32, last: u32| {
            let telling = |line: &usize| !Self::is_blank(lines, *line);
            let mut telling = (first as usize..=last as usize).filter(telling);
            let first = telling.next().unwrap_or(first as usize);
            (first, telling.next_back().unwrap_or(first))
        };
        let moves = report.moves.iter().map(|block| {
            let (a, b) = trim(
                &self.old,
                block.original_line_start,
                block.original_line_end,
            );
            let (c, d) = trim(
                &self.new,
                block.modified_line_start,
                block.modified_line_end,
            );
            [a, b, c, d]
        });
        let inside = report.moves.iter().flat_map(|block| &block.changes);
        let changes: Vec<&Change> = report.changes.iter().chain(inside).collect();
        let lines = |range: fn(&Change) -> [u32; 2]| -> BTreeSet<usize> {
            let ranges = changes.iter().map(|change| range(change));
            ranges
                .flat_map(|[start, end]| start as usize..end as usize)
                .collect()
        };
        let split = |lines: &[&[u8]], changed: BTreeSet<usize>| {
            changed
                .into_iter()
                .partition(|line| Self::is_blank(lines, *line))
        };
        let (old_blank, old) = split(&self.old, lines(|change| change.original));
        let (new_blank, new) = split(&self.new, lines(|change| change.modified));
        let indents = report.moves.iter().map(|block| {
            let indent = block.indent.clone();
            indent.map_or_else(Default::default, |indent| [indent.from, indent.to])
        });
        Truth {
            moves: moves.collect(),
            changed: Sides { old, new },
            blank: truth.blank.as_ref().map(|_| Sides {
                old: old_blank,
                new: new_blank,
            }),
            indents: truth.indents.as_ref().map(|_| indents.collect()),
            notes: report
                .notes
                .iter()
                .map(|note| note.kind.to_string())
                .collect(),
        }
    }

    /// The form in which reports are compared.
    fn form(&self, told: &Truth) -> String {
        let mut form = String::new();
        let indents = told.indents.iter().flatten().map(Some);
        let indents = indents.chain(std::iter::repeat(None));
        for ([a, b, c, d], indent) in told.moves.iter().zip(indents) {
            let _ = write!(form, "moved {a}-{b} -> {c}-{d}");
            if let Some([from, to]) = indent {
                let _ = write!(form, " indent {from:?} -> {to:?}");
            }
            form.push('\n');
        }
        let blank = told.blank.clone().unwrap_or_default();
        let sides = [
            ('-', &self.old, &told.changed.old, &blank.old),
            ('+', &self.new, &told.changed.new, &blank.new),
        ];
        for (mark, lines, changed, blank) in sides {
            for line in changed.union(blank) {
                let text = lines.get(line - 1).copied().unwrap_or_default();
                let _ = writeln!(form, "{mark}{line} {}", mvdiff_metrics::text_of(text));
            }
        }
        for note in &told.notes {
            let _ = writeln!(form, "note {note}");
        }
        form
    }
}
