//! A page with several tables, of which each command rewrites only its own.

use anyhow::Context;
use clap::Args;
use std::path::{Path, PathBuf};

/// Rows of a markdown table, the first one being its head.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these column names.
    #[must_use]
    pub fn new(head: &[&str]) -> Self {
        let head = head.iter().map(ToString::to_string).collect();
        Self { rows: vec![head] }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// The table as markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |row: &Vec<String>| format!("| {} |\n", row.join(" | "));
        let rule = format!("|{}\n", "---|".repeat(self.rows[0].len()));
        let rows = self.rows[1..].iter().map(line);
        [line(&self.rows[0]), rule]
            .into_iter()
            .chain(rows)
            .collect()
    }
}

/// Where a table goes besides stdout.
#[derive(Args, Clone, Debug, Default)]
pub struct Output {
    /// The page in which to replace this command's part
    #[arg(short, long, value_name = "PAGE")]
    pub output: Option<PathBuf>,
}

impl Output {
    /// Prints `body` and puts it into the part of the page.
    ///
    /// # Errors
    /// If the page cannot be read or written.
    #[allow(clippy::print_stdout, reason = "only programs have a page")]
    pub fn write(&self, part: &str, body: &str) -> anyhow::Result<()> {
        println!("{body}");
        self.output
            .as_deref()
            .map_or(Ok(()), |page| write_part(page, part, body))
    }
}

/// Puts `body` between the markers of `part` in `path`, or at the end of the
/// page if it has no such part yet.
///
/// # Errors
/// If the page cannot be read or written, or a marker has lost its partner.
pub fn write_part(path: &Path, part: &str, body: &str) -> anyhow::Result<()> {
    let page = match std::fs::read_to_string(path) {
        Ok(page) => page,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => "# Benchmarks\n".to_owned(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let page = with_part(&page, part, body).with_context(|| format!("in {}", path.display()))?;
    std::fs::write(path, page).with_context(|| format!("cannot write {}", path.display()))
}

fn with_part(page: &str, part: &str, body: &str) -> anyhow::Result<String> {
    let (begin, end) = (
        format!("<!-- begin:{part} -->"),
        format!("<!-- end:{part} -->"),
    );
    let fresh = format!("{begin}\n{}\n{end}", body.trim_end());
    let Some(start) = page.find(&begin) else {
        return Ok(format!("{}\n\n{fresh}\n", page.trim_end()));
    };
    let stop = page[start..]
        .find(&end)
        .with_context(|| format!("{begin} has no {end}"))?;
    Ok(format!(
        "{}{fresh}{}",
        &page[..start],
        &page[start + stop + end.len()..]
    ))
}

/// The processor and its cores, for the line under a table.
#[must_use]
pub fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("unknown processor", |rest| {
        rest.trim_start_matches([' ', '\t', ':'])
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {cores} cores, {}", std::env::consts::OS)
}

#[cfg(test)]
mod tests {
    use super::with_part;

    #[test]
    fn a_part_is_replaced_and_its_neighbours_stay() {
        let page = with_part("# Page\n", "a", "one\n").unwrap();
        let page = with_part(&page, "b", "two").unwrap();
        let page = with_part(&page, "a", "three").unwrap();
        let expected = "# Page\n\n<!-- begin:a -->\nthree\n<!-- end:a -->\n\n<!-- begin:b -->\ntwo\n<!-- end:b -->\n";
        assert_eq!(page, expected);
    }

    #[test]
    fn a_lost_marker_is_an_error() {
        assert!(with_part("<!-- begin:a -->\n", "a", "").is_err());
    }
}
