//! What besides the cells a report can carry whole, so that it replays.

use super::dom::Node;
use crate::Element;

/// What numbers in an element stand for.
pub(crate) struct Resolve<'r> {
    /// Where a relationship leads, if that is outside the file.
    pub target: &'r dyn Fn(&str) -> Option<String>,
    /// The styles of conditional formats, by number.
    pub differential: &'r [Element],
}

impl Resolve<'_> {
    /// The element without its place, and with what its numbers stand for; none if it
    /// leads to other parts, or holds what a later version of the format added.
    pub fn payload(&self, node: &Node) -> Option<Element> {
        let mut element = self.inside(node)?;
        for place in ["ref", "sqref"] {
            element.attributes.remove(place);
        }
        Some(element)
    }

    fn inside(&self, node: &Node) -> Option<Element> {
        if node.name == "extLst" {
            return None;
        }
        let mut element = Element {
            name: node.name.clone(),
            text: node.text.clone(),
            ..Element::default()
        };
        for attribute in &node.attributes {
            let (name, value) = (&attribute.name, &attribute.value);
            if attribute.is_relation {
                match &node.name[..] {
                    "hyperlink" => {
                        let target = (self.target)(value)?;
                        element.attributes.insert("target".to_owned(), target);
                    }
                    // What the printer remembers is not part of it.
                    "pageSetup" => {}
                    _ => return None,
                }
            } else if name == "dxfId" {
                let id: Option<usize> = value.trim().parse().ok();
                let style = id.and_then(|id| self.differential.get(id));
                element.children.push(style?.clone());
            } else if let Some(part) = name.strip_suffix("DxfId") {
                // Tables have several: `headerRowDxfId`, `dataDxfId`.
                let id: Option<usize> = value.trim().parse().ok();
                let style = id.and_then(|id| self.differential.get(id));
                element.children.push(Element {
                    name: format!("{part}Dxf"),
                    ..style?.clone()
                });
            } else if name == "space" {
                // White space at the ends of formulas.
            } else {
                element.attributes.insert(name.clone(), value.clone());
            }
        }
        for child in &node.children {
            element.children.push(self.inside(child)?);
        }
        Some(element)
    }
}
