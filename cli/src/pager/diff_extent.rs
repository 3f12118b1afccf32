//! Which lines belong to a diff: hunks say how long they are, and heads are made of known
//! words. What follows is somebody's text again, such as the next message of a log in a
//! format of the user's own.

use memchr::memmem;

/// Where one is in a diff.
#[derive(Default)]
pub(super) enum Shape {
    /// In a head, or behind a hunk.
    #[default]
    Between,
    /// In a hunk with so many old and new lines to come.
    Hunk(u32, u32),
    /// In a hunk that compares with several parents: its lines have that many signs.
    Combined,
    /// In binary contents; a blank line ends them.
    Binary,
    /// In git's lines about a submodule.
    Submodule,
    /// In a diff that does not say what it is made of: the rest belongs to it.
    Loose,
}

/// What heads of files begin with.
const WORDS: [&[u8]; 16] = [
    b"diff -",
    b"--- ",
    b"+++ ",
    b"\\ ",
    b"index ",
    b"old mode ",
    b"new mode ",
    b"new file mode ",
    b"deleted file mode ",
    b"mode ",
    b"similarity index ",
    b"dissimilarity index ",
    b"rename from ",
    b"rename to ",
    b"copy from ",
    b"copy to ",
];

/// What git and diff say between files: how it begins, and how it ends or what is in it.
const REMARKS: [(&[u8], &[u8]); 7] = [
    (b"Binary file", b" differ"),
    (b"Only in ", b": "),
    (b"Files ", b" differ"),
    (b"File ", b" while file "),
    (b"Common subdirectories: ", b" and "),
    (b"Submodule ", b".."),
    (b"* Unmerged path ", b""),
];

impl Shape {
    /// Whether the next line belongs to the diff as well.
    pub(super) fn takes(&mut self, line: &[u8]) -> bool {
        let text = line.trim_ascii_end();
        match self {
            Self::Loose => return true,
            Self::Hunk(old, new) if *old > 0 || *new > 0 => {
                let (minus, plus) = match line.first() {
                    // Some tools cut blanks at the ends of lines.
                    Some(b' ' | b'\n' | b'\r') => (1, 1),
                    Some(b'-') => (1, 0),
                    Some(b'+') => (0, 1),
                    Some(b'\\') => (0, 0),
                    // Words marked in their lines, or signs of the user's own.
                    _ => {
                        *self = Self::Loose;
                        return true;
                    }
                };
                *self = match (old.checked_sub(minus), new.checked_sub(plus)) {
                    (Some(old), Some(new)) => Self::Hunk(old, new),
                    _ => Self::Loose,
                };
                return true;
            }
            Self::Combined if matches!(line.first(), Some(b' ' | b'-' | b'+' | b'\\')) => {
                return true;
            }
            Self::Binary if text.is_empty() => {
                *self = Self::Between;
                return true;
            }
            Self::Binary if !text.contains(&b' ') => return true,
            Self::Submodule if line.starts_with(b"  > ") || line.starts_with(b"  < ") => {
                return true;
            }
            _ => {}
        }
        if let Some(counts) = text.strip_prefix(b"@@ ") {
            *self = counted(counts).unwrap_or(Self::Loose);
            return true;
        }
        // Words in lines of their own: git diff --word-diff=porcelain.
        if text == b"~" {
            *self = Self::Loose;
            return true;
        }
        if text.starts_with(b"@@@") {
            *self = Self::Combined;
            return true;
        }
        if text == b"GIT binary patch"
            || text.starts_with(b"literal ")
            || text.starts_with(b"delta ")
        {
            *self = Self::Binary;
            return true;
        }
        // Subversion puts properties and blank lines between files.
        if text.starts_with(b"Index: ") {
            *self = Self::Loose;
            return true;
        }
        let is_remark = |(start, inside): &(&[u8], &[u8])| {
            let rest = text.strip_prefix(*start);
            rest.is_some_and(|rest| memmem::find(rest, inside).is_some())
        };
        let is_known = WORDS.iter().any(|word| line.starts_with(word)) && text != b"--";
        if text.starts_with(b"Submodule ") && REMARKS.iter().any(is_remark) {
            *self = Self::Submodule;
            return true;
        }
        if is_known || REMARKS.iter().any(is_remark) {
            *self = Self::Between;
            return true;
        }
        false
    }
}

/// The lengths of a hunk: `-1,2 +3,4 @@`, where `,1` may be left out.
fn counted(text: &[u8]) -> Option<Shape> {
    let text = std::str::from_utf8(text).ok()?;
    let mut words = text.split(' ');
    let mut count = |sign: char| -> Option<u32> {
        let range = words.next()?.strip_prefix(sign)?;
        range
            .split_once(',')
            .map_or(Some(1), |(_, count)| count.parse().ok())
    };
    Some(Shape::Hunk(count('-')?, count('+')?))
}
