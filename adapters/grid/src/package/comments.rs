//! Comments of a sheet: notes with their boxes, and threads.

use super::follow::Follow;
use super::raw::{self, Piece, escaped};
use crate::formula::Places;
use crate::read::extras::Node;
use crate::write::{HEAD, MAIN};
use crate::{Address, Comment, DiffOp, Thread};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Comments that went and came in one sheet.
#[derive(Default)]
pub(super) struct CommentChanges<'r> {
    /// With their old places.
    gone: Vec<(Address, &'r Comment)>,
    /// With their new places.
    came: Vec<(Address, &'r Comment)>,
    /// Old and new places of those that were edited.
    edited: Vec<(Address, Address)>,
}

const THREADS: &str = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments";

/// The font of a comment's text, if all of it has one.
fn font_of(comment: &raw::Element<'_>) -> Option<String> {
    let runs = comment.child("text")?.children();
    let fonts = runs
        .iter()
        .map(|run| run.child("rPr").map(|font| font.text));
    let mut fonts: Vec<Option<&str>> = fonts.collect();
    fonts.dedup();
    match fonts[..] {
        [Some(font)] => Some(font.to_owned()),
        _ => None,
    }
}

impl<'r> CommentChanges<'r> {
    pub fn take(&mut self, op: &'r DiffOp) {
        match op {
            DiffOp::CommentAdded { addr, comment, .. } => self.came.push((addr.0, comment)),
            DiffOp::CommentRemoved { addr, comment, .. } => self.gone.push((addr.0, comment)),
            DiffOp::CommentEdited {
                addr,
                from_addr,
                from,
                to,
                ..
            } => {
                self.edited.push((from_addr.0, addr.0));
                self.gone.push((from_addr.0, from));
                self.came.push((addr.0, to));
            }
            _ => {}
        }
    }

    fn came(&self, threads: bool) -> impl Iterator<Item = &(Address, &'r Comment)> {
        let wanted = move |c: &&(Address, &Comment)| c.1.thread.is_some() == threads;
        self.came.iter().filter(wanted)
    }

    pub fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.came.is_empty()
    }

    /// Whether notes came, or comments in threads.
    pub fn adds(&self, threads: bool) -> bool {
        self.came(threads).next().is_some()
    }

    /// Persons that new comments name: ids and names.
    pub fn persons(&self) -> impl Iterator<Item = (&'r str, &'r str)> {
        self.came.iter().filter_map(|(_, comment)| {
            let thread = comment.thread.as_ref()?;
            Some((&thread.person[..], &comment.author[..]))
        })
    }

    /// The part with notes, and the places of all of them.
    pub fn notes<P: Places>(
        &self,
        old: Option<&str>,
        follow: &Follow<'_, P>,
    ) -> (String, BTreeSet<Address>) {
        let empty = format!(
            "{HEAD}<comments xmlns=\"{MAIN}\"><authors></authors><commentList></commentList></comments>"
        );
        let text = old.unwrap_or(&empty);
        let mut places = BTreeSet::new();
        let Some(root) = raw::root(text) else {
            return (text.to_owned(), places);
        };
        let prefix = root.prefix();
        let list = |name: &str| root.child(name).map(|e| e.children()).unwrap_or_default();
        let mut authors: Vec<String> = list("authors").iter().map(raw::Element::content).collect();
        let known = authors.len();
        let mut fonts: BTreeMap<Address, String> = BTreeMap::new();
        let mut inner = String::new();
        for comment in list("commentList") {
            let at = comment.get("ref").and_then(|at| at.parse::<Address>().ok());
            let author = comment.number("authorId");
            let author = author.and_then(|id| authors.get(id as usize).cloned());
            let said = Comment {
                author: author.unwrap_or_default().trim().to_owned(),
                text: text_of(&comment),
                thread: None,
            };
            if let Some(at) = at.filter(|at| self.gone.contains(&(*at, &said))) {
                // An edited text keeps the font that it had.
                let to = self.edited.iter().find(|(from, _)| *from == at);
                let font = font_of(&comment);
                fonts.extend(to.map(|(_, to)| *to).zip(font));
                continue;
            }
            let Some(now) = follow.element(&comment) else {
                continue;
            };
            places.extend(at.and_then(|at| follow.map.get(at)));
            inner.push_str(&now);
        }
        for (at, comment) in self.came(false) {
            places.insert(*at);
            let id = authors.iter().position(|a| a.trim() == comment.author);
            let id = id.unwrap_or_else(|| {
                authors.push(comment.author.clone());
                authors.len() - 1
            });
            let font = fonts.get(at).map_or("", String::as_str);
            let _ = write!(
                inner,
                "<{prefix}comment ref=\"{at}\" authorId=\"{id}\"><{prefix}text><{prefix}r>{font}\
                 <{prefix}t xml:space=\"preserve\">{}</{prefix}t></{prefix}r></{prefix}text></{prefix}comment>",
                between(&comment.text)
            );
        }
        let mut out = String::new();
        for child in root.children() {
            match child.name() {
                "authors" => {
                    let more: String = authors[known..]
                        .iter()
                        .map(|a| format!("<{prefix}author>{}</{prefix}author>", between(a)))
                        .collect();
                    out.push_str(&child.with(child.tag, &format!("{}{more}", child.inner)));
                }
                "commentList" => out.push_str(&child.with(child.tag, &inner)),
                _ => out.push_str(child.text),
            }
        }
        (text.replace(root.text, &root.with(root.tag, &out)), places)
    }

    /// The part with threads.
    pub fn threads<P: Places>(&self, old: Option<&str>, follow: &Follow<'_, P>) -> String {
        let empty = format!("{HEAD}<ThreadedComments xmlns=\"{THREADS}\"></ThreadedComments>");
        let text = old.unwrap_or(&empty);
        let Some(root) = raw::root(text) else {
            return text.to_owned();
        };
        let prefix = root.prefix();
        let mut inner = String::new();
        for comment in root.children() {
            let at = comment.get("ref").and_then(|at| at.parse::<Address>().ok());
            let id = comment.get("id").unwrap_or_default();
            let text = text_of(&comment);
            let done = matches!(comment.get("done").as_deref(), Some("1" | "true"));
            let gone = |(from, said): &(Address, &Comment)| {
                let same = |t: &Thread| t.id == id && t.done == done;
                Some(*from) == at && said.thread.as_ref().is_some_and(same) && said.text == text
            };
            if self.gone.iter().any(gone) {
                continue;
            }
            inner.extend(follow.element(&comment));
        }
        for (at, comment) in self.came(true) {
            let Some(thread) = &comment.thread else {
                continue;
            };
            let _ = write!(
                inner,
                "<{prefix}threadedComment ref=\"{at}\" dT=\"{}\" personId=\"{}\" id=\"{}\"",
                escaped(&thread.time),
                escaped(&thread.person),
                escaped(&thread.id)
            );
            if let Some(parent) = &thread.parent {
                let _ = write!(inner, " parentId=\"{}\"", escaped(parent));
            }
            if thread.done {
                inner.push_str(" done=\"1\"");
            }
            let said = between(&comment.text);
            let _ = write!(
                inner,
                "><{prefix}text>{said}</{prefix}text></{prefix}threadedComment>"
            );
        }
        text.replace(root.text, &root.with(root.tag, &inner))
    }
}

/// What a comment says, as it is read.
fn text_of(comment: &raw::Element<'_>) -> String {
    let node = Node::parse(comment.text);
    let text = node.as_ref().and_then(|node| node.child("text"));
    text.map(Node::all_text).unwrap_or_default()
}

/// Text between tags; white space stays as it is.
fn between(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('\r', "&#13;")
}

/// The boxes of notes in these places: old ones, and new ones where there are none.
pub(super) fn boxes(old: Option<&str>, places: &BTreeSet<Address>) -> String {
    let empty = "<xml xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:o=\"urn:schemas-microsoft-com:office:office\" \
         xmlns:x=\"urn:schemas-microsoft-com:office:excel\">\
         <v:shapetype id=\"_x0000_t202\" coordsize=\"21600,21600\" o:spt=\"202\" path=\"m,l,21600r21600,l21600,xe\">\
         <v:stroke joinstyle=\"miter\"/><v:path gradientshapeok=\"t\" o:connecttype=\"rect\"/></v:shapetype></xml>";
    let text = old.unwrap_or(empty);
    let Some(root) = raw::root(text) else {
        return text.to_owned();
    };
    let mut missing = places.clone();
    let mut inner = String::new();
    let mut shapes = 0;
    for piece in raw::pieces(root.inner).unwrap_or_default() {
        match piece {
            Piece::Element(shape) if shape.name() == "shape" => {
                shapes += 1;
                let at = note_at(&shape);
                if at.is_none_or(|at| missing.remove(&at)) {
                    inner.push_str(shape.text);
                }
            }
            Piece::Element(other) => inner.push_str(other.text),
            Piece::Other(other) => inner.push_str(other),
        }
    }
    for at in missing {
        shapes += 1;
        let (row, col) = (at.row, at.col);
        let _ = write!(
            inner,
            "<v:shape id=\"_x0000_s{}\" type=\"#_x0000_t202\" style=\"position:absolute;width:108pt;height:59.25pt;\
             z-index:{shapes};visibility:hidden\" fillcolor=\"#ffffe1\" o:insetmode=\"auto\"><v:fill color2=\"#ffffe1\"/>\
             <v:shadow on=\"t\" color=\"black\" obscured=\"t\"/><v:path o:connecttype=\"none\"/>\
             <v:textbox style=\"mso-direction-alt:auto\"/><x:ClientData ObjectType=\"Note\"><x:MoveWithCells/>\
             <x:SizeWithCells/><x:Anchor>{}, 15, {row}, 10, {}, 15, {}, 4</x:Anchor><x:AutoFill>False</x:AutoFill>\
             <x:Row>{row}</x:Row><x:Column>{col}</x:Column></x:ClientData></v:shape>",
            FIRST_SHAPE + shapes,
            col + 1,
            col + 3,
            row + 4
        );
    }
    text.replace(root.text, &root.with(root.tag, &inner))
}

/// Shapes of the first sheet are numbered from here.
const FIRST_SHAPE: u32 = 1 << 16;

/// The cell that a box belongs to, if it is one of a note.
fn note_at(shape: &raw::Element<'_>) -> Option<Address> {
    let data = shape.child("ClientData")?;
    if data.get("ObjectType").as_deref() != Some("Note") {
        return None;
    }
    let line = |name: &str| data.child(name)?.content().trim().parse().ok();
    Some(Address::new(line("Row")?, line("Column")?))
}
