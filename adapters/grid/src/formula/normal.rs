//! When two formulas say the same, and what of a formula no move of cells changes.

use super::reference::{Line, Span, Target};
use super::scan::{Scanner, Token, TokenKind};
use super::sheet::{self, Sheets, folded};
use crate::{Address, MAX_COLS, MAX_ROWS};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Whether two formulas are equal but for case outside strings, blanks that say
/// nothing, and quotes that a sheet's name does not need.
pub(super) fn same(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (mut left, mut right) = (Scanner::new(a), Scanner::new(b));
    loop {
        match (left.next(), right.next()) {
            (Some(x), Some(y)) if same_token(&x, &y) => {}
            (None, None) => return true,
            _ => return false,
        }
    }
}

fn same_token(a: &Token, b: &Token) -> bool {
    match (a.kind, b.kind) {
        (TokenKind::Intersection, TokenKind::Intersection) | (TokenKind::Lost, TokenKind::Lost) => {
            true
        }
        (TokenKind::Verbatim, TokenKind::Verbatim) => a.text == b.text,
        (TokenKind::Word, TokenKind::Word) => sheet::same(a.text, b.text),
        (TokenKind::Away(mark, target), TokenKind::Away(other_mark, other)) => {
            target == other && sheet::same(&a.text[..mark], &b.text[..other_mark])
        }
        (TokenKind::Here(target), TokenKind::Here(other)) => target == other,
        (TokenKind::There(mark, target), TokenKind::There(other_mark, other)) => {
            let ((sheets, behind), (others, other_behind)) =
                (sheet::split(a.text, mark), sheet::split(b.text, other_mark));
            target == other
                && same_sheets(&sheets, &others)
                && (target != Target::Other || sheet::same(behind, other_behind))
        }
        _ => false,
    }
}

fn same_sheets((a, a_last): &Sheets, (b, b_last): &Sheets) -> bool {
    sheet::same(a, b)
        && match (a_last, b_last) {
            (None, None) => true,
            (Some(a), Some(b)) => sheet::same(a, b),
            _ => false,
        }
}

/// See [`super::Formula::skeleton`].
pub(super) fn skeleton(text: &str, at: Address, sheet: impl Fn(&str) -> u64) -> u64 {
    let mut hash = Hash::default();
    for token in Scanner::new(text) {
        match token.kind {
            TokenKind::Intersection => hash.byte(b' '),
            TokenKind::Verbatim => hash.bytes(token.text.as_bytes()),
            TokenKind::Lost => hash.bytes(b"#ref!"),
            TokenKind::Word => hash.folded(token.text),
            TokenKind::Here(target) => hash.target(&target, Some(at)),
            TokenKind::Away(mark, target) => {
                let prefix = &token.text[..mark];
                // Other workbooks are numbered anew when one comes or goes.
                match sheet::link(prefix) {
                    Some((before, _, behind)) => {
                        hash.folded(before);
                        hash.folded(behind);
                    }
                    None => hash.folded(prefix),
                }
                hash.target(&target, None);
            }
            TokenKind::There(mark, target) => {
                let ((first, last), behind) = sheet::split(token.text, mark);
                hash.sheet(sheet(&first));
                if let Some(last) = last {
                    hash.sheet(sheet(&last));
                }
                hash.target(&target, None);
                if target == Target::Other {
                    hash.folded(behind);
                }
            }
        }
    }
    hash.finish()
}

/// See [`super::Formula::words`].
pub(super) fn words(text: &str) -> u64 {
    let mut hash = Hash::default();
    for token in Scanner::new(text) {
        match token.kind {
            TokenKind::Intersection => hash.byte(b' '),
            TokenKind::Verbatim => hash.bytes(token.text.as_bytes()),
            TokenKind::Word => hash.folded(token.text),
            TokenKind::Lost | TokenKind::Here(_) | TokenKind::Away(..) | TokenKind::There(..) => {
                hash.byte(REFERENCE);
            }
        }
    }
    hash.finish()
}

/// A hash that takes bytes as they come.
struct Hash {
    bytes: [u8; 64],
    len: usize,
    seed: u64,
}

impl Default for Hash {
    fn default() -> Self {
        Self {
            bytes: [0; 64],
            len: 0,
            seed: 0,
        }
    }
}

// No text holds these bytes, so nothing else can look like a reference.
const SHEET: u8 = 0xfe;
const REFERENCE: u8 = 0xff;

impl Hash {
    #[inline]
    fn byte(&mut self, byte: u8) {
        if self.len == self.bytes.len() {
            self.seed = xxh3_64_with_seed(&self.bytes, self.seed);
            self.len = 0;
        }
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.byte(byte);
        }
    }

    fn finish(self) -> u64 {
        xxh3_64_with_seed(&self.bytes[..self.len], self.seed)
    }

    #[inline]
    fn folded(&mut self, text: &str) {
        for (at, byte) in text.bytes().enumerate() {
            if !byte.is_ascii() {
                return self.folded_slowly(&text[at..]);
            }
            self.byte(byte.to_ascii_lowercase());
        }
    }

    #[cold]
    fn folded_slowly(&mut self, text: &str) {
        for c in folded(text) {
            self.bytes(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }

    fn sheet(&mut self, id: u64) {
        self.byte(SHEET);
        self.bytes(&id.to_le_bytes());
    }

    #[inline]
    fn target(&mut self, target: &Target, own: Option<Address>) {
        let row = |line: Line| shape(line, own.map(|own| own.row));
        let col = |line: Line| shape(line, own.map(|own| own.col));
        let high = |rows: Span| ends(rows, MAX_ROWS, own.map(|own| own.row));
        let wide = |cols: Span| ends(cols, MAX_COLS, own.map(|own| own.col));
        let (kind, rows, cols) = match *target {
            Target::Cell { row: y, col: x } => (0, row(y), col(x)),
            Target::Range { rows, cols } => (1, high(rows), wide(cols)),
            Target::Rows(rows) => (2, high(rows), 0),
            Target::Cols(cols) => (3, 0, wide(cols)),
            Target::Other => (4, 0, 0),
        };
        self.bytes(&[REFERENCE, kind, rows, cols]);
    }
}

/// Two bits of a line: whether it is fixed, and whether it is the formula's own.
fn shape(line: Line, own: Option<u32>) -> u8 {
    u8::from(line.is_fixed()) | u8::from(own == Some(line.at())) << 1
}

/// Ends may change places when lines move, so their order says nothing; nor does it
/// say anything that all lines begin with the first one.
fn ends(span: Span, len: u32, own: Option<u32>) -> u8 {
    let own = own.filter(|_| !span.is_all(len));
    let (a, b) = (shape(span.first, own), shape(span.last, own));
    a.min(b) | a.max(b) << 2
}
