//! XML as it is in a part: elements as slices, so that what is not changed is copied
//! byte for byte.

use quick_xml::Reader;
use quick_xml::events::Event;
use std::borrow::Cow;

/// Nesting beyond which nothing is rewritten.
const DEEPEST: usize = 128;

/// An element, or what is between two of them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'t> {
    Element(Element<'t>),
    /// White space, comments, text.
    Other(&'t str),
}

/// An element as it is in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<'t> {
    /// All of it.
    pub text: &'t str,
    /// Its first tag, with the brackets.
    pub tag: &'t str,
    /// What is between its tags.
    pub inner: &'t str,
}

impl<'t> Element<'t> {
    /// Its name with the prefix.
    pub fn full_name(&self) -> &'t str {
        let name = &self.tag[1..];
        let end = name.find(|c: char| c.is_ascii_whitespace() || matches!(c, '>' | '/'));
        &name[..end.unwrap_or(name.len())]
    }

    /// Its name without the prefix.
    pub fn name(&self) -> &'t str {
        let name = self.full_name();
        name.rsplit(':').next().unwrap_or(name)
    }

    /// The prefix of its name with the colon; empty if it has none.
    pub fn prefix(&self) -> &'t str {
        let name = self.full_name();
        &name[..name.len() - self.name().len()]
    }

    /// The value of an attribute, by its local name.
    pub fn get(&self, name: &str) -> Option<Cow<'t, str>> {
        attribute(self.tag, name)
    }

    pub fn number(&self, name: &str) -> Option<u32> {
        self.get(name)?.trim().parse().ok()
    }

    /// The elements inside.
    pub fn children(&self) -> Vec<Element<'t>> {
        elements(self.inner)
    }

    /// The first element inside of this name.
    pub fn child(&self, name: &str) -> Option<Element<'t>> {
        self.children().into_iter().find(|e| e.name() == name)
    }

    /// The text between its tags.
    pub fn content(&self) -> String {
        unescaped(self.inner)
    }

    /// The element with another tag and another inside.
    pub fn with(&self, tag: &str, inner: &str) -> String {
        if inner.is_empty() && tag.ends_with("/>") {
            return tag.to_owned();
        }
        let tag = tag.strip_suffix("/>").map_or(Cow::Borrowed(tag), |open| {
            Cow::Owned(format!("{}>", open.trim_end()))
        });
        format!("{tag}{inner}</{}>", self.full_name())
    }
}

/// The pieces that a text consists of; none if it is not XML.
pub(super) fn pieces(text: &str) -> Option<Vec<Piece<'_>>> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    reader.config_mut().check_comments = false;
    let at = |reader: &Reader<&[u8]>| usize::try_from(reader.buffer_position()).ok();
    let mut found = Vec::new();
    let mut behind = 0;
    // Where the open element begins, where its first tag ends, how deep inside.
    let mut open: Option<(usize, usize)> = None;
    let mut depth = 0;
    loop {
        let before = at(&reader)?;
        let event = reader.read_event().ok()?;
        let after = at(&reader)?;
        match event {
            Event::Start(_) => {
                if depth == 0 {
                    if before > behind {
                        found.push(Piece::Other(text.get(behind..before)?));
                    }
                    open = Some((before, after));
                }
                depth += 1;
                if depth > DEEPEST {
                    return None;
                }
            }
            Event::Empty(_) if depth == 0 => {
                if before > behind {
                    found.push(Piece::Other(text.get(behind..before)?));
                }
                let whole = text.get(before..after)?;
                found.push(Piece::Element(Element {
                    text: whole,
                    tag: whole,
                    inner: "",
                }));
                behind = after;
            }
            Event::End(_) => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    let (start, inside) = open.take()?;
                    found.push(Piece::Element(Element {
                        text: text.get(start..after)?,
                        tag: text.get(start..inside)?,
                        inner: text.get(inside..before)?,
                    }));
                    behind = after;
                }
            }
            Event::Eof => {
                if behind < text.len() {
                    found.push(Piece::Other(&text[behind..]));
                }
                return (depth == 0).then_some(found);
            }
            _ => {}
        }
    }
}

/// The elements that a text consists of.
pub(super) fn elements(text: &str) -> Vec<Element<'_>> {
    let all = pieces(text).unwrap_or_default().into_iter();
    all.filter_map(|piece| match piece {
        Piece::Element(element) => Some(element),
        Piece::Other(_) => None,
    })
    .collect()
}

/// The outermost element of a part.
pub(super) fn root(text: &str) -> Option<Element<'_>> {
    elements(text).into_iter().next()
}

/// An attribute of a tag: its full name, and where it and its value are.
struct Attribute<'t> {
    name: &'t str,
    /// From the white space before it to the quote behind it.
    whole: std::ops::Range<usize>,
    value: std::ops::Range<usize>,
}

fn attributes(tag: &str) -> Vec<Attribute<'_>> {
    let bytes = tag.as_bytes();
    let mut found = Vec::new();
    let mut at = tag
        .find(|c: char| c.is_ascii_whitespace())
        .unwrap_or(tag.len());
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        let name = at;
        while at < bytes.len() && bytes[at] != b'=' && !bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        let name = &tag[name..at];
        while at < bytes.len() && !matches!(bytes[at], b'"' | b'\'') {
            at += 1;
        }
        let Some(&quote) = bytes.get(at) else { break };
        let value = at + 1;
        let Some(length) = bytes[value..].iter().position(|b| *b == quote) else {
            break;
        };
        at = value + length + 1;
        found.push(Attribute {
            name,
            whole: start..at,
            value: value..value + length,
        });
    }
    found
}

fn find<'t>(tag: &'t str, name: &str) -> Option<Attribute<'t>> {
    let is = |a: &Attribute<'_>| {
        let local = a.name.rsplit(':').next().unwrap_or(a.name);
        local == name && !a.name.starts_with("xmlns")
    };
    attributes(tag).into_iter().find(is)
}

/// The prefixes that a tag declares: `xmlns:x` and what it is for, as the text has it.
pub(super) fn namespaces(tag: &str) -> Vec<(&str, &str)> {
    let all = attributes(tag).into_iter();
    all.filter(|a| a.name == "xmlns" || a.name.starts_with("xmlns:"))
        .map(|a| (a.name, &tag[a.value]))
        .collect()
}

/// Where in a tag the ids of relationships are.
pub(super) fn relations(tag: &str) -> Vec<std::ops::Range<usize>> {
    let all = attributes(tag).into_iter();
    all.filter(|a| a.name.starts_with("r:"))
        .map(|a| a.value)
        .collect()
}

/// The value of an attribute, by its local name.
pub(super) fn attribute<'t>(tag: &'t str, name: &str) -> Option<Cow<'t, str>> {
    let value = &tag[find(tag, name)?.value];
    // Line ends and tabs count as blanks, unless they are written as entities.
    let value = if value.contains(['\r', '\n', '\t']) {
        Cow::Owned(value.replace("\r\n", " ").replace(['\r', '\n', '\t'], " "))
    } else {
        Cow::Borrowed(value)
    };
    Some(if value.contains('&') {
        Cow::Owned(unescaped(&value))
    } else {
        value
    })
}

/// The tag with another value for an attribute, or without it.
pub(super) fn set(tag: &str, name: &str, value: Option<&str>) -> String {
    let found = find(tag, name);
    match (found, value) {
        (Some(found), Some(value)) => {
            let (before, behind) = (&tag[..found.value.start], &tag[found.value.end..]);
            format!("{before}{}{behind}", escaped(value))
        }
        (Some(found), None) => {
            format!("{}{}", &tag[..found.whole.start], &tag[found.whole.end..])
        }
        (None, Some(value)) => {
            let end = if tag.ends_with("/>") { 2 } else { 1 };
            let (open, close) = tag.split_at(tag.len() - end);
            format!("{} {name}=\"{}\"{close}", open.trim_end(), escaped(value))
        }
        (None, None) => tag.to_owned(),
    }
}

/// Text as XML has it, between tags or quotes.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            c => out.push(c),
        }
    }
    out
}

/// The text that XML stands for; tags in it are left out.
pub(super) fn unescaped(xml: &str) -> String {
    if !xml.contains(['&', '<']) {
        return xml.to_owned();
    }
    let mut reader = Reader::from_str(xml);
    let mut out = String::new();
    loop {
        match reader.read_event() {
            Ok(Event::Text(piece)) => out.push_str(&piece.xml10_content()),
            Ok(Event::CData(piece)) => out.push_str(&piece.xml10_content()),
            Ok(Event::GeneralRef(entity)) => {
                if let Ok(text) = crate::read::xml::resolve("", &entity) {
                    out.push_str(&text);
                }
            }
            Ok(Event::Eof) | Err(_) => return out,
            Ok(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece, elements, pieces, set};

    #[test]
    fn pieces_make_up_the_text() {
        let text = " <a x='1'><b/>t</a><!-- c --><p:d y=\"&amp;\"/> ";
        let found = pieces(text).unwrap();
        let all: String = found
            .iter()
            .map(|piece| match piece {
                Piece::Element(element) => element.text,
                Piece::Other(other) => other,
            })
            .collect();
        assert_eq!(all, text);
        let elements = elements(text);
        assert_eq!(elements[0].name(), "a");
        assert_eq!(elements[0].children()[0].name(), "b");
        assert_eq!((elements[1].name(), elements[1].prefix()), ("d", "p:"));
        assert_eq!(elements[1].get("y").unwrap(), "&");
        assert!(pieces("<a><b></a>").is_none());
    }

    #[test]
    fn white_space_in_attributes_is_blanks() {
        let tag = "<sheet name=\"a\r\nb\tc&#10;d\"/>";
        assert_eq!(super::attribute(tag, "name").unwrap(), "a b c\nd");
    }

    #[test]
    fn attributes_are_set_and_taken_out() {
        let tag = "<c r=\"A1\" s='2'/>";
        assert_eq!(set(tag, "r", Some("B2")), "<c r=\"B2\" s='2'/>");
        assert_eq!(set(tag, "s", None), "<c r=\"A1\"/>");
        assert_eq!(set(tag, "t", Some("<")), "<c r=\"A1\" s='2' t=\"&lt;\"/>");
        assert_eq!(set("<c>", "t", Some("s")), "<c t=\"s\">");
        assert_eq!(set("<c>", "t", None), "<c>");
    }
}
