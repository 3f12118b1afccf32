//! The page of a comparison of texts: two panes in one table, moved blocks joined by
//! connectors, unchanged runs folded. All rows are in the HTML, so that it reads
//! without its script.

mod highlight;
mod lists;
mod move_ends;
mod rows;
mod visible_rows;

use super::{Shell, escaped, marked_name};
use crate::styles::visible_name;
use crate::view::{Row, View};
use rows::Rows;
use std::fmt::Write as _;
use std::io::{self, Write};
use visible_rows::{LeftOut, Piece};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = concat!(
    include_str!("ends.js"),
    include_str!("connect.js"),
    include_str!("steps.js"),
    include_str!("toggles.js"),
);

/// How a page is made.
#[derive(Clone, Copy, Debug)]
pub struct PageOptions {
    /// Unchanged lines that stay around what happened.
    pub context: u32,
    /// The bytes that the page may have; `None` for as many as it takes. What does
    /// not fit is left out, and the page says so.
    pub limit: Option<u64>,
    /// Whether code is coloured.
    pub syntax: bool,
}

impl Default for PageOptions {
    fn default() -> Self {
        Self {
            context: 3,
            limit: Some(20 << 20),
            syntax: true,
        }
    }
}

/// Writes one page about one or several comparisons. Returns what is left out, in a
/// sentence.
///
/// # Errors
/// What `out` says.
pub fn page(
    out: &mut dyn Write,
    views: &[View<'_>],
    options: &PageOptions,
) -> io::Result<Option<String>> {
    let mut base = 0;
    let rows: Vec<Rows<'_, '_>> = views
        .iter()
        .map(|view| {
            let rows = Rows::new(view, base);
            base += view.moves.len();
            rows
        })
        .collect();
    let pieces = visible_rows::pieces(&rows, options.context as usize);
    let mut rows = rows;
    if options.syntax {
        highlight::read(&mut rows, &pieces);
    }
    let mut page = Page {
        title: match views {
            [view] => view.title.clone(),
            views => format!("{} changesets", views.len()),
        },
        views: rows,
        pieces,
        groups: Vec::new(),
        left_out: None,
    };
    if let Some(limit) = options.limit {
        let mut fixed = Counter(0);
        page.write(&mut fixed, false)?;
        let left = visible_rows::fit(&page.views, &mut page.pieces, fixed.0, limit);
        page.left_out = LeftOut::sentence(&left, limit);
    }
    page.groups = visible_rows::group(&mut page.pieces);
    page.write(out, true)?;
    Ok(page.left_out)
}

struct Page<'v, 't> {
    title: String,
    views: Vec<Rows<'v, 't>>,
    pieces: Vec<Piece>,
    /// How many lines each group of pieces is high.
    groups: Vec<usize>,
    left_out: Option<String>,
}

impl Page<'_, '_> {
    /// Writes the page, with its rows or without.
    fn write(&self, out: &mut dyn Write, with_rows: bool) -> io::Result<()> {
        let style = format!("{STYLE}{}", self.measures());
        let shell = Shell {
            title: &visible_name(&self.title),
            style: &style,
            script: SCRIPT,
        };
        shell.write(out, |out| {
            out.write_all(self.head().as_bytes())?;
            let mut file = 0;
            let mut pieces = self.pieces.iter().peekable();
            let is_one = self.views.len() == 1;
            for (view, rows) in self.views.iter().enumerate() {
                if !is_one {
                    let mut text = String::new();
                    let title = marked_name(&rows.view.title);
                    let _ = writeln!(
                        text,
                        "<section class=\"set\"><h2 id=\"s{view}\">{title}</h2>"
                    );
                    let which = format!(" of changeset {}", view + 1);
                    lists::introduce(&mut text, rows, &which, file);
                    out.write_all(text.as_bytes())?;
                }
                for (at, content) in rows.view.files.iter().enumerate() {
                    let mut text = "<section class=\"file\">".to_owned();
                    lists::file_head(&mut text, content, file, if is_one { 2 } else { 3 });
                    out.write_all(text.as_bytes())?;
                    let mut group = None;
                    while let Some(piece) = pieces.next_if(|p| (p.view, p.file) == (view, at)) {
                        if !with_rows {
                            continue;
                        }
                        let mut text = String::new();
                        if piece.group != group {
                            text.push_str(if group.is_some() { "</div>" } else { "" });
                            let _ = write!(text, "<div class=\"c c{}\">", piece.group.unwrap_or(0));
                            group = piece.group;
                        }
                        visible_rows::write_piece(&mut text, &self.views, piece);
                        out.write_all(text.as_bytes())?;
                    }
                    let end = if group.is_some() { "</div>" } else { "" };
                    writeln!(out, "{end}</section>")?;
                    file += 1;
                }
                if !is_one {
                    out.write_all(b"</section>\n")?;
                }
            }
            out.write_all(b"<div class=\"sideways needs-script no-print\" tabindex=\"0\" role=\"region\" aria-label=\"Scroll both panes sideways\"><i></i></div>\n</main>\n<div class=\"map needs-script no-print\" aria-hidden=\"true\"></div>\n<p class=\"where needs-script no-print\" role=\"status\"></p>\n")
        })
    }

    /// What comes before the rows.
    fn head(&self) -> String {
        let mut out = String::new();
        let title = marked_name(&self.title);
        let _ = writeln!(
            out,
            "<a class=\"skip no-print\" href=\"#rows\">Skip to the changes</a>\n<header>\n<h1>{title}</h1>"
        );
        match &self.views[..] {
            [rows] => lists::introduce(&mut out, rows, "", 0),
            several => lists::sum_up(&mut out, several),
        }
        if let Some(left_out) = &self.left_out {
            let _ = writeln!(out, "<p class=\"note\">Note: {}.</p>", escaped(left_out));
        }
        let (legend, tools) = (lists::legend(), lists::tools());
        let _ = writeln!(
            out,
            "{legend}</header>\n<main id=\"rows\" tabindex=\"-1\">\n{tools}"
        );
        out
    }

    /// How wide numbers and lines are, for the style.
    fn measures(&self) -> String {
        let (mut last, mut widest) = (0, 0);
        let files = self.views.iter().flat_map(|rows| &rows.view.files);
        for row in files.flat_map(|file| &file.rows) {
            let Row::Lines { old, new } = row else {
                continue;
            };
            for line in [old, new].into_iter().flatten() {
                last = last.max(line.number);
                let wide = line.text.iter().map(|&b| match b {
                    b'\t' => TAB,
                    // What is not ASCII may be twice as wide, and has two bytes or more.
                    _ => 1,
                });
                widest = widest.max(wide.sum());
            }
        }
        let groups = self.groups.iter().enumerate();
        let groups = groups.fold(String::new(), |mut out, (group, height)| {
            let _ = writeln!(out, ".c{group} {{ --lines: {height}; }}");
            out
        });
        let digits = last.max(1).ilog10() + 1;
        let in_folds = visible_rows::CHUNK;
        format!(
            ".cf {{ --lines: {in_folds}; }}\n:root {{ --digits: {digits}; --columns: {widest}; }}\n{groups}"
        )
    }
}

/// Columns from one tab stop to the next; the style says the same.
const TAB: u64 = 4;

/// Counts bytes and keeps none.
struct Counter(usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
