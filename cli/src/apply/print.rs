//! What `mvdiff apply` prints: what happened, the diff, the content, or JSON.

use crate::args::{ApplyArgs, Format};
use crate::output::{self, Content};
use mvdiff_core::Side;
use mvdiff_edit::work::{Becomes, Outcome, report};
use mvdiff_edit::{Action, BlockReport, ErrorKind, Report, Status};
use mvdiff_text::patch::quote_path;
use mvdiff_text::{LineProblem, UnifiedOptions, write_unified};
use std::io::{self, Write};

pub(crate) fn print(
    args: &ApplyArgs,
    outcomes: Vec<Outcome>,
    success: bool,
    written: bool,
    // What changed, if the outcomes no longer tell: it was written.
    patch: Option<Vec<u8>>,
) -> anyhow::Result<()> {
    if args.format != Some(Format::Json) {
        tell(args, &outcomes, success);
    }
    match args.format {
        Some(Format::Json) => {
            let report = report(outcomes, success, written);
            json(&report)
        }
        _ if args.stdout => content(&outcomes),
        Some(Format::Unified) => diff(patch, &outcomes),
        None if args.dry_run => diff(patch, &outcomes),
        _ if success && !args.dry_run => summary(&outcomes),
        _ => Ok(()),
    }
}

pub(crate) fn json(report: &Report) -> anyhow::Result<()> {
    let print = |out: &mut dyn io::Write| {
        serde_json::to_writer(&mut *out, report)?;
        writeln!(out)
    };
    output::to_stdout(false, Content::Bytes, Box::new(print))
}

/// The new content of the one file; the old one if nothing changes.
fn content(outcomes: &[Outcome]) -> anyhow::Result<()> {
    let Some(outcome) = outcomes.first() else {
        return Ok(());
    };
    let bytes = match &outcome.report.content {
        Some(content) => &content.0[..],
        None => return Ok(()),
    };
    output::to_stdout(false, Content::Bytes, Box::new(|out| out.write_all(bytes)))
}

fn diff(patch: Option<Vec<u8>>, outcomes: &[Outcome]) -> anyhow::Result<()> {
    let patch = match patch {
        Some(patch) => patch,
        None => self::patch(outcomes)?,
    };
    output::to_stdout(false, Content::Bytes, Box::new(|out| out.write_all(&patch)))
}

/// What changes, as a patch.
pub(crate) fn patch(outcomes: &[Outcome]) -> anyhow::Result<Vec<u8>> {
    let mut patch = Vec::new();
    for outcome in outcomes {
        let Some(source) = &outcome.source else {
            continue;
        };
        let old = source.bytes().unwrap_or_default();
        let (new, stays): (&[u8], bool) = match &outcome.new {
            Becomes::Same if outcome.target.is_some() => (old, true),
            Becomes::Same => continue,
            Becomes::Text(text) => (text, true),
            Becomes::Gone => (b"", false),
        };
        let new_path = outcome
            .report
            .moved_to
            .as_ref()
            .unwrap_or(&outcome.report.path);
        if outcome.target.is_some() {
            let names = [&outcome.report.path.0[..], &new_path.0[..]].map(quote_path);
            let [from, to] = names.map(|name| String::from_utf8_lossy(&name).into_owned());
            writeln!(patch, "diff --git a/{from} b/{to}")?;
            writeln!(patch, "rename from {from}\nrename to {to}")?;
        }
        let problem = LineProblem::of_texts(old, new)?;
        let options = mvdiff_text::options().with(|o| {
            o.moves = false;
            o.edits = false;
        });
        let diff = mvdiff_core::diff(&problem, &options)?;
        let hunks = mvdiff_core::plain(&problem, &diff.script, &options);
        let name = |side: &[u8], path: &[u8], there: bool| {
            if there {
                [side, path].concat()
            } else {
                b"/dev/null".to_vec()
            }
        };
        let printing = UnifiedOptions {
            context: 3,
            old_name: name(b"a/", &outcome.report.path.0, source.bytes().is_some()),
            new_name: name(b"b/", &new_path.0, stays),
            ignore: mvdiff_text::Ignore::default(),
        };
        let files = (problem.file(Side::Old, 0), problem.file(Side::New, 0));
        write_unified(&mut patch, files, &hunks, &printing)?;
    }
    Ok(patch)
}

/// One line per file.
fn summary(outcomes: &[Outcome]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    for outcome in outcomes {
        let blocks = &outcome.report.blocks;
        let count = |status| blocks.iter().filter(|b| b.status == status).count();
        let mut parts = Vec::new();
        let applied = count(Status::Applied);
        if applied > 0 {
            let lines: Vec<String> = blocks.iter().filter_map(place).collect();
            let lines = lines.join(", ");
            parts.push(format!("{} applied ({lines})", blocks_of(applied)));
        }
        let already = count(Status::AlreadyApplied);
        if already > 0 {
            parts.push(format!("{} already applied", blocks_of(already)));
        }
        let failed = count(Status::Failed);
        if failed > 0 {
            parts.push(format!("{} not applied", blocks_of(failed)));
        }
        match (outcome.report.action, &outcome.report.moved_to) {
            (Some(Action::Created), _) => parts.push("made".into()),
            (Some(Action::Deleted), _) => parts.push("deleted".into()),
            (Some(Action::Moved), Some(to)) => {
                let to = output::visible(&String::from_utf8_lossy(&to.0));
                parts.push(format!("now {to}"));
            }
            _ if parts.is_empty() => parts.push("nothing to do".into()),
            _ => {}
        }
        let shown = output::visible(&outcome.shown);
        writeln!(out, "{shown}: {}", parts.join(", "))?;
    }
    Ok(())
}

fn blocks_of(count: usize) -> String {
    match count {
        1 => "1 block".into(),
        _ => format!("{count} blocks"),
    }
}

/// Where a block was applied, and how it was found if not to the letter.
fn place(block: &BlockReport) -> Option<String> {
    use mvdiff_edit::Tier;
    if block.status != Status::Applied {
        return None;
    }
    let line = block.line?;
    let how = match block.tier? {
        Tier::Exact | Tier::LineEnds => String::new(),
        Tier::TrailingSpace | Tier::Indent | Tier::Space => " but for white space".into(),
        Tier::Typographic => " but for typography".into(),
        Tier::WithinLine => " inside the line".into(),
        Tier::Fuzzy => format!(", {} % alike", block.similarity_pct.unwrap_or(0)),
    };
    Some(format!("line {line}{how}"))
}

/// Says on standard error what did not fit, and what that meant.
fn tell(args: &ApplyArgs, outcomes: &[Outcome], success: bool) {
    let mut err = io::stderr().lock();
    let mut say = |text: &str| {
        let lines: Vec<String> = text.lines().map(output::visible).collect();
        let _ = writeln!(err, "{}", lines.join("\n"));
    };
    let mut failed = 0;
    for outcome in outcomes {
        let shown = &outcome.shown;
        if let Some(message) = &outcome.report.message {
            failed += 1;
            say(&format!("mvdiff: {shown}: {message}"));
        }
        for block in outcome.report.blocks.iter().filter(|b| !b.is_done()) {
            failed += 1;
            let number = block.index + 1;
            let kind = block.error_kind.map(kind_name).unwrap_or_default();
            let message = block.message.clone().unwrap_or(kind);
            say(&format!("mvdiff: {shown}: block {number} {message}"));
            if args.verbose
                && let Some(details) = &block.details
            {
                say(details);
            }
        }
    }
    let blocks = outcomes.iter().flat_map(|outcome| &outcome.report.blocks);
    let fit = blocks.clone().filter(|block| block.is_done()).count();
    let all = blocks.count();
    if failed > 0 && !success {
        let partial = if fit > 0 && !args.partial {
            "; --partial takes them"
        } else {
            ""
        };
        say(&format!(
            "nothing was written ({fit} of {all} blocks fit{partial})"
        ));
    }
}

/// The name of a kind, where there is no message.
fn kind_name(kind: ErrorKind) -> String {
    let name = serde_json::to_string(&kind).unwrap_or_default();
    format!("failed: {}", name.trim_matches('"'))
}
