//! Characters that were written as HTML has them.

/// What is written, and what is meant.
const ENTITIES: [(&[u8], u8); 11] = [
    (b"&lt;", b'<'),
    (b"&gt;", b'>'),
    (b"&quot;", b'"'),
    (b"&#39;", b'\''),
    (b"&#x27;", b'\''),
    (b"&apos;", b'\''),
    (b"&#91;", b'['),
    (b"&#93;", b']'),
    (b"&lsqb;", b'['),
    (b"&rsqb;", b']'),
    (b"&amp;", b'&'),
];

/// The text that is meant; each entity once, so `&amp;lt;` is `&lt;`.
pub(crate) fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'&', rest) {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let entity = ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity));
        let (len, byte) = entity.map_or((1, b'&'), |(entity, byte)| (entity.len(), *byte));
        out.push(byte);
        rest = &rest[len..];
    }
    out.extend_from_slice(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn entities_are_read_once() {
        assert_eq!(unescape(b"&lt;a&gt; &amp;lt; &x; &"), b"<a> &lt; &x; &");
    }
}
