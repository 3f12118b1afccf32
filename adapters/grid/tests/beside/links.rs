//! Other workbooks are known by their files, not by their numbers.

use crate::package::Package;
use crate::{diff, told};
use mvdiff_grid::{Options, ReadOptions, apply, read_pair};

const RELS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A workbook with a formula on the first of these files.
fn linked(files: &[&str], number: usize) -> Package {
    let mut book = Package::new();
    let mut references = String::new();
    for i in 1..=files.len() {
        let entry = format!("<externalReference r:id=\"link{i}\"/>");
        references.push_str(&entry);
    }
    book = book.with(
        "xl/workbook.xml",
        "</sheets>",
        &format!("</sheets><externalReferences>{references}</externalReferences>"),
    );
    for (i, file) in (1..).zip(files) {
        book = book.with(
            "xl/_rels/workbook.xml.rels",
            "</Relationships>",
            &format!(
                "<Relationship Id=\"link{i}\" Type=\"{RELS}/externalLink\" Target=\"externalLinks/externalLink{i}.xml\"/></Relationships>"
            ),
        );
        book.put(
            &format!("xl/externalLinks/externalLink{i}.xml"),
            "<externalLink><externalBook/></externalLink>",
        );
        book.put(
            &format!("xl/externalLinks/_rels/externalLink{i}.xml.rels"),
            &format!(
                "<Relationships><Relationship Id=\"rId1\" Type=\"{RELS}/externalLinkPath\" Target=\"{file}\" TargetMode=\"External\"/></Relationships>"
            ),
        );
    }
    book.with(
        "xl/worksheets/sheet1.xml",
        "<v>4.5</v>",
        &format!("<f>[{number}]Rates!A1*2</f><v>4.5</v>"),
    )
}

#[test]
fn a_link_with_another_number_is_the_same() {
    let old = linked(&["rates.xlsx"], 1);
    let new = linked(&["costs.xlsx", "rates.xlsx"], 2);
    let (loud, _) = told(&old, &new);
    assert!(loud.is_empty(), "{loud:?}");
    let report = diff(&old, &new, &Options::default());
    let (old, new) = (old.bytes(), new.bytes());
    let (old, new) = read_pair((&old, None), (&new, None), &ReadOptions::default());
    let again = apply(&old.unwrap(), &report).unwrap();
    assert!(again.same(&new.unwrap()));
}

#[test]
fn a_link_to_another_file_has_a_word() {
    let (loud, _) = told(&linked(&["rates.xlsx"], 1), &linked(&["other.xlsx"], 1));
    assert_eq!(loud, ["links"]);
}
