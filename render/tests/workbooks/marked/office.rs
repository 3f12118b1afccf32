//! LibreOffice opens what is written, and calculates the same. Where it is not
//! installed, a line says that this was not tried.

use super::{highlighted, uncalculated};
use mvdiff_grid::{Address, ReadOptions, Value, Workbook, open_workbook, read_workbook};
use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;
use std::process::Command;

/// The file without what its formulas came to, so that a program has to calculate.
fn without_results(bytes: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut out = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for i in 0..archive.len() {
        let mut file = archive.by_index(i).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        let mut rest = &text[..];
        let mut kept = String::new();
        while let Some(at) = rest.find("</f><v>") {
            let (before, behind) = rest.split_at(at + "</f>".len());
            kept.push_str(before);
            rest = &behind[behind.find("</v>").unwrap() + "</v>".len()..];
        }
        kept.push_str(rest);
        let options = zip::write::SimpleFileOptions::default();
        out.start_file(file.name().unwrap(), options).unwrap();
        out.write_all(kept.as_bytes()).unwrap();
    }
    out.finish().unwrap().into_inner()
}

/// The workbook as LibreOffice reads, calculates and writes it.
fn calculated(folder: &Path, name: &str, bytes: &[u8]) -> Workbook {
    opened(folder, name, &without_results(bytes))
}

/// The workbook as LibreOffice reads and writes it.
fn opened(folder: &Path, name: &str, bytes: &[u8]) -> Workbook {
    let file = format!("{name}.xlsx");
    std::fs::write(folder.join(&file), bytes).unwrap();
    let profile = format!("-env:UserInstallation=file://{}/profile", folder.display());
    let filter = "xlsx:Calc MS Excel 2007 XML";
    let mut command = Command::new("soffice");
    command.args([&profile, "--headless", "--convert-to", filter]);
    command.args(["--outdir", "out", &file]).current_dir(folder);
    let ran = command.output().unwrap();
    assert!(ran.status.success(), "{name}: {ran:?}");
    open_workbook(folder.join("out").join(file), &ReadOptions::default()).unwrap()
}

#[test]
fn libreoffice_calculates_what_nobody_has_calculated_yet() {
    if Command::new("soffice").arg("--version").output().is_err() {
        eprintln!("not tried: soffice is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (uncalculated(&[3, 4], 2), uncalculated(&[3, 5], 2));
    let book = opened(folder.path(), "open", &highlighted(&old, &new));
    let grid = book.sheets[1].grid().unwrap();
    let values: Vec<_> = (2..5).map(|row| grid.value(Address::new(row, 4))).collect();
    assert_eq!(values, [6.0, 10.0, 16.0].map(Value::Number));
}

#[test]
fn libreoffice_opens_it_and_comes_to_the_same() {
    if Command::new("soffice").arg("--version").output().is_err() {
        eprintln!("not tried: soffice is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/grid");
    let mut formulas = 0;
    for case in [
        "formula_block_moved",
        "formula_renamed_sheet",
        "formula_range_grows",
    ] {
        let [old, new] = ["old", "new"].map(|side| {
            let bytes = std::fs::read(fixtures.join(case).join(format!("{side}.xlsx"))).unwrap();
            calculated(folder.path(), side, &bytes)
        });
        let bytes = highlighted(&old, &new);
        let ours = read_workbook(&bytes, None, &ReadOptions::default()).unwrap();
        let theirs = calculated(folder.path(), case, &bytes);
        assert_eq!(ours.sheets.len(), theirs.sheets.len());
        for (our, their) in ours.sheets.iter().zip(&theirs.sheets) {
            assert_eq!(our.name, their.name);
            let (our, their) = (our.grid().unwrap(), their.grid().unwrap());
            for cell in our.cells() {
                let value = their.value(cell.address);
                let at = cell.address;
                assert!(
                    cell.value.same(&value),
                    "{case}: {at}: {cell:?} and {value:?}"
                );
                formulas += usize::from(cell.formula.is_some());
            }
        }
    }
    assert!(formulas > 50, "{formulas} formulas were calculated");
}
