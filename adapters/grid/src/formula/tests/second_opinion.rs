//! Which stretches are references, asked of a parser that others wrote.

use super::made::{config, formula};
use crate::formula::reference::Target;
use crate::formula::scan::{Scanner, TokenKind};
use formualizer_parse::parser::ReferenceType;
use formualizer_parse::{TokenStream, TokenSubType, TokenType};
use proptest::prelude::*;

/// Cells, ranges, rows and columns, in this workbook or another, as they are written.
fn ours(formula: &str) -> Vec<&str> {
    let names_cells = |kind| match kind {
        TokenKind::Here(_) | TokenKind::Away(..) => true,
        TokenKind::There(_, target) => target != Target::Other,
        TokenKind::Verbatim | TokenKind::Word | TokenKind::Lost | TokenKind::Intersection => false,
    };
    let tokens = Scanner::new(formula).filter(|token| names_cells(token.kind));
    tokens.map(|token| token.text).collect()
}

fn theirs(formula: &str) -> Vec<&str> {
    let stream = TokenStream::new(formula).unwrap();
    let operands = stream.spans.iter().filter(|span| {
        span.token_type == TokenType::Operand && span.subtype == TokenSubType::Range
    });
    let texts = operands.map(|span| &formula[span.start..span.end]);
    let names_cells = |text: &&str| {
        use ReferenceType::{Cell, Cell3D, External, Range, Range3D};
        let read = ReferenceType::from_string(text);
        matches!(
            read,
            Ok(Cell { .. } | Range { .. } | Cell3D { .. } | Range3D { .. } | External(_))
        )
    };
    texts.filter(names_cells).collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn references_are_where_others_see_them(formula in formula()) {
        prop_assert_eq!(ours(&formula), theirs(&formula));
    }
}
