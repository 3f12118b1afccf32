//! `mvdiff textconv FILE`: a workbook as lines, for git to compare.

use crate::args::TextconvArgs;
use crate::input;
use crate::output::{self, Content};
use mvdiff_grid::{ReadOptions, Workbook, read_workbook};
use std::io::{self, Write};

pub(crate) fn run(args: &TextconvArgs) -> anyhow::Result<u8> {
    let bytes = input::read(&args.file)?;
    let options = ReadOptions {
        limits: args.limits.limits(),
        ..ReadOptions::default()
    };
    let name = (args.file.as_os_str() != "-").then_some(&args.file);
    let read = read_workbook(&bytes, name.map(|name| &**name), &options);
    output::to_stdout(
        false,
        Content::Bytes,
        Box::new(|out| match &read {
            Ok(workbook) => print_within(out, workbook, options.limits.text),
            // Git gives up a whole log if this fails, and two files that cannot be
            // read are not therefore the same.
            Err(error) => {
                let (count, hash) = (bytes.len(), xxhash_rust::xxh3::xxh3_64(&bytes));
                let error = output::visible(&error.to_string());
                writeln!(out, "# no workbook: {error}")?;
                writeln!(out, "# {count} bytes, XXH3 {hash:016x}")
            }
        }),
    )?;
    Ok(0)
}

/// Prints no more bytes than a workbook may have of text: one text may occur in a
/// million cells.
fn print_within(out: &mut dyn Write, workbook: &Workbook, most: u64) -> io::Result<()> {
    let mut within = Within {
        out,
        left: most,
        spent: false,
    };
    match print(&mut within, workbook) {
        Err(_) if within.spent => {}
        done => return done,
    }
    writeln!(out)?;
    writeln!(
        out,
        "# left out: what lies beyond {most} bytes; --max-text lifts that"
    )
}

/// Passes on so many bytes, and then fails.
struct Within<'o> {
    out: &'o mut dyn Write,
    left: u64,
    spent: bool,
}

impl Write for Within<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else {
            self.spent = true;
            return Err(io::Error::other("more than is wanted"));
        };
        self.left = left;
        self.out.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn print(out: &mut dyn Write, workbook: &Workbook) -> io::Result<()> {
    for sheet in &workbook.sheets {
        mvdiff_render::sheet_lines(out, sheet)?;
    }
    for name in &workbook.names {
        mvdiff_render::name_line(out, name)?;
    }
    Ok(())
}
