//! A plain patch that `git apply` and `patch` take.

use crate::Lines;
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
    name_line(out, b"--- ", &options.old_name)?;
    name_line(out, b"+++ ", &options.new_name)?;
    let near = |a: &Hunk, b: &Hunk| b.old.start - a.old.end <= options.context.saturating_mul(2);
    for group in hunks.chunk_by(near) {
        write_group(out, (old, new), group, options.context)?;
    }
    Ok(())
}

/// A name as git writes it: quoted where it holds quotes or control characters;
/// else a tab after one with blanks keeps `patch` from cutting it.
fn name_line(out: &mut dyn Write, mark: &[u8], name: &[u8]) -> io::Result<()> {
    out.write_all(mark)?;
    let special = |b: &u8| b.is_ascii_control() || matches!(b, b'"' | b'\\');
    if !name.iter().any(special) {
        out.write_all(name)?;
        let end: &[u8] = if name.contains(&b' ') { b"\t\n" } else { b"\n" };
        return out.write_all(end);
    }
    out.write_all(b"\"")?;
    for &byte in name {
        match byte {
            b'"' | b'\\' => out.write_all(&[b'\\', byte])?,
            b'\n' => out.write_all(b"\\n")?,
            b'\t' => out.write_all(b"\\t")?,
            byte if byte.is_ascii_control() => write!(out, "\\{byte:03o}")?,
            byte => out.write_all(&[byte])?,
        }
    }
    out.write_all(b"\"\n")
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
        write_lines(out, b" ", old, at..hunk.old.start)?;
        write_lines(out, b"-", old, hunk.old.clone())?;
        write_lines(out, b"+", new, hunk.new.clone())?;
        at = hunk.old.end;
    }
    write_lines(out, b" ", old, at..old_range.end)
}

/// `start,count` as diff writes it: 1-based, the line before for no lines, no
/// count for one.
fn numbers(range: &Range<u32>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        count => format!("{},{count}", range.start + 1),
    }
}

fn write_lines(
    out: &mut dyn Write,
    mark: &[u8],
    lines: &Lines<'_>,
    range: Range<u32>,
) -> io::Result<()> {
    for index in range {
        let line = lines.get(index as usize);
        out.write_all(mark)?;
        out.write_all(line)?;
        if !line.ends_with(b"\n") {
            out.write_all(b"\n\\ No newline at end of file\n")?;
        }
    }
    Ok(())
}
