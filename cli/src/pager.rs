//! `mvdiff` as pager and filter: output of git or diff comes in, diffs go out for
//! reading, and everything else goes out as it came.

mod diff_extent;
mod escapes;
pub(crate) mod generated;
mod stream;

use crate::args::{EffectiveArgs, PagerArgs, ReportArgs, ReportFormat};
use crate::contents::{Found, Place};
use crate::effective::{self, LEFT_TO_READ};
use crate::non_text::NonTextChanges;
use crate::output::{self, Content};
use crate::screen::{colour_for_gits_pager, colour_unless_said, screen};
use mvdiff_render::Screen;
use mvdiff_render::view::View;
use mvdiff_text::effective::{EffectiveOptions, EffectiveReport};
use mvdiff_text::patch::{self, Changeset};
use std::io::{self, BufReader, IsTerminal as _, Read, Write};
use stream::{Piece, Stream};

pub(crate) fn run(args: PagerArgs) -> anyhow::Result<u8> {
    let is_for_reading = matches!(args.report.format, None | Some(ReportFormat::Terminal));
    if !is_for_reading || args.report.output.is_some() {
        return effective::run(&EffectiveArgs::of_standard_input(args.report));
    }
    let mode = if args.color_only {
        // Colours are all that is wanted, and it is git that reads them.
        colour_unless_said();
        Mode::ColorOnly
    } else {
        Mode::Piped
    };
    pass(io::stdin().lock(), &args.report, mode)
}

/// Who made the input, and what is wanted of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// The user, who sees it as git would show it.
    Piped,
    /// The same, line for line.
    ColorOnly,
    /// We did, and are to blame for what a terminal makes of it.
    Asked,
}

/// Shows what git says, as it comes.
pub(crate) fn show(input: impl Read, args: &ReportArgs) -> anyhow::Result<u8> {
    pass(input, args, Mode::Asked)
}

fn pass(input: impl Read, args: &ReportArgs, mode: Mode) -> anyhow::Result<u8> {
    colour_for_gits_pager();
    let mut filter = Filter {
        screen: screen(&args.screen, None),
        options: effective::options(args),
        args,
        color_only: mode == Mode::ColorOnly,
        place: None,
        left: false,
    };
    let is_spelt = mode == Mode::Asked && io::stdout().is_terminal();
    let print = |out: &mut dyn Write| {
        let mut stream = Stream::new(BufReader::with_capacity(1 << 16, input));
        let mut is_spaced = false;
        while let Some(piece) = stream.next()? {
            let is_diff = matches!(piece, Piece::Diff(_));
            match piece {
                // Ours and git's are one: a blank line that sets commits apart.
                Piece::Other(line) if is_spaced && line == b"\n" => {}
                Piece::Other(line) if is_spelt => out.write_all(&spelt(&line))?,
                Piece::Other(line) => out.write_all(&line)?,
                Piece::Diff(diff) => is_spaced = filter.diff(out, &diff)?,
            }
            is_spaced &= is_diff;
            if stream.is_waiting() {
                out.flush()?;
            }
        }
        Ok(())
    };
    let pager = !args.screen.no_pager && mode != Mode::ColorOnly;
    output::to_stdout(pager, Content::AsIs, Box::new(print))?;
    let is_left = args.exit_code && filter.left;
    Ok(if is_left { LEFT_TO_READ } else { 0 })
}

/// A line with what a terminal would act on made visible.
fn spelt(line: &[u8]) -> Vec<u8> {
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    let text = String::from_utf8_lossy(text);
    let shown: Vec<String> = text.split('\t').map(output::visible).collect();
    let end: &[u8] = if line.ends_with(b"\n") { b"\n" } else { b"" };
    [shown.join("\t").as_bytes(), end].concat()
}

struct Filter<'a> {
    args: &'a ReportArgs,
    color_only: bool,
    screen: Screen,
    options: EffectiveOptions,
    /// Where whole files come from, once a diff has named any.
    place: Option<Place>,
    /// Whether anything was left to read.
    left: bool,
}

impl Filter<'_> {
    /// Prints a diff for reading; one that is not understood, as it came. Whether a blank
    /// line is the last that was printed.
    fn diff(&mut self, out: &mut dyn Write, raw: &[u8]) -> io::Result<bool> {
        let as_it_came = |out: &mut dyn Write| out.write_all(raw).map(|()| false);
        let plain;
        let text = if stream::has_colours(raw) {
            plain = escapes::without_colours(raw);
            &plain[..]
        } else {
            raw
        };
        let Ok(changesets) = patch::parse(text) else {
            return as_it_came(out);
        };
        if changesets.iter().all(|set| set.files.is_empty()) {
            return as_it_came(out);
        }
        let mut looked = Vec::with_capacity(changesets.len());
        for changeset in &changesets {
            match self.look_up(changeset) {
                Ok(found) => looked.push(found),
                Err(_) => return as_it_came(out),
            }
        }
        if self.color_only {
            self.repaint(out, raw, text, &changesets, &looked)?;
            return Ok(false);
        }
        let mut is_spaced = false;
        for (index, (changeset, (report, found))) in changesets.iter().zip(&looked).enumerate() {
            if index > 0 {
                effective::print_preamble(out, changeset)?;
            }
            self.left |= effective::is_left(report);
            let screen = effective::screen_for(changeset, &self.screen, self.args.unified);
            let contents = found.contents();
            let mut view = View::of_effective_near(changeset, &contents, report, screen.context);
            if let Some(place) = &mut self.place {
                NonTextChanges::of(changeset, place).show(&mut view);
            }
            if !self.args.show_generated {
                generated::fold(&mut view);
            }
            if report.blocks().is_empty() && !view.notes.iter().any(|note| note.is_weighty) {
                // In a pager, a note that nothing moved would be noise.
                view.summary.clear();
            }
            mvdiff_render::terminal(out, &view, &screen)?;
            is_spaced = view.summary.is_empty();
            for note in view.notes.iter().filter(|note| note.is_weighty) {
                is_spaced = false;
                writeln!(out, "note: {}", output::visible(&note.text))?;
            }
        }
        if text.ends_with(b"\n\n") && !is_spaced {
            writeln!(out)?;
            is_spaced = true;
        }
        Ok(is_spaced)
    }

    /// The same lines, only coloured: programs that show them count them.
    fn repaint(
        &self,
        out: &mut dyn Write,
        raw: &[u8],
        text: &[u8],
        changesets: &[Changeset<'_>],
        looked: &[(EffectiveReport, Found)],
    ) -> io::Result<()> {
        let mut painted = Vec::new();
        let mut plain = Vec::with_capacity(text.len());
        for (changeset, (report, found)) in changesets.iter().zip(looked) {
            let view = View::of_effective_near(changeset, &found.contents(), report, 0);
            mvdiff_render::repaint(&mut painted, changeset, &view, &self.screen)?;
            patch::write_patch(&mut plain, changeset)?;
        }
        // What could not be written back to the byte stays as it came.
        out.write_all(if plain == text { &painted } else { raw })
    }

    fn look_up(&mut self, changeset: &Changeset<'_>) -> anyhow::Result<(EffectiveReport, Found)> {
        let place = self
            .place
            .get_or_insert_with(|| Place::around(std::slice::from_ref(changeset)));
        effective::look_up(changeset, place, &self.options)
    }
}
