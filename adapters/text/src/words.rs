//! What changed inside a line.

use crate::likeness::likeness;
use crate::line::without_newline;
use crate::report::Inner;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The changed stretches of two versions of a line, by words.
pub(crate) fn inner_changes((old, new): (&[u8], &[u8]), lines: (u32, u32)) -> Vec<Inner> {
    let (old, new) = (words(old), words(new));
    let texts = |words: &[Word]| words.iter().map(|w| w.text.clone()).collect::<Vec<_>>();
    let ops = capture_diff_slices(Algorithm::Myers, &texts(&old), &texts(&new));
    ops.into_iter()
        .filter(|op| !matches!(op, DiffOp::Equal { .. }))
        .map(|op| Inner {
            original: place(&old, op.old_range(), lines.0),
            modified: place(&new, op.new_range(), lines.1),
        })
        .collect()
}

/// Stretches of characters, half open.
pub type Stretches = Vec<(usize, usize)>;

/// The stretches of two versions of a line that differ, by words; empty if the
/// lines are not alike enough to be called versions of one.
///
/// ```
/// let (old, new) = mvdiff_text::changed_words(b"x = sum(items)", b"x = sum(lines)");
/// assert_eq!((old, new), (vec![(8, 13)], vec![(8, 13)]));
/// ```
#[must_use]
pub fn changed_words(old: &[u8], new: &[u8]) -> (Stretches, Stretches) {
    let (old, new) = (without_newline(old), without_newline(new));
    if likeness(old.trim_ascii(), new.trim_ascii()) == 0.0 {
        return (Vec::new(), Vec::new());
    }
    let inner = inner_changes((old, new), (1, 1));
    let stretch = |place: [u32; 4]| (place[1] as usize - 1, place[3] as usize - 1);
    let both = inner
        .iter()
        .map(|i| (stretch(i.original), stretch(i.modified)));
    let (old, new): (Stretches, Stretches) = both.unzip();
    let telling = |stretches: Stretches| -> Stretches {
        let filled = stretches.into_iter().filter(|(start, end)| start < end);
        filled.collect()
    };
    (telling(old), telling(new))
}

struct Word {
    text: String,
    /// Characters before it.
    at: u32,
    chars: u32,
}

fn place(words: &[Word], range: std::ops::Range<usize>, line: u32) -> [u32; 4] {
    let end = words.last().map_or(0, |w| w.at + w.chars);
    let column = |index: usize| words.get(index).map_or(end, |w| w.at) + 1;
    [line, column(range.start), line, column(range.end)]
}

/// Runs of word characters, runs of blanks, and every other character alone.
/// Bytes that are no UTF-8 count as one replacement character each.
fn words(line: &[u8]) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut last = Kind::Other;
    let decoded: String = line
        .utf8_chunks()
        .flat_map(|chunk| {
            let broken = chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER);
            chunk.valid().chars().chain(broken)
        })
        .collect();
    for (at, c) in decoded.chars().enumerate() {
        let kind = Kind::of(c);
        match words.last_mut() {
            Some(word) if kind != Kind::Other && kind == last => {
                word.text.push(c);
                word.chars += 1;
            }
            _ => words.push(Word {
                text: c.to_string(),
                at: at as u32,
                chars: 1,
            }),
        }
        last = kind;
    }
    words
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Word,
    Blank,
    Other,
}

impl Kind {
    fn of(c: char) -> Self {
        match c {
            '_' => Self::Word,
            c if c.is_alphanumeric() => Self::Word,
            c if c.is_whitespace() => Self::Blank,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_in_the_middle() {
        let found = inner_changes((b"sum(order.items)", b"sum(order.line_items)"), (4, 9));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].original, [4, 11, 4, 16]);
        assert_eq!(found[0].modified, [9, 11, 9, 21]);
    }

    #[test]
    fn columns_count_characters_and_broken_bytes() {
        let found = inner_changes(
            ("é = \u{1f600} a".as_bytes(), "é = \u{1f600} b".as_bytes()),
            (1, 1),
        );
        assert_eq!(found[0].original, [1, 7, 1, 8]);
        let found = inner_changes((b"\xff\xfe x", b"\xff\xfe y"), (1, 1));
        assert_eq!(found[0].modified, [1, 4, 1, 5]);
    }
}
