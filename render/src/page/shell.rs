//! The document around a page.

use super::escaped;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use std::io::{self, Write};

/// Colours and what every page has.
const BASE_STYLE: &str = include_str!("base.css");
/// Light, dark, or as the system has it.
const BASE_SCRIPT: &str = include_str!("base.js");

/// A page without its content.
pub(crate) struct Shell<'s> {
    /// What the window is called.
    pub title: &'s str,
    /// Style rules in addition to those of every page.
    pub style: &'s str,
    /// A script in addition to that of every page.
    pub script: &'s str,
}

impl Shell<'_> {
    /// Writes the page; `body` writes its content.
    ///
    /// Style and script are allowed by their hashes, so nothing that a file holds can
    /// run, even if it were not escaped; and nothing is loaded from anywhere.
    pub(crate) fn write(
        &self,
        out: &mut dyn Write,
        body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let style = format!("\n{BASE_STYLE}{}", self.style);
        let script = format!("\n{BASE_SCRIPT}{}", self.script);
        writeln!(
            out,
            r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="mvdiff {}">
<title>{}</title>
<style>{style}</style>
</head>
<body>"#,
            hash(&style),
            hash(&script),
            env!("CARGO_PKG_VERSION"),
            escaped(self.title),
        )?;
        body(out)?;
        writeln!(out, "<script>{script}</script>\n</body>\n</html>")
    }
}

/// How a policy names a text that may be used.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}
