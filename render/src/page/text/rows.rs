//! Rows as markup: as terse as HTML allows, since a page has many of them.

use super::move_ends::Ends;
use crate::page::{escaped, marked, marked_name};
use crate::styles::{broken, decode, spelt, visible_name};
use crate::syntax::{Class, Highlighter};
use crate::view::{FileView, Line, MoveView, Row, State, View};
use std::fmt::Write as _;
use std::ops::Range;
use std::rc::Rc;

/// Moves have one of this many colours.
pub(super) const COLOURS: usize = 6;

/// What rows are written from.
pub(super) struct Rows<'v, 't> {
    pub view: &'v View<'t>,
    pub ends: Ends,
    /// By file, whether all lines end as on Windows: then it goes without saying,
    /// line by line.
    windows: Vec<bool>,
    /// What the words of lines are, if code is coloured.
    pub words: Option<Rc<Highlighter>>,
}

impl<'v, 't> Rows<'v, 't> {
    /// Looks a view over; `base` is the number of its first move on the page.
    pub(super) fn new(view: &'v View<'t>, base: usize) -> Self {
        Self {
            view,
            ends: Ends::new(view, base),
            windows: view.files.iter().map(has_windows_ends).collect(),
            words: None,
        }
    }

    /// A table of rows: old number, old line, new number, new line. End tags that
    /// may be left out are.
    pub(super) fn table(&self, out: &mut String, file: usize, range: Range<usize>) {
        let content = &self.view.files[file];
        out.push_str("<table>");
        for at in range {
            if let Row::Lines { old, new } = &content.rows[at] {
                self.captions(out, file, at);
                let attributes = self.attributes(file, &content.rows[at]);
                self.was(out, new.as_ref(), file);
                // The line break is where blanks do not count.
                let _ = write!(out, "<tr{attributes}><td>");
                out.push('\n');
                self.cells(out, 0, old.as_ref(), (file, at));
                out.push_str("<td>");
                self.cells(out, 1, new.as_ref(), (file, at));
            }
        }
        out.push_str("</table>\n");
    }

    /// The line above the first row of a block: its label and its other end.
    fn captions(&self, out: &mut String, file: usize, at: usize) {
        let blocks = self.ends.of_row(file, &self.view.files[file].rows[at]);
        for (side, blocks) in blocks.iter().enumerate() {
            for &block in blocks {
                let told = &self.view.moves[block];
                let is_source_of_copy = side == 0 && told.is_copy;
                if is_source_of_copy || !self.ends.begins(block, side, (file, at)) {
                    continue;
                }
                let id = self.ends.id(block);
                let (class, attribute) = (["o", "n"][side], ["data-o", "data-n"][side]);
                let (before, behind) = [("", "<td><td>"), ("<td><td>", "")][side];
                let _ = write!(
                    out,
                    "<tr class=\"l {class} k{}\" {attribute}={id}><td><td>{before}{}{behind}",
                    id % COLOURS,
                    self.caption(block, side)
                );
            }
        }
    }

    /// `M1 → 18-24`, a link to the other end, and how much of it is unchanged.
    fn caption(&self, block: usize, side: usize) -> String {
        let told = &self.view.moves[block];
        let other = [&told.new, &told.old][side];
        let place = if is_within_a_file(told) {
            other.numbers()
        } else {
            other.place()
        };
        let text = format!("{} {} {place}", told.label, ["→", "←"][side]);
        let text = marked_name(&text);
        let id = self.ends.anchor(block, side);
        let link = if self.ends.is_shown(block, 1 - side) {
            let target = self.ends.anchor(block, 1 - side);
            format!("<a id={id} href=#{target}>{text}</a>")
        } else {
            format!("<a id={id}>{text}</a>")
        };
        let verb = match (side, told.is_copy) {
            _ if told.is_indent => told.shifted(),
            (0, _) => "moved away",
            (_, true) => "copied here",
            (_, false) => "moved here",
        };
        format!("{link} {verb}, {}", escaped(&told.what))
    }

    /// What a line that moved and was edited was, above it.
    fn was(&self, out: &mut String, line: Option<&Line<'_>>, file: usize) {
        if let Some(line) = line
            && let (Some(was), Some(block), State::Edited) = (&line.other, line.block, line.state)
        {
            let id = self.ends.id(block);
            let colour = id % COLOURS;
            let _ = write!(
                out,
                "<tr class=\"w n k{colour}\" data-n={id}><td><td><td>{}<b>-</b><td>",
                was.number
            );
            text(out, 0, (was.text, &[]), &was.spans, self.windows[file]);
        }
    }

    /// The class of a row, the moves it is part of, and a tooltip.
    fn attributes(&self, file: usize, row: &Row<'_>) -> String {
        let Row::Lines { old, new } = row else {
            return String::new();
        };
        let mut classes: Vec<String> = Vec::new();
        let mut title = String::new();
        for (side, line) in [old, new].into_iter().enumerate() {
            let Some(line) = line else { continue };
            if let Some(block) = line.block {
                classes.push(["o", "n"][side].to_owned());
                classes.push(format!("k{}", self.ends.id(block) % COLOURS));
                match line.state {
                    State::Same => {}
                    State::Edited => classes.push("z".to_owned()),
                    State::Alone => classes.push("y".to_owned()),
                }
                title = tooltip(&self.view.moves[block], side, line);
            } else {
                match line.state {
                    State::Same => {}
                    State::Edited => classes.push("e".to_owned()),
                    State::Alone => classes.push(["d", "a"][side].to_owned()),
                }
            }
        }
        classes.dedup();
        let mut out = match &classes[..] {
            [] => String::new(),
            [class] => format!(" class={class}"),
            classes => format!(" class=\"{}\"", classes.join(" ")),
        };
        out.push_str(&data(&self.ends, &self.ends.of_row(file, row)));
        if !title.is_empty() {
            let _ = write!(out, " title=\"{}\"", escaped(&visible_name(&title)));
        }
        out
    }

    /// The number and the text of one side; the number's cell is open already.
    fn cells(
        &self,
        out: &mut String,
        side: usize,
        line: Option<&Line<'_>>,
        (file, at): (usize, usize),
    ) {
        let windows = self.windows[file];
        let Some(line) = line else {
            out.push_str("<td>");
            return;
        };
        let _ = write!(out, "{}", line.number);
        if let Some(mark) = mark(side, line) {
            let _ = write!(out, "<b>{mark}</b>");
        }
        if side == 0 {
            let copies = self.ends.of_row(file, &self.view.files[file].rows[at]);
            for &copy in &copies[0] {
                let is_first = self.ends.begins(copy, 0, (file, at));
                if is_first && self.view.moves[copy].is_copy {
                    let _ = write!(out, "<a id={}></a>", self.ends.anchor(copy, 0));
                }
            }
        }
        out.push_str("<td>");
        let words = self.words.as_ref();
        let words = words.map_or(&[][..], |words| words.words(line.text));
        text(out, side, (line.text, words), &line.spans, windows);
        let is_quiet = line.state == State::Same && line.block.is_none();
        if !is_quiet && !line.text.ends_with(b"\n") {
            out.push_str("<i>no newline at the end</i>");
        }
        let block = line.block.map(|block| &self.view.moves[block]);
        if let Some(remark) = block.and_then(|block| block.remark(line)) {
            let _ = write!(out, "<i>{remark}</i>");
        }
    }
}

/// The moves of an element, as attributes.
pub(super) fn data(ends: &Ends, blocks: &[Vec<usize>; 2]) -> String {
    let mut out = String::new();
    for (name, blocks) in ["data-o", "data-n"].into_iter().zip(blocks) {
        let ids: Vec<String> = blocks.iter().map(|&b| ends.id(b).to_string()).collect();
        match &ids[..] {
            [] => {}
            [id] => {
                let _ = write!(out, " {name}={id}");
            }
            ids => {
                let _ = write!(out, " {name}=\"{}\"", ids.join(" "));
            }
        }
    }
    out
}

/// What happened to a line, as a character.
fn mark(side: usize, line: &Line<'_>) -> Option<&'static str> {
    match (line.state, line.block) {
        (State::Same, None) => None,
        (State::Same, Some(_)) => Some(["→", "←"][side]),
        (State::Edited, _) => Some("~"),
        (State::Alone, _) => Some(["-", "+"][side]),
    }
}

/// Where a line of a move was and is.
fn tooltip(told: &MoveView, side: usize, line: &Line<'_>) -> String {
    let Some(other) = &line.other else {
        let what = ["removed from the block", "new in the block"][side];
        return format!("{}: {what}", told.label);
    };
    let (old, new) = match side {
        0 => (line.number, other.number),
        _ => (other.number, line.number),
    };
    if is_within_a_file(told) {
        format!("{}: line {old} → {new}", told.label)
    } else {
        let (from, to) = (&told.old.path, &told.new.path);
        format!("{}: {from}:{old} → {to}:{new}", told.label)
    }
}

fn is_within_a_file(told: &MoveView) -> bool {
    told.old.path == told.new.path || told.old.file == told.new.file
}

/// A line without its end, what changed inside it marked, and its words coloured.
fn text(
    out: &mut String,
    side: usize,
    (line, words): (&[u8], &[(u32, Class)]),
    spans: &[(usize, usize)],
    windows: bool,
) {
    let line = match line.strip_suffix(b"\r\n") {
        Some(short) if windows => short,
        _ => line,
    };
    let broken = broken(line);
    let line = decode(line);
    if spans.is_empty() && broken.is_empty() {
        coloured(out, &line, 0, words);
        return;
    }
    let tag = ["del", "ins"][side];
    let chars: Vec<char> = line.chars().collect();
    let shown = |at: usize| match broken.binary_search_by_key(&at, |(at, _)| *at) {
        Ok(found) => spelt(broken[found].1),
        Err(_) => chars[at].to_string(),
    };
    let piece = |range: Range<usize>| {
        if !broken.is_empty() {
            return marked(&range.map(shown).collect::<String>());
        }
        let before: usize = chars[..range.start].iter().map(|c| c.len_utf8()).sum();
        let mut out = String::new();
        coloured(
            &mut out,
            &chars[range].iter().collect::<String>(),
            before,
            words,
        );
        out
    };
    let mut at = 0;
    for &(start, end) in spans {
        let (start, end) = (start.clamp(at, chars.len()), end.clamp(at, chars.len()));
        out.push_str(&piece(at..start));
        if start < end {
            let _ = write!(out, "<{tag}>{}</{tag}>", piece(start..end));
        }
        at = end;
    }
    out.push_str(&piece(at..chars.len()));
}

/// A piece of a line that starts at a byte of it, each word in the class that it is of.
fn coloured(out: &mut String, piece: &str, first: usize, words: &[(u32, Class)]) {
    let mut at = 0;
    for (end, class) in words {
        let end = (*end as usize).saturating_sub(first).min(piece.len());
        if end <= at {
            continue;
        }
        let text = &piece[at..end];
        at = end;
        if *class == Class::Plain || text.trim().is_empty() {
            out.push_str(&marked(text));
        } else {
            let _ = write!(out, "<span class=x{}>{}</span>", *class as u8, marked(text));
        }
    }
    out.push_str(&marked(&piece[at..]));
}

fn has_windows_ends(file: &FileView<'_>) -> bool {
    let lines = file.rows.iter().flat_map(|row| match row {
        Row::Lines { old, new } => [old.as_ref(), new.as_ref()],
        Row::Unknown { .. } => [None, None],
    });
    let mut ended = lines.flatten().filter(|line| line.text.ends_with(b"\n"));
    ended.all(|line| line.text.ends_with(b"\r\n"))
}
