//! An indentation that changed in a whole block is reported once, in words, and is not a
//! change of its lines.

use mvdiff_text::Indent;

/// Stretches that changed, in characters.
type Spans = Vec<(usize, usize)>;

/// Takes the indentation out of what changed in an edited line of a block, if the
/// line only follows the block in it.
pub(super) fn without_shift(
    shift: Option<&Indent>,
    (old, new): (&[u8], &[u8]),
    (old_spans, new_spans): (&mut Spans, &mut Spans),
) {
    let Some(shift) = shift else { return };
    let blanks = |line: &[u8]| line.len() - line.trim_ascii_start().len();
    let follows = old
        .strip_prefix(shift.from.as_bytes())
        .zip(new.strip_prefix(shift.to.as_bytes()))
        .is_some_and(|(old, new)| old[..blanks(old)] == new[..blanks(new)]);
    if follows {
        old_spans.retain(|span| span.1 > blanks(old));
        new_spans.retain(|span| span.1 > blanks(new));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(old: &str, new: &str, spans: [Spans; 2]) -> [Spans; 2] {
        let shift = Indent {
            from: String::new(),
            to: "  ".into(),
        };
        let [mut of_old, mut of_new] = spans;
        let texts = (old.as_bytes(), new.as_bytes());
        without_shift(Some(&shift), texts, (&mut of_old, &mut of_new));
        [of_old, of_new]
    }

    #[test]
    fn a_line_that_follows_its_block_changed_in_its_words_only() {
        let spans = [vec![(2, 3)], vec![(0, 2), (4, 5)]];
        assert_eq!(left("a x", "  a y", spans), [vec![(2, 3)], vec![(4, 5)]]);
    }

    #[test]
    fn a_line_that_goes_its_own_way_changed_in_its_indentation() {
        let spans = [vec![(2, 3)], vec![(0, 4), (6, 7)]];
        assert_eq!(left("a x", "    a y", spans.clone()), spans);
    }
}
