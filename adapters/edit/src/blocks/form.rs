//! Several files in one input, as JSON or as XML.

use super::{BlockError, xml};
use crate::ErrorKind;
use serde::Deserialize;

/// The edits of one file, as the input has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdits {
    /// The path below the root, as written.
    pub path: Vec<u8>,
    /// What is to be done to it, in order.
    pub items: Vec<Item>,
}

/// A text with blocks in it, and where the first of them should apply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// The blocks as text.
    pub content: Vec<u8>,
    /// A start line for blocks that have none; 0 is none.
    pub start_line: Option<u32>,
}

#[derive(Deserialize)]
struct JsonForm {
    files: Vec<JsonFile>,
}

#[derive(Deserialize)]
struct JsonFile {
    path: String,
    diffs: Vec<JsonItem>,
}

#[derive(Deserialize)]
struct JsonItem {
    content: String,
    #[serde(default, alias = "startLine")]
    start_line: Option<u32>,
}

/// Reads `{"files":[{"path":"…","diffs":[{"content":"…","start_line":42}]}]}`.
///
/// # Errors
/// What is wrong with the JSON, and where.
pub fn from_json(input: &[u8]) -> Result<Vec<FileEdits>, BlockError> {
    let form: JsonForm = serde_json::from_slice(input).map_err(|error| BlockError {
        found: Some(format!(
            "{}; the form is {{\"files\":[{{\"path\":\"…\",\"diffs\":[{{\"content\":\"…\"}}]}}]}}",
            without_place(&error.to_string())
        )),
        ..BlockError::new(ErrorKind::BadForm, error.line() as u32)
    })?;
    let item = |item: JsonItem| Item {
        content: item.content.into_bytes(),
        start_line: item.start_line,
    };
    let file = |file: JsonFile| FileEdits {
        path: file.path.into_bytes(),
        items: file.diffs.into_iter().map(item).collect(),
    };
    Ok(form.files.into_iter().map(file).collect())
}

/// Reads `<apply_diff><args><file>…`, the form that models are asked for: tags
/// around text, which may be in `<![CDATA[…]]>` or verbatim.
///
/// # Errors
/// A tag that is missing, and where.
pub fn from_xml(input: &[u8]) -> Result<Vec<FileEdits>, BlockError> {
    xml::read(input)
}

/// The message without its place, which the line says already.
fn without_place(message: &str) -> &str {
    message
        .rfind(" at line ")
        .map_or(message, |at| &message[..at])
}
