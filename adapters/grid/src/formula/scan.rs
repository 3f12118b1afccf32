//! A formula cut into what matters for comparing and following it.
//!
//! This is not a parser: precedence, arguments and types do not matter here, only
//! where references begin and end, what is a string, and which blanks say
//! something. Whatever is not understood comes out as words, as it is.

use super::reference::{Target, skip_blanks, target};

/// A stretch of a formula. Stretches come in order; between them are blanks
/// that say nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub kind: TokenKind,
    pub text: &'t str,
    /// Where it begins.
    pub start: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A string, where every byte counts.
    Verbatim,
    /// Names, numbers, operators, errors and structured references: text in which
    /// case does not count.
    Word,
    /// A reference to nothing: `#REF!`, and, depending on the program that wrote it,
    /// what is left of it: `Sheet!#REF!` and `#REF!A1`.
    Lost,
    /// Blanks between two operands: the intersection of both.
    Intersection,
    /// A reference in the formula's own sheet.
    Here(Target),
    /// A reference in another sheet, or in several; the `!` is behind so many
    /// bytes.
    There(usize, Target),
    /// A reference to another workbook; the `!` is behind so many bytes.
    Away(usize, Target),
}

/// What is before the next token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing, or an operator: blanks that follow say nothing.
    Open,
    /// A name; a parenthesis behind it makes it a call, also after blanks.
    Name,
    /// The end of something that has a value.
    Operand,
}

/// The tokens of a formula, one by one.
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    before: Before,
}

impl<'t> Scanner<'t> {
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            before: Before::Open,
        }
    }

    #[inline]
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    #[inline]
    fn token(&mut self, kind: TokenKind, end: usize, before: Before) -> Token<'t> {
        let start = self.at;
        self.at = end;
        self.before = before;
        let text = &self.text[start..end];
        Token { kind, text, start }
    }

    #[inline]
    fn word(&mut self, end: usize, before: Before) -> Token<'t> {
        self.token(TokenKind::Word, end, before)
    }

    #[inline]
    fn named(&mut self) -> Token<'t> {
        let bytes = self.text.as_bytes();
        if let Some((target, end)) = target(bytes, self.at) {
            return self.token(TokenKind::Here(target), end, Before::Operand);
        }
        let end = word_end(bytes, self.at);
        match self.byte(end) {
            Some(b'[') => self.word(bracket_end(bytes, end), Before::Operand),
            Some(b'!' | b':') => match sheet_end(bytes, self.at) {
                Some(mark) => self.behind_sheet(mark),
                None => self.word(end, Before::Name),
            },
            _ => self.word(end, Before::Name),
        }
    }

    fn quoted(&mut self) -> Token<'t> {
        let bytes = self.text.as_bytes();
        if let Some(mark) = sheet_end(bytes, self.at) {
            return self.behind_sheet(mark);
        }
        let end = quote_end(bytes, self.at, b'\'');
        self.token(TokenKind::Verbatim, end, Before::Operand)
    }

    /// `[Column]` within a table, or `[Book.xlsx]Sheet!A1`.
    fn bracket(&mut self) -> Token<'t> {
        let bytes = self.text.as_bytes();
        let end = bracket_end(bytes, self.at);
        match sheet_end(bytes, end) {
            Some(mark) => self.behind_sheet(mark),
            None => self.word(end, Before::Operand),
        }
    }

    /// What is behind a sheet, whose `!` is at `mark`.
    fn behind_sheet(&mut self, mark: usize) -> Token<'t> {
        let bytes = self.text.as_bytes();
        let name = &bytes[self.at..mark];
        let elsewhere = name.contains(&b'[') || name.contains(&b']');
        let start = mark + 1;
        let (target, end, before) = if let Some((target, end)) = target(bytes, start) {
            (target, end, Before::Operand)
        } else if self.byte(start) == Some(b'#') {
            let end = error_end(bytes, start);
            let kind = if is_lost(&bytes[start..end]) {
                TokenKind::Lost
            } else {
                TokenKind::Word
            };
            return self.token(kind, end, Before::Operand);
        } else {
            let end = word_end(bytes, start);
            match self.byte(end) {
                _ if end == start => return self.word(end, Before::Operand),
                Some(b'[') => (Target::Other, bracket_end(bytes, end), Before::Operand),
                _ => (Target::Other, end, Before::Name),
            }
        };
        let kind = match (elsewhere, target) {
            (true, Target::Other) => TokenKind::Word,
            (true, _) => TokenKind::Away(mark - self.at, target),
            (false, _) => TokenKind::There(mark - self.at, target),
        };
        self.token(kind, end, before)
    }

    fn error(&mut self) -> Token<'t> {
        let bytes = self.text.as_bytes();
        let end = error_end(bytes, self.at);
        if is_lost(&bytes[self.at..end]) {
            let end = target(bytes, end).map_or(end, |(_, end)| end);
            return self.token(TokenKind::Lost, end, Before::Operand);
        }
        self.word(end, Before::Operand)
    }
}

impl<'t> Iterator for Scanner<'t> {
    type Item = Token<'t>;

    #[inline]
    fn next(&mut self) -> Option<Token<'t>> {
        let bytes = self.text.as_bytes();
        let behind = skip_blanks(bytes, self.at);
        let next = self.byte(behind)?;
        if behind > self.at {
            let call = self.before == Before::Name && next == b'(';
            if self.before != Before::Open && !call && begins_operand(next) {
                return Some(self.token(TokenKind::Intersection, behind, Before::Open));
            }
            self.at = behind;
        }
        Some(match next {
            b'"' => {
                let end = quote_end(bytes, behind, b'"');
                self.token(TokenKind::Verbatim, end, Before::Operand)
            }
            b'\'' => self.quoted(),
            b'[' => self.bracket(),
            b'#' if self.before == Before::Open => self.error(),
            b')' | b'}' | b']' | b'%' | b'!' | b'#' => self.word(behind + 1, Before::Operand),
            _ if is_word(next) => self.named(),
            _ => self.word(behind + 1, Before::Open),
        })
    }
}

/// Whether blanks before this byte can be an intersection.
fn begins_operand(byte: u8) -> bool {
    !matches!(
        byte,
        b'+' | b'-'
            | b'*'
            | b'/'
            | b'^'
            | b'&'
            | b'='
            | b'<'
            | b'>'
            | b','
            | b';'
            | b')'
            | b'}'
            | b':'
            | b'%'
    )
}

/// Whether a name can hold this byte; all bytes of letters beyond ASCII can.
#[inline]
pub(super) fn is_word(byte: u8) -> bool {
    const WORD: [bool; 256] = {
        let mut word = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            word[byte] = byte >= 0x80
                || (byte as u8).is_ascii_alphanumeric()
                || matches!(byte as u8, b'_' | b'.' | b'\\' | b'?' | b'$');
            byte += 1;
        }
        word
    };
    WORD[usize::from(byte)]
}

fn word_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    start + rest.iter().take_while(|&&b| is_word(b)).count()
}

/// Where the `!` is behind a sheet, or behind the first and the last of
/// several, that begins at `start`. Either may have quotes.
fn sheet_end(bytes: &[u8], start: usize) -> Option<usize> {
    let name_end = |start| match bytes.get(start) {
        Some(b'\'') => quote_end(bytes, start, b'\''),
        _ => word_end(bytes, start),
    };
    let mut end = name_end(start);
    if bytes.get(end) == Some(&b':') {
        let last = end + 1;
        end = name_end(last);
        if end == last {
            return None;
        }
    }
    (bytes.get(end) == Some(&b'!')).then_some(end)
}

/// Behind the quote that closes the one at `start`; the end if none does. A quote
/// within is doubled.
fn quote_end(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        if bytes[at] == quote {
            if bytes.get(at + 1) != Some(&quote) {
                return at + 1;
            }
            at += 1;
        }
        at += 1;
    }
    bytes.len()
}

/// Behind the bracket that closes the one at `start`; the end if none does. `'`
/// takes a special meaning from what follows.
fn bracket_end(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0_u32;
    let mut at = start;
    while at < bytes.len() {
        match bytes[at] {
            b'[' => depth += 1,
            b']' => depth -= 1,
            b'\'' => at += 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

fn is_lost(error: &[u8]) -> bool {
    error.eq_ignore_ascii_case(b"#REF!")
}

/// Behind the error that begins at `start`.
fn error_end(bytes: &[u8], start: usize) -> usize {
    for with_slash in ["#DIV/0!", "#N/A"] {
        let end = start + with_slash.len();
        let here = bytes.get(start..end);
        if here.is_some_and(|here| here.eq_ignore_ascii_case(with_slash.as_bytes())) {
            return end;
        }
    }
    let letters = bytes[start + 1..]
        .iter()
        .take_while(|&&b| b.is_ascii_alphabetic() || b == b'_')
        .count();
    let end = start + 1 + letters;
    end + usize::from(matches!(bytes.get(end), Some(b'!' | b'?')))
}
