//! Messages about blocks that did not apply: short, with what to do.

use crate::blocks::Block;
use crate::fuzzy_match::Near;
use crate::ground::Ground;
use crate::match_site::{Place, Tier};
use crate::merge::Conflict;
use crate::options::percent;
use crate::readings::ReadingKind;
use crate::report::{Best, BlockReport, Candidate, HintKind, Mismatch, Text};
use crate::resolve::{Found, Missed};
use crate::text::Lines;
use crate::{ErrorKind, Options, drift, elide};
use memchr::memmem;
use std::fmt::Write as _;
use std::ops::Range;

/// Candidates that are listed; the message says how many there are.
const LISTED: usize = 20;
/// Lines around a place that are shown in full messages.
const AROUND: usize = 3;
/// Least similarity at which a lower threshold is advised, and by how much the next
/// place must be less alike.
const SAFE: f64 = 0.95;
const APART: f64 = 0.2;

pub(crate) fn missed(
    index: usize,
    block: &Block,
    ground: &Ground<'_>,
    missed: &Missed,
    options: &Options,
) -> BlockReport {
    let report = BlockReport::failed(index, missed.kind);
    let lines = &ground.lines;
    match missed.kind {
        ErrorKind::Elided => {
            // The lines that are left out are to be given.
            let place = elide::place(block, ground);
            let report = with_best(report, block, place.as_ref(), ground);
            BlockReport {
                hint_kind: Some(HintKind::Elision),
                message: Some(elided(block, missed)),
                around: place.map(|place| around(block, &place, LEFT_OUT, lines)),
                ..report
            }
        }
        ErrorKind::Identical => BlockReport {
            message: Some("SEARCH and REPLACE are the same; nothing would change".into()),
            ..report
        },
        ErrorKind::Encoding => BlockReport {
            message: Some(
                "the file is not in UTF-8, and what would be written is; give the edit in the \
                 file's own encoding, or convert the file first"
                    .into(),
            ),
            ..report
        },
        ErrorKind::EmptySearch => BlockReport {
            message: Some(
                "SEARCH is empty; name a line to insert before with :start_line:, \
                 or look for a line beside it"
                    .into(),
            ),
            ..report
        },
        ErrorKind::Ambiguous => ambiguous(report, block, missed, lines, options),
        _ => {
            let report = no_match(report, block, lines, missed, options);
            let best = missed.places.first().map(|(near, _)| near);
            let similarity = best.map_or(0.0, |near| near.similarity);
            let report = with_best(report, block, best.map(|near| &near.lines), ground);
            let around = |near: &Near| around(block, &near.lines, BESIDE, lines);
            BlockReport {
                hint_kind: Some(hint_kind(block, missed, similarity, lines)),
                around: best.filter(|near| !near.lines.is_empty()).map(around),
                ..report
            }
        }
    }
}

/// Lines that are given around the best place, and below lines of which some are left out.
const BESIDE: usize = 5;
const LEFT_OUT: usize = 40;

/// A place with lines around it, and up to the line that the block begins with above it, or
/// ends with below: what was written from memory is often shorter than what is there.
fn around(block: &Block, place: &Range<usize>, below: usize, lines: &Lines<'_>) -> Best {
    const FARTHEST: usize = 80;
    let mut own = block
        .search
        .iter()
        .filter(|line| !crate::fold::is_blank(line));
    let (first, last) = (own.clone().next(), own.next_back());
    let is = |line: &usize, own: Option<&Vec<u8>>| own.is_some_and(|own| own == lines.get(*line));
    let end = place.end.min(place.start + FARTHEST);
    let has = |own| place.clone().any(|line| is(&line, own));
    let mut above = place.start.saturating_sub(FARTHEST)..place.start;
    let mut behind = end..lines.len().min(end + FARTHEST);
    let start = above.rfind(|line| !has(first) && is(line, first));
    let end = behind
        .find(|line| !has(last) && is(line, last))
        .map_or(end, |at| at + 1);
    let start = start.unwrap_or(place.start).saturating_sub(BESIDE);
    let shown = start..(end + below).min(lines.len());
    Best {
        lines: [shown.start as u32 + 1, shown.end as u32],
        text: text_of(lines, shown.clone()),
        cut: shown.end < place.end,
    }
}

fn text_of(lines: &Lines<'_>, range: Range<usize>) -> Text {
    Text(
        lines
            .range(range)
            .flat_map(|line| [line, b"\n"].concat())
            .collect(),
    )
}

fn elided(block: &Block, missed: &Missed) -> String {
    let line = missed.within.first().and_then(|at| block.replace.get(*at));
    let line = line.map(|line| String::from_utf8_lossy(line).trim().to_owned());
    format!(
        "would write {:?} into the file; give the lines that it means, or put it into SEARCH, too",
        line.unwrap_or_default()
    )
}

/// Similarity below which a block is about something else.
const RELATED: f64 = 0.5;

fn hint_kind(block: &Block, missed: &Missed, similarity: f64, lines: &Lines<'_>) -> HintKind {
    let kind = missed.reading.as_ref().map(|reading| reading.kind);
    match kind {
        _ if block.search.iter().any(|line| elide::is_elision(line)) => HintKind::Elision,
        Some(ReadingKind::Numbers) => HintKind::Numbers,
        Some(ReadingKind::Entities) => HintKind::Entities,
        // A file that is shorter than it was thought to be is the file.
        _ if similarity >= RELATED || beyond(block, lines) => HintKind::Stale,
        _ => HintKind::WrongFile,
    }
}

/// Adds the lines of a place and how they differ from the block.
fn with_best(
    report: BlockReport,
    block: &Block,
    place: Option<&Range<usize>>,
    ground: &Ground<'_>,
) -> BlockReport {
    /// Lines that are given, and differences.
    const LINES: usize = 200;
    const DIFFERENCES: usize = 50;
    let Some(place) = place.filter(|place| !place.is_empty()) else {
        return report;
    };
    let lines = &ground.lines;
    let shown = place.start..place.end.min(place.start + LINES);
    let mismatches = drift::mismatches(&block.search, place, ground);
    let mismatches = mismatches.into_iter().take(DIFFERENCES);
    BlockReport {
        best: Some(Best {
            lines: [place.start as u32 + 1, place.end as u32],
            text: text_of(lines, shown.clone()),
            cut: shown.len() < place.len(),
        }),
        mismatches: mismatches
            .map(|(line, yours, theirs)| Mismatch {
                line: line.map(|line| line as u32 + 1),
                yours: yours.map(Text),
                theirs: theirs.map(Text),
            })
            .collect(),
        ..report
    }
}

/// The message about a block that was applied though its place is not to the
/// letter what it looks for.
pub(crate) fn taken(
    report: BlockReport,
    block: &Block,
    place: &Place,
    ground: &Ground<'_>,
) -> BlockReport {
    let elided = block.search.iter().any(|line| elide::is_elision(line));
    let kind = if elided {
        HintKind::Elision
    } else {
        HintKind::Stale
    };
    BlockReport {
        hint_kind: Some(kind),
        ..with_best(report, block, Some(&place.lines), ground)
    }
}

fn ambiguous(
    report: BlockReport,
    block: &Block,
    missed: &Missed,
    lines: &Lines<'_>,
    options: &Options,
) -> BlockReport {
    let candidates = missed.places.iter().take(LISTED);
    let candidates =
        candidates.map(|(near, tier)| Candidate::new(near.lines.start, *tier, near.similarity));
    let mut candidates: Vec<Candidate> = candidates.collect();
    for (candidate, around) in candidates
        .iter_mut()
        .zip(surroundings(&missed.places, lines))
    {
        candidate.around = Some(around);
    }
    let numbers: Vec<String> = candidates.iter().map(|c| c.line.to_string()).collect();
    let more = missed.places.len() - candidates.len();
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let similarity = missed
        .places
        .first()
        .map_or(0.0, |(near, _)| near.similarity);
    let alike = if similarity < 1.0 {
        format!(", all about {} % alike", percent(similarity))
    } else {
        String::new()
    };
    let least = if missed.spent { "at least " } else { "" };
    let message = match (&missed.elsewhere, missed.due) {
        (_, Some(due)) => format!(
            "is there {} times (lines {}{more}), not {due}",
            missed.places.len(),
            numbers.join(", "),
        ),
        (Some(done), _) => format!(
            "may be there already: its new lines are at line {}, and SEARCH, apart from \
             white space, at line {}; copy its lines exactly",
            done.start + 1,
            numbers.join(", "),
        ),
        _ => {
            let remedy = if block.string {
                "add text around it, or ask for all with replace_all"
            } else {
                "add lines around it to SEARCH, or say which with :start_line:"
            };
            format!(
                "fits {least}{} places equally well (lines {}{more}{alike}); {remedy}",
                missed.places.len(),
                numbers.join(", "),
            )
        }
    };
    let shown = missed.places.iter().take(3);
    let shown = shown.map(|(near, _)| numbered(lines, &near.lines, AROUND));
    BlockReport {
        details: Some(shown.collect::<Vec<_>>().join("      …\n")),
        line: candidates.first().map(|candidate| candidate.line),
        needs_pct: Some(options.needs_pct()),
        message: Some(message),
        hint_kind: Some(HintKind::Ambiguous),
        candidates,
        ..report
    }
    .with_similarity(similarity)
}

/// The first of several places with so many lines around them that they differ.
fn surroundings(places: &[(Near, Tier)], lines: &Lines<'_>) -> Vec<Best> {
    /// Places, lines on each side, and lines of a place.
    const SHOWN: usize = 5;
    const FARTHEST: usize = 24;
    const LINES: usize = 200;
    let with = |near: &Near, around: usize| {
        let start = near.lines.start.saturating_sub(around);
        let end = (near.lines.end + around).min(lines.len());
        start..end.min(start + LINES).max(start)
    };
    let text = |range: Range<usize>| text_of(lines, range);
    let shown = &places[..places.len().min(SHOWN)];
    // At the end of the file there are fewer lines, which may be among those of another.
    let differ = |around: usize| {
        let texts: Vec<Text> = shown.iter().map(|(n, _)| text(with(n, around))).collect();
        let among = |(at, text): (usize, &Text)| {
            let mut others = texts.iter().enumerate().filter(|(other, _)| *other != at);
            others.any(|(_, other)| memmem::find(&other.0, &text.0).is_some())
        };
        !texts.iter().enumerate().any(among)
    };
    let around = (AROUND..FARTHEST).find(|around| differ(*around));
    let around = around.unwrap_or(FARTHEST);
    let best = |(near, _): &(Near, Tier)| {
        let range = with(near, around);
        Best {
            lines: [range.start as u32 + 1, range.end as u32],
            cut: near.lines.end > range.end,
            text: text(range),
        }
    };
    shown.iter().map(best).collect()
}

fn no_match(
    report: BlockReport,
    block: &Block,
    lines: &Lines<'_>,
    missed: &Missed,
    options: &Options,
) -> BlockReport {
    let mut message = String::new();
    let best = missed.places.first().map(|(near, _)| near);
    let next = missed.places.get(1).map(|(near, _)| near);
    let needs = options.needs_pct();
    match best {
        Some(best) => {
            let alike = percent(best.similarity);
            let line = best.lines.start + 1;
            let _ = write!(
                message,
                "does not fit: the best place is line {line} ({alike} % alike, needs {needs} %)"
            );
        }
        None if missed.spent => message.push_str(
            "does not fit; what is like it was not looked for, since too many blocks do not fit",
        ),
        None if beyond(block, lines) => {
            let _ = write!(
                message,
                "does not fit: it goes behind the end, and the file has {} lines",
                lines.len()
            );
        }
        None => message.push_str("does not fit: nothing in the file is like it"),
    }
    let mut hints = Vec::new();
    if let Some(line) = mistaken_header(block) {
        hints.push(format!(
            "{line:?} was taken for text: a header is :start_line:NUMBER, at the start of a line \
             directly below the marker"
        ));
    }
    if !missed.within.is_empty() {
        let numbers: Vec<String> = missed.within.iter().map(|l| (l + 1).to_string()).collect();
        hints.push(format!(
            "the text is inside of line{} {}; give whole lines",
            if numbers.len() == 1 { "" } else { "s" },
            numbers.join(", ")
        ));
    }
    if let Some(done) = &missed.elsewhere {
        hints.push(format!(
            "its new lines are at line {}, but nothing shows that this is the place",
            done.start + 1
        ));
    }
    // What a threshold takes beyond this is wrong too often to be advised.
    let alone = |best: &&Near| next.is_none_or(|next| next.similarity < best.similarity - APART);
    let safe = SAFE..options.threshold;
    // A text inside of a line would lose what is around it.
    if let Some(best) = best
        .filter(|best| safe.contains(&best.similarity) && missed.within.is_empty())
        .filter(alone)
    {
        let enough = (best.similarity * 100.0).floor() / 100.0;
        hints.push(format!("--threshold {enough} would take it"));
    }
    for hint in &hints {
        let _ = write!(message, "\n  hint: {hint}");
    }
    if let Some(difference) = best.and_then(|best| first_difference(block, lines, best)) {
        let at = message.find('\n').unwrap_or(message.len());
        message.insert_str(at, &format!("\n{difference}"));
    }
    let details = best.map(|best| {
        let mut details = String::from("  the block looks for:\n");
        for line in &block.search {
            let _ = writeln!(details, "      │ {}", String::from_utf8_lossy(line));
        }
        details.push_str("  the file has:\n");
        details.push_str(&numbered(lines, &best.lines, AROUND));
        details
    });
    BlockReport {
        line: best.map(|best| best.lines.start as u32 + 1),
        needs_pct: Some(needs),
        runner_up: next.map(|near| Candidate::new(near.lines.start, Tier::Fuzzy, near.similarity)),
        message: Some(message),
        details,
        ..report
    }
    .with_similarity(best.map_or(0.0, |best| best.similarity))
}

/// Whether a block looks for nothing, at a line that the file does not have.
fn beyond(block: &Block, lines: &Lines<'_>) -> bool {
    let start = block.start_line.map_or(0, |line| line as usize);
    block.search.is_empty() && start > lines.len() + 1
}

/// A first line that was meant as a header and is none.
fn mistaken_header(block: &Block) -> Option<String> {
    let first = block.search.first()?;
    let meant = first.trim_ascii_start().starts_with(b":start_line:");
    meant.then(|| String::from_utf8_lossy(first).into_owned())
}

/// The first lines of block and place that differ, side by side.
fn first_difference(block: &Block, lines: &Lines<'_>, near: &Near) -> Option<String> {
    let both = block.search.iter().zip(near.lines.clone());
    let differs = |(own, line): &(&Vec<u8>, usize)| {
        crate::fold::trim(own) != crate::fold::trim(lines.get(*line))
    };
    let mut both = both;
    let (own, line) = both.find(differs)?;
    let there = String::from_utf8_lossy(lines.get(line)).into_owned();
    let own = String::from_utf8_lossy(crate::fold::trim(own)).into_owned();
    Some(format!(
        "{:>5} │ {}\n        your block says: {}",
        line + 1,
        short(&there),
        short(&own)
    ))
}

fn short(text: &str) -> String {
    const WIDTH: usize = 100;
    match text.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Lines with their numbers, and some around them.
fn numbered(lines: &Lines<'_>, range: &Range<usize>, around: usize) -> String {
    const MOST: usize = 60;
    let end = (range.end + around).min(lines.len());
    let mut shown = String::new();
    for line in (range.start.saturating_sub(around)..end).take(MOST) {
        let mark = if range.contains(&line) { '>' } else { ' ' };
        let text = String::from_utf8_lossy(lines.get(line)).into_owned();
        let _ = writeln!(shown, "{mark}{:>5} │ {text}", line + 1);
    }
    shown
}

pub(crate) fn conflict(
    index: usize,
    (block, found): (&Block, &Found),
    ground: &Ground<'_>,
    place: &Place,
    conflict: &Conflict,
    options: &Options,
) -> BlockReport {
    let lines = &ground.lines;
    let alike = percent(place.similarity);
    let line = place.lines.start + 1;
    let message = if conflict.lines.is_empty() {
        format!(
            "does not fit: the best place is line {line} ({alike} % alike), but a line that \
             it changes is not there"
        )
    } else {
        let unknown = String::from_utf8_lossy(lines.get(conflict.lines.start)).into_owned();
        format!(
            "does not fit: the best place is line {line} ({alike} % alike), but its edit would \
             take away a line that it does not mention\n{:>5} │ {}\n  hint: add the line to SEARCH",
            conflict.lines.start + 1,
            short(&unknown)
        )
    };
    let report = BlockReport {
        line: Some(line as u32),
        needs_pct: Some(options.needs_pct()),
        start_line: block.start_line,
        message: Some(message),
        details: Some(numbered(lines, &place.lines, AROUND)),
        hint_kind: Some(HintKind::Stale),
        runner_up: found
            .runner_up
            .map(|(line, tier, similarity)| Candidate::new(line, tier, similarity)),
        ..BlockReport::failed(index, ErrorKind::NoMatch)
    };
    with_best(report, block, Some(&place.lines), ground).with_similarity(place.similarity)
}

pub(crate) fn overlap(report: &BlockReport, rival: usize) -> BlockReport {
    let number = rival + 1;
    BlockReport {
        line: report.line,
        start_line: report.start_line,
        message: Some(format!(
            "changes lines that block {number} changes, too; make one block of both"
        )),
        ..BlockReport::failed(report.index as usize, ErrorKind::Overlap)
    }
}
