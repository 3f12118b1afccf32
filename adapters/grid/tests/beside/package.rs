//! A small workbook with one of everything.

use std::collections::BTreeMap;
use std::io::{Cursor, Write as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Parts by name.
#[derive(Clone)]
pub struct Package(BTreeMap<String, String>);

const RELS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

fn rels(targets: &[(&str, &str, &str)]) -> String {
    let mut text = String::from("<Relationships>");
    for (id, kind, target) in targets {
        let outside = if target.contains("://") {
            " TargetMode=\"External\""
        } else {
            ""
        };
        let entry = format!(
            "<Relationship Id=\"{id}\" Type=\"{RELS}/{kind}\" Target=\"{target}\"{outside}/>"
        );
        text.push_str(&entry);
    }
    text + "</Relationships>"
}

/// The sheet with its first row at this number.
fn sheet(first: u32) -> String {
    let [a, b, c] = [first, first + 1, first + 2];
    let top = if first > 1 {
        r#"<row r="1"><c r="A1"><v>2001</v></c><c r="B1"><v>77</v></c></row>"#
    } else {
        ""
    };
    format!(
        r#"<worksheet xmlns:r="{RELS}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" state="frozen"/><selection activeCell="A1"/></sheetView></sheetViews><cols><col min="1" max="1" width="20" customWidth="1"/></cols><sheetData>{top}<row r="{a}"><c r="A{a}"><v>1001</v></c><c r="B{a}" s="1"><v>2.5</v></c></row><row r="{b}"><c r="A{b}"><v>1002</v></c><c r="B{b}" s="2"><v>3.5</v></c></row><row r="{c}"><c r="A{c}"><v>1003</v></c><c r="B{c}"><v>4.5</v></c></row></sheetData><sheetProtection sheet="1"/><conditionalFormatting sqref="B{b}:B{c}"><cfRule type="expression" priority="1"><formula>B{b}&gt;5</formula></cfRule></conditionalFormatting><dataValidations count="1"><dataValidation type="whole" sqref="B{b}:B{c}"><formula1>9</formula1></dataValidation></dataValidations><hyperlinks><hyperlink ref="A{b}" r:id="rId7"/></hyperlinks><pageSetup orientation="portrait"/><drawing r:id="rId2"/><tableParts count="1"><tablePart r:id="rId4"/></tableParts></worksheet>"#
    )
}

impl Package {
    pub fn new() -> Self {
        let mut parts = BTreeMap::new();
        let mut add = |name: &str, text: &str| parts.insert(name.to_owned(), text.to_owned());
        add("[Content_Types].xml", "<Types/>");
        add(
            "_rels/.rels",
            &rels(&[
                ("rId1", "officeDocument", "xl/workbook.xml"),
                ("rId2", "core-properties", "docProps/core.xml"),
            ]),
        );
        add(
            "docProps/core.xml",
            "<core><modified>2026-01-01</modified></core>",
        );
        add(
            "xl/workbook.xml",
            &format!(
                r#"<workbook xmlns:r="{RELS}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>"#
            ),
        );
        add(
            "xl/_rels/workbook.xml.rels",
            &rels(&[
                ("rId1", "worksheet", "worksheets/sheet1.xml"),
                ("rId2", "styles", "styles.xml"),
                ("rId3", "vbaProject", "vbaProject.bin"),
                ("rId4", "customXml", "../customXml/item1.xml"),
                ("rId5", "connections", "connections.xml"),
                ("rId6", "theme", "theme/theme1.xml"),
            ]),
        );
        add(
            "xl/styles.xml",
            r#"<styleSheet><numFmts count="1"><numFmt numFmtId="170" formatCode="0.000"/></numFmts><fonts count="2"><font><sz val="11"/></font><font><b/><sz val="11"/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellXfs count="3"><xf numFmtId="0" fontId="0"/><xf numFmtId="170" fontId="0"/><xf numFmtId="0" fontId="1"/></cellXfs></styleSheet>"#,
        );
        add(
            "xl/theme/theme1.xml",
            "<theme><accent1>4472C4</accent1></theme>",
        );
        add("xl/vbaProject.bin", "Sub One");
        add("customXml/item1.xml", "<DataMashup>AAAA</DataMashup>");
        add(
            "xl/connections.xml",
            "<connections><connection name=\"one.db\"/></connections>",
        );
        add("xl/unheard-of.bin", "1");
        add("xl/worksheets/sheet1.xml", &sheet(1));
        add(
            "xl/worksheets/_rels/sheet1.xml.rels",
            &rels(&[
                ("rId7", "hyperlink", "https://example.org/a"),
                ("rId2", "drawing", "../drawings/drawing1.xml"),
                ("rId3", "comments", "../comments1.xml"),
                ("rId4", "table", "../tables/table1.xml"),
            ]),
        );
        add(
            "xl/comments1.xml",
            r#"<comments><authors><author>Ann</author></authors><commentList><comment ref="A2" authorId="0"><text><t>please check</t></text></comment></commentList></comments>"#,
        );
        add(
            "xl/tables/table1.xml",
            r#"<table id="1" name="Prices" ref="A1:B3"><autoFilter ref="A1:B3"/></table>"#,
        );
        add(
            "xl/drawings/drawing1.xml",
            &format!(r#"<wsDr xmlns:r="{RELS}"><chart r:id="rId1"/></wsDr>"#),
        );
        add(
            "xl/drawings/_rels/drawing1.xml.rels",
            &rels(&[("rId1", "chart", "../charts/chart1.xml")]),
        );
        add(
            "xl/charts/chart1.xml",
            "<chart><title>Sales</title></chart>",
        );
        Self(parts)
    }

    /// A workbook of one sheet, which is still to be put there.
    pub fn small() -> Self {
        let mut small = Self::new();
        let kept = ["[Content_Types].xml", "xl/workbook.xml", "xl/styles.xml"];
        small.0.retain(|name, _| kept.contains(&&name[..]));
        small.put(
            "_rels/.rels",
            &rels(&[("rId1", "officeDocument", "xl/workbook.xml")]),
        );
        small.put(
            "xl/_rels/workbook.xml.rels",
            &rels(&[
                ("rId1", "worksheet", "worksheets/sheet1.xml"),
                ("rId2", "styles", "styles.xml"),
            ]),
        );
        let style = "</cellXfs><dxfs count=\"1\"><dxf><font><b/></font></dxf></dxfs>";
        small.with("xl/styles.xml", "</cellXfs>", style)
    }

    /// With one text in a part replaced, which has to be there once.
    pub fn with(&self, part: &str, from: &str, to: &str) -> Self {
        let mut parts = self.0.clone();
        let text = parts.get_mut(part).unwrap_or_else(|| panic!("no {part}"));
        assert_eq!(text.matches(from).count(), 1, "{from} in {part}");
        *text = text.replace(from, to);
        Self(parts)
    }

    pub fn renamed(&self, from: &str, to: &str) -> Self {
        let mut parts = self.0.clone();
        let text = parts.remove(from).unwrap();
        parts.insert(to.to_owned(), text);
        Self(parts)
    }

    pub fn put(&mut self, part: &str, text: &str) {
        self.0.insert(part.to_owned(), text.to_owned());
    }

    pub fn remove(&mut self, part: &str) {
        self.0.remove(part).unwrap();
    }

    /// A row above all others; what names cells follows, as in a program.
    pub fn insert_row_above(&mut self) {
        self.put("xl/worksheets/sheet1.xml", &sheet(2));
        *self = self
            .with("xl/comments1.xml", "A2", "A3")
            .with(
                "xl/tables/table1.xml",
                r#"name="Prices" ref="A1:B3""#,
                r#"name="Prices" ref="A2:B4""#,
            )
            .with(
                "xl/tables/table1.xml",
                r#"autoFilter ref="A1:B3""#,
                r#"autoFilter ref="A2:B4""#,
            );
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.bytes_with(None)
    }

    /// The file with other bytes in one of its parts.
    pub fn bytes_with(&self, other: Option<(&str, &[u8])>) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in &self.0 {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            let bytes = other.filter(|other| other.0 == name).map(|other| other.1);
            zip.write_all(bytes.unwrap_or(text.as_bytes())).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }
}
