//! Writes patches.

use super::paths::{HighBytes, quote};
use super::{Body, Changeset, Hunk, LineKind};
use std::fmt;
use std::io::{self, Write};

/// Writes a changeset: text and headers verbatim, hunks from their fields.
///
/// The output parses to the same changeset, and output of git is reproduced byte
/// for byte.
///
/// # Errors
/// Any error of the writer.
pub fn write_patch(out: &mut dyn Write, changeset: &Changeset<'_>) -> io::Result<()> {
    let mut out = Pieces {
        out,
        is_open: false,
    };
    out.piece(changeset.preamble)?;
    for file in &changeset.files {
        out.piece(file.header)?;
        match &file.body {
            Body::Binary(bytes) => out.piece(bytes)?,
            Body::Text(hunks) => {
                for hunk in hunks {
                    out.close()?;
                    write_hunk(out.out, hunk)?;
                }
            }
        }
        out.piece(file.trailer)?;
    }
    Ok(())
}

/// Writes pieces of an input one after the other. The last piece of an input may
/// lack a newline, which is added if more follows.
struct Pieces<'w> {
    out: &'w mut dyn Write,
    is_open: bool,
}

impl Pieces<'_> {
    fn piece(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.close()?;
        // Only a byte order mark may precede something on its line.
        self.is_open = !bytes.ends_with(b"\n") && bytes != b"\xef\xbb\xbf";
        self.out.write_all(bytes)
    }

    fn close(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_open) {
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }
}

/// Writes one hunk from its fields as they are, without recounting.
///
/// # Errors
/// Any error of the writer.
pub fn write_hunk(out: &mut dyn Write, hunk: &Hunk<'_>) -> io::Result<()> {
    let old = Numbers(hunk.old_start, hunk.old_count);
    let new = Numbers(hunk.new_start, hunk.new_count);
    write!(out, "@@ -{old} +{new} @@")?;
    out.write_all(hunk.heading)?;
    out.write_all(b"\n")?;
    for line in &hunk.lines {
        write_line(out, line.kind, line.text)?;
    }
    Ok(())
}

/// Writes a line of a hunk, with a marker after it if it has no newline.
pub(crate) fn write_line(out: &mut dyn Write, kind: LineKind, text: &[u8]) -> io::Result<()> {
    out.write_all(match kind {
        LineKind::Context => b" ",
        LineKind::Removed => b"-",
        LineKind::Added => b"+",
    })?;
    out.write_all(text)?;
    if !text.ends_with(b"\n") {
        out.write_all(b"\n\\ No newline at end of file\n")?;
    }
    Ok(())
}

/// `START,COUNT` as git writes it: a count of one is omitted.
pub(crate) struct Numbers(pub(crate) u32, pub(crate) u32);

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self(start, 1) => write!(f, "{start}"),
            Self(start, count) => write!(f, "{start},{count}"),
        }
    }
}

/// Writes a new file header, as git would: `diff --git`, `---`, `+++`, with
/// `/dev/null` for a side that does not exist. A new or deleted file gets the
/// mode of a regular file, which `git apply` requires.
///
/// # Errors
/// Any error of the writer; [`io::ErrorKind::InvalidInput`] if there is no path.
pub fn write_header(
    out: &mut dyn Write,
    old_path: Option<&[u8]>,
    new_path: Option<&[u8]>,
) -> io::Result<()> {
    let Some((old, new)) = old_path.or(new_path).zip(new_path.or(old_path)) else {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    };
    let old = [b"a/", old].concat();
    let new = [b"b/", new].concat();
    write_git_line(out, [&old, &new])?;
    if old_path.is_none() {
        out.write_all(b"new file mode 100644\n")?;
    }
    if new_path.is_none() {
        out.write_all(b"deleted file mode 100644\n")?;
    }
    write_name(out, b"--- ", old_path.map(|_| &*old), HighBytes::Octal)?;
    write_name(out, b"+++ ", new_path.map(|_| &*new), HighBytes::Octal)
}

/// Writes the first line of a git patch, from two names with prefixes.
pub(crate) fn write_git_line(out: &mut dyn Write, [old, new]: [&[u8]; 2]) -> io::Result<()> {
    out.write_all(b"diff --git ")?;
    out.write_all(&quote(old, HighBytes::Octal))?;
    out.write_all(b" ")?;
    out.write_all(&quote(new, HighBytes::Octal))?;
    out.write_all(b"\n")
}

/// Writes a `---` or `+++` line. A tab after a name with blanks prevents `patch`
/// from truncating it.
pub(crate) fn write_name(
    out: &mut dyn Write,
    mark: &[u8],
    name: Option<&[u8]>,
    high: HighBytes,
) -> io::Result<()> {
    out.write_all(mark)?;
    let Some(name) = name else {
        return out.write_all(b"/dev/null\n");
    };
    out.write_all(&quote(name, high))?;
    out.write_all(if name.contains(&b' ') { b"\t\n" } else { b"\n" })
}
