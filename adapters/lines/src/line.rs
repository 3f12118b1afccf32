//! Single lines: what they weigh, and what two of them have in common.

/// Letters and digits beyond which a line is not more informative.
const MOST_INFORMATIVE: u8 = 40;

/// Number of letters and digits, where 20 make an ordinary line: punctuation
/// alone is not informative, and a long line counts as two at most.
#[inline]
#[must_use]
pub fn weight(line: &[u8]) -> f32 {
    let mut informative = 0;
    // In short chunks: few instructions per chunk, and long lines end early.
    for piece in line.chunks(64) {
        informative += piece
            .iter()
            .map(|b| u8::from(is_informative(*b)))
            .sum::<u8>();
        if informative >= MOST_INFORMATIVE {
            return 2.0;
        }
    }
    f32::from(informative) / 20.0
}

/// Whether a byte is informative: part of a letter or a digit.
#[inline]
#[must_use]
pub const fn is_informative(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}

/// Whether a byte is part of a word.
#[inline]
#[must_use]
pub fn is_word(byte: u8) -> bool {
    WORD[usize::from(byte)]
}

/// Bytes of words, by value: a table is faster than comparisons.
const WORD: [bool; 256] = {
    let mut word = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        word[byte] = byte as u8 == b'_' || is_informative(byte as u8);
        byte += 1;
    }
    word
};

/// A line without its newline; a carriage return stays.
#[inline]
#[must_use]
pub fn without_newline(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line)
}

/// A line without `\n` or `\r\n`.
#[inline]
#[must_use]
pub fn without_end(line: &[u8]) -> &[u8] {
    match line.strip_suffix(b"\n") {
        Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
        None => line,
    }
}

/// The lines of a text, each with its `\n`.
#[must_use]
pub fn split(text: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> + Clone {
    text.split_inclusive(|byte| *byte == b'\n')
}

/// Whether a line consists of white space only.
#[inline]
#[must_use]
pub fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// Pushes hashes of the first words of a line to `out`, those of three bytes or more.
pub fn features(line: &[u8], out: &mut Vec<u64>) {
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

/// Number of bytes that two lines begin with alike, and that they end with alike.
#[must_use]
pub fn common_ends(old: &[u8], new: &[u8]) -> (usize, usize) {
    let prefix = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[prefix..], &new[prefix..]);
    let ends = old.iter().rev().zip(new.iter().rev());
    (prefix, ends.take_while(|(a, b)| a == b).count())
}

/// Number of bytes two slices share in any order: an upper bound for any edit
/// script.
#[must_use]
pub fn letters_in_common(old: &[u8], new: &[u8]) -> usize {
    let mut counts = [0i32; 256];
    for &byte in old {
        counts[usize::from(byte)] += 1;
    }
    let mut common = 0;
    for &byte in new {
        let count = &mut counts[usize::from(byte)];
        common += usize::from(*count > 0);
        *count -= 1;
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_digits_weigh() {
        assert!(weight(b"}) {;\n").abs() < f32::EPSILON);
        assert!((weight(b"let x = 12345;\n") - 0.45).abs() < 1e-6);
        assert!((weight(&[b'a'; 1000]) - 2.0).abs() < f32::EPSILON);
    }

    #[test]
    fn ends_do_not_overlap() {
        assert_eq!(common_ends(b"aaa", b"aaaa"), (3, 0));
        assert_eq!(common_ends(b"one two", b"one or two"), (4, 3));
        assert_eq!(letters_in_common(b"listen", b"silenced"), 5);
    }

    /// Words found byte by byte.
    fn words(line: &[u8]) -> Vec<u64> {
        let words = line.split(|&byte| !is_word(byte));
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
