//! The anchors of a drawing: charts, pictures and shapes, each with its place in the sheet.

use super::raw::{self, Element, Piece};
use crate::{Address, Area};
use quick_xml::Reader;
use quick_xml::events::Event;

/// An anchor that can be put into any drawing.
pub(crate) struct Anchor {
    /// With the prefixes declared that it uses.
    pub xml: String,
    /// The relationships that it names, each once, in order.
    pub ids: Vec<String>,
}

/// The anchors of a drawing, in order; none if it is not XML.
pub(crate) fn anchors(text: &str) -> Option<Vec<Anchor>> {
    raw::pieces(text)?;
    let root = raw::root(text)?;
    raw::pieces(root.inner)?;
    let anchors = root.children().into_iter().map(|anchor| {
        let xml = contained(&root, &anchor);
        let ids = ids(&xml);
        Anchor { xml, ids }
    });
    Some(anchors.collect())
}

/// The outermost element of a drawing without its anchors.
pub(crate) fn frame(text: &str) -> Option<String> {
    let root = raw::root(text)?;
    Some(root.with(root.tag, ""))
}

/// An element that declares the prefixes which `root` declares for it.
fn contained(root: &Element<'_>, element: &Element<'_>) -> String {
    let mut tag = element.tag.to_owned();
    let own = raw::namespaces(element.tag);
    for (name, value) in raw::namespaces(root.tag) {
        let is_used = match name.strip_prefix("xmlns:") {
            Some(prefix) => element.text.contains(&format!("{prefix}:")),
            None => true,
        };
        if is_used && !own.iter().any(|(known, _)| *known == name) {
            let end = if tag.ends_with("/>") { 2 } else { 1 };
            tag.insert_str(tag.len() - end, &format!(" {name}=\"{value}\""));
        }
    }
    element.with(&tag, element.inner)
}

/// The relationships that XML names, each once, in order.
pub(super) fn ids(xml: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    with_ids(xml, |id| {
        if !found.iter().any(|known| known == id) {
            found.push(id.to_owned());
        }
        id.to_owned()
    });
    found
}

/// XML with other ids of relationships.
pub(super) fn with_ids(xml: &str, mut id: impl FnMut(&str) -> String) -> String {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = false;
    let at = |reader: &Reader<&[u8]>| usize::try_from(reader.buffer_position()).ok();
    let mut out = String::with_capacity(xml.len());
    let mut copied = 0;
    while let (Some(before), Ok(event)) = (at(&reader), reader.read_event()) {
        let (Event::Start(_) | Event::Empty(_)) = event else {
            if matches!(event, Event::Eof) {
                break;
            }
            continue;
        };
        let Some(tag) = at(&reader).and_then(|after| xml.get(before..after)) else {
            break;
        };
        for value in raw::relations(tag) {
            let (start, end) = (before + value.start, before + value.end);
            out.push_str(&xml[copied..start]);
            out.push_str(&raw::escaped(&id(&raw::unescaped(&xml[start..end]))));
            copied = end;
        }
    }
    out.push_str(&xml[copied..]);
    out
}

/// XML without the numbers of its relationships.
pub(super) fn without_ids(xml: &str) -> String {
    with_ids(xml, |_| String::new())
}

/// An anchor of which every row and column is another; `line` gets `row` or `col`, and the
/// number.
pub(super) fn with_lines(anchor: &Element<'_>, line: &dyn Fn(&str, u32) -> u32) -> String {
    let mut inner = String::new();
    for piece in raw::pieces(anchor.inner).unwrap_or_default() {
        match piece {
            Piece::Element(end) if matches!(end.name(), "from" | "to") => {
                inner.push_str(&with_end(&end, line));
            }
            // One for new programs, and one for old ones.
            Piece::Element(choice)
                if matches!(
                    choice.name(),
                    "Choice" | "Fallback" | "twoCellAnchor" | "oneCellAnchor"
                ) =>
            {
                inner.push_str(&with_lines(&choice, line));
            }
            Piece::Element(other) => inner.push_str(other.text),
            Piece::Other(other) => inner.push_str(other),
        }
    }
    anchor.with(anchor.tag, &inner)
}

fn with_end(end: &Element<'_>, line: &dyn Fn(&str, u32) -> u32) -> String {
    let mut lines = String::new();
    for piece in raw::pieces(end.inner).unwrap_or_default() {
        let child = match piece {
            Piece::Element(child) => child,
            Piece::Other(other) => {
                lines.push_str(other);
                continue;
            }
        };
        let number: Option<u32> = child.content().trim().parse().ok();
        match (child.name(), number) {
            (name @ ("row" | "col"), Some(number)) => {
                let to = line(name, number).to_string();
                lines.push_str(&child.with(child.tag, &to));
            }
            _ => lines.push_str(child.text),
        }
    }
    end.with(end.tag, &lines)
}

/// The cells that an anchor covers, if it has a place: from its first corner to its last.
pub(crate) fn covered(corners: &[Address]) -> Option<Area> {
    let first = corners.first()?;
    let last = corners.get(1).unwrap_or(first);
    Some(Area {
        first: Address::new(first.row.min(last.row), first.col.min(last.col)),
        last: Address::new(first.row.max(last.row), first.col.max(last.col)),
    })
}

#[cfg(test)]
mod tests {
    use super::{anchors, with_ids, with_lines, without_ids};
    use crate::package::raw;

    #[test]
    fn anchors_take_the_prefixes_along_that_they_use() {
        let text = "<?xml version=\"1.0\"?><x:d xmlns:x=\"X\" xmlns:a=\"A\" xmlns:q=\"Q\"><x:one r:id=\"2\"><a:b/><x:c r:id='7' r:embed=\"2\"/></x:one><x:two/></x:d>";
        let found = anchors(text).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(
            found[0].xml,
            "<x:one r:id=\"2\" xmlns:x=\"X\" xmlns:a=\"A\"><a:b/><x:c r:id='7' r:embed=\"2\"/></x:one>"
        );
        assert_eq!(found[0].ids, ["2", "7"]);
        assert_eq!(found[1].xml, "<x:two xmlns:x=\"X\"/>");
        // It can be taken out of where it was put.
        let again = format!("<x:d xmlns:x=\"X\">{}</x:d>", found[0].xml);
        assert_eq!(anchors(&again).unwrap()[0].xml, found[0].xml);
        assert!(anchors("<d><a></d>").is_none());
    }

    #[test]
    fn relationships_and_places_are_set() {
        let xml = "<t><from><col>1</col><row>2</row></from><!-- r:id=\"1\" --><c r:id=\"1\"/></t>";
        let other = with_ids(xml, |id| format!("{id}9"));
        assert!(other.contains("<c r:id=\"19\"/>") && other.contains("<!-- r:id=\"1\" -->"));
        assert_eq!(without_ids(xml), without_ids(&other));
        let root = raw::root(xml).unwrap();
        let moved = with_lines(&root, &|axis, line| line + u32::from(axis == "row"));
        assert_eq!(moved, xml.replace("<row>2", "<row>3"));
    }
}
