//! Lines that mean something in blocks, and the order they must come in.

use super::BlockError;
use crate::{ErrorKind, fold};

/// Which markers are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// `<<<<<<< SEARCH` and `>>>>>>> REPLACE`: blocks for one file.
    #[default]
    Single,
    /// Also with eight brackets and with `<` behind REPLACE, as the multi-file
    /// forms have it.
    Multi,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    Search,
    Separator,
    Replace,
    /// A line that begins as a SEARCH or REPLACE marker and is none.
    Stray,
    /// `:start_line:` or `:end_line:`.
    Header(&'static str),
    /// Text.
    None,
}

const SEPARATOR: &[u8] = b"=======";
const HEADERS: [&str; 2] = [":start_line:", ":end_line:"];

impl Dialect {
    pub(crate) fn marker(self, line: &[u8]) -> Marker {
        // The first letter rules most lines out.
        let start = match line.iter().find(|b| !b.is_ascii_whitespace()) {
            Some(b'<' | b'>' | b'=' | b':' | 0x80..) => fold::trim(line),
            _ => return Marker::None,
        };
        if start == SEPARATOR {
            return Marker::Separator;
        }
        if let Some(header) = HEADERS.iter().find(|h| start.starts_with(h.as_bytes())) {
            return Marker::Header(header);
        }
        for (sign, marker) in [(b'<', Marker::Search), (b'>', Marker::Replace)] {
            let signs = start.iter().take_while(|b| **b == sign).count();
            if signs < 7 {
                continue;
            }
            let word = &start[signs..];
            let (plain, tailed): (&[u8], &[u8]) = match marker {
                Marker::Search => (b" SEARCH", b" SEARCH>"),
                _ => (b" REPLACE", b" REPLACE<"),
            };
            let tail = marker == Marker::Search || self == Self::Multi;
            let named = word == plain || tail && word == tailed;
            return match self {
                Self::Single if signs == 7 && named => marker,
                Self::Multi if signs <= 8 && named => marker,
                // Here a bracket too many or a missing space is text.
                Self::Multi if signs > 8 || !word.starts_with(b" ") => Marker::None,
                _ => Marker::Stray,
            };
        }
        Marker::None
    }

    /// How Roo Code writes down a SEARCH marker.
    fn search(self) -> (&'static str, &'static str) {
        match self {
            Self::Single => ("^<<<<<<< SEARCH>?$", "<<<<<<< SEARCH>?"),
            Self::Multi => ("<<<<<<< SEARCH", "<<<<<<< SEARCH"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    AfterSearch,
    AfterSeparator,
}

/// Checks that markers come in their order, and says for each line what it is.
pub(crate) fn validate<'b>(
    lines: impl Iterator<Item = &'b [u8]> + Clone,
    dialect: Dialect,
) -> Result<(), BlockError> {
    let count = |wanted: Marker| {
        let lines = lines.clone();
        lines.filter(|l| dialect.marker(l) == wanted).count()
    };
    let searches = count(Marker::Search);
    let bad = searches != count(Marker::Replace) || count(Marker::Separator) < searches;
    let mut state = State::Start;
    let (mut number, mut line) = (0, 0);
    let mut block = None;
    for text in lines {
        line += 1;
        let marker = dialect.marker(text);
        let shown = || String::from_utf8_lossy(fold::trim(text)).into_owned();
        let fail = |kind, found: String, expected: Option<&str>| {
            Err(BlockError {
                block,
                found: Some(found),
                expected: expected.map(str::to_owned),
                ..BlockError::new(kind, line)
            })
        };
        let (search, search_shown) = dialect.search();
        let due = match state {
            State::Start => search_shown,
            State::AfterSearch => "=======",
            State::AfterSeparator => ">>>>>>> REPLACE",
        };
        let malformed = |found: &str| fail(ErrorKind::MalformedSequence, found.into(), Some(due));
        let unescaped = || fail(ErrorKind::UnescapedMarker, shown(), None);
        match (marker, state) {
            (Marker::Header(header), State::AfterSeparator) => {
                return fail(ErrorKind::LineMarkerInReplace, header.into(), None);
            }
            (Marker::None | Marker::Header(_), _) => {}
            (Marker::Search, State::Start) => {
                state = State::AfterSearch;
                number += 1;
                block = Some((number, line));
            }
            (Marker::Search, _) => return malformed(search),
            (Marker::Separator, State::AfterSearch) => state = State::AfterSeparator,
            (Marker::Separator, _) if bad => return malformed("======="),
            (Marker::Separator | Marker::Stray, _) => return unescaped(),
            (Marker::Replace, State::AfterSeparator) => {
                state = State::Start;
                block = None;
            }
            (Marker::Replace, _) => return malformed(">>>>>>> REPLACE"),
        }
    }
    let kind = match state {
        State::Start => return Ok(()),
        State::AfterSearch => ErrorKind::UnexpectedEndWantSeparator,
        State::AfterSeparator => ErrorKind::UnexpectedEndWantReplace,
    };
    Err(BlockError {
        block,
        ..BlockError::new(kind, line + 1)
    })
}
