//! The manifest: families, and the names of the cases in each.

use super::Error;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
#[cfg(feature = "yaml")]
use std::collections::BTreeSet;

/// Families of cases, in file order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Manifest {
    /// The families.
    pub families: Vec<Family>,
}

/// A family of related cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// Its name.
    pub name: String,
    /// Its cases.
    pub cases: Vec<Case>,
}

/// A case, by name. The runner knows where its files are.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Case {
    /// Its name, unique within the family.
    pub name: String,
    /// The reason for the case.
    #[serde(default)]
    pub why: String,
    /// Whether the expected result is a goal that is not met yet.
    #[serde(default)]
    pub known_gap: bool,
    /// Other fields of the manifest, for the runner.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

/// Deepest nesting of brackets that is accepted. The parser examines all open
/// brackets for each new one.
#[cfg(feature = "yaml")]
const DEEPEST: usize = 1000;

/// The line of the first bracket that is nested too deeply.
#[cfg(feature = "yaml")]
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
            // Outside brackets, a quote may be part of a text.
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
    /// Parses YAML (feature `yaml`): family names, each with a list of cases.
    ///
    /// # Errors
    /// [`Error::Manifest`] if the text is anything else, [`Error::Twice`] if two
    /// cases of a family have the same name.
    #[cfg(feature = "yaml")]
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
            let serde_yaml::Value::String(name) = name else {
                return Err(Error::Manifest(
                    "the name of a family must be text; put it in quotes".into(),
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

    /// Number of cases.
    #[must_use]
    pub fn count(&self) -> usize {
        self.families.iter().map(|family| family.cases.len()).sum()
    }

    /// Keeps only the named families, in file order.
    ///
    /// # Errors
    /// [`Error::Manifest`] if a family does not exist.
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

#[cfg(all(test, feature = "yaml"))]
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
        // Quoted closing brackets do not close anything.
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
