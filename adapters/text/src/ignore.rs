//! Ignored differences: white space by git's rules, and case.

use crate::Lines;

/// Which differences between lines to ignore. A list of names in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ignore {
    /// White space in lines.
    pub space: Space,
    /// Changes that only add or delete blank lines.
    pub blank_lines: bool,
    /// Upper and lower case, as with `diff -i`, in all scripts that have them.
    pub case: bool,
}

/// How white space in lines is compared: blanks, tabs, carriage returns, and a
/// missing newline at the end of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// All white space is compared.
    #[default]
    Counts,
    /// Ignores changes in the amount of white space, and white space at line
    /// ends.
    Change,
    /// Ignores all white space.
    All,
}

impl Ignore {
    /// Whether nothing is ignored.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Whether lines are equal only if all their bytes are.
    pub(crate) fn is_exact(self) -> bool {
        self.space == Space::Counts && !self.case
    }

    /// Whether a line counts as blank: empty, or only white space if that is
    /// ignored.
    pub(crate) fn is_blank(self, line: &[u8]) -> bool {
        match self.space {
            Space::Counts => matches!(line, b"" | b"\n"),
            _ => line.iter().all(|byte| is_space(*byte)),
        }
    }

    /// Normalises a text so that lines which count as equal are equal. The number
    /// of lines is unchanged, and each ends with a newline, which the last one may
    /// lack only if white space is compared.
    pub(crate) fn normalised(self, text: &Lines<'_>) -> Vec<u8> {
        let mut plain = Vec::with_capacity(text.bytes.len() + 1);
        for line in text.iter() {
            self.fold(line, &mut plain);
            if self.space != Space::Counts {
                plain.push(b'\n');
            }
        }
        plain
    }

    /// The parts of a line that are compared.
    pub(crate) fn folded(self, line: &[u8]) -> Vec<u8> {
        let mut plain = Vec::with_capacity(line.len());
        self.fold(line, &mut plain);
        plain
    }

    fn fold(self, line: &[u8], plain: &mut Vec<u8>) {
        let start = plain.len();
        for &byte in line {
            match (is_space(byte), self.space) {
                (false, _) | (true, Space::Counts) => plain.push(byte),
                (true, Space::All) => {}
                (true, Space::Change) => {
                    if plain[start..].last() != Some(&b' ') {
                        plain.push(b' ');
                    }
                }
            }
        }
        if self.space == Space::Change {
            plain.pop_if(|last| *last == b' ');
        }
        if self.case {
            let small = small_letters(&plain[start..]);
            plain.truncate(start);
            plain.extend_from_slice(&small);
        }
    }
}

/// A text in lower case; invalid UTF-8 is left unchanged.
fn small_letters(text: &[u8]) -> Vec<u8> {
    let mut small = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        small.extend_from_slice(chunk.valid().to_lowercase().as_bytes());
        small.extend_from_slice(chunk.invalid());
    }
    small
}

/// Whether git considers a byte white space.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[cfg(feature = "serde")]
mod json {
    use super::{Ignore, Space};
    use serde::de::Error as _;
    use serde::ser::SerializeSeq as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    const SPACE_CHANGE: &str = "space-change";
    const ALL_SPACE: &str = "all-space";
    const BLANK_LINES: &str = "blank-lines";
    const CASE: &str = "case";

    impl Serialize for Ignore {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut names = serializer.serialize_seq(None)?;
            match self.space {
                Space::Counts => {}
                Space::Change => names.serialize_element(SPACE_CHANGE)?,
                Space::All => names.serialize_element(ALL_SPACE)?,
            }
            if self.blank_lines {
                names.serialize_element(BLANK_LINES)?;
            }
            if self.case {
                names.serialize_element(CASE)?;
            }
            names.end()
        }
    }

    impl<'de> Deserialize<'de> for Ignore {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let mut ignore = Self::default();
            for name in Vec::<String>::deserialize(deserializer)? {
                match &name[..] {
                    SPACE_CHANGE => ignore.space = Space::Change,
                    ALL_SPACE => ignore.space = Space::All,
                    BLANK_LINES => ignore.blank_lines = true,
                    CASE => ignore.case = true,
                    _ => return Err(D::Error::custom(format!("cannot ignore {name:?}"))),
                }
            }
            Ok(ignore)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalised(space: Space, text: &str) -> String {
        let ignore = Ignore {
            space,
            ..Ignore::default()
        };
        let lines = Lines::new(text.as_bytes()).unwrap();
        String::from_utf8(ignore.normalised(&lines)).unwrap()
    }

    #[test]
    fn white_space_is_folded_or_gone() {
        let text = "  a \t b \r\n\n \nc\u{b}d";
        assert_eq!(normalised(Space::Change, text), " a b\n\n\nc\u{b}d\n");
        assert_eq!(normalised(Space::All, text), "ab\n\n\nc\u{b}d\n");
        assert_eq!(normalised(Space::All, ""), "");
    }

    #[test]
    fn capitals_become_small_letters_and_lines_stay_lines() {
        let ignore = Ignore {
            case: true,
            ..Ignore::default()
        };
        let text = b"AB c\n\n\xc3\x89\xff\nEnd";
        let lines = Lines::new(text).unwrap();
        assert_eq!(ignore.normalised(&lines), b"ab c\n\n\xc3\xa9\xff\nend");
        let ignore = Ignore {
            space: Space::All,
            ..ignore
        };
        assert_eq!(ignore.normalised(&lines), b"abc\n\n\xc3\xa9\xff\nend\n");
    }

    #[test]
    fn the_names_come_back() {
        for space in [Space::Counts, Space::Change, Space::All] {
            for (blank_lines, case) in [(false, false), (false, true), (true, false), (true, true)]
            {
                let ignore = Ignore {
                    space,
                    blank_lines,
                    case,
                };
                let json = serde_json::to_string(&ignore).unwrap();
                assert_eq!(serde_json::from_str::<Ignore>(&json).unwrap(), ignore);
            }
        }
        assert!(serde_json::from_str::<Ignore>(r#"["weather"]"#).is_err());
    }
}
