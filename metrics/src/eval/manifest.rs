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

/// Brackets in one another that are read. The parser looks at all open ones for each
/// that comes.
const DEEPEST: usize = 1000;

/// The line of the first bracket that is too deep.
fn too_deep(text: &str) -> Option<usize> {
    let (mut depth, mut line) = (0, 1);
    let mut before = b'\n';
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let starts = matches!(
            before,
            b' ' | b'\t' | b'\n' | b'\r' | b'[' | b'{' | b',' | b':' | b']' | b'}'
        );
        match byte {
            b'\n' => line += 1,
            b'#' if starts => {
                bytes.by_ref().find(|byte| *byte == b'\n');
                line += 1;
                before = b'\n';
                continue;
            }
            // Outside of brackets a quote may be part of a text.
            b'"' | b'\'' if starts && depth > 0 => {
                let mut is_escaped = false;
                for inner in bytes.by_ref() {
                    line += usize::from(inner == b'\n');
                    if inner == byte && !is_escaped {
                        break;
                    }
                    is_escaped = byte == b'"' && inner == b'\\' && !is_escaped;
                }
            }
            b'[' | b'{' if starts || depth > 0 => {
                depth += 1;
                if depth > DEEPEST {
                    return Some(line);
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = byte;
    }
    None
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
        if let Some(line) = too_deep(text) {
            return Err(Error::Manifest(format!(
                "{line}: more than {DEEPEST} brackets in one another; no case needs them"
            )));
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_counted_where_they_nest() {
        let n = DEEPEST;
        let deep = |text: &str| too_deep(text);
        assert_eq!(
            deep(&format!("a: {}{}", "[".repeat(n), "]".repeat(n))),
            None
        );
        assert_eq!(deep(&format!("\na: {}", "[".repeat(n + 1))), Some(2));
        assert_eq!(deep(&format!("a: {}", "{a: ".repeat(n + 1))), Some(1));
        assert_eq!(deep(&format!("a: {}", "[x, ".repeat(n + 1))), Some(1));
        assert_eq!(deep(&"- [1, 2]\n- {a: [1]}\n".repeat(n)), None);
        assert_eq!(deep(&"- a[0\n".repeat(2 * n)), None);
        // Closing brackets that are text close nothing.
        assert_eq!(deep(&"[']', ".repeat(n + 1)), Some(1));
        assert_eq!(deep(&"[\"\\\"]\", ".repeat(n + 1)), Some(1));
        assert_eq!(deep(&"[ # ]\n".repeat(n + 1)), Some(n + 1));
    }

    #[test]
    fn a_manifest_of_brackets_is_refused_in_one_line() {
        let text = format!("lines: {}{}", "[".repeat(60_000), "]".repeat(60_000));
        let error = Manifest::parse(&text).expect_err("too deep").to_string();
        assert!(error.starts_with("1: more than 1000 brackets"), "{error}");
    }
}
