//! What is around the cells of a sheet.

use super::dom::Node;
use super::payload::Resolve;
use super::styles::Styles;
use crate::extras::{Aspect, ColumnLook, Extra, LineLook, Payload};
use crate::read::plain::area;
use crate::read::rows::rounded;
use crate::{Area, Comment, Element, MAX_COLS, Thread};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// What a sheet holds besides cells and merged regions.
pub(super) struct Shell<'s> {
    pub part: Arc<str>,
    pub styles: &'s Styles,
    /// A number for what a relationship of the sheet leads to.
    pub relation: &'s dyn Fn(&str) -> u64,
    pub resolve: Resolve<'s>,
    /// Names of those who write in threads, by their ids.
    pub persons: &'s HashMap<String, String>,
    pub items: Vec<Extra>,
    pub cols: Vec<ColumnLook>,
}

impl Shell<'_> {
    /// Takes the XML of a sheet without its cells.
    pub fn read(&mut self, text: &str) {
        let Some(root) = Node::parse(text) else {
            self.push(Aspect::Other, xxh3_64(text.as_bytes()));
            return;
        };
        for child in root.children {
            self.element(child);
        }
    }

    fn push(&mut self, aspect: Aspect, digest: u64) {
        self.items.push(Extra {
            aspect,
            areas: Vec::new(),
            formulas: Vec::new(),
            digest,
            part: Arc::clone(&self.part),
            payload: None,
        });
    }

    /// What a report carries of an element, if it can.
    fn payload(&self, node: &Node) -> Option<Arc<Payload>> {
        let element = self.resolve.payload(node)?;
        Some(Arc::new(Payload::Element(element)))
    }

    /// An element that stands for cells: those are taken out of it and follow.
    fn placed(&mut self, aspect: Aspect, node: Node, attribute: &str) {
        let payload = self.payload(&node);
        self.placed_with(aspect, node, attribute, payload);
    }

    fn placed_with(
        &mut self,
        aspect: Aspect,
        mut node: Node,
        attribute: &str,
        payload: Option<Arc<Payload>>,
    ) {
        let mut areas = areas(node.take(attribute).as_deref());
        let mut formulas = Vec::new();
        take_formulas(&mut node, &mut formulas, &mut areas);
        areas.sort_unstable();
        let digest = node.digest(self.relation);
        self.items.push(Extra {
            aspect,
            areas,
            formulas,
            digest,
            part: Arc::clone(&self.part),
            payload,
        });
    }

    fn whole(&mut self, aspect: Aspect, node: &Node) {
        let digest = node.digest(self.relation);
        self.push(aspect, digest);
    }

    /// An element that a report can carry.
    fn carried(&mut self, aspect: Aspect, node: &Node) {
        self.whole(aspect, node);
        let payload = self.payload(node);
        if let Some(last) = self.items.last_mut() {
            last.payload = payload;
        }
    }

    fn element(&mut self, mut node: Node) {
        match &node.name[..] {
            // Cells, and what follows from them.
            "sheetData" | "mergeCells" | "dimension" | "phoneticPr"
            // Pointers; where they lead is read with the parts.
            | "drawing" | "legacyDrawing" | "tableParts" | "picture" => {}
            "sheetPr" => self.properties(&node),
            "sheetViews" => self.views(&node),
            "sheetFormatPr" => {
                node.attributes
                    .retain(|a| matches!(&a.name[..], "defaultColWidth" | "zeroHeight"));
                if !node.attributes.is_empty() {
                    self.carried(Aspect::Sizes, &node);
                }
            }
            "cols" => {
                for col in node.all("col") {
                    self.columns(col);
                }
            }
            "sheetProtection" => self.carried(Aspect::Protection, &node),
            "protectedRanges" => self.whole(Aspect::Protection, &node),
            "autoFilter" | "sortState" => self.placed(Aspect::Filters, node, "ref"),
            "hyperlinks" => {
                for mut link in node.children {
                    let payload = self.payload(&link);
                    // Where it leads inside the workbook follows as a formula does.
                    let inside = link.take("location");
                    let extra = self.items.len();
                    self.placed_with(Aspect::Hyperlinks, link, "ref", payload);
                    self.items[extra].formulas.extend(inside);
                }
            }
            "dataValidations" => {
                for rule in node.children {
                    self.placed(Aspect::Validation, rule, "sqref");
                }
            }
            "conditionalFormatting" => self.conditional(node),
            "printOptions" | "pageMargins" | "headerFooter" => {
                self.carried(Aspect::PageSetup, &node);
            }
            "rowBreaks" | "colBreaks" | "legacyDrawingHF" | "drawingHF" => {
                self.whole(Aspect::PageSetup, &node);
            }
            "pageSetup" => {
                // What the printer remembers is a part of its own.
                node.attributes.retain(|a| !a.is_relation);
                self.carried(Aspect::PageSetup, &node);
            }
            "oleObjects" | "controls" => self.whole(Aspect::Controls, &node),
            "ignoredErrors" | "cellWatches" => self.whole(Aspect::Selection, &node),
            "customSheetViews" => self.whole(Aspect::Views, &node),
            "extLst" => {
                for inner in node.children.into_iter().flat_map(|ext| ext.children) {
                    self.extension(inner);
                }
            }
            "AlternateContent" => {
                // Controls are here twice, for old and new programs.
                self.whole(Aspect::Controls, &node);
            }
            _ => self.whole(Aspect::Other, &node),
        }
    }

    fn properties(&mut self, node: &Node) {
        for child in &node.children {
            let aspect = match &child.name[..] {
                "tabColor" => Aspect::Views,
                "outlinePr" => Aspect::Hidden,
                "pageSetUpPr" => Aspect::PageSetup,
                _ => Aspect::Other,
            };
            if aspect == Aspect::Other {
                self.whole(aspect, child);
            } else {
                self.carried(aspect, child);
            }
        }
    }

    fn views(&mut self, node: &Node) {
        for view in node.all("sheetView") {
            let (mut lasts, mut passes) = (String::new(), String::new());
            for attribute in &view.attributes {
                let to = if is_lasting(&attribute.name) {
                    &mut lasts
                } else {
                    &mut passes
                };
                let _ = write!(to, "{}={};", attribute.name, attribute.value);
            }
            for child in &view.children {
                if child.name != "pane" {
                    let _ = write!(passes, "{:x};", child.digest(self.relation));
                    continue;
                }
                for attribute in &child.attributes {
                    let to = if is_lasting(&attribute.name) {
                        &mut lasts
                    } else {
                        &mut passes
                    };
                    let _ = write!(to, "{}={};", attribute.name, attribute.value);
                }
            }
            self.push(Aspect::Views, xxh3_64(lasts.as_bytes()));
            let lasting = |node: &Node, is: &dyn Fn(&str) -> bool| Element {
                name: node.name.clone(),
                attributes: node
                    .attributes
                    .iter()
                    .filter(|a| is(&a.name))
                    .map(|a| (a.name.clone(), a.value.clone()))
                    .collect(),
                ..Element::default()
            };
            let mut said = lasting(view, &is_lasting);
            let pane = view.child("pane");
            said.children
                .extend(pane.map(|pane| lasting(pane, &is_lasting)));
            if let Some(last) = self.items.last_mut() {
                last.payload = Some(Arc::new(Payload::Element(said)));
            }
            self.push(Aspect::Selection, xxh3_64(passes.as_bytes()));
        }
    }

    fn columns(&mut self, col: &Node) {
        let (Some(first), Some(last)) = (col.number("min"), col.number("max")) else {
            return;
        };
        let (Some(first), last) = (first.checked_sub(1), last.min(MAX_COLS)) else {
            return;
        };
        if first >= last {
            return;
        }
        let width = col.get("width").and_then(|width| width.parse::<f64>().ok());
        // Programs round to pixels, each in its own way.
        let size = width.map_or(0, |width| rounded(width, 16.0));
        self.cols.push(ColumnLook {
            first,
            last: last - 1,
            look: LineLook {
                size,
                hidden: hidden(
                    col.is("hidden"),
                    col.number("outlineLevel"),
                    col.is("collapsed"),
                ),
            },
            chosen: col.is("customWidth"),
            style: col.number("style").unwrap_or(0),
        });
    }

    fn conditional(&mut self, mut node: Node) {
        let payload = self.payload(&node);
        for rule in &mut node.children {
            self.resolve_style(rule);
        }
        self.placed_with(Aspect::ConditionalFormats, node, "sqref", payload);
    }

    /// Writes what a style is where its number stands.
    fn resolve_style(&self, node: &mut Node) {
        for attribute in &mut node.attributes {
            if attribute.name.ends_with("xfId") {
                let id: Option<usize> = attribute.value.trim().parse().ok();
                let look = id.and_then(|id| self.styles.differential_keys.get(id));
                attribute.value = format!("{:x}", look.copied().unwrap_or(0));
            }
        }
    }

    /// What later versions of the format added.
    fn extension(&mut self, node: Node) {
        let aspect = match &node.name[..] {
            "conditionalFormattings" => Aspect::ConditionalFormats,
            "dataValidations" => Aspect::Validation,
            "slicerList" | "timelineRefs" => Aspect::Tables,
            "ignoredErrors" => Aspect::Selection,
            _ => Aspect::Other,
        };
        match aspect {
            Aspect::ConditionalFormats | Aspect::Validation => {
                for rule in node.children {
                    self.placed_with(aspect, rule, "sqref", None);
                }
            }
            _ => self.whole(aspect, &node),
        }
    }

    /// A table: the part that it is in, and what it says.
    pub fn table(&mut self, part: &str, mut node: Node) {
        // Programs number tables and their columns anew.
        crate::table::without_ids(&mut node);
        if let Some(payload) = self.payload(&node) {
            self.items.push(Extra {
                aspect: Aspect::Tables,
                areas: areas(node.get("ref")),
                formulas: Vec::new(),
                digest: 0,
                part: part.into(),
                payload: Some(payload),
            });
            return;
        }
        let mut more = Vec::new();
        for child in &mut node.children {
            more.extend(areas(child.take("ref").as_deref()));
            for column in &mut child.children {
                self.resolve_style(column);
                column.take("queryTableFieldId");
            }
        }
        self.resolve_style(&mut node);
        let extra = self.items.len();
        self.placed_with(Aspect::Tables, node, "ref", None);
        self.items[extra].areas.extend(more);
        self.items[extra].part = part.into();
    }

    /// Comments, each with its author and its text.
    pub fn comments(&mut self, part: &str, root: &Node) {
        let authors: Vec<&str> = root
            .child("authors")
            .map(|authors| authors.all("author").map(|a| a.text.trim()).collect())
            .unwrap_or_default();
        let list = root.child("commentList").unwrap_or(root);
        for comment in &list.children {
            let author = comment.number("authorId");
            let author = author.and_then(|id| authors.get(id as usize).copied());
            let text = comment.child("text").map(Node::all_text);
            let text = text.unwrap_or_default();
            let person = comment.get("personId").unwrap_or_default();
            let done = comment.get("done").unwrap_or_default();
            let said = format!("{}\n{person}\n{done}\n{text}", author.unwrap_or_default());
            let thread = (comment.name == "threadedComment").then(|| Thread {
                id: comment.get("id").unwrap_or_default().to_owned(),
                parent: comment.get("parentId").map(str::to_owned),
                person: person.to_owned(),
                time: comment.get("dT").unwrap_or_default().to_owned(),
                done: comment.is("done"),
            });
            let author = match &thread {
                Some(thread) => self.persons.get(&thread.person).map(String::as_str),
                None => author,
            };
            let author = author.unwrap_or_default().to_owned();
            self.items.push(Extra {
                aspect: Aspect::Comments,
                areas: areas(comment.get("ref")),
                formulas: Vec::new(),
                digest: xxh3_64(said.as_bytes()),
                part: part.into(),
                payload: Some(Arc::new(Payload::Comment(Comment {
                    author,
                    text,
                    thread,
                }))),
            });
        }
    }

    /// Old drawings: the boxes of comments, and controls. Where a box is is not a
    /// matter; whether it is shown is.
    pub fn boxes(&mut self, part: &str, root: &Node) {
        for shape in root.all("shape") {
            let Some(data) = shape.child("ClientData") else {
                continue;
            };
            let text = |name: &str| data.child(name).map(Node::all_text);
            let (aspect, said) = if data.get("ObjectType") == Some("Note") {
                if data.child("Visible").is_none() {
                    continue;
                }
                let place = [text("Row"), text("Column")];
                (Aspect::Comments, format!("{place:?} shown"))
            } else {
                let said: Vec<String> = data
                    .children
                    .iter()
                    .filter(|child| child.name != "Anchor")
                    .map(|child| format!("{}={}", child.name, child.all_text()))
                    .collect();
                let kind = data.get("ObjectType").unwrap_or_default();
                let words = shape.child("textbox").map(Node::all_text);
                (Aspect::Controls, format!("{kind} {words:?} {said:?}"))
            };
            self.push(aspect, xxh3_64(said.as_bytes()));
            if let Some(last) = self.items.last_mut() {
                last.part = part.into();
            }
        }
    }
}

/// Whether an attribute of a view says more than where somebody looked last.
pub(crate) fn is_lasting(name: &str) -> bool {
    matches!(
        name,
        "showGridLines"
            | "showRowColHeaders"
            | "showZeros"
            | "showFormulas"
            | "rightToLeft"
            | "view"
            | "windowProtection"
            | "xSplit"
            | "ySplit"
            | "state"
    )
}

/// Hidden, level and folded as one number; 0 for a line as any other.
pub(in crate::read) fn hidden(is: bool, level: Option<u32>, folded: bool) -> u64 {
    u64::from(is) | u64::from(folded) << 1 | u64::from(level.unwrap_or(0)) << 2
}

/// The areas of a `ref` or `sqref`; what is none is left out.
fn areas(text: Option<&str>) -> Vec<Area> {
    let words = text.unwrap_or_default().split_ascii_whitespace();
    words.filter_map(|word| area("", word).ok()).collect()
}

/// Takes formulas out of an element, and what newer elements say of their cells.
fn take_formulas(node: &mut Node, formulas: &mut Vec<String>, cells: &mut Vec<Area>) {
    for child in &mut node.children {
        match &child.name[..] {
            "formula"
            | "formula1"
            | "formula2"
            | "f"
            | "calculatedColumnFormula"
            | "totalsRowFormula" => {
                formulas.push(std::mem::take(&mut child.text));
            }
            "sqref" => cells.extend(areas(Some(&std::mem::take(&mut child.text)))),
            _ => {}
        }
        take_formulas(child, formulas, cells);
    }
}
