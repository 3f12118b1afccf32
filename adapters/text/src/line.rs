//! Properties of a single line for the engine.

use mvdiff_core::{Companion, Layout, Lean};
pub(crate) use mvdiff_lines::{weight, without_newline};

/// Implements the part of `Problem` that depends only on the methods
/// `line(side, index)` and `core(side, index)`, the line without its ends. A macro,
/// because the orphan rule does not allow a blanket `impl` of the core's trait.
macro_rules! knowledge {
    () => {
        fn weight(&self, side: Side, index: u32) -> f32 {
            $crate::line::weight(self.line(side, index))
        }

        fn coarser_levels(&self) -> u8 {
            $crate::line::STATED
        }

        fn key(&self, level: u8, side: Side, index: u32) -> u64 {
            let core = self.core(side, index);
            if level < $crate::line::STATED {
                return xxhash_rust::xxh3::xxh3_64(&core);
            }
            $crate::statement::key(&core)
        }

        fn same(&self, level: u8, a: (Side, u32), b: (Side, u32)) -> bool {
            let (a, b) = (self.core(a.0, a.1), self.core(b.0, b.1));
            a == b
                || (level == $crate::line::STATED && $crate::statement::is_same_statement(&a, &b))
        }

        fn features(&self, side: Side, index: u32, out: &mut Vec<u64>) {
            $crate::line::features(self.line(side, index), out);
        }

        fn similarity(&self, old: u32, new: u32) -> f32 {
            let alike = $crate::similarity::similarity(
                self.line(Side::Old, old).trim_ascii(),
                self.line(Side::New, new).trim_ascii(),
            );
            let from = |side: Side, first: u32| {
                let end = self.tokens(side).len() as u32;
                (first..end).map(move |index| self.line(side, index))
            };
            let is_rewrapped =
                || $crate::wrapped::is_rewrapped(from(Side::Old, old), from(Side::New, new));
            if alike < $crate::line::REWRAPPED && is_rewrapped() {
                return $crate::line::REWRAPPED;
            }
            alike
        }

        fn layout(&self, side: Side, index: u32) -> mvdiff_core::Layout {
            $crate::line::layout(self.line(side, index))
        }
    };
}
pub(crate) use knowledge;

/// The level at which lines are equal up to white space at their ends.
pub(crate) const TRIMMED: u8 = 1;
/// The level at which lines state the same, ignoring spacing and modifiers.
pub(crate) const STATED: u8 = 2;

/// Similarity assigned to the first lines of a rewrapped statement.
pub(crate) const REWRAPPED: f32 = 0.9;

/// Hashes of the first words of a line.
pub(crate) fn features(line: &[u8], out: &mut Vec<u64>) {
    const MOST: usize = 24;
    let most = out.len() + MOST;
    // Where the current word starts, if inside of one.
    let mut start = None;
    let mut last = 0;
    for (base, piece) in (0..).step_by(64).zip(line.chunks(64)) {
        let words = word_bytes(piece);
        let mut edges = words ^ (words << 1 | last);
        last = words >> 63;
        while edges != 0 {
            let at = base + edges.trailing_zeros() as usize;
            edges &= edges - 1;
            let Some(first) = start.replace(at) else {
                continue;
            };
            start = None;
            push_word(&line[first..], at - first, out);
            if out.len() == most {
                return;
            }
        }
    }
    // A piece of 64 bytes does not show that its last word ends.
    if let Some(first) = start {
        push_word(&line[first..], line.len() - first, out);
    }
}

/// Pushes the hash of the word that a text starts with, if it is not too short.
#[inline]
fn push_word(text: &[u8], len: usize, out: &mut Vec<u64>) {
    if len > 2 {
        out.push(hash_of(text, len));
    }
}

/// A bit for each of up to 64 bytes that is part of a word. Without a branch or a
/// table for each byte, so that the compiler can do 16 at a time.
#[inline]
fn word_bytes(piece: &[u8]) -> u64 {
    let mut bytes = [0; 64];
    bytes[..piece.len()].copy_from_slice(piece);
    for byte in &mut bytes {
        let letter = u8::from((*byte | 0x20).wrapping_sub(b'a') < 26);
        let digit = u8::from(byte.wrapping_sub(b'0') < 10);
        let other = u8::from(*byte == b'_') | u8::from(*byte >= 0x80);
        *byte = letter | digit | other;
    }
    let eights = bytes.as_chunks().0.iter().enumerate();
    eights.fold(0, |bits, (at, &eight)| {
        // Multiplying moves the lowest bit of each byte to the highest byte.
        let gathered = u64::from_le_bytes(eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits | gathered << (8 * at)
    })
}

/// A hash of the first `len` bytes of a text, eight at a time.
fn hash_of(text: &[u8], len: usize) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = len as u64;
    let mut at = 0;
    while at < len {
        // Reading beyond the word and masking is cheaper than reading the rest of
        // it byte by byte.
        let mut eight = [0; 8];
        match text.get(at..at + 8) {
            Some(bytes) => eight.copy_from_slice(bytes),
            None => eight[..text.len() - at].copy_from_slice(&text[at..]),
        }
        let unused = 8 - (len - at).min(8);
        let bytes = u64::from_le_bytes(eight) & (u64::MAX >> (8 * unused));
        hash = (hash ^ bytes).wrapping_mul(FACTOR);
        hash ^= hash >> 29;
        at += 8;
    }
    hash.wrapping_mul(FACTOR)
}

/// Indentation as `git diff` measures it: a tab advances to the next multiple of
/// eight.
pub(crate) fn layout(line: &[u8]) -> Layout {
    let mut indent = 0;
    for (at, &byte) in line.iter().enumerate() {
        match byte {
            b' ' => indent += 1,
            b'\t' => indent += 8 - indent % 8,
            b'\n' | b'\r' | 0x0b | 0x0c => {}
            _ => {
                return Layout {
                    blank: false,
                    indent,
                    lean: lean(line[at..].trim_ascii_end()),
                };
            }
        }
    }
    Layout {
        blank: true,
        indent: 0,
        lean: Lean::Neither,
    }
}

/// Whether a line is a companion. Imports and comments recur from file to file,
/// so they are no evidence of a move unless code moves with them.
pub(crate) fn companion(line: &[u8]) -> Companion {
    let text = line.trim_ascii();
    if is_import(text) {
        Companion::Always
    } else if is_comment(text) {
        Companion::AcrossFiles
    } else {
        Companion::Never
    }
}

fn is_import(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 6] = [
        b"import ",
        b"import{",
        b"package ",
        b"using ",
        b"use ",
        b"#include",
    ];
    WORDS.iter().any(|word| text.starts_with(word))
        || text.starts_with(b"} from ")
        || (text.starts_with(b"from ") && memchr::memmem::find(text, b" import").is_some())
}

fn is_comment(text: &[u8]) -> bool {
    const STARTS: [&[u8]; 7] = [b"//", b"/*", b"*/", b"* ", b"# ", b"<!--", b"\"\"\""];
    matches!(text, b"*" | b"#") || STARTS.iter().any(|start| text.starts_with(start))
}

/// The neighbour a line belongs to: closing lines to the code they close,
/// attributes, decorators and comments to the code after them.
fn lean(text: &[u8]) -> Lean {
    match text {
        [b'}' | b')' | b']', ..] | b"end" | b"*/" | b"fi" | b"done" => Lean::Back,
        [b'@', ..] | [b'#', b'[' | b' ', ..] | [b'/', b'/' | b'*', ..] => Lean::Forward,
        _ => Lean::Neither,
    }
}

/// Whether a line consists of white space only.
pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words found byte by byte.
    fn words(line: &[u8]) -> Vec<u64> {
        let words = line.split(|&byte| !mvdiff_lines::is_word(byte));
        let long = words.filter(|word| word.len() > 2);
        long.map(|word| hash_of(word, word.len()))
            .take(24)
            .collect()
    }

    #[test]
    fn words_are_found_wherever_they_start_and_end() {
        for len in 0..200 {
            for period in [1, 2, 3, 5, 17, 63, 64, 65] {
                let byte = |at: usize| [b'a', b'_', 0xc3, b'7', b'Z'][at % 5];
                let blank = |at: usize| [b' ', b'@', b'[', b'`', b'{', b'/', b':', 0][at % 8];
                let part =
                    |at: usize| [byte(at), blank(at)][usize::from(at % period == period - 1)];
                let line: Vec<u8> = (0..len).map(part).collect();
                let mut found = vec![1];
                features(&line, &mut found);
                assert_eq!(found[1..], words(&line), "{len} {period}");
            }
        }
    }
}
