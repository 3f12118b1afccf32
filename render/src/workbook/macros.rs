//! Macro modules and queries, compared line by line with moves.

use super::counts::some;
use super::value::escaped;
use mvdiff_grid::{CodeChange, DiffOp};
use mvdiff_text::{Change, LineReport, MoveKind};

/// What an operation says about code, and what that is; none if it says nothing.
pub(super) fn of(op: &DiffOp) -> Option<(&'static str, &CodeChange)> {
    match op {
        DiffOp::ModuleChanged(code) => Some(("module", code)),
        DiffOp::QueryChanged(code) => Some(("query", code)),
        _ => None,
    }
}

/// A module or a query and what changed in it.
pub(super) struct Code {
    /// `2 lines added, 1 removed, 5 moved`.
    pub summary: String,
    /// As in a unified diff, without lines around the changes.
    pub lines: Vec<String>,
}

impl Code {
    pub fn new(change: &CodeChange) -> Self {
        let (Some(from), Some(to)) = (&change.from, &change.to) else {
            let text = change.from.as_ref().or(change.to.as_ref());
            let count = text.map_or(0, |text| text.lines().count());
            return Self {
                summary: some(count, "line", "lines"),
                lines: Vec::new(),
            };
        };
        let report =
            mvdiff_text::diff_lines(from.as_bytes(), to.as_bytes(), &mvdiff_text::options());
        match report {
            Ok(report) => Self {
                summary: summary(&report),
                lines: lines(&report, from, to),
            },
            Err(_) => Self {
                summary: "too long to compare line by line".to_owned(),
                lines: Vec::new(),
            },
        }
    }
}

fn summary(report: &LineReport) -> String {
    let stats = &report.stats;
    let said = [
        (stats.additions, "added"),
        (stats.deletions, "removed"),
        (stats.modified, "edited"),
        (stats.moved, "moved"),
        (stats.reindented, "indented"),
    ];
    let mut words: Vec<String> = Vec::new();
    for (count, what) in said.into_iter().filter(|(count, _)| *count > 0) {
        words.push(if words.is_empty() {
            format!("{} {what}", some(count as usize, "line", "lines"))
        } else {
            format!("{count} {what}")
        });
    }
    if words.is_empty() {
        return "line ends changed".to_owned();
    }
    words.join(", ")
}

fn lines(report: &LineReport, from: &str, to: &str) -> Vec<String> {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.lines().collect(), to.lines().collect());
    let texts = [&from[..], &to[..]];
    let mut pieces: Vec<(u32, Vec<String>)> = report
        .changes
        .iter()
        .map(|change| (change.modified[0], hunk(change, texts)))
        .collect();
    for moved in &report.moves {
        let verb = match moved.kind {
            MoveKind::Indent => "indented",
            _ => "moved",
        };
        let mut piece = vec![format!(
            "{verb} lines {}-{} -> {}-{}",
            moved.original_line_start,
            moved.original_line_end,
            moved.modified_line_start,
            moved.modified_line_end
        )];
        piece.extend(moved.changes.iter().flat_map(|change| hunk(change, texts)));
        pieces.push((moved.modified_line_start, piece));
    }
    pieces.sort_by_key(|piece| piece.0);
    pieces.into_iter().flat_map(|(_, piece)| piece).collect()
}

fn hunk(change: &Change, [from, to]: [&[&str]; 2]) -> Vec<String> {
    let count = |[first, end]: [u32; 2]| end - first;
    let mut lines = vec![format!(
        "@@ -{},{} +{},{} @@",
        change.original[0],
        count(change.original),
        change.modified[0],
        count(change.modified)
    )];
    for (sign, range, text) in [('-', change.original, from), ('+', change.modified, to)] {
        for line in range[0]..range[1] {
            let line = text.get((line as usize).saturating_sub(1));
            lines.push(format!("{sign}{}", escaped(line.unwrap_or(&""))));
        }
    }
    lines
}
