//! Finds the changes inside a line.

use crate::line::without_newline;
use crate::report::Inner;
use crate::similarity::similarity;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Most bytes of two lines together for a comparison by words. In longer lines
/// only the part between their common ends is compared; if that is longer, too,
/// it is one change.
const LONGEST: usize = 1 << 17;

/// The changed ranges of two versions of a line, by words.
pub(crate) fn inner_changes((old, new): (&[u8], &[u8]), lines: (u32, u32)) -> Vec<Inner> {
    if old.len() + new.len() <= LONGEST {
        return between((old, new), lines, 0);
    }
    let (start, ends) = common(old, new);
    let at = chars(&old[..start]);
    let (old, new) = (&old[start..ends.0], &new[start..ends.1]);
    if old.len() + new.len() <= LONGEST {
        return between((old, new), lines, at);
    }
    let whole = |text: &[u8], line: u32| [line, at + 1, line, at + chars(text) + 1];
    vec![Inner {
        original: whole(old, lines.0),
        modified: whole(new, lines.1),
    }]
}

/// Characters as [`words`] counts them.
fn chars(text: &[u8]) -> u32 {
    let chunks = text.utf8_chunks();
    let counts = chunks.map(|chunk| chunk.valid().chars().count() + chunk.invalid().len());
    counts.sum::<usize>() as u32
}

/// The common prefix and suffix of two lines, ending between words as far as
/// plain ASCII can determine.
fn common(old: &[u8], new: &[u8]) -> (usize, (usize, usize)) {
    let is_edge = |text: &[u8], at: usize| {
        let [a, b] = [text[at - 1], text[at]].map(char::from);
        let is_plain = a.is_ascii() && b.is_ascii();
        is_plain && (CharClass::of(a) != CharClass::of(b) || CharClass::of(b) == CharClass::Other)
    };
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let start = (1..same).rev().find(|&at| is_edge(old, at)).unwrap_or(0);
    let tails = (old[start..].iter().rev()).zip(new[start..].iter().rev());
    let same = tails.take_while(|(a, b)| a == b).count();
    let first = old.len() - same;
    let end = (first + 1..old.len()).find(|&at| is_edge(old, at));
    let end = end.unwrap_or(old.len());
    (start, (end, new.len() - (old.len() - end)))
}

/// The same for the part of two lines that starts `at` this many characters.
fn between((old, new): (&[u8], &[u8]), lines: (u32, u32), at: u32) -> Vec<Inner> {
    let (old, new) = (words(old, at), words(new, at));
    let texts = |words: &[Word]| words.iter().map(|w| w.text.clone()).collect::<Vec<_>>();
    let ops = capture_diff_slices(Algorithm::Myers, &texts(&old), &texts(&new));
    ops.into_iter()
        .filter(|op| !matches!(op, DiffOp::Equal { .. }))
        .map(|op| Inner {
            original: place(&old, op.old_range(), (lines.0, at)),
            modified: place(&new, op.new_range(), (lines.1, at)),
        })
        .collect()
}

/// Ranges of characters, half open.
pub type Stretches = Vec<(usize, usize)>;

/// The ranges in which two versions of a line differ, by words; empty if the
/// lines are not similar enough to be versions of each other.
///
/// ```
/// let (old, new) = mvdiff_text::changed_words(b"x = sum(items)", b"x = sum(lines)");
/// assert_eq!((old, new), (vec![(8, 13)], vec![(8, 13)]));
/// ```
#[must_use]
pub fn changed_words(old: &[u8], new: &[u8]) -> (Stretches, Stretches) {
    let (old, new) = (without_newline(old), without_newline(new));
    if similarity(old.trim_ascii(), new.trim_ascii()) == 0.0 {
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

fn place(words: &[Word], range: std::ops::Range<usize>, (line, at): (u32, u32)) -> [u32; 4] {
    let end = words.last().map_or(at, |w| w.at + w.chars);
    let column = |index: usize| words.get(index).map_or(end, |w| w.at) + 1;
    [line, column(range.start), line, column(range.end)]
}

/// Runs of word characters, runs of blanks, and every other character on its own.
/// Invalid UTF-8 counts as one replacement character per byte.
fn words(line: &[u8], first: u32) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut last = CharClass::Other;
    let decoded: String = line
        .utf8_chunks()
        .flat_map(|chunk| {
            let broken = chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER);
            chunk.valid().chars().chain(broken)
        })
        .collect();
    for (at, c) in decoded.chars().enumerate() {
        let kind = CharClass::of(c);
        match words.last_mut() {
            Some(word) if kind != CharClass::Other && kind == last => {
                word.text.push(c);
                word.chars += 1;
            }
            _ => words.push(Word {
                text: c.to_string(),
                at: first + at as u32,
                chars: 1,
            }),
        }
        last = kind;
    }
    words
}

#[derive(Clone, Copy, PartialEq)]
enum CharClass {
    Word,
    Blank,
    Other,
}

impl CharClass {
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
    fn long_lines_are_compared_between_their_common_ends() {
        let filler = "abcd éfgh ".repeat(LONGEST / 8);
        let line = |word: &str| format!("{filler}({word}) {filler}\n").into_bytes();
        let (old, new) = (line("one"), line("another one"));
        let at = filler.chars().count() as u32 + 2;
        let found = inner_changes((&old, &new), (3, 4));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].original, [3, at, 3, at]);
        assert_eq!(found[0].modified, [4, at, 4, at + 8]);
        // Both ends changed: what lies between is one change.
        let (old, new) = (line("same"), line("same"));
        let new = [b"x ", &new[..new.len() - 1], b" y\n"].concat();
        let found = inner_changes((&old, &new), (1, 1));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].original[1], 1);
        for texts in [(&old[..], &b"x"[..]), (b"x", &old), (&old, &old)] {
            inner_changes(texts, (1, 1));
        }
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
