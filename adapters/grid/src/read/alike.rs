//! What two packages have in common, byte for byte.

use super::book;
use super::package::{Package, normal};
use crate::extras::{Aspect, PartDigest};
use std::collections::{HashMap, HashSet};
use xxhash_rust::xxh3::xxh3_64;

/// The parts that are the same bytes under the same name in both, with all that
/// they lead to.
pub(super) fn same_parts(old: &mut Package<'_>, new: &mut Package<'_>) -> HashSet<String> {
    let mut same: HashSet<String> = old
        .part_names()
        .into_iter()
        .filter(|name| old.packed(name).is_some() && old.packed(name) == new.packed(name))
        .collect();
    // A part is not the same if something that it leads to is not.
    let mut leads: HashMap<String, Vec<String>> = HashMap::new();
    for name in old.part_names() {
        let Some((part, folder)) = owner(&name) else {
            continue;
        };
        if !same.contains(&part) {
            continue;
        }
        if !same.contains(&name) {
            same.remove(&part);
            continue;
        }
        let rels = book::relationships(old, &name, &folder).unwrap_or_default();
        let inside = rels.into_values().filter(|target| !target.outside);
        leads.insert(part, inside.map(|target| normal(&target.part)).collect());
    }
    // One that has got its first relationships.
    for name in new.part_names() {
        if let Some((part, _)) = owner(&name)
            && !same.contains(&name)
        {
            same.remove(&part);
        }
    }
    loop {
        let changed: Vec<&String> = leads
            .iter()
            .filter(|(part, to)| same.contains(*part) && to.iter().any(|to| !same.contains(to)))
            .map(|(part, _)| part)
            .collect();
        if changed.is_empty() {
            return same;
        }
        for part in changed {
            same.remove(part);
        }
    }
}

/// Whether a part holds relationships; names are in lower case.
pub(super) fn is_rels(part: &str) -> bool {
    part.rsplit('.').next() == Some("rels")
}

/// The part that relationships belong to, and its folder.
fn owner(rels: &str) -> Option<(String, String)> {
    let (folder, file) = rels.split_once("_rels/")?;
    let file = file.strip_suffix(".rels").filter(|file| !file.is_empty())?;
    Some((format!("{folder}{file}"), folder.to_owned()))
}

/// The parts of a package of which only cells are read, by their bytes; those that
/// change whenever somebody saves it are distinguished.
pub(super) fn opaque(package: &mut Package<'_>) -> Vec<PartDigest> {
    let mut found = Vec::new();
    for part in package.part_names() {
        if part.ends_with('/') || is_rels(&part) || part == "meta-inf/manifest.xml" {
            continue;
        }
        let passing = part.starts_with("docprops/")
            || part.starts_with("thumbnails/")
            || matches!(
                &part[..],
                "meta.xml" | "settings.xml" | "mimetype" | "[content_types].xml"
            );
        let aspect = match part.rsplit('/').next() {
            _ if passing => Aspect::Properties,
            Some("vbaproject.bin") => Aspect::Macros,
            Some("calcchain.bin") => Aspect::Calculation,
            Some("theme1.xml") => Aspect::Theme,
            _ => Aspect::Other,
        };
        found.push(PartDigest {
            aspect,
            digest: package.packed(&part).map_or(0, |packed| packed.hash()),
            part,
            carried: None,
            piece: None,
        });
    }
    found
}

/// A file that is one piece to us.
pub(super) fn whole(bytes: &[u8]) -> Vec<PartDigest> {
    vec![PartDigest {
        aspect: Aspect::Other,
        digest: xxh3_64(bytes),
        part: "the file".to_owned(),
        carried: None,
        piece: None,
    }]
}
