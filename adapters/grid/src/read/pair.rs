//! Two workbooks at once, and what need not be read because both have it.

use super::error::{PairError, ReadError};
use super::limits::ReadOptions;
use super::xlsx::Source;
use super::{FileFormat, alike, load, prepare};
use crate::Workbook;
use memchr::memmem;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::thread;

/// Below this size a sheet is read in any case: it costs next to nothing, and what
/// is wrong with it is said.
const SMALL: u64 = 1 << 16;

/// Bytes looked at together, and what of them is looked at again with the next.
const CHUNK: usize = 1 << 18;
const KEPT: usize = 1;

/// Reads two workbooks that are to be compared, side by side.
///
/// A sheet of `.xlsx` is left unread ([`Content::Unread`](crate::Content::Unread) in
/// both) if it is byte for byte the same in both files, texts and formats that it
/// refers to are, too, no formula in it names another sheet, and no sheet came that
/// could be a copy of it.
///
/// # Errors
/// [`PairError`] says which file could not be read, and why.
pub fn open_pair(
    old: impl AsRef<Path>,
    new: impl AsRef<Path>,
    options: &ReadOptions,
) -> Result<(Workbook, Workbook), PairError> {
    let paths = (old.as_ref(), new.as_ref());
    let (old, new) = both(|| load(paths.0, options), || load(paths.1, options));
    let (old, new) = (named(paths.0, old)?, named(paths.1, new)?);
    let (first, second) = read_pair((&old, Some(paths.0)), (&new, Some(paths.1)), options);
    Ok((named(paths.0, first)?, named(paths.1, second)?))
}

/// Reads two workbooks from memory, as [`open_pair`] does; beside the bytes is
/// the name of the file, if it has one.
///
/// # Errors
/// [`ReadError`] for each.
pub fn read_pair(
    old: (&[u8], Option<&Path>),
    new: (&[u8], Option<&Path>),
    options: &ReadOptions,
) -> (Result<Workbook, ReadError>, Result<Workbook, ReadError>) {
    let (first, second) = both(
        || prepare(old.0, old.1, options),
        || prepare(new.0, new.1, options),
    );
    let (mut first, mut second) = match (first, second) {
        (Ok(FileFormat::Xlsx(first)), Ok(FileFormat::Xlsx(second))) => (first, second),
        (first, second) => {
            let beside = match (&first, &second) {
                (Ok(first), Ok(second)) if old.0 != new.0 => {
                    first.beside(options).zip(second.beside(options))
                }
                _ => None,
            };
            let (mut first, mut second) = both(
                || first.and_then(|kind| kind.read(options)),
                || second.and_then(|kind| kind.read(options)),
            );
            if let (Ok(first), Ok(second), Some((was, is))) = (&mut first, &mut second, beside) {
                (first.parts, second.parts) = (was, is);
            }
            return (first, second);
        }
    };
    let same = alike::same_parts(first.package(), second.package());
    // If it fails, each says by itself whose fault it is.
    let unread = unread(&mut first, &mut second, options).unwrap_or_default();
    let unread = if options.every_sheet || sheet_came(&first, &second) {
        HashSet::new()
    } else {
        unread
    };
    both(
        || first.read(options, &unread, Some(&same)),
        || second.read(options, &unread, Some(&same)),
    )
}

/// Whether there are more sheets than before: one that came may be a copy of any other,
/// so all are read.
fn sheet_came(old: &Source<'_>, new: &Source<'_>) -> bool {
    new.book.sheets.len() > old.book.sheets.len()
}

/// The sheets that both have and that need not be read. The shared texts are read
/// on the way, once if they are the same.
fn unread(
    old: &mut Source<'_>,
    new: &mut Source<'_>,
    options: &ReadOptions,
) -> Result<HashSet<String>, ReadError> {
    // The same numbers of styles have to mean the same looks.
    let looks = old.styles.cells.iter().zip(&new.styles.cells);
    let looks = looks.clone().all(|(old, new)| old == new);
    let same = if old.book.is_1904 == new.book.is_1904 && old.formats == new.formats && looks {
        same_parts(old, new)
    } else {
        Vec::new()
    };
    let texts = old.packed_strings();
    if texts == new.packed_strings() {
        let (strings, unread) = both(
            || old.load_strings(options),
            || standing_alone(new, &same, |sheet| &sheet.new),
        );
        new.share_strings(strings?);
        return Ok(unread);
    }
    let (ours, theirs) = both(|| old.load_strings(options), || new.load_strings(options));
    if !ours?.agrees(&*theirs?) {
        return Ok(HashSet::new());
    }
    let (left, right) = same.split_at(same.len() / 2);
    let (mut left, right) = both(
        || standing_alone(old, left, |sheet| &sheet.old),
        || standing_alone(new, right, |sheet| &sheet.new),
    );
    left.extend(right);
    Ok(left)
}

/// A sheet that both have: its name, and its part in each.
struct Same {
    name: String,
    old: String,
    new: String,
}

/// The sheets of one name whose parts are the same bytes.
fn same_parts(old: &mut Source<'_>, new: &mut Source<'_>) -> Vec<Same> {
    let theirs: HashMap<String, String> = parts(new).into_iter().collect();
    let mut same = Vec::new();
    for (name, part) in parts(old) {
        let Some(other) = theirs.get(&name) else {
            continue;
        };
        let packed = old.packed(&part);
        let large = packed.is_some_and(|packed| packed.size() >= SMALL);
        if large && packed == new.packed(other) {
            same.push(Same {
                name,
                old: part,
                new: other.clone(),
            });
        }
    }
    same
}

/// The names of the sheets with cells, and their parts.
fn parts(source: &Source<'_>) -> Vec<(String, String)> {
    let sheets = source.book.sheets.iter();
    let cells = sheets.filter_map(|sheet| Some((sheet.name.clone(), sheet.part.clone().ok()?)));
    cells.collect()
}

/// Those of the sheets whose formulas name no other.
fn standing_alone<'s>(
    source: &mut Source<'_>,
    sheets: &'s [Same],
    part: impl Fn(&'s Same) -> &'s str,
) -> HashSet<String> {
    let alone = sheets
        .iter()
        .filter(|sheet| matches!(names_a_sheet(source, part(sheet)), Ok(false)));
    alone.map(|sheet| sheet.name.clone()).collect()
}

/// Whether a formula in the part may name another sheet. An error is for the reader
/// to tell.
fn names_a_sheet(source: &mut Source<'_>, part: &str) -> Result<bool, ReadError> {
    let mut reader = source.reader(part)?;
    let mut buffer = Vec::new();
    let (mut plain, mut more) = (false, true);
    while more {
        let want = buffer.len().max(CHUNK) as u64;
        more = reader.fill(&mut buffer, want)?;
        // Prefixes and other encodings are for the reader to understand.
        plain = plain || memmem::find(&buffer, b"<sheetData").is_some();
        let mut at = 0;
        while let Some(found) = memmem::find(&buffer[at..], b"<f") {
            let start = at + found;
            match buffer.get(start + 2) {
                Some(b'>' | b'/' | b' ' | b'\t' | b'\r' | b'\n') => {}
                // Another element, such as the formula of a condition.
                Some(_) => {
                    at = start + 2;
                    continue;
                }
                None => {
                    at = start;
                    break;
                }
            }
            let tag = memchr::memchr(b'>', &buffer[start..]).map(|end| start + end);
            let end = match tag {
                Some(tag) if buffer[tag - 1] == b'/' => Some(tag),
                _ => memmem::find(&buffer[start..], b"</f>").map(|end| start + end),
            };
            match end {
                Some(end) if buffer[start..end].contains(&b'!') => return Ok(true),
                Some(end) => at = end,
                None if more => {
                    at = start;
                    break;
                }
                // One that never ends.
                None => return Ok(true),
            }
        }
        // What may be the first half of a tag stays.
        let rest = buffer[at..].starts_with(b"<f");
        let keep = if rest {
            at
        } else {
            at.max(buffer.len().saturating_sub(KEPT))
        };
        if plain {
            buffer.drain(..keep);
        }
    }
    Ok(!plain)
}

/// Runs both at once.
fn both<A: Send, B: Send>(first: impl FnOnce() -> A, second: impl FnOnce() -> B + Send) -> (A, B) {
    thread::scope(|scope| {
        let second = scope.spawn(second);
        let first = first();
        match second.join() {
            Ok(second) => (first, second),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn named<T>(path: &Path, read: Result<T, ReadError>) -> Result<T, PairError> {
    read.map_err(|error| PairError {
        path: path.to_owned(),
        error,
    })
}
