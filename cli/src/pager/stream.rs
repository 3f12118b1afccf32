//! Output of git or diff, cut into what is passed on as it is and what is a diff.

use super::diff_extent::Shape;
use super::escapes::{is_coloured, without_colours};
use std::io::{self, BufRead, BufReader, Read};

/// A piece of the input, in its own bytes.
pub(super) enum Piece {
    /// Passed on untouched.
    Other(Vec<u8>),
    /// The diffs of one commit, or of one run of diff.
    Diff(Vec<u8>),
}

/// Cuts the input as it comes: a log is shown commit by commit.
pub(super) struct Stream<R> {
    input: BufReader<R>,
    /// A line that was read and belongs to the next piece.
    held: Option<Vec<u8>>,
}

impl<R: Read> Stream<R> {
    pub(super) fn new(input: BufReader<R>) -> Self {
        Self { input, held: None }
    }

    /// Whether the next piece may take a while to come.
    pub(super) fn is_waiting(&self) -> bool {
        self.held.is_none() && self.input.buffer().is_empty()
    }

    fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        if let Some(held) = self.held.take() {
            return Ok(Some(held));
        }
        let mut line = Vec::new();
        self.input.read_until(b'\n', &mut line)?;
        Ok((!line.is_empty()).then_some(line))
    }

    /// The next piece; `None` at the end of the input.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece>> {
        let Some(first) = self.line()? else {
            return Ok(None);
        };
        let plain = plain_start(&first);
        if !begins_diff(&plain) {
            if !plain.starts_with(b"--- ") {
                return Ok(Some(Piece::Other(first)));
            }
            let Some(second) = self.line()? else {
                return Ok(Some(Piece::Other(first)));
            };
            let is_diff = plain_start(&second).starts_with(b"+++ ");
            self.held = Some(second);
            if !is_diff {
                return Ok(Some(Piece::Other(first)));
            }
        }
        let mut shape = Shape::default();
        shape.takes(&plain);
        let mut diff = first;
        while let Some(line) = self.line()? {
            let plain = plain_start(&line);
            if begins_commit(&plain) || !shape.takes(&plain) {
                self.held = Some(line);
                break;
            }
            diff.extend_from_slice(&line);
        }
        Ok(Some(Piece::Diff(diff)))
    }
}

/// A line without the colours of git, as far as is needed to tell what it is.
fn plain_start(line: &[u8]) -> Vec<u8> {
    const ENOUGH: usize = 200;
    let start = &line[..line.len().min(ENOUGH)];
    if is_coloured(start) {
        without_colours(start)
    } else {
        start.to_vec()
    }
}

fn begins_diff(line: &[u8]) -> bool {
    line.starts_with(b"diff -") || line.starts_with(b"Index: ")
}

/// Whether a commit begins at a line that follows a file. Lines of hunks begin with a
/// blank, a sign or a backslash, and those of heads say something else.
fn begins_commit(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    let is_hex = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let id = |text: &[u8]| text.iter().take_while(is_hex).count();
    if let Some(rest) = line.strip_prefix(b"commit ") {
        return id(rest) >= 7;
    }
    if let Some(rest) = line.strip_prefix(b"From ") {
        return matches!(id(rest), 40 | 64);
    }
    let length = id(line);
    length >= 7 && line.get(length).is_none_or(|byte| *byte == b' ')
}

/// Whether a diff has the colours of git in it: then its lines of structure have.
pub(super) fn has_colours(diff: &[u8]) -> bool {
    const STRUCTURE: [&[u8]; 5] = [b"diff ", b"--- ", b"@@", b"+", b"-"];
    let mut lines = diff.split(|byte| *byte == b'\n');
    lines.any(|line| {
        is_coloured(line) && {
            let plain = plain_start(line);
            STRUCTURE.iter().any(|start| plain.starts_with(start))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Piece, Stream};
    use std::io::BufReader;

    fn pieces(text: &str) -> Vec<String> {
        let mut stream = Stream::new(BufReader::new(text.as_bytes()));
        let mut pieces = Vec::new();
        while let Some(piece) = stream.next().expect("memory") {
            let (mark, bytes) = match piece {
                Piece::Other(bytes) => ("o", bytes),
                Piece::Diff(bytes) => ("d", bytes),
            };
            pieces.push(format!("{mark}:{}", String::from_utf8_lossy(&bytes)));
        }
        pieces
    }

    #[test]
    fn a_log_is_cut_at_its_commits() {
        let text = "\u{1b}[33mcommit 0123456789\u{1b}[m\n\n    m\n\ndiff --git a/f b/f\n@@ -1 +1 @@\n-a\n+b\n\ncommit 1123456789\n    x\n";
        let expected = [
            "o:\u{1b}[33mcommit 0123456789\u{1b}[m\n",
            "o:\n",
            "o:    m\n",
            "o:\n",
            "d:diff --git a/f b/f\n@@ -1 +1 @@\n-a\n+b\n",
            "o:\n",
            "o:commit 1123456789\n",
            "o:    x\n",
        ];
        assert_eq!(pieces(text), expected);
    }

    #[test]
    fn a_rule_and_a_list_are_no_diff() {
        let text = "--- a list\n- one\n--- \n";
        assert!(pieces(text).iter().all(|piece| piece.starts_with("o:")));
        assert_eq!(pieces("--- a\n+++ b\n@@ -1 +1 @@\n").len(), 1);
    }

    #[test]
    fn a_log_in_a_format_of_ones_own_is_cut_where_hunks_end() {
        let diff = "diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n";
        let text = format!("One\n\n{diff}\nTwo\nits body\n\n{diff}Three\n\n{diff}-- \n2.1\n\n");
        let cut = pieces(&text);
        let diffs: Vec<&String> = cut.iter().filter(|piece| piece.starts_with("d:")).collect();
        assert_eq!(diffs.len(), 3);
        assert!(diffs.iter().all(|piece| piece[2..] == *diff));
        let joined: String = cut.iter().map(|piece| &piece[2..]).collect();
        assert_eq!(joined, text);
    }

    #[test]
    fn short_logs_are_cut_too() {
        let text = "abcdef0 one\ndiff --git a/f b/f\nsimilarity index 100%\nabcdef1 two\n";
        assert_eq!(pieces(text).len(), 3);
    }
}
