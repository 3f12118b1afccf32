//! What the styles of a workbook make of cells, whatever their numbers.

use super::dom::Node;
use super::props::flatten;
use crate::extras::{CellStyle, StyleKey};
use crate::{Element, StyleProps};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The styles by their numbers.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Styles {
    /// Of cells.
    pub cells: Vec<StyleKey>,
    /// The same in words.
    pub details: Arc<[CellStyle]>,
    /// Of conditional formats and tables, and a number for what each says.
    pub differential: Vec<Element>,
    pub differential_keys: Vec<u64>,
}

impl Styles {
    /// Reads the part; what cannot be understood is not a style.
    pub fn read(text: &str) -> Self {
        let Some(root) = Node::parse(text) else {
            return Self::default();
        };
        let list = |name: &str, path: &str| -> Vec<Arc<StyleProps>> {
            let all = root.child(name).map(|list| &list.children[..]);
            let props = |node: &Node| {
                let mut props = StyleProps::new();
                flatten(node, path, &mut props);
                Arc::new(props)
            };
            all.unwrap_or_default().iter().map(props).collect()
        };
        let (fonts, fills) = (list("fonts", "font"), list("fills", "fill"));
        let borders = list("borders", "border");
        let codes: Vec<(u32, &str)> = root
            .child("numFmts")
            .into_iter()
            .flat_map(|list| list.all("numFmt"))
            .filter_map(|format| Some((format.number("numFmtId")?, format.get("formatCode")?)))
            .collect();
        let xfs = root.child("cellXfs").map(|list| &list.children[..]);
        let detail = |xf: &Node| {
            let part = |list: &[Arc<StyleProps>], name: &str| {
                let id = xf.number(name).unwrap_or(0);
                list.get(id as usize).cloned().unwrap_or_default()
            };
            let id = xf.number("numFmtId").unwrap_or(0);
            let code = codes.iter().rev().find(|code| code.0 == id);
            let code = match code {
                Some((_, code)) => (*code).to_owned(),
                None => built_in(id),
            };
            let mut own = StyleProps::new();
            for name in ["alignment", "protection"] {
                if let Some(node) = xf.child(name) {
                    flatten(node, name, &mut own);
                }
            }
            for name in ["quotePrefix", "pivotButton"] {
                if xf.is(name) {
                    own.insert(format!("xf@{name}"), "1".to_owned());
                }
            }
            CellStyle {
                number_format: code.into(),
                parts: [
                    part(&fonts, "fontId"),
                    part(&fills, "fillId"),
                    part(&borders, "borderId"),
                    Arc::new(own),
                ],
            }
        };
        let details: Vec<CellStyle> = xfs.unwrap_or_default().iter().map(detail).collect();
        let differential = root.child("dxfs").map(|list| &list.children[..]);
        let differential_key = |node: &Node| {
            let mut props = StyleProps::new();
            flatten(node, "dxf", &mut props);
            hash(props.iter())
        };
        Self {
            differential_keys: differential
                .unwrap_or_default()
                .iter()
                .map(differential_key)
                .collect(),
            cells: details.iter().map(key).collect(),
            details: details.into(),
            differential: differential
                .unwrap_or_default()
                .iter()
                .map(Node::to_element)
                .collect(),
        }
    }
}

/// What a style is, as two numbers.
fn key(style: &CellStyle) -> StyleKey {
    StyleKey {
        number_format: xxh3_64(style.number_format.to_ascii_lowercase().as_bytes()),
        look: hash(style.parts.iter().flat_map(|part| part.iter())),
    }
}

/// A number for what it says.
fn hash<'p>(props: impl Iterator<Item = (&'p String, &'p String)>) -> u64 {
    let mut said = Vec::new();
    for (key, value) in props {
        said.extend_from_slice(key.as_bytes());
        said.push(0xfe);
        said.extend_from_slice(value.as_bytes());
        said.push(0xff);
    }
    xxh3_64(&said)
}

/// The codes of formats that have a number instead; those that differ from country
/// to country stay numbers.
fn built_in(id: u32) -> String {
    match crate::read::formats::code_of(id) {
        Some(code) => code.to_owned(),
        None => format!("number {id}"),
    }
}
