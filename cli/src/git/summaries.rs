//! Counts and names of files, as git has them, and what moved.

use crate::args::ReportArgs;
use crate::contents::Place;
use crate::effective;
use crate::output::{self, Content};
use mvdiff_text::effective::{EffectiveReport, MoveKind};
use mvdiff_text::patch::Changeset;
use std::io::Write;

/// Prints git's output.
pub(super) fn print(answer: &[u8], exit_code: bool) -> anyhow::Result<u8> {
    let out = |out: &mut dyn Write| out.write_all(answer);
    output::to_stdout(true, Content::Bytes, Box::new(out))?;
    let is_left = exit_code && !answer.is_empty();
    Ok(if is_left { effective::LEFT_TO_READ } else { 0 })
}

/// The option that asks for counts as wide as the terminal.
pub(super) fn stat_width() -> String {
    let width = crate::screen::columns(None).unwrap_or(80);
    format!("--stat={width}")
}

/// Prints git's counts, with the lines that only moved behind each file and in the sum.
pub(super) fn stat(
    answer: &[u8],
    changesets: &[Changeset<'_>],
    place: &mut Place,
    args: &ReportArgs,
) -> anyhow::Result<u8> {
    let options = effective::options(args);
    let mut moved: Vec<u32> = Vec::new();
    let mut is_left = false;
    for changeset in changesets {
        let (report, _) = effective::look_up(changeset, place, &options)?;
        is_left |= effective::is_left(&report);
        let files = changeset.files.iter();
        moved.extend(
            files.map(|file| moved_in(&report, file.new_path.as_deref(), file.old_path.as_deref())),
        );
    }
    let lines: Vec<&[u8]> = mvdiff_lines::split(answer).collect();
    let sum: u32 = moved.iter().sum();
    // One line a file, in the order of the patch; and the sum.
    let fits = lines.len() == moved.len() + 1 && sum > 0;
    let mut text = Vec::with_capacity(answer.len() + 16 * lines.len());
    for (at, line) in lines.iter().enumerate() {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        text.extend_from_slice(line);
        let count = moved.get(at).copied().unwrap_or(sum);
        if fits && count > 0 {
            let is_sum = at == moved.len();
            let said = if is_sum {
                format!(", {count} moved")
            } else {
                format!("  ({count} moved)")
            };
            text.extend_from_slice(said.as_bytes());
        }
        text.push(b'\n');
    }
    print(&text, false)?;
    let is_left = args.exit_code && is_left;
    Ok(if is_left { effective::LEFT_TO_READ } else { 0 })
}

/// Lines that came to a file and only moved; of a file that is gone, those that left it
/// are counted where they are now.
fn moved_in(report: &EffectiveReport, new: Option<&[u8]>, old: Option<&[u8]>) -> u32 {
    let Some(path) = new.or(old).filter(|_| new.is_some()) else {
        return 0;
    };
    let moves = report
        .moves
        .iter()
        .filter(|block| block.kind == MoveKind::Move);
    let here = moves.filter(|block| block.target_file.0 == path);
    here.map(|block| block.matched_lines).sum()
}
