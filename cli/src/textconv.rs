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
            Ok(workbook) => print(out, workbook),
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

fn print(out: &mut dyn Write, workbook: &Workbook) -> io::Result<()> {
    for sheet in &workbook.sheets {
        mvdiff_render::sheet_lines(out, sheet)?;
    }
    for name in &workbook.names {
        mvdiff_render::name_line(out, name)?;
    }
    Ok(())
}
