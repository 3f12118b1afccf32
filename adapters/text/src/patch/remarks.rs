//! Text around files: prose, or a change that the parser does not understand.
//!
//! Tools report more about a change than a unified diff can express: a submodule
//! that moved, a file on one side only, Subversion's properties. Such text is
//! found here, so that it can be shown verbatim. Headers of commits and mails,
//! their messages, tables and signatures are prose.

use super::Changeset;
use super::cursor::{Cursor, bare};
use super::{binary, hunk, stream};

/// Text outside files that may be a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark<'p> {
    /// Number of files of the changeset before it.
    pub after: usize,
    /// Whole lines, verbatim, with the blank lines before them.
    pub text: &'p [u8],
}

impl Remark<'_> {
    /// Its first line that is not blank, without its line end.
    #[must_use]
    pub fn first_line(&self) -> &[u8] {
        let mut lines = self.text.split(|&byte| byte == b'\n');
        let first = lines.find(|line| !line.trim_ascii().is_empty());
        bare(first.unwrap_or_default())
    }
}

impl<'p> Changeset<'p> {
    /// The text around the files that may be a change, in order.
    ///
    /// Between two files, this is everything not known to be harmless. Before the
    /// first file and in mails, where people write, it is only the known output
    /// of tools.
    #[must_use]
    pub fn remarks(&self) -> Vec<Remark<'p>> {
        let mut found = Vec::new();
        let is_mail = before(self.preamble, &mut found);
        for (index, file) in self.files.iter().enumerate() {
            let next = self.files.get(index + 1);
            let is_prose = match next {
                None => is_mail,
                // `git log -p` with a custom format: only there does a blank line
                // precede a file.
                Some(next) => next.header.starts_with(b"diff --git ") && ends_blank(file.trailer),
            };
            let level = if is_prose { Level::Told } else { Level::All };
            let mut scan = Scan::new(file.trailer, index + 1, level, &mut found);
            scan.is_last = next.is_none();
            scan.run(|_| None);
        }
        found
    }
}

fn ends_blank(text: &[u8]) -> bool {
    let mut lines = text.rsplit(|&byte| byte == b'\n').skip(1);
    lines.next().is_some_and(|line| bare(line).is_empty())
}

/// Which lines may be changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// Only a diff within a message, which `git am` would apply.
    Diffs,
    /// Also text that only a tool writes.
    Sharp,
    /// Also text that could be the start of a sentence.
    Told,
    /// Everything not known to be harmless.
    All,
}

/// Examines the text before the first file. Returns whether it is a mail.
fn before<'p>(preamble: &'p [u8], found: &mut Vec<Remark<'p>>) -> bool {
    let mark = usize::from(preamble.starts_with(b"\xef\xbb\xbf")) * 3;
    let text = &preamble[mark..];
    let is_rule = |line: &[u8]| bare(line).trim_ascii_end() == b"---";
    // `git am` ends the message at the first separator.
    let has_rule = || mvdiff_lines::split(text).any(is_rule);
    let message = |is_mail: bool| {
        if is_mail && has_rule() {
            Level::Diffs
        } else {
            Level::Sharp
        }
    };
    let mut is_mail = stream::is_mail_head(Cursor::new(text, 0));
    let level = if is_mail { message(true) } else { Level::Told };
    let mut begun = is_mail;
    Scan::new(text, 0, level, found).run(|cursor| {
        let line = bare(cursor.peek());
        if is_mail && is_rule(line) {
            return Some(Level::Told);
        }
        if begun || !stream::begins(cursor) {
            return None;
        }
        begun = true;
        is_mail = stream::is_mail_line(line);
        // Git indents the message of a commit; other tools do not.
        let is_git = !is_mail && !stream::has_bare_message(line);
        Some(if is_git {
            Level::Told
        } else {
            message(is_mail)
        })
    });
    is_mail
}

/// A scan of one stretch of text outside files.
struct Scan<'s, 'p> {
    cursor: Cursor<'p>,
    after: usize,
    level: Level,
    is_last: bool,
    found: &'s mut Vec<Remark<'p>>,
    /// Start and end of the current remark.
    open: Option<(usize, usize)>,
    /// Start of the blank lines before the current line.
    blank: Option<usize>,
    /// Whether the line before belongs to a remark.
    touches: bool,
    in_property: bool,
}

impl<'s, 'p> Scan<'s, 'p> {
    fn new(text: &'p [u8], after: usize, level: Level, found: &'s mut Vec<Remark<'p>>) -> Self {
        Self {
            cursor: Cursor::new(text, 0),
            after,
            level,
            is_last: false,
            found,
            open: None,
            blank: None,
            touches: false,
            in_property: false,
        }
    }

    /// Scans all lines. `level` returns the level that applies from a line on, if
    /// it changes.
    fn run(mut self, mut level: impl FnMut(Cursor<'p>) -> Option<Level>) {
        let mut before;
        let mut start = 0;
        while !self.cursor.is_at_end() {
            before = start;
            start = self.cursor.at;
            self.level = level(self.cursor).unwrap_or(self.level);
            let line = bare(self.cursor.peek());
            if line.trim_ascii().is_empty() {
                self.cursor.take();
                self.blank = self.blank.or(Some(start));
                self.touches = false;
                self.in_property = false;
                continue;
            }
            if self.passes_change(line) {
                let from = match (self.open, self.blank) {
                    (Some((at, _)), _) | (None, Some(at)) => at,
                    // After a hunk it would be read as a line of that hunk.
                    (None, None) if continues(line) => before,
                    (None, None) => start,
                };
                self.open = Some((from, self.cursor.at));
                self.touches = true;
            } else {
                self.close();
                self.touches = false;
            }
            self.blank = None;
        }
        self.close();
    }

    fn close(&mut self) {
        if let Some((start, end)) = self.open.take() {
            self.found.push(Remark {
                after: self.after,
                text: self.cursor.between(start, end),
            });
        }
    }

    /// Skips the current line, or the hunk that it starts. Returns whether it may
    /// be a change.
    fn passes_change(&mut self, line: &[u8]) -> bool {
        if line.starts_with(b"## ") && hunk::skip(&mut self.cursor, b"##") {
            return self.touches || self.level == Level::All;
        }
        if self.starts_diff() {
            self.cursor.take();
            self.cursor.take();
            while hunk::skip(&mut self.cursor, b"@@") {}
            return true;
        }
        let ahead = self.cursor;
        self.cursor.take();
        if is_signature(line) && self.is_last {
            self.in_property = false;
            self.level = self.level.min(Level::Told);
            return false;
        }
        if self.in_property || (self.touches && continues(line)) {
            return true;
        }
        if self.level == Level::Diffs {
            return false;
        }
        let next = self.cursor.peek();
        self.in_property =
            line.starts_with(b"Property changes on: ") && next.starts_with(b"________");
        if self.in_property || is_sharp(line, next) {
            return !self.announces(line);
        }
        match self.level {
            Level::Diffs | Level::Sharp => false,
            Level::Told => is_told(line),
            Level::All if is_tag(ahead) => {
                self.level = Level::Told;
                false
            }
            Level::All => !(is_harmless(line) || self.announces(line)),
        }
    }

    fn starts_diff(&self) -> bool {
        let mut ahead = self.cursor;
        ahead.take().starts_with(b"--- ")
            && ahead.take().starts_with(b"+++ ")
            && hunk::numbers(bare(ahead.peek()), b"@@").is_ok()
    }

    /// Whether a line only names the next file, as Bazaar and Perforce do.
    fn announces(&self, line: &[u8]) -> bool {
        let names = (line.starts_with(b"=== modified file '") && line.ends_with(b"'"))
            || (line.starts_with(b"==== ") && line.ends_with(b" ===="));
        let is_end = || self.cursor.rest().iter().all(u8::is_ascii_whitespace);
        names && is_end() && (self.after == 0 || !self.is_last)
    }
}

/// Whether a line continues the previous one.
fn continues(line: &[u8]) -> bool {
    matches!(
        line.first(),
        Some(b' ' | b'\t' | b'+' | b'-' | b'\\' | b'@' | b'>' | b'<')
    )
}

/// The separator before the signature of a mail.
fn is_signature(line: &[u8]) -> bool {
    line == b"-- " || line == b"--"
}

/// Messages of git, GNU diff, Mercurial, Subversion and Bazaar about a change, in
/// words that only tools use.
fn is_sharp(line: &[u8], next: &[u8]) -> bool {
    let has = |part: &[u8]| memchr::memmem::find(line, part).is_some();
    match line[0] {
        b'S' => is_submodule(line),
        b'*' => line.starts_with(b"* Unmerged path "),
        b'F' => line.starts_with(b"File ") && has(b" is a ") && has(b" while file "),
        b'B' | b'C' => binary::opens(line),
        b'=' => is_bazaar(line),
        b'P' => line.starts_with(b"Property changes on: ") && next.starts_with(b"________"),
        _ => false,
    }
}

/// `Submodule PATH OLD..NEW:`, and git's other messages about submodules.
fn is_submodule(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"Submodule ") else {
        return false;
    };
    let ends: [&[u8]; 2] = [
        b" contains untracked content",
        b" contains modified content",
    ];
    if ends.iter().any(|end| rest.ends_with(end)) {
        return true;
    }
    let is_id = |id: &[u8]| id.len() >= 4 && id.iter().all(u8::is_ascii_hexdigit);
    rest.split(|&byte| byte == b' ').any(|word| {
        let word = word.strip_suffix(b":").unwrap_or(word);
        let Some(dots) = memchr::memmem::find(word, b"..") else {
            return false;
        };
        let new = &word[dots + 2..];
        is_id(&word[..dots]) && is_id(new.strip_prefix(b".").unwrap_or(new))
    })
}

/// `=== renamed file 'a' => 'b'`.
fn is_bazaar(line: &[u8]) -> bool {
    const DEEDS: [&[u8]; 4] = [b"added", b"removed", b"renamed", b"modified"];
    let mut words = line.split(|&byte| byte == b' ').skip(1);
    line.starts_with(b"=== ")
        && words.next().is_some_and(|deed| DEEDS.contains(&deed))
        && words.next().is_some()
        && words.next().is_some_and(|name| name.starts_with(b"'"))
}

/// Messages about a change in words that could start a sentence.
fn is_told(line: &[u8]) -> bool {
    let has = |part: &[u8]| memchr::memmem::find(line, part).is_some();
    match line[0] {
        b'O' => line.starts_with(b"Only in ") && has(b": "),
        b'F' | b'S' => {
            let is_pair = line.starts_with(b"Files ") || line.starts_with(b"Symbolic links ");
            is_pair && has(b" and ") && line.ends_with(b" differ")
        }
        b'd' => line.starts_with(b"diff --git "),
        b'A' => line.starts_with(b"ADDED   "),
        b'D' => line.starts_with(b"DELETED "),
        _ => false,
    }
}

/// Lines between files that are not changes.
fn is_harmless(line: &[u8]) -> bool {
    const STARTS: [&[u8]; 10] = [
        b"Common subdirectories: ",
        b"base-commit: ",
        b"prerequisite-",
        b"svn:mime-type = ",
        b"cvs diff: Diffing ",
        b"cvs server: Diffing ",
        b"cvs rdiff: Diffing ",
        b"? ",
        b"warning: ",
        b"hint: ",
    ];
    let says_nothing = || !line.iter().any(|b| b.is_ascii_alphanumeric() || *b >= 0x80);
    STARTS.iter().any(|start| line.starts_with(start))
        || (line.starts_with(b"Files ") && line.ends_with(b" are identical"))
        || stream::is_short_line(line)
        || says_nothing()
}

/// The header of a tag, as `git show` prints it before its commit.
fn is_tag(cursor: Cursor<'_>) -> bool {
    cursor.peek().starts_with(b"tag ") && cursor.second().starts_with(b"Tagger: ")
}
