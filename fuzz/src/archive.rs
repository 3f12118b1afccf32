//! Archives as one text, so that what is inside can be mutated: each part begins with a
//! line `==== its/name`.

use std::io::{Cursor, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Names and contents of the parts.
pub(crate) type Parts<'t> = Vec<(String, &'t [u8])>;

const MARK: &[u8] = b"==== ";

/// The parts of a text; what comes before the first is none.
pub(crate) fn parts(text: &[u8]) -> Parts<'_> {
    let mut parts = Parts::new();
    let mut at = 0;
    let mut open: Option<(String, usize)> = None;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if let Some(name) = line.strip_prefix(MARK) {
            if let Some((name, start)) = open.take() {
                parts.push((name, content(&text[start..at])));
            }
            let name = String::from_utf8_lossy(name.trim_ascii_end()).into_owned();
            open = Some((name, at + line.len()));
        }
        at += line.len();
    }
    if let Some((name, start)) = open {
        parts.push((name, content(&text[start..])));
    }
    parts
}

/// The newline before the next mark belongs to the mark.
fn content(text: &[u8]) -> &[u8] {
    text.strip_suffix(b"\n").unwrap_or(text)
}

/// The text of parts, as [`parts`] reads it.
pub(crate) fn text<'t>(parts: impl IntoIterator<Item = (&'t str, &'t [u8])>) -> Vec<u8> {
    let mut text = Vec::new();
    for (name, content) in parts {
        text.extend_from_slice(&[MARK, name.as_bytes(), b"\n", content, b"\n"].concat());
    }
    text
}

/// An archive of parts, of which the last of a name counts.
pub(crate) fn zip(parts: &[(String, &[u8])]) -> Option<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (at, (name, content)) in parts.iter().enumerate() {
        if parts[at + 1..].iter().any(|(later, _)| later == name) {
            continue;
        }
        zip.start_file(name.as_str(), stored).ok()?;
        zip.write_all(content).ok()?;
    }
    Some(zip.finish().ok()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back() {
        let all = [("a/b.xml", &b"<a>\n</a>"[..]), ("c", b""), ("d", b"\n\n")];
        let text = text(all);
        let back = parts(&text);
        assert_eq!(back.len(), all.len());
        assert!(
            back.iter()
                .zip(all)
                .all(|(back, one)| back.0 == one.0 && back.1 == one.1)
        );
    }
}
