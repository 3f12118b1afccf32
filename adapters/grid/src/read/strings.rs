//! The shared texts of a workbook, in order of their numbers.

use super::cursor::{Cursor, Tag, Text};
use super::error::{ReadError, within};
use super::extras::runs;
use super::limits::{Limit, Limits};
use super::plain::Stop;
use super::xml;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::HashMap;

/// Texts in one piece of memory.
#[derive(Default, PartialEq, Eq)]
pub(super) struct Strings {
    all: String,
    ends: Vec<u32>,
    /// A number for the texts of which parts look different.
    rich: HashMap<u32, u64>,
}

impl Strings {
    /// The text of this number.
    pub fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)? as usize;
        let start = index.checked_sub(1).map_or(0, |i| self.ends[i] as usize);
        Some(&self.all[start..end])
    }

    /// A number for how the parts of a text look; none if they look alike.
    pub fn look(&self, index: usize) -> Option<u64> {
        self.rich.get(&u32::try_from(index).ok()?).copied()
    }

    /// Remembers how the text that was closed last is written.
    fn dress(&mut self, written: &str) {
        let is_dressed = ["rPr>", "rPh", "phoneticPr"];
        if is_dressed.into_iter().any(|word| written.contains(word)) {
            let index = self.ends.len() as u32 - 1;
            let look = runs::look_of(written);
            self.rich.extend(look.map(|look| (index, look)));
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether what both number is the same.
    pub fn agrees(&self, other: &Self) -> bool {
        let (short, long) = if self.len() <= other.len() {
            (self, other)
        } else {
            (other, self)
        };
        let alike = |index: usize| self.look(index) == other.look(index);
        long.ends.starts_with(&short.ends)
            && long.all.starts_with(&short.all)
            && (self.rich == other.rich || (0..short.len()).all(alike))
    }

    /// What was added to `all` is one more text.
    fn close(&mut self, part: &str, limits: &Limits) -> Result<(), ReadError> {
        within(limits, Limit::Text, part, self.all.len() as u64)?;
        self.ends.push(self.all.len() as u32);
        Ok(())
    }
}

/// Reads the part with the shared texts.
pub(super) fn read(part: &str, bytes: &[u8], limits: &Limits) -> Result<Strings, ReadError> {
    let text = xml::decode(part, bytes)?;
    let size = bytes.len() as u64;
    match plain(part, &text, size, limits) {
        Ok(strings) => Ok(strings),
        Err(Stop::Bad(error)) => Err(*error),
        Err(Stop::Unusual) => any(part, &text, size, limits),
    }
}

/// Texts as nearly all programs write them.
fn plain(part: &str, text: &str, size: u64, limits: &Limits) -> Result<Strings, Stop> {
    let begin = text.find("<sst").ok_or(Stop::Unusual)?;
    if text[..begin].contains("<!") {
        return Err(Stop::Unusual);
    }
    let mut cursor = Cursor::new(text, "");
    cursor.at = begin + "<sst".len();
    let mut count = None;
    let tag = cursor.attributes(|name, value| {
        if name == "uniqueCount" {
            count = Some(value);
        }
    })?;
    if let Some(count) = count {
        announced(part, count, size)?;
    }
    let mut strings = Strings::default();
    let mut buffer = String::new();
    if tag == Tag::Closed {
        return Ok(strings);
    }
    loop {
        cursor.skip_blanks();
        let start = cursor.at;
        if cursor.eat("<si><t") {
            let mut preserve = false;
            let tag = cursor.attributes(|name, value| {
                preserve |= name == "xml:space" && value == "preserve";
            })?;
            let piece = match tag {
                Tag::Closed => "",
                Tag::Open => match cursor.text("</t>", &mut buffer)? {
                    Text::Plain(piece) => piece,
                    Text::Decoded => buffer.as_str(),
                },
            };
            if cursor.eat("</si>") {
                push_text(&mut strings.all, piece, preserve);
                strings.close(part, limits)?;
                continue;
            }
        } else if cursor.eat("</sst>") {
            return Ok(strings);
        }
        // One that has more to it.
        let mut reader = xml::events(&text[start..]);
        match xml::next(part, &mut reader)? {
            Event::Start(element) if element.name().as_ref() == "si" => {
                rich_text(part, &mut reader, &element, &mut strings.all)?;
                strings.close(part, limits)?;
                cursor.at = start + reader.buffer_position() as usize;
                strings.dress(&text[start..cursor.at]);
            }
            _ => return Err(Stop::Unusual),
        }
    }
}

/// Texts in any XML.
fn any(part: &str, text: &str, size: u64, limits: &Limits) -> Result<Strings, ReadError> {
    let mut strings = Strings::default();
    let mut reader = xml::events(text);
    let mut began = false;
    loop {
        let start = reader.buffer_position() as usize;
        match xml::next(part, &mut reader)? {
            Event::Start(element) if element.local_name().as_ref() == "sst" => {
                began = true;
                if let Some(count) = xml::attribute(part, &element, "uniqueCount")? {
                    announced(part, &count, size)?;
                }
            }
            Event::Start(element) if element.local_name().as_ref() == "si" => {
                rich_text(part, &mut reader, &element, &mut strings.all)?;
                strings.close(part, limits)?;
                let end = reader.buffer_position() as usize;
                strings.dress(text.get(start..end).unwrap_or_default());
            }
            Event::End(end) if end.local_name().as_ref() == "sst" => return Ok(strings),
            Event::Eof => {
                let what = if began {
                    "it breaks off before </sst>"
                } else {
                    "it holds no texts"
                };
                return Err(ReadError::malformed(part, what));
            }
            _ => {}
        }
    }
}

/// No text takes less than `<si/>`.
fn announced(part: &str, count: &str, bytes: u64) -> Result<(), ReadError> {
    let max = bytes / 5;
    let is_number = !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit());
    if !is_number || count.parse::<u64>().is_ok_and(|count| count <= max) {
        return Ok(());
    }
    Err(ReadError::Announced {
        part: part.to_owned(),
        found: count.to_owned(),
        bytes,
        max,
    })
}

/// Adds the text of `<si>`: its runs together, without the reading aids.
fn rich_text(
    part: &str,
    reader: &mut Reader<&[u8]>,
    element: &BytesStart<'_>,
    text: &mut String,
) -> Result<(), ReadError> {
    let mut phonetic = false;
    loop {
        match xml::next(part, reader)? {
            Event::Start(inner) => match inner.local_name().as_ref() {
                "rPh" => phonetic = true,
                "t" => {
                    let preserve = xml::attribute(part, &inner, "space")?;
                    let piece = xml::text(part, reader, &inner)?;
                    if !phonetic {
                        push_text(text, &piece, preserve.as_deref() == Some("preserve"));
                    }
                }
                _ => {}
            },
            Event::End(end) if end.name() == element.name() => return Ok(()),
            Event::End(end) if end.local_name().as_ref() == "rPh" => phonetic = false,
            Event::Eof => {
                let what = format!("it ends inside <{}>", element.name().as_ref());
                return Err(ReadError::malformed(part, what));
            }
            _ => {}
        }
    }
}

/// Blanks around a text count only where the file says so.
pub(super) fn push_text(text: &mut String, piece: &str, preserve: bool) {
    let piece = if preserve {
        piece
    } else {
        piece.trim_matches([' ', '\t', '\r', '\n'])
    };
    text.push_str(&xml::unescape(piece));
}

#[cfg(test)]
mod tests {
    use super::{Strings, read};
    use crate::read::error::ReadError;
    use crate::read::limits::Limits;

    fn strings(xml: &str) -> Result<Strings, ReadError> {
        read("s", xml.as_bytes(), &Limits::default())
    }

    #[test]
    fn runs_are_joined_and_every_item_counts() {
        let all = strings(
            "<sst><si><t> a </t></si><si/><si><t xml:space='preserve'> b </t></si>\
             <si><r><t>c</t></r><r><rPr/><t>d&amp;_x000D_</t></r><rPh><t>no</t></rPh></si></sst>",
        )
        .unwrap();
        let texts: Vec<&str> = (0..all.len()).filter_map(|i| all.get(i)).collect();
        assert_eq!(texts, ["a", "", " b ", "cd&\r"]);
        assert_eq!(all.get(4), None);
    }

    #[test]
    fn plain_or_not_the_texts_are_the_same() {
        let items = "<si><t>a&lt;&#65;</t></si><si/> <si><t/></si><si></si>\
            <si><t xml:space='preserve'> b_x0041_</t></si><si><t>c</t><phoneticPr fontId='1'/></si>\
            <si><r><t>d</t></r><r><t xml:space='preserve'> e</t></r></si>";
        let plain = strings(&format!("<sst>{items}</sst>")).unwrap();
        let other = strings(&format!("<!-- --><sst>{items}</sst>")).unwrap();
        assert!(plain == other && plain.len() == 7);
        let prefixed = items
            .replace("</", "</x:")
            .replace('<', "<x:")
            .replace("<x:/x:", "</x:");
        let prefixed = strings(&format!("<x:sst>{prefixed}</x:sst>")).unwrap();
        assert!(plain == prefixed);
        for broken in [
            "<sst><si><t>a",
            "<sst><si><t>a</t></si>",
            "<sst",
            "<a/>",
            "",
        ] {
            assert!(strings(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn more_texts_agree_with_fewer() {
        let one = strings("<sst><si><t>ab</t></si></sst>").unwrap();
        let two = strings("<sst><si><t>ab</t></si><si><t>c</t></si></sst>").unwrap();
        let other = strings("<sst><si><t>a</t></si><si><t>bc</t></si></sst>").unwrap();
        assert!(one.agrees(&two) && two.agrees(&one) && !other.agrees(&two));
    }

    #[test]
    fn what_is_announced_has_to_fit() {
        let huge = "<sst uniqueCount='18446744073709551616'><si/></sst>";
        assert!(matches!(strings(huge), Err(ReadError::Announced { .. })));
        assert_eq!(
            strings("<sst uniqueCount='9'><si/></sst>")
                .map(|s| s.len())
                .ok(),
            None
        );
        let honest = "<sst uniqueCount='1'><si/></sst>";
        assert_eq!(strings(honest).map(|s| s.len()).ok(), Some(1));
    }
}
