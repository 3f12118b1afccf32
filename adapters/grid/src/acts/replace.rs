//! One text in the place of another.

/// What was looked for, and what is there now.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Swap {
    pub from: String,
    pub to: String,
}

/// What differs between two texts, widened to whole words. A text that only came
/// counts where it is before or behind all of the other.
pub(super) fn swap(from: &str, to: &str) -> Option<Swap> {
    let head: usize = from
        .chars()
        .zip(to.chars())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    let tail: usize = from[head..]
        .chars()
        .rev()
        .zip(to[head..].chars().rev())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    let is_word = |c: &char| c.is_alphanumeric() || *c == '_';
    let edge_before = |text: &str| text[head..].chars().next().is_some_and(|c| is_word(&c));
    // A word that is cut in two is taken whole, on both sides.
    let begin: usize =
        if edge_before(&from[..from.len() - tail]) || edge_before(&to[..to.len() - tail]) {
            let word = from[..head].chars().rev().take_while(is_word);
            word.map(char::len_utf8).sum()
        } else {
            0
        };
    let (a, b) = (
        &from[head - begin..from.len() - tail],
        &to[head - begin..to.len() - tail],
    );
    let open = |text: &str| text.chars().next_back().is_some_and(|c| is_word(&c));
    let end: usize = if open(a) || open(b) {
        let word = from[from.len() - tail..].chars().take_while(is_word);
        word.map(char::len_utf8).sum()
    } else {
        0
    };
    let found = Swap {
        from: from[head - begin..from.len() - tail + end].to_owned(),
        to: to[head - begin..to.len() - tail + end].to_owned(),
    };
    let whole = head == 0 || tail == 0;
    (from != to && (whole || !found.from.is_empty())).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::swap;

    #[test]
    fn words_are_taken_whole() {
        let found = |from, to| swap(from, to).map(|swap| (swap.from, swap.to));
        let pair = |from: &str, to: &str| Some((from.to_owned(), to.to_owned()));
        assert_eq!(
            found("the colour red", "the color red"),
            pair("colour", "color")
        );
        assert_eq!(
            found("=Q1_2023!B4", "=Q1_2024!B4"),
            pair("Q1_2023", "Q1_2024")
        );
        assert_eq!(found("amber", "amber (old)"), pair("", " (old)"));
        assert_eq!(found("a-x", "a-y"), pair("x", "y"));
        assert_eq!(found("same", "same"), None);
        assert_eq!(found("", "new"), pair("", "new"));
        assert_eq!(found("größe", "grösse"), pair("größe", "grösse"));
    }
}
