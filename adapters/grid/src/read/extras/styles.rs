//! What the styles of a workbook make of cells, whatever their numbers.

use super::dom::Node;
use crate::extras::StyleKey;
use std::fmt::Write as _;
use xxhash_rust::xxh3::xxh3_64;

/// The styles by their numbers.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::read) struct Styles {
    /// Of cells.
    pub cells: Vec<StyleKey>,
    /// Of conditional formats and tables.
    pub differential: Vec<u64>,
}

impl Styles {
    /// Reads the part; what cannot be understood is no style.
    pub fn read(text: &str) -> Self {
        let Some(root) = Node::parse(text) else {
            return Self::default();
        };
        let list = |name: &str| -> Vec<u64> {
            let all = root.child(name).map(|list| &list.children[..]);
            all.unwrap_or_default().iter().map(look).collect()
        };
        let (fonts, fills, borders) = (list("fonts"), list("fills"), list("borders"));
        let codes: Vec<(u32, &str)> = root
            .child("numFmts")
            .into_iter()
            .flat_map(|list| list.all("numFmt"))
            .filter_map(|format| Some((format.number("numFmtId")?, format.get("formatCode")?)))
            .collect();
        let xfs = root.child("cellXfs").map(|list| &list.children[..]);
        let key = |xf: &Node| {
            let part = |list: &[u64], name: &str| {
                let id = xf.number(name).unwrap_or(0);
                list.get(id as usize).copied().unwrap_or(0)
            };
            let id = xf.number("numFmtId").unwrap_or(0);
            let code = codes.iter().rev().find(|code| code.0 == id);
            let code = match code {
                Some((_, code)) => (*code).to_owned(),
                None => built_in(id),
            };
            let rest = ["alignment", "protection"].map(|name| xf.child(name).map_or(0, look));
            let said = [
                part(&fonts, "fontId"),
                part(&fills, "fillId"),
                part(&borders, "borderId"),
                rest[0],
                rest[1],
                u64::from(xf.is("quotePrefix")) | u64::from(xf.is("pivotButton")) << 1,
            ];
            let bytes: Vec<u8> = said.iter().flat_map(|n| n.to_le_bytes()).collect();
            StyleKey {
                number_format: xxh3_64(code.to_ascii_lowercase().as_bytes()),
                look: xxh3_64(&bytes),
            }
        };
        Self {
            cells: xfs.unwrap_or_default().iter().map(key).collect(),
            differential: list("dxfs"),
        }
    }
}

/// A number for how something looks: children in any order, and those that say
/// nothing left out.
fn look(node: &Node) -> u64 {
    let mut said = Vec::new();
    let solid = node.get("patternType") == Some("solid");
    for child in &node.children {
        // Behind a solid fill there is nothing to see.
        if !(solid && child.name == "bgColor") {
            said.push(look(child));
        }
    }
    said.retain(|look| *look != 0);
    said.sort_unstable();
    let mut text = String::new();
    for attribute in &node.attributes {
        let default = match &attribute.name[..] {
            "diagonalUp" | "diagonalDown" | "wrapText" | "shrinkToFit" | "indent"
            | "textRotation" | "readingOrder" | "justifyLastLine" | "hidden" => "0",
            "outline" | "locked" => "1",
            "horizontal" => "general",
            "vertical" => "bottom",
            "patternType" => "none",
            _ => "",
        };
        if attribute.value != default {
            let _ = write!(text, "{}={};", attribute.name, attribute.value);
        }
    }
    if said.is_empty() && text.is_empty() && !is_a_flag(&node.name) {
        return 0;
    }
    for look in said {
        let _ = write!(text, "{look:x};");
    }
    text.push_str(&node.name);
    xxh3_64(text.as_bytes())
}

/// Elements that say something by being there.
fn is_a_flag(name: &str) -> bool {
    matches!(
        name,
        "b" | "i" | "u" | "strike" | "outline" | "shadow" | "condense" | "extend"
    )
}

/// The codes of formats that have a number instead; those that differ from country
/// to country stay numbers.
fn built_in(id: u32) -> String {
    let code = match id {
        0 => "General",
        1 => "0",
        2 => "0.00",
        3 => "#,##0",
        4 => "#,##0.00",
        9 => "0%",
        10 => "0.00%",
        11 => "0.00E+00",
        12 => "# ?/?",
        13 => "# ??/??",
        20 => "h:mm",
        21 => "h:mm:ss",
        45 => "mm:ss",
        46 => "[h]:mm:ss",
        48 => "##0.0E+0",
        49 => "@",
        id => return format!("number {id}"),
    };
    code.to_owned()
}
