//! What the styles of a workbook make of cells, whatever their numbers.

use super::dom::Node;
use super::props::flatten;
use super::residue::is_meaningless;
use super::tags::{Tag, Tags};
use crate::extras::{CellStyle, StyleKey};
use crate::read::formats::{FIRST_FORMAT, Format, code_of, format_of};
use crate::{Element, StyleProps};
use memchr::memmem;
use std::collections::{HashMap, HashSet};
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
    /// Reads the part; what cannot be understood is not a style. Elements that read the same
    /// are looked at once, and lists that no cell refers to not at all.
    pub fn read(text: &str) -> Self {
        let Some(lists) = Lists::of(text) else {
            return Self::default();
        };
        let mut formats: HashMap<u32, Arc<str>> = HashMap::new();
        for format in &lists.formats {
            let node = Node::parse(format).unwrap_or_default();
            if let (Some(id), Some(code)) = (node.number("numFmtId"), node.get("formatCode")) {
                let code = if code.is_empty() { "General" } else { code };
                formats.insert(id, code.into());
            }
        }
        let lists_of_looks = [
            looks(&lists.fonts, "font"),
            looks(&lists.fills, "fill"),
            looks(&lists.borders, "border"),
        ];
        let mut own: HashMap<&str, Style> = HashMap::new();
        let mut details = Vec::with_capacity(lists.cells.len());
        let mut cells = Vec::with_capacity(lists.cells.len());
        for xml in &lists.cells {
            let style = own
                .entry(xml)
                .or_insert_with(|| style(xml, &lists_of_looks, &mut formats));
            cells.push(style.key);
            details.push(style.detail.clone());
        }
        let mut differential = Vec::new();
        let mut differential_keys = Vec::new();
        for node in lists.differential.iter().map(|xml| Node::parse(xml)) {
            let node = node.unwrap_or_default();
            let mut props = StyleProps::new();
            flatten(&node, "dxf", &mut props);
            differential_keys.push(hash(props.iter()));
            differential.push(node.to_element());
        }
        Self {
            differential_keys,
            cells,
            details: details.into(),
            differential,
        }
    }

    /// Which of the styles make a date or a duration of a number.
    pub fn formats(&self) -> Vec<Format> {
        let mut known: HashMap<&str, Format> = HashMap::new();
        let codes = self.details.iter().map(|style| &*style.number_format);
        codes
            .map(|code| *known.entry(code).or_insert_with(|| format_of(code)))
            .collect()
    }
}

/// The elements of the lists that cells refer to.
#[derive(Default)]
struct Lists<'t> {
    formats: Vec<&'t str>,
    fonts: Vec<&'t str>,
    fills: Vec<&'t str>,
    borders: Vec<&'t str>,
    cells: Vec<&'t str>,
    differential: Vec<&'t str>,
}

impl<'t> Lists<'t> {
    /// None if the text is not XML.
    fn of(text: &'t str) -> Option<Self> {
        let mut lists = Self::default();
        let mut seen = HashSet::new();
        let mut list: Option<&'t str> = None;
        let mut depth = 0_u32;
        let mut start = 0;
        let mut tags = Tags::new(text);
        let is_plain = memmem::find(text.as_bytes(), b"<!").is_none();
        loop {
            let before = tags.at;
            let Some(tag) = tags.next() else { break };
            match tag {
                // They may be most of the part.
                Tag::Open("cellStyleXfs" | "cellStyles", _, false) if depth == 1 && is_plain => {
                    let opened = text[..tags.at].rfind('<').unwrap_or(before);
                    tags.jump(opened)?;
                }
                Tag::Open(name, _, closed) => {
                    match depth {
                        // The first of a name counts.
                        1 => list = (!closed && seen.insert(name)).then_some(name),
                        2 => start = before,
                        _ => {}
                    }
                    if !closed {
                        depth = depth.checked_add(1).filter(|depth| *depth < DEEPEST)?;
                    } else if depth == 2 {
                        lists.push(list, &text[start..tags.at]);
                    }
                }
                Tag::Close => {
                    depth = depth.checked_sub(1)?;
                    if depth == 2 {
                        lists.push(list, &text[start..tags.at]);
                    }
                }
                Tag::Text(_) => {}
            }
        }
        (depth == 0 && !tags.wrong).then_some(lists)
    }

    fn push(&mut self, list: Option<&str>, element: &'t str) {
        let to = match list {
            Some("numFmts") => &mut self.formats,
            Some("fonts") => &mut self.fonts,
            Some("fills") => &mut self.fills,
            Some("borders") => &mut self.borders,
            Some("cellXfs") => &mut self.cells,
            Some("dxfs") => &mut self.differential,
            _ => return,
        };
        // Comments before an element are not part of it.
        to.push(element);
    }
}

/// Elements inside elements, beyond which nothing is understood.
const DEEPEST: u32 = 128;

/// What a font, a fill or a border says, and a number for it.
type Look = (Arc<StyleProps>, u64);

fn looks(list: &[&str], path: &str) -> Vec<Look> {
    let mut known: HashMap<&str, Look> = HashMap::new();
    let read = |xml: &str| {
        let mut props = StyleProps::new();
        if let Some(node) = Node::parse(xml) {
            flatten(&node, path, &mut props);
        }
        // A hint counts only beside what it goes with.
        let key = hash(props.iter().filter(|(name, _)| !is_hint(name)));
        (Arc::new(props), key)
    };
    let all = list.iter();
    all.map(|xml| known.entry(xml).or_insert_with(|| read(xml)).clone())
        .collect()
}

/// What programs add to a font for the case that it is missing: nobody sees it.
fn is_hint(name: &str) -> bool {
    let inner = name
        .strip_prefix("font.")
        .and_then(|inner| inner.split('@').next());
    inner.is_some_and(|inner| is_meaningless("font", inner))
}

/// A style of cells, and its key.
struct Style {
    detail: CellStyle,
    key: StyleKey,
}

fn style(xml: &str, looks: &[Vec<Look>; 3], formats: &mut HashMap<u32, Arc<str>>) -> Style {
    let xf = Node::parse(xml).unwrap_or_default();
    let part = |list: &[Look], name: &str| {
        let id = xf.number(name).unwrap_or(0);
        let nothing = || (Arc::default(), hash(StyleProps::new().iter()));
        list.get(id as usize).cloned().unwrap_or_else(nothing)
    };
    let id = xf.number("numFmtId").unwrap_or(0);
    let code = formats.entry(id).or_insert_with(|| built_in(id).into());
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
    let [fonts, fills, borders] = looks;
    let parts = [
        part(fonts, "fontId"),
        part(fills, "fillId"),
        part(borders, "borderId"),
        (Arc::default(), hash(own.iter())),
    ];
    let said: Vec<u8> = parts.iter().flat_map(|look| look.1.to_le_bytes()).collect();
    let key = StyleKey {
        number_format: xxh3_64(code.to_ascii_lowercase().as_bytes()),
        look: xxh3_64(&said),
    };
    let [font, fill, border, _] = parts.map(|look| look.0);
    Style {
        detail: CellStyle {
            number_format: Arc::clone(code),
            parts: [font, fill, border, Arc::new(own)],
        },
        key,
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
/// to country stay numbers. A number that a file should define, and does not, formats
/// nothing.
fn built_in(id: u32) -> String {
    match code_of(id) {
        Some(code) => code.to_owned(),
        None if id >= FIRST_FORMAT => "General".to_owned(),
        None => format!("number {id}"),
    }
}
