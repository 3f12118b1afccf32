//! JSON with old and new strings, as tools take them:
//!
//! ```text
//! {"file_path": "src/total.py", "old_string": "a", "new_string": "b", "replace_all": true}
//! {"path": "src/total.py", "edits": [{"old_text": "a", "new_text": "b"}]}
//! {"command": "insert", "path": "src/total.py", "insert_line": 3, "new_str": "x"}
//! ```
//!
//! One of them, a list, or the call of a tool around them; bare or in a fence.

use super::beside::Taken;
use super::lines::{lines_of, split};
use super::{End, Task, apply_patch, bad, joined};
use crate::Edits;
use crate::blocks::{Block, BlockError, Count};
use memchr::memmem;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

const OLD: [&str; 8] = [
    "old_string",
    "old_str",
    "oldString",
    "oldStr",
    "old_text",
    "oldText",
    "search",
    "old",
];
const NEW: [&str; 8] = [
    "new_string",
    "new_str",
    "newString",
    "newStr",
    "new_text",
    "newText",
    "replace",
    "new",
];
const PATH: [&str; 9] = [
    "file_path",
    "filePath",
    "path",
    "filename",
    "file_name",
    "target_file",
    "relative_path",
    "absolutePath",
    "file",
];
const INSERT: [&str; 2] = ["insert_line", "insertLine"];
const INSERTED: [&str; 5] = ["new_str", "insert_text", "new_text", "newStr", "text"];
const CONTENT: [&str; 3] = ["file_text", "content", "contents"];
/// What holds the arguments of a call.
const INSIDE: [&str; 5] = ["input", "arguments", "parameters", "args", "params"];

/// Whether an input is such JSON, all of it or in a fence.
pub(super) fn is_it(input: &[u8]) -> bool {
    names_edits(input) && (begins(input) || fenced(input).iter().any(|(_, text)| begins(text)))
}

/// Whether such JSON is between lines of prose.
pub(super) fn is_in_prose(input: &[u8]) -> bool {
    names_edits(input) && !bare(input).is_empty()
}

/// Whether a text begins as JSON that can hold edits does.
fn begins(text: &[u8]) -> bool {
    matches!(text.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// Whether an input has a name that only edits have.
fn names_edits(input: &[u8]) -> bool {
    let known = |name: &str| {
        let quoted = format!("\"{name}\"");
        memmem::find(input, quoted.as_bytes()).is_some()
    };
    // Arguments of a call may be JSON in a string.
    let known = |name: &str| known(name) || known_inside(input, name);
    let told = OLD[..6]
        .iter()
        .chain(&INSERT)
        .chain(&CONTENT[..1])
        .any(|name| known(name));
    told || known("search") && known("replace")
        || memmem::find(input, b"\"*** Begin Patch").is_some()
}

/// The first line that names an edit as JSON does, before a colon.
pub(super) fn first(input: &[u8]) -> Option<u32> {
    let is_key = |line: &[u8], name: &&str| {
        let quoted = format!("\"{name}\"");
        let mut found = memmem::find_iter(line, quoted.as_bytes());
        found.any(|at| {
            line[at + quoted.len()..]
                .trim_ascii_start()
                .starts_with(b":")
        })
    };
    let names = || OLD[..6].iter().chain(&INSERT).chain(&CONTENT[..1]);
    let mut lines = split(input);
    lines
        .find(|(_, line)| names().any(|name| is_key(line, name)))
        .map(|(number, _)| number)
}

/// Whether a string has a name in it, between quotes of its own.
fn known_inside(input: &[u8], name: &str) -> bool {
    memmem::find(input, format!("\\\"{name}\\\"").as_bytes()).is_some()
}

/// The JSON of an input, all of it or what is between its prose, and the lines it begins
/// with.
fn json(input: &[u8]) -> Vec<(u32, &[u8])> {
    let mut values = serde_json::Deserializer::from_slice(input).into_iter::<IgnoredAny>();
    if begins(input) && values.all(|value| value.is_ok()) {
        return vec![(1, input)];
    }
    let mut found = fenced(input);
    found.retain(|(_, text)| begins(text));
    if found.is_empty() {
        found = bare(input);
    }
    if found.is_empty() && begins(input) {
        // What is wrong with it is to be said.
        found.push((1, input));
    }
    found
}

/// What an input has between fences, and the lines it begins with.
fn fenced(input: &[u8]) -> Vec<(u32, &[u8])> {
    let mut found = Vec::new();
    // Where the text of an open fence begins, with its line.
    let mut open: Option<(u32, usize)> = None;
    let mut at = 0;
    for (number, line) in (1..).zip(input.split_inclusive(|b| *b == b'\n')) {
        let end = at;
        at += line.len();
        if !line.trim_ascii_start().starts_with(b"```") {
            continue;
        }
        match open.take() {
            Some((first, from)) => found.push((first, &input[from..end])),
            None => open = Some((number + 1, at)),
        }
    }
    // A reply may end before its fence does.
    found.extend(open.map(|(first, from)| (first, &input[from..])));
    found
}

/// Objects and lists of them among lines of prose, each from the start of a line to the end of one, and the
/// lines they begin with.
fn bare(input: &[u8]) -> Vec<(u32, &[u8])> {
    let mut found = Vec::new();
    let (mut at, mut read) = (0, 0);
    for (number, line) in (1..).zip(input.split_inclusive(|b| *b == b'\n')) {
        let start = at;
        at += line.len();
        if start < read || !begins(line) {
            continue;
        }
        let mut values = serde_json::Deserializer::from_slice(&input[start..]).into_iter();
        let is_edits = match values.next() {
            Some(Ok(Value::Object(_))) => true,
            Some(Ok(Value::Array(list))) => !list.is_empty() && list.iter().all(Value::is_object),
            _ => false,
        };
        if !is_edits {
            continue;
        }
        read = start + values.byte_offset();
        let rest = input[read..].split(|b| *b == b'\n').next();
        if rest.is_none_or(|rest| rest.trim_ascii().is_empty()) {
            found.push((number, &input[start..read]));
        }
    }
    found
}

pub(super) fn read(input: &[u8], taken: &mut Taken) -> Result<Vec<Task>, BlockError> {
    let parts = json(input);
    let Some((first, _)) = parts.first() else {
        return Err(bad(1, "it contains no JSON object or list"));
    };
    let mut tasks = Vec::new();
    for (first, text) in &parts {
        let last = first + memchr::memchr_iter(b'\n', text.trim_ascii_end()).count() as u32;
        taken.lines(*first..last + 1);
        // Several values one after the other are as good as a list.
        for value in serde_json::Deserializer::from_slice(text).into_iter::<Value>() {
            let value = value.map_err(|error| {
                let message = error.to_string();
                let message = message
                    .rsplit_once(" at line ")
                    .map_or(&message[..], |(m, _)| m);
                bad(first + (error.line() as u32).saturating_sub(1), message)
            })?;
            edits(&value, None, *first, &mut tasks)?;
        }
    }
    if tasks.is_empty() {
        return Err(bad(*first, "it contains no edit"));
    }
    Ok(joined(tasks))
}

/// What an object has under one of some names; null is nothing.
fn get<'v>(object: &'v Map<String, Value>, names: &[&str]) -> Option<&'v Value> {
    let values = names.iter().filter_map(|name| object.get(*name));
    values.into_iter().find(|value| !value.is_null())
}

fn text<'v>(
    object: &'v Map<String, Value>,
    names: &[&str],
    line: u32,
) -> Result<Option<&'v str>, BlockError> {
    match get(object, names) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(bad(line, format!("{:?} must be a string", names[0]))),
    }
}

fn edits(
    value: &Value,
    path: Option<&str>,
    line: u32,
    tasks: &mut Vec<Task>,
) -> Result<(), BlockError> {
    let object = match value {
        Value::Array(values) => {
            return values
                .iter()
                .try_for_each(|value| edits(value, path, line, tasks));
        }
        Value::Object(object) => object,
        // A patch as the argument of a call; arguments may also be JSON in a string.
        Value::String(text) if is_patch(value) => {
            tasks.extend(apply_patch::read(text.as_bytes(), &mut Taken::default())?);
            return Ok(());
        }
        Value::String(text) => {
            let inner: Value = serde_json::from_str(text)
                .map_err(|_| bad(line, "an edit must be a JSON object"))?;
            if inner.is_string() {
                return Err(bad(line, "an edit must be a JSON object"));
            }
            return edits(&inner, path, line, tasks);
        }
        _ => return Err(bad(line, "an edit must be a JSON object")),
    };
    let path = text(object, &PATH, line)?.or(path);
    let is_edit = get(object, &OLD).is_some() || get(object, &INSERT).is_some();
    if let Some(list) = object.get("edits").or_else(|| object.get("changes")) {
        if is_edit {
            return Err(bad(line, "an edit cannot be beside a list of edits"));
        }
        return edits(list, path, line, tasks);
    }
    let call = get(object, &INSIDE).or_else(|| object.get("function"));
    if let Some(call) = call.filter(|_| !is_edit) {
        return edits(call, path, line, tasks);
    }
    let mut values = object.values().filter(|_| !is_edit);
    if let Some(patch) = values.find_map(patch) {
        return edits(patch, path, line, tasks);
    }
    let named = path.map(|path| path.as_bytes().to_vec());
    let (block, end) = one(object, line)?;
    tasks.push(Task {
        end,
        input_line: line,
        ..Task::new(named, Edits::Blocks(vec![block]))
    });
    Ok(())
}

/// Whether a value is a patch of another form.
fn is_patch(value: &Value) -> bool {
    let text = value.as_str().map_or("", str::trim_start);
    text.starts_with("*** Begin Patch")
}

/// The patch that a value is, or that is in a list: `["apply_patch", "*** Begin Patch…"]`.
fn patch(value: &Value) -> Option<&Value> {
    let list = value.as_array().map_or(&[][..], Vec::as_slice);
    let mut values = list.iter().chain([value]);
    values.find(|value| is_patch(value))
}

/// Names of the old text whose new one may be left out.
const OPTIONAL: [&str; 2] = ["old_str", "oldStr"];

/// Whether an edit without a new text has one under a name that is not known.
fn has_other_new(object: &Map<String, Value>) -> bool {
    let known = [
        "replace_all",
        "replaceAll",
        "expected_replacements",
        "expectedReplacements",
    ];
    let mut names = object.keys().filter(|name| !known.contains(&name.as_str()));
    names.any(|name| {
        !NEW.contains(&name.as_str()) && (name.contains("new") || name.contains("repl"))
    })
}

/// The lines of a file that is made, which ends them as it likes.
fn as_they_are(text: &str) -> Vec<Vec<u8>> {
    let lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    let lines = lines.map(|line| line.as_bytes().to_vec());
    lines.filter(|_| !text.is_empty()).collect()
}

fn one(object: &Map<String, Value>, line: u32) -> Result<(Block, End), BlockError> {
    let block = Block {
        input_line: line,
        string: true,
        ..Block::default()
    };
    let command = object.get("command").and_then(Value::as_str);
    let (old, at) = (get(object, &OLD), get(object, &INSERT));
    if command.is_none() && old.is_some() && at.is_some() {
        return Err(bad(
            line,
            "either text is replaced or lines are inserted, not both",
        ));
    }
    // What the command does not need may be there all the same.
    if let Some(at) = at.filter(|_| command != Some("str_replace") && command != Some("create")) {
        let number = at.as_u64().and_then(|at| u32::try_from(at).ok());
        let Some(number) = number.and_then(|at| at.checked_add(1)) else {
            return Err(bad(line, "\"insert_line\" must be a line number"));
        };
        let Some(new) = text(object, &INSERTED, line)? else {
            return Err(bad(line, "\"new_str\" is missing"));
        };
        // A line is inserted, if an empty one.
        let replace = match new {
            "" => vec![Vec::new()],
            new => lines_of(new.as_bytes()),
        };
        let block = Block {
            replace,
            start_line: Some(number),
            ..block
        };
        return Ok((block, End::Stays));
    }
    let old = text(object, &OLD, line)?.filter(|_| command != Some("create"));
    let Some(old) = old else {
        let Some(content) = text(object, &CONTENT, line)? else {
            return Err(bad(line, "\"old_string\" is missing"));
        };
        let block = Block {
            replace: as_they_are(content),
            final_newline: Some(content.ends_with('\n')),
            ..block
        };
        return Ok((block, End::IsMade));
    };
    let new = match text(object, &NEW, line)? {
        Some(new) => new,
        // Only there nothing may be put in its place by saying nothing.
        None if OPTIONAL.iter().any(|name| object.contains_key(*name))
            && !has_other_new(object) =>
        {
            ""
        }
        None => return Err(bad(line, "\"new_string\" is missing; it may be empty")),
    };
    let all = get(object, &["replace_all", "replaceAll", "allow_multiple"]);
    let all = all.is_some_and(|all| *all == Value::Bool(true) || all.as_str() == Some("true"));
    let count = get(object, &["expected_replacements", "expectedReplacements"]);
    let count = match (all, count) {
        (true, None) => Some(Count::All),
        (_, Some(count)) => {
            let count = count.as_u64().and_then(|count| u32::try_from(count).ok());
            let count = count.filter(|count| *count > 0);
            let wrong = || bad(line, "\"expected_replacements\" must be a number from 1 on");
            Some(Count::Exactly(count.ok_or_else(wrong)?))
        }
        (false, None) => None,
    };
    let mut replace = match old {
        "" => as_they_are(new),
        _ => lines_of(new.as_bytes()),
    };
    // An end that only the new string has is a line more.
    if new.ends_with('\n') && !old.ends_with('\n') && !old.is_empty() {
        replace.push(Vec::new());
    }
    // A newline that goes, and nothing but blanks and newlines, are taken to the letter.
    let joins = old.ends_with('\n') && !new.ends_with('\n');
    let ends = joins && lines_of(old.as_bytes()) == lines_of(new.as_bytes());
    if ends || !old.is_empty() && old.trim().is_empty() {
        let lines = |text: &str| -> Vec<Vec<u8>> {
            let lines = text
                .split('\n')
                .map(|line| line.strip_suffix('\r').unwrap_or(line));
            lines.map(|line| line.as_bytes().to_vec()).collect()
        };
        let block = Block {
            search: lines(old),
            replace: lines(new),
            count: count.or(Some(Count::Exactly(1))),
            final_newline: ends.then_some(false),
            ..block
        };
        return Ok((block, End::Stays));
    }
    let block = Block {
        search: lines_of(old.as_bytes()),
        // A file that is made is what the string is.
        final_newline: old.is_empty().then(|| new.ends_with('\n')),
        replace,
        count,
        ..block
    };
    Ok((block, End::Stays))
}
