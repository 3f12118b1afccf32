//! Text escaped for a page or for XML.

use crate::styles::is_hidden;

/// What would be markup escaped, and characters that would not be seen, or turn
/// what follows round, made visible. Good for attributes, too.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if is_written_out(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Text in a page: escaped, and what is written out for a character is marked, to
/// distinguish it from text that reads the same.
pub(crate) fn marked(text: &str) -> String {
    mark(text, |c| !matches!(c, '\n' | '\t') && is_written_out(c))
}

/// The same for a name, in which line breaks and tabs have no business either.
pub(crate) fn marked_name(name: &str) -> String {
    mark(name, is_written_out)
}

fn mark(text: &str, is_hidden: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some(at) = rest.find(&is_hidden) {
        let hidden = rest[at..].find(|c| !is_hidden(c));
        let (before, from) = rest.split_at(at);
        let (hidden, behind) = from.split_at(hidden.unwrap_or(from.len()));
        out.push_str(&escaped(before));
        out.push_str("<span class=h>");
        for c in hidden.chars() {
            match c {
                '\t' => out.push_str("\\t"),
                c => out.extend(c.escape_unicode()),
            }
        }
        out.push_str("</span>");
        rest = behind;
    }
    out + &escaped(rest)
}

/// What a reader would not see, or XML does not allow.
fn is_written_out(c: char) -> bool {
    is_hidden(c) || matches!(c, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::{escaped, marked, marked_name};

    #[test]
    fn nothing_is_markup_and_nothing_turns_the_text_round() {
        assert_eq!(
            escaped("<script>'\"&\u{202e}\u{7}"),
            "&lt;script&gt;&#39;&quot;&amp;\\u{202e}\\u{7}"
        );
        assert_eq!(escaped("a\tb\nç"), "a\tb\nç");
    }

    #[test]
    fn what_is_written_out_is_told_from_a_text_that_reads_the_same() {
        assert_eq!(
            marked("<\\u{7}\t\u{7}\u{202e}>"),
            "&lt;\\u{7}\t<span class=h>\\u{7}\\u{202e}</span>&gt;"
        );
        assert_eq!(marked_name("a\n\tb"), "a<span class=h>\\u{a}\\t</span>b");
    }
}
