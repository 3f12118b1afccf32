//! The workbook part: which sheets there are, where they lie, and what names mean.

use super::error::ReadError;
use super::package::Package;
use super::xml;
use crate::workbook_map::fold;
use crate::{Name, Note, OtherSheet, Visibility};
use quick_xml::events::Event;
use std::collections::{HashMap, HashSet};

/// What the workbook part says.
pub(crate) struct Book {
    pub sheets: Vec<Entry>,
    pub names: Vec<Name>,
    pub is_1904: bool,
    pub notes: Vec<Note>,
    /// The parts that hold texts and formats, if there are any.
    pub strings: Option<String>,
    pub styles: Option<String>,
    /// The part that says what the numbers in `cm` and `vm` of cells refer to.
    pub metadata: Option<String>,
    /// The workbook part itself.
    pub part: String,
    /// The files that formulas name by number, in order.
    pub links: Vec<String>,
    /// Names of programs, such as the print area: the sheet, the name, and what it
    /// stands for.
    pub built_in: Vec<(Option<usize>, String, String)>,
}

/// One sheet and where its cells are.
pub(crate) struct Entry {
    pub name: String,
    pub visibility: Visibility,
    /// The part, or what it is if it holds no cells.
    pub part: Result<String, OtherSheet>,
    /// The id of the relationship that leads to it; empty if none does.
    pub id: String,
}

/// Where a relationship leads.
pub(crate) struct Target {
    /// Its type.
    pub full_kind: String,
    /// The last word of that.
    pub kind: String,
    pub part: String,
    /// It lies outside the package.
    pub outside: bool,
}

impl Target {
    /// Where it leads outside the package, as the file says it.
    pub fn outside_name(&self) -> &str {
        self.part.strip_prefix(OUTSIDE).unwrap_or(&self.part)
    }
}

/// Comes before a target that is not within the package.
const OUTSIDE: &str = "(outside the file) ";

/// Reads the workbook part and its relationships.
pub(crate) fn read(package: &mut Package<'_>) -> Result<Book, ReadError> {
    let part = workbook_part(package)?;
    if !package.has(&part) {
        return Err(ReadError::missing(&part));
    }
    let folder = part.rfind('/').map_or("", |at| &part[..=at]);
    let file = &part[folder.len()..];
    let rels = relationships(package, &format!("{folder}_rels/{file}.rels"), folder)?;
    let bytes = package.read(&part)?;
    let text = xml::decode(&part, &bytes)?;
    let mut book = parse(&part, &text, &rels)?;
    let of_kind = |kind: &str| {
        let mut found = rels.values().filter(|target| target.kind == kind);
        found.next().map(|target| target.part.clone())
    };
    let by_name = |file: &str| Some(format!("{folder}{file}"));
    let there = |part: &String| package.has(part);
    book.strings = of_kind("sharedStrings")
        .filter(there)
        .or_else(|| by_name("sharedStrings.xml").filter(there));
    book.styles = of_kind("styles")
        .filter(there)
        .or_else(|| by_name("styles.xml").filter(there));
    book.metadata = of_kind("sheetMetadata").filter(there);
    book.links = std::mem::take(&mut book.links)
        .into_iter()
        .map(|part| linked_file(package, &part))
        .collect();
    Ok(book)
}

/// The file that a part for another workbook names; the part itself if it names
/// none.
fn linked_file(package: &mut Package<'_>, part: &str) -> String {
    let folder = part.rfind('/').map_or("", |at| &part[..=at]);
    let file = &part[folder.len()..];
    let rels = relationships(package, &format!("{folder}_rels/{file}.rels"), folder);
    let mut files: Vec<String> = rels
        .unwrap_or_default()
        .into_values()
        .filter(|target| target.outside)
        .map(|target| target.part)
        .collect();
    files.sort_unstable();
    let file = files.into_iter().next();
    file.map_or_else(|| part.to_owned(), |file| file.replace(OUTSIDE, ""))
}

/// The part that the package names as its document.
pub(crate) fn workbook_part(package: &mut Package<'_>) -> Result<String, ReadError> {
    let root = relationships(package, "_rels/.rels", "")?;
    let mut documents = root.into_values().filter(|to| to.kind == "officeDocument");
    match documents.next() {
        Some(document) => Ok(document.part),
        None if package.has("xl/workbook.xml") => Ok("xl/workbook.xml".to_owned()),
        None => Err(ReadError::malformed(
            "_rels/.rels",
            "it names no workbook; is this another kind of document?",
        )),
    }
}

/// The relationships in this part, by their ids.
pub(crate) fn relationships(
    package: &mut Package<'_>,
    part: &str,
    folder: &str,
) -> Result<HashMap<String, Target>, ReadError> {
    if !package.has(part) {
        return Ok(HashMap::new());
    }
    let bytes = package.read(part)?;
    let text = xml::decode(part, &bytes)?;
    relationships_in(part, &text, folder)
}

/// The relationships that the text of this part has, by their ids.
pub(crate) fn relationships_in(
    part: &str,
    text: &str,
    folder: &str,
) -> Result<HashMap<String, Target>, ReadError> {
    let mut found = HashMap::new();
    let mut reader = xml::events(text);
    loop {
        let element = match xml::next(part, &mut reader)? {
            Event::Start(element) if element.local_name().as_ref() == "Relationship" => element,
            Event::Eof => return Ok(found),
            _ => continue,
        };
        let id = xml::attribute(part, &element, "Id")?;
        let kind = xml::attribute(part, &element, "Type")?;
        let target = xml::attribute(part, &element, "Target")?;
        let (Some(id), Some(kind), Some(target)) = (id, kind, target) else {
            continue;
        };
        let outside = xml::attribute(part, &element, "TargetMode")?;
        let outside = outside.is_some_and(|mode| mode.eq_ignore_ascii_case("External"));
        let to = Target {
            outside,
            kind: kind.rsplit('/').next().unwrap_or_default().to_owned(),
            full_kind: kind.into_owned(),
            part: if outside {
                // Not within the package, so nothing is found there.
                format!("{OUTSIDE}{target}")
            } else {
                resolve(folder, &target)
            },
        };
        found.insert(id.into_owned(), to);
    }
}

/// A target seen from a folder.
fn resolve(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let path = match target.strip_prefix('/') {
        Some(absolute) => absolute.to_owned(),
        None => format!("{folder}{target}"),
    };
    let mut steps: Vec<&str> = Vec::new();
    for step in path.split('/') {
        match step {
            "." | "" => {}
            ".." => {
                // There is nothing above the package, and a way out finds nothing.
                if steps.pop().is_none() {
                    return target;
                }
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}

fn parse(part: &str, text: &str, rels: &HashMap<String, Target>) -> Result<Book, ReadError> {
    let mut book = Book {
        sheets: Vec::new(),
        names: Vec::new(),
        is_1904: false,
        notes: Vec::new(),
        strings: None,
        styles: None,
        metadata: None,
        part: part.to_owned(),
        links: Vec::new(),
        built_in: Vec::new(),
    };
    // Names come with the number of their sheet.
    let mut scopes: Vec<Option<usize>> = Vec::new();
    let mut ended = false;
    // The list that is open: what looks like a sheet or a name elsewhere is none.
    let mut list = String::new();
    let mut reader = xml::events(text);
    loop {
        let element = match xml::next(part, &mut reader)? {
            Event::Start(element) => element,
            Event::End(end) => {
                let name = end.local_name();
                let name: &str = name.as_ref();
                ended |= name == "workbook";
                if name == list {
                    list.clear();
                }
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        match element.local_name().as_ref() {
            name @ ("sheets" | "definedNames") => name.clone_into(&mut list),
            "sheet" if list == "sheets" => book.sheets.push(sheet(part, &element, rels)?),
            "externalReference" => {
                let id = xml::attribute(part, &element, "id")?.unwrap_or_default();
                let target = rels.get(&*id).map(|target| target.part.clone());
                book.links.push(target.unwrap_or_default());
            }
            "workbookPr" => {
                if let Some(is) = xml::attribute(part, &element, "date1904")? {
                    book.is_1904 = matches!(&*is, "1" | "true" | "on");
                }
            }
            "definedName" if list == "definedNames" => {
                let name = xml::attribute(part, &element, "name")?;
                let scope = xml::attribute(part, &element, "localSheetId")?;
                let refers_to = xml::text(part, &mut reader, &element)?;
                let Some(name) = name else { continue };
                let scope = scope.map(|id| id.trim().parse().unwrap_or(usize::MAX));
                // What programs keep there for filters and printing is not a name
                // that a formula can use.
                if name.starts_with("_xlnm.") {
                    let built_in = (scope, name.into_owned(), refers_to.into_owned());
                    book.built_in.push(built_in);
                    continue;
                }
                scopes.push(scope);
                book.names.push(Name {
                    name: name.into_owned(),
                    sheet: None,
                    refers_to: refers_to.into_owned(),
                });
            }
            _ => {}
        }
    }
    if !ended {
        return Err(ReadError::malformed(
            part,
            "it breaks off before </workbook>",
        ));
    }
    if book.sheets.is_empty() {
        let part = part.to_owned();
        return Err(ReadError::NoSheets { part });
    }
    for (name, scope) in book.names.iter_mut().zip(scopes) {
        let Some(id) = scope else { continue };
        match book.sheets.get(id) {
            Some(sheet) => name.sheet = Some(sheet.name.clone()),
            None => book.notes.push(Note::new(
                "name_scope",
                format!(
                    "the name {:?} belongs to a sheet that is not there; read as one of the workbook",
                    name.name
                ),
            )),
        }
    }
    drop_repeated(&mut book);
    no_sheet_twice(part, &book.sheets)?;
    Ok(book)
}

/// Refuses sheets whose names differ in case at most: formulas could mean either.
fn no_sheet_twice(part: &str, sheets: &[Entry]) -> Result<(), ReadError> {
    let mut seen = HashSet::new();
    let mut sheets = sheets.iter();
    match sheets.find(|sheet| !seen.insert(fold(&sheet.name))) {
        None => Ok(()),
        Some(twice) => Err(ReadError::DuplicateSheet {
            part: part.to_owned(),
            name: twice.name.clone(),
        }),
    }
}

/// Leaves the last of several names that are the same to a formula: no program can open such
/// a workbook, and no formula can mean the others.
fn drop_repeated(book: &mut Book) {
    let key = |name: &Name| (name.sheet.as_deref().map(fold), fold(&name.name));
    let mut last = HashSet::new();
    let mut kept: Vec<Name> = Vec::new();
    for name in std::mem::take(&mut book.names).into_iter().rev() {
        if last.insert(key(&name)) {
            kept.push(name);
        } else {
            book.notes.push(Note::new(
                "name_twice",
                format!(
                    "the name {:?} is defined twice; the last one counts",
                    name.name
                ),
            ));
        }
    }
    kept.reverse();
    book.names = kept;
}

fn sheet(
    part: &str,
    element: &quick_xml::events::BytesStart<'_>,
    rels: &HashMap<String, Target>,
) -> Result<Entry, ReadError> {
    let name = xml::attribute(part, element, "name")?.unwrap_or_default();
    let state = xml::attribute(part, element, "state")?;
    let visibility = match state.as_deref() {
        None | Some("visible") => Visibility::Visible,
        Some("hidden") => Visibility::Hidden,
        Some("veryHidden") => Visibility::VeryHidden,
        Some(other) => {
            let what = format!("sheet {name:?} is {other:?}, which is neither shown nor hidden");
            return Err(ReadError::malformed(part, what));
        }
    };
    let id = xml::attribute(part, element, "id")?.unwrap_or_default();
    if id.is_empty() {
        // A module of macros has a tab and no part.
        return Ok(Entry {
            name: name.into_owned(),
            visibility,
            part: Err(OtherSheet::Macro),
            id: String::new(),
        });
    }
    let target = rels.get(&*id).ok_or_else(|| {
        let what = format!("sheet {name:?} refers to {id:?}, and nothing has that id");
        ReadError::malformed(part, what)
    })?;
    let part = match target.kind.as_str() {
        "worksheet" => Ok(target.part.clone()),
        "chartsheet" => Err(OtherSheet::Chart),
        "dialogsheet" => Err(OtherSheet::Dialog),
        "xlMacrosheet" | "xlIntlMacrosheet" => Err(OtherSheet::Macro),
        other => {
            let what = format!("sheet {name:?} is a {other:?}, which is not a kind of sheet");
            return Err(ReadError::malformed(part, what));
        }
    };
    Ok(Entry {
        name: name.into_owned(),
        visibility,
        part,
        id: id.into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn targets_are_seen_from_their_folder_and_never_leave() {
        assert_eq!(resolve("xl/", "worksheets/a.xml"), "xl/worksheets/a.xml");
        assert_eq!(resolve("xl/", "/xl/a.xml"), "xl/a.xml");
        assert_eq!(resolve("xl/", "../customXml/a.xml"), "customXml/a.xml");
        assert_eq!(resolve("xl/", "worksheets\\a.xml"), "xl/worksheets/a.xml");
        assert_eq!(resolve("xl/", "../../etc/passwd"), "../../etc/passwd");
    }
}
