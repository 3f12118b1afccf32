//! Slips of the pen: a letter too many, one too few, two swapped, a sign at the
//! end of a line forgotten.

use crate::fold;

/// A line that differs from another by a slip in a word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slip {
    /// The word as the block has it; none if the line lacks its end.
    word: Vec<u8>,
    /// The sign at the end of the line that the block lacks.
    pub end: Option<u8>,
    /// How alike the lines are.
    pub similarity: f64,
}

impl Slip {
    /// Whether a line has the word as the block has it.
    pub(crate) fn is_in(&self, line: &[u8]) -> bool {
        tokens(line).iter().any(|token| *token == self.word)
    }
}

/// Signs at the end of a line that are easily forgotten.
const ENDS: [u8; 2] = [b';', b','];
/// Letters from which on two words can be distinguished.
const LEAST: usize = 4;

/// The slip by which a block's line differs from a line of the text, if that is
/// all.
pub(crate) fn slip(own: &[u8], there: &[u8]) -> Option<Slip> {
    let (own, there) = (fold::trim(own), fold::trim(there));
    if own.len().abs_diff(there.len()) > 2 {
        return None;
    }
    let (a, b) = (tokens(own), tokens(there));
    let similarity = 1.0 - 2.0 / own.len().max(there.len()).max(2) as f64;
    if let Some(([sign], rest)) = b.split_last()
        && rest == a
        && ENDS.contains(sign)
        && own.len() >= LEAST
    {
        return Some(Slip {
            word: Vec::new(),
            end: Some(*sign),
            similarity,
        });
    }
    if a.len() != b.len() {
        return None;
    }
    let mut differ = a.iter().zip(&b).filter(|(a, b)| a != b);
    let (word, meant) = differ.next()?;
    if differ.next().is_some() || !is_slip(word, meant) {
        return None;
    }
    Some(Slip {
        word: word.to_vec(),
        end: None,
        similarity,
    })
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte >= 0x80
}

/// Words of letters, and every other sign by itself; spaces count only where
/// they set words apart.
fn tokens(line: &[u8]) -> Vec<&[u8]> {
    let mut tokens = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.first() {
        let len = match rest.iter().take_while(|b| is_letter(**b)).count() {
            0 => 1,
            letters => letters,
        };
        let (token, behind) = rest.split_at(len);
        if !first.is_ascii_whitespace() {
            tokens.push(token);
        }
        rest = behind;
    }
    tokens
}

/// Whether words are one letter apart: too many, too few, or swapped with the
/// next. The first letter is seldom wrong.
fn is_slip(a: &[u8], b: &[u8]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let letters = |word: &[u8]| word.iter().all(|b| is_letter(*b));
    if long.len() < LEAST || !letters(a) || !letters(b) || short.first() != long.first() {
        return false;
    }
    let head = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    match long.len() - short.len() {
        1 => short[head..] == long[head + 1..],
        0 => {
            let swapped = head + 1 < long.len()
                && short[head] == long[head + 1]
                && short[head + 1] == long[head];
            swapped && short[head + 2..] == long[head + 2..]
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_told_from_other_names() {
        let is = |a: &str, b: &str| slip(a.as_bytes(), b.as_bytes()).is_some();
        assert!(is("    retrun total(x)", "  return total(x)"));
        assert!(is("for item in itms:", "for item in items:"));
        assert!(is("self.items = 1", "self.item = 1"));
        for (a, b) in [
            ("timeout = 30", "timeout = 300"),
            ("x.min(y)", "x.max(y)"),
            ("get_left()", "get_right()"),
            ("retrun totla", "return total"),
            ("case 1:", "case 2:"),
            ("read(file)", "load(file)"),
            ("cat(x)", "cats(x)y"),
        ] {
            assert!(!is(a, b), "{a} {b}");
        }
        let cut = slip(b"  retries: 3", b"retries: 3,").unwrap();
        assert_eq!(cut.end, Some(b','));
        assert!(!is("retries: 3,", "retries: 3") && !is("if (x)", "if (x) {"));
        let found = slip(b"use(item)", b"use(items)").unwrap();
        assert!(found.is_in(b"drop(item)") && !found.is_in(b"drop(items)"));
    }
}
