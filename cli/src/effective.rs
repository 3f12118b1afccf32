//! `mvdiff effective`, and the part of it that `mvdiff git` shares: changesets
//! in, reports out, one at a time.

use crate::args::{EffectiveArgs, ReportArgs, ReportFormat as Format, Whitespace};
use crate::contents::{Found, Place};
use crate::non_text::{NonTextChanges, WithBooks};
use crate::output::{self, Content};
use crate::pager::generated;
use crate::screen::{colour_for_gits_pager, is_read_by_people, screen};
use crate::{input, page};
use anyhow::{anyhow, bail};
use mvdiff_render::Screen;
use mvdiff_render::view::View;
use mvdiff_text::effective::{Contents, EffectiveOptions, EffectiveReport, effective};
use mvdiff_text::patch::{self, Changeset, FilePatch, HunkLine, LineKind};
use mvdiff_text::{Note, Text};
use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;

pub(crate) const LEFT_TO_READ: u8 = 1;

pub(crate) fn run(args: &EffectiveArgs) -> anyhow::Result<u8> {
    if args.patch.is_none() && io::stdin().is_terminal() {
        bail!("no patch; name a file, or pipe one in: git diff | mvdiff effective");
    }
    let name = args.patch.as_deref().unwrap_or(Path::new("-"));
    let patch = input::read(name)?;
    let changesets = parse(&patch, &name.to_string_lossy())?;
    let mut place = match (&args.repo, &args.old, &args.new) {
        (Some(repo), ..) => Place::repo(repo)?,
        (None, Some(old), Some(new)) => Place::dirs(old, new)?,
        _ => Place::around(&changesets),
    };
    let name = args.patch.as_ref().map(|_| name.to_string_lossy());
    report(changesets, &mut place, &args.report, name.as_deref())
}

/// The changesets of a patch; errors name it.
pub(crate) fn parse<'p>(patch: &'p [u8], name: &str) -> anyhow::Result<Vec<Changeset<'p>>> {
    patch::parse(patch).map_err(|error| anyhow!("{name}: {error}"))
}

/// Prints the report of each changeset, and returns the exit code. `name` says what
/// was asked for, where a page has a title.
pub(crate) fn report(
    mut changesets: Vec<Changeset<'_>>,
    place: &mut Place,
    args: &ReportArgs,
    name: Option<&str>,
) -> anyhow::Result<u8> {
    let nothing = changesets
        .iter()
        .all(|changeset| changeset.files.is_empty() && changeset.remarks().is_empty());
    if nothing && !changesets.is_empty() && args.format != Some(Format::Json) {
        say("note: the input contains no diff");
    }
    if changesets.is_empty() {
        // No difference is an answer, too.
        changesets.push(Changeset::default());
    }
    let format = format(args);
    if args.output.is_none() {
        colour_for_gits_pager();
    }
    if format == Format::Html {
        page::has_a_place(args.output.as_deref())?;
    }
    let printer = Printer {
        format,
        screen: Screen {
            inner_context: args.unified.unwrap_or(0),
            ..screen(&args.screen, args.output.as_deref())
        },
        several: changesets.len() > 1,
        context: args.unified,
        show_generated: args.show_generated,
    };
    let options = options(args);
    if format == Format::Html {
        return html(&changesets, place, &options, args, name);
    }
    let mut left = false;
    let mut trouble = None;
    let print = |out: &mut dyn Write| {
        for (index, changeset) in changesets.into_iter().enumerate() {
            let (report, found) = match look_up(&changeset, place, &options) {
                Ok(looked) => looked,
                Err(error) => {
                    trouble = Some(error);
                    return Err(io::ErrorKind::Other.into());
                }
            };
            let contents = found.contents();
            left |= is_left(&report);
            let insides = match format {
                Format::Terminal | Format::Json => NonTextChanges::of(&changeset, place),
                Format::Unified | Format::Html => NonTextChanges::default(),
            };
            printer.one(out, index, (&changeset, &contents), &report, insides)?;
        }
        printer.end(out)
    };
    let content = match format {
        Format::Terminal => Content::Styled,
        Format::Unified | Format::Json | Format::Html => Content::Bytes,
    };
    let outcome = match &args.output {
        Some(path) => output::to_file(path, content, Box::new(print)),
        None => output::to_stdout(!args.screen.no_pager, content, Box::new(print)),
    };
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    outcome?;
    Ok(exit_code(args, left))
}

/// One page for all changesets.
fn html(
    changesets: &[Changeset<'_>],
    place: &mut Place,
    options: &EffectiveOptions,
    args: &ReportArgs,
    name: Option<&str>,
) -> anyhow::Result<u8> {
    let mut found: Vec<(EffectiveReport, Found)> = Vec::new();
    let mut insides = Vec::new();
    for changeset in changesets {
        found.push(look_up(changeset, place, options)?);
        insides.push(NonTextChanges::of(changeset, place));
    }
    let views = changesets.iter().zip(&found).zip(insides);
    let mut views: Vec<View<'_>> = views
        .map(|((changeset, (report, contents)), insides)| {
            let mut view = View::of_effective(changeset, &contents.contents(), report);
            insides.show(&mut view);
            if !args.show_generated {
                generated::fold(&mut view);
            }
            view
        })
        .collect();
    // A commit has a title of its own.
    if let ([view], [changeset], Some(name)) = (&mut views[..], changesets, name)
        && changeset.commit.is_none()
        && changeset.subject.is_none()
    {
        view.title = format!("{name}: {}", view.title);
    }
    let context = args.unified.unwrap_or(crate::diff::CONTEXT);
    page::print(&views, args.output.as_deref(), context, &args.page)?;
    let left = found.iter().any(|(report, _)| is_left(report));
    Ok(exit_code(args, left))
}

pub(crate) fn is_left(report: &EffectiveReport) -> bool {
    !report.moves.is_empty() || !report.effective_diff.0.is_empty()
}

fn exit_code(args: &ReportArgs, left: bool) -> u8 {
    if args.exit_code && left {
        LEFT_TO_READ
    } else {
        0
    }
}

/// The report of one changeset, with what its contents lacked.
pub(crate) fn look(
    changeset: &Changeset<'_>,
    place: &mut Place,
    options: &EffectiveOptions,
) -> anyhow::Result<EffectiveReport> {
    Ok(look_up(changeset, place, options)?.0)
}

/// The same, with the contents.
pub(crate) fn look_up(
    changeset: &Changeset<'_>,
    place: &mut Place,
    options: &EffectiveOptions,
) -> anyhow::Result<(EffectiveReport, Found)> {
    let mut found = place.look_up(changeset, options.engine.copies)?;
    let mut report = effective(changeset, &found.contents(), options)?;
    report.complete &= !found.degraded;
    report.notes.append(&mut found.notes);
    Ok((report, found))
}

fn format(args: &ReportArgs) -> Format {
    let people = || (args.output.is_none() && is_read_by_people()) || args.screen.side_by_side;
    match args.format {
        Some(format) => format,
        None if people() => Format::Terminal,
        None => Format::Unified,
    }
}

/// How moves are looked for.
pub(crate) fn options(args: &ReportArgs) -> EffectiveOptions {
    EffectiveOptions {
        engine: mvdiff_text::options().with(|o| {
            o.moves = !args.no_moves;
            o.copies = args.copies;
            o.threshold = args.threshold;
            o.gap = args.gap;
            o.reach = crate::args::reach(args.gap);
        }),
        extend: args.extend,
        trim: args.trim,
        min_score: args.min_score,
        show_whitespace: args.whitespace == Whitespace::Show,
        context: args.unified.unwrap_or(0),
    }
}

/// Reports one after the other, in a format.
struct Printer {
    format: Format,
    /// How it looks on a terminal.
    screen: Screen,
    /// Whether there are several, so that each needs its head.
    several: bool,
    /// Lines of context, if asked for.
    context: Option<u32>,
    show_generated: bool,
}

impl Printer {
    fn one(
        &self,
        out: &mut dyn Write,
        index: usize,
        (changeset, contents): (&Changeset<'_>, &Contents<'_>),
        report: &EffectiveReport,
        insides: NonTextChanges,
    ) -> io::Result<()> {
        if self.format == Format::Json {
            match (self.several, index) {
                (false, _) => {}
                (true, 0) => write!(out, "{SEVERAL_START}")?,
                (true, _) => out.write_all(b",")?,
            }
            let path = |path: Option<&Cow<'_, [u8]>>| Some(Text(path?.to_vec()));
            let workbooks = insides.books(|at| {
                let file = &changeset.files[at];
                [path(file.old_path.as_ref()), path(file.new_path.as_ref())]
            });
            return Ok(serde_json::to_writer(
                out,
                &WithBooks { report, workbooks },
            )?);
        }
        notes(report);
        if self.format == Format::Unified {
            tell_moves(report);
        }
        let has_head = self.format == Format::Terminal && !changeset.preamble.is_empty();
        if self.several || has_head {
            // The blank line between two commits belongs to neither.
            if index > 0 && !changeset.preamble.starts_with(b"\n") {
                writeln!(out)?;
            }
            self.preamble(out, changeset)?;
        }
        if self.format == Format::Terminal {
            let screen = screen_for(changeset, &self.screen, self.context);
            let mut view = View::of_effective_near(changeset, contents, report, screen.context);
            insides.show(&mut view);
            if !self.show_generated {
                generated::fold(&mut view);
            }
            return mvdiff_render::terminal(out, &view, &screen);
        }
        out.write_all(&report.effective_diff.0)
    }

    /// The head of a commit; on a terminal with control characters visible.
    fn preamble(&self, out: &mut dyn Write, changeset: &Changeset<'_>) -> io::Result<()> {
        if self.format != Format::Terminal {
            return out.write_all(&prose(changeset));
        }
        print_preamble(out, changeset)
    }

    fn end(&self, out: &mut dyn Write) -> io::Result<()> {
        match (self.format, self.several) {
            (Format::Json, false) => writeln!(out),
            (Format::Json, true) => writeln!(out, "]}}"),
            _ => Ok(()),
        }
    }
}

/// The head of a commit, with control characters visible.
pub(crate) fn print_preamble(out: &mut dyn Write, changeset: &Changeset<'_>) -> io::Result<()> {
    let prose = prose(changeset);
    let text = String::from_utf8_lossy(&prose);
    text.lines()
        .try_for_each(|line| writeln!(out, "{}", output::visible(line)))
}

/// A screen with as much context as was asked for, or as the patch itself shows.
pub(crate) fn screen_for(changeset: &Changeset<'_>, screen: &Screen, asked: Option<u32>) -> Screen {
    Screen {
        context: asked.unwrap_or_else(|| widest_context(changeset)),
        inner_context: asked.unwrap_or(0),
        ..*screen
    }
}

/// The text before the files, without what the report shows.
fn prose(changeset: &Changeset<'_>) -> Vec<u8> {
    let preamble = changeset.preamble;
    let mut prose = Vec::with_capacity(preamble.len());
    let mut end = 0;
    let remarks = changeset.remarks();
    for remark in remarks.iter().take_while(|remark| remark.after == 0) {
        let at = remark.text.as_ptr() as usize - preamble.as_ptr() as usize;
        prose.extend_from_slice(&preamble[end..at]);
        end = at + remark.text.len();
    }
    prose.extend_from_slice(&preamble[end..]);
    prose
}

/// Lines that the patch itself shows around changes.
fn widest_context(changeset: &Changeset<'_>) -> u32 {
    let hunks = changeset.files.iter().flat_map(FilePatch::hunks);
    let context = hunks.map(|hunk| {
        let is_context = |line: &&HunkLine<'_>| line.kind == LineKind::Context;
        let before = hunk.lines.iter().take_while(is_context).count();
        let behind = hunk.lines.iter().rev().take_while(is_context).count();
        before.max(behind) as u32
    });
    context.max().unwrap_or(0)
}

/// Remarks go to standard error where the format has no place for them; blocks
/// that could have come from several places in one line.
fn notes(report: &EffectiveReport) {
    let is_ambiguous = |note: &&Note| note.kind == "ambiguous";
    for note in report.notes.iter().filter(|note| !is_ambiguous(note)) {
        say(&format!("note: {}", output::visible(&note.message)));
    }
    match report.notes.iter().filter(is_ambiguous).count() {
        0 => {}
        1 => say(
            "note: 1 block could have come from several places and is not reported as moved; --format json names it",
        ),
        n => say(&format!(
            "note: {n} blocks could have come from several places and are not reported as moved; --format json names them"
        )),
    }
}

/// Moves listed one by one; of more, only the number.
const TOLD: usize = 10;

/// Moves are always listed, and a plain diff has no place for them.
fn tell_moves(report: &EffectiveReport) {
    let blocks = report.blocks();
    for block in blocks.iter().take(TOLD) {
        say(&mvdiff_render::one_line(block));
    }
    if blocks.len() > TOLD {
        let more = blocks.len() - TOLD;
        say(&format!(
            "and {more} more; --format terminal or json tells all"
        ));
    }
}

fn say(line: &str) {
    let _ = writeln!(io::stderr(), "mvdiff: {line}");
}

/// How the JSON of several changesets starts.
const SEVERAL_START: &str = r#"{"schema":"mvdiff.effective/1","changesets":["#;
