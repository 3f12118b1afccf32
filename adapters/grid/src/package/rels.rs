//! How parts of a package lead to each other.

use super::raw;
use crate::formula::{Places, Where};
use crate::workbook_map::WorkbookMap;
use crate::write::{HEAD, PACKAGE};

/// The part that says where another leads.
pub(super) fn rels_of(part: &str) -> String {
    let folder = folder_of(part);
    format!("{folder}_rels/{}.rels", &part[folder.len()..])
}

/// The folder of a part, with its last slash.
pub(super) fn folder_of(part: &str) -> &str {
    part.rfind('/').map_or("", |at| &part[..=at])
}

/// No relationships.
pub(super) fn none() -> String {
    format!("{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\"></Relationships>")
}

/// Relationships with one more.
pub(super) fn with(
    text: Option<&str>,
    id: &str,
    kind: &str,
    target: &str,
    outside: bool,
) -> String {
    let empty = none();
    let text = text.unwrap_or(&empty);
    let Some(root) = raw::root(text) else {
        return text.to_owned();
    };
    let kind = if kind.contains("://") {
        kind.to_owned()
    } else {
        format!("{}/{kind}", crate::write::RELS)
    };
    let mode = if outside {
        " TargetMode=\"External\""
    } else {
        ""
    };
    let entry = format!(
        "<{}Relationship Id=\"{}\" Type=\"{}\" Target=\"{}\"{mode}/>",
        root.prefix(),
        raw::escaped(id),
        raw::escaped(&kind),
        raw::escaped(target)
    );
    text.replace(
        root.text,
        &root.with(root.tag, &format!("{}{entry}", root.inner)),
    )
}

/// Relationships without those of these ids.
pub(super) fn without(text: &str, ids: &[String]) -> String {
    let Some(root) = raw::root(text) else {
        return text.to_owned();
    };
    let kept: String = root
        .children()
        .into_iter()
        .filter(|entry| {
            !entry
                .get("Id")
                .is_some_and(|id| ids.iter().any(|gone| *gone == id))
        })
        .map(|entry| entry.text)
        .collect();
    text.replace(root.text, &root.with(root.tag, &kept))
}

/// An id that no relationship has.
pub(super) fn free_id<'i>(taken: impl Iterator<Item = &'i String>) -> String {
    let numbers = taken.filter_map(|id| id.strip_prefix("rId")?.parse::<u32>().ok());
    let last = numbers.max().unwrap_or(0);
    format!("rId{}", u64::from(last) + 1)
}

/// Where the tag is that says what the cache of a pivot table is made of.
fn source_tag(text: &str) -> Option<std::ops::Range<usize>> {
    let at = text.find("<worksheetSource")?;
    let end = text[at..].find('>')?;
    Some(at..at + end + 1)
}

/// The sheet and the area that the cache of a pivot table is made of.
pub(super) fn source_of(text: &str) -> Option<(String, String)> {
    let tag = &text[source_tag(text)?];
    let (sheet, area) = (raw::attribute(tag, "sheet")?, raw::attribute(tag, "ref")?);
    Some((sheet.into_owned(), area.into_owned()))
}

/// A cache of a pivot table that is made of another area.
pub(super) fn with_source(text: &str, (sheet, area): &(String, String)) -> String {
    let Some(range) = source_tag(text) else {
        return text.to_owned();
    };
    let now = raw::set(&text[range.clone()], "ref", Some(area));
    let now = raw::set(&now, "sheet", Some(sheet));
    format!("{}{now}{}", &text[..range.start], &text[range.end..])
}

/// A cache of a pivot table whose source went elsewhere.
pub(super) fn pivot_source(text: &str, map: &WorkbookMap) -> String {
    let Some((sheet, area)) = source_of(text) else {
        return text.to_owned();
    };
    let places = map.seen_from(None);
    let Where::Mapped { map, name } = places.place(Some(&sheet)) else {
        return text.to_owned();
    };
    let Some(area) = area.parse().ok().and_then(|area| map.area(area)) else {
        return text.to_owned();
    };
    with_source(text, &(name.to_owned(), area.to_string()))
}
