//! Text measured in columns: what a terminal would do with tabs, wide characters
//! and control characters is decided here, before it is wrapped.

use super::palette::{LineStyle, Palette};
use crate::styles::{broken, decode, is_hidden, is_lost, spelt};
use crate::syntax::Class;
use std::fmt::Write as _;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// How a stretch of text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    /// A word that changed.
    Strong,
    /// Not of the text, but about it.
    Faint,
    /// The mark of a move.
    Moved,
    /// The name of a file.
    Name,
    /// The function or section around a hunk.
    Place,
}

/// What is made visible at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trim {
    /// Nothing: the line did not change.
    Quiet,
    /// What its other version does not have.
    Edited {
        /// Blanks at the end.
        blanks: bool,
        carriage: bool,
        /// White space elsewhere that would look like the other version's.
        spaces: Spaces,
    },
    /// Blanks, an empty line, and a carriage return if others have none.
    Alone { carriage: bool },
}

/// Where white space is made visible, besides stretches that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spaces {
    Nowhere,
    AtTheStart,
    Everywhere,
}

/// Bytes from which on a line that did not change is cut, and an edited one is shown
/// only around what changed.
const LONG: usize = 2000;
/// Characters that are shown at the start or around a change of such a line.
const AROUND: usize = 200;

/// Columns of the widest characters.
const WIDEST: usize = 2;

/// A piece that is not broken: a character with all that belongs to it.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// Where its text ends; it starts where the one before ends.
    end: usize,
    width: u8,
    tone: Tone,
    class: Class,
}

/// Text as it is shown.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    text: String,
    cells: Vec<Cell>,
    /// Columns so far.
    column: usize,
    /// What is written now.
    class: Class,
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            text: String::new(),
            cells: Vec::new(),
            column: 0,
            class: Class::Plain,
        }
    }
}

impl Shown {
    /// Words of our own, and names in which everything is visible already.
    pub(super) fn of(parts: &[(&str, Tone)]) -> Self {
        let mut shown = Self::default();
        for (text, tone) in parts {
            shown.say(text, *tone);
        }
        shown
    }

    /// A line of a file: what changed inside it, and what its words are.
    pub(super) fn line(
        text: &[u8],
        spans: &[(usize, usize)],
        words: &[(u32, Class)],
        trim: Trim,
        tabs: usize,
    ) -> Self {
        let mut decoded = decode(text);
        let carriage = match trim {
            Trim::Quiet => false,
            Trim::Edited { carriage, .. } | Trim::Alone { carriage } => carriage,
        };
        let returns = decoded.ends_with('\r');
        if returns {
            decoded.pop();
        }
        let mut shown = Self {
            text: String::with_capacity(decoded.len()),
            cells: Vec::with_capacity(decoded.len().min(LONG)),
            ..Self::default()
        };
        let white = white(spans, &decoded);
        let spans = &joined(spans, &decoded)[..];
        let mut writer = Writer {
            indent: match trim {
                Trim::Edited { spaces, .. } => match spaces {
                    Spaces::Nowhere => 0,
                    Spaces::AtTheStart => decoded.chars().take_while(is_blank).count(),
                    Spaces::Everywhere => usize::MAX,
                },
                _ => 0,
            },
            white: &white,
            broken: &broken(text),
            marks: match trim {
                Trim::Quiet | Trim::Edited { blanks: false, .. } => usize::MAX,
                _ => decoded.trim_end_matches([' ', '\t']).chars().count(),
            },
            shown: &mut shown,
            spans,
            words,
            tabs,
        };
        writer.write(&decoded, trim);
        shown.class = Class::Plain;
        if returns && carriage {
            shown.say("^M", Tone::Faint);
        } else if decoded.is_empty() && trim != Trim::Quiet {
            shown.say("⏎", Tone::Faint);
        }
        if trim != Trim::Quiet && !text.ends_with(b"\n") {
            shown.say(" (no newline at the end)", Tone::Faint);
        }
        shown
    }

    /// Adds text of one tone.
    pub(super) fn say(&mut self, text: &str, tone: Tone) {
        for piece in pieces(text) {
            self.push(piece, tone);
        }
    }

    /// A piece, or several where it is wider than a character can be: clusters of some
    /// scripts have no end, and each has to fit into a column.
    fn push(&mut self, piece: &str, tone: Tone) {
        if piece.len() == 1 || piece.width() <= WIDEST {
            return self.push_whole(piece, tone);
        }
        let mut start = 0;
        for (at, c) in piece.char_indices() {
            // What takes no room stays with what it belongs to.
            if at > start && c.width().unwrap_or(0) > 0 {
                self.push_whole(&piece[start..at], tone);
                start = at;
            }
        }
        self.push_whole(&piece[start..], tone);
    }

    fn push_whole(&mut self, piece: &str, tone: Tone) {
        let width = if piece.len() == 1 { 1 } else { piece.width() };
        self.text.push_str(piece);
        self.column += width;
        self.cells.push(Cell {
            end: self.text.len(),
            width: u8::try_from(width).unwrap_or(u8::MAX),
            tone,
            class: self.class,
        });
    }

    /// Columns of some cells.
    pub(super) fn width(&self, cells: Range<usize>) -> usize {
        let cells = self.cells[cells].iter();
        cells.map(|cell| usize::from(cell.width)).sum()
    }

    /// Ranges of cells, each at most as wide as the room; between `words` where
    /// there are any. At least one, which may be empty.
    pub(super) fn wrap(&self, room: Option<usize>, words: bool) -> Vec<Range<usize>> {
        let room = room.unwrap_or(usize::MAX);
        let mut lines = Vec::new();
        let (mut start, mut width) = (0, 0);
        let mut blank = None;
        for (at, cell) in self.cells.iter().enumerate() {
            let wide = usize::from(cell.width);
            if width + wide > room && at > start {
                let broken = blank.filter(|_| words);
                let (end, next) = broken.map_or((at, at), |blank| (blank, blank + 1));
                lines.push(start..end);
                start = next;
                width = self.width(start..at);
                blank = None;
            }
            if words && self.piece(at) == " " && at > start {
                blank = Some(at);
            }
            width += wide;
        }
        lines.push(start..self.cells.len());
        lines
    }

    fn piece(&self, cell: usize) -> &str {
        let start = cell.checked_sub(1).map_or(0, |cell| self.cells[cell].end);
        &self.text[start..self.cells[cell].end]
    }

    /// Some cells in their colours.
    pub(super) fn paint(
        &self,
        cells: Range<usize>,
        ink: Option<&LineStyle>,
        palette: &Palette,
    ) -> String {
        let mut painted = String::new();
        let mut at = cells.start;
        for run in self.cells[cells].chunk_by(|a, b| (a.tone, a.class) == (b.tone, b.class)) {
            let start = at.checked_sub(1).map_or(0, |cell| self.cells[cell].end);
            at += run.len();
            let text = &self.text[start..self.cells[at - 1].end];
            let style = palette.word(run[0].tone, run[0].class, ink);
            let _ = write!(painted, "{style}{text}{style:#}");
        }
        painted
    }

    /// A line of `~` below the words that changed, if any did.
    pub(super) fn guide(&self, cells: Range<usize>) -> Option<String> {
        let cells = &self.cells[cells];
        let last = cells.iter().rposition(|cell| cell.tone == Tone::Strong)?;
        let marks = cells[..=last].iter().map(|cell| {
            let mark = if cell.tone == Tone::Strong { "~" } else { " " };
            mark.repeat(usize::from(cell.width))
        });
        Some(marks.collect())
    }
}

/// A line on its way to the screen.
struct Writer<'w> {
    shown: &'w mut Shown,
    spans: &'w [(usize, usize)],
    /// What the words are: where each ends, in bytes.
    words: &'w [(u32, Class)],
    /// The character up to which blanks are marked.
    indent: usize,
    /// The character from which on blanks are marked.
    marks: usize,
    /// Changed stretches of nothing but white space, which is marked.
    white: &'w [(usize, usize)],
    /// Bytes that are not text, and the characters that replace them.
    broken: &'w [(usize, u8)],
    tabs: usize,
}

impl Writer<'_> {
    fn write(&mut self, text: &str, trim: Trim) {
        let chars = || text.chars().count();
        let mut left_out = match trim {
            Trim::Quiet if text.len() > LONG => far(&[(0, 0)], chars()),
            Trim::Edited { .. } if text.len() > LONG => far(self.spans, chars()),
            _ => Vec::new(),
        }
        .into_iter()
        .peekable();
        let mut spans = self.spans.iter().peekable();
        let mut white = self.white.iter().peekable();
        let mut words = self.words.iter().peekable();
        let mut at = 0;
        let mut bytes = 0;
        for piece in pieces(text) {
            while words.next_if(|word| word.0 <= bytes).is_some() {}
            self.shown.class = words.peek().map_or(Class::Plain, |word| word.1);
            bytes += piece.len() as u32;
            let length = if piece.len() == 1 {
                1
            } else {
                piece.chars().count()
            };
            let chars = at..at + length;
            at = chars.end;
            while left_out.next_if(|range| range.end <= chars.start).is_some() {}
            if let Some(range) = left_out.peek()
                && range.start <= chars.start
            {
                if range.start == chars.start {
                    let count = range.len();
                    self.shown
                        .say(&format!(" … {count} characters … "), Tone::Faint);
                }
                continue;
            }
            while spans.next_if(|span| span.1 <= chars.start).is_some() {}
            let strong = spans.peek().is_some_and(|span| span.0 < chars.end);
            let tone = if strong { Tone::Strong } else { Tone::Plain };
            while white.next_if(|span| span.1 <= chars.start).is_some() {}
            let marked = chars.start >= self.marks
                || chars.start < self.indent
                || white.peek().is_some_and(|span| span.0 <= chars.start);
            self.piece(piece, chars.start, tone, marked);
        }
    }

    fn piece(&mut self, piece: &str, at: usize, tone: Tone, marked: bool) {
        let about = match tone {
            Tone::Plain => Tone::Faint,
            tone => tone,
        };
        let loud = marked || tone == Tone::Strong;
        match piece {
            "\t" => {
                let columns = self.tabs - self.shown.column % self.tabs;
                let (first, tone) = if loud { ("→", about) } else { (" ", tone) };
                self.shown.push(first, tone);
                for _ in 1..columns {
                    self.shown.push(" ", tone);
                }
            }
            " " if marked => self.shown.push("·", about),
            " " => self.shown.push(" ", tone),
            piece if piece.len() == 1 && piece.as_bytes()[0].is_ascii_graphic() => {
                self.shown.push(piece, tone);
            }
            piece => self.spell(piece, at, (tone, about), loud),
        }
    }

    /// A piece with what cannot be seen in it spelt; of a loud one, white space, too.
    fn spell(&mut self, piece: &str, first: usize, (tone, about): (Tone, Tone), loud: bool) {
        let mut before = None;
        let mut start = 0;
        for (nth, (at, c)) in piece.char_indices().enumerate() {
            let said = if let Some(byte) = self.byte(first + nth) {
                spelt(byte)
            } else if is_hidden(c) || is_lost(before, c) || (loud && c != ' ' && c.is_whitespace())
            {
                c.escape_unicode().to_string()
            } else {
                before = Some(c);
                continue;
            };
            before = None;
            if start < at {
                self.shown.push(&piece[start..at], tone);
            }
            self.shown.say(&said, about);
            start = at + c.len_utf8();
        }
        if start < piece.len() {
            self.shown.push(&piece[start..], tone);
        }
    }

    /// The byte that a character replaces, if it does.
    fn byte(&self, at: usize) -> Option<u8> {
        let found = self.broken.binary_search_by_key(&at, |(at, _)| *at);
        found.ok().map(|found| self.broken[found].1)
    }
}

/// Characters with all that belongs to them; in ASCII each is one.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let is_plain = text.is_ascii();
    let plain = if is_plain { text } else { "" };
    let other = if is_plain { "" } else { text };
    let single = (0..plain.len()).map(|at| &plain[at..=at]);
    single.chain(other.graphemes(true))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as iterators ask for it")]
fn is_blank(c: &char) -> bool {
    matches!(c, ' ' | '\t')
}

/// Those of the stretches, which are in order, that are nothing but white space.
fn white(spans: &[(usize, usize)], text: &str) -> Vec<(usize, usize)> {
    let mut chars = text.chars();
    let mut at = 0;
    let mut white = Vec::new();
    for &(start, end) in spans {
        if start < at || end <= start {
            continue;
        }
        if start > at {
            chars.nth(start - at - 1);
        }
        // All of it, for the next one starts behind it.
        let inside = chars.by_ref().take(end - start);
        if inside.filter(|c| !c.is_whitespace()).count() == 0 {
            white.push((start, end));
        }
        at = end;
    }
    white
}

/// The stretches with those made one that only a blank sets apart: several words in a
/// row are read as one change.
fn joined(spans: &[(usize, usize)], text: &str) -> Vec<(usize, usize)> {
    let mut joined: Vec<(usize, usize)> = Vec::new();
    let mut chars = text.chars().enumerate();
    for &(start, end) in spans {
        let last = joined.last_mut().filter(|last| last.1 + 1 == start);
        match last {
            Some(last) if chars.find(|c| c.0 == last.1).is_some_and(|c| c.1 == ' ') => last.1 = end,
            _ => joined.push((start, end)),
        }
    }
    joined
}

/// What lies far from anything that changed.
fn far(spans: &[(usize, usize)], chars: usize) -> Vec<Range<usize>> {
    if spans.is_empty() {
        return Vec::new();
    }
    let mut far = Vec::new();
    let mut at = 0;
    let ends = spans.iter().copied().chain([(chars + AROUND, chars)]);
    for (start, end) in ends {
        let gap = at..start.saturating_sub(AROUND).min(chars);
        // What takes no more room than it saves is shown.
        if gap.start < gap.end && gap.len() > AROUND {
            far.push(gap);
        }
        at = end + AROUND;
    }
    far
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Colours;

    fn lines(shown: &Shown, room: usize, words: bool) -> Vec<String> {
        let palette = Palette::new(Colours::Off, None);
        let ranges = shown.wrap(Some(room), words).into_iter();
        ranges
            .map(|range| shown.paint(range, None, &palette))
            .collect()
    }

    fn all(text: &str, trim: Trim) -> String {
        lines(
            &Shown::line(text.as_bytes(), &[], &[], trim, 4),
            usize::MAX,
            false,
        )
        .concat()
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let shown = Shown::line("日本語のa\n".as_bytes(), &[], &[], Trim::Quiet, 4);
        assert_eq!(lines(&shown, 5, false), ["日本", "語のa"]);
        let family = "👩‍👩‍👧x\n";
        let shown = Shown::line(family.as_bytes(), &[], &[], Trim::Quiet, 4);
        assert_eq!(lines(&shown, 2, false), ["👩‍👩‍👧", "x"]);
    }

    #[test]
    fn tabs_lead_to_the_next_stop() {
        assert_eq!(all("a\tb\n", Trim::Quiet), "a   b");
        assert_eq!(all("abcd\tb\n", Trim::Quiet), "abcd    b");
        assert_eq!(all("日\tb\n", Trim::Quiet), "日  b");
    }

    #[test]
    fn what_cannot_be_seen_at_the_end_is_marked_where_it_changed() {
        let alone = Trim::Alone { carriage: false };
        assert_eq!(all("a b \t\n", alone), "a b·→   ");
        assert_eq!(all("\n", alone), "⏎");
        assert_eq!(all("a\r\n", alone), "a");
        assert_eq!(all("a\r\n", Trim::Alone { carriage: true }), "a^M");
        assert_eq!(all("a", alone), "a (no newline at the end)");
        assert_eq!(all("a \r\n", Trim::Quiet), "a ");
        let edited = |blanks, carriage| Trim::Edited {
            blanks,
            carriage,
            spaces: Spaces::Nowhere,
        };
        assert_eq!(all("a \r\n", edited(true, false)), "a·");
        assert_eq!(all("a \r\n", edited(false, true)), "a ^M");
    }

    #[test]
    fn control_characters_and_what_turns_text_round_are_spelt() {
        let alone = Trim::Alone { carriage: false };
        assert_eq!(
            all("a\u{1b}[1m\u{202e}b\rc\n", alone),
            r"a\u{1b}[1m\u{202e}b\u{d}c"
        );
    }

    #[test]
    fn white_space_is_marked_in_stretches_of_nothing_else() {
        let spans = [(1, 3), (5, 8)];
        let shown = Shown::line(b"a  b c dx\ty\n", &spans, &[], Trim::Quiet, 4);
        assert_eq!(lines(&shown, usize::MAX, false), ["a··b c dx   y"]);
        let shown = Shown::line(b"ab c\td\n", &[(1, 6)], &[], Trim::Quiet, 4);
        assert_eq!(lines(&shown, usize::MAX, false), ["ab c→   d"]);
        let shown = Shown::line(
            "a\u{a0}b\u{a0}c\n".as_bytes(),
            &[(1, 2)],
            &[],
            Trim::Quiet,
            4,
        );
        assert_eq!(lines(&shown, usize::MAX, false), ["a\\u{a0}b\u{a0}c"]);
    }

    #[test]
    fn bytes_that_are_no_text_are_spelt() {
        let shown = Shown::line(b"caf\xe9s \xe2\x82.\n", &[(3, 4)], &[], Trim::Quiet, 4);
        assert_eq!(lines(&shown, usize::MAX, false), [r"caf\xe9s \xe2\x82."]);
        assert_eq!(shown.guide(0..shown.cells.len()).unwrap(), "   ~~~~");
        assert_eq!(all("a\u{fffd}\n", Trim::Quiet), "a\u{fffd}");
    }

    #[test]
    fn words_stay_together_where_they_can() {
        let shown = Shown::of(&[("two words and averyveryverylongone", Tone::Plain)]);
        assert_eq!(
            lines(&shown, 10, true),
            ["two words", "and", "averyveryv", "erylongone"]
        );
    }

    #[test]
    fn a_guide_stands_below_what_changed() {
        let shown = Shown::line(
            "a\t日b c\n".as_bytes(),
            &[(2, 3), (5, 6)],
            &[],
            Trim::Quiet,
            4,
        );
        assert_eq!(shown.guide(0..shown.cells.len()).unwrap(), "    ~~  ~");
        assert_eq!(shown.guide(0..1), None);
    }

    #[test]
    fn words_in_a_row_are_one_change() {
        let spans = [(0, 2), (3, 5), (6, 7), (9, 10)];
        assert_eq!(joined(&spans, "ab cd e  f"), [(0, 7), (9, 10)]);
        assert_eq!(joined(&spans, "ab.cd e  f"), [(0, 2), (3, 7), (9, 10)]);
    }

    #[test]
    fn of_a_very_long_line_what_changed_is_shown() {
        let long = "x".repeat(10_000);
        let quiet = all(&format!("{long}\n"), Trim::Quiet);
        assert!(quiet.ends_with("x … 9800 characters … "));
        let edited = Trim::Edited {
            blanks: false,
            carriage: false,
            spaces: Spaces::Nowhere,
        };
        let shown = Shown::line(
            format!("{long}\n").as_bytes(),
            &[(5000, 5001)],
            &[],
            edited,
            4,
        );
        let text = lines(&shown, usize::MAX, false).concat();
        assert!(text.starts_with(" … 4800 characters … x"));
        assert!(text.ends_with("x … 4799 characters … "));
        let alone = all(&long, Trim::Alone { carriage: false });
        assert!(alone.starts_with(&long));
    }
}
