//! The list of cases: families, and in each the names of its cases.

use super::Error;
use serde::Deserialize;
use serde_yaml::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Families of cases, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Manifest {
    /// The families.
    pub families: Vec<Family>,
}

/// Cases of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// What they are called together.
    pub name: String,
    /// The cases.
    pub cases: Vec<Case>,
}

/// A case by its name. Where its files are, the runner knows.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Case {
    /// Its name, once in a family.
    pub name: String,
    /// Why it is there.
    #[serde(default)]
    pub why: String,
    /// The truth is wished for and not met yet.
    #[serde(default)]
    pub known_gap: bool,
    /// What else the manifest says of it, for the runner.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

impl Manifest {
    /// Reads YAML: a family name, and below it a list of cases.
    ///
    /// # Errors
    /// [`Error::Manifest`] if it is something else, [`Error::Twice`] if two cases of a
    /// family have one name.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let unreadable = |error: serde_yaml::Error| {
            let place = error.location();
            let place = place.map_or_else(String::new, |at| format!("{}: ", at.line()));
            Error::Manifest(format!(
                "{place}no list of cases: {error}; see fixtures/README.md"
            ))
        };
        let families: serde_yaml::Mapping = serde_yaml::from_str(text).map_err(unreadable)?;
        let mut manifest = Self::default();
        for (name, cases) in families {
            let Value::String(name) = name else {
                return Err(Error::Manifest(
                    "a family's name is no text; put it in quotes".into(),
                ));
            };
            let cases: Vec<Case> = serde_yaml::from_value(cases)
                .map_err(|error| Error::Manifest(format!("family {name}: {error}")))?;
            let mut seen = BTreeSet::new();
            if let Some(twice) = cases.iter().find(|case| !seen.insert(&case.name)) {
                return Err(Error::Twice {
                    family: name,
                    name: twice.name.clone(),
                });
            }
            manifest.families.push(Family { name, cases });
        }
        Ok(manifest)
    }

    /// How many cases there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.families.iter().map(|family| family.cases.len()).sum()
    }

    /// Leaves only the families named, in the order of the file.
    ///
    /// # Errors
    /// [`Error::Manifest`] if there is no family of a name.
    pub fn only(&mut self, names: &[String]) -> Result<(), Error> {
        let known = |name: &&String| self.families.iter().any(|family| family.name == **name);
        if let Some(unknown) = names.iter().find(|name| !known(name)) {
            let have: Vec<&str> = self.families.iter().map(|f| &f.name[..]).collect();
            let have = have.join(", ");
            return Err(Error::Manifest(format!(
                "no family {unknown}; there are {have}"
            )));
        }
        self.families.retain(|family| names.contains(&family.name));
        Ok(())
    }
}
