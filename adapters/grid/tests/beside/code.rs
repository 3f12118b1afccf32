//! Macros and queries: modules and queries by name, and the bytes of their parts.

use super::package::Package;
use super::whole::{compared, is_same, part_bytes, patched};
use base64::Engine as _;
use mvdiff_grid::{CodeChange, DiffOp, DiffReport, invert};
use std::io::{Cursor, Write as _};

/// A compressed container that copies nothing.
fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![1];
    for chunk in bytes.chunks(3600) {
        let mut packed = Vec::new();
        for eight in chunk.chunks(8) {
            packed.push(0);
            packed.extend_from_slice(eight);
        }
        let header = 0xb000 | (packed.len() as u16 - 1);
        out.extend(header.to_le_bytes());
        out.extend(packed);
    }
    out
}

fn record(id: u16, data: &[u8]) -> Vec<u8> {
    let mut out = id.to_le_bytes().to_vec();
    out.extend((data.len() as u32).to_le_bytes());
    out.extend(data);
    out
}

fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// A project with these modules; `compiled` stands for what a program makes of them.
fn project(modules: &[(&str, &str)], compiled: &[u8]) -> Vec<u8> {
    let mut dir = Vec::new();
    dir.extend(record(0x0001, &[1, 0, 0, 0]));
    dir.extend(record(0x0003, &1252_u16.to_le_bytes()));
    // The version says that it is shorter than it is.
    dir.extend([9, 0, 4, 0, 0, 0, 1, 0, 0, 0, 2, 0]);
    dir.extend(record(0x000f, &(modules.len() as u16).to_le_bytes()));
    for (name, _) in modules {
        dir.extend(record(0x0019, name.as_bytes()));
        dir.extend(record(0x0047, &wide(name)));
        dir.extend(record(0x001a, name.as_bytes()));
        dir.extend(record(0x0032, &wide(name)));
        dir.extend(record(0x0031, &(compiled.len() as u32).to_le_bytes()));
        dir.extend(record(0x0021, &[]));
        dir.extend(record(0x002b, &[]));
    }
    dir.extend(record(0x0010, &[]));
    let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    file.create_storage("/VBA").unwrap();
    let mut put = |name: &str, bytes: &[u8]| {
        let mut stream = file.create_stream(format!("/VBA/{name}")).unwrap();
        stream.write_all(bytes).unwrap();
    };
    put("dir", &compressed(&dir));
    for (name, source) in modules {
        let source = compressed(source.replace('\n', "\r\n").as_bytes());
        put(name, &[compiled, &source].concat());
    }
    file.flush().unwrap();
    file.into_inner().into_inner()
}

/// The part of Power Query with this section.
fn mashup(section: &str) -> String {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file("Formulas/Section1.m", options).unwrap();
    zip.write_all(section.as_bytes()).unwrap();
    let package = zip.finish().unwrap().into_inner();
    let mut bytes = vec![0; 4];
    bytes.extend((package.len() as u32).to_le_bytes());
    bytes.extend(package);
    bytes.extend([0; 12]);
    let text = base64::engine::general_purpose::STANDARD.encode(bytes);
    format!("<DataMashup xmlns=\"http://schemas.microsoft.com/DataMashup\">{text}</DataMashup>")
}

fn with_macros(project: &[u8]) -> Vec<u8> {
    Package::new().bytes_with(Some(("xl/vbaProject.bin", project)))
}

fn codes(report: &DiffReport) -> Vec<&CodeChange> {
    let ops = report.ops.iter();
    ops.filter_map(|op| match op {
        DiffOp::ModuleChanged(code) | DiffOp::QueryChanged(code) => Some(code),
        _ => None,
    })
    .collect()
}

const ONE: &str = "Attribute VB_Name = \"One\"\nSub One()\n  x = 1\nEnd Sub\n";
const TWO: &str = "Attribute VB_Name = \"Two\"\nSub Two()\nEnd Sub\n";

#[test]
fn modules_are_compared_by_name_and_their_bytes_are_carried() {
    let edited = ONE.replace("x = 1", "x = 2");
    let long = "' a line of a long module\n".repeat(900);
    let old = with_macros(&project(&[("One", ONE), ("Two", TWO)], b"abc"));
    let new = with_macros(&project(&[("One", &edited), ("Three", &long)], b"defg"));
    let report = compared(&old, &new);
    let found = codes(&report);
    let names: Vec<&str> = found.iter().map(|code| &code.name[..]).collect();
    assert_eq!(names, ["One", "Three", "Two"]);
    assert_eq!(found[0].from.as_deref(), Some(ONE));
    assert_eq!(found[0].to.as_deref(), Some(&edited[..]));
    assert_eq!(
        (&found[1].from, found[1].to.as_deref()),
        (&None, Some(&long[..]))
    );
    assert_eq!((found[2].from.as_deref(), &found[2].to), (Some(TWO), &None));
    assert!(report.notes.iter().all(|note| note.kind != "part"));
    // A report is read from JSON, too.
    let json = serde_json::to_string(&report).unwrap();
    let report: DiffReport = serde_json::from_str(&json).unwrap();
    let made = patched(&old, &report);
    is_same(&made, &new, "there");
    let part = "xl/vbaProject.bin";
    assert_eq!(part_bytes(&made, part), part_bytes(&new, part));
    let made = patched(&new, &invert(&report));
    is_same(&made, &old, "back");
    assert_eq!(part_bytes(&made, part), part_bytes(&old, part));
}

#[test]
fn a_project_of_which_only_compiled_code_differs_has_one_operation() {
    let old = with_macros(&project(&[("One", ONE)], b"abc"));
    let new = with_macros(&project(&[("One", ONE)], b"xyz"));
    let report = compared(&old, &new);
    assert!(codes(&report).is_empty());
    assert_eq!(report.ops.len(), 1);
    is_same(&patched(&old, &report), &new, "there");
}

#[test]
fn macros_come_and_go_with_their_relationship_and_type() {
    let with = Package::new();
    let mut without = with.with(
        "xl/_rels/workbook.xml.rels",
        "<Relationship Id=\"rId3\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/vbaProject\" Target=\"vbaProject.bin\"/>",
        "",
    );
    without.remove("xl/vbaProject.bin");
    super::whole::replays(&with, &without, "went");
    super::whole::replays(&without, &with, "came");
    // A relationship to a part that is not there.
    let mut named = with.clone();
    named.remove("xl/vbaProject.bin");
    super::whole::replays(&with, &named, "went");
    super::whole::replays(&named, &with, "came");
}

#[test]
fn queries_are_compared_by_name_and_their_bytes_are_carried() {
    let sections = [
        "section Section1;\r\n\r\nshared Sales = let\r\n  a = 1\r\nin\r\n  a;\r\n\r\nshared Costs = 2;",
        "section Section1;\r\n\r\nshared Sales = let\r\n  a = 3\r\nin\r\n  a;\r\n\r\nshared #\"Net worth\" = 4;",
    ];
    let [old, new] = sections.map(|section| {
        let mut package = Package::new();
        package.put("customXml/item1.xml", &mashup(section));
        package.bytes()
    });
    let report = compared(&old, &new);
    let found = codes(&report);
    let names: Vec<&str> = found.iter().map(|code| &code.name[..]).collect();
    assert_eq!(names, ["Costs", "Net worth", "Sales"]);
    assert_eq!(found[2].to.as_deref(), Some("let\n  a = 3\nin\n  a\n"));
    let made = patched(&old, &report);
    is_same(&made, &new, "there");
    let part = "customXml/item1.xml";
    assert_eq!(part_bytes(&made, part), part_bytes(&new, part));
    is_same(&patched(&new, &invert(&report)), &old, "back");
}

#[test]
fn damaged_projects_and_queries_are_carried_as_they_are() {
    let whole = project(&[("One", ONE)], b"abc");
    for cut in [0, 7, 100, 512, 700, whole.len() - 1] {
        let (old, new) = (with_macros(&whole), with_macros(&whole[..cut]));
        let report = compared(&old, &new);
        is_same(&patched(&old, &report), &new, "there");
        is_same(&patched(&new, &invert(&report)), &old, "back");
    }
    for text in ["", "AAAA", "AAAAAP////8=", "no base64"] {
        let mut package = Package::new();
        package.put(
            "customXml/item1.xml",
            &format!("<DataMashup>{text}</DataMashup>"),
        );
        let report = compared(&Package::new().bytes(), &package.bytes());
        is_same(
            &patched(&Package::new().bytes(), &report),
            &package.bytes(),
            text,
        );
    }
}
