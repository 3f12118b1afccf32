//! A text and blocks in, a new text out: all blocks are looked for in the text
//! as it is, and what they change is put together.

use crate::blocks::Block;
use crate::change::Change;
use crate::fold;
use crate::fuzzy_match::Near;
use crate::ground::Ground;
use crate::match_site::{Place, Tier};
use crate::merge::{Splice, line_end, merge};
use crate::message;
use crate::report::{BlockReport, Candidate, Status};
use crate::resolve::{Found, Missed, Sought, Target, seek};
use crate::text::{Lines, is_beyond_ascii, is_in_another_encoding, is_wide};
use crate::{ErrorKind, Options};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// What blocks make of a text.
#[derive(Clone, Debug)]
pub struct Plan<'t> {
    /// The new text: the blocks that apply are in it, the others are not.
    pub text: Cow<'t, [u8]>,
    /// What became of each block, in the order they were given.
    pub blocks: Vec<BlockReport>,
}

impl Plan<'_> {
    /// Whether every block is in the new text.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.blocks.iter().all(BlockReport::is_done)
    }

    /// Whether at least one block is in the new text.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.blocks.iter().any(BlockReport::is_done)
    }
}

/// Works out what blocks make of a text.
///
/// ```
/// use mvdiff_edit::{Options, Status, blocks, plan};
///
/// let text = b"def total(items):\r\n    return sum(items)\r\n";
/// let edit = b"<<<<<<< SEARCH\nreturn sum(items)\n=======\nreturn sum(items) * TAX\n>>>>>>> REPLACE\n";
/// let blocks = blocks::parse(edit, Default::default())?;
/// let done = plan(text, &blocks, &Options::default());
/// assert_eq!(*done.text, *b"def total(items):\r\n    return sum(items) * TAX\r\n");
///
/// let again = plan(&done.text, &blocks, &Options::default());
/// assert_eq!(again.blocks[0].status, Status::AlreadyApplied);
/// assert_eq!(again.text, done.text);
/// # Ok::<(), mvdiff_edit::blocks::BlockError>(())
/// ```
#[must_use]
pub fn plan<'t>(text: &'t [u8], blocks: &[Block], options: &Options) -> Plan<'t> {
    let ground = Ground::for_blocks(text, blocks);
    let sought: Vec<Sought> = blocks.iter().map(|b| seek(b, &ground, options)).collect();
    let round = Round {
        ground: &ground,
        blocks,
        options,
    };
    let mut drafts: Vec<PlannedBlock> = (0..blocks.len())
        .map(|index| round.draft(index, &sought[index]))
        .collect();
    round.tell_done(&sought, &mut drafts);
    refuse_overlaps(&mut drafts);
    let silent = drafts.iter().all(|draft| draft.splices.is_empty());
    // Large texts: what helped to find the places goes before the new text comes.
    drop(sought);
    let lines = ground.into_lines();
    let composed = (!silent).then(|| compose(&lines, blocks, &drafts));
    let blocks_done = drafts.into_iter().map(|draft| draft.report).collect();
    match composed {
        None => Plan {
            text: Cow::Borrowed(text),
            blocks: blocks_done,
        },
        Some((new, written)) => second_round(new, &written, blocks, blocks_done, options),
    }
}

/// A block's report and what it would replace.
struct PlannedBlock {
    report: BlockReport,
    splices: Vec<Splice>,
    /// Whether its place is at the end of the text.
    reaches_end: bool,
}

impl PlannedBlock {
    /// A block of which nothing is to be written.
    fn idle(report: BlockReport) -> Self {
        Self {
            report,
            splices: Vec::new(),
            reaches_end: false,
        }
    }
}

struct Round<'r> {
    ground: &'r Ground<'r>,
    blocks: &'r [Block],
    options: &'r Options,
}

impl Round<'_> {
    fn draft(&self, index: usize, sought: &Sought) -> PlannedBlock {
        let start_line = self.blocks[index].start_line.or(self.options.start_line);
        let mut draft = match sought {
            Sought::Found(found) => self.apply(index, found),
            Sought::Already(lines) => PlannedBlock::idle(already(index, lines)),
            Sought::Missed(missed) => PlannedBlock::idle(self.missed(index, missed)),
        };
        draft.report.start_line = start_line;
        draft
    }

    fn apply(&self, index: usize, found: &Found) -> PlannedBlock {
        let lines = &self.ground.lines;
        let (splices, line) = match &found.place {
            Target::Lines(_) | Target::Each(_) => {
                let places = found.place.places();
                let mut splices = Vec::new();
                for place in places {
                    match self.merged(index, found, place) {
                        Ok(more) => splices.extend(more),
                        Err(refused) => return *refused,
                    }
                }
                (splices, places.first().map_or(0, |place| place.lines.start))
            }
            Target::Bytes(places) => {
                let splice = |bytes: &Range<usize>| Splice {
                    bytes: bytes.clone(),
                    with: found
                        .replace
                        .join(line_end(lines, lines.line_of(bytes.start))),
                    lines: false,
                    after: false,
                };
                let line = places.first().map_or(0, |bytes| lines.line_of(bytes.start));
                (places.iter().map(splice).collect(), line)
            }
        };
        let block = &self.blocks[index];
        let mut said = block.search.iter().chain(&block.replace);
        let wide = is_wide(lines.bytes) && !said.any(|line| line.contains(&0));
        let written = splices.iter().any(|splice| is_beyond_ascii(&splice.with));
        if wide || written && is_in_another_encoding(lines.bytes) {
            return PlannedBlock::idle(self.missed(index, &Missed::new(ErrorKind::Encoding)));
        }
        // Where the place is not to the letter what the block looks for, the change
        // may be there all the same.
        let changes = |splice: &Splice| lines.bytes[splice.bytes.clone()] != *splice.with;
        let is_new = splices.iter().any(changes);
        let sides = (&found.search[..], &found.replace[..]);
        let mut places = found.place.places().iter();
        let unmade = places.find(|place| !is_made(place, sides, lines));
        let (status, splices) = match unmade {
            _ if is_new => (Status::Applied, splices),
            Some(place) => {
                // It would change white space that the place does not show, or it only
                // removes lines that a similar place never had.
                let near = Near {
                    lines: place.lines.clone(),
                    similarity: place.similarity,
                };
                let missed = Missed {
                    places: vec![(near, place.tier)],
                    ..Missed::new(ErrorKind::NoMatch)
                };
                return PlannedBlock::idle(self.missed(index, &missed));
            }
            None => (Status::AlreadyApplied, Vec::new()),
        };
        let report = BlockReport {
            tier: Some(found.place.tier()),
            line: Some(line as u32 + 1),
            places: self.blocks[index].count.map(|_| found.place.len() as u32),
            runner_up: found
                .runner_up
                .map(|(line, tier, similarity)| Candidate::new(line, tier, similarity)),
            ..BlockReport::new(index, status).with_similarity(found.place.similarity())
        };
        let report = match &found.place {
            Target::Lines(place) if place.tier == Tier::Fuzzy => {
                message::taken(report, &self.blocks[index], place, self.ground)
            }
            _ => report,
        };
        let reaches_end = match &found.place {
            Target::Bytes(places) => places
                .last()
                .is_some_and(|place| place.end == lines.bytes.len()),
            lines_of => lines_of
                .places()
                .last()
                .is_some_and(|place| place.lines.end == lines.len()),
        };
        PlannedBlock {
            report,
            splices,
            reaches_end,
        }
    }

    /// What a block replaces in a place, or why it cannot.
    fn merged(
        &self,
        index: usize,
        found: &Found,
        place: &Place,
    ) -> Result<Vec<Splice>, Box<PlannedBlock>> {
        let block = &self.blocks[index];
        let sides = (&found.search[..], &found.replace[..]);
        // What is looked for may be the block without its numbers or dashes.
        let whole =
            block.search.len() == found.search.len() && block.replace.len() == found.replace.len();
        let kept = if whole { &block.kept[..] } else { &[] };
        let merged = merge(sides, place, &self.ground.lines, block.literal, kept);
        merged.map_err(|conflict| {
            let report = message::conflict(
                index,
                (block, found),
                self.ground,
                place,
                &conflict,
                self.options,
            );
            Box::new(PlannedBlock::idle(report))
        })
    }

    fn missed(&self, index: usize, missed: &Missed) -> BlockReport {
        message::missed(
            index,
            &self.blocks[index],
            self.ground,
            missed,
            self.options,
        )
    }

    /// Blocks whose new lines are there already, unless another block speaks of
    /// these very lines; and blocks that an earlier one says again.
    fn tell_done(&self, sought: &[Sought], drafts: &mut [PlannedBlock]) {
        let lines = &self.ground.lines;
        let mut spliced: Vec<(Range<usize>, usize)> = Vec::new();
        for (index, draft) in drafts.iter().enumerate() {
            spliced.extend(draft.splices.iter().map(|s| (s.bytes.clone(), index)));
        }
        spliced.sort_by_key(|(bytes, _)| bytes.start);
        let longest = spliced.iter().map(|(bytes, _)| bytes.len()).max();
        let longest = longest.unwrap_or(0);
        let mut done = Vec::new();
        for (index, sought) in sought.iter().enumerate() {
            let Sought::Found(Found {
                already: Some(there),
                place,
                ..
            }) = sought
            else {
                continue;
            };
            let bytes = lines.start(there.start)..lines.start(there.end);
            let own = match place {
                Target::Lines(place) => place.lines.clone(),
                Target::Each(_) | Target::Bytes(_) => there.clone(),
            };
            let own = lines.start(own.start)..lines.start(own.end);
            let from = spliced.partition_point(|(s, _)| s.start + longest < bytes.start);
            let near = spliced[from..]
                .iter()
                .take_while(|(s, _)| s.start < bytes.end);
            let spoken_of = near
                .filter(|(_, other)| *other != index)
                .any(|(splice, _)| {
                    let inside =
                        |range: &Range<usize>| splice.start < range.end && range.start < splice.end;
                    inside(&bytes) && !inside(&own)
                });
            if !spoken_of {
                done.push((index, there.clone()));
            }
        }
        for (index, there) in done {
            let start_line = drafts[index].report.start_line;
            drafts[index] = PlannedBlock::idle(BlockReport {
                start_line,
                ..already(index, &there)
            });
        }
        let mut known = HashSet::new();
        for (draft, block) in drafts.iter_mut().zip(self.blocks) {
            let edit = (&block.search, &block.replace);
            if !draft.splices.is_empty() && !known.insert((edit, draft.splices.clone())) {
                draft.report.status = Status::AlreadyApplied;
                draft.report.message = Some("an earlier block says the same".into());
                draft.splices.clear();
            }
        }
    }
}

/// Whether a place has what a block writes. Of a place that is merely similar, every
/// change must add lines, and these must be there to the letter.
fn is_made(place: &Place, (search, replace): (&[Vec<u8>], &[Vec<u8>]), lines: &Lines<'_>) -> bool {
    let there = || lines.range(place.lines.clone());
    if place.tier != Tier::Fuzzy {
        return there().eq(replace.iter().map(Vec::as_slice));
    }
    let hunks = Change::new(search, replace).hunks();
    hunks.iter().all(|hunk| {
        let mut added = replace[hunk.new.clone()].iter().map(Vec::as_slice);
        let says = added.clone().any(|line| !fold::is_blank(line));
        says && added.all(|line| there().any(|there| there == line))
    })
}

fn already(index: usize, lines: &Range<usize>) -> BlockReport {
    BlockReport {
        line: Some(lines.start as u32 + 1),
        ..BlockReport::new(index, Status::AlreadyApplied)
    }
}

/// Of two blocks that change the same lines the later one fails.
fn refuse_overlaps(drafts: &mut [PlannedBlock]) {
    // What is taken, by where it ends: the ranges do not overlap.
    let mut taken: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    let mut points: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, draft) in drafts.iter_mut().enumerate() {
        let rival = draft.splices.iter().find_map(|splice| {
            let Range { start, end } = splice.bytes;
            let lines = taken.range(start + 1..).next();
            let lines = lines.filter(|(_, (other, _))| *other < end);
            let point = || points.range(start + 1..end.max(start + 1)).next();
            lines
                .map(|(_, (_, rival))| *rival)
                .or_else(|| point().map(|(_, rival)| *rival))
        });
        match rival {
            Some(rival) => {
                draft.splices.clear();
                draft.report = message::overlap(&draft.report, rival);
            }
            None => {
                for Range { start, end } in draft.splices.iter().map(|s| s.bytes.clone()) {
                    if start < end {
                        taken.insert(end, (start, index));
                    } else {
                        points.entry(start).or_insert(index);
                    }
                }
            }
        }
    }
}

/// The new text, and which bytes of it were written.
fn compose(
    lines: &Lines<'_>,
    blocks: &[Block],
    drafts: &[PlannedBlock],
) -> (Vec<u8>, Vec<Range<usize>>) {
    let mut splices: Vec<(usize, &Splice)> = drafts
        .iter()
        .enumerate()
        .flat_map(|(index, draft)| draft.splices.iter().map(move |splice| (index, splice)))
        .collect();
    // What goes with the line before a point comes first there, the later block
    // nearer to that line; what goes with the line behind it comes last.
    splices.sort_by_key(|(index, splice)| {
        let turn = if splice.after {
            -(*index as i64)
        } else {
            *index as i64
        };
        let empty = splice.bytes.is_empty();
        (splice.bytes.start, !empty, !splice.after, turn)
    });
    let mut out = Vec::with_capacity(lines.bytes.len());
    let mut written = Vec::new();
    let mut at = 0;
    for (_, splice) in &splices {
        out.extend_from_slice(&lines.bytes[at..splice.bytes.start]);
        let begin = lines.start(0);
        if splice.lines && out.len() > begin && !lines.is_closed(&out) && !splice.with.is_empty() {
            out.extend_from_slice(line_end(lines, lines.len()));
        }
        let start = out.len();
        out.extend_from_slice(&splice.with);
        written.push(start..out.len());
        at = splice.bytes.end;
    }
    out.extend_from_slice(&lines.bytes[at..]);
    let wanted = drafts.iter().zip(blocks).rev();
    let wanted = wanted
        .filter(|(draft, _)| draft.report.status == Status::Applied && draft.reaches_end)
        .find_map(|(_, block)| block.final_newline);
    let closed = wanted.unwrap_or(!lines.is_open());
    let touched = !splices.is_empty();
    if touched && !closed && lines.is_closed(&out) {
        let crlf = out.ends_with(b"\r\n");
        out.truncate(out.len() - if crlf { 2 } else { 1 });
    } else if touched && closed && out.len() > lines.start(0) && !lines.is_closed(&out) {
        out.extend_from_slice(line_end(lines, lines.len()));
    }
    (out, written)
}

/// Blocks that were not found may speak of what the others wrote.
fn second_round(
    text: Vec<u8>,
    written: &[Range<usize>],
    blocks: &[Block],
    mut reports: Vec<BlockReport>,
    options: &Options,
) -> Plan<'static> {
    let open: Vec<usize> = (0..blocks.len())
        .filter(|index| reports[*index].error_kind == Some(ErrorKind::NoMatch))
        .collect();
    if open.is_empty() {
        return Plan {
            text: Cow::Owned(text),
            blocks: reports,
        };
    }
    let ground = Ground::for_blocks(&text, blocks);
    let mut drafts = Vec::new();
    for index in open {
        let Sought::Found(found) = seek(&blocks[index], &ground, options) else {
            continue;
        };
        let Target::Lines(place) = &found.place else {
            continue;
        };
        let lines = &ground.lines;
        let bytes = lines.start(place.lines.start)..lines.start(place.lines.end);
        let new = |range: &Range<usize>| range.start < bytes.end && bytes.start < range.end;
        if place.tier >= Tier::WithinLine || !written.iter().any(new) {
            continue;
        }
        let round = Round {
            ground: &ground,
            blocks,
            options,
        };
        let draft = round.draft(index, &Sought::Found(found));
        if draft.report.is_done() {
            drafts.push(draft);
        }
    }
    refuse_overlaps(&mut drafts);
    let (new, _) = compose(&ground.lines, &[], &drafts);
    for draft in drafts {
        let index = draft.report.index as usize;
        reports[index] = draft.report;
    }
    Plan {
        text: Cow::Owned(new),
        blocks: reports,
    }
}
