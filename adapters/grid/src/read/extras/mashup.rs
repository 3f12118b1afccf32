//! The queries of Power Query: a package inside an element of XML, as [MS-QDEFF] has it.

use super::dom::Node;
use crate::read::xml;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::io::{Cursor, Read as _};

/// Bytes of source beyond which queries are not taken apart.
const MOST: u64 = 64 << 20;

/// Names of queries and their sources; none if they cannot be read.
pub(super) fn queries(part: &[u8]) -> Option<Vec<(String, String)>> {
    let root = Node::parse(&xml::decode("", part).ok()?)?;
    let text: String = root.text.split_ascii_whitespace().collect();
    let bytes = STANDARD.decode(text).ok()?;
    // A version, the length of the package, and the package.
    let size = u32::from_le_bytes(bytes.get(4..8)?.try_into().ok()?) as usize;
    let package = bytes.get(8..size.checked_add(8)?)?;
    let mut zip = zip::ZipArchive::new(Cursor::new(package)).ok()?;
    let mut source = String::new();
    let section = zip.by_name("Formulas/Section1.m").ok()?;
    section.take(MOST).read_to_string(&mut source).ok()?;
    Some(members(&source.replace("\r\n", "\n")))
}

/// The members of a section, without `shared` and the semicolon.
fn members(source: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for member in statements(source) {
        let member = member.trim();
        // What is before it are remarks on it.
        let is_shared = |at: &usize| {
            let behind = member[*at..].strip_prefix("shared");
            let before = member[..*at].chars().next_back();
            behind.is_some_and(|rest| rest.starts_with(char::is_whitespace))
                && before.is_none_or(|c| c.is_whitespace() || c == ']')
        };
        let Some(at) = words(member).find(is_shared) else {
            continue;
        };
        let named = member[at + "shared".len()..].trim_start();
        let (name, rest) = if let Some(quoted) = named.strip_prefix("#\"") {
            let end = string_end(quoted);
            let name = quoted[..end].strip_suffix('"').unwrap_or(&quoted[..end]);
            (name.replace("\"\"", "\""), &quoted[end..])
        } else {
            let end = named.find(|c: char| c == '=' || c.is_whitespace());
            let (name, rest) = named.split_at(end.unwrap_or(named.len()));
            (name.to_owned(), rest)
        };
        let body = rest.trim_start();
        let body = body.strip_prefix('=').unwrap_or(body).trim_start();
        found.push((name, format!("{}{body}\n", &member[..at])));
    }
    found
}

/// Where a text ends that began before this, with its quotation mark.
fn string_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'"' {
            if bytes.get(at + 1) != Some(&b'"') {
                return at + 1;
            }
            at += 1;
        }
        at += 1;
    }
    text.len()
}

/// Places in a text that are neither in a quoted text nor in a comment.
fn words(text: &str) -> impl Iterator<Item = usize> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < text.len() {
            let rest = &text[at..];
            if let Some(quoted) = rest.strip_prefix('"') {
                at += 1 + string_end(quoted);
            } else if rest.starts_with("//") {
                at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            } else {
                let here = at;
                at += rest.chars().next().map_or(1, char::len_utf8);
                return Some(here);
            }
        }
        None
    })
}

fn statements(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begin = 0;
    for at in words(source).filter(|at| source[*at..].starts_with(';')) {
        found.push(&source[begin..at]);
        begin = at + 1;
    }
    found.push(&source[begin..]);
    found
}

#[cfg(test)]
mod tests {
    use super::members;

    #[test]
    fn queries_end_where_no_text_and_no_comment_holds_the_semicolon() {
        let source = "section Section1;\n\nshared Sales = let\n    a = \"x;\"\"y\" // ;\nin\n    a;\n\n[ Description = \"shared;\" ]\nshared #\"Net \"\"total\"\"\" = 1 /* ; */ + 2;\n";
        let found = members(source);
        let names: Vec<&str> = found.iter().map(|(name, _)| &name[..]).collect();
        assert_eq!(names, ["Sales", "Net \"total\""]);
        assert_eq!(found[0].1, "let\n    a = \"x;\"\"y\" // ;\nin\n    a\n");
        assert_eq!(found[1].1, "[ Description = \"shared;\" ]\n1 /* ; */ + 2\n");
    }
}
