//! The page: one file, no scripts, the worst cases first.

use super::shown;
use crate::page::{Shell, escaped};
use mvdiff_metrics::eval::{CaseResult, Report, Summary, Texts};
use std::io::{self, Write};

const STYLE: &str = include_str!("page.css");

/// Prints the page.
///
/// # Errors
/// What the writer returns.
pub fn page(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let shell = Shell {
        title: "mvdiff eval",
        style: STYLE,
        script: "",
    };
    shell.write(out, |out| body(out, report))
}

fn body(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    writeln!(out, "<main>\n<h1>mvdiff eval</h1>")?;
    gate(out, report)?;
    families(out, report)?;
    let worst = report.worst_first();
    let (below, whole): (Vec<_>, Vec<_>) = worst.into_iter().partition(|case| case.score < 1.0);
    if !below.is_empty() {
        writeln!(out, "<h2>Below 1, worst first</h2>")?;
    }
    for (number, case) in below.iter().enumerate() {
        // The first few are open; a long page is still a list.
        section(out, case, number < 5)?;
    }
    if !report.known_gaps.is_empty() {
        writeln!(out, "<h2>Known gaps, not counted above</h2>")?;
    }
    for case in &report.known_gaps {
        section(out, case, false)?;
    }
    if !whole.is_empty() {
        writeln!(out, "<h2>Score 1</h2>")?;
    }
    for case in whole {
        section(out, case, false)?;
    }
    let signature = escaped(&report.signature);
    writeln!(out, "</main>\n<footer>{signature}</footer>")
}

fn gate(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let word = if report.gate.passed {
        "passed"
    } else {
        "missed"
    };
    if report.gate.checks.is_empty() {
        return Ok(());
    }
    writeln!(out, "<p class=\"{word}\">Gate {word}.</p>\n<ul>")?;
    for check in &report.gate.checks {
        let mark = if check.passed { "✓" } else { "✗" };
        writeln!(out, "<li>{mark} {}</li>", escaped(&check.message))?;
    }
    writeln!(out, "</ul>")
}

fn families(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let compared = report.comparison.is_some();
    let last = if compared { "<th>vs baseline</th>" } else { "" };
    writeln!(
        out,
        "<table>\n<tr><th>family</th><th>cases</th><th>mean</th><th>worst</th>{last}</tr>"
    )?;
    for summary in &report.families {
        row(out, summary, compared)?;
    }
    row(out, &report.total, compared)?;
    writeln!(out, "</table>")
}

fn row(out: &mut dyn Write, summary: &Summary, compared: bool) -> io::Result<()> {
    let worst = summary.worst.as_ref().map_or_else(
        || "–".to_owned(),
        |worst| format!("{} {}", escaped(&worst.name), shown(worst.score)),
    );
    let baseline = match summary.baseline {
        _ if !compared => String::new(),
        None => "<td></td>".to_owned(),
        Some(found) => {
            let [low, high] = found.interval;
            format!("<td>{:+.3} [{low:.3}, {high:.3}]</td>", found.difference)
        }
    };
    writeln!(
        out,
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{worst}</td>{baseline}</tr>",
        escaped(&summary.family),
        summary.cases,
        summary.mean.map_or_else(|| "–".to_owned(), shown)
    )
}

fn section(out: &mut dyn Write, case: &CaseResult, open: bool) -> io::Result<()> {
    let open = if open { " open" } else { "" };
    let was = case
        .baseline
        .filter(|then| (then - case.score).abs() > 1e-9);
    let was = was.map_or_else(String::new, |then| format!(", was {}", shown(then)));
    writeln!(
        out,
        "<details{open}>\n<summary><b>{}/{}</b> {}{was}</summary>",
        escaped(&case.family),
        escaped(&case.name),
        shown(case.score)
    )?;
    if !case.why.is_empty() {
        writeln!(out, "<p>{}</p>", escaped(&case.why))?;
    }
    if let Some(error) = &case.error {
        writeln!(out, "<p class=\"missed\">{}</p>", escaped(error))?;
    }
    match &case.texts {
        Some(texts) => side_by_side(out, texts)?,
        None => writeln!(out, "<p>The texts of this case are not available.</p>")?,
    }
    writeln!(out, "</details>")
}

/// Three columns. Lines that are only in the truth or only in the answer are
/// marked, so that the eye finds them.
fn side_by_side(out: &mut dyn Write, texts: &Texts) -> io::Result<()> {
    let lines = |text: &'_ str| -> std::collections::BTreeSet<String> {
        text.lines().map(str::to_owned).collect()
    };
    let (expected, ours) = (lines(&texts.expected), lines(&texts.ours));
    writeln!(out, "<div class=\"texts\">")?;
    let columns = [
        ("before", &texts.base, None),
        ("expected", &texts.expected, Some((&ours, "lost"))),
        ("ours", &texts.ours, Some((&expected, "extra"))),
    ];
    for (name, text, other) in columns {
        write!(out, "<div><h3>{name}</h3><pre>")?;
        for line in text.lines() {
            let shown = escaped(line);
            match other.filter(|(lines, _)| !lines.contains(line)) {
                Some((_, class)) => writeln!(out, "<mark class=\"{class}\">{shown}</mark>")?,
                None => writeln!(out, "{shown}")?,
            }
        }
        writeln!(out, "</pre></div>")?;
    }
    writeln!(out, "</div>")
}
