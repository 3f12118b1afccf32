//! The tags of a part one after the other, as slices of its text: for parts that are large
//! and of which little is kept.

use memchr::{memchr, memmem};

/// What is next in a text.
pub(super) enum Tag<'t> {
    /// A tag that opens an element: its name, its attributes, and whether it closes it, too.
    Open(&'t str, &'t str, bool),
    Close,
    /// What is between two tags.
    Text(&'t str),
}

/// A way through a text; it ends early where that is not XML.
pub(super) struct Tags<'t> {
    text: &'t str,
    pub at: usize,
    /// Whether it ended because something is wrong.
    pub wrong: bool,
}

impl<'t> Tags<'t> {
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            wrong: false,
        }
    }

    /// Goes on behind the element that the tag before opened, which was found here. Nothing
    /// of that name is in it, and it is not in a comment.
    pub fn jump(&mut self, found: usize) -> Option<()> {
        let name = &self.text[found + 1..];
        let end = name.find(|c: char| c.is_ascii_whitespace() || matches!(c, '>' | '/'))?;
        let close = format!("</{}>", &name[..end]);
        self.at = self.behind(self.at, &close)?;
        Some(())
    }

    fn stop<T>(&mut self) -> Option<T> {
        self.wrong = true;
        self.at = self.text.len();
        None
    }

    /// Behind the next occurrence of a mark.
    fn behind(&mut self, from: usize, mark: &str) -> Option<usize> {
        match memmem::find(&self.text.as_bytes()[from..], mark.as_bytes()) {
            Some(found) => Some(from + found + mark.len()),
            None => self.stop(),
        }
    }
}

impl<'t> Iterator for Tags<'t> {
    type Item = Tag<'t>;

    fn next(&mut self) -> Option<Tag<'t>> {
        let bytes = self.text.as_bytes();
        loop {
            let at = self.at;
            if *bytes.get(at)? != b'<' {
                let end = memchr(b'<', &bytes[at..]).map_or(bytes.len(), |end| at + end);
                self.at = end;
                return Some(Tag::Text(&self.text[at..end]));
            }
            match bytes.get(at + 1) {
                Some(b'/') => {
                    self.at = self.behind(at, ">")?;
                    return Some(Tag::Close);
                }
                Some(b'?') => self.at = self.behind(at, "?>")?,
                Some(b'!') if self.text[at..].starts_with("<!--") => {
                    self.at = self.behind(at + 4, "-->")?;
                }
                Some(b'!') if self.text[at..].starts_with("<![CDATA[") => {
                    let end = self.behind(at + 9, "]]>")?;
                    self.at = end;
                    return Some(Tag::Text(&self.text[at + 9..end - 3]));
                }
                Some(b'!') => {
                    let end = self.behind(at, ">")?;
                    // What is declared there is for others to understand.
                    if self.text[at..end].contains('[') {
                        return self.stop();
                    }
                    self.at = end;
                }
                None => return self.stop(),
                Some(_) => {
                    let Some(end) = end_of_tag(&bytes[at..]) else {
                        return self.stop();
                    };
                    let inner = &self.text[at + 1..at + end];
                    self.at = at + end + 1;
                    let (inner, closed) = match inner.strip_suffix('/') {
                        Some(inner) => (inner, true),
                        None => (inner, false),
                    };
                    let name = inner
                        .bytes()
                        .position(|byte| byte.is_ascii_whitespace())
                        .unwrap_or(inner.len());
                    let (name, attributes) = inner.split_at(name);
                    return Some(Tag::Open(local(name), attributes, closed));
                }
            }
        }
    }
}

/// Where a tag ends: a value may hold its bracket.
fn end_of_tag(bytes: &[u8]) -> Option<usize> {
    let first = memchr(b'>', bytes)?;
    let quotes = memchr::memchr_iter(b'"', &bytes[..first]).count();
    if quotes.is_multiple_of(2) && memchr(b'\'', &bytes[..first]).is_none() {
        return Some(first);
    }
    let mut at = 0;
    loop {
        let found = at + memchr::memchr3(b'>', b'"', b'\'', &bytes[at..])?;
        match bytes[found] {
            b'>' => return Some(found),
            quote => at = found + 2 + memchr(quote, &bytes[found + 1..])?,
        }
    }
}

/// A name without its prefix.
pub(super) fn local(name: &str) -> &str {
    memchr(b':', name.as_bytes()).map_or(name, |at| &name[at + 1..])
}

/// The attributes of a tag: their names with the prefix, and their values as they are
/// written; none if they are not well written.
pub(super) fn attributes<'t>(text: &'t str, found: &mut Vec<(&'t str, &'t str)>) -> Option<()> {
    found.clear();
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        if at == bytes.len() {
            return Some(());
        }
        let equals = at + memchr(b'=', &bytes[at..])?;
        let name = text[at..equals].trim_end();
        at = equals + 1;
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        let quote = *bytes
            .get(at)
            .filter(|quote| matches!(quote, b'"' | b'\''))?;
        let value = at + 1;
        let end = value + memchr(quote, &bytes[value..])?;
        if name.is_empty() || name.bytes().any(|byte| byte.is_ascii_whitespace()) {
            return None;
        }
        found.push((name, &text[value..end]));
        at = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{Tag, Tags, attributes};

    #[test]
    fn tags_and_texts_come_in_order() {
        let text = "<?xml v?><!-- <no/> --><x:a b='>' c=\"1\">t<d/><![CDATA[<e>]]></x:a>";
        let said: Vec<String> = Tags::new(text)
            .map(|tag| match tag {
                Tag::Open(name, attributes, closed) => format!("{name}|{attributes}|{closed}"),
                Tag::Close => "close".to_owned(),
                Tag::Text(text) => text.to_owned(),
            })
            .collect();
        assert_eq!(
            said,
            ["a| b='>' c=\"1\"|false", "t", "d||true", "<e>", "close"]
        );
        let mut found = Vec::new();
        attributes(" r:id = 'x' b=\"2\"", &mut found).unwrap();
        assert_eq!(found, [("r:id", "x"), ("b", "2")]);
        for wrong in ["<a", "<a b='>", "<!-- ", "<!DOCTYPE x [<!ENTITY y '1'>]>"] {
            let mut tags = Tags::new(wrong);
            assert!(tags.next().is_none() && tags.wrong, "{wrong}");
        }
        for wrong in [" b", " b=c", " ='c'", " a b='c'", " a='"] {
            assert!(attributes(wrong, &mut found).is_none(), "{wrong}");
        }
    }
}
