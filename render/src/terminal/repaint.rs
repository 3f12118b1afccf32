//! Colours a patch line by line without changing it: for programs that count its lines,
//! such as `git add -p`.

use super::palette::{LineStyle, Palette};
use super::text::Tone;
use super::{Place, Screen};
use crate::styles::decode;
use crate::syntax::{Class, Highlighter};
use crate::view::{Line, Row, View};
use mvdiff_text::patch::{Body, Changeset, FilePatch, Hunk, LineKind, write_hunk};
use std::collections::HashMap;
use std::io::{self, Write};

/// Writes a changeset with the colours of a screen. Without them it is the same text.
///
/// # Errors
/// What the writer returns.
pub fn repaint(
    out: &mut dyn Write,
    changeset: &Changeset<'_>,
    view: &View<'_>,
    screen: &Screen,
) -> io::Result<()> {
    let mut painter = Painter {
        palette: Palette::new(screen.colours, screen.syntax),
        words: screen.syntax.map(|_| Highlighter::new()),
    };
    painter.lines(out, changeset.preamble, Tone::Plain)?;
    for (file, shown) in changeset.files.iter().zip(&view.files) {
        painter.lines(out, file.header, Tone::Name)?;
        let numbered = Numbered::of(&shown.rows);
        match &file.body {
            Body::Text(hunks) => {
                for hunk in hunks {
                    painter.hunk(out, file, hunk, &numbered)?;
                }
            }
            Body::Binary(bytes) => painter.lines(out, bytes, Tone::Faint)?,
        }
        painter.lines(out, file.trailer, Tone::Plain)?;
    }
    Ok(())
}

/// Lines of a file by their numbers, old and new.
struct Numbered<'v, 't>([HashMap<u32, &'v Line<'t>>; 2]);

impl<'v, 't> Numbered<'v, 't> {
    fn of(rows: &'v [Row<'t>]) -> Self {
        let mut lines: [HashMap<u32, &Line<'_>>; 2] = Default::default();
        for row in rows.iter().filter(|row| !row.is_quiet()) {
            if let Row::Lines { old, new } = row {
                for (side, line) in [old, new].into_iter().enumerate() {
                    lines[side].extend(line.as_ref().map(|line| (line.number, line)));
                }
            }
        }
        Self(lines)
    }
}

struct Painter {
    palette: Palette,
    words: Option<Highlighter>,
}

impl Painter {
    /// Lines of structure, in one tone.
    fn lines(&self, out: &mut dyn Write, text: &[u8], tone: Tone) -> io::Result<()> {
        let style = self.palette.style(tone, None);
        for line in mvdiff_lines::split(text) {
            let (text, end) = split_end(line);
            write!(out, "{style}")?;
            out.write_all(text)?;
            write!(out, "{style:#}")?;
            out.write_all(end)?;
        }
        Ok(())
    }

    fn hunk(
        &mut self,
        out: &mut dyn Write,
        file: &FilePatch<'_>,
        hunk: &Hunk<'_>,
        numbered: &Numbered<'_, '_>,
    ) -> io::Result<()> {
        self.read(file, hunk);
        // The hunk as it is, whose lines are painted one by one.
        let mut text = Vec::new();
        write_hunk(&mut text, hunk)?;
        let mut lines = mvdiff_lines::split(&text);
        self.lines(out, lines.next().unwrap_or_default(), Tone::Moved)?;
        let mut inner = hunk.lines.iter();
        let [mut old, mut new] = [hunk.old_start, hunk.new_start];
        for line in lines {
            if line.starts_with(b"\\") {
                self.lines(out, line, Tone::Faint)?;
                continue;
            }
            let Some(of_hunk) = inner.next() else {
                out.write_all(line)?;
                continue;
            };
            let found = match of_hunk.kind {
                LineKind::Context => None,
                LineKind::Removed => numbered.0[0].get(&old),
                LineKind::Added => numbered.0[1].get(&new),
            };
            old += u32::from(of_hunk.kind != LineKind::Added);
            new += u32::from(of_hunk.kind != LineKind::Removed);
            let place = found.map(|line| Place {
                text: of_hunk.text,
                ..Place::of(line, None)
            });
            let is_moved = found.is_some_and(|line| line.block.is_some() && line.spans.is_empty());
            self.line(out, (line, of_hunk.text), of_hunk.kind, place, is_moved)?;
        }
        if let Some(words) = &mut self.words {
            words.forget();
        }
        Ok(())
    }

    fn read(&mut self, file: &FilePatch<'_>, hunk: &Hunk<'_>) {
        let Some(words) = &mut self.words else { return };
        let name = decode(file.path());
        let Some(mut reading) = words.read(&name, b"") else {
            return;
        };
        for line in &hunk.lines {
            match line.kind {
                LineKind::Removed => words.old_line(&mut reading, line.text),
                LineKind::Added | LineKind::Context => words.line(&mut reading, line.text),
            }
        }
    }

    /// A line of a hunk: `whole` with its sign, `text` without.
    fn line(
        &self,
        out: &mut dyn Write,
        (whole, text): (&[u8], &[u8]),
        kind: LineKind,
        place: Option<Place<'_>>,
        is_moved: bool,
    ) -> io::Result<()> {
        let ink: Option<&LineStyle> = match kind {
            _ if is_moved => None,
            LineKind::Context => None,
            LineKind::Removed => Some(&self.palette.old),
            LineKind::Added => Some(&self.palette.new),
        };
        let tone = if is_moved { Tone::Moved } else { Tone::Plain };
        let (shown, end) = split_end(whole);
        let sign = usize::from(shown.len() > split_end(text).0.len());
        let style = self.palette.style(tone, ink);
        write!(out, "{style}")?;
        out.write_all(&shown[..sign])?;
        write!(out, "{style:#}")?;
        let Ok(rest) = str::from_utf8(&shown[sign..]) else {
            write!(out, "{style}")?;
            out.write_all(&shown[sign..])?;
            write!(out, "{style:#}")?;
            return out.write_all(end);
        };
        let spans = place.map_or(&[][..], |place| place.spans);
        let classes = match &self.words {
            Some(words) if !is_moved => words.words(text),
            _ => &[],
        };
        for (piece, is_strong, class) in pieces(rest, spans, classes) {
            let tone = if is_strong { Tone::Strong } else { tone };
            let style = self.palette.word(tone, class, ink);
            write!(out, "{style}{piece}{style:#}")?;
        }
        out.write_all(end)
    }
}

/// A line without its end, and its end.
fn split_end(line: &[u8]) -> (&[u8], &[u8]) {
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    line.split_at(text.len())
}

/// A line cut where what changed begins or ends, or another class of words.
fn pieces<'l>(
    text: &'l str,
    spans: &[(usize, usize)],
    classes: &[(u32, Class)],
) -> Vec<(&'l str, bool, Class)> {
    let mut pieces: Vec<(&str, bool, Class)> = Vec::new();
    let mut spans = spans.iter().peekable();
    let mut classes = classes.iter().peekable();
    let mut start = 0;
    let mut last = None;
    for (nth, (at, _)) in text.char_indices().enumerate() {
        while spans.next_if(|span| span.1 <= nth).is_some() {}
        while classes.next_if(|class| class.0 as usize <= at).is_some() {}
        let strong = spans.peek().is_some_and(|span| span.0 <= nth);
        let class = classes.peek().map_or(Class::Plain, |class| class.1);
        if let Some((was, of)) = last.replace((strong, class))
            && (was, of) != (strong, class)
        {
            pieces.push((&text[start..at], was, of));
            start = at;
        }
    }
    if let Some((strong, class)) = last {
        pieces.push((&text[start..], strong, class));
    }
    pieces
}
