//! The tags around blocks. They are a convention more than XML: between them
//! text is verbatim, `<` and `&` included.

use super::{BlockError, FileEdits, Item, unescape};
use crate::ErrorKind;
use memchr::memmem;

/// A stretch of the input, with where it starts.
#[derive(Clone, Copy)]
struct Part<'x> {
    input: &'x [u8],
    start: usize,
    end: usize,
}

pub(super) fn read(input: &[u8]) -> Result<Vec<FileEdits>, BlockError> {
    let whole = Part {
        input,
        start: 0,
        end: input.len(),
    };
    let mut files = Vec::new();
    let mut rest = whole;
    while let Some((file, after)) = rest.element("file")? {
        let Some((path, _)) = file.element("path")? else {
            return Err(file.error("<file> has no <path>"));
        };
        let mut items = Vec::new();
        let mut diffs = file;
        while let Some((diff, after)) = diffs.element("diff")? {
            items.push(item(diff)?);
            diffs = after;
        }
        files.push(FileEdits {
            path: path.text().trim_ascii().to_vec(),
            items,
        });
        rest = after;
    }
    if files.is_empty() {
        files = calls(whole)?;
    }
    if files.is_empty() {
        return Err(whole.error("it contains no <file>"));
    }
    Ok(files)
}

/// Calls with one file each: `<apply_diff><path>…</path><diff>blocks</diff></apply_diff>`.
fn calls(whole: Part<'_>) -> Result<Vec<FileEdits>, BlockError> {
    let mut files = Vec::new();
    let mut rest = whole;
    while let Some((call, after)) = rest.element("apply_diff")? {
        let Some((path, behind)) = call.element("path")? else {
            return Err(call.error("<apply_diff> has no <path>"));
        };
        let Some((diff, _)) = behind.element("diff")? else {
            return Err(call.error("<apply_diff> has no <diff>"));
        };
        let nested = diff.bytes().trim_ascii_start().starts_with(b"<content>");
        let item = if nested {
            item(diff)?
        } else {
            Item {
                content: diff.text(),
                start_line: None,
            }
        };
        files.push(FileEdits {
            path: path.text().trim_ascii().to_vec(),
            items: vec![item],
        });
        rest = after;
    }
    Ok(files)
}

fn item(diff: Part<'_>) -> Result<Item, BlockError> {
    let Some((content, after)) = diff.element("content")? else {
        return Err(diff.error("<diff> has no <content>"));
    };
    let before = Part {
        end: content.start,
        ..diff
    };
    let mut start_line = None;
    for part in [before, after] {
        if let Some((number, _)) = part.element("start_line")? {
            let text = number.text();
            let value = std::str::from_utf8(text.trim_ascii()).ok();
            let value = value.and_then(|text| text.parse().ok());
            start_line = Some(value.ok_or_else(|| number.error("<start_line> is not a number"))?);
        }
    }
    Ok(Item {
        content: content.text(),
        start_line,
    })
}

impl<'x> Part<'x> {
    fn bytes(self) -> &'x [u8] {
        &self.input[self.start..self.end]
    }

    /// The first element of a name, and what comes behind it. Text in CDATA
    /// holds no tags.
    fn element(self, name: &str) -> Result<Option<(Self, Self)>, BlockError> {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        let Some(start) = self.find(open.as_bytes()) else {
            return Ok(None);
        };
        let inside = Part {
            start: start + open.len(),
            ..self
        };
        let Some(end) = inside.find(close.as_bytes()) else {
            let missing = format!("{open} is never closed; add {close}");
            return Err(Part { start, ..self }.error(&missing));
        };
        let element = Part { end, ..inside };
        let after = Part {
            start: end + close.len(),
            ..self
        };
        Ok(Some((element, after)))
    }

    /// The position of a tag outside of CDATA.
    fn find(self, tag: &[u8]) -> Option<usize> {
        let mut at = self.start;
        loop {
            let rest = &self.input[at..self.end];
            let found = memmem::find(rest, tag)?;
            let Some(data) = memmem::find(&rest[..found], b"<![CDATA[") else {
                return Some(at + found);
            };
            at += data + memmem::find(&rest[data..], b"]]>")? + 3;
        }
    }

    /// The text: what CDATA holds, or all of it. Blocks of which all brackets
    /// were written as entities are read as they were meant.
    fn text(self) -> Vec<u8> {
        let bytes = self.bytes();
        let trimmed = bytes.trim_ascii();
        if trimmed.starts_with(b"<![CDATA[") {
            let mut out = Vec::new();
            let mut rest = trimmed;
            while let Some(text) = rest.strip_prefix(b"<![CDATA[") {
                let end = memmem::find(text, b"]]>").unwrap_or(text.len());
                out.extend_from_slice(&text[..end]);
                rest = text.get(end + 3..).unwrap_or_default().trim_ascii_start();
            }
            return out;
        }
        let escaped = memmem::find(bytes, b"&lt;&lt;&lt;&lt;&lt;&lt;&lt;").is_some();
        if escaped && memmem::find(bytes, b"<<<<<<<").is_none() {
            return unescape(bytes);
        }
        bytes.to_vec()
    }

    fn error(self, message: &str) -> BlockError {
        let before = &self.input[..self.start];
        let line = memchr::memchr_iter(b'\n', before).count() as u32 + 1;
        BlockError {
            found: Some(format!(
                "{message}; the form is <apply_diff><args><file><path>…</path>\
                 <diff><content>…</content></diff></file></args></apply_diff>"
            )),
            ..BlockError::new(ErrorKind::BadForm, line)
        }
    }
}
