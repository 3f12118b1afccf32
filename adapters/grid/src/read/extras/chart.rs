//! What a chart says, read in one pass: charts keep the values of thousands of cells.

use super::dom::{END, attributes, feed_start, is_cache};
use crate::Element;
use crate::read::xml;
use quick_xml::events::{BytesStart, Event};
use xxhash_rust::xxh3::Xxh3;

/// Elements inside elements, beyond which nothing is understood.
const DEEPEST: usize = 128;
/// Characters of a title that are kept.
const LONGEST: usize = 400;

/// A chart.
#[derive(Default)]
pub(super) struct Chart {
    /// A number for all of it but for its formulas, and for the values that it keeps of
    /// cells.
    pub digest: u64,
    /// The ranges that it shows.
    pub formulas: Vec<String>,
    title: String,
    /// `bar`, `line`; several if it combines them.
    kinds: Vec<String>,
}

/// Reads a chart; none if it is not XML.
pub(super) fn chart(bytes: &[u8], relation: &dyn Fn(&str) -> u64) -> Option<Chart> {
    let text = xml::decode("", bytes).ok()?;
    let mut reader = xml::events(&text);
    let mut hash = Xxh3::new();
    let mut found = Chart::default();
    let mut open: Vec<String> = Vec::new();
    // How deep inside of what it remembers of its cells.
    let mut cached = 0;
    loop {
        match reader.read_event().ok()? {
            Event::Eof => break,
            Event::Start(element) => {
                let name = element.local_name().as_ref().to_owned();
                if cached > 0 || is_cache(&name) {
                    cached += 1;
                } else {
                    feed_start(&mut hash, &name, &attributes(&element), relation);
                    found.kind(&name, &element, &open);
                    if name == "f" {
                        found.formulas.push(String::new());
                    }
                }
                if open.len() >= DEEPEST {
                    return None;
                }
                open.push(name);
            }
            Event::End(_) => {
                open.pop()?;
                if cached > 0 {
                    cached -= 1;
                } else {
                    hash.update(&[END]);
                }
            }
            Event::Text(piece) => found.text(&piece.xml10_content(), &open, cached, &mut hash),
            Event::CData(piece) => found.text(&piece.xml10_content(), &open, cached, &mut hash),
            Event::GeneralRef(entity) => {
                let text = xml::resolve("", &entity).ok()?;
                found.text(&text, &open, cached, &mut hash);
            }
            _ => {}
        }
    }
    found.digest = hash.digest();
    open.is_empty().then_some(found)
}

impl Chart {
    fn text(&mut self, text: &str, open: &[String], cached: usize, hash: &mut Xxh3) {
        let inside = open.last().map_or("", String::as_str);
        if cached == 0 && inside == "f" {
            if let Some(last) = self.formulas.last_mut() {
                last.push_str(text);
            }
            return;
        }
        if cached == 0 && !text.trim().is_empty() {
            hash.update(text.as_bytes());
        }
        // The title of the chart, not one of an axis; it may be that of a cell.
        let mut parents = open.windows(2);
        let is_title = parents.any(|pair| pair[0] == "chart" && pair[1] == "title");
        if is_title && matches!(inside, "t" | "v" | "tx") && self.title.len() < LONGEST {
            self.title.push_str(text.trim_end_matches('\n'));
        }
    }

    fn kind(&mut self, name: &str, element: &BytesStart<'_>, open: &[String]) {
        let value = |wanted: &str| {
            let mut all = attributes(element).into_iter();
            all.find(|a| a.name == wanted).map(|a| a.value)
        };
        let inside = open.last().map_or("", String::as_str);
        let kind = match (inside, name) {
            ("plotArea", name) => name.strip_suffix("Chart").map(str::to_owned),
            ("plotAreaRegion", "series") => value("layoutId"),
            ("barChart" | "bar3DChart", "barDir") => {
                if value("val").as_deref() == Some("col")
                    && let Some(last) = self.kinds.last_mut()
                {
                    *last = last.replacen("bar", "column", 1);
                }
                None
            }
            _ => None,
        };
        self.kinds
            .extend(kind.filter(|kind| !self.kinds.contains(kind)));
    }

    /// In words.
    pub fn describe(&self, said: &mut Element) {
        "chart".clone_into(&mut said.name);
        let mut say = |name: &str, value: String| {
            if !value.is_empty() {
                said.attributes.insert(name.to_owned(), value);
            }
        };
        say("type", self.kinds.join("+"));
        say("title", self.title.trim().to_owned());
        let mut known: Vec<&String> = Vec::new();
        for formula in self.formulas.iter().take(100) {
            if !known.contains(&formula) {
                known.push(formula);
            }
        }
        let range = |text: &String| Element {
            name: "f".to_owned(),
            text: text.clone(),
            ..Element::default()
        };
        said.children.extend(known.into_iter().map(range));
    }
}

#[cfg(test)]
mod tests {
    use super::{Chart, chart};
    use crate::Element;

    fn read(text: &str) -> Chart {
        chart(text.as_bytes(), &|_| 0).unwrap()
    }

    const BAR: &str = "<c:chartSpace><c:chart><c:title><c:tx><a:t>Sales &amp; </a:t><a:t>costs</a:t></c:tx></c:title><c:plotArea><c:barChart><c:barDir val=\"col\"/><c:ser><c:f>Data!$B$2:$B$4</c:f><c:numCache><c:v>7</c:v></c:numCache></c:ser></c:barChart><c:lineChart/><c:valAx><c:title><a:t>axis</a:t></c:title></c:valAx></c:plotArea></c:chart></c:chartSpace>";

    #[test]
    fn a_chart_is_described_by_its_kind_title_and_ranges() {
        let mut said = Element::default();
        read(BAR).describe(&mut said);
        assert_eq!(said.get("type"), Some("column+line"));
        assert_eq!(said.get("title"), Some("Sales & costs"));
        assert_eq!(said.children[0].text, "Data!$B$2:$B$4");
    }

    #[test]
    fn formulas_and_kept_values_are_apart_from_all_the_rest() {
        let digest = |from: &str, to: &str| read(&BAR.replace(from, to)).digest;
        assert_eq!(digest("$4", "$5"), read(BAR).digest);
        assert_eq!(digest("<c:v>7", "<c:v>8"), read(BAR).digest);
        assert_ne!(digest("axis", "axes"), read(BAR).digest);
        assert_ne!(digest("col\"", "bar\""), read(BAR).digest);
        assert!(chart(b"<a><b></a>", &|_| 0).is_none());
        assert!(chart(&b"<a>".repeat(500), &|_| 0).is_none());
    }
}
