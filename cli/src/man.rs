//! `mvdiff man`: manual pages from the same words that `--help` prints.

use crate::args::Args;
use crate::output::{self, Content};
use anyhow::{Context as _, bail};
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;
use roff::{Roff, roman};
use std::io;
use std::path::{Path, PathBuf};

/// Prints the page of a command, or writes those of all.
pub(crate) fn run(command: Option<&str>, out: Option<&Path>) -> anyhow::Result<u8> {
    let pages = pages();
    if let Some(folder) = out {
        let is_new = !folder.exists();
        let written = write(&pages, folder);
        if written.is_err() && is_new {
            // Some of the pages would pass for all of them.
            for page in &pages {
                let _ = std::fs::remove_file(file(folder, page));
            }
            let _ = std::fs::remove_dir(folder);
        }
        return written.map(|()| 0);
    }
    let wanted = command.map_or("mvdiff".to_owned(), |name| format!("mvdiff-{name}"));
    let Some(page) = pages.iter().find(|page| name(page) == wanted) else {
        let names = pages.iter().filter_map(|p| name(p).strip_prefix("mvdiff-"));
        let names: Vec<&str> = names.collect();
        bail!(
            "{}: unknown command; the commands are {}",
            command.unwrap_or_default(),
            names.join(", ")
        );
    };
    let text = printed(page)?;
    output::to_stdout(false, Content::Bytes, Box::new(|out| out.write_all(&text)))?;
    Ok(0)
}

fn write(pages: &[Command], folder: &Path) -> anyhow::Result<()> {
    let cannot = || format!("{}: cannot write", folder.display());
    std::fs::create_dir_all(folder).with_context(cannot)?;
    for page in pages {
        let text = printed(page)?;
        output::to_file(
            &file(folder, page),
            Content::Bytes,
            Box::new(|out| out.write_all(&text)),
        )?;
    }
    Ok(())
}

fn file(folder: &Path, page: &Command) -> PathBuf {
    folder.join(format!("{}.1", name(page)))
}

/// The program and each command, named as their pages are.
fn pages() -> Vec<Command> {
    // The page of help would say no more than the others.
    let mut root = Args::command().disable_help_subcommand(true);
    root.build();
    let mut pages = vec![root];
    let mut at = 0;
    while let Some(page) = pages.get(at).cloned() {
        pages.extend(page.get_subcommands().cloned());
        at += 1;
    }
    pages
}

/// What a page is called: `mvdiff-diff`.
fn name(page: &Command) -> &str {
    page.get_display_name().unwrap_or(page.get_name())
}

fn printed(page: &Command) -> io::Result<Vec<u8>> {
    let source = concat!("mvdiff ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(page.clone()).source(source);
    let mut out = Vec::new();
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    if page.has_subcommands() {
        man.render_subcommands_section(&mut out)?;
    }
    let more = page.get_after_help().map(ToString::to_string);
    sections(&more.unwrap_or_default(), &mut out)?;
    Ok(out)
}

/// What follows the options in `--help`. Lines stay as they are, since they were set
/// by hand.
fn sections(text: &str, out: &mut Vec<u8>) -> io::Result<()> {
    let mut last = "";
    for paragraph in text.split("\n\n") {
        let headed = |head: &str| paragraph.strip_prefix(head).map(str::trim_start);
        let examples = paragraph
            .strip_prefix("Examples:\n")
            .or(paragraph.strip_prefix("Example:\n"));
        let (head, body) = if let Some(body) = examples {
            ("EXAMPLES", body)
        } else if let Some(body) = headed("Exit status:") {
            ("EXIT STATUS", body)
        } else {
            ("NOTES", paragraph)
        };
        let mut roff = Roff::new();
        if head == last {
            roff.control("PP", []);
        } else {
            roff.control("SH", [head]);
        }
        last = head;
        roff.control("nf", []);
        for line in body.lines() {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
        roff.to_writer(out)?;
    }
    Ok(())
}
