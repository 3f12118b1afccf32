//! Pivot tables of a sheet. What they count on belongs to the workbook.

use super::Reader;
use super::dom::Node;
use super::sheet::{Shell, areas};
use crate::Element;
use crate::extras::{Aspect, Extra, Object, Payload};
use crate::parts::NamedBy;
use crate::read::book::Target;
use std::collections::HashSet;
use std::sync::Arc;

/// Bytes of a pivot table beyond which it is not taken apart.
const LONGEST: u64 = 16 << 20;

impl Reader<'_, '_> {
    /// Takes a pivot table; whether it could be taken apart.
    pub(super) fn pivot(&self, target: &Target, at: u32, read: &mut Shell<'_>) -> bool {
        let packed = self.package.borrow_mut().packed(&target.part);
        if packed.is_none_or(|packed| packed.size() > LONGEST) {
            return false;
        }
        let Some(mut node) = self.node(&target.part) else {
            return false;
        };
        if node.name != "pivotTableDefinition" {
            return false;
        }
        let below = self.relations(&target.part);
        let cache = below
            .values()
            .find(|to| !to.outside && to.kind == "pivotCacheDefinition");
        let size = |part: &str| self.package.borrow_mut().packed(part).map(|p| p.size());
        let cache = cache.filter(|cache| size(&cache.part).is_some_and(|size| size <= LONGEST));
        let cache = cache.and_then(|cache| self.node(&cache.part));
        let said = describe(&node, cache.as_ref());
        // Programs number caches anew.
        node.take("cacheId");
        let mut place = Vec::new();
        for child in &mut node.children {
            if child.name == "location" {
                place = areas(child.take("ref").as_deref());
            }
        }
        let mut parts = Vec::new();
        let mut carried = self.collect_some(&target.part, &mut HashSet::new(), &mut parts);
        // What it counts on, for one that comes where no such cache is.
        let is_cache = |to: &&Target| !to.outside && to.kind == "pivotCacheDefinition";
        if let (Some(()), Some(cache)) = (carried, below.values().find(is_cache)) {
            carried = self.collect_some(&cache.part, &mut HashSet::new(), &mut parts);
        }
        let digest = node.digest(&|_| 0);
        self.reach(&target.part);
        read.items.push(Extra {
            aspect: Aspect::Pivots,
            formulas: said.get("source").map(str::to_owned).into_iter().collect(),
            digest,
            part: target.part.as_str().into(),
            payload: Some(Arc::new(Payload::Object(Object {
                said,
                corners: place.iter().flat_map(|a| [a.first, a.last]).collect(),
                content: digest,
                named_by: NamedBy::default(),
                at,
                relation: target.full_kind.clone(),
                parts: carried.map(|()| parts),
            }))),
            areas: place,
            label: None,
        });
        true
    }
}

/// Its name, where its data is, and its fields.
fn describe(pivot: &Node, cache: Option<&Node>) -> Element {
    let mut said = Element {
        name: "pivotTable".to_owned(),
        ..Element::default()
    };
    if let Some(name) = pivot.get("name") {
        said.attributes.insert("name".to_owned(), name.to_owned());
    }
    let source = cache
        .and_then(|cache| cache.child("cacheSource"))
        .and_then(|source| source.child("worksheetSource"));
    if let Some(source) = source {
        let text = match (source.get("sheet"), source.get("ref"), source.get("name")) {
            (Some(sheet), Some(area), _) => {
                format!("'{}'!{area}", sheet.replace('\'', "''"))
            }
            (None, Some(area), _) => area.to_owned(),
            (_, None, name) => name.unwrap_or_default().to_owned(),
        };
        said.attributes.insert("source".to_owned(), text);
    }
    let fields = cache.and_then(|cache| cache.child("cacheFields"));
    let names: Vec<&str> = fields
        .iter()
        .flat_map(|fields| fields.all("cacheField"))
        .map(|field| field.get("name").unwrap_or_default())
        .collect();
    let mut say = |kind: &str, name: String| {
        said.children.push(Element {
            name: kind.to_owned(),
            text: name,
            ..Element::default()
        });
    };
    for (list, entry, number, kind) in [
        ("rowFields", "field", "x", "rows"),
        ("colFields", "field", "x", "columns"),
        ("pageFields", "pageField", "fld", "filters"),
    ] {
        for field in pivot.child(list).iter().flat_map(|list| list.all(entry)) {
            // -2 is where the values are.
            let Some(at) = field.number(number) else {
                continue;
            };
            let name = names.get(at as usize).map(|name| (*name).to_owned());
            say(kind, name.unwrap_or_else(|| format!("field {at}")));
        }
    }
    let values = pivot.child("dataFields");
    for field in values.iter().flat_map(|list| list.all("dataField")) {
        say("values", field.get("name").unwrap_or_default().to_owned());
    }
    said
}
