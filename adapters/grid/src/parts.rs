//! Parts of a package as reports carry them: a part, and those that it leads to.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// A part of the package and all that it leads to, the part itself first; or all parts that
/// something in another part leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Parts {
    /// The type of the relationship that leads to the first; empty if none does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub relation: String,
    /// Whether that is one of the package and not of the workbook or a sheet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_package: bool,
    /// What names it there: the anchor of a drawing, with its relationships.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named_by: Option<NamedBy>,
    /// The parts; none if they are the same before and after.
    pub parts: Vec<CarriedPart>,
}

/// XML in another part that names parts by relationships.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NamedBy {
    /// The element.
    pub xml: String,
    /// The relationships that it names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<CarriedRelation>,
    /// How many of its kind come before it; none if it takes the place of what it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u32>,
}

/// A part.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CarriedPart {
    /// Its name in the file that it is from.
    pub name: String,
    /// Its content type.
    #[serde(rename = "type")]
    pub content_type: String,
    /// Its bytes.
    pub content: PartContent,
    /// Where it leads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<CarriedRelation>,
}

/// A relationship of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CarriedRelation {
    /// Its id.
    pub id: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The name of a part, or where it leads outside the file.
    pub target: String,
    /// It leads outside the file.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
}

/// The bytes of a part; in JSON a text, or `{"base64": "..."}` if they are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartContent(pub Arc<[u8]>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Shown<'b> {
    Text(std::borrow::Cow<'b, str>),
    Bytes { base64: String },
}

impl Serialize for PartContent {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let shown = match std::str::from_utf8(&self.0) {
            Ok(text) => Shown::Text(text.into()),
            Err(_) => Shown::Bytes {
                base64: STANDARD.encode(&self.0),
            },
        };
        shown.serialize(out)
    }
}

impl<'de> Deserialize<'de> for PartContent {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let bytes = match Shown::deserialize(from)? {
            Shown::Text(text) => text.into_owned().into_bytes(),
            Shown::Bytes { base64 } => STANDARD
                .decode(base64)
                .map_err(|error| serde::de::Error::custom(format_args!("no base64: {error}")))?,
        };
        Ok(Self(bytes.into()))
    }
}

impl Parts {
    /// About how many bytes a report needs for it.
    pub(crate) fn size(&self) -> u64 {
        let xml = self.named_by.as_ref().map_or(0, |by| by.xml.len());
        let parts = self
            .parts
            .iter()
            .map(|part| part.content.0.len() / 3 * 4 + 200);
        (xml + parts.sum::<usize>()) as u64
    }
}
