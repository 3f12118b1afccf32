//! Formulas as they read from their own cell: what was filled down is one formula.

use super::reference::{Line, Span, Target};
use super::scan::{Scanner, Token, TokenKind};
use crate::Address;
use std::fmt::Write as _;

/// The formula with its references relative to the cell that it is in, so that
/// formulas filled down or to the right read the same. Case and blanks that say
/// nothing do not count.
pub(crate) fn r1c1(text: &str, at: Address) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for token in Scanner::new(text) {
        match token.kind {
            TokenKind::Verbatim => out.push_str(token.text),
            TokenKind::Intersection => out.push(' '),
            TokenKind::Word
            | TokenKind::Lost
            | TokenKind::There(_, Target::Other)
            | TokenKind::Away(_, Target::Other) => out.push_str(&token.text.to_uppercase()),
            TokenKind::Here(target) => write_target(target, at, &mut out),
            TokenKind::There(mark, target) | TokenKind::Away(mark, target) => {
                out.push_str(&token.text[..=mark].to_uppercase());
                write_target(target, at, &mut out);
            }
        }
    }
    out
}

fn write_target(target: Target, at: Address, out: &mut String) {
    let mut corner = |row: Option<Line>, col: Option<Line>| {
        let mut write = |letter: char, line: Option<Line>, own: u32| {
            let Some(line) = line else { return };
            let _ = if line.is_fixed() {
                write!(out, "{letter}{}", line.at() + 1)
            } else {
                write!(out, "{letter}[{}]", i64::from(line.at()) - i64::from(own))
            };
        };
        write('R', row, at.row);
        write('C', col, at.col);
        out.push(':');
    };
    match target {
        Target::Cell { row, col } => corner(Some(row), Some(col)),
        Target::Range { rows, cols } => {
            corner(Some(rows.first), Some(cols.first));
            corner(Some(rows.last), Some(cols.last));
        }
        Target::Rows(rows) => {
            corner(Some(rows.first), None);
            corner(Some(rows.last), None);
        }
        Target::Cols(cols) => {
            corner(None, Some(cols.first));
            corner(None, Some(cols.last));
        }
        Target::Other => {}
    }
}

/// How the ranges of a formula reach further than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Extended {
    /// Whether by rows, else by columns.
    pub rows: bool,
    /// The last line before, from zero.
    pub from: u32,
    /// The last line now.
    pub to: u32,
}

/// Whether a formula is another with ranges that end elsewhere, all by the same lines.
pub(crate) fn extended(old: &str, new: &str) -> Option<Extended> {
    let mut found: Option<Extended> = None;
    let (mut was, mut is) = (Scanner::new(old), Scanner::new(new));
    loop {
        let (a, b) = match (was.next(), is.next()) {
            (None, None) => return found,
            (Some(a), Some(b)) => (a, b),
            _ => return None,
        };
        if let Some((mark, from, to)) = ranges(&a, &b) {
            if !a.text[..mark].eq_ignore_ascii_case(&b.text[..mark]) {
                return None;
            }
            let step = match (reach(from.0, to.0)?, reach(from.1, to.1)?) {
                (None, None) => continue,
                (Some((from, to)), None) => Extended {
                    rows: true,
                    from,
                    to,
                },
                (None, Some((from, to))) => Extended {
                    rows: false,
                    from,
                    to,
                },
                (Some(_), Some(_)) => return None,
            };
            if *found.get_or_insert(step) != step {
                return None;
            }
        } else if a.kind == TokenKind::Verbatim || b.kind == TokenKind::Verbatim {
            if a.text != b.text {
                return None;
            }
        } else if !a.text.eq_ignore_ascii_case(b.text) {
            return None;
        }
    }
}

type Spans = (Span, Span);

/// The rows and columns of two references that are both ranges, and where they begin.
fn ranges(a: &Token<'_>, b: &Token<'_>) -> Option<(usize, Spans, Spans)> {
    let range = |kind: TokenKind| match kind {
        TokenKind::Here(Target::Range { rows, cols }) => Some((0, (rows, cols))),
        TokenKind::There(mark, Target::Range { rows, cols })
        | TokenKind::Away(mark, Target::Range { rows, cols }) => Some((mark + 1, (rows, cols))),
        _ => None,
    };
    let ((mark, from), (other, to)) = (range(a.kind)?, range(b.kind)?);
    (mark == other).then_some((mark, from, to))
}

/// Both ends, if a span begins where it began and ends elsewhere; none inside if it is
/// the same, and none at all if it is another.
#[allow(clippy::option_option)] // the same, further, and neither
fn reach(from: Span, to: Span) -> Option<Option<(u32, u32)>> {
    if from == to {
        return Some(None);
    }
    let same_mark = from.last.is_fixed() == to.last.is_fixed();
    (from.first == to.first && same_mark).then(|| Some((from.last.at(), to.last.at())))
}

#[cfg(test)]
mod tests {
    use super::{Extended, extended, r1c1};

    fn at(address: &str) -> crate::Address {
        address.parse().unwrap_or(crate::Address::new(0, 0))
    }

    #[test]
    fn what_is_filled_down_reads_the_same() {
        assert_eq!(r1c1("=B2*$C$1", at("D2")), r1c1("= b3*$C$1", at("D3")));
        assert_ne!(r1c1("=B2*$C$1", at("D2")), r1c1("=B2*$C$1", at("D3")));
        assert_ne!(r1c1("=B2*C1", at("D2")), r1c1("=B3*$C$1", at("D3")));
        assert_eq!(
            r1c1("=SUM(Data!B2:B$9)", at("B10")),
            r1c1("=SUM(data!C2:C$9)", at("C10"))
        );
        assert_ne!(r1c1("=\"a\"&A1", at("B1")), r1c1("=\"A\"&A1", at("B1")));
    }

    #[test]
    fn ranges_reach_further_by_the_same_lines() {
        let rows = |from, to| {
            Some(Extended {
                rows: true,
                from,
                to,
            })
        };
        assert_eq!(extended("=SUM(B2:B10)", "=SUM(B2:B12)"), rows(9, 11));
        assert_eq!(extended("=SUM(B2:B10)/C1", "=SUM(B2:B12)/C2"), None);
        assert_eq!(extended("=A1:A5+B1:B5", "=A1:A7+B1:B7"), rows(4, 6));
        assert_eq!(extended("=A1:A5+B1:B5", "=A1:A7+B1:B8"), None);
        assert_eq!(
            extended("=SUM(Data!B2:B10)", "=SUM(Data!B2:B12)"),
            rows(9, 11)
        );
        assert_eq!(extended("=SUM(Data!B2:B10)", "=SUM(Other!B2:B12)"), None);
        assert_eq!(extended("=SUM(B2:B10)", "=SUM(B2:B10)"), None);
    }
}
