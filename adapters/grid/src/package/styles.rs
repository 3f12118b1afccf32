//! The styles of a workbook with those added that cells need: nothing that was there is
//! changed, so every number of a style means what it meant.

use super::raw::{self, Element, Piece};
use crate::read::extras::{self, Node, props};
use crate::read::formats::{FIRST_FORMAT, code_of, fitting, number_of};
use crate::{StyleProps, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What becomes of the style of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Change {
    NumberFormat(String),
    /// A plain style with this number format, whatever it was.
    Plain(String),
    /// Properties that are no longer said, and those that are.
    Look(Vec<String>, StyleProps),
}

/// A list in the part: fonts, fills, formats of cells.
#[derive(Default)]
struct List {
    /// How many there were.
    before: usize,
    added: Vec<String>,
}

impl List {
    fn push(&mut self, xml: String) -> usize {
        self.added.push(xml);
        self.before + self.added.len() - 1
    }
}

/// A style of cells in words.
#[derive(Clone)]
struct Xf {
    tag: String,
    number_format: String,
    props: StyleProps,
}

/// The part with styles.
pub(super) struct StyleSheet<'t> {
    text: &'t str,
    xfs: Vec<Xf>,
    lists: HashMap<&'static str, List>,
    /// The formats that are defined, by their numbers.
    formats: BTreeMap<u32, String>,
    /// Numbers of formats that something refers to.
    used: BTreeSet<u32>,
    /// Formats that gave their number to one that has no other.
    moved: HashMap<u32, u32>,
    looks: HashMap<(&'static str, StyleProps), usize>,
    changes: Vec<Change>,
    /// Styles that changed, by number and change.
    known: HashMap<(u32, ChangeId), u32>,
}

/// The number of a change, which many cells share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ChangeId(usize);

/// The parts of a look that have lists of their own: list, element, attribute.
const LISTS: [(&str, &str, &str); 3] = [
    ("fonts", "font", "fontId"),
    ("fills", "fill", "fillId"),
    ("borders", "border", "borderId"),
];

impl<'t> StyleSheet<'t> {
    pub fn new(text: &'t str) -> Self {
        let styles = extras::Styles::read(text);
        let root = raw::root(text);
        let child = |name: &str| root.and_then(|root| root.child(name));
        let list = |name: &str| child(name).map(|list| list.children()).unwrap_or_default();
        let xfs = list("cellXfs").into_iter().zip(styles.details.iter());
        let xfs: Vec<Xf> = xfs
            .map(|(xf, detail)| Xf {
                // What is added gets the prefix of its list.
                tag: format!("<{}", &xf.tag[1 + xf.prefix().len()..]),
                number_format: detail.number_format.to_string(),
                props: detail.props(),
            })
            .collect();
        let mut lists: HashMap<&'static str, List> = HashMap::new();
        let mut looks = HashMap::new();
        for (name, path, _) in LISTS {
            let all = list(name);
            for (id, element) in all.iter().enumerate() {
                let mut said = StyleProps::new();
                if let Some(node) = Node::parse(element.text) {
                    props::flatten(&node, path, &mut said);
                }
                looks.entry((name, said)).or_insert(id);
            }
            let before = all.len();
            lists.insert(
                name,
                List {
                    before,
                    ..List::default()
                },
            );
        }
        for name in ["cellXfs", "numFmts", "dxfs"] {
            let before = list(name).len();
            lists.insert(
                name,
                List {
                    before,
                    ..List::default()
                },
            );
        }
        // Of two with one number the last counts, as for the reader.
        let mut formats = BTreeMap::new();
        for format in list("numFmts") {
            if let (Some(id), Some(code)) = (format.number("numFmtId"), format.get("formatCode")) {
                formats.insert(id, code.into_owned());
            }
        }
        // Styles may refer to formats that are not there, and must not get one.
        let used = text.split("numFmtId=").skip(1).filter_map(|rest| {
            let rest = rest.strip_prefix(['"', '\''])?.trim_start();
            let end = rest.find(|c: char| !c.is_ascii_digit())?;
            rest[..end].parse::<u32>().ok()
        });
        let used = used.chain(formats.keys().copied()).collect();
        Self {
            text,
            xfs,
            lists,
            formats,
            used,
            moved: HashMap::new(),
            looks,
            changes: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// The number of a change.
    pub fn change(&mut self, change: Change) -> ChangeId {
        let known = self.changes.iter().position(|other| *other == change);
        ChangeId(known.unwrap_or_else(|| {
            self.changes.push(change);
            self.changes.len() - 1
        }))
    }

    /// The style that this one becomes.
    pub fn changed(&mut self, style: u32, id: ChangeId) -> u32 {
        let key = (style, id);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let change = self.changes[id.0].clone();
        let plain = || Xf {
            tag: "<xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>"
                .to_owned(),
            number_format: "General".to_owned(),
            props: StyleProps::new(),
        };
        let mut xf = match change {
            Change::Plain(_) => plain(),
            _ => self.xfs.get(style as usize).cloned().unwrap_or_else(plain),
        };
        match change {
            Change::NumberFormat(code) | Change::Plain(code) => xf.number_format = code,
            Change::Look(gone, came) => {
                xf.props.retain(|key, _| !gone.contains(key));
                xf.props.extend(came);
            }
        }
        let id = self.number_of(xf);
        self.known.insert(key, id);
        id
    }

    /// The style, or one like it under which a number is read as this value.
    pub fn for_value(&mut self, style: u32, value: &Value<&str>, is_1904: bool) -> u32 {
        let now = self.xfs.get(style as usize);
        let now = now.map_or("General", |xf| &xf.number_format);
        let Some(code) = fitting(now, value, is_1904) else {
            return style;
        };
        let change = self.change(Change::NumberFormat(code.to_owned()));
        self.changed(style, change)
    }

    /// The number of a style for conditional formats, given by what it says.
    pub fn differential(&mut self, xml: String) -> usize {
        let list = self.lists.entry("dxfs").or_default();
        let known = list.added.iter().position(|other| *other == xml);
        match known {
            Some(at) => list.before + at,
            None => list.push(xml),
        }
    }

    fn number_of(&mut self, mut xf: Xf) -> u32 {
        let same = |other: &Xf| {
            other.number_format == xf.number_format
                && other.props == xf.props
                && raw::attribute(&other.tag, "xfId") == raw::attribute(&xf.tag, "xfId")
        };
        if let Some(at) = self.xfs.iter().position(same) {
            return at as u32;
        }
        let format = self.format(&xf.number_format);
        let mut tag = raw::set(&xf.tag, "numFmtId", Some(&format.to_string()));
        tag = raw::set(&tag, "applyNumberFormat", Some("1"));
        for (list, path, attribute) in LISTS {
            let id = self.part(list, path, &xf.props);
            tag = raw::set(&tag, attribute, Some(&id.to_string()));
        }
        for name in [
            "applyFont",
            "applyFill",
            "applyBorder",
            "applyAlignment",
            "applyProtection",
        ] {
            tag = raw::set(&tag, name, Some("1"));
        }
        for name in ["quotePrefix", "pivotButton"] {
            let is = xf.props.contains_key(&format!("xf@{name}"));
            tag = raw::set(&tag, name, is.then_some("1"));
        }
        xf.tag.clone_from(&tag);
        let inner: String = ["alignment", "protection"]
            .into_iter()
            .filter_map(|name| props::build(&xf.props, name))
            .collect();
        let open = tag.strip_suffix("/>").or_else(|| tag.strip_suffix('>'));
        let open = open.unwrap_or(&tag).trim_end();
        let xml = if inner.is_empty() {
            format!("{open}/>")
        } else {
            format!("{open}>{inner}</xf>")
        };
        self.lists.entry("cellXfs").or_default().push(xml);
        self.xfs.push(xf);
        self.xfs.len() as u32 - 1
    }

    fn format(&mut self, code: &str) -> u32 {
        let known = self.formats.iter().find(|(_, other)| *other == code);
        if let Some((id, _)) = known {
            return *id;
        }
        let built_in = number_of(code);
        match built_in {
            Some(id) if !self.formats.contains_key(&id) => return id,
            // It has no code, so what the file defines under its number makes room.
            Some(id) if code_of(id).is_none() => {
                self.move_format(id);
                return id;
            }
            _ => {}
        }
        let id = self.free_format();
        self.define(id, code);
        id
    }

    /// A number that nothing refers to.
    fn free_format(&mut self) -> u32 {
        let behind = self.used.range(FIRST_FORMAT..).next_back();
        let behind = behind.map_or(Some(FIRST_FORMAT), |last| last.checked_add(1));
        let free = || (FIRST_FORMAT..=u32::MAX).find(|id| !self.used.contains(id));
        let id = behind.or_else(free).unwrap_or(FIRST_FORMAT);
        self.used.insert(id);
        id
    }

    fn define(&mut self, id: u32, code: &str) {
        let xml = format!(
            "<numFmt numFmtId=\"{id}\" formatCode=\"{}\"/>",
            raw::escaped(code)
        );
        self.lists.entry("numFmts").or_default().push(xml);
        self.formats.insert(id, code.to_owned());
    }

    /// Gives a format another number, wherever it is used.
    fn move_format(&mut self, id: u32) {
        let Some(code) = self.formats.remove(&id) else {
            return;
        };
        let to = self.free_format();
        self.moved.insert(id, to);
        for xf in &mut self.xfs {
            xf.tag = renumbered(&xf.tag, &self.moved);
        }
        let list = self.lists.entry("cellXfs").or_default();
        for added in &mut list.added {
            *added = renumbered(added, &self.moved);
        }
        self.define(to, &code);
    }

    fn part(&mut self, list: &'static str, path: &str, props: &StyleProps) -> usize {
        let own = |key: &str| {
            let rest = key.strip_prefix(path);
            rest.is_some_and(|rest| rest.starts_with(['.', '@']))
        };
        let said: StyleProps = props
            .iter()
            .filter(|(key, _)| own(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        if let Some(id) = self.looks.get(&(list, said.clone())) {
            return *id;
        }
        let xml = props::build(&said, path).unwrap_or_else(|| match path {
            "fill" => "<fill><patternFill patternType=\"none\"/></fill>".to_owned(),
            path => format!("<{path}/>"),
        });
        let id = self.lists.entry(list).or_default().push(xml);
        self.looks.insert((list, said), id);
        id
    }

    /// The part with what was added; none if nothing was.
    pub fn finish(&self) -> Option<String> {
        if self.lists.values().all(|list| list.added.is_empty()) {
            return None;
        }
        let root = raw::root(self.text)?;
        let mut inner = String::new();
        let mut written = Vec::new();
        let list = |name: &str| self.lists.get(name).filter(|list| !list.added.is_empty());
        let missing = |before: &str, written: &[String]| -> String {
            let order = [
                "numFmts",
                "fonts",
                "fills",
                "borders",
                "cellStyleXfs",
                "cellXfs",
                "cellStyles",
                "dxfs",
            ];
            let end = order
                .iter()
                .position(|name| *name == before)
                .unwrap_or(order.len());
            let names = order[..end].iter();
            let names = names.filter(|name| !written.iter().any(|w| w == *name));
            names
                .filter(|name| root.child(name).is_none())
                .filter_map(|name| Some((*name, list(name)?)))
                .map(|(name, list)| {
                    let all = list.added.concat();
                    let p = root.prefix();
                    format!(
                        "<{p}{name} count=\"{}\">{}</{p}{name}>",
                        list.added.len(),
                        prefixed(&all, p)
                    )
                })
                .collect()
        };
        for element in root.children() {
            let name = element.name();
            let before = missing(name, &written);
            if !before.is_empty() {
                inner.push_str(&before);
                written.extend(["numFmts", "dxfs"].map(str::to_owned));
            }
            match list(name) {
                Some(list) => inner.push_str(&self.longer(&element, list)),
                None => inner.push_str(&self.kept(&element)),
            }
        }
        inner.push_str(&missing("", &written));
        let head = &self.text[..self.text.find(root.text)?];
        Some(format!("{head}{}", root.with(root.tag, &inner)))
    }

    fn longer(&self, element: &Element<'_>, list: &List) -> String {
        let before = self.inside(element);
        let gone = element.children().len() - raw::elements(&before).len();
        let count = (list.before - gone + list.added.len()).to_string();
        let tag = raw::set(element.tag, "count", Some(&count));
        let added = prefixed(&list.added.concat(), element.prefix());
        element.with(&tag, &format!("{before}{added}"))
    }

    /// A list to which nothing was added.
    fn kept<'e>(&self, element: &Element<'e>) -> Cow<'e, str> {
        match self.inside(element) {
            Cow::Borrowed(_) => Cow::Borrowed(element.text),
            Cow::Owned(inner) => Cow::Owned(element.with(element.tag, &inner)),
        }
    }

    /// What is in a list: formats that moved are elsewhere.
    fn inside<'e>(&self, list: &Element<'e>) -> Cow<'e, str> {
        let is_about = matches!(list.name(), "numFmts" | "cellXfs" | "cellStyleXfs");
        let Some(pieces) = raw::pieces(list.inner).filter(|_| is_about && !self.moved.is_empty())
        else {
            return Cow::Borrowed(list.inner);
        };
        let one = |piece: Piece<'_>| match piece {
            Piece::Other(text) => text.to_owned(),
            Piece::Element(element) if element.name() == "numFmt" => {
                let id = element.number("numFmtId");
                let is_moved = id.is_some_and(|id| self.moved.contains_key(&id));
                if is_moved { "" } else { element.text }.to_owned()
            }
            Piece::Element(element) => renumbered(element.text, &self.moved),
        };
        Cow::Owned(pieces.into_iter().map(one).collect())
    }
}

/// An element whose format is where it moved to.
fn renumbered(xml: &str, moved: &HashMap<u32, u32>) -> String {
    let (tag, rest) = xml.split_at(xml.find('>').map_or(xml.len(), |end| end + 1));
    let id = raw::attribute(tag, "numFmtId");
    let id = id.and_then(|id| id.trim().parse::<u32>().ok());
    match id.and_then(|id| moved.get(&id)) {
        Some(to) => raw::set(tag, "numFmtId", Some(&to.to_string())) + rest,
        None => xml.to_owned(),
    }
}

/// XML whose elements have this prefix.
pub(super) fn prefixed(xml: &str, prefix: &str) -> String {
    if prefix.is_empty() {
        return xml.to_owned();
    }
    let open = xml.replace('<', &format!("<{prefix}"));
    open.replace(&format!("<{prefix}/"), &format!("</{prefix}"))
}
