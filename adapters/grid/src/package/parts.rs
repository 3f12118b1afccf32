//! Parts that came, went or changed whole: macros, queries, charts.

use super::archive::{Archive, CONTENT_TYPES};
use super::raw;
use super::rels::{self, rels_of};
use crate::parts::{CarriedPart, CarriedRelation, Parts};
use crate::read::book::Target;
use crate::read::package::normal;
use std::collections::{BTreeSet, HashMap};

impl Archive<'_, '_> {
    /// Puts parts in the place of others to which `holder` leads; the empty holder is the
    /// package.
    pub fn swap(&mut self, holder: &str, from: Option<&Parts>, to: Option<&Parts>) {
        let old = from.and_then(|from| self.find(holder, from));
        match (old, to) {
            (Some(old), None) if from.is_some_and(|from| from.relation.is_empty()) => {
                self.remove(&old);
            }
            // What only it led to goes in the end.
            (Some(old), None) => self.unlink(holder, &old),
            (old, Some(to)) => {
                let Some(first) = to.parts.first() else {
                    return;
                };
                let name = old.clone().unwrap_or_else(|| self.free_name(&first.name));
                self.put_tree(&name, from, to);
                let known = |to: &Target| !to.outside && normal(&to.part) == normal(&name);
                let is_linked = self.relations(holder).values().any(known);
                if !is_linked && !to.relation.is_empty() {
                    let id = rels::free_id(self.relations(holder).keys());
                    self.link(holder, &id, &to.relation, &format!("/{name}"), false);
                }
            }
            (None, None) => {}
        }
    }

    /// The part that these are in this file: by its name, else by its bytes.
    pub fn find(&mut self, holder: &str, parts: &Parts) -> Option<String> {
        let first = parts.parts.first()?;
        if parts.relation.is_empty() {
            return self.has(&first.name).then(|| first.name.clone());
        }
        let targets: Vec<String> = self
            .relations(holder)
            .into_values()
            .filter(|to| !to.outside && to.full_kind == parts.relation)
            .map(|to| to.part)
            .collect();
        let named = targets
            .iter()
            .find(|part| normal(part) == normal(&first.name));
        let named = named.cloned();
        named.or_else(|| {
            let same = |part: &&String| {
                let bytes = self.bytes(part);
                bytes.is_some_and(|bytes| *bytes == *first.content.0)
            };
            targets.iter().find(same).cloned()
        })
    }

    /// Writes parts in the place of others, the first of them under this name if there is
    /// one; their names in this file by those that they had.
    pub fn put_parts(
        &mut self,
        first: Option<String>,
        from: Option<&Parts>,
        to: &Parts,
    ) -> HashMap<String, String> {
        let Some(part) = to.parts.first() else {
            return HashMap::new();
        };
        let is_there = self.bytes(&part.name);
        let is_same = is_there.is_some_and(|old| *old == *part.content.0);
        let first = match first {
            Some(first) => first,
            None if is_same && part.relations.is_empty() => part.name.clone(),
            None => self.free_name(&part.name),
        };
        self.put_tree(&first, from, to)
    }

    /// Writes parts, the first of them under this name.
    fn put_tree(
        &mut self,
        name: &str,
        from: Option<&Parts>,
        to: &Parts,
    ) -> HashMap<String, String> {
        // In a merge those of ours may have other names.
        let is_there = |part: &&CarriedPart| {
            let bytes = self.bytes(&part.name);
            bytes.is_some_and(|bytes| *bytes == *part.content.0)
        };
        let own: BTreeSet<String> = from
            .iter()
            .flat_map(|from| &from.parts)
            .filter(is_there)
            .map(|part| normal(&part.name))
            .collect();
        let names = self.names_for(name, &own, &to.parts);
        for part in &to.parts {
            let name = &names[&part.name];
            self.put_bytes(name, &part.content.0);
            self.declare(name, &part.content_type);
            self.put_relations(name, &part.relations, &names);
        }
        names
    }

    /// Names for parts in this file: their own if they are free, or were theirs before.
    fn names_for(
        &mut self,
        first: &str,
        own: &BTreeSet<String>,
        parts: &[CarriedPart],
    ) -> HashMap<String, String> {
        let mut names: HashMap<String, String> = HashMap::new();
        for (at, part) in parts.iter().enumerate() {
            let same = |archive: &mut Self| {
                let bytes = archive.bytes(&part.name);
                part.relations.is_empty() && bytes.is_some_and(|old| *old == *part.content.0)
            };
            // Several may lead to one picture.
            let shared = part.name.contains("/media/");
            let name = if at == 0 {
                first.to_owned()
            } else if !is_part_name(&part.name) {
                self.free_name("xl/parts/part1.bin")
            } else if (own.contains(&normal(&part.name)) && !shared) || same(self) {
                part.name.clone()
            } else {
                self.free_name(&part.name)
            };
            // Taken from now on.
            self.put_bytes(&name, &part.content.0);
            names.insert(part.name.clone(), name);
        }
        names
    }

    /// A name that no part has, like this one.
    pub fn free_name(&self, like: &str) -> String {
        let like = if is_part_name(like) {
            like
        } else {
            "xl/parts/part1.bin"
        };
        if !self.has(like) {
            return like.to_owned();
        }
        let (stem, ending) = like.rsplit_once('.').unwrap_or((like, "bin"));
        let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        let mut names = (1..=u32::MAX).map(|number| format!("{stem}{number}.{ending}"));
        names.find(|name| !self.has(name)).unwrap_or_default()
    }

    fn put_relations(
        &mut self,
        part: &str,
        relations: &[CarriedRelation],
        names: &HashMap<String, String>,
    ) {
        let target = |relation: &CarriedRelation| {
            let renamed = names.get(&relation.target).filter(|_| !relation.outside);
            renamed.unwrap_or(&relation.target).clone()
        };
        let wanted: BTreeSet<(String, String, String)> = relations
            .iter()
            .map(|relation| (relation.id.clone(), relation.kind.clone(), target(relation)))
            .collect();
        let there: BTreeSet<(String, String, String)> = self
            .relations(part)
            .into_iter()
            .map(|(id, to)| (id, to.full_kind.clone(), to.outside_name().to_owned()))
            .collect();
        if wanted == there {
            return;
        }
        let mut text = None;
        for relation in relations {
            let to = if relation.outside {
                relation.target.clone()
            } else {
                format!("/{}", target(relation))
            };
            let now = rels::with(
                text.as_deref(),
                &relation.id,
                &relation.kind,
                &to,
                relation.outside,
            );
            text = Some(now);
        }
        self.put(&rels_of(part), text.unwrap_or_else(rels::none));
    }

    /// Says what a part is.
    pub fn declare(&mut self, part: &str, of: &str) {
        let Ok(types) = self.text(CONTENT_TYPES) else {
            return;
        };
        let Some(root) = raw::root(&types).filter(|_| !of.is_empty()) else {
            return;
        };
        let entries = root.children();
        let is_it = |entry: &&raw::Element<'_>| {
            let name = entry.get("PartName").unwrap_or_default();
            normal(name.trim_start_matches('/')) == normal(part)
        };
        let known = entries.iter().find(is_it);
        let ending = part.rsplit('.').next().unwrap_or_default();
        let usual = entries.iter().find(|entry| {
            let of = entry.get("Extension");
            of.is_some_and(|of| of.eq_ignore_ascii_case(ending))
        });
        let is = known.or(usual).and_then(|entry| entry.get("ContentType"));
        if is.is_some_and(|is| is == of) {
            return;
        }
        let now = match known {
            Some(entry) => {
                let tag = raw::set(entry.tag, "ContentType", Some(of));
                types.replacen(entry.text, &entry.with(&tag, entry.inner), 1)
            }
            None => {
                let entry = format!(
                    "<{}Override PartName=\"/{}\" ContentType=\"{}\"/>",
                    root.prefix(),
                    raw::escaped(part),
                    raw::escaped(of)
                );
                let inner = format!("{}{entry}", root.inner);
                types.replace(root.text, &root.with(root.tag, &inner))
            }
        };
        self.put(CONTENT_TYPES, now);
    }
}

/// Whether a part can be called so: a report may say anything.
fn is_part_name(name: &str) -> bool {
    let steps = name.split('/');
    let fits = |step: &str| {
        !step.is_empty()
            && step != "_rels"
            && !step.starts_with('.')
            && !step.ends_with('.')
            && step
                .chars()
                .all(|c| c.is_alphanumeric() || " ._-()[]%+".contains(c))
    };
    steps.clone().count() <= 16
        && name.len() < 256
        && steps.into_iter().all(fits)
        && normal(name) != normal(CONTENT_TYPES)
}
