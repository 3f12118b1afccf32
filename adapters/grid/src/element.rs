//! Pieces of a workbook as reports carry them: XML elements, and what styles say.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An XML element: a validation rule, a link, a conditional format.
///
/// References to other parts are resolved: a link has its target, a rule the style that
/// it gives, and not their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Element {
    /// Its name, without a prefix.
    pub name: String,
    /// Its attributes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, String>,
    /// The text in it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The elements in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Element>,
}

impl Element {
    /// The value of an attribute.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }

    /// The first child of this name.
    #[must_use]
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// About how many bytes it takes.
    pub(crate) fn size(&self) -> u64 {
        let own = self.name.len() + self.text.len() + 64;
        let attributes = self.attributes.iter().map(|(k, v)| k.len() + v.len() + 16);
        let children: u64 = self.children.iter().map(Self::size).sum();
        (own + attributes.sum::<usize>()) as u64 + children
    }
}

/// What a style says, by path: `font.b`, `font.sz@val`, `fill.patternFill.fgColor@rgb`,
/// `alignment@horizontal`.
pub type StyleProps = BTreeMap<String, String>;

/// A note on a cell, or a remark in a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Comment {
    /// Who wrote it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub author: String,
    /// What it says.
    pub text: String,
    /// Its place in a thread of comments; none for a note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<Thread>,
}

/// The place of a comment in a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Thread {
    /// Its id.
    pub id: String,
    /// The comment that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The id of who wrote it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub person: String,
    /// When it was written.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub time: String,
    /// Whether the thread is resolved.
    #[serde(default, skip_serializing_if = "is_false")]
    pub done: bool,
}

/// How a row or a column is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineState {
    /// It is hidden.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// The level of its group; 0 if it is in none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub level: u8,
    /// The group beside it is folded.
    #[serde(default, skip_serializing_if = "is_false")]
    pub collapsed: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde hands out references
fn is_false(is: &bool) -> bool {
    !is
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde hands out references
fn is_zero(level: &u8) -> bool {
    *level == 0
}
