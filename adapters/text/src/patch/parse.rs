//! The patch parser: text between files, headers, bodies.

use super::cursor::{Cursor, bare};
use super::error::{Format, PatchError, PatchErrorKind, Side};
use super::{Body, Changeset, FilePatch, Hunk, HunkLine};
use super::{binary, foreign, header, hunk, names, stream};

/// Parses a patch, or a stream of patches.
///
/// Text before, between and after files is kept and never rejected, so prose
/// alone is one changeset without files. Empty input has no changesets.
///
/// A last line without a newline is read as is, like a line with a no-newline
/// marker. If the newline may have been lost in transit (a clipboard, a shell's
/// `$(…)`), append one first.
///
/// # Errors
/// [`PatchError`] for malformed input, and for formats other than unified diffs.
pub fn parse(bytes: &[u8]) -> Result<Vec<Changeset<'_>>, PatchError> {
    if foreign::is_utf16(bytes) {
        return Err(Format::Utf16.at(1));
    }
    let bom = if bytes.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    };
    let mut parser = Parser {
        cursor: Cursor::new(bytes, bom),
        done: Vec::new(),
        current: Changeset::default(),
        begun: None,
        is_mail: false,
        remark_start: 0,
        hunk: None,
        scratch: Vec::new(),
    };
    if stream::is_mail_head(parser.cursor) {
        parser.enter_mail()?;
    }
    while !parser.cursor.is_at_end() {
        parser.step()?;
    }
    parser.finish();
    if parser.done.iter().all(|set| set.files.is_empty()) {
        foreign::check(bytes)?;
    }
    if parser.done.iter().map(length).sum::<usize>() != bytes.len() {
        return Err(PatchErrorKind::Unaccounted.at(parser.cursor.line));
    }
    Ok(parser.done)
}

/// Number of input bytes in a changeset: every byte belongs to one.
fn length(set: &Changeset<'_>) -> usize {
    let files = set.files.iter().map(|file| {
        let body = match &file.body {
            Body::Text(hunks) => hunks.iter().map(|hunk| hunk.bytes.len()).sum(),
            Body::Binary(bytes) => bytes.len(),
        };
        file.header.len() + body + file.trailer.len()
    });
    set.preamble.len() + files.sum::<usize>()
}

struct Parser<'p> {
    cursor: Cursor<'p>,
    done: Vec<Changeset<'p>>,
    current: Changeset<'p>,
    /// Offset of the line that starts the current changeset, if any.
    begun: Option<usize>,
    /// Whether the current changeset is a mail; then only mails can follow.
    is_mail: bool,
    /// Offset after the last file, where unassigned text starts.
    remark_start: usize,
    /// Line of the hunk that ended directly before the cursor.
    hunk: Option<u64>,
    /// Buffer for the lines of a hunk.
    scratch: Vec<HunkLine<'p>>,
}

impl<'p> Parser<'p> {
    /// Reads a file, or skips a line outside files.
    fn step(&mut self) -> Result<(), PatchError> {
        let start = self.cursor.at;
        let line = self.cursor.peek();
        let after = self.hunk.take();
        let file = match line[0] {
            b'd' | b'-' | b'I' => self.headed()?,
            b'B' => self.remark()?,
            b'#' if line.starts_with(b"## ") && hunk::skip(&mut self.cursor, b"##") => {
                return Ok(());
            }
            b'@' => self.orphan(line).map(|()| None)?,
            0x1b if foreign::is_coloured(line) => {
                return Err(Format::Coloured.at(self.cursor.line));
            }
            _ => None,
        };
        if let Some(file) = file {
            self.leave_text(start);
            self.current.files.push(file);
            self.remark_start = self.cursor.at;
            return Ok(());
        }
        if let Some(hunk) = after {
            check_overrun(line, hunk, self.cursor)?;
        }
        let begins = if self.is_mail {
            stream::is_mail_line(bare(line))
        } else {
            stream::begins(self.cursor)
        };
        if begins {
            self.begin();
            if stream::is_mail_line(bare(line)) {
                self.cursor.pass(line);
                return self.enter_mail();
            }
        }
        self.cursor.pass(line);
        Ok(())
    }

    /// Reads a file with a header.
    fn headed(&mut self) -> Result<Option<FilePatch<'p>>, PatchError> {
        if foreign::is_combined(self.cursor) {
            return Err(Format::Combined.at(self.cursor.line));
        }
        let Some(head) = header::read(&mut self.cursor)? else {
            return Ok(None);
        };
        let body = self.body()?;
        let hunks: &[Hunk<'_>] = match &body {
            Body::Text(hunks) => hunks,
            Body::Binary(_) => &[],
        };
        let (old_path, new_path, status) =
            names::of_head(&head, hunks).map_err(|kind| kind.at(head.line))?;
        Ok(Some(FilePatch {
            old_path,
            new_path,
            status,
            old_mode: head.old_mode,
            new_mode: head.new_mode,
            ids: head.ids,
            header: head.bytes,
            body,
            trailer: b"",
        }))
    }

    fn body(&mut self) -> Result<Body<'p>, PatchError> {
        if binary::opens(self.cursor.peek()) {
            return binary::read(&mut self.cursor).map(Body::Binary);
        }
        let mut hunks = Vec::new();
        loop {
            let line = self.cursor.peek();
            if foreign::is_combined(self.cursor) && line[0] == b'@' {
                return Err(Format::Combined.at(self.cursor.line));
            }
            if foreign::is_coloured(line) {
                return Err(Format::Coloured.at(self.cursor.line));
            }
            if !line.starts_with(b"@@") {
                // Most files of a long patch have few hunks, and room for more adds up.
                hunks.shrink_to_fit();
                return Ok(Body::Text(hunks));
            }
            self.hunk = Some(self.cursor.line);
            hunks.push(hunk::read(&mut self.cursor, &mut self.scratch)?);
        }
    }

    /// Reads GNU diff's message that binary files differ, which has no header.
    fn remark(&mut self) -> Result<Option<FilePatch<'p>>, PatchError> {
        let Some(text) = binary::two_names(self.cursor.peek()) else {
            return Ok(None);
        };
        let (old_path, new_path, status) =
            names::of_remark(text).map_err(|kind| kind.at(self.cursor.line))?;
        Ok(Some(FilePatch {
            old_path,
            new_path,
            status,
            old_mode: None,
            new_mode: None,
            ids: None,
            header: b"",
            body: Body::Binary(self.cursor.take()),
            trailer: b"",
        }))
    }

    /// Rejects a hunk outside any file.
    fn orphan(&self, line: &[u8]) -> Result<(), PatchError> {
        if foreign::is_combined(self.cursor) {
            return Err(Format::Combined.at(self.cursor.line));
        }
        match hunk::numbers(line, b"@@") {
            Ok(_) => Err(PatchErrorKind::OrphanHunk.at(self.cursor.line)),
            Err(_) => Ok(()),
        }
    }

    /// Skips to the first `diff --git` of a mail, if there is one: messages quote
    /// hunks.
    fn enter_mail(&mut self) -> Result<(), PatchError> {
        self.is_mail = true;
        let mut ahead = self.cursor;
        while !ahead.is_at_end() && !stream::is_mail_line(bare(ahead.peek())) {
            if ahead.peek().starts_with(b"diff --") {
                let mut file = ahead;
                if foreign::is_combined(ahead) || header::read(&mut file)?.is_some() {
                    self.cursor = ahead;
                    break;
                }
            }
            ahead.take();
        }
        Ok(())
    }

    /// Starts a changeset at the current line. The first changeset also gets the
    /// text before it.
    fn begin(&mut self) {
        if self.begun.is_some() || !self.current.files.is_empty() {
            self.finish();
        }
        self.is_mail = false;
        self.begun = Some(self.cursor.at);
    }

    /// Ends the current changeset at the cursor.
    fn finish(&mut self) {
        self.leave_text(self.cursor.at);
        let set = std::mem::take(&mut self.current);
        if set != Changeset::default() {
            self.done.push(set);
        }
        self.remark_start = self.cursor.at;
        self.begun = None;
    }

    /// Assigns the text since the last file.
    fn leave_text(&mut self, end: usize) {
        let text = self.cursor.between(self.remark_start, end);
        if let Some(file) = self.current.files.last_mut() {
            file.trailer = text;
            return;
        }
        self.current.preamble = text;
        if let Some(begun) = self.begun {
            let facts = stream::facts(self.cursor.between(begun, end));
            self.current.commit = facts.commit;
            self.current.subject = facts.subject;
        } else if self.is_mail {
            self.current.subject = stream::mail_subject(text);
        }
    }
}

/// Rejects a line after a hunk that looks like part of it: then the hunk's counts
/// are wrong, and skipping the line would hide it.
fn check_overrun(line: &[u8], start: u64, cursor: Cursor<'_>) -> Result<(), PatchError> {
    let side = match line[0] {
        b'-' if bare(line).trim_ascii_end().iter().all(|&byte| byte == b'-') => return Ok(()),
        b'-' | b' ' => Side::Old,
        b'+' => Side::New,
        b'\\' => return Err(PatchErrorKind::NoNewlineTwice.at(cursor.line)),
        _ => return Ok(()),
    };
    if foreign::is_porcelain(cursor) {
        return Err(Format::Words.at(cursor.line));
    }
    Err(PatchErrorKind::HunkOverrun { start, side }.at(cursor.line))
}
