//! Changes in a file that is not text, on a terminal.

use super::Colours;
use crate::styles::visible_name;
use crate::view::NonTextChange;
use std::io::{self, Write};

impl NonTextChange {
    /// Whether there is nothing to print.
    pub(crate) fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// Its lines, with styles.
    fn lines(&self) -> io::Result<Vec<String>> {
        match self {
            Self::Nothing => Ok(Vec::new()),
            Self::Lines(lines) => Ok(lines.iter().map(|line| visible_name(line)).collect()),
            #[cfg(feature = "xlsx")]
            Self::Workbook(report) => {
                let mut text = Vec::new();
                crate::workbook_terminal(&mut text, report)?;
                let text = String::from_utf8_lossy(&text);
                let lines = text.lines().filter(|line| !line.is_empty());
                Ok(lines.map(str::to_owned).collect())
            }
        }
    }

    /// Its lines, without styles.
    pub(crate) fn plain_lines(&self) -> Vec<String> {
        let lines = self.lines().unwrap_or_default();
        lines.iter().map(|line| without_styles(line)).collect()
    }
}

/// Prints it below the head of the file.
pub(super) fn print(
    out: &mut dyn Write,
    inside: &NonTextChange,
    colours: Colours,
) -> io::Result<()> {
    for line in inside.lines()? {
        let line = match colours {
            Colours::Off => without_styles(&line),
            _ => line,
        };
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

/// Text without the styles that we wrote into it ourselves.
fn without_styles(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("\x1b[") {
        plain.push_str(before);
        rest = behind.split_once('m').map_or("", |(_, rest)| rest);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_for_colours_only() {
        let inside = NonTextChange::Lines(vec!["> abc\x1b".into()]);
        let mut out = Vec::new();
        print(&mut out, &inside, Colours::Off).expect("memory");
        assert!(!out.contains(&0x1b));
        assert_eq!(without_styles("a\x1b[1mb\x1b[0mc"), "abc");
    }
}
