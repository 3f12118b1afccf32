//! Line numbers that were copied along with the lines: `42 | text`.

use crate::fold;

/// Whether a line begins as `42 | `; two bars are an operator.
pub(crate) fn is_numbered(line: &[u8]) -> bool {
    numbered(line).is_some()
}

/// The number and the text of a numbered line.
fn numbered(line: &[u8]) -> Option<(u32, &[u8])> {
    let text = &line[fold::leading_space(line)..];
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let (number, rest) = text.split_at(digits);
    let space = fold::leading_space(rest);
    let rest = rest[space..].strip_prefix(b"|")?;
    if digits == 0 || space == 0 || rest.starts_with(b"|") {
        return None;
    }
    let number = std::str::from_utf8(number)
        .ok()?
        .parse()
        .unwrap_or(u32::MAX);
    Some((number, after_one_space(rest)))
}

fn after_one_space(text: &[u8]) -> &[u8] {
    match fold::decode(text).next() {
        Some(fold::Unit::Char(c)) if fold::is_space(c) => &text[c.len_utf8()..],
        _ => text,
    }
}

/// Lines without their numbers, and the first number.
pub(crate) fn strip(lines: &[Vec<u8>]) -> (Vec<Vec<u8>>, Option<u32>) {
    let first = lines.iter().find_map(|line| numbered(line));
    let texts = lines.iter().map(|line| match numbered(line) {
        Some((_, text)) => text.to_vec(),
        None => line.clone(),
    });
    (texts.collect(), first.map(|(number, _)| number))
}

/// Lines without whatever looks like a number and a bar, or a bar alone.
pub(crate) fn strip_loosely(lines: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let text = |line: &Vec<u8>| loose(line).map_or_else(|| line.clone(), <[u8]>::to_vec);
    lines.iter().map(text).collect()
}

fn loose(line: &[u8]) -> Option<&[u8]> {
    let text = &line[fold::leading_space(line)..];
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let text = if digits == 0 {
        text
    } else {
        let rest = &text[digits..];
        let after = after_one_space(rest);
        if after.len() == rest.len() {
            return None;
        }
        after
    };
    let text = text.strip_prefix(b"|")?;
    let after = after_one_space(text);
    (after.len() < text.len()).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_operators() {
        assert_eq!(numbered(b"  42 |  x"), Some((42, &b" x"[..])));
        assert_eq!(numbered(b"1 |"), Some((1, &b""[..])));
        for text in ["1 || a", "| a |", "x | y", "12|x", "1 a"] {
            assert_eq!(numbered(text.as_bytes()), None, "{text}");
        }
        assert_eq!(loose(b"4 | x"), Some(&b"x"[..]));
        assert_eq!(loose(b"| x"), Some(&b"x"[..]));
        assert_eq!(loose(b"4  | x"), None);
    }
}
