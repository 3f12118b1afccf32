//! What stands around the rows: titles, lists of files and moves, the legend and
//! the tools.

use super::rows::{COLOURS, Rows};
use crate::page::escaped;
use crate::view::{FileView, Row, State};
use std::fmt::Write as _;

/// Lists longer than this are folded.
const OPEN: usize = 12;

/// The legend: the marks, said in words.
const LEGEND: &str = r#"<ul class="legend" aria-label="Legend">
<li><b class="ld">-</b> removed</li>
<li><b class="la">+</b> added</li>
<li><b class="le">~</b> edited, <del>old</del> and <ins>new</ins> words marked</li>
<li><b class="lm">→ ←</b> moved away, moved here; M1 is the same block at both ends</li>
<li><b>…</b> unchanged lines, folded</li>
</ul>
"#;

/// The tools; without a script there is nothing to switch.
const TOOLS: &str = r#"<div class="bar needs-script no-print" role="group" aria-label="View">
<button type="button" data-step="-1" title="Previous change or move (p)">‹ p</button>
<button type="button" data-step="1" title="Next change or move (n)">n ›</button>
<button type="button" data-toggle="moves" aria-pressed="true">Moves</button>
<button type="button" data-toggle="lines" aria-pressed="true">Connectors</button>
<button type="button" data-toggle="blanks" aria-pressed="false">White space</button>
<button type="button" data-toggle="wrap" aria-pressed="true">Wrap</button>
<button type="button" data-toggle="unfold" aria-pressed="false">Unfold all</button>
<button type="button" data-theme-toggle aria-pressed="false">Dark</button>
<span class="keys"><kbd>n</kbd> <kbd>p</kbd> next, previous; <kbd>N</kbd> <kbd>P</kbd> moves only; <kbd>o</kbd> other end</span>
</div>
"#;

pub(super) fn legend() -> &'static str {
    LEGEND
}

pub(super) fn tools() -> &'static str {
    TOOLS
}

/// Summary, notes, files and moves of a view. `which` tells the lists of one view
/// from those of another where there are several.
pub(super) fn introduce(out: &mut String, rows: &Rows<'_, '_>, which: &str, first_file: usize) {
    let view = rows.view;
    if !view.summary.is_empty() {
        let _ = writeln!(out, "<p class=\"sum\">{}</p>", escaped(&view.summary));
    }
    for note in &view.notes {
        let _ = writeln!(out, "<p class=\"note\">Note: {}</p>", escaped(note));
    }
    if view.files.len() > 1 {
        let items = view.files.iter().enumerate();
        let items = items.map(|(at, file)| {
            let id = first_file + at;
            let name = escaped(&file.name());
            let facts = facts(file);
            format!(
                "<li><a href=\"#f{id}\">{name}</a>{facts}{}</li>",
                counts(file)
            )
        });
        list(out, ("file", "files", which), items);
    }
    let items = view.moves.iter().enumerate().map(|(block, told)| {
        let [old, new] = [&told.old, &told.new].map(|end| {
            let is_alone = view.files.len() == 1 && told.old.file == told.new.file;
            escaped(&if is_alone { end.numbers() } else { end.place() })
        });
        let link = |side: usize, text: &str| {
            if rows.ends.is_shown(block, side) {
                format!("<a href=\"#{}\">{text}</a>", rows.ends.anchor(block, side))
            } else {
                text.to_owned()
            }
        };
        let id = rows.ends.id(block);
        format!(
            "<li class=\"k{}\" data-m=\"{id}\"><b>{}</b> {} → {}, {}</li>",
            id % COLOURS,
            escaped(&told.label),
            link(0, &old),
            link(1, &new),
            escaped(&told.what),
        )
    });
    list(out, ("move", "moves", which), items);
}

/// A list that folds, if there is anything in it.
fn list(
    out: &mut String,
    (one, many, which): (&str, &str, &str),
    items: impl ExactSizeIterator<Item = String>,
) {
    let count = items.len();
    if count == 0 {
        return;
    }
    let open = if count > OPEN { "" } else { " open" };
    let what = if count == 1 { one } else { many };
    let _ = writeln!(
        out,
        "<nav aria-label=\"{many}{which}\"><details{open}><summary>{count} {what}</summary><ul>"
    );
    for item in items {
        let _ = writeln!(out, "{item}");
    }
    out.push_str("</ul></details></nav>\n");
}

/// The head of a file: its name, what happened to it, and what the panes hold.
pub(super) fn file_head(out: &mut String, file: &FileView<'_>, id: usize, level: usize) {
    let _ = writeln!(
        out,
        "<h{level} id=\"f{id}\">{}{}{}</h{level}>",
        escaped(&file.name()),
        facts(file),
        counts(file)
    );
    if !file.rows.is_empty() {
        let side = |name: &Option<String>, what: &str| match name {
            Some(name) => format!("<span>{what} <b>{}</b></span>", escaped(name)),
            None => format!("<span>{what}: not there</span>"),
        };
        let _ = writeln!(
            out,
            "<p class=\"panes\">{}{}</p>",
            side(&file.old, "old"),
            side(&file.new, "new")
        );
    }
}

fn facts(file: &FileView<'_>) -> String {
    let facts: Vec<String> = file.facts.iter().map(|fact| escaped(fact)).collect();
    match &facts[..] {
        [] => String::new(),
        facts => format!(" <small>{}</small>", facts.join(", ")),
    }
}

/// How many lines of each kind a file has: `+3 -1 ~2, 12 moved`.
fn counts(file: &FileView<'_>) -> String {
    let (mut added, mut removed, mut edited, mut moved) = (0, 0, 0, 0);
    for row in &file.rows {
        let Row::Lines { old, new } = row else {
            continue;
        };
        for (side, line) in [old, new].into_iter().enumerate() {
            let Some(line) = line else { continue };
            match (line.state, side) {
                (State::Same, _) => moved += usize::from(line.block.is_some()),
                (State::Edited, 0) => {}
                (State::Edited, _) => edited += 1,
                (State::Alone, 0) => removed += 1,
                (State::Alone, _) => added += 1,
            }
        }
    }
    let mut out = String::new();
    for (mark, count) in [("+", added), ("-", removed), ("~", edited)] {
        if count > 0 {
            let _ = write!(out, " {mark}{count}");
        }
    }
    if moved > 0 {
        let _ = write!(out, " {moved} moved");
    }
    if out.is_empty() {
        out
    } else {
        format!(" <small>{}</small>", out.trim_start())
    }
}
