//! What fonts, fills, borders and alignments say, as paths and values: the same for the
//! same look, in whatever order and with whatever defaults a program writes it.

use super::dom::Node;
use crate::StyleProps;
use std::collections::HashMap;

/// What an element of a style says, below this path.
pub(crate) fn flatten(node: &Node, path: &str, into: &mut StyleProps) {
    let solid = node.get("patternType") == Some("solid");
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
            into.insert(
                format!("{path}@{}", attribute.name),
                attribute.value.clone(),
            );
        }
    }
    let mut seen: HashMap<&str, u32> = HashMap::new();
    for child in &node.children {
        // Behind a solid fill there is nothing to see.
        if solid && child.name == "bgColor" {
            continue;
        }
        let count = seen.entry(&child.name).or_default();
        *count += 1;
        let below = match count {
            1 => format!("{path}.{}", child.name),
            more => format!("{path}.{}#{more}", child.name),
        };
        if is_a_flag(&child.name) && child.attributes.is_empty() {
            into.insert(below, String::new());
        } else {
            flatten(child, &below, into);
        }
    }
}

/// Elements that say something by being there.
fn is_a_flag(name: &str) -> bool {
    matches!(
        name,
        "b" | "i" | "u" | "strike" | "outline" | "shadow" | "condense" | "extend"
    )
}

/// The XML of what is said below a path; none if nothing is.
pub(crate) fn build(props: &StyleProps, path: &str) -> Option<String> {
    let name = path.rsplit('.').next().unwrap_or(path);
    let name = name.split('#').next().unwrap_or(name);
    let (at, below) = (format!("{path}@"), format!("{path}."));
    let said = props.contains_key(path);
    let attributes: String = props
        .iter()
        .filter_map(|(key, value)| Some((key.strip_prefix(&at)?, value)))
        .map(|(name, value)| format!(" {name}=\"{}\"", crate::package::escaped(value)))
        .collect();
    let mut children: Vec<&str> = props
        .keys()
        .filter_map(|key| key.strip_prefix(&below))
        .map(|rest| rest.split(['.', '@']).next().unwrap_or(rest))
        .collect();
    children.sort_unstable();
    children.dedup();
    children.sort_by_key(|child| rank(child));
    if !said && attributes.is_empty() && children.is_empty() {
        return None;
    }
    let inner: String = children
        .into_iter()
        .filter_map(|child| build(props, &format!("{below}{child}")))
        .collect();
    Some(if inner.is_empty() {
        format!("<{name}{attributes}/>")
    } else {
        format!("<{name}{attributes}>{inner}</{name}>")
    })
}

/// The order that the format asks for.
fn rank(name: &str) -> usize {
    const ORDER: [&str; 26] = [
        "b",
        "i",
        "strike",
        "condense",
        "extend",
        "outline",
        "shadow",
        "u",
        "vertAlign",
        "sz",
        "color",
        "name",
        "family",
        "charset",
        "scheme",
        "patternFill",
        "gradientFill",
        "fgColor",
        "bgColor",
        "start",
        "left",
        "right",
        "end",
        "top",
        "bottom",
        "diagonal",
    ];
    let name = name.split('#').next().unwrap_or(name);
    ORDER
        .iter()
        .position(|other| *other == name)
        .unwrap_or(ORDER.len())
}

#[cfg(test)]
mod tests {
    use super::{build, flatten};
    use crate::StyleProps;
    use crate::read::extras::dom::Node;

    #[test]
    fn what_is_built_says_what_was_flattened() {
        for text in [
            "<font><b/><sz val=\"11\"/><color rgb=\"FF00AA00\"/><name val=\"A &amp; B\"/></font>",
            "<fill><patternFill patternType=\"gray125\"><fgColor theme=\"1\"/><bgColor indexed=\"64\"/></patternFill></fill>",
            "<fill><gradientFill degree=\"90\"><stop position=\"0\"><color theme=\"0\"/></stop><stop position=\"1\"><color theme=\"4\"/></stop></gradientFill></fill>",
            "<border><left style=\"thin\"><color auto=\"1\"/></left><top style=\"thick\"/></border>",
        ] {
            let node = Node::parse(text).unwrap();
            let path = node.name.clone();
            let mut props = StyleProps::new();
            flatten(&node, &path, &mut props);
            assert_eq!(build(&props, &path).as_deref(), Some(text));
        }
    }
}
