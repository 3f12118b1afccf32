//! What is around the cells of a sheet.

use super::dom::Node;
use super::payload::Resolve;
use super::residue;
use super::styles::Styles;
use crate::extras::{Aspect, ColumnLook, Extra, LineLook, Payload};
use crate::read::plain::area;
use crate::read::rows::rounded;
use crate::{Address, Area, Element, MAX_COLS, MAX_ROWS};
use std::collections::{BTreeSet, HashMap};
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
    /// Whether there are macros, to which names in the code matter.
    pub macros: bool,
    pub items: Vec<Extra>,
    pub cols: Vec<ColumnLook>,
    /// Relationships that an element names.
    pub named: BTreeSet<String>,
    /// Cells whose notes have a box; none if there is no part with boxes.
    pub boxes: Option<BTreeSet<Area>>,
}

impl Shell<'_> {
    /// Takes the XML of a sheet without its cells.
    pub fn read(&mut self, text: &str) {
        let Some(root) = Node::parse(text) else {
            self.push(Aspect::Other, xxh3_64(text.as_bytes()));
            return;
        };
        self.named = root.relations();
        let mut root = root;
        // A sheet that says nothing of it is shown as any other.
        if root.child("sheetViews").is_none() {
            let usual = Node {
                name: "sheetView".to_owned(),
                ..Node::default()
            };
            self.view(&usual);
        }
        for child in std::mem::take(&mut root.children) {
            self.element(child);
        }
        self.left(&root, &[]);
    }

    /// Takes what no reader took of an element that stands for these cells.
    pub(super) fn left(&mut self, node: &Node, areas: &[Area]) {
        let aspect = match &node.name[..] {
            "sheetFormatPr" => Aspect::Sizes,
            "dataValidations" => Aspect::Validation,
            "col" => Aspect::Styles,
            // Programs write it wherever readings may be entered, for each sheet.
            "phoneticPr" => Aspect::Properties,
            "sheetViews" => Aspect::Views,
            "comment" | "threadedComment" | "comments" | "ThreadedComments" => Aspect::Comments,
            _ => Aspect::Other,
        };
        let found = residue::extras(node, aspect, areas, &self.part, self.relation);
        self.items.extend(found);
    }

    /// Takes a thing that no reader knows more of than a number.
    pub(super) fn push_left(&mut self, aspect: Aspect, areas: &[Area], label: &str, digest: u64) {
        self.push(aspect, digest);
        if let Some(last) = self.items.last_mut() {
            last.areas = areas.to_vec();
            last.label = Some(label.into());
        }
    }

    pub(super) fn push(&mut self, aspect: Aspect, digest: u64) {
        self.items.push(Extra {
            aspect,
            areas: Vec::new(),
            formulas: Vec::new(),
            digest,
            part: Arc::clone(&self.part),
            payload: None,
            label: None,
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
            label: None,
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

    /// Takes an element; what is not taken whole is taken out of it, and the rest is
    /// [left](Self::left).
    fn element(&mut self, mut node: Node) {
        match &node.name[..] {
            // Cells, and what follows from them; pointers to other parts, of which the ones
            // that lead nowhere are looked for later.
            "sheetData" | "mergeCells" | "dimension" | "drawing" | "legacyDrawing"
            | "tableParts" | "picture" => return,
            "sheetPr" => self.properties(&mut node),
            "sheetViews" => {
                let mut views = node.all("sheetView");
                if let Some(first) = views.next() {
                    self.view(first);
                }
                // Further ones are windows that somebody had open.
                let others = views.map(|view| view.digest(self.relation).to_string());
                let others: String = others.collect();
                if !others.is_empty() {
                    self.push(Aspect::Selection, xxh3_64(others.as_bytes()));
                }
                node.children.retain(|child| child.name != "sheetView");
            }
            "sheetFormatPr" => self.line_defaults(&mut node),
            "cols" => {
                for col in std::mem::take(&mut node.children) {
                    self.columns(col);
                }
            }
            "sheetProtection" => return self.carried(Aspect::Protection, &node),
            "protectedRanges" => return self.whole(Aspect::Protection, &node),
            "autoFilter" | "sortState" => return self.placed(Aspect::Filters, node, "ref"),
            "hyperlinks" => {
                for mut link in std::mem::take(&mut node.children) {
                    let payload = self.payload(&link);
                    // Where it leads inside the workbook follows as a formula does.
                    let inside = link.take("location");
                    let extra = self.items.len();
                    self.placed_with(Aspect::Hyperlinks, link, "ref", payload);
                    self.items[extra].formulas.extend(inside);
                }
            }
            "dataValidations" => {
                for rule in std::mem::take(&mut node.children) {
                    self.placed(Aspect::Validation, rule, "sqref");
                }
            }
            "conditionalFormatting" => return self.conditional(node),
            "printOptions" | "pageMargins" | "headerFooter" => {
                return self.carried(Aspect::PageSetup, &node);
            }
            "rowBreaks" | "colBreaks" => return self.breaks(node),
            "legacyDrawingHF" | "drawingHF" => {
                return self.whole(Aspect::PageSetup, &node);
            }
            "pageSetup" => {
                // What the printer remembers is a part of its own.
                node.attributes.retain(|a| !a.is_relation);
                return self.carried(Aspect::PageSetup, &node);
            }
            // Controls are there twice, for old and new programs.
            "oleObjects" | "controls" | "AlternateContent" => {
                return self.whole(Aspect::Controls, &node);
            }
            "ignoredErrors" | "cellWatches" => return self.whole(Aspect::Selection, &node),
            "customSheetViews" => return self.whole(Aspect::Views, &node),
            "extLst" => {
                for mut ext in std::mem::take(&mut node.children) {
                    for inner in std::mem::take(&mut ext.children) {
                        self.extension(inner);
                    }
                    self.left(&ext, &[]);
                }
            }
            "phoneticPr" => {}
            name => {
                let (label, digest) = (name.to_owned(), node.digest(self.relation));
                return self.push_left(Aspect::Other, &[], &label, digest);
            }
        }
        self.left(&node, &[]);
    }

    /// Page breaks, which follow the rows or columns that they are behind.
    fn breaks(&mut self, mut node: Node) {
        let payload = self.payload(&node);
        let is_row = node.name == "rowBreaks";
        let mut areas = Vec::new();
        for one in &mut node.children {
            let line = one.number("id").and_then(|id| id.checked_sub(1));
            let Some(line) = line.filter(|line| *line < if is_row { MAX_ROWS } else { MAX_COLS })
            else {
                continue;
            };
            one.take("id");
            let (first, last) = if is_row {
                (Address::new(line, 0), Address::new(line, MAX_COLS - 1))
            } else {
                (Address::new(0, line), Address::new(MAX_ROWS - 1, line))
            };
            areas.push(Area { first, last });
        }
        areas.sort_unstable();
        let digest = node.digest(self.relation);
        self.push(Aspect::PageSetup, digest);
        if let Some(last) = self.items.last_mut() {
            last.areas = areas;
            last.payload = payload;
        }
    }

    fn properties(&mut self, node: &mut Node) {
        // Programs make up names in the code, and only macros use them.
        if let Some(name) = node.take("codeName") {
            let aspect = if self.macros {
                Aspect::Macros
            } else {
                Aspect::Properties
            };
            let digest = xxh3_64(name.as_bytes());
            self.push_left(aspect, &[], "sheetPr codeName", digest);
        }
        for child in std::mem::take(&mut node.children) {
            match &child.name[..] {
                "tabColor" => self.carried(Aspect::Views, &child),
                "outlinePr" => self.carried(Aspect::Hidden, &child),
                "pageSetUpPr" => self.carried(Aspect::PageSetup, &child),
                name => {
                    let label = format!("sheetPr {name}");
                    let digest = child.digest(self.relation);
                    self.push_left(Aspect::Other, &[], &label, digest);
                }
            }
        }
    }

    /// The sizes of lines that say none.
    fn line_defaults(&mut self, node: &mut Node) {
        let height = node.take("defaultRowHeight");
        if node
            .take("customHeight")
            .is_some_and(|is| is == "1" || is == "true")
        {
            // Else it is what the program made of the font.
            let height = height.and_then(|height| height.parse::<f64>().ok());
            let digest = height.map_or(0, |height| rounded(height, 16.0));
            self.push_left(Aspect::Sizes, &[], "sheetFormatPr defaultRowHeight", digest);
        }
        // Each program has its own; it counts where no width is given.
        let base = node.take("baseColWidth").filter(|base| base != "8");
        if let (Some(base), None) = (base, node.get("defaultColWidth")) {
            let digest = xxh3_64(base.as_bytes());
            self.push_left(
                Aspect::Properties,
                &[],
                "sheetFormatPr baseColWidth",
                digest,
            );
        }
        let is_carried =
            |a: &super::dom::Attribute| matches!(&a.name[..], "defaultColWidth" | "zeroHeight");
        let (carried, left) = std::mem::take(&mut node.attributes)
            .into_iter()
            .partition(is_carried);
        node.attributes = carried;
        if !node.attributes.is_empty() {
            let payload = self.payload(node);
            for width in node
                .attributes
                .iter_mut()
                .filter(|a| a.name == "defaultColWidth")
            {
                if let Ok(size) = width.value.trim().parse::<f64>() {
                    width.value = rounded(size, 16.0).to_string();
                }
            }
            self.whole(Aspect::Sizes, node);
            if let Some(last) = self.items.last_mut() {
                last.payload = payload;
            }
        }
        node.attributes = left;
    }

    fn view(&mut self, view: &Node) {
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

    fn columns(&mut self, mut col: Node) {
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
        for taken in [
            "min",
            "max",
            "width",
            "hidden",
            "outlineLevel",
            "collapsed",
            "style",
        ] {
            col.take(taken);
        }
        let lines = Area {
            first: Address::new(0, first),
            last: Address::new(MAX_ROWS - 1, last - 1),
        };
        self.left(&col, &[lines]);
    }

    fn conditional(&mut self, mut node: Node) {
        let payload = self.payload(&node);
        for rule in &mut node.children {
            self.resolve_style(rule);
        }
        self.placed_with(Aspect::ConditionalFormats, node, "sqref", payload);
    }

    /// Writes what a style is in place of its number.
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
                label: None,
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
pub(super) fn areas(text: Option<&str>) -> Vec<Area> {
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
