//! File headers: git's extended header lines, `---` and `+++`, and the lines that
//! GNU diff, Subversion and Mercurial put around them.

use super::binary;
use super::cursor::{Cursor, bare};
use super::error::{Format, PatchError, PatchErrorKind};
use super::foreign;
use super::paths::{unquote, whole};
use std::borrow::Cow;

/// Most consecutive unknown lines in a header.
const MAX_UNKNOWN: u32 = 8;

/// The raw contents of a file header.
#[derive(Clone, Debug, Default)]
pub(super) struct Head<'p> {
    /// Number of its first line.
    pub(super) line: u64,
    /// The header, verbatim.
    pub(super) bytes: &'p [u8],
    /// The two names of `diff --git`, unsplit.
    pub(super) git: Option<&'p [u8]>,
    /// The path of Subversion's `Index:`, or of Mercurial's message.
    pub(super) index: Option<Cow<'p, [u8]>>,
    /// `rename from`, `copy from`.
    pub(super) from: Option<Cow<'p, [u8]>>,
    /// `rename to`, `copy to`.
    pub(super) to: Option<Cow<'p, [u8]>>,
    pub(super) is_copy: bool,
    pub(super) is_new: bool,
    pub(super) is_deleted: bool,
    pub(super) old_mode: Option<u32>,
    pub(super) new_mode: Option<u32>,
    pub(super) ids: Option<(&'p [u8], &'p [u8])>,
    /// `---`.
    pub(super) old: Option<Name<'p>>,
    /// `+++`.
    pub(super) new: Option<Name<'p>>,
}

/// The name in a `---` or `+++` line.
#[derive(Clone, Debug)]
pub(super) enum Name<'p> {
    /// `/dev/null`.
    Null,
    /// A path, and the timestamp after its tab.
    Path(Cow<'p, [u8]>, Stamp),
}

/// What a timestamp or revision implies about its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stamp {
    /// Nothing.
    None,
    /// The epoch or revision 0: the file may not exist.
    Zero,
    /// It does not exist.
    Absent,
}

/// Reads the header that starts at the current line and moves the cursor past it.
/// Returns `None`, without reading anything, if there is no header.
pub(super) fn read<'p>(cursor: &mut Cursor<'p>) -> Result<Option<Head<'p>>, PatchError> {
    let mut ahead = *cursor;
    let mut head = Head {
        line: cursor.line,
        ..Head::default()
    };
    // Position after the last line that certainly belongs to the header.
    let mut end = *cursor;
    let mut is_sure = false;
    let mut has_command = false;
    let mut unknown = 0;
    while unknown <= MAX_UNKNOWN {
        let line = ahead.peek();
        let at = |kind: PatchErrorKind| kind.at(ahead.line);
        let known = match first_word(line) {
            b"diff" if line.starts_with(b"diff --git ") => {
                if has_command || head.old.is_some() {
                    break;
                }
                has_command = true;
                head.git = Some(bare(&line[b"diff --git ".len()..]));
                Known::Maybe
            }
            b"diff" => {
                if has_command || !line.starts_with(b"diff -") {
                    break;
                }
                has_command = true;
                Known::Maybe
            }
            b"Index:" => {
                if head.index.is_some() || has_command {
                    break;
                }
                let path = bare(&line[b"Index:".len()..]).trim_ascii();
                head.index = Some(Cow::Borrowed(path));
                Known::Maybe
            }
            b"---" => {
                if !read_names(&mut head, &mut ahead)? {
                    break;
                }
                end = ahead;
                is_sure = true;
                break;
            }
            _ if is_rule(line) && head.index.is_some() => Known::Sure,
            _ if head.git.is_some() => head.extended(bare(line)).map_err(at)?,
            _ => Known::No,
        };
        if binary::opens(line) {
            // The body follows; unknown lines before it belong to the header.
            end = ahead;
            is_sure |= has_command || head.index.is_some();
            head.index = head.index.or(binary::one_name(line).map(Cow::Borrowed));
            break;
        }
        let is_end = line.starts_with(b"@@") || bare(line).is_empty();
        if is_end || (end.at == cursor.at && known == Known::No) {
            break;
        }
        ahead.pass(line);
        match known {
            Known::No => unknown += 1,
            Known::Maybe | Known::Sure => {
                unknown = 0;
                end = ahead;
                is_sure |= known == Known::Sure;
            }
        }
    }
    if !is_sure {
        return Ok(None);
    }
    head.bytes = end.since(cursor.at);
    *cursor = end;
    Ok(Some(head))
}

/// Whether a file header contains facts other than its lines, names and blob ids:
/// a mode, a rename, or an unknown line.
pub(crate) fn says_more(header: &[u8]) -> bool {
    let mut lines = mvdiff_lines::split(header);
    lines.any(is_fact)
}

/// Whether a header line is such a fact.
pub(crate) fn is_fact(line: &[u8]) -> bool {
    const PLAIN: [&[u8]; 9] = [
        b"diff ",
        b"index ",
        b"Index:",
        b"--- ",
        b"+++ ",
        b"similarity index ",
        b"dissimilarity index ",
        b"RCS file: ",
        b"retrieving revision ",
    ];
    let is_plain = PLAIN.iter().any(|start| line.starts_with(start));
    !is_plain && !is_rule(line) && !bare(line).is_empty()
}

/// How certain it is that a line belongs to a header.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    No,
    /// If more header lines follow.
    Maybe,
    Sure,
}

fn first_word(line: &[u8]) -> &[u8] {
    let end = line.iter().take(8).position(|&byte| byte == b' ');
    end.map_or(b"", |end| &line[..end])
}

/// Subversion's `======`.
fn is_rule(line: &[u8]) -> bool {
    let line = bare(line);
    line.len() >= 60 && line.iter().all(|&byte| byte == b'=')
}

/// Reads `---` and `+++`. If nothing else marks the start of a file, a hunk must
/// follow; otherwise the lines are prose.
fn read_names<'p>(head: &mut Head<'p>, cursor: &mut Cursor<'p>) -> Result<bool, PatchError> {
    let mut ahead = *cursor;
    let (old, new) = (ahead.take(), ahead.peek());
    if !new.starts_with(b"+++ ") {
        return Ok(false);
    }
    let new_line = ahead.line;
    ahead.take();
    let next = ahead.peek();
    if foreign::is_coloured(next) {
        return Err(Format::Coloured.at(ahead.line));
    }
    let has_hunk = next.starts_with(b"@@ -") || foreign::is_combined(ahead);
    if !has_hunk && head.git.is_none() && head.index.is_none() {
        return Ok(false);
    }
    head.old = Some(name(&old[4..]).map_err(|kind| kind.at(cursor.line))?);
    head.new = Some(name(&new[4..]).map_err(|kind| kind.at(new_line))?);
    *cursor = ahead;
    Ok(true)
}

/// The name after `--- ` or `+++ `, which a tab terminates.
fn name(line: &[u8]) -> Result<Name<'_>, PatchErrorKind> {
    let text = bare(line);
    let (path, stamp) = if let Some(quoted) = text.strip_prefix(b"\"") {
        let (path, rest) = unquote(quoted)?;
        let stamp = match rest.split_first() {
            None => rest,
            Some((b'\t' | b' ', stamp)) => stamp,
            Some(_) => return Err(PatchErrorKind::Quoting),
        };
        (Cow::Owned(path), stamp)
    } else {
        let end = memchr::memchr(b'\t', text).unwrap_or(text.len());
        let stamp = text.get(end + 1..).unwrap_or_default();
        if &text[..end] == b"/dev/null" {
            return Ok(Name::Null);
        }
        (Cow::Borrowed(&text[..end]), stamp)
    };
    Ok(Name::Path(path, meaning(stamp.trim_ascii())))
}

fn meaning(stamp: &[u8]) -> Stamp {
    match stamp {
        b"(nonexistent)" => Stamp::Absent,
        b"(revision 0)" => Stamp::Zero,
        _ if is_epoch(stamp) => Stamp::Zero,
        _ => Stamp::None,
    }
}

/// Whether a timestamp such as `1970-01-01 01:00:00.000000000 +0100` is the epoch
/// in its time zone.
fn is_epoch(stamp: &[u8]) -> bool {
    let Ok(stamp) = std::str::from_utf8(stamp) else {
        return false;
    };
    let mut words = stamp.split(' ');
    let (Some(date), Some(time)) = (words.next(), words.next()) else {
        return false;
    };
    let day = match date {
        "1970-01-01" => 0,
        "1969-12-31" => -24 * 60,
        _ => return false,
    };
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let pair = |text: &str| -> Option<i32> {
        let [tens, ones] = text.as_bytes() else {
            return None;
        };
        let is_number = tens.is_ascii_digit() && ones.is_ascii_digit();
        is_number.then(|| i32::from(tens - b'0') * 10 + i32::from(ones - b'0'))
    };
    let minutes = |text: &str| -> Option<i32> {
        let hours = pair(text.get(..2)?)?;
        let rest = text.get(2..)?;
        Some(hours * 60 + pair(rest.strip_prefix(':').unwrap_or(rest))?)
    };
    let zone = match words.next().map(|zone| (zone.get(..1), zone.get(1..))) {
        None => Some(0),
        Some((Some("+"), Some(zone))) => minutes(zone),
        Some((Some("-"), Some(zone))) => minutes(zone).map(|minutes| -minutes),
        Some(_) => None,
    };
    let clock = time.strip_suffix(":00").and_then(minutes);
    let at = clock.zip(zone).map(|(clock, zone)| day + clock - zone);
    fraction.bytes().all(|digit| digit == b'0') && at == Some(0)
}

impl<'p> Head<'p> {
    /// Parses one of git's extended header lines.
    fn extended(&mut self, line: &'p [u8]) -> Result<Known, PatchErrorKind> {
        if let Some(rest) = line.strip_prefix(b"index ") {
            return self.index_line(rest);
        }
        let rest = |start: &[u8]| line.strip_prefix(start);
        if let Some(mode) = rest(b"old mode ") {
            self.old_mode = Some(octal(mode)?);
        } else if let Some(mode) = rest(b"new mode ") {
            self.new_mode = Some(octal(mode)?);
        } else if let Some(mode) = rest(b"deleted file mode ") {
            self.old_mode = Some(octal(mode)?);
            self.is_deleted = true;
        } else if let Some(mode) = rest(b"new file mode ") {
            self.new_mode = Some(octal(mode)?);
            self.is_new = true;
        } else if let Some(path) = rest(b"rename from ").or_else(|| rest(b"rename old ")) {
            self.from = Some(whole(path)?);
        } else if let Some(path) = rest(b"rename to ").or_else(|| rest(b"rename new ")) {
            self.to = Some(whole(path)?);
        } else if let Some(path) = rest(b"copy from ") {
            self.from = Some(whole(path)?);
            self.is_copy = true;
        } else if let Some(path) = rest(b"copy to ") {
            self.to = Some(whole(path)?);
            self.is_copy = true;
        } else if rest(b"similarity index ").is_none() && rest(b"dissimilarity index ").is_none() {
            return Ok(Known::No);
        }
        Ok(Known::Sure)
    }

    /// `index OLD..NEW MODE`.
    fn index_line(&mut self, text: &'p [u8]) -> Result<Known, PatchErrorKind> {
        let (ids, mode) = match memchr::memchr(b' ', text) {
            Some(end) => (&text[..end], Some(&text[end + 1..])),
            None => (text, None),
        };
        let is_id = |id: &[u8]| !id.is_empty() && id.iter().all(u8::is_ascii_hexdigit);
        let dots = memchr::memmem::find(ids, b"..");
        let Some((old, new)) = dots.map(|at| (&ids[..at], &ids[at + 2..])) else {
            return Ok(Known::No);
        };
        if !is_id(old) || !is_id(new) {
            return Ok(Known::No);
        }
        self.ids = Some((old, new));
        if let Some(mode) = mode {
            let mode = Some(octal(mode)?);
            self.old_mode = self.old_mode.or(mode);
            self.new_mode = self.new_mode.or(mode);
        }
        Ok(Known::Sure)
    }
}

fn octal(text: &[u8]) -> Result<u32, PatchErrorKind> {
    let text = text.trim_ascii_end();
    if text.is_empty() || text.len() > 7 || !text.iter().all(|b| matches!(b, b'0'..=b'7')) {
        return Err(PatchErrorKind::Mode);
    }
    Ok(text
        .iter()
        .fold(0, |mode, digit| mode << 3 | u32::from(digit - b'0')))
}
