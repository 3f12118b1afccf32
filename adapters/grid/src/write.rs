//! Writing workbooks: values, formulas with what they came to, dates, merged
//! regions, names and hidden sheets, and nothing about their looks.
//!
//! The parts are written here rather than by a library, so that a cell comes back
//! as it was: an error as an error and not a formula that makes one, a text under a
//! formula as a text even if it reads `1`, and never a text as a formula or a link.

use crate::{Area, Cell, Content, Grid, Name, Note, Value, Visibility, Workbook, column_name};
use std::collections::HashMap;
use std::io::{self, Seek, Write};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

pub(crate) const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
pub(crate) const RELS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
pub(crate) const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
pub(crate) const TYPES: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";
pub(crate) const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

/// Why a workbook was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The output cannot be written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The archive cannot be written.
    #[error("{0}")]
    Archive(String),
    /// There is nothing to write.
    #[error("the workbook has no sheet with cells, and a file needs one")]
    NoSheets,
    /// The cells of a sheet are not there.
    #[error("sheet {0:?} was left unread; read the workbook alone, not as one of a pair")]
    Unread(String),
    /// A text that the format cannot hold.
    #[error("{place}: holds a character that XML does not allow; take it out")]
    Character {
        /// Where it is.
        place: String,
    },
}

impl From<ZipError> for WriteError {
    fn from(error: ZipError) -> Self {
        match error {
            ZipError::Io(error) => Self::Io(error),
            other => Self::Archive(other.to_string()),
        }
    }
}

/// Writes a workbook as `.xlsx`. Sheets without cells are left out, and the notes
/// say so.
///
/// ```
/// use mvdiff_grid::{Grid, ReadOptions, Sheet, Value, Workbook, read_workbook, write_workbook};
///
/// let grid = Grid::from_rows([vec![Value::Text("=1+1"), Value::Number(2.0)]]);
/// let workbook = Workbook { sheets: vec![Sheet::new("Data", grid)], ..Workbook::default() };
/// let mut file = std::io::Cursor::new(Vec::new());
/// write_workbook(&workbook, &mut file)?;
/// let back = read_workbook(file.get_ref(), None, &ReadOptions::default())?;
/// let cells: Vec<_> = back.sheets[0].grid().expect("cells").cells().collect();
/// assert_eq!(cells[0].value, Value::Text("=1+1"));
/// assert_eq!(cells[0].formula, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`WriteError`] if the output fails, or a sheet cannot be written.
pub fn write_workbook(
    workbook: &Workbook,
    out: impl Write + Seek,
) -> Result<Vec<Note>, WriteError> {
    let mut notes = Vec::new();
    let mut sheets: Vec<Page<'_>> = Vec::new();
    for sheet in &workbook.sheets {
        match &sheet.content {
            Content::Cells(grid) => sheets.push(Page {
                name: &sheet.name,
                visibility: sheet.visibility,
                merges: &sheet.merges,
                grid,
            }),
            Content::Unread => return Err(WriteError::Unread(sheet.name.clone())),
            Content::Other(_) => {
                let message = format!("sheet {:?} has no cells and is left out", sheet.name);
                notes.push(Note::new("sheet_left_out", message));
            }
        }
    }
    if sheets.is_empty() {
        return Err(WriteError::NoSheets);
    }
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut zip = ZipWriter::new(out);
    let mut part = |name: &str, text: &str| -> Result<(), WriteError> {
        zip.start_file(name, options)?;
        zip.write_all(text.as_bytes())?;
        Ok(())
    };
    part("[Content_Types].xml", &content_types(sheets.len()))?;
    part(
        "_rels/.rels",
        &relationships([("officeDocument", "xl/workbook.xml".to_owned())]),
    )?;
    let targets = (1..=sheets.len()).map(|i| ("worksheet", format!("worksheets/sheet{i}.xml")));
    let fixed = ["styles", "sharedStrings"].map(|kind| (kind, format!("{kind}.xml")));
    part(
        "xl/_rels/workbook.xml.rels",
        &relationships(targets.chain(fixed)),
    )?;
    part("xl/workbook.xml", &book(&sheets, &workbook.names)?)?;
    part("xl/styles.xml", &styles())?;
    let mut strings = Strings::default();
    for (i, sheet) in sheets.iter().enumerate() {
        zip.start_file(format!("xl/worksheets/sheet{}.xml", i + 1), options)?;
        sheet.write(&mut zip, &mut strings)?;
    }
    zip.start_file("xl/sharedStrings.xml", options)?;
    strings.write(&mut zip)?;
    zip.finish()?;
    Ok(notes)
}

/// A sheet with cells.
struct Page<'w> {
    name: &'w str,
    visibility: Visibility,
    merges: &'w [Area],
    grid: &'w Grid,
}

impl<'w> Page<'w> {
    fn write(&self, out: &mut impl Write, strings: &mut Strings<'w>) -> Result<(), WriteError> {
        write!(out, "{HEAD}<worksheet xmlns=\"{MAIN}\"><sheetData>")?;
        let columns: Vec<String> = (0..self.grid.col_count()).map(column_name).collect();
        // Cells are written into memory first: the archive compresses what it is
        // given, however little.
        let mut text = Vec::new();
        let mut row = None;
        for cell in self.grid.cells() {
            if row != Some(cell.address.row) {
                if row.is_some() {
                    text.extend_from_slice(b"</row>");
                }
                if text.len() > 1 << 16 {
                    out.write_all(&text)?;
                    text.clear();
                }
                row = Some(cell.address.row);
                write!(text, "<row r=\"{}\">", cell.address.row + 1)?;
            }
            self.cell(&cell, &columns, strings, &mut text)?;
        }
        if row.is_some() {
            text.extend_from_slice(b"</row>");
        }
        text.extend_from_slice(b"</sheetData>");
        if !self.merges.is_empty() {
            write!(text, "<mergeCells count=\"{}\">", self.merges.len())?;
            for area in self.merges {
                write!(text, "<mergeCell ref=\"{area}\"/>")?;
            }
            text.extend_from_slice(b"</mergeCells>");
        }
        text.extend_from_slice(b"</worksheet>");
        out.write_all(&text)?;
        Ok(())
    }

    fn cell(
        &self,
        cell: &Cell<'w>,
        columns: &[String],
        strings: &mut Strings<'w>,
        text: &mut Vec<u8>,
    ) -> Result<(), WriteError> {
        let place = || format!("{}!{}", self.name, cell.address);
        let (kind, style, value) = match cell.value {
            Value::Empty => ("", 0, String::new()),
            Value::Number(number) if !number.is_finite() => (" t=\"e\"", 0, "#NUM!".to_owned()),
            Value::Number(number) => ("", 0, digits(number)),
            Value::Text(own) if cell.formula.is_some() => (" t=\"str\"", 0, escape_text(own)),
            Value::Text(own) => (" t=\"s\"", 0, strings.number(own).to_string()),
            Value::Bool(is) => (" t=\"b\"", 0, u8::from(is).to_string()),
            Value::Date(day) => ("", date_style(day), digits(day)),
            Value::Duration(days) => ("", DURATION, digits(days)),
            Value::Error(code) => (" t=\"e\"", 0, code.as_str().to_owned()),
        };
        let column = &columns[cell.address.col as usize];
        write!(text, "<c r=\"{column}{}\"", cell.address.row + 1)?;
        if style > 0 {
            write!(text, " s=\"{style}\"")?;
        }
        text.extend_from_slice(kind.as_bytes());
        text.push(b'>');
        if let Some(formula) = cell.formula {
            let formula = formula.strip_prefix('=').unwrap_or(formula);
            match cell.array {
                Some(area) => write!(text, "<f t=\"array\" ref=\"{}\">", area.shortest())?,
                None => text.extend_from_slice(b"<f>"),
            }
            text.extend_from_slice(escape(formula, &place)?.as_bytes());
            text.extend_from_slice(b"</f>");
        }
        if !value.is_empty() {
            let space = if has_edges(&value) {
                " xml:space=\"preserve\""
            } else {
                ""
            };
            write!(text, "<v{space}>{value}</v>")?;
        }
        text.extend_from_slice(b"</c>");
        Ok(())
    }
}

/// A cell without its address and style: the attribute that says its type, and what
/// is inside. Texts are in the cell itself.
pub(crate) fn content(
    cell: &Cell<'_>,
    prefix: &str,
    is_1904: bool,
    place: &dyn Fn() -> String,
) -> Result<(&'static str, String), WriteError> {
    let mut inner = String::new();
    if let Some(formula) = cell.formula {
        let formula = formula.strip_prefix('=').unwrap_or(formula);
        let formula = escape(formula, place)?;
        inner = match cell.array {
            Some(area) => {
                let area = area.shortest();
                format!("<{prefix}f t=\"array\" ref=\"{area}\">{formula}</{prefix}f>")
            }
            None => format!("<{prefix}f>{formula}</{prefix}f>"),
        };
    }
    // The other date system begins four years and a day later.
    let days = |day: f64| {
        digits(if is_1904 && day >= 1.0 {
            day - 1462.0
        } else {
            day
        })
    };
    let (kind, value) = match cell.value {
        Value::Empty => ("", String::new()),
        Value::Number(number) if !number.is_finite() => (" t=\"e\"", "#NUM!".to_owned()),
        Value::Number(number) => ("", digits(number)),
        Value::Text(text) if cell.formula.is_some() => (" t=\"str\"", escape_text(text)),
        Value::Text(text) => {
            let text = format!(
                "<{prefix}is><{prefix}t xml:space=\"preserve\">{}</{prefix}t></{prefix}is>",
                escape_text(text)
            );
            return Ok((" t=\"inlineStr\"", inner + &text));
        }
        Value::Bool(is) => (" t=\"b\"", u8::from(is).to_string()),
        Value::Date(day) => ("", days(day)),
        Value::Duration(days) => ("", digits(days)),
        Value::Error(code) => (" t=\"e\"", code.as_str().to_owned()),
    };
    if !value.is_empty() {
        let space = if has_edges(&value) {
            " xml:space=\"preserve\""
        } else {
            ""
        };
        let value = format!("<{prefix}v{space}>{value}</{prefix}v>");
        inner.push_str(&value);
    }
    Ok((kind, inner))
}

/// Texts by number, in the order they are met.
#[derive(Default)]
struct Strings<'w> {
    all: Vec<&'w str>,
    numbers: HashMap<&'w str, usize>,
    uses: usize,
}

impl<'w> Strings<'w> {
    fn number(&mut self, text: &'w str) -> usize {
        self.uses += 1;
        *self.numbers.entry(text).or_insert_with(|| {
            self.all.push(text);
            self.all.len() - 1
        })
    }

    fn write(&self, out: &mut impl Write) -> Result<(), WriteError> {
        let (uses, unique) = (self.uses, self.all.len());
        write!(
            out,
            "{HEAD}<sst xmlns=\"{MAIN}\" count=\"{uses}\" uniqueCount=\"{unique}\">"
        )?;
        for text in &self.all {
            let space = if has_edges(text) {
                " xml:space=\"preserve\""
            } else {
                ""
            };
            write!(out, "<si><t{space}>{}</t></si>", escape_text(text))?;
        }
        write!(out, "</sst>")?;
        Ok(())
    }
}

/// The styles are a plain one, a date, a time of a date, a time, a duration.
const DURATION: u32 = 4;

fn date_style(day: f64) -> u32 {
    match day {
        day if day < 1.0 => 3,
        day if day.fract() == 0.0 => 1,
        _ => 2,
    }
}

fn styles() -> String {
    let xfs: String = [0, 164, 165, 21, 46]
        .map(|id| format!("<xf numFmtId=\"{id}\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>"))
        .concat();
    format!(
        "{HEAD}<styleSheet xmlns=\"{MAIN}\"><numFmts count=\"2\">\
         <numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd\"/>\
         <numFmt numFmtId=\"165\" formatCode=\"yyyy\\-mm\\-dd\\ hh:mm:ss\"/></numFmts>\
         <fonts count=\"1\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>\
         <fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>\
         <fill><patternFill patternType=\"gray125\"/></fill></fills>\
         <borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
         <cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>\
         <cellXfs count=\"5\">{xfs}</cellXfs>\
         <cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles>\
         </styleSheet>"
    )
}

fn content_types(sheets: usize) -> String {
    let mut text = format!(
        "{HEAD}<Types xmlns=\"{PACKAGE}/content-types\">\
         <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>"
    );
    let mut add = |part: &str, kind: &str| {
        let entry =
            format!("<Override PartName=\"/xl/{part}\" ContentType=\"{TYPES}.{kind}+xml\"/>");
        text.push_str(&entry);
    };
    add("workbook.xml", "sheet.main");
    add("styles.xml", "styles");
    add("sharedStrings.xml", "sharedStrings");
    for i in 1..=sheets {
        add(&format!("worksheets/sheet{i}.xml"), "worksheet");
    }
    text + "</Types>"
}

fn relationships<'k>(targets: impl IntoIterator<Item = (&'k str, String)>) -> String {
    let mut text = format!("{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\">");
    for (i, (kind, target)) in targets.into_iter().enumerate() {
        let id = i + 1;
        let entry =
            format!("<Relationship Id=\"rId{id}\" Type=\"{RELS}/{kind}\" Target=\"{target}\"/>");
        text.push_str(&entry);
    }
    text + "</Relationships>"
}

fn book(sheets: &[Page<'_>], names: &[Name]) -> Result<String, WriteError> {
    let shown = sheets
        .iter()
        .position(|sheet| sheet.visibility == Visibility::Visible);
    let mut text = format!(
        "{HEAD}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{RELS}\"><bookViews><workbookView activeTab=\"{}\"/></bookViews><sheets>",
        shown.unwrap_or(0)
    );
    for (i, sheet) in sheets.iter().enumerate() {
        let state = match sheet.visibility {
            Visibility::Visible => "",
            Visibility::Hidden => " state=\"hidden\"",
            Visibility::VeryHidden => " state=\"veryHidden\"",
        };
        let name = escape(sheet.name, &|| format!("the name of sheet {}", i + 1))?;
        let id = i + 1;
        let entry = format!("<sheet name=\"{name}\" sheetId=\"{id}\"{state} r:id=\"rId{id}\"/>");
        text.push_str(&entry);
    }
    text.push_str("</sheets>");
    if !names.is_empty() {
        text.push_str("<definedNames>");
        for name in names {
            let place = || format!("the name {:?}", name.name);
            let scope = name.sheet.as_ref();
            let index = scope.and_then(|scope| sheets.iter().position(|s| s.name == scope));
            // Names of a sheet that is left out go with it.
            if scope.is_some() && index.is_none() {
                continue;
            }
            let local = index.map_or(String::new(), |i| format!(" localSheetId=\"{i}\""));
            let entry = format!(
                "<definedName name=\"{}\"{local}>{}</definedName>",
                escape(&name.name, &place)?,
                escape(&name.refers_to, &place)?
            );
            text.push_str(&entry);
        }
        text.push_str("</definedNames>");
    }
    // What formulas came to is from another program, or another day.
    Ok(text + "<calcPr fullCalcOnLoad=\"1\"/></workbook>")
}

/// As short as it can be and still the same number.
fn digits(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-5..1e16).contains(&size) {
        format!("{number:e}")
    } else {
        number.to_string()
    }
}

/// Whether blanks at its ends would be taken for none.
fn has_edges(text: &str) -> bool {
    let edge = |c: char| matches!(c, ' ' | '\t' | '\n');
    text.starts_with(edge) || text.ends_with(edge) || text.contains('\n')
}

fn push_escaped(out: &mut String, character: char) {
    match character {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        _ => out.push(character),
    }
}

/// Whether a character may be in XML.
fn is_allowed(character: char) -> bool {
    !matches!(character, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}')
}

/// A formula or a name; line ends and tabs are kept.
fn escape(text: &str, place: &dyn Fn() -> String) -> Result<String, WriteError> {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            c if is_allowed(c) => push_escaped(&mut out, c),
            _ => return Err(WriteError::Character { place: place() }),
        }
    }
    Ok(out)
}

/// A text of a cell: what XML does not allow is written `_x0007_`, and what looks
/// like that is escaped itself.
fn escape_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        match character {
            '_' if looks_escaped(&text.as_bytes()[at..]) => out.push_str("_x005F_"),
            '\r' => out.push_str("_x000D_"),
            c if is_allowed(c) => push_escaped(&mut out, c),
            c => {
                let escape = format!("_x{:04X}_", c as u32);
                out.push_str(&escape);
            }
        }
    }
    out
}

fn looks_escaped(rest: &[u8]) -> bool {
    rest.len() >= 7
        && rest[1] == b'x'
        && rest[6] == b'_'
        && rest[2..6].iter().all(u8::is_ascii_hexdigit)
}
