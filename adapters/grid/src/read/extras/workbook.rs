//! What the workbook part says besides sheets, names and links.

use super::dom::Node;
use super::{Reader, residue, unnamed};
use crate::extras::{Aspect, PartDigest, Piece};
use xxhash_rust::xxh3::xxh3_64;

impl Reader<'_, '_> {
    /// What the workbook part says besides sheets and names.
    pub(super) fn workbook(&self, part: &str, found: &mut Vec<PartDigest>) {
        let Some(mut root) = self.node(part) else {
            return;
        };
        let none = |_: &str| 0;
        let mut push = |aspect, digest, piece| {
            found.push(PartDigest {
                aspect,
                digest,
                part: part.to_owned(),
                carried: None,
                piece,
            });
        };
        let left = |label: String, name: Option<&str>| {
            let name = name.map(str::to_owned);
            Some(Piece { name, label })
        };
        let rels = self.relations(part);
        let kinds = ["externalLink", "pivotCacheDefinition"];
        for kind in unnamed(&rels, &root.relations(), &kinds) {
            let aspect = match kind {
                "externalLink" => Aspect::Links,
                _ => Aspect::Pivots,
            };
            let label = format!("no element names a {kind}");
            push(aspect, 0, left(label, None));
        }
        for mut child in std::mem::take(&mut root.children) {
            let aspect = match &child.name[..] {
                "definedNames" => {
                    for (name, label, digest) in names(&mut child) {
                        push(Aspect::Other, digest, left(label, Some(&name)));
                    }
                    continue;
                }
                "sheets" | "externalReferences" | "pivotCaches" => {
                    for mut entry in std::mem::take(&mut child.children) {
                        for taken in ["name", "state", "id"] {
                            entry.take(taken);
                        }
                        for (label, digest) in residue::pieces(&entry, &none) {
                            push(Aspect::Other, digest, left(label, None));
                        }
                    }
                    for (label, digest) in residue::pieces(&child, &none) {
                        push(Aspect::Other, digest, left(label, None));
                    }
                    continue;
                }
                "workbookProtection" | "fileSharing" => Aspect::Protection,
                "calcPr" | "calcPr14" => {
                    // The version of the program that calculated last.
                    child.take("calcId");
                    Aspect::Calculation
                }
                "bookViews" | "customWorkbookViews" => Aspect::Selection,
                "fileVersion" | "workbookPr" | "AlternateContent" | "revisionPtr"
                | "fileRecoveryPr" | "extLst" => Aspect::Properties,
                _ => Aspect::Other,
            };
            let piece = left(child.name.clone(), None).filter(|_| aspect == Aspect::Other);
            push(aspect, child.digest(&none), piece);
        }
        for (label, digest) in residue::pieces(&root, &none) {
            push(Aspect::Other, digest, left(label, None));
        }
    }
}

/// What defined names say of themselves besides what they stand for: the name, what it is
/// called, and a number.
fn names(list: &mut Node) -> Vec<(String, String, u64)> {
    let mut found = Vec::new();
    for mut name in std::mem::take(&mut list.children) {
        let called = name.take("name").unwrap_or_default();
        let local = name.take("localSheetId").is_some();
        name.text.clear();
        // It only says again what a filter says.
        if called == "_xlnm._FilterDatabase" {
            continue;
        }
        for (label, digest) in residue::pieces(&name, &|_| 0) {
            let label = label.replacen("definedName ", "", 1);
            let key = format!("{called} {local} {digest}");
            found.push((called.clone(), label, xxh3_64(key.as_bytes())));
        }
    }
    found
}
