//! Small parts of a workbook as XML events.

use super::error::ReadError;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::borrow::Cow;

/// The text of a part in whatever encoding it says it has.
pub(crate) fn decode<'b>(part: &str, bytes: &'b [u8]) -> Result<Cow<'b, str>, ReadError> {
    let encoding = encoding_of(bytes).map_err(|label| {
        ReadError::malformed(part, format!("its encoding {label:?} is not known"))
    })?;
    let (text, _, wrong) = encoding.decode(bytes);
    if wrong {
        let what = format!("it is not valid {}", encoding.name());
        return Err(ReadError::malformed(part, what));
    }
    Ok(text)
}

/// By its first bytes, or by what its declaration says.
fn encoding_of(bytes: &[u8]) -> Result<&'static Encoding, String> {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return Ok(encoding);
    }
    match bytes {
        [b'<', 0, ..] => return Ok(UTF_16LE),
        [0, b'<', ..] => return Ok(UTF_16BE),
        _ => {}
    }
    let declaration = bytes.strip_prefix(b"<?xml").unwrap_or_default();
    let end = memchr::memmem::find(declaration, b"?>").unwrap_or(0);
    let Some(at) = memchr::memmem::find(&declaration[..end], b"encoding") else {
        return Ok(UTF_8);
    };
    let mut quoted = declaration[at..end].split(|b| matches!(b, b'"' | b'\''));
    let label = quoted.nth(1).unwrap_or_default();
    match Encoding::for_label(label) {
        // What says so in single bytes is not in pairs of them.
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => Ok(UTF_8),
        Some(encoding) => Ok(encoding),
        None => Err(String::from_utf8_lossy(label).into_owned()),
    }
}

/// A reader of events; empty elements come as a start and an end.
pub(crate) fn events(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    config.check_end_names = false;
    config.check_comments = false;
    reader
}

/// The next event.
pub(crate) fn next<'t>(part: &str, reader: &mut Reader<&'t [u8]>) -> Result<Event<'t>, ReadError> {
    let event = reader.read_event();
    event.map_err(|e| ReadError::malformed(part, format!("it is not XML: {e}")))
}

/// The value of an attribute, whatever the prefix of its name.
pub(crate) fn attribute<'e>(
    part: &str,
    element: &'e BytesStart<'_>,
    name: &str,
) -> Result<Option<Cow<'e, str>>, ReadError> {
    let mut attributes = element.attributes();
    // The check compares each with all others.
    for attribute in attributes.with_checks(false) {
        let attribute =
            attribute.map_err(|e| ReadError::malformed(part, format!("it is not XML: {e}")))?;
        if attribute.key.local_name().as_ref() == name {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|e| ReadError::malformed(part, e.to_string()))?;
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// The text up to the end of the element that has just begun; one in a single piece
/// is not copied.
pub(crate) fn text<'t>(
    part: &str,
    reader: &mut Reader<&'t [u8]>,
    element: &BytesStart<'_>,
) -> Result<Cow<'t, str>, ReadError> {
    let mut text = Cow::Borrowed("");
    loop {
        let piece = match next(part, reader)? {
            Event::Text(piece) => piece.xml10_content(),
            Event::CData(piece) => piece.xml10_content(),
            Event::GeneralRef(entity) => resolve(part, &entity)?,
            Event::End(end) if end.name() == element.name() => return Ok(text),
            Event::Eof => {
                let name = element.name();
                let what = format!("it ends inside <{}>", name.as_ref());
                return Err(ReadError::malformed(part, what));
            }
            _ => continue,
        };
        if text.is_empty() {
            text = piece;
        } else {
            text.to_mut().push_str(&piece);
        }
    }
}

/// The text that an entity stands for; only those of XML itself are known.
pub(crate) fn resolve(part: &str, entity: &BytesRef<'_>) -> Result<Cow<'static, str>, ReadError> {
    if let Some(text) = resolve_xml_entity(entity) {
        return Ok(Cow::Borrowed(text));
    }
    if let Ok(Some(character)) = entity.resolve_char_ref() {
        return Ok(Cow::Owned(character.to_string()));
    }
    let what = format!("it uses an entity of its own, &{};", entity.as_ref());
    Err(ReadError::malformed(part, what))
}

/// The text with `_x000D_` and its like resolved, as spreadsheet programs write
/// characters that XML does not allow.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    let Some(first) = find_escape(text, 0) else {
        return Cow::Borrowed(text);
    };
    let mut units: Vec<u16> = Vec::new();
    let mut out = String::with_capacity(text.len());
    let (mut copied, mut next) = (0, Some(first));
    while let Some((at, unit)) = next {
        if at > copied {
            flush(&mut units, &mut out);
            out.push_str(&text[copied..at]);
        }
        units.push(unit);
        copied = at + ESCAPE;
        next = find_escape(text, copied);
    }
    flush(&mut units, &mut out);
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// The length of `_xHHHH_`.
const ESCAPE: usize = 7;

/// Units that are side by side may be halves of one character.
fn flush(units: &mut Vec<u16>, out: &mut String) {
    let decoded = char::decode_utf16(units.drain(..));
    out.extend(decoded.map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)));
}

fn find_escape(text: &str, from: usize) -> Option<(usize, u16)> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'_', &bytes[from..]).find_map(|at| {
        let at = from + at;
        let escape = bytes.get(at..at + ESCAPE)?;
        let digits = &escape[2..6];
        let is = escape[1] == b'x' && escape[6] == b'_' && digits.iter().all(u8::is_ascii_hexdigit);
        let digits = std::str::from_utf8(digits).ok().filter(|_| is)?;
        Some((at, u16::from_str_radix(digits, 16).ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::{decode, unescape};

    #[test]
    fn escapes_are_resolved_and_look_alikes_stay() {
        for (from, to) in [
            ("a_x000D_b", "a\rb"),
            ("_x005F_x000D_", "_x000D_"),
            ("_xD83D__xDCF7_", "\u{1F4F7}"),
            ("_xD83D_ _xDCF7_", "\u{FFFD} \u{FFFD}"),
            ("_x00g0_ _x12_ __x0041_ ä_", "_x00g0_ _x12_ _A ä_"),
        ] {
            assert_eq!(unescape(from), to, "{from}");
        }
    }

    #[test]
    fn parts_say_their_encoding() {
        let utf16: Vec<u8> = "\u{feff}<a>ä</a>"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(decode("p", &utf16).unwrap(), "<a>ä</a>");
        assert_eq!(decode("p", &utf16[2..]).unwrap(), "<a>ä</a>");
        let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe4</a>";
        assert!(decode("p", latin).unwrap().ends_with("<a>ä</a>"));
        assert!(decode("p", b"<a>\xff</a>").is_err());
        assert!(decode("p", b"<?xml encoding='klingon'?><a/>").is_err());
    }
}
