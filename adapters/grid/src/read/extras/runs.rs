//! How the parts of a text look, and how it is read aloud: a number that is the same however
//! a program cuts the text into runs.

use super::dom::Node;
use super::residue::{self, hash};
use std::fmt::Write as _;

/// A number for what `<si>`, `<is>` or `<text>` says besides its text; none if that is
/// nothing.
pub(in crate::read) fn look(node: &Node) -> Option<u64> {
    look_but(node, &|_, _| false)
}

/// The same for a note: programs write its text in a font of their own unless somebody chose
/// another, and the author above it in bold.
pub(super) fn look_of_note(node: &Node) -> Option<u64> {
    look_but(node, &|font, text| {
        font.children.iter().all(|child| match &child.name[..] {
            "rFont" => child.get("val") == Some("Tahoma"),
            "sz" => matches!(child.get("val"), Some("8" | "9")),
            "color" => child.get("indexed") == Some("81"),
            "family" | "charset" => true,
            "b" => text.trim_end().ends_with(':'),
            _ => false,
        })
    })
}

/// `is_usual` says which fonts are as none, for a text.
fn look_but(node: &Node, is_usual: &dyn Fn(&Node, &str) -> bool) -> Option<u64> {
    let mut runs: Vec<(String, usize)> = Vec::new();
    let mut aids = String::new();
    for child in &node.children {
        let (props, text) = match &child.name[..] {
            "t" => (String::new(), child.text.chars().count()),
            "r" => {
                let text: String = child.all("t").map(|t| &t.text[..]).collect();
                let font = child.child("rPr").filter(|font| !is_usual(font, &text));
                let (props, text) = (font.map(props), text.chars().count());
                let props = props.unwrap_or_default();
                (props, text)
            }
            _ => {
                for (label, digest) in residue::pieces(child, &|_| 0) {
                    let _ = write!(aids, "{label}={digest:x};");
                }
                continue;
            }
        };
        match runs.last_mut() {
            Some((same, count)) if *same == props => *count += text,
            _ => runs.push((props, text)),
        }
    }
    let mut words = String::new();
    if runs.iter().any(|(props, _)| !props.is_empty()) {
        for (props, count) in &runs {
            let _ = write!(words, "{count}[{props}]");
        }
    }
    // Where there is no reading, how it would be shown is nothing.
    if node.child("rPh").is_none() {
        aids.clear();
    }
    (!words.is_empty() || !aids.is_empty()).then(|| hash(&[&words, &aids]))
}

/// The same for the XML of such an element.
pub(in crate::read) fn look_of(xml: &str) -> Option<u64> {
    match Node::parse(xml) {
        Some(node) => look(&node),
        None => Some(hash(&[xml])),
    }
}

/// What a font says, in one order and one spelling.
fn props(node: &Node) -> String {
    let mut all: Vec<String> = node.children.iter().filter_map(prop).collect();
    all.sort_unstable();
    all.concat()
}

fn prop(node: &Node) -> Option<String> {
    let val = node.get("val");
    match &node.name[..] {
        "b" | "i" | "strike" | "outline" | "shadow" | "condense" | "extend" => match val {
            Some("0" | "false") => None,
            _ => Some(format!("{};", node.name)),
        },
        "u" if matches!(val, None | Some("single")) => Some("u;".to_owned()),
        "u" if val == Some("none") => None,
        "vertAlign" if val == Some("baseline") => None,
        name => {
            let mut said = name.to_owned();
            for attribute in &node.attributes {
                let _ = write!(said, " {}={}", attribute.name, attribute.value);
            }
            said.push(';');
            Some(said)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::look_of;

    #[test]
    fn runs_that_look_alike_are_one_look() {
        let look = |inner: &str| look_of(&format!("<si>{inner}</si>"));
        assert_eq!(look("<t>a</t>"), None);
        assert_eq!(look("<r><t>a</t></r><r><rPr/><t>b</t></r>"), None);
        assert_eq!(look("<t>a</t><phoneticPr type='noConversion'/>"), None);
        let bold = look("<r><rPr><b/><sz val='9'/></rPr><t>ab</t></r><r><t>c</t></r>");
        assert!(bold.is_some());
        for same in [
            "<r><rPr><sz val='9'/><b val='1'/></rPr><t>ab</t></r><t>c</t>",
            "<r><rPr><b/><sz val='9'/></rPr><t>a</t></r><r><rPr><b/><sz val='9'/></rPr><t>b</t></r><r><rPr><i val='false'/></rPr><t>c</t></r>",
        ] {
            assert_eq!(look(same), bold, "{same}");
        }
        for other in [
            "<r><rPr><b/><sz val='9'/></rPr><t>a</t></r><r><t>bc</t></r>",
            "<r><rPr><i/><sz val='9'/></rPr><t>ab</t></r><r><t>c</t></r>",
            "<r><rPr><b/><sz val='9'/></rPr><t>ab</t></r><r><t>c</t></r><rPh sb='0' eb='1'><t>x</t></rPh>",
        ] {
            assert_ne!(look(other), bold, "{other}");
        }
    }
}
