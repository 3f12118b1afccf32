//! Sentences about files and moves of an effective report.

use crate::styles::{decode, indented, visible};
use mvdiff_text::effective::{EffectiveReport, MoveDetail, MoveKind};
use mvdiff_text::patch::{FilePatch, Status};
use std::fmt::Write as _;

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
        MoveKind::Merge => ("J", "merged"),
        MoveKind::Indent if is_shifted(block) => ("I", "indented"),
        MoveKind::Indent => ("I", "respaced"),
        MoveKind::Stay => ("S", "stayed"),
    }
}

/// Whether the indentation of a block changed. If not, one that stayed changed at its
/// line ends only.
pub(crate) fn is_shifted(block: &MoveDetail) -> bool {
    let shift = block.indent.as_ref();
    shift.is_some_and(|shift| shift.from != shift.to)
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

/// The mode of a symbolic link.
const LINK: u32 = 0o120_000;

/// What else happened to a file.
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
    } else if file.new_mode.or(file.old_mode) == Some(LINK) {
        facts.push("link".to_owned());
    }
    if mvdiff_text::effective::is_submodule(file) {
        facts.push("submodule".to_owned());
    }
    if file.is_binary() {
        facts.push("binary".to_owned());
    }
    facts
}

/// How much of a block survived.
pub(crate) fn survived(block: &MoveDetail) -> String {
    let matched = block.matched_lines;
    if block.kind == MoveKind::Indent && !is_shifted(block) {
        return format!("{matched} lines differ at their ends only");
    }
    let gone = (block.edited_pairs.len() as u32).saturating_add(deleted(block));
    let mut text = match (matched, gone) {
        (1, 0) => "unchanged".to_owned(),
        (0, gone) => format!("all {gone} lines edited"),
        (_, 0) => format!("{matched} lines unchanged"),
        _ => format!(
            "{matched} of {} lines unchanged",
            matched.saturating_add(gone)
        ),
    };
    if let Some(shift) = &block.indent {
        let _ = write!(text, ", {}", indented(shift));
    }
    match left_out(block) {
        0 => {}
        1 => text.push_str(", white space in 1 line left out"),
        n => {
            let _ = write!(text, ", white space in {n} lines left out");
        }
    }
    text
}

/// Lines of a block in which white space changed and nothing else shows it. In a block
/// that shifted as a whole they cannot be distinguished from those that only followed.
fn left_out(block: &MoveDetail) -> u32 {
    match block.indent {
        Some(_) => block.whitespace_lines.saturating_sub(block.matched_lines),
        None => block.whitespace_lines,
    }
}

/// Old lines of a block that have no counterpart.
fn deleted(block: &MoveDetail) -> u32 {
    let [first, last] = block.source_lines;
    let size = last.saturating_sub(first).saturating_add(1);
    let paired = (block.edited_pairs.len() as u32).saturating_add(block.matched_lines);
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
    let changed = report.input.added.saturating_add(report.input.removed);
    let left = report.total_lines_effectively_changed;
    let files = count(report.input.files, "file", "files");
    let copies = report.moves.iter().filter(|m| m.kind == MoveKind::Copy);
    let copies = copies.count() as u32;
    let moves = report.moves_detected;
    if report.input.files == 0 && report.input.remarks == 0 {
        return "No changes.".to_owned();
    }
    let mut found = files;
    if moves > 0 {
        let _ = write!(found, ", {}", count(moves, "move", "moves"));
    }
    if copies > 0 {
        let _ = write!(found, ", {}", count(copies, "copy", "copies"));
    }
    let stayed = report.moves.iter().filter(|m| m.kind == MoveKind::Indent);
    let respaced = stayed.filter(|m| !is_shifted(m)).count() as u32;
    let indented = report.indents_detected.saturating_sub(respaced);
    for (blocks, how) in [(indented, "indented"), (respaced, "respaced")] {
        if blocks > 0 {
            let _ = write!(found, ", {} {how}", count(blocks, "block", "blocks"));
        }
    }
    if report.input.remarks > 0 {
        let places = count(report.input.remarks, "place", "places");
        let _ = write!(found, ", {places} not understood");
    }
    if report.blocks().is_empty() {
        let refused = report.notes.iter().any(|note| note.kind == "check");
        if left == 0 && !refused {
            return format!("{found}. No line of text changed.");
        }
        let what = if refused {
            "Moves are not shown"
        } else {
            "Nothing moved"
        };
        return format!("{found}. {what}; {} to read.", count(left, "line", "lines"));
    }
    let kinds = [
        (moves.saturating_add(copies), "moved"),
        (indented, "shifted"),
        (respaced, "respaced"),
    ];
    let mut kinds = kinds.to_vec();
    kinds.retain(|(blocks, how)| *blocks > 0 || *how == "moved" && report.indents_detected == 0);
    let how = kinds
        .iter()
        .map(|(_, how)| *how)
        .collect::<Vec<_>>()
        .join(" or ");
    let left_out = report.moves.iter().map(left_out);
    let spaced = match left_out.fold(0, u32::saturating_add) {
        0 => String::new(),
        n => format!(", {} with other white space", grouped(n)),
    };
    format!(
        "{found}. {} of {} changed lines only {how}{spaced}; {} left to read.   (nothing hidden: checked)",
        grouped(changed.saturating_sub(left)),
        grouped(changed),
        grouped(left)
    )
}

/// 1234567 as 1,234,567.
pub(crate) fn grouped(n: u32) -> String {
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
