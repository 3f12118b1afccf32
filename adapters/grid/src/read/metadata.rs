//! What the numbers in `cm` and `vm` of a cell refer to: programs number it anew whenever
//! they save, so what it says is compared.

use super::extras::Node;
use super::extras::residue::hash;

/// The records of a workbook, by their number less one.
#[derive(Default)]
pub(super) struct Metadata {
    cells: Vec<u64>,
    values: Vec<u64>,
}

impl Metadata {
    /// Of a file that has no such part.
    pub fn none() -> &'static Self {
        static NONE: Metadata = Metadata {
            cells: Vec::new(),
            values: Vec::new(),
        };
        &NONE
    }

    /// The records of a part; none if it is not XML.
    pub fn read(text: &str) -> Self {
        let Some(root) = Node::parse(text) else {
            return Self::default();
        };
        let types: Vec<&Node> = root
            .child("metadataTypes")
            .map(|types| types.all("metadataType").collect())
            .unwrap_or_default();
        let record = |entry: &Node| -> String {
            let at = |name: &str| entry.number(name).map(|number| number as usize);
            let kind = at("t").and_then(|at| types.get(at.checked_sub(1)?));
            let Some(kind) = kind else {
                return format!("{:x}", entry.digest(&|_| 0));
            };
            let name = kind.get("name").unwrap_or_default();
            let mut lists = root.all("futureMetadata");
            let list = lists.find(|list| list.get("name") == Some(name));
            let block = list
                .zip(at("v"))
                .and_then(|(list, at)| list.all("bk").nth(at));
            match block {
                Some(block) => format!("{name} {:x}", block.digest(&|_| 0)),
                None => format!("{name} number {}", entry.get("v").unwrap_or_default()),
            }
        };
        let records = |name: &str| -> Vec<u64> {
            let blocks = root.child(name).map(|list| list.all("bk"));
            let blocks = blocks.into_iter().flatten();
            blocks
                .map(|block| {
                    let said: Vec<String> = block.all("rc").map(record).collect();
                    let said: Vec<&str> = said.iter().map(String::as_str).collect();
                    hash(&said)
                })
                .collect()
        };
        Self {
            cells: records("cellMetadata"),
            values: records("valueMetadata"),
        }
    }

    /// A number for what an attribute of a cell refers to; for its value if that is nothing.
    pub fn digest(&self, attribute: &str, value: &str) -> u64 {
        let list = if attribute == "cm" {
            &self.cells
        } else {
            &self.values
        };
        let number: Option<usize> = value.trim().parse().ok();
        let found = number.and_then(|number| list.get(number.checked_sub(1)?));
        found.copied().unwrap_or_else(|| hash(&["number", value]))
    }
}

#[cfg(test)]
mod tests {
    use super::Metadata;

    fn part(blocks: [&str; 2]) -> String {
        let block = |fields| format!("<bk><extLst><ext><p {fields}/></ext></extLst></bk>");
        format!(
            "<metadata><metadataTypes><metadataType name=\"X\"/></metadataTypes>\
             <futureMetadata name=\"X\">{}{}</futureMetadata>\
             <cellMetadata><bk><rc t=\"1\" v=\"0\"/></bk><bk><rc t=\"1\" v=\"1\"/></bk></cellMetadata></metadata>",
            block(blocks[0]),
            block(blocks[1])
        )
    }

    #[test]
    fn a_number_counts_by_what_it_refers_to() {
        let [ab, ba] = [["a=\"1\"", "b=\"1\""], ["b=\"1\"", "a=\"1\""]].map(part);
        let [ab, ba] = [ab, ba].map(|text| Metadata::read(&text));
        assert_eq!(ab.digest("cm", "1"), ba.digest("cm", "2"));
        assert_ne!(ab.digest("cm", "1"), ab.digest("cm", "2"));
        assert_ne!(ab.digest("cm", "7"), ab.digest("cm", "8"));
        assert_ne!(ab.digest("vm", "1"), ab.digest("cm", "1"));
    }
}
