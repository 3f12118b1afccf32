//! A place in a text of plain XML.

use super::plain::Stop;

/// How a tag ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// With `>`.
    Open,
    /// With `/>`.
    Closed,
}

/// A text in the part, or in the buffer it was decoded to.
pub(super) enum Text<'t> {
    Plain(&'t str),
    Decoded,
}

/// Reads on from a place in a text.
pub(super) struct Cursor<'t> {
    text: &'t str,
    /// What is before the name of every element: `x:`, or mostly nothing.
    prefix: &'t str,
    pub at: usize,
}

impl<'t> Cursor<'t> {
    pub fn new(text: &'t str, prefix: &'t str) -> Self {
        Self {
            text,
            prefix,
            at: 0,
        }
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Goes past white space.
    #[inline]
    fn skip_white(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    /// Goes past white space and comments, which may be between elements.
    #[inline]
    pub fn skip_blanks(&mut self) {
        self.skip_white();
        while self.eat("<!--") {
            let rest = &self.text[self.at..];
            self.at += rest.find("-->").map_or(rest.len(), |end| end + "-->".len());
            self.skip_white();
        }
    }

    /// What comes next.
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Goes past a tag such as `<row` or `</row>`, with the prefix, if it comes next.
    #[inline]
    pub fn eat_tag(&mut self, tag: &'static str) -> bool {
        if self.prefix.is_empty() {
            return self.eat(tag);
        }
        let (bracket, name) = tag.split_at(if tag.starts_with("</") { 2 } else { 1 });
        let rest = self.text[self.at..].strip_prefix(bracket);
        let rest = rest.and_then(|rest| rest.strip_prefix(self.prefix)?.strip_prefix(name));
        if let Some(rest) = rest {
            self.at = self.text.len() - rest.len();
        }
        rest.is_some()
    }

    /// Goes past `what` if it comes next.
    #[inline]
    pub fn eat(&mut self, what: &str) -> bool {
        let is = self.text.as_bytes()[self.at..].starts_with(what.as_bytes());
        if is {
            self.at += what.len();
        }
        is
    }

    /// Goes past the attributes of a tag whose name has been read.
    pub fn skip_attributes(&mut self) -> Result<Tag, Stop> {
        self.attributes(|_, _| ())
    }

    /// Shows each attribute of a tag whose name has been read, and goes past it.
    #[inline]
    pub fn attributes(&mut self, mut each: impl FnMut(&'t str, &'t str)) -> Result<Tag, Stop> {
        let bytes = self.text.as_bytes();
        loop {
            match self.peek() {
                Some(b'>') => {
                    self.at += 1;
                    return Ok(Tag::Open);
                }
                Some(b'/') if bytes.get(self.at + 1) == Some(&b'>') => {
                    self.at += 2;
                    return Ok(Tag::Closed);
                }
                // Something has to be between names and values.
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.skip_white(),
                _ => return Err(Stop::Unusual),
            }
            if matches!(self.peek(), Some(b'>' | b'/')) {
                continue;
            }
            let start = self.at;
            while self
                .peek()
                .is_some_and(|b| b != b'=' && b > b' ' && b != b'<' && b != b'>')
            {
                self.at += 1;
            }
            let name = start..self.at;
            let quote = bytes.get(self.at + 1).copied();
            let (Some(b'='), Some(quote @ (b'"' | b'\''))) = (self.peek(), quote) else {
                return Err(Stop::Unusual);
            };
            let start = self.at + 2;
            let mut end = start;
            loop {
                match bytes.get(end) {
                    Some(b) if *b == quote => break,
                    None | Some(b'<' | b'&') => return Err(Stop::Unusual),
                    Some(_) => end += 1,
                }
            }
            self.at = end + 1;
            each(&self.text[name], &self.text[start..end]);
        }
    }

    /// The text up to `close`, which has to come next; decoded into `buffer` if
    /// something in it stands for something else.
    #[inline]
    pub fn text(&mut self, close: &'static str, buffer: &mut String) -> Result<Text<'t>, Stop> {
        let text = self.up_to_tag()?;
        if !self.eat_tag(close) {
            return self.pieces(text, close, buffer);
        }
        if memchr::memchr2(b'&', b'\r', text.as_bytes()).is_none() {
            return Ok(Text::Plain(text));
        }
        buffer.clear();
        decode(text, buffer)?;
        Ok(Text::Decoded)
    }

    #[inline]
    fn up_to_tag(&mut self) -> Result<&'t str, Stop> {
        let length = memchr::memchr(b'<', &self.text.as_bytes()[self.at..]);
        let end = self.at + length.ok_or(Stop::Unusual)?;
        let text = &self.text[self.at..end];
        self.at = end;
        Ok(text)
    }

    /// A text with comments and CDATA sections in it.
    fn pieces(
        &mut self,
        first: &'t str,
        close: &'static str,
        buffer: &mut String,
    ) -> Result<Text<'t>, Stop> {
        buffer.clear();
        decode(first, buffer)?;
        while !self.eat_tag(close) {
            let (end, kept) = if self.eat("<![CDATA[") {
                ("]]>", true)
            } else if self.eat("<!--") {
                ("-->", false)
            } else {
                return Err(Stop::Unusual);
            };
            let length = self.rest().find(end).ok_or(Stop::Unusual)?;
            if kept {
                buffer.push_str(&self.rest()[..length]);
            }
            self.at += length + end.len();
            decode(self.up_to_tag()?, buffer)?;
        }
        Ok(Text::Decoded)
    }
}

/// Adds the text with the entities of XML itself resolved and one kind of line end.
fn decode(text: &str, buffer: &mut String) -> Result<(), Stop> {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '\r']) {
        buffer.push_str(&rest[..at]);
        if let Some(line) = rest[at..].strip_prefix('\r') {
            buffer.push('\n');
            rest = line.strip_prefix('\n').unwrap_or(line);
            continue;
        }
        let end = rest[at..].find(';').ok_or(Stop::Unusual)?;
        let entity = &rest[at + 1..at + end];
        let character = match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            _ => {
                let code = match entity.strip_prefix("#x") {
                    Some(digits) => u32::from_str_radix(digits, 16).ok(),
                    None => entity.strip_prefix('#').and_then(|d| d.parse().ok()),
                };
                code.filter(|code| *code > 0)
                    .and_then(char::from_u32)
                    .ok_or(Stop::Unusual)?
            }
        };
        buffer.push(character);
        rest = &rest[at + end + 1..];
    }
    buffer.push_str(rest);
    Ok(())
}
