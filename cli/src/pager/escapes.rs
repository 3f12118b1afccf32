//! Colours that git puts into its output.

use memchr::{memchr, memchr_iter};

const ESCAPE: u8 = 0x1b;
/// Reverse video on and off, as git's contrib/diff-highlight marks words.
const HIGHLIGHT: [&[u8]; 2] = [b"\x1b[7m", b"\x1b[27m"];

/// The bytes without the colours that git added. A changed line may hold colours of its
/// own, and they are content: of such a line only those are taken away that are where git
/// puts them, at its ends and around its sign and white space.
pub(super) fn without_colours(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    let starts = || memchr_iter(b'\n', bytes).map(|at| at + 1);
    // Git ends every line with a reset, those without a colour too.
    let coloured = [0]
        .into_iter()
        .chain(starts())
        .any(|at| is_coloured(&bytes[at..]));
    let mut start = 0;
    for end in starts().chain([bytes.len()]) {
        push_plain(&bytes[start..end], coloured, &mut plain);
        start = end;
    }
    plain
}

fn push_plain(line: &[u8], is_coloured: bool, plain: &mut Vec<u8>) {
    if memchr(ESCAPE, line).is_none() {
        plain.extend_from_slice(line);
        return;
    }
    let (own, text) = line.split_at(colours(line));
    match text {
        [sign @ (b'+' | b'-' | b' '), content @ ..] => {
            plain.push(*sign);
            // Behind the sign of a kept line git has no colour to go back to.
            let content = match sign {
                b' ' => &content[behind_reset(content, true)..],
                _ => content,
            };
            push_content(content, own, is_coloured, plain);
        }
        _ => push_stripped(line, |_| true, plain),
    }
}

/// Pushes what follows the sign of a line whose colour is `own`.
fn push_content(content: &[u8], own: &[u8], is_coloured: bool, plain: &mut Vec<u8>) {
    // White space that git marks is in the indentation or at the end.
    let mut rest = content;
    let mut is_marked = false;
    loop {
        let mark = behind_reset(rest, is_marked);
        rest = &rest[mark..];
        let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
        if blanks == 0 {
            break;
        }
        is_marked |= mark > 0;
        plain.extend_from_slice(&rest[..blanks]);
        rest = &rest[blanks..];
        // Behind a mark the colour of the line begins again.
        if is_marked && !own.is_empty() {
            rest = rest.strip_prefix(own).unwrap_or(rest);
        }
    }
    let (text, newline) = match rest {
        [text @ .., b'\n'] => (text, &b"\n"[..]),
        _ => (rest, &b""[..]),
    };
    let (text, blanks) = without_end(text, is_coloured);
    push_stripped(text, |colour| HIGHLIGHT.contains(&colour), plain);
    plain.extend_from_slice(blanks);
    plain.extend_from_slice(newline);
}

/// A line without the reset at its end, and without the mark of the white space before it,
/// which is given apart.
fn without_end(text: &[u8], is_coloured: bool) -> (&[u8], &[u8]) {
    let Some(inner) = without_last(text, is_reset) else {
        return (text, b"");
    };
    let blanks = inner.iter().rev().take_while(|byte| is_blank(**byte));
    let (before, blanks) = inner.split_at(inner.len() - blanks.count());
    match without_last(before, |_| true) {
        Some(marked) if !blanks.is_empty() => {
            (without_last(marked, is_reset).unwrap_or(marked), blanks)
        }
        _ if is_coloured => (inner, b""),
        _ => (text, b""),
    }
}

/// A text without the colour that it ends with, if that is one of those.
fn without_last(text: &[u8], is_one: impl Fn(&[u8]) -> bool) -> Option<&[u8]> {
    let at = memchr::memrchr(ESCAPE, text)?;
    let last = &text[at..];
    (colour(last) == last.len() && is_one(last)).then(|| &text[..at])
}

/// The bytes of a reset and of one colour behind it; 0 without the reset. One that text
/// follows is git's only behind a mark.
fn behind_reset(text: &[u8], is_marked: bool) -> usize {
    let (first, rest) = text.split_at(colour(text));
    let second = colour(rest);
    let is_gits = is_marked || second > 0 || rest.first().is_none_or(u8::is_ascii_whitespace);
    if is_reset(first) && is_gits {
        first.len() + second
    } else {
        0
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

fn is_reset(colour: &[u8]) -> bool {
    matches!(colour, b"\x1b[m" | b"\x1b[0m")
}

/// Pushes a text without those of its colours.
fn push_stripped(text: &[u8], is_one: impl Fn(&[u8]) -> bool, plain: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(at) = memchr(ESCAPE, rest) {
        plain.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let length = colour(rest);
        if length == 0 || !is_one(&rest[..length]) {
            plain.push(ESCAPE);
            rest = &rest[1..];
        } else {
            rest = &rest[length..];
        }
    }
    plain.extend_from_slice(rest);
}

/// Whether a line begins with a colour.
pub(super) fn is_coloured(line: &[u8]) -> bool {
    colour(line) > 0
}

/// The bytes of all colours that a text begins with.
fn colours(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match colour(&text[at..]) {
            0 => return at,
            length => at += length,
        }
    }
}

/// The bytes of the colour that a text begins with, `ESC [ … m` or `ESC [ K`, which clears
/// the rest of a line; 0 if it does not.
fn colour(text: &[u8]) -> usize {
    let Some(rest) = text.strip_prefix(b"\x1b[") else {
        return 0;
    };
    let numbers = rest
        .iter()
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b';' | b':'))
        .count();
    match rest.get(numbers) {
        Some(b'm' | b'K') => 2 + numbers + 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::without_colours;

    #[track_caller]
    fn becomes(coloured: &str, plain: &str) {
        let found = without_colours(coloured.as_bytes());
        assert_eq!(String::from_utf8_lossy(&found), plain);
    }

    #[test]
    fn only_colours_go() {
        becomes(
            "\x1b[1;38;5;2m+\x1b[m\x1b[Ka\x1b[2Jb\x1b\x1b[",
            "+a\x1b[2Jb\x1b\x1b[",
        );
        becomes("plain\r\n", "plain\r\n");
        becomes(
            "\x1b[36m@@ -1 +1 @@\x1b[m fn \x1b[1mf\x1b[m()\n",
            "@@ -1 +1 @@ fn f()\n",
        );
    }

    #[test]
    fn colours_of_the_text_stay() {
        becomes(
            "\x1b[31m-x \x1b[31mred\x1b[0m y\x1b[m\n",
            "-x \x1b[31mred\x1b[0m y\n",
        );
        becomes(
            "\x1b[32m+\x1b[m\x1b[32mx \x1b[32mred\x1b[0m y\x1b[m\n",
            "+x \x1b[32mred\x1b[0m y\n",
        );
        // At the end, and at the start.
        becomes(
            "\x1b[32m+\x1b[m\x1b[32mplain\x1b[m\x1b[m\n",
            "+plain\x1b[m\n",
        );
        becomes(
            "\x1b[32m+\x1b[m\x1b[32m\x1b[31mred\x1b[m\n",
            "+\x1b[31mred\n",
        );
        becomes("\x1b[31m-\x1b[mplain\x1b[m\n", "-\x1b[mplain\n");
        becomes(" \x1b[1mbold\x1b[m\n", " \x1b[1mbold\x1b[m\n");
    }

    #[test]
    fn marks_of_white_space_and_words_go() {
        becomes(
            "\x1b[32m+\x1b[m\x1b[32mtext\x1b[m\x1b[41m  \x1b[m\n",
            "+text  \n",
        );
        becomes(
            "\x1b[32m+\x1b[m\x1b[41m \x1b[m\x1b[32m\ttext\x1b[m\n",
            "+ \ttext\n",
        );
        becomes(
            "\x1b[32m+\x1b[m\x1b[32mtext\x1b[m\x1b[41m\r\x1b[m\n",
            "+text\r\n",
        );
        becomes("\x1b[31m-a \x1b[7mb\x1b[27m c\x1b[m\n", "-a b c\n");
    }
}
