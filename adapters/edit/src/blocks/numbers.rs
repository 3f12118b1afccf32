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

/// How numbers are set off from the lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `42 | text`
    Bar,
    /// `    42\ttext`, as `cat -n` has it.
    Tab,
    /// `    42→text`
    Arrow,
    /// `42|text`
    TightBar,
    /// `42: text`
    Colon,
}

const STYLES: [Style; 5] = [
    Style::Bar,
    Style::Tab,
    Style::Arrow,
    Style::TightBar,
    Style::Colon,
];

impl Style {
    fn read(self, line: &[u8]) -> Option<(u32, &[u8])> {
        if self == Self::Bar {
            return numbered(line);
        }
        let text = &line[fold::leading_space(line)..];
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        let (number, rest) = text.split_at(digits);
        let number = std::str::from_utf8(number).ok()?.parse().ok()?;
        let rest = match self {
            Self::Tab => rest.strip_prefix(b"\t")?,
            Self::Arrow => rest.strip_prefix("→".as_bytes())?,
            Self::Colon => after_one_space(rest.strip_prefix(b":")?),
            Self::Bar | Self::TightBar => {
                let rest = rest.strip_prefix(b"|")?;
                rest.first().is_none_or(|b| *b != b'|').then_some(rest)?
            }
        };
        Some((number, rest))
    }

    /// Whether text seldom looks like that by itself.
    fn is_informative(self) -> bool {
        matches!(self, Self::Bar | Self::Tab | Self::Arrow)
    }

    /// The numbers of the lines that say something, if all of them have one.
    fn all(self, lines: &[Vec<u8>]) -> Option<Vec<u32>> {
        let informative = lines.iter().filter(|line| !fold::is_blank(line));
        informative.map(|line| Some(self.read(line)?.0)).collect()
    }

    fn strip(self, lines: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let text = |line: &Vec<u8>| match self.read(line) {
            Some((_, text)) => text.to_vec(),
            None => line.clone(),
        };
        lines.iter().map(text).collect()
    }
}

/// A block without its numbers.
pub(crate) struct Stripped {
    pub search: Vec<Vec<u8>>,
    pub replace: Vec<Vec<u8>>,
    /// The first number, if it is one.
    pub first: Option<u32>,
}

/// A block whose old lines have numbers: all of them, or some as no text has
/// them. New lines lose numbers of that kind.
pub(crate) fn strip_both(search: &[Vec<u8>], replace: &[Vec<u8>]) -> Option<Stripped> {
    let stripped = |style: Style, first: Option<u32>| Stripped {
        search: style.strip(search),
        replace: style.strip(replace),
        first: first.filter(|line| *line > 0),
    };
    for style in STYLES {
        let Some(numbers) = style.all(search).filter(|numbers| !numbers.is_empty()) else {
            continue;
        };
        let counted = numbers
            .windows(2)
            .all(|pair| pair[0].wrapping_add(1) == pair[1]);
        if style.is_informative() || counted && numbers.len() > 1 {
            return Some(stripped(style, numbers.first().copied()));
        }
    }
    let some = search.iter().any(|line| numbered(line).is_some());
    some.then(|| stripped(Style::Bar, None))
}

/// New lines that all have numbers, as the old ones have not: these were not
/// meant to be written.
pub(crate) fn strip_new(search: &[Vec<u8>], replace: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    let bar = Style::Bar;
    let none = !search.iter().any(|line| is_numbered(line));
    let all = bar.all(replace).is_some_and(|numbers| !numbers.is_empty());
    if none && all {
        return Some(bar.strip(replace));
    }
    // Tables have such lines of their own: there they must be old lines, too.
    [Style::Tab, Style::Arrow].into_iter().find_map(|style| {
        let none = !search.iter().any(|line| style.read(line).is_some());
        let all = style.all(replace).is_some_and(|numbers| numbers.len() > 1);
        let stripped = style.strip(replace);
        let told = |line: &&Vec<u8>| !fold::is_blank(line);
        let known = stripped
            .iter()
            .filter(told)
            .any(|line| search.contains(line));
        (none && all && known).then_some(stripped)
    })
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

    #[test]
    fn numbers_of_all_kinds_are_taken_off_and_nothing_else() {
        let lines = |text: &str| -> Vec<Vec<u8>> {
            text.lines().map(|line| line.as_bytes().to_vec()).collect()
        };
        let stripped = |search: &str, replace: &str| {
            let found = strip_both(&lines(search), &lines(replace))?;
            Some((found.search, found.replace, found.first))
        };
        for (search, replace) in [
            (" 9 | a\n10 |  b", " 9 | a\n c"),
            ("     9\ta\n    10\t b", "     9\ta\n c"),
            ("9→a\n10→ b", "9→a\n c"),
            ("9:a\n10:  b", "9:a\n c"),
            ("9|a\n10| b", "9|a\n c"),
        ] {
            let due = (lines("a\n b"), lines("a\n c"), Some(9));
            assert_eq!(stripped(search, replace), Some(due), "{search:?}");
        }
        assert_eq!(stripped("| a\n| b", "| c"), None);
        assert_eq!(stripped("1: a\n5: b", "1: c"), None);
        assert_eq!(stripped("1: a", "1: c"), None);
        assert_eq!(strip_new(&lines("a"), &lines("1\tb\n2\tc")), None);
        assert!(strip_new(&lines("a\nx"), &lines("1\ta\n2\tc")).is_some());
    }
}
