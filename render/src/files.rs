//! A view of many files on a terminal.

use crate::paint::{self, FAINT, MOVED, NAME, NEW, OLD, visible};
use crate::view::{FileView, Line, Row, State, Stretch, View, fold};
use std::io::{self, Write};

/// Prints a view: file by file every change with its lines, every move at both its
/// ends with what changed inside, and the sentence that sums it up.
///
/// # Errors
/// What the writer returns.
pub fn files(out: &mut dyn Write, view: &View<'_>, context: u32) -> io::Result<()> {
    for file in &view.files {
        let name = visible(&file.name());
        let facts = file.facts.join(", ");
        let gap = if facts.is_empty() { "" } else { "   " };
        writeln!(out, "{NAME}{name}{NAME:#}{gap}{FAINT}{facts}{FAINT:#}")?;
        print(out, view, file, context as usize)?;
        writeln!(out)?;
    }
    if view.files.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", view.summary)
}

fn print(
    out: &mut dyn Write,
    view: &View<'_>,
    file: &FileView<'_>,
    context: usize,
) -> io::Result<()> {
    let mut told = false;
    for stretch in fold(&file.rows, context) {
        let Stretch::Shown(range) = stretch else {
            continue;
        };
        if told {
            writeln!(out, "{FAINT}   …{FAINT:#}")?;
        }
        told = true;
        for run in file.rows[range].chunk_by(|a, b| kind(a) == kind(b)) {
            match kind(&run[0]) {
                Kind::Same => {
                    for line in run.iter().filter_map(|row| sides(row)[1]) {
                        paint::context(out, WIDTH, line.number, line.text)?;
                    }
                }
                Kind::Changed => changed(out, run)?,
                Kind::Block(block, is_new) => {
                    let moved = &view.moves[block];
                    let verb = if moved.is_copy { "copied" } else { "moved" };
                    let (label, places) = (&moved.label, visible(&moved.places()));
                    write!(out, "  {MOVED}{label}  {verb}{MOVED:#}  {places}")?;
                    if is_new {
                        write!(out, "   {FAINT}{}{FAINT:#}", moved.what)?;
                    }
                    writeln!(out)?;
                    inside(out, run, is_new)?;
                }
            }
        }
    }
    Ok(())
}

const WIDTH: usize = 4;

#[derive(PartialEq)]
enum Kind {
    Same,
    Changed,
    /// A line of a block, at its new end or at its old one.
    Block(usize, bool),
}

fn sides<'r, 't>(row: &'r Row<'t>) -> [Option<&'r Line<'t>>; 2] {
    match row {
        Row::Lines { old, new } => [old.as_ref(), new.as_ref()],
        Row::Unknown { .. } => [None, None],
    }
}

fn kind(row: &Row<'_>) -> Kind {
    let [old, new] = sides(row);
    let block = |line: Option<&Line<'_>>| line.and_then(|line| line.block);
    match (block(old), block(new)) {
        (_, Some(block)) => Kind::Block(block, true),
        (Some(block), None) => Kind::Block(block, false),
        _ if row.is_quiet() => Kind::Same,
        _ => Kind::Changed,
    }
}

/// Old lines, then new ones.
fn changed(out: &mut dyn Write, run: &[Row<'_>]) -> io::Result<()> {
    for (side, mark) in [OLD, NEW].into_iter().enumerate() {
        for line in run.iter().filter_map(|row| sides(row)[side]) {
            paint::line(out, WIDTH, line.number, mark, line.text, &line.spans)?;
        }
    }
    Ok(())
}

/// What changed in a block: what was edited and what came at its new end, what went
/// at its old one.
fn inside(out: &mut dyn Write, run: &[Row<'_>], is_new: bool) -> io::Result<()> {
    for row in run {
        let Some(line) = sides(row)[usize::from(is_new)] else {
            continue;
        };
        match (line.state, &line.other) {
            (State::Edited, Some(other)) if is_new => {
                paint::line(out, WIDTH, other.number, OLD, other.text, &other.spans)?;
                paint::line(out, WIDTH, line.number, NEW, line.text, &line.spans)?;
            }
            (State::Alone, _) => {
                let mark = if is_new { NEW } else { OLD };
                paint::line(out, WIDTH, line.number, mark, line.text, &line.spans)?;
            }
            _ => {}
        }
    }
    Ok(())
}
