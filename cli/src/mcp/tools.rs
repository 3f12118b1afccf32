//! The tools: what they take, and which command answers.

use super::roots::{Roots, below};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::PathBuf;

/// A command that answers a call.
pub(super) struct Call {
    pub words: Vec<OsString>,
    pub input: Vec<u8>,
    pub root: PathBuf,
}

const ROOT: &str =
    "The directory that paths are relative to; needed only if there are several roots";

fn tool(name: &'static str, about: &'static str, schema: Value, read_only: bool) -> Tool {
    let schema = match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    };
    let kind = ToolAnnotations::new().read_only(read_only);
    Tool::new(name, about, schema).with_annotations(kind)
}

fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

fn flag(about: &str) -> Value {
    json!({ "type": "boolean", "description": about })
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is written where it is used"
)]
fn schema(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// All tools.
pub(super) fn all() -> Vec<Tool> {
    [writing(), reading()].concat()
}

/// The tools that write files.
fn writing() -> Vec<Tool> {
    let forms = [
        "roo",
        "cline",
        "aider",
        "udiff",
        "apply_patch",
        "strings",
        "zed",
        "conflict",
    ];
    vec![
        tool(
            "apply_edits",
            "Apply edits to files: all of them, or none. Takes search/replace blocks, unified \
             diffs with or without line numbers, *** Begin Patch, or JSON with old_string and \
             new_string. Edits that name no file need \"file\". A block whose context has \
             changed slightly still applies if only one place can be meant. For a block that \
             does not apply, the answer has the most similar lines and how they differ.",
            schema(
                json!({
                    "edits": text("The edits, in one of these formats; prose around them is ignored"),
                    "file": text("The file to edit, relative to the root, if the edits do not name it"),
                    "root": text(ROOT),
                    "form": {
                        "type": "string",
                        "enum": forms,
                        "description": "The format of the edits; detected by default",
                    },
                    "dry_run": flag("Write nothing; return the new content of each file"),
                    "partial": flag("Apply the blocks that fit and skip the others"),
                    "threshold": {
                        "type": "number",
                        "minimum": 0,
                        "maximum": 1,
                        "description": "Fuzzy matching: minimum similarity of a place; 1, the default, is off",
                    },
                }),
                &["edits"],
            ),
            false,
        ),
        tool(
            "undo_edits",
            "Undo the last edits: of one file, or of all files that were edited together. \
             Later changes to other lines are kept.",
            schema(
                json!({ "file": text("Undo the last edits that changed this file"), "root": text(ROOT) }),
                &[],
            ),
            false,
        ),
    ]
}

/// The tools that write nothing.
fn reading() -> Vec<Tool> {
    vec![
        tool(
            "effective_diff",
            "Recognise moved code in a unified diff; returns the moves and what is left to read.",
            schema(
                json!({ "patch": text("The diff, as git prints it"), "root": text(ROOT) }),
                &["patch"],
            ),
            true,
        ),
        tool(
            "diff",
            "Compare two text files or two directories; returns the changes and what moved.",
            schema(
                json!({
                    "old": text("The old file or directory, relative to the root"),
                    "new": text("The new file or directory"),
                    "root": text(ROOT),
                }),
                &["old", "new"],
            ),
            true,
        ),
        tool(
            "diff_workbooks",
            "Compare two workbooks (xlsx, ods, csv): rows, columns, cells, formulas.",
            schema(
                json!({
                    "old": text("The old workbook, relative to the root"),
                    "new": text("The new workbook"),
                    "key": text("Match rows by these columns: headers or letters, separated by commas"),
                    "root": text(ROOT),
                }),
                &["old", "new"],
            ),
            true,
        ),
        tool(
            "score",
            "Score how alike two edits of one text are, from 0 to 1.",
            schema(
                json!({
                    "base": text("The text before both edits"),
                    "a": text("The whole text after one edit"),
                    "b": text("The whole text after the other edit"),
                    "exact": flag("Count only equal lines, not similar ones"),
                }),
                &["base", "a", "b"],
            ),
            true,
        ),
    ]
}

/// The arguments of a tool.
struct Arguments<'a>(&'a JsonObject);

impl<'a> Arguments<'a> {
    fn text(&self, name: &str) -> Result<Option<&'a str>, String> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("{name:?} must be a string")),
        }
    }

    fn needed(&self, name: &str) -> Result<&'a str, String> {
        self.text(name)?
            .ok_or_else(|| format!("{name:?} is missing"))
    }

    fn flag(&self, name: &str) -> Result<bool, String> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(format!("{name:?} must be true or false")),
        }
    }
}

/// The command for a call; nothing if there is no such tool.
pub(super) fn call(name: &str, given: &JsonObject, roots: &Roots) -> Result<Option<Call>, String> {
    let known = all().into_iter().find(|tool| tool.name == name);
    let Some(known) = known else {
        return Ok(None);
    };
    let properties = known.input_schema.get("properties");
    let unknown = given
        .keys()
        .find(|key| properties.is_none_or(|p| p.get(key).is_none()));
    if let Some(key) = unknown {
        return Err(format!("there is no argument {key:?}"));
    }
    let arguments = Arguments(given);
    let root = roots.choose(arguments.text("root")?)?;
    let mut words: Vec<OsString> = Vec::new();
    let mut say = |said: &[&str]| words.extend(said.iter().map(OsString::from));
    let mut input = Vec::new();
    match name {
        "apply_edits" => {
            input = arguments.needed("edits")?.as_bytes().to_vec();
            say(&["apply", "--format", "json"]);
            for (flag, word) in [("dry_run", "--dry-run"), ("partial", "--partial")] {
                if arguments.flag(flag)? {
                    say(&[word]);
                }
            }
            if let Some(form) = arguments.text("form")? {
                say(&["--form", &form.replace('_', "-")]);
            }
            if let Some(threshold) = given.get("threshold").filter(|value| !value.is_null()) {
                say(&["--threshold", &threshold.to_string()]);
            }
            say(&["--root", "."]);
            say(&["--", "-"]);
            say(arguments.text("file")?.as_slice());
        }
        "undo_edits" => {
            say(&["apply", "--format", "json", "--undo", "--root", "."]);
            if let Some(file) = arguments.text("file")? {
                say(&["--", "-", file]);
            }
        }
        "effective_diff" => {
            input = arguments.needed("patch")?.as_bytes().to_vec();
            say(&["effective", "--format", "json", "-"]);
        }
        "diff" | "diff_workbooks" => {
            let kind = if name == "diff" { "text" } else { "workbook" };
            let files = ["old", "new"].map(|side| below(&root, arguments.needed(side)?));
            let [old, new] = files;
            let (old, new) = (old?, new?);
            say(&["diff", "--format", "json"]);
            if !old.is_dir() {
                say(&["--as", kind]);
            }
            if let Some(key) = arguments.text("key")? {
                say(&["--key", key]);
            }
            say(&["--"]);
            words.extend([old, new].map(PathBuf::into_os_string));
        }
        _ => {
            let row = json!({
                "name": "edits",
                "base": arguments.needed("base")?,
                "a": arguments.needed("a")?,
                "b": arguments.needed("b")?,
                "levenshtein": !arguments.flag("exact")?,
            });
            input = row.to_string().into_bytes();
            say(&["score", "--jsonl", "-"]);
        }
    }
    Ok(Some(Call { words, input, root }))
}
