//! What a package holds besides the cells of its sheets, as far as it takes to say
//! whether it differs.
//!
//! Nothing here fails: a part that cannot be understood is compared by its bytes.

mod carried;
mod chart;
mod dom;
mod drawings;
mod mashup;
mod notes;
mod payload;
mod pivots;
pub(crate) mod props;
pub(super) mod residue;
pub(super) mod runs;
mod sheet;
mod styles;
mod tags;
mod vba;
mod workbook;

pub(crate) use dom::Node;
pub(super) use dom::is_noise;
pub(crate) use payload::Resolve;
pub(super) use sheet::hidden;
pub(crate) use styles::Styles;

use super::alike::is_rels;
use super::book::{self, Target};
use super::package::Package;
use super::{xlsx, xml};
use crate::Element;
use crate::extras::{Aspect, ColumnLook, Extra, PartDigest, Payload};
use carried::ContentTypes;
use sheet::Shell;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Parts that lead to parts that lead to parts.
const DEEPEST: usize = 16;

/// Reads what a package has besides its cells.
pub(super) struct Reader<'p, 'b> {
    package: &'p RefCell<&'p mut Package<'b>>,
    styles: &'p Styles,
    /// Parts that are byte for byte the same in the other package, with all that
    /// they lead to.
    same: &'p HashSet<String>,
    digests: RefCell<HashMap<String, u64>>,
    /// Parts that something led to.
    reached: RefCell<BTreeSet<String>>,
    /// Those who write in threads of comments; looked up once, for all sheets.
    persons: OnceCell<HashMap<String, String>>,
    types: OnceCell<ContentTypes>,
    has_macros: OnceCell<bool>,
    /// Bytes of charts and pictures that may still be carried.
    room: Cell<u64>,
}

impl<'p, 'b> Reader<'p, 'b> {
    pub fn new(
        package: &'p RefCell<&'p mut Package<'b>>,
        styles: &'p Styles,
        same: &'p HashSet<String>,
    ) -> Self {
        Self {
            package,
            styles,
            same,
            digests: RefCell::default(),
            reached: RefCell::default(),
            persons: OnceCell::new(),
            types: OnceCell::new(),
            has_macros: OnceCell::new(),
            room: Cell::new(carried::ROOM),
        }
    }

    /// Items and columns of a sheet: of its own XML without the cells, if that was
    /// read, with what was left of the cells, and of the parts that it leads to.
    pub fn sheet(&self, part: &str, shell: Option<xlsx::Shell>) -> (Vec<Extra>, Vec<ColumnLook>) {
        let rels = self.relations(part);
        let relation = |id: &str| self.led_to(&rels, id, 1);
        let target = |id: &str| {
            let target = rels.get(id).filter(|target| target.outside)?;
            Some(target.outside_name().to_owned())
        };
        let persons = self.persons.get_or_init(|| self.persons());
        let mut read = Shell {
            part: part.into(),
            styles: self.styles,
            relation: &relation,
            resolve: Resolve {
                target: &target,
                differential: &self.styles.differential,
            },
            persons,
            macros: self.has_macros(),
            items: Vec::new(),
            cols: Vec::new(),
            named: BTreeSet::new(),
            boxes: None,
        };
        if let Some((text, left)) = shell {
            read.read(&text);
            for left in left {
                let aspect = Aspect::Other;
                read.push_left(aspect, &[left.area], &left.label, left.digest);
                if let Some(last) = read.items.last_mut() {
                    last.formulas = left.formulas;
                }
            }
            let named = std::mem::take(&mut read.named);
            let kinds = ["drawing", "vmlDrawing", "table", "image"];
            for kind in unnamed(&rels, &named, &kinds) {
                let aspect = of_kind(kind).unwrap_or(Aspect::Other);
                let label = format!("no element names a {kind}");
                read.push_left(aspect, &[], &label, 0);
            }
        }
        self.reach(part);
        for target in rels.values().filter(|target| !target.outside) {
            let Some(aspect) = of_kind(&target.kind) else {
                continue;
            };
            self.reach(&target.part);
            let node = match &target.kind[..] {
                "table" | "comments" | "threadedComment" | "vmlDrawing" => self.node(&target.part),
                _ => None,
            };
            if target.kind == "pivotTable" {
                let at = read.items.iter().filter(|item| item.object().is_some());
                let at = at.count() as u32;
                if self.pivot(target, at, &mut read) {
                    continue;
                }
            }
            if target.kind == "drawing" && self.drawing(&target.part, &mut read) {
                continue;
            }
            match (&target.kind[..], node) {
                ("table", Some(node)) => {
                    read.table(&target.part, node);
                    // What a query fills it with.
                    let below = self.relations(&target.part);
                    let mut digests: Vec<u64> =
                        below.keys().map(|id| self.led_to(&below, id, 2)).collect();
                    digests.sort_unstable();
                    for digest in digests {
                        read.items.push(item(Aspect::Queries, &target.part, digest));
                    }
                }
                ("comments" | "threadedComment", Some(node)) => {
                    read.comments(&target.part, node);
                }
                ("vmlDrawing", Some(node)) => read.boxes(&target.part, node),
                _ => {
                    let digest = self.digest(&target.part, 1);
                    read.items.push(item(aspect, &target.part, digest));
                }
            }
        }
        read.match_boxes();
        read.items.sort();
        (read.items, read.cols)
    }

    /// Everything that belongs to no sheet. `book` is the workbook part.
    pub fn rest(&self, book: &str) -> Vec<PartDigest> {
        let mut found = Vec::new();
        self.workbook(book, &mut found);
        let top = self.relations("");
        let of_book = self.relations(book);
        let all = top.values().map(|target| (true, target));
        for (of_package, target) in all.chain(of_book.values().map(|target| (false, target))) {
            // Some programs name parts that they did not write.
            let is_there = self.package.borrow().has(&target.part);
            if target.outside || target.part == book || !is_there {
                continue;
            }
            self.reach(&target.part);
            let Some(aspect) = of_kind(&target.kind) else {
                continue;
            };
            let aspect = match aspect {
                Aspect::Other if target.kind == "customXml" => self.custom(&target.part),
                aspect => aspect,
            };
            found.push(PartDigest {
                aspect,
                digest: self.digest(&target.part, 1),
                carried: self.carried(aspect, Some(target), &target.part, of_package),
                part: target.part.clone(),
                piece: None,
            });
        }
        self.reach(book);
        let names = self.package.borrow().part_names();
        let left: Vec<String> = names
            .into_iter()
            .filter(|name| !is_rels(name) && name != "[content_types].xml")
            .filter(|name| !name.ends_with('/') && !self.reached.borrow().contains(name))
            .collect();
        for part in left {
            found.push(PartDigest {
                aspect: Aspect::Other,
                digest: self.digest(&part, 1),
                carried: self.carried(Aspect::Other, None, &part, true),
                part,
                piece: None,
            });
        }
        found.sort();
        found
    }

    /// Looked up once: a package may have thousands of sheets.
    fn has_macros(&self) -> bool {
        *self.has_macros.get_or_init(|| {
            let names = self.package.borrow().part_names();
            names.iter().any(|name| name.ends_with("vbaproject.bin"))
        })
    }

    /// Power Query keeps its queries in a part that others use for anything.
    fn custom(&self, part: &str) -> Aspect {
        let bytes = self.bytes(part);
        let text = bytes
            .as_deref()
            .and_then(|bytes| xml::decode("", bytes).ok());
        let is = text.is_some_and(|text| {
            let head: String = text.chars().take(512).collect();
            head.contains("DataMashup")
        });
        if is { Aspect::Queries } else { Aspect::Other }
    }

    /// Names of those who write in threads of comments, by their ids.
    fn persons(&self) -> HashMap<String, String> {
        let names = self.package.borrow().part_names();
        let parts = names
            .into_iter()
            .filter(|name| name.starts_with("xl/persons/"));
        let mut persons = HashMap::new();
        for root in parts.filter_map(|part| self.node(&part)) {
            for person in root.all("person") {
                if let (Some(id), Some(name)) = (person.get("id"), person.get("displayName")) {
                    persons.insert(id.to_owned(), name.to_owned());
                }
            }
        }
        persons
    }

    fn reach(&self, part: &str) {
        self.reached
            .borrow_mut()
            .insert(super::package::normal(part));
    }

    fn relations(&self, part: &str) -> BTreeMap<String, Target> {
        let folder = part.rfind('/').map_or("", |at| &part[..=at]);
        let file = &part[folder.len()..];
        let rels = format!("{folder}_rels/{file}.rels");
        let mut package = self.package.borrow_mut();
        let found = book::relationships(&mut package, &rels, folder);
        found.unwrap_or_default().into_iter().collect()
    }

    fn bytes(&self, part: &str) -> Option<Vec<u8>> {
        self.package.borrow_mut().read(part).ok()
    }

    fn node(&self, part: &str) -> Option<Node> {
        let bytes = self.bytes(part)?;
        Node::parse(&xml::decode("", &bytes).ok()?)
    }

    /// A number for what a relationship leads to.
    fn led_to(&self, rels: &BTreeMap<String, Target>, id: &str, depth: usize) -> u64 {
        match rels.get(id) {
            None => 0,
            Some(target) if target.outside => xxh3_64(target.part.as_bytes()),
            Some(target) => self.digest(&target.part, depth) ^ xxh3_64(target.kind.as_bytes()),
        }
    }

    /// A number for what a part says, and for all that it leads to.
    fn digest(&self, part: &str, depth: usize) -> u64 {
        let key = super::package::normal(part);
        if let Some(digest) = self.digests.borrow().get(&key) {
            return *digest;
        }
        self.reach(part);
        // Two parts may lead to each other.
        self.digests.borrow_mut().insert(key.clone(), 1);
        let rels = if depth < DEEPEST {
            self.relations(part)
        } else {
            BTreeMap::new()
        };
        let digest = if self.same.contains(&key) {
            for id in rels.keys() {
                self.led_to(&rels, id, depth + 1);
            }
            let packed = self.package.borrow_mut().packed(part);
            packed.map_or(2, |packed| packed.hash())
        } else {
            match self.bytes(part) {
                None => {
                    let packed = self.package.borrow_mut().packed(part);
                    packed.map_or(3, |packed| packed.hash())
                }
                Some(bytes) => {
                    let relation = |id: &str| self.led_to(&rels, id, depth + 1);
                    let own = dom::digest(&bytes, &relation, PASSING);
                    // Parts that no attribute names, such as a chart's colours.
                    let mut all: Vec<u64> = rels
                        .keys()
                        .map(|id| self.led_to(&rels, id, depth + 1))
                        .collect();
                    all.sort_unstable();
                    let mut said: Vec<u8> = own.to_le_bytes().to_vec();
                    said.extend(all.iter().flat_map(|digest| digest.to_le_bytes()));
                    xxh3_64(&said)
                }
            }
        };
        self.digests.borrow_mut().insert(key, digest);
        digest
    }
}

/// Attributes that change whenever a workbook is saved or refreshed.
const PASSING: &[&str] = &[
    "refreshedDate",
    "refreshedDateIso",
    "refreshedBy",
    "refreshedVersion",
];

fn item(aspect: Aspect, part: &str, digest: u64) -> Extra {
    Extra {
        aspect,
        areas: Vec::new(),
        formulas: Vec::new(),
        digest,
        part: Arc::from(part),
        payload: None,
        label: None,
    }
}

/// Kinds of relationships that lead somewhere and that no element names, so that programs
/// do not show what they lead to.
fn unnamed<'r>(
    rels: &'r BTreeMap<String, Target>,
    named: &BTreeSet<String>,
    kinds: &[&str],
) -> Vec<&'r str> {
    let wanted = |to: &Target| !to.outside && kinds.contains(&&to.kind[..]);
    let found = rels
        .iter()
        .filter(|(id, to)| wanted(to) && !named.contains(*id));
    found.map(|(_, to)| &to.kind[..]).collect()
}

/// A name that a program keeps for itself; none if it only says again what a filter
/// says.
pub(super) fn built_in(part: &str, name: &str, refers_to: String) -> Option<Extra> {
    if name == "_xlnm._FilterDatabase" {
        return None;
    }
    let payload = Payload::Element(Element {
        name: "definedName".to_owned(),
        attributes: [("name".to_owned(), name.to_owned())].into(),
        text: refers_to.clone(),
        ..Element::default()
    });
    Some(Extra {
        formulas: vec![refers_to],
        payload: Some(Arc::new(payload)),
        ..item(Aspect::PageSetup, part, xxh3_64(name.as_bytes()))
    })
}

/// What a relationship leads to; none if that is read as cells or texts, or says
/// nothing of its own.
fn of_kind(kind: &str) -> Option<Aspect> {
    Some(match kind {
        "worksheet"
        | "chartsheet"
        | "dialogsheet"
        | "xlMacrosheet"
        | "xlIntlMacrosheet"
        | "officeDocument"
        | "sharedStrings"
        | "hyperlink"
        | "pivotCacheDefinition"
        | "externalLinkPath" => return other_kind(kind),
        "comments" | "threadedComment" | "vmlDrawing" => Aspect::Comments,
        "drawing" | "chart" | "image" | "chartUserShapes" => Aspect::Drawings,
        "table" | "tableSingleCells" | "slicer" | "slicerCache" | "timeline" | "timelineCache" => {
            Aspect::Tables
        }
        "pivotTable" | "pivotCacheRecords" => Aspect::Pivots,
        "queryTable" | "powerPivotData" | "xmlMaps" => Aspect::Queries,
        "connections" => Aspect::Connections,
        "vbaProject" | "extensibility" | "ui" | "attachedToolbars" => Aspect::Macros,
        "ctrlProp" | "control" | "oleObject" | "package" | "activeXControlBinary" => {
            Aspect::Controls
        }
        // How cells look is compared cell by cell.
        "printerSettings" | "styles" => Aspect::Unused,
        "core-properties"
        | "extended-properties"
        | "custom-properties"
        | "thumbnail"
        | "docMetadata"
        | "revisionHeaders"
        // Who wrote a comment is compared with it.
        | "person"
        | "usernames" => Aspect::Properties,
        "theme" => Aspect::Theme,
        // Which file a link names is compared; what was read from it last is not.
        "calcChain" | "volatileDependencies" | "sheetMetadata" | "externalLink" => {
            Aspect::Calculation
        }
        _ => Aspect::Other,
    })
}

/// Parts with a reader of their own, and parts that pivots and links keep behind
/// what they are.
fn other_kind(kind: &str) -> Option<Aspect> {
    match kind {
        "chartsheet" | "dialogsheet" => Some(Aspect::Drawings),
        "xlMacrosheet" | "xlIntlMacrosheet" => Some(Aspect::Macros),
        "pivotCacheDefinition" => Some(Aspect::Pivots),
        _ => None,
    }
}
