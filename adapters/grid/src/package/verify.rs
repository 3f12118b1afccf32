//! What was written, read again: a file that does not hold the new workbook is not given out.
//!
//! Readers are lenient and take what they can of a part that is not well-formed XML. Written
//! over, such a part may be read in another way.

use super::PatchError;
use crate::{Content, ReadOptions, Workbook};

/// Whether a file holds this workbook.
pub(super) fn verify(
    file: &[u8],
    book: &Workbook,
    options: &ReadOptions,
) -> Result<(), PatchError> {
    let mut made = crate::read_workbook(file, None, options)
        .map_err(|error| PatchError::Unlike(error.to_string()))?;
    for (made, wanted) in made.sheets.iter_mut().zip(&book.sheets) {
        match (&made.content, &wanted.content) {
            // Sheets that nobody read were copied.
            (_, Content::Unread) => {
                made.content = Content::Unread;
                made.merges.clone_from(&wanted.merges);
            }
            // A report holds no charts, so that one that came is a tab without one.
            (Content::Other(_), Content::Other(kind)) => made.content = Content::Other(*kind),
            _ => {}
        }
    }
    if made.same(book) {
        return Ok(());
    }
    let sheets = made.sheets.iter().zip(&book.sheets);
    let mut differing = sheets.filter(|(made, wanted)| !made.same(wanted));
    let what = match differing.next() {
        Some((_, sheet)) => format!("sheet {:?} would be another", sheet.name),
        None if made.sheets.len() != book.sheets.len() => "it would have other sheets".to_owned(),
        None => "its names would be others".to_owned(),
    };
    Err(PatchError::Unlike(what))
}
