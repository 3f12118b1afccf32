//! Everything around the rows: titles, lists of files and moves, the legend and
//! the tools.

use super::rows::{COLOURS, Rows};
use crate::effective::grouped;
use crate::page::{escaped, marked_name};
use crate::view::{FileView, MoveView, Remark, Row, State, View};
use std::fmt::Write as _;

/// Lists longer than this are folded.
const OPEN: usize = 12;
/// So are more remarks than this, but for those that must be seen.
const FEW: usize = 3;

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
<button type="button" data-toggle="one" aria-pressed="false">One pane</button>
<button type="button" data-toggle="unfold" aria-pressed="false">Unfold all</button>
<button type="button" data-theme-toggle aria-pressed="false">Dark</button>
<input type="search" data-filter placeholder="Filter files" aria-label="Filter files by name">
<select data-kind aria-label="Filter files by kind">
<option value="">all files</option>
<option value=".o, .n">with moves</option>
<option value=".e, .d, .a, .z, .y">with changes</option>
</select>
<span class="keys"><kbd>n</kbd> <kbd>p</kbd> next, previous; <kbd>N</kbd> <kbd>P</kbd> moves only; <kbd>o</kbd> other end</span>
</div>
"#;

pub(super) fn legend() -> &'static str {
    LEGEND
}

pub(super) fn tools() -> &'static str {
    TOOLS
}

/// Summary, notes, files and moves of a view. `which` distinguishes the lists of one view
/// from those of another where there are several.
pub(super) fn introduce(out: &mut String, rows: &Rows<'_, '_>, which: &str, first_file: usize) {
    let view = rows.view;
    if let Some(byline) = &view.byline {
        let _ = writeln!(out, "<p class=\"by\">{}</p>", marked_name(byline));
    }
    if !view.summary.is_empty() {
        let _ = writeln!(out, "<p class=\"sum\">{}</p>", escaped(&view.summary));
    }
    notes(out, &view.notes);
    if view.files.len() > 1 {
        let items = view.files.iter().enumerate();
        let items = items.map(|(at, file)| {
            let id = first_file + at;
            let name = marked_name(&file.name());
            let facts = facts(file);
            format!(
                "<li><a href=\"#f{id}\">{name}</a>{facts}{}</li>",
                counts(file)
            )
        });
        list(out, "files", ("file", "files", which), items);
    }
    let items = view.moves.iter().enumerate().map(|(block, told)| {
        let [old, new] = [&told.old, &told.new].map(|end| {
            let is_alone = view.files.len() == 1 && told.old.file == told.new.file;
            marked_name(&if is_alone { end.numbers() } else { end.place() })
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
    let indents = view.moves.iter().filter(|told| told.is_indent).count();
    let is_respaced = |told: &MoveView| told.is_indent && told.shifted() == "respaced";
    let respaced = view.moves.iter().filter(|told| is_respaced(told)).count();
    let (one, many) = match (indents, respaced) {
        (0, _) => ("move", "moves"),
        (n, 0) if n == view.moves.len() => ("block indented", "blocks indented"),
        (n, respaced) if n == view.moves.len() && n == respaced => {
            ("block respaced", "blocks respaced")
        }
        (n, _) if n == view.moves.len() => {
            ("block indented or respaced", "blocks indented or respaced")
        }
        _ => ("block moved or indented", "blocks moved or indented"),
    };
    list(out, "moves", (one, many, which), items);
}

/// What several views come to together, and a list of them.
pub(super) fn sum_up(out: &mut String, views: &[Rows<'_, '_>]) {
    let sums = || views.iter().map(|rows| rows.view.sum);
    let moves: usize = views.iter().map(|rows| moves_in(rows.view)).sum();
    let changed: u32 = sums().map(|sum| sum.changed).sum();
    let left: u32 = sums().map(|sum| sum.left).sum();
    let said = if moves == 0 {
        let lines = if left == 1 { "line" } else { "lines" };
        format!("Nothing moved; {} {lines} to read in all.", grouped(left))
    } else {
        format!(
            "{} in all. {} of {} changed lines only moved; {} left to read.",
            count(moves, "move", "moves"),
            grouped(changed.saturating_sub(left)),
            grouped(changed),
            grouped(left)
        )
    };
    let _ = writeln!(out, "<p class=\"sum\">{said}</p>");
    let items = views.iter().enumerate().map(|(at, rows)| {
        let title = marked_name(&rows.view.title);
        let found = match moves_in(rows.view) {
            0 => String::new(),
            moves => format!("{}, ", count(moves, "move", "moves")),
        };
        let left = count(rows.view.sum.left as usize, "line", "lines");
        format!("<li><a href=\"#s{at}\">{title}</a> <small>{found}{left} left to read</small></li>")
    });
    list(out, "sets", ("changeset", "changesets", ""), items);
}

fn moves_in(view: &View<'_>) -> usize {
    view.moves
        .iter()
        .filter(|told| !told.is_copy && !told.is_indent)
        .count()
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Remarks: those first that must be seen, the others folded if there are many.
fn notes(out: &mut String, notes: &[Remark]) {
    let say = |out: &mut String, note: &Remark| {
        let text = marked_name(&note.text);
        let _ = writeln!(out, "<p class=\"note\">Note: {text}</p>");
    };
    let (weighty, others): (Vec<&Remark>, Vec<&Remark>) =
        notes.iter().partition(|note| note.is_weighty);
    for note in weighty {
        say(out, note);
    }
    let is_folded = notes.len() > FEW && others.len() > 1;
    if is_folded {
        let _ = writeln!(
            out,
            "<details class=\"notes\"><summary>{} notes</summary>",
            others.len()
        );
    }
    for note in others {
        say(out, note);
    }
    if is_folded {
        out.push_str("</details>\n");
    }
}

/// A list that folds, if there is anything in it.
fn list(
    out: &mut String,
    class: &str,
    (one, many, which): (&str, &str, &str),
    items: impl ExactSizeIterator<Item = String>,
) {
    if items.len() == 0 {
        return;
    }
    let open = if items.len() > OPEN { "" } else { " open" };
    let what = count(items.len(), one, many);
    let _ = writeln!(
        out,
        "<nav class=\"{class}\" aria-label=\"{many}{which}\"><details{open}><summary>{what}</summary><ul>"
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
        "<h{level} id=\"f{id}\">{}{}{}<label class=\"needs-script no-print\"><input type=checkbox data-viewed={id}> viewed</label></h{level}>",
        marked_name(&file.name()),
        facts(file),
        counts(file)
    );
    let inside = file.non_text.plain_lines();
    if !inside.is_empty() {
        let lines: Vec<String> = inside.iter().map(|line| escaped(line)).collect();
        let _ = writeln!(out, "<pre class=\"inside\">{}</pre>", lines.join("\n"));
    }
    if !file.rows.is_empty() {
        let side = |name: &Option<String>, what: &str| match name {
            Some(name) => format!("<span>{what} <b>{}</b></span>", marked_name(name)),
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

/// How many lines of each kind a file has: `+3 -1 ~2, 12 moved, 5 indented`.
fn counts(file: &FileView<'_>) -> String {
    let (mut added, mut removed, mut edited) = (0, 0, 0);
    let (mut moved, mut indented) = (0, 0);
    for row in &file.rows {
        let Row::Lines { old, new } = row else {
            continue;
        };
        // Only what stayed has both ends in one row.
        if let (Some(old), Some(_)) = (old, new)
            && old.block.is_some()
        {
            indented += 1;
            continue;
        }
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
        let _ = write!(out, " <span class=\"moved\">{moved} moved</span>");
    }
    if indented > 0 {
        let _ = write!(out, " <span class=\"moved\">{indented} indented</span>");
    }
    if out.is_empty() {
        out
    } else {
        format!(" <small>{}</small>", out.trim_start())
    }
}
