//! The modules of a VBA project: streams of a compound file, compressed as
//! [MS-OVBA] has it.

use encoding_rs::Encoding;
use std::io::{Cursor, Read as _};

/// Bytes of source beyond which a project is not taken apart.
const MOST: usize = 64 << 20;

/// Names of modules and their sources, in the order of the project; none if it cannot be
/// read.
pub(super) fn modules(bytes: &[u8]) -> Option<Vec<(String, String)>> {
    let mut file = cfb::CompoundFile::open(Cursor::new(bytes)).ok()?;
    let mut stream = |name: &str| {
        let mut bytes = Vec::new();
        let stream = file.open_stream(format!("/VBA/{name}")).ok()?;
        stream.take(MOST as u64).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    };
    let (encoding, list) = directory(&decompressed(&stream("dir")?, MOST)?)?;
    let mut left = MOST;
    let mut found = Vec::new();
    for module in list {
        let bytes = stream(&module.stream)?;
        let source = decompressed(bytes.get(module.offset..)?, left)?;
        left -= source.len();
        let (source, _) = encoding.decode_without_bom_handling(&source);
        found.push((module.name, source.replace("\r\n", "\n")));
    }
    Some(found)
}

#[derive(Default)]
struct Module {
    name: String,
    stream: String,
    /// Where its source begins in the stream.
    offset: usize,
}

/// The encoding of a project, and its modules.
fn directory(bytes: &[u8]) -> Option<(&'static Encoding, Vec<Module>)> {
    let mut encoding = encoding_rs::WINDOWS_1252;
    let mut modules: Vec<Module> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let id = u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?);
        let size = u32::from_le_bytes(bytes.get(at + 2..at + 6)?.try_into().ok()?) as usize;
        // The record of the version says that it is shorter than it is.
        let size = if id == 0x0009 { 6 } else { size };
        let data = bytes.get(at + 6..(at + 6).checked_add(size)?)?;
        at += 6 + size;
        match id {
            0x0003 => {
                let page = u16::from_le_bytes(data.get(..2)?.try_into().ok()?);
                encoding = Encoding::for_label(label(page).as_bytes()).unwrap_or(encoding);
            }
            0x0019 => modules.push(Module {
                name: encoding.decode_without_bom_handling(data).0.into_owned(),
                ..Module::default()
            }),
            0x001a => {
                let name = encoding.decode_without_bom_handling(data).0;
                modules.last_mut()?.stream = name.into_owned();
            }
            0x0047 => modules.last_mut()?.name = wide(data),
            0x0032 => modules.last_mut()?.stream = wide(data),
            0x0031 => {
                let offset = u32::from_le_bytes(data.get(..4)?.try_into().ok()?);
                modules.last_mut()?.offset = offset as usize;
            }
            // The end.
            0x0010 => break,
            _ => {}
        }
    }
    Some((encoding, modules))
}

/// The name that an encoding has on the web.
fn label(code_page: u16) -> String {
    match code_page {
        932 => "shift_jis".to_owned(),
        936 => "gbk".to_owned(),
        949 => "euc-kr".to_owned(),
        950 => "big5".to_owned(),
        10000 => "macintosh".to_owned(),
        65001 => "utf-8".to_owned(),
        page => format!("windows-{page}"),
    }
}

fn wide(bytes: &[u8]) -> String {
    let units = bytes
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    char::decode_utf16(units)
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// Takes a compressed container apart; none if it is none, or holds more than `most`.
fn decompressed(bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    let (1, mut rest) = bytes.split_first().map(|(first, rest)| (*first, rest))? else {
        return None;
    };
    let mut out = Vec::new();
    while rest.len() >= 2 {
        let header = u16::from_le_bytes([rest[0], rest[1]]);
        let size = usize::from(header & 0x0fff) + 1;
        let chunk = &rest[2..(2 + size).min(rest.len())];
        rest = &rest[(2 + size).min(rest.len())..];
        if header & 0x8000 == 0 {
            out.extend_from_slice(chunk);
        } else {
            unpack(chunk, &mut out)?;
        }
        if out.len() > most {
            return None;
        }
    }
    Some(out)
}

/// One chunk: single bytes, and copies of what is before them in it.
fn unpack(chunk: &[u8], out: &mut Vec<u8>) -> Option<()> {
    const LONGEST: usize = 4096;
    let start = out.len();
    let mut at = 0;
    while at < chunk.len() {
        let flags = chunk[at];
        at += 1;
        for bit in 0..8 {
            if at >= chunk.len() {
                break;
            }
            if flags >> bit & 1 == 0 {
                out.push(chunk[at]);
                at += 1;
                continue;
            }
            let token = u16::from_le_bytes([chunk[at], *chunk.get(at + 1)?]);
            at += 2;
            // The further inside the chunk, the more bits say how far back.
            let here = out.len() - start;
            let bits = (4..12).find(|bits| 1 << bits >= here).unwrap_or(12);
            let length = usize::from(token & (0xffff >> bits)) + 3;
            let offset = usize::from(token >> (16 - bits)) + 1;
            if offset > here || here + length > LONGEST {
                return None;
            }
            for _ in 0..length {
                out.push(out[out.len() - offset]);
            }
        }
        if out.len() - start > LONGEST {
            return None;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::decompressed;

    #[test]
    fn containers_are_read_as_the_specification_has_them() {
        let normal = b"\x01\x2f\xb0\x00#aaabcde\x82f\x00paghij\x018\x08akl\x000mnop\x06q\x02p\x04\x10rstuv\x10wxyz\x00<";
        let text = decompressed(normal, 100).unwrap();
        assert_eq!(
            text,
            b"#aaabcdefaaaaghijaaaaaklaaamnopqaaaaaaaaaaaarstuvwxyzaaa"
        );
        let most = decompressed(b"\x01\x03\xb0\x02a\x45\x00", 100).unwrap();
        assert_eq!(most, [b'a'; 73]);
        assert_eq!(decompressed(b"\x01\x03\xb0\x02a\x45\x00", 10), None);
        // A copy of what is before the chunk.
        assert_eq!(decompressed(b"\x01\x03\xb0\x02a\x45\x10", 100), None);
        assert_eq!(decompressed(b"", 100), None);
    }
}
