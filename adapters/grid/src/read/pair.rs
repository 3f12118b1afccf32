//! Two workbooks at once, and what need not be read because both have it.

use super::error::{PairError, ReadError};
use super::limits::ReadOptions;
use super::xlsx::Source;
use super::{Kind, load, prepare};
use crate::Workbook;
use memchr::memmem;
use std::collections::HashSet;
use std::path::Path;
use std::thread;

/// Below this size a sheet is read in any case: it costs next to nothing, and what
/// is wrong with it is said.
const SMALL: u64 = 1 << 16;

/// Reads two workbooks that are to be compared, side by side.
///
/// A sheet of `.xlsx` is left unread ([`Content::Unread`](crate::Content::Unread) in
/// both) if it is byte for byte the same in both files, texts and formats that it
/// refers to are, too, and no formula in it names another sheet.
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

/// Reads two workbooks from memory, as [`open_pair`] does; beside the bytes stands
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
        (Ok(Kind::Xlsx(first)), Ok(Kind::Xlsx(second))) => (first, second),
        (first, second) => {
            return both(
                || first.and_then(|kind| kind.read(options)),
                || second.and_then(|kind| kind.read(options)),
            );
        }
    };
    let unread = unread(&mut first, &mut second);
    both(
        || first.read(options, &unread),
        || second.read(options, &unread),
    )
}

/// The sheets that both have and that need not be read.
fn unread(old: &mut Source<'_>, new: &mut Source<'_>) -> HashSet<String> {
    let alike = old.book.is_1904 == new.book.is_1904
        && old.formats == new.formats
        && old.strings.agrees(&new.strings);
    if !alike {
        return HashSet::new();
    }
    let parts = |source: &Source<'_>| -> Vec<(String, String)> {
        let sheets = source.book.sheets.iter();
        let cells = sheets.filter_map(|s| Some((s.name.clone(), s.part.clone().ok()?)));
        cells.collect()
    };
    let (ours, theirs) = (parts(old), parts(new));
    let mut same: Vec<(String, String, String)> = Vec::new();
    for (name, part) in ours {
        let Some((_, other)) = theirs.iter().find(|(other, _)| *other == name) else {
            continue;
        };
        let packed = old.packed(&part);
        let large = packed.is_some_and(|packed| packed.size() >= SMALL);
        if large && packed == new.packed(other) {
            same.push((name, part, other.clone()));
        }
    }
    // Each side looks into half of them.
    let (left, right) = same.split_at(same.len() / 2);
    let (left, right) = both(
        || {
            let own = left.iter().filter(|(_, part, _)| !names_a_sheet(old, part));
            own.map(|(name, ..)| name.clone()).collect::<Vec<_>>()
        },
        || {
            let own = right.iter().filter(|(.., part)| !names_a_sheet(new, part));
            own.map(|(name, ..)| name.clone()).collect::<Vec<_>>()
        },
    );
    left.into_iter().chain(right).collect()
}

/// Whether a formula in the part may name another sheet, or the part cannot be
/// read: then the reader says why.
fn names_a_sheet(source: &mut Source<'_>, part: &str) -> bool {
    let Ok(bytes) = source.part(part) else {
        return true;
    };
    // Prefixes and other encodings are for the reader to understand.
    if memmem::find(&bytes, b"<sheetData").is_none() {
        return true;
    }
    let mut rest = bytes.as_slice();
    while let Some(begin) = memmem::find(rest, b"<f") {
        rest = &rest[begin + 2..];
        let end = memmem::find(rest, b"</f>").unwrap_or(rest.len());
        let closed = memchr::memchr(b'>', rest).is_some_and(|at| at > 0 && rest[at - 1] == b'/');
        if !closed && rest[..end].contains(&b'!') {
            return true;
        }
    }
    false
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
