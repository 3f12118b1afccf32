//! Lines and functions that repeat themselves about as much as real code does.

use crate::random::Random;

const VERBS: &[&str] = &[
    "read", "write", "find", "check", "merge", "split", "load", "store", "build", "parse", "visit",
    "update", "count", "remove", "insert", "resolve", "format", "render", "apply", "collect",
];
const NOUNS: &[&str] = &[
    "index", "buffer", "node", "line", "token", "block", "range", "table", "entry", "cursor",
    "header", "value", "config", "record", "state", "path", "group", "column", "chunk", "offset",
    "result", "parent", "option", "weight", "handle",
];
const TYPES: &[&str] = &[
    "usize",
    "String",
    "Option<Node>",
    "Vec<u8>",
    "&Table",
    "bool",
    "Range",
];

/// Lines that occur in many functions, without their indentation.
const BOILERPLATE: &[&str] = &[
    "return result;",
    "continue;",
    "let mut result = Vec::new();",
    "} else {",
    "",
    "",
    "return None;",
    "break;",
    "// nothing to do here",
    "assert!(!self.is_empty());",
];

/// An identifier of two words, at times with a number.
fn name(random: &mut Random) -> String {
    let (verb, noun) = (random.pick(VERBS), random.pick(NOUNS));
    match random.below(3) {
        0 => format!("{verb}_{noun}{}", random.below(100)),
        _ => format!("{verb}_{noun}"),
    }
}

/// A statement without indentation and newline.
fn statement(random: &mut Random) -> String {
    let noun = random.pick(NOUNS);
    match random.below(8) {
        0 => format!(
            "let {noun} = self.{}({}, {});",
            name(random),
            random.pick(NOUNS),
            random.below(1000)
        ),
        1 => format!("if {noun}.{}() > {} {{", name(random), random.below(200)),
        2 => format!("for {noun} in {}.iter() {{", name(random)),
        3 => format!("self.{noun}.push({}({noun}));", name(random)),
        4 => format!("{noun} += {} * {};", name(random), random.below(64)),
        5 => format!(
            "// {noun} of the {} is kept for {}",
            random.pick(NOUNS),
            name(random)
        ),
        6 => format!("log::debug!(\"{} {{}}\", {noun});", name(random)),
        _ => format!(
            "let {noun} = {}.get({}).unwrap_or(&{});",
            name(random),
            name(random),
            random.below(500)
        ),
    }
}

/// A line that says something, with newline.
pub(super) fn code_line(random: &mut Random) -> String {
    let indent = 4 * (1 + random.below(3));
    format!("{:indent$}{}\n", "", statement(random))
}

/// `line` after a small edit: one word of it is another.
pub(super) fn edited_line(random: &mut Random, line: &str) -> String {
    let body = line.trim_end();
    let words: Vec<&str> = body.split(' ').collect();
    let telling: Vec<usize> = (0..words.len()).filter(|&w| words[w].len() > 2).collect();
    if telling.is_empty() {
        return format!("{body} // {}\n", name(random));
    }
    let (at, other) = (*random.pick(&telling), name(random));
    let edited: Vec<&str> = (0..words.len())
        .map(|w| if w == at { other.as_str() } else { words[w] })
        .collect();
    edited.join(" ") + "\n"
}

/// A function of 90 to 110 lines and a blank line; `number` makes its name
/// unique.
pub(super) fn function(random: &mut Random, number: usize) -> Vec<String> {
    let mut lines = Vec::with_capacity(112);
    let (first, second) = (random.pick(NOUNS), random.pick(NOUNS));
    lines.push(format!(
        "/// Does what {} says for the {first}.\n",
        name(random)
    ));
    lines.push(format!(
        "pub fn {}_{number}(&self, {first}: {}, other_{second}: {}) -> {} {{\n",
        name(random),
        random.pick(TYPES),
        random.pick(TYPES),
        random.pick(TYPES)
    ));
    let body = 85 + random.below(20);
    let mut depth = 1;
    for _ in 0..body {
        // Blocks are short: what was opened is soon closed.
        if depth > 1 && random.below(5) == 0 {
            depth -= 1;
            lines.push(format!("{:1$}}}\n", "", 4 * depth));
            continue;
        }
        let common = random.below(5) == 0;
        let text = if common {
            (*random.pick(BOILERPLATE)).to_owned()
        } else {
            statement(random)
        };
        let indent = if text.is_empty() { 0 } else { 4 * depth };
        lines.push(format!("{:indent$}{text}\n", ""));
        if text.ends_with('{') && !text.starts_with('}') {
            depth = (depth + 1).min(4);
        }
    }
    lines.extend([
        "    return result;\n".to_owned(),
        "}\n".to_owned(),
        "\n".to_owned(),
    ]);
    lines
}
