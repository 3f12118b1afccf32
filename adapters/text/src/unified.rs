//! A plain patch that `git apply` and `patch` take.

use crate::Lines;
use crate::patch::{HighBytes, LineKind, Numbers, write_line, write_name};
use mvdiff_core::Hunk;
use std::io::{self, Write};
use std::ops::Range;

/// How a patch is printed.
#[derive(Clone, Debug)]
pub struct UnifiedOptions {
    /// Lines of context around a change. Default 3.
    pub context: u32,
    /// Name of the old file in the `---` line.
    pub old_name: Vec<u8>,
    /// Name of the new file in the `+++` line.
    pub new_name: Vec<u8>,
}

/// Writes the hunks between two texts as a unified diff; nothing for no hunks.
///
/// # Errors
/// What the writer returns.
pub fn write_unified(
    out: &mut dyn Write,
    (old, new): (&Lines<'_>, &Lines<'_>),
    hunks: &[Hunk],
    options: &UnifiedOptions,
) -> io::Result<()> {
    if hunks.is_empty() {
        return Ok(());
    }
    write_name(out, b"--- ", Some(&options.old_name), HighBytes::Plain)?;
    write_name(out, b"+++ ", Some(&options.new_name), HighBytes::Plain)?;
    let near = |a: &Hunk, b: &Hunk| b.old.start - a.old.end <= options.context.saturating_mul(2);
    for group in hunks.chunk_by(near) {
        write_group(out, (old, new), group, options.context)?;
    }
    Ok(())
}

fn write_group(
    out: &mut dyn Write,
    (old, new): (&Lines<'_>, &Lines<'_>),
    group: &[Hunk],
    context: u32,
) -> io::Result<()> {
    let (first, last) = (&group[0], &group[group.len() - 1]);
    let before = context.min(first.old.start);
    let after = context.min(old.len() as u32 - last.old.end);
    let old_range = first.old.start - before..last.old.end + after;
    let new_range = first.new.start - before..last.new.end + after;
    writeln!(
        out,
        "@@ -{} +{} @@",
        numbers(&old_range),
        numbers(&new_range)
    )?;
    let mut at = old_range.start;
    for hunk in group {
        write_lines(out, LineKind::Context, old, at..hunk.old.start)?;
        write_lines(out, LineKind::Removed, old, hunk.old.clone())?;
        write_lines(out, LineKind::Added, new, hunk.new.clone())?;
        at = hunk.old.end;
    }
    write_lines(out, LineKind::Context, old, at..old_range.end)
}

/// A range as diff writes it: 1-based, the line before for no lines.
fn numbers(range: &Range<u32>) -> Numbers {
    let count = range.len() as u32;
    Numbers(range.start + u32::from(count > 0), count)
}

fn write_lines(
    out: &mut dyn Write,
    kind: LineKind,
    lines: &Lines<'_>,
    range: Range<u32>,
) -> io::Result<()> {
    range
        .map(|index| lines.get(index as usize))
        .try_for_each(|line| write_line(out, kind, line))
}
