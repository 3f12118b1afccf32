//! Sheets as nearly all programs write them, read without an XML parser.
//!
//! The scanner knows what a sheet may look like and says [`Stop::Unusual`] at
//! anything else: other encodings, entities of its own, elements in a cell that it does not know. Then calamine reads the sheet from its
//! beginning. So there are two readers, and a test holds them to the same answer.

use super::cursor::{Cursor, Tag};
use super::error::ReadError;
use super::rows::Rows;
use super::sink::Sink;
use crate::{Address, Area};
use memchr::memmem;

/// Why the scanner stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// It may be right, but it is not plain.
    Unusual,
    /// It is wrong.
    Bad(Box<ReadError>),
}

impl From<ReadError> for Stop {
    fn from(error: ReadError) -> Self {
        Self::Bad(Box::new(error))
    }
}

/// Bytes taken from the part at a time, at least; as many as are waiting if they are
/// more, so that nothing is looked through too often.
const CHUNK: usize = 1 << 18;

/// What is around the cells of a sheet.
pub(super) struct Around {
    pub merges: Vec<Area>,
    /// The XML of the sheet without its cells.
    pub shell: String,
}

/// Reads the sheet whose bytes `fill` adds to a buffer until it says false; the
/// cells are in the sink.
pub(super) fn read(
    mut fill: impl FnMut(&mut Vec<u8>, u64) -> Result<bool, ReadError>,
    sink: &mut Sink<'_>,
) -> Result<Around, Stop> {
    let mut buffer = Vec::new();
    let mut more = true;
    // Up to the cells.
    let (begin, prefix) = loop {
        if let Some(found) = find_cells(&buffer) {
            break found;
        }
        if !more {
            return Err(Stop::Unusual);
        }
        more = more_of(&mut fill, &mut buffer)?;
    };
    let prefix = prefix.as_str();
    check_head(&buffer[..begin], prefix)?;
    let open = memchr::memrchr(b'<', &buffer[..begin]).unwrap_or(begin);
    let mut shell = String::from_utf8_lossy(&buffer[..open]).into_owned();
    let row_end = format!("</{prefix}row>");
    let row_end = memmem::FinderRev::new(&row_end);
    let mut cursor = Cursor::new(utf8_prefix(&buffer), prefix);
    cursor.at = begin;
    let closed = cursor.skip_attributes()? == Tag::Closed;
    let mut done = cursor.at;
    let mut rows = Rows::new(sink);
    if !closed {
        loop {
            // Whole rows only, as long as there is more to come.
            let end = if more {
                let found = row_end.rfind(&buffer[done..]);
                found.map(|at| done + at + row_end.needle().len())
            } else {
                Some(buffer.len())
            };
            if let Some(end) = end {
                let text = std::str::from_utf8(&buffer[done..end]).map_err(|_| Stop::Unusual)?;
                let mut cursor = Cursor::new(text, prefix);
                let ended = rows.scan(&mut cursor)?;
                done += cursor.at;
                if ended {
                    break;
                }
                if !more {
                    return Err(Stop::Unusual);
                }
                buffer.drain(..done);
                done = 0;
            }
            more = more_of(&mut fill, &mut buffer)?;
        }
    }
    while more {
        more = more_of(&mut fill, &mut buffer)?;
    }
    let part = rows.sink.part;
    let merges = merges(part, &buffer[done..], prefix)?;
    shell.push_str(&String::from_utf8_lossy(&buffer[done..]));
    Ok(Around { merges, shell })
}

fn more_of(
    fill: &mut impl FnMut(&mut Vec<u8>, u64) -> Result<bool, ReadError>,
    buffer: &mut Vec<u8>,
) -> Result<bool, ReadError> {
    let want = buffer.len().max(CHUNK) as u64;
    fill(buffer, want)
}

/// The longest beginning that is valid.
fn utf8_prefix(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}

/// Where the attributes of `<sheetData` begin, once its tag is there, and the
/// prefix of all elements.
fn find_cells(buffer: &[u8]) -> Option<(usize, String)> {
    const NAME: &[u8] = b"sheetData";
    let at = memmem::find_iter(buffer, NAME).find(|at| {
        // The name of an element, and not something that only ends so.
        let ends = matches!(buffer.get(at + NAME.len()), Some(b'>' | b'/' | b' '));
        ends && matches!(buffer.get(at.wrapping_sub(1)), Some(b'<' | b':'))
    })?;
    memchr::memchr(b'>', &buffer[at..])?;
    let open = memchr::memrchr(b'<', &buffer[..at])?;
    let prefix = std::str::from_utf8(&buffer[open + 1..at]).ok()?;
    Some((at + NAME.len(), prefix.to_owned()))
}

/// What comes before the cells may not change how they are read.
fn check_head(head: &[u8], prefix: &str) -> Result<(), Stop> {
    let head = std::str::from_utf8(head).map_err(|_| Stop::Unusual)?;
    let head = head.strip_prefix('\u{feff}').unwrap_or(head);
    let declared = head.find("?>").map_or("", |end| &head[..end]);
    if let Some(at) = declared.find("encoding=") {
        let label = declared[at + "encoding=".len()..].get(1..6);
        if !label.is_some_and(|label| label.eq_ignore_ascii_case("utf-8")) {
            return Err(Stop::Unusual);
        }
    }
    // A comment does no harm, unless it goes on beyond what was taken for the cells.
    let mut rest = head;
    while let Some(at) = rest.find("<!") {
        let comment = rest[at..].strip_prefix("<!--").ok_or(Stop::Unusual)?;
        let end = comment.find("-->").ok_or(Stop::Unusual)?;
        rest = &comment[end + "-->".len()..];
    }
    if !head.contains(&format!("<{prefix}worksheet")) {
        return Err(Stop::Unusual);
    }
    Ok(())
}

/// The merged regions in what follows the cells.
fn merges(part: &str, tail: &[u8], prefix: &str) -> Result<Vec<Area>, Stop> {
    let tail = std::str::from_utf8(tail).map_err(|_| Stop::Unusual)?;
    if !tail.trim_end().ends_with(&format!("</{prefix}worksheet>")) {
        return Err(Stop::Unusual);
    }
    let open = format!("<{prefix}mergeCells");
    let Some(begin) = tail.find(&open) else {
        return Ok(Vec::new());
    };
    // A comment could hide them.
    if tail.contains("<!") {
        return Err(Stop::Unusual);
    }
    let mut cursor = Cursor::new(tail, prefix);
    cursor.at = begin + open.len();
    let mut areas = Vec::new();
    if cursor.skip_attributes()? == Tag::Closed {
        return Ok(areas);
    }
    loop {
        cursor.skip_blanks();
        if cursor.eat_tag("</mergeCells>") {
            areas.sort_unstable();
            return Ok(areas);
        }
        if !cursor.eat_tag("<mergeCell") {
            return Err(Stop::Unusual);
        }
        let mut found = None;
        let tag = cursor.attributes(|name, value| {
            if name == "ref" {
                found = Some(value);
            }
        })?;
        if tag == Tag::Open && !cursor.eat_tag("</mergeCell>") {
            return Err(Stop::Unusual);
        }
        areas.push(area(part, found.unwrap_or_default())?);
    }
}

/// `A1:B2` as a merged region.
pub(super) fn area(part: &str, text: &str) -> Result<Area, ReadError> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let wrong = || ReadError::address(part, text);
    let first: Address = first.parse().map_err(|_| wrong())?;
    let last: Address = last.parse().map_err(|_| wrong())?;
    Ok(Area {
        first: Address::new(first.row.min(last.row), first.col.min(last.col)),
        last: Address::new(first.row.max(last.row), first.col.max(last.col)),
    })
}
