//! Parts that a report can carry whole.

use super::{Reader, mashup, vba};
use crate::Element;
use crate::extras::{Aspect, Carried, Whole};
use crate::parts::{CarriedPart, CarriedRelation, PartContent, Parts};
use crate::read::book::Target;
use crate::read::guard::guarded;
use crate::read::package::normal;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// Parts that one may lead to and that are carried.
const MOST: usize = 1000;

/// Bytes of a chart, a picture or a pivot table that a report carries.
const LARGEST: u64 = 16 << 20;
/// Bytes of all those of a workbook.
pub(super) const ROOM: u64 = 64 << 20;

/// What the package says its parts are.
#[derive(Default)]
pub(super) struct ContentTypes {
    defaults: BTreeMap<String, String>,
    overrides: BTreeMap<String, String>,
}

impl ContentTypes {
    fn of(&self, part: &str) -> String {
        let key = normal(part);
        let ending = key.rsplit('.').next().unwrap_or_default();
        let found = self
            .overrides
            .get(&key)
            .or_else(|| self.defaults.get(ending));
        found.cloned().unwrap_or_default()
    }
}

/// Whether a part that another leads to belongs to the workbook.
fn is_apart(kind: &str) -> bool {
    matches!(
        kind,
        "pivotCacheDefinition"
            | "worksheet"
            | "officeDocument"
            | "sharedStrings"
            | "styles"
            | "theme"
    )
}

/// Whether the workbook part names what such a relationship leads to, so that it cannot
/// come or go by itself.
pub(super) fn is_named(kind: &str) -> bool {
    matches!(
        kind,
        "chartsheet"
            | "dialogsheet"
            | "xlMacrosheet"
            | "xlIntlMacrosheet"
            | "slicerCache"
            | "timelineCache"
            | "externalLink"
    )
}

impl Reader<'_, '_> {
    /// A part that belongs to no sheet, with all that it leads to; none if both packages
    /// have it.
    pub(super) fn carried(
        &self,
        aspect: Aspect,
        target: Option<&Target>,
        part: &str,
        of_package: bool,
    ) -> Option<Arc<Carried>> {
        if aspect.is_quiet() || self.same.contains(&normal(part)) {
            return None;
        }
        let mut parts = Parts {
            relation: target.map_or(String::new(), |target| target.full_kind.clone()),
            of_package,
            ..Parts::default()
        };
        self.collect(part, &mut HashSet::new(), &mut parts.parts)?;
        let bytes = &parts.parts.first()?.content.0;
        let pieces = match aspect {
            Aspect::Macros => guarded(part, || Ok(vba::modules(bytes))).ok().flatten(),
            Aspect::Queries => guarded(part, || Ok(mashup::queries(bytes))).ok().flatten(),
            _ => None,
        };
        let kind = target.map_or("part", |target| &target.kind);
        let mut said = Element {
            name: kind.to_owned(),
            attributes: [("part".to_owned(), part.to_owned())].into(),
            ..Element::default()
        };
        if let Some(pieces) = &pieces {
            let what = if aspect == Aspect::Macros {
                "modules"
            } else {
                "queries"
            };
            said.attributes
                .insert(what.to_owned(), pieces.len().to_string());
        }
        Some(Arc::new(Carried {
            said,
            stays: target.is_some_and(|target| is_named(&target.kind)),
            pieces: pieces.unwrap_or_default(),
            parts,
        }))
    }

    /// A sheet without cells, to which this relationship of the workbook leads.
    pub(in crate::read) fn whole_sheet(&self, book: &str, id: &str) -> Option<(String, Whole)> {
        let relations = self.relations(book);
        let target = relations.get(id).filter(|target| !target.outside)?;
        let digest = self.digest(&target.part, 1);
        let mut parts = Parts {
            relation: target.full_kind.clone(),
            ..Parts::default()
        };
        let is_same = self.same.contains(&normal(&target.part));
        let mut collect = || {
            let known = &mut HashSet::new();
            self.collect_some(&target.part, known, &mut parts.parts)
        };
        let whole = if is_same { None } else { collect() };
        let parts = whole.map(|()| parts);
        Some((target.part.clone(), Whole { digest, parts }))
    }

    /// A part and those that it leads to, each once; none if one cannot be read.
    pub(super) fn collect(
        &self,
        part: &str,
        known: &mut HashSet<String>,
        found: &mut Vec<CarriedPart>,
    ) -> Option<()> {
        if !known.insert(normal(part)) {
            return Some(());
        }
        if found.len() >= MOST {
            return None;
        }
        let relations = self.relations(part);
        let content = PartContent(self.bytes(part)?.into());
        let at = found.len();
        found.push(CarriedPart {
            name: part.to_owned(),
            content_type: self.types().of(part),
            content,
            relations: Vec::new(),
        });
        for (id, target) in &relations {
            if !target.outside && !is_apart(&target.kind) {
                self.collect(&target.part, known, found)?;
            }
            found[at].relations.push(relation(id, target));
        }
        Some(())
    }

    /// As [`collect`](Self::collect), as long as there is room for it: pictures may be large,
    /// and reports are read by people.
    pub(super) fn collect_some(
        &self,
        part: &str,
        known: &mut HashSet<String>,
        found: &mut Vec<CarriedPart>,
    ) -> Option<()> {
        let before = found.len();
        let packed = self.package.borrow_mut().packed(part);
        let size = packed.map_or(0, |packed| packed.size());
        if size > LARGEST || size > self.room.get() {
            return None;
        }
        self.collect(part, known, found)?;
        let size = found[before..].iter().map(|part| part.content.0.len());
        let size = size.sum::<usize>() as u64;
        self.room.set(self.room.get().checked_sub(size)?);
        (size <= LARGEST).then_some(())
    }

    fn types(&self) -> &ContentTypes {
        self.types.get_or_init(|| {
            let mut types = ContentTypes::default();
            let Some(root) = self.node("[Content_Types].xml") else {
                return types;
            };
            for entry in &root.children {
                let of = entry.get("ContentType").unwrap_or_default().to_owned();
                if let Some(name) = entry.get("PartName") {
                    types
                        .overrides
                        .insert(normal(name.trim_start_matches('/')), of);
                } else if let Some(ending) = entry.get("Extension") {
                    types.defaults.insert(ending.to_lowercase(), of);
                }
            }
            types
        })
    }
}

pub(super) fn relation(id: &str, target: &Target) -> CarriedRelation {
    CarriedRelation {
        id: id.to_owned(),
        kind: target.full_kind.clone(),
        target: if target.outside {
            target.outside_name().to_owned()
        } else {
            target.part.clone()
        },
        outside: target.outside,
    }
}
