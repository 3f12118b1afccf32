//! Text as it may stand in a page or in XML.

use crate::paint::is_hidden;

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
            c if is_hidden(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                out.extend(c.escape_unicode());
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_is_markup_and_nothing_turns_the_text_round() {
        assert_eq!(
            escaped("<script>'\"&\u{202e}\u{7}"),
            "&lt;script&gt;&#39;&quot;&amp;\\u{202e}\\u{7}"
        );
        assert_eq!(escaped("a\tb\nç"), "a\tb\nç");
    }
}
