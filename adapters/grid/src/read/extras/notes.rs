//! Comments of a sheet, and the boxes that they are shown in.

use super::dom::{Attribute, Node};
use super::sheet::{Shell, areas};
use super::{residue, runs};
use crate::extras::{Aspect, Extra, Payload};
use crate::{Address, Area, Comment, Thread};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

impl Shell<'_> {
    /// Comments, each with its author and its text.
    pub fn comments(&mut self, part: &str, mut root: Node) {
        let authors: Vec<String> = root
            .child("authors")
            .map(|authors| {
                let texts = authors.all("author").map(|a| a.text.trim().to_owned());
                texts.collect()
            })
            .unwrap_or_default();
        let at = root.children.iter().position(|c| c.name == "commentList");
        let list = match at {
            Some(at) => std::mem::take(&mut root.children[at].children),
            None => std::mem::take(&mut root.children),
        };
        let own = self.items.len();
        for comment in list {
            self.comment(part, comment, &authors);
        }
        // Who wrote comments is compared with them.
        root.children
            .retain(|child| !matches!(&child.name[..], "authors" | "commentList"));
        self.left(&root, &[]);
        for item in &mut self.items[own..] {
            item.part = part.into();
        }
    }

    fn comment(&mut self, part: &str, mut comment: Node, authors: &[String]) {
        let author = comment.number("authorId");
        let author = author.and_then(|id| authors.get(id as usize));
        let author = author.map(String::as_str);
        let text = comment.child("text").map(Node::all_text);
        let text = text.unwrap_or_default();
        let person = comment.get("personId").unwrap_or_default();
        let done = comment.get("done").unwrap_or_default();
        let said = format!("{}\n{person}\n{done}\n{text}", author.unwrap_or_default());
        let thread = (comment.name == "threadedComment").then(|| Thread {
            id: comment.get("id").unwrap_or_default().to_owned(),
            parent: comment.get("parentId").map(str::to_owned),
            person: person.to_owned(),
            time: comment.get("dT").unwrap_or_default().to_owned(),
            done: comment.is("done"),
        });
        let author = match &thread {
            Some(thread) => self.persons.get(&thread.person).map(String::as_str),
            None => author,
        };
        let author = author.unwrap_or_default().to_owned();
        let places = areas(comment.get("ref"));
        self.items.push(Extra {
            aspect: Aspect::Comments,
            areas: places.clone(),
            formulas: Vec::new(),
            digest: xxh3_64(said.as_bytes()),
            part: part.into(),
            payload: Some(Arc::new(Payload::Comment(Comment {
                author,
                text,
                thread,
            }))),
            label: None,
        });
        if let Some(look) = comment.child("text").and_then(runs::look_of_note) {
            let label = "font of its text";
            self.push_left(Aspect::Comments, &places, label, look);
        }
        for taken in ["ref", "authorId", "personId", "done"] {
            comment.take(taken);
        }
        comment.children.retain(|child| child.name != "text");
        self.left(&comment, &places);
    }

    /// Old drawings: the boxes of comments, and controls. Where a box is is not a
    /// matter; whether it is shown, and its colour, is.
    pub fn boxes(&mut self, part: &str, root: Node) {
        self.boxes.get_or_insert_default();
        let own = self.items.len();
        for mut shape in root.children {
            let data = shape.children.iter().position(|c| c.name == "ClientData");
            let Some(data) = data.filter(|_| shape.name == "shape") else {
                if !residue::is_meaningless("xml", &shape.name) {
                    let digest = xxh3_64(picture(&shape).as_bytes());
                    self.push_left(Aspect::Drawings, &[], &shape.name, digest);
                }
                continue;
            };
            let data = shape.children.remove(data);
            if data.get("ObjectType") == Some("Note") {
                if shape.get("fillcolor").is_none() {
                    shape.attributes.push(Attribute::new("fillcolor", "white"));
                }
                self.note_box(&shape, data);
                continue;
            }
            let said: Vec<String> = data
                .children
                .iter()
                .filter(|child| child.name != "Anchor")
                .map(|child| format!("{}={}", child.name, child.all_text()))
                .collect();
            let kind = data.get("ObjectType").unwrap_or_default();
            let words = shape.child("textbox").map(Node::all_text);
            let said = format!("{kind} {words:?} {said:?}");
            self.push(Aspect::Controls, xxh3_64(said.as_bytes()));
        }
        for item in &mut self.items[own..] {
            item.part = part.into();
        }
    }

    /// Looks for notes without a box, which are not shown, and boxes without a note. A sheet
    /// without boxes gets them from the program.
    pub fn match_boxes(&mut self) {
        let Some(boxes) = self.boxes.take() else {
            return;
        };
        let is_note = |item: &&Extra| match item.payload.as_deref() {
            Some(Payload::Comment(comment)) => comment.thread.is_none(),
            _ => false,
        };
        let notes = self.items.iter().filter(is_note);
        let notes: BTreeSet<Area> = notes.filter_map(|n| n.areas.first().copied()).collect();
        for area in notes.symmetric_difference(&boxes) {
            let label = if notes.contains(area) {
                "a note without a box"
            } else {
                "a box without a note"
            };
            self.push_left(Aspect::Comments, &[*area], label, 0);
        }
    }

    /// The box of a note.
    fn note_box(&mut self, shape: &Node, mut data: Node) {
        let line = |name: &str| data.child(name)?.all_text().trim().parse::<u32>().ok();
        let at = line("Row").zip(line("Column"));
        let places: Vec<Area> = at
            .map(|(row, col)| Address::new(row, col))
            .map(|first| Area { first, last: first })
            .into_iter()
            .collect();
        self.boxes.get_or_insert_default().extend(places.first());
        data.take("ObjectType");
        data.children
            .retain(|child| !matches!(&child.name[..], "Row" | "Column"));
        for node in [shape, &data] {
            let part = Arc::clone(&self.part);
            let found = residue::extras(node, Aspect::Comments, &places, &part, self.relation);
            self.items.extend(found);
        }
    }
}

/// What a shape that belongs to no cell says, without its numbers.
fn picture(node: &Node) -> String {
    let mut said = format!("<{} {}", node.name, node.text);
    for attribute in &node.attributes {
        if !residue::is_meaningless("shape", &attribute.name) {
            let _ = write!(said, " {}={}", attribute.name, attribute.value);
        }
    }
    for child in &node.children {
        said.push_str(&picture(child));
    }
    said.push('>');
    said
}
