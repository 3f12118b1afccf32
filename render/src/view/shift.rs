//! The shift of a block's indentation, which is told once and marked nowhere.

use mvdiff_text::{Indent, Stretches};

/// Takes the marks off the indentation of a line that shifted as its block did.
pub(super) fn unmark(
    shift: Option<&Indent>,
    (old, new): (&[u8], &[u8]),
    (old_spans, new_spans): (&mut Stretches, &mut Stretches),
) {
    let Some(shift) = shift else { return };
    let (from, to) = (indent(old), indent(new));
    let rest = from.strip_prefix(shift.from.as_bytes());
    if rest.is_some() && rest == to.strip_prefix(shift.to.as_bytes()) {
        for (spans, indent) in [(old_spans, from), (new_spans, to)] {
            for span in spans.iter_mut() {
                span.0 = span.0.max(indent.len());
            }
            spans.retain(|span| span.0 < span.1);
        }
    }
}

fn indent(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|b| !matches!(b, b' ' | b'\t'));
    &line[..end.unwrap_or(line.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(old: &str, new: &str, mut spans: [Stretches; 2]) -> [Stretches; 2] {
        let shift = Indent {
            from: String::new(),
            to: "    ".into(),
        };
        let [left, right] = &mut spans;
        unmark(
            Some(&shift),
            (old.as_bytes(), new.as_bytes()),
            (left, right),
        );
        spans
    }

    #[test]
    fn a_line_that_shifted_with_its_block_is_marked_where_it_was_edited() {
        let spans = [vec![(0, 2)], vec![(0, 6), (9, 10)]];
        assert_eq!(
            marks("  a < b", "      a <= b", spans),
            [vec![], vec![(9, 10)]]
        );
        let spans = [vec![(0, 1)], vec![(0, 5)]];
        assert_eq!(marks("ab", "    cb", spans), [vec![(0, 1)], vec![(4, 5)]]);
    }

    #[test]
    fn a_line_that_shifted_another_way_keeps_its_marks() {
        let spans = [vec![(0, 3)], vec![(0, 3)]];
        assert_eq!(marks("  a", "  b", spans.clone()), spans);
    }
}
