//! Which formulas come to the same after lines were put between those of a sheet.
//!
//! A reference follows its cells, but a range that something was put into holds
//! more than before, and `ROW()` says where it is. So a formula counts as
//! steady only if all that is in it is known to be.

use super::follow::{Places, Where};
use super::reference::{Span, Target};
use super::rewrite_ref::{Shift, rewrite_ref};
use super::scan::{Scanner, Token, TokenKind, is_word};
use super::sheet;
use crate::cell_map::CellMap;

/// Whether the formula names the same cells after it followed, no more and no
/// fewer, and has nothing in it that depends on where it is, on names, on the
/// time, or on what lies outside the workbook.
pub(super) fn is_layout_invariant(text: &str, places: &impl Places) -> bool {
    let tokens: Vec<Token<'_>> = Scanner::new(text).collect();
    let neighbours = |i: usize| {
        let before = i.checked_sub(1).map_or("", |i| tokens[i].text);
        let behind = tokens.get(i + 1).map_or("", |token| token.text);
        (before, behind)
    };
    tokens
        .iter()
        .enumerate()
        .all(|(i, token)| match token.kind {
            TokenKind::Verbatim | TokenKind::Lost => true,
            TokenKind::Intersection | TokenKind::Away(..) => false,
            TokenKind::Word => is_layout_invariant_word(token.text, neighbours(i).1 == "("),
            TokenKind::Here(target) => {
                is_argument(target, neighbours(i)) && keeps(target, &places.place(None))
            }
            TokenKind::There(mark, target) => {
                let ((first, last), _) = sheet::split(token.text, mark);
                last.is_none()
                    && is_argument(target, neighbours(i))
                    && keeps(target, &places.place(Some(&first)))
            }
        })
}

/// Whether a range is an argument as a whole: beside an operator it would make a
/// formula of many results, and whether one was meant is not known.
fn is_argument(target: Target, (before, behind): (&str, &str)) -> bool {
    matches!(target, Target::Cell { .. })
        || (matches!(before, "(" | "," | ";") && matches!(behind, ")" | "," | ";"))
}

/// Whether the cells are all there and nothing came between them.
fn keeps(target: Target, at: &Where<'_>) -> bool {
    let Where::Mapped { map, .. } = at else {
        return false;
    };
    match target {
        Target::Cell { .. } => rewrite_ref(target, map, Shift::default()).is_some(),
        Target::Range { rows, cols } => {
            let now = rewrite_ref(target, map, Shift::default());
            let size = |span: Span| span.first.at().abs_diff(span.last.at());
            matches!(now, Some(Target::Range { rows: r, cols: c })
                if size(r) == size(rows) && size(c) == size(cols))
        }
        // All of a column: whatever is put into the sheet is put into it.
        Target::Rows(_) | Target::Cols(_) => **map == CellMap::default(),
        Target::Other => false,
    }
}

fn is_layout_invariant_word(word: &str, called: bool) -> bool {
    let first = word.bytes().next().unwrap_or(b'(');
    if called && is_word(first) {
        let name = word.strip_prefix("_xlfn.").unwrap_or(word);
        let name = name.to_ascii_uppercase();
        return FUNCTIONS.binary_search(&name.as_str()).is_ok();
    }
    match first {
        b'0'..=b'9' => word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.'),
        b'#' => word.len() > 1,
        _ if is_word(first) => {
            word.eq_ignore_ascii_case("TRUE") || word.eq_ignore_ascii_case("FALSE")
        }
        _ => matches!(
            word,
            "=" | "+" | "-" | "*" | "/" | "^" | "&" | "<" | ">" | "," | ";" | "(" | ")" | "%"
        ),
    }
}

/// Functions that look at nothing but their arguments, and give one value.
const FUNCTIONS: [&str; 136] = [
    "ABS",
    "ACOS",
    "ACOSH",
    "AND",
    "ASIN",
    "ASINH",
    "ATAN",
    "ATAN2",
    "ATANH",
    "AVEDEV",
    "AVERAGE",
    "AVERAGEA",
    "AVERAGEIF",
    "AVERAGEIFS",
    "CEILING",
    "CHAR",
    "CHOOSE",
    "CLEAN",
    "CODE",
    "COLUMNS",
    "COMBIN",
    "CONCAT",
    "CONCATENATE",
    "CORREL",
    "COS",
    "COSH",
    "COUNT",
    "COUNTA",
    "COUNTBLANK",
    "COUNTIF",
    "COUNTIFS",
    "DATE",
    "DATEDIF",
    "DATEVALUE",
    "DAY",
    "DAYS",
    "DAYS360",
    "DEGREES",
    "EDATE",
    "EOMONTH",
    "EVEN",
    "EXACT",
    "EXP",
    "FACT",
    "FALSE",
    "FIND",
    "FIXED",
    "FLOOR",
    "FV",
    "GCD",
    "GEOMEAN",
    "HLOOKUP",
    "HOUR",
    "IF",
    "IFERROR",
    "IFNA",
    "IFS",
    "INT",
    "IPMT",
    "IRR",
    "ISBLANK",
    "ISERR",
    "ISERROR",
    "ISEVEN",
    "ISLOGICAL",
    "ISNA",
    "ISNONTEXT",
    "ISNUMBER",
    "ISODD",
    "ISTEXT",
    "LARGE",
    "LCM",
    "LEFT",
    "LEN",
    "LN",
    "LOG",
    "LOG10",
    "LOWER",
    "MATCH",
    "MAX",
    "MAXA",
    "MAXIFS",
    "MEDIAN",
    "MID",
    "MIN",
    "MINA",
    "MINIFS",
    "MINUTE",
    "MOD",
    "MONTH",
    "MROUND",
    "NA",
    "NETWORKDAYS",
    "NOT",
    "NPER",
    "NPV",
    "ODD",
    "OR",
    "PERCENTILE",
    "PI",
    "PMT",
    "POWER",
    "PPMT",
    "PRODUCT",
    "PROPER",
    "PV",
    "QUARTILE",
    "QUOTIENT",
    "RADIANS",
    "RANK",
    "RATE",
    "REPLACE",
    "REPT",
    "RIGHT",
    "ROUND",
    "ROUNDDOWN",
    "ROUNDUP",
    "ROWS",
    "SEARCH",
    "SECOND",
    "SIGN",
    "SIN",
    "SMALL",
    "SQRT",
    "STDEV",
    "SUBSTITUTE",
    "SUM",
    "SUMIF",
    "SUMIFS",
    "SUMPRODUCT",
    "SUMSQ",
    "TAN",
    "TEXT",
    "TIME",
    "TRIM",
    "TRUE",
];

#[cfg(test)]
mod tests {
    use super::FUNCTIONS;
    use crate::{Address, Layout};

    #[test]
    fn functions_stand_in_order() {
        assert!(FUNCTIONS.is_sorted());
    }

    /// A layout with a row and a column before all others, and a row put in as the
    /// new fifth.
    fn layout() -> Layout {
        let mut layout = Layout::default();
        layout.sheet("Data", "Data", &[0, 4], &[0]);
        layout.sheet("It's", "It's (2)", &[0], &[0]);
        layout
    }

    #[test]
    fn formulas_follow_where_they_come_to_the_same() {
        let layout = layout();
        for (formula, led) in [
            ("=C7*D7", "=D9*E9"),
            ("=SUM(A1:A3)", "=SUM(B2:B4)"),
            ("=SUM(A4:A9)", "=SUM(B6:B11)"),
            ("=IF($A$1>0,\"A1\",-1.5%)", "=IF($B$2>0,\"A1\",-1.5%)"),
            ("='It''s'!B2+1", "='It''s (2)'!C3+1"),
            ("=_xlfn.CONCAT(A1,TRUE)", "=_xlfn.CONCAT(B2,TRUE)"),
            ("=1+1", "=1+1"),
        ] {
            assert_eq!(layout.lead("Data", formula).as_deref(), Some(led));
        }
        assert_eq!(layout.place("Data", Address::new(3, 1)), Address::new(5, 2));
        assert_eq!(layout.place("Data", Address::new(0, 0)), Address::new(1, 1));
    }

    #[test]
    fn formulas_that_would_come_to_something_else_are_not_led() {
        let layout = layout();
        for formula in [
            "=SUM(A1:A9)",
            "=SUM(A:A)",
            "=ROW()",
            "=INDIRECT(\"A1\")",
            "=HYPERLINK(\"http://example.com\")",
            "=rate*2",
            "=Gone!A1",
            "=[1]Data!A1",
            "=cmd|'/C calc'!A0",
            "=A1:A3*B1:B3",
            "=SUM(A1:A3*2)",
            "=Table1[Price]",
            "=A1:INDEX(B1:B9,2)",
            "=SUM(Data:Other!A1)",
            "=A1 B2",
            "=MYFUNCTION(A1)",
            "=NOW()",
            "=A1#",
        ] {
            assert_eq!(layout.lead("Data", formula), None, "{formula}");
        }
    }
}
