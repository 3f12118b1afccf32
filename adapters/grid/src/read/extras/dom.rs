//! Small XML in memory, and a number for what it says.

use super::tags::{self, Tag, Tags};
use crate::Element;
use crate::read::xml;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Elements inside elements, beyond which nothing is understood.
const DEEPEST: usize = 128;

/// An element.
#[derive(Debug, Default)]
pub(crate) struct Node {
    /// Without its prefix.
    pub name: String,
    pub attributes: Vec<Attribute>,
    /// What is between tags, if it is more than white space.
    pub text: String,
    pub children: Vec<Node>,
}

/// An attribute that says something.
#[derive(Debug)]
pub(crate) struct Attribute {
    /// Without its prefix.
    pub name: String,
    pub value: String,
    /// It names a relationship.
    pub is_relation: bool,
}

impl Attribute {
    pub fn new(name: &str, value: &str) -> Self {
        Self {
            name: name.to_owned(),
            value: value.to_owned(),
            is_relation: false,
        }
    }
}

impl Node {
    /// The element that a text consists of; none if it is not XML, or nested too
    /// deeply.
    pub fn parse(text: &str) -> Option<Self> {
        let mut reader = xml::events(text);
        let mut open: Vec<Self> = vec![Self::default()];
        loop {
            match reader.read_event().ok()? {
                Event::Start(element) => {
                    if open.len() > DEEPEST {
                        return None;
                    }
                    open.push(Self {
                        name: element.local_name().as_ref().to_owned(),
                        attributes: attributes(&element),
                        ..Self::default()
                    });
                }
                Event::End(_) => {
                    let mut done = open.pop()?;
                    if done.text.trim().is_empty() {
                        done.text.clear();
                    }
                    open.last_mut()?.children.push(done);
                }
                Event::Text(piece) => open.last_mut()?.text.push_str(&piece.xml10_content()),
                Event::CData(piece) => open.last_mut()?.text.push_str(&piece.xml10_content()),
                Event::GeneralRef(entity) => {
                    let text = xml::resolve("", &entity).ok()?;
                    open.last_mut()?.text.push_str(&text);
                }
                Event::Eof => break,
                _ => {}
            }
        }
        let mut root = open.pop().filter(|_| open.is_empty())?;
        root.children.pop()
    }

    /// The first child of this name.
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// All children of this name.
    pub fn all<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|a| a.name == name);
        found.map(|attribute| attribute.value.as_str())
    }

    /// The value of an attribute as a number.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.get(name)?.trim().parse().ok()
    }

    /// Whether an attribute says yes.
    pub fn is(&self, name: &str) -> bool {
        matches!(self.get(name), Some("1" | "true" | "on"))
    }

    /// Takes an attribute out.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let at = self.attributes.iter().position(|a| a.name == name)?;
        Some(self.attributes.remove(at).value)
    }

    /// The first element of this name, at any depth, and what it holds.
    pub fn all_text(&self) -> String {
        let mut text = self.text.clone();
        for child in &self.children {
            text.push_str(&child.all_text());
        }
        text
    }

    /// All relationships that it and what is in it name.
    pub fn relations(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        self.add_relations(&mut found);
        found
    }

    fn add_relations(&self, found: &mut BTreeSet<String>) {
        let names = |a: &&Attribute| a.is_relation || a.name == "id";
        let ids = self.attributes.iter().filter(names);
        found.extend(ids.map(|attribute| attribute.value.clone()));
        for child in &self.children {
            child.add_relations(found);
        }
    }

    /// It and all that is in it, as a report carries it.
    pub fn to_element(&self) -> Element {
        Element {
            name: self.name.clone(),
            attributes: self
                .attributes
                .iter()
                .map(|a| (a.name.clone(), a.value.clone()))
                .collect(),
            text: self.text.clone(),
            children: self.children.iter().map(Self::to_element).collect(),
        }
    }

    /// A number for all that it says; `relation` gives one to what a relationship
    /// leads to.
    pub fn digest(&self, relation: &dyn Fn(&str) -> u64) -> u64 {
        let mut hash = Xxh3::new();
        self.feed(&mut hash, relation);
        hash.digest()
    }

    fn feed(&self, hash: &mut Xxh3, relation: &dyn Fn(&str) -> u64) {
        feed_start(hash, &self.name, &self.attributes, relation);
        hash.update(self.text.as_bytes());
        for child in &self.children {
            child.feed(hash, relation);
        }
        hash.update(&[END]);
    }
}

// No UTF-8 text holds these bytes.
const START: u8 = 0xfe;
pub(super) const END: u8 = 0xff;

pub(super) fn feed_start(
    hash: &mut Xxh3,
    name: &str,
    attributes: &[Attribute],
    relation: &dyn Fn(&str) -> u64,
) {
    hash.update(&[START]);
    hash.update(name.as_bytes());
    for attribute in attributes {
        hash.update(&[START]);
        hash.update(attribute.name.as_bytes());
        hash.update(&[END]);
        if attribute.is_relation {
            hash.update(&relation(&attribute.value).to_le_bytes());
        } else {
            hash.update(attribute.value.as_bytes());
        }
    }
    hash.update(&[START, END]);
}

/// Whether an attribute of this name, with its prefix, says nothing: programs number
/// their objects anew whenever they save (`xr:uid`), and say which extensions they
/// know.
pub(in crate::read) fn is_noise(key: &str) -> bool {
    let (prefix, name) = key.split_once(':').unwrap_or(("", key));
    matches!(
        prefix,
        "xmlns" | "xr" | "xr2" | "xr3" | "xr6" | "xr10" | "x14ac"
    ) || key == "xmlns"
        || name == "Ignorable"
}

/// The attributes that say something, in order of their names.
pub(super) fn attributes(element: &BytesStart<'_>) -> Vec<Attribute> {
    let mut found = Vec::new();
    for attribute in element.attributes().with_checks(false).flatten() {
        let key = attribute.key.as_ref().to_owned();
        if is_noise(&key) {
            continue;
        }
        let (prefix, name) = key.split_once(':').unwrap_or(("", &key));
        let raw = attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0);
        let value = raw.map_or_else(|_| attribute.value.as_ref().to_owned(), Cow::into_owned);
        found.push(Attribute {
            name: name.to_owned(),
            value,
            is_relation: prefix == "r",
        });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// Values that a chart keeps of cells, which are compared themselves.
pub(super) fn is_cache(name: &str) -> bool {
    matches!(name, "numCache" | "strCache" | "multiLvlStrCache")
}

/// A number for what a part says, in whatever order its attributes are and
/// whatever prefixes it has; of one that is not XML, for its bytes.
pub(super) fn digest(bytes: &[u8], relation: &dyn Fn(&str) -> u64, skip: &[&str]) -> u64 {
    let text = match xml::decode("", bytes) {
        Ok(text) if text.trim_start().starts_with('<') => text,
        _ => return xxh3_64(bytes),
    };
    fast_digest(&text, relation, skip).unwrap_or_else(|| slow_digest(&text, bytes, relation, skip))
}

/// Bytes that are gathered before they become part of the number.
const GATHERED: usize = 1 << 16;

/// The number for a text that is plainly written XML, without looking at it event by event:
/// parts with styles may have millions of attributes. None if there is something in it that
/// takes a closer look.
fn fast_digest(text: &str, relation: &dyn Fn(&str) -> u64, skip: &[&str]) -> Option<u64> {
    let mut hash = Xxh3::new();
    let mut said: Vec<u8> = Vec::with_capacity(GATHERED + 1024);
    let mut starts = Starts {
        relation,
        skip,
        known: HashMap::new(),
        found: Vec::new(),
        said: Vec::new(),
    };
    let mut inside = 0_u32;
    let mut tags = Tags::new(text);
    for tag in tags.by_ref() {
        match tag {
            Tag::Open(name, _, closed) if inside > 0 || is_cache(name) => {
                inside += u32::from(!closed);
            }
            Tag::Close if inside > 0 => inside -= 1,
            _ if inside > 0 => {}
            Tag::Open(name, all, closed) => {
                said.push(START);
                said.extend_from_slice(name.as_bytes());
                said.push(START);
                said.extend_from_slice(&starts.number(all)?.to_le_bytes());
                said.push(if closed { END } else { START });
            }
            Tag::Close => said.push(END),
            Tag::Text(text) => {
                if text.trim().is_empty() {
                    continue;
                }
                // Line ends are one character, however they are written.
                if text.contains('\r') {
                    return None;
                }
                said.extend_from_slice(text.as_bytes());
            }
        }
        if said.len() >= GATHERED {
            hash.update(&said);
            said.clear();
        }
    }
    hash.update(&said);
    (!tags.wrong).then(|| hash.digest())
}

/// Lists of attributes that are remembered.
const REMEMBERED: usize = 1 << 16;

/// Numbers for what attributes say; parts repeat theirs, and each list is looked at once.
struct Starts<'r, 't> {
    relation: &'r dyn Fn(&str) -> u64,
    skip: &'r [&'r str],
    /// By a number for how they are written.
    known: HashMap<u64, u64>,
    found: Vec<(&'t str, &'t str)>,
    said: Vec<u8>,
}

impl<'t> Starts<'_, 't> {
    fn number(&mut self, all: &'t str) -> Option<u64> {
        let written = xxh3_64(all.as_bytes());
        if let Some(known) = self.known.get(&written) {
            return Some(*known);
        }
        tags::attributes(all, &mut self.found)?;
        self.found
            .retain(|(key, _)| !is_noise(key) && !self.skip.contains(&tags::local(key)));
        self.found.sort_by_key(|(key, _)| tags::local(key));
        self.said.clear();
        for (key, value) in &self.found {
            self.said.push(START);
            self.said.extend_from_slice(tags::local(key).as_bytes());
            self.said.push(END);
            let value = plain_value(value)?;
            if key.starts_with("r:") {
                let number = (self.relation)(&value);
                self.said.extend_from_slice(&number.to_le_bytes());
            } else {
                self.said.extend_from_slice(value.as_bytes());
            }
        }
        let number = xxh3_64(&self.said);
        if self.known.len() < REMEMBERED {
            self.known.insert(written, number);
        }
        Some(number)
    }
}

/// A value as it is meant; none if that takes a closer look.
fn plain_value(raw: &str) -> Option<Cow<'_, str>> {
    if memchr::memchr3(b'\n', b'\r', b'\t', raw.as_bytes()).is_some() {
        return None;
    }
    if memchr::memchr(b'&', raw.as_bytes()).is_none() {
        return Some(Cow::Borrowed(raw));
    }
    quick_xml::escape::unescape(raw).ok()
}

/// The same, event by event.
fn slow_digest(text: &str, bytes: &[u8], relation: &dyn Fn(&str) -> u64, skip: &[&str]) -> u64 {
    let mut reader = xml::events(text);
    let mut hash = Xxh3::new();
    // How deep inside of what a chart remembers of its cells.
    let mut inside = 0;
    loop {
        match reader.read_event() {
            Err(_) => return xxh3_64(bytes),
            Ok(Event::Eof) => return hash.digest(),
            Ok(Event::Start(element)) if inside > 0 || is_cache(element.local_name().as_ref()) => {
                inside += 1;
            }
            Ok(Event::End(_)) if inside > 0 => inside -= 1,
            Ok(_) if inside > 0 => {}
            Ok(Event::Start(element)) => {
                let mut all = attributes(&element);
                all.retain(|attribute| !skip.contains(&&attribute.name[..]));
                feed_start(&mut hash, element.local_name().as_ref(), &all, relation);
            }
            Ok(Event::End(_)) => hash.update(&[END]),
            Ok(Event::Text(piece)) => {
                let piece = piece.xml10_content();
                if !piece.trim().is_empty() {
                    hash.update(piece.as_bytes());
                }
            }
            Ok(Event::CData(piece)) => hash.update(piece.xml10_content().as_bytes()),
            Ok(Event::GeneralRef(entity)) => hash.update(entity.as_ref().as_bytes()),
            Ok(_) => {}
        }
    }
}
