//! Writes `prices_old.xlsx` and `prices_new.xlsx`, the sample of the README:
//!
//! ```sh
//! cargo run -p mvdiff --example prices -- examples
//! ```
//!
//! In the new one four rows were moved down and a price in them raised, a row was
//! added, and a sheet has another name.

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, XlsxError};
use std::path::PathBuf;

type Row = (u32, &'static str, f64, u32, &'static str, &'static str, u8);

const ROWS: [Row; 19] = [
    (1001, "amber", 18.0, 40, "kg", "Nordbay", 3),
    (1002, "ash", 7.5, 220, "m", "Hollin", 4),
    (1003, "basalt", 3.25, 900, "kg", "Kerrow", 4),
    (1004, "beech", 9.0, 180, "m", "Hollin", 5),
    (1005, "birch", 42.0, 75, "m", "Hollin", 5),
    (1006, "brass", 11.4, 310, "kg", "Vantor", 5),
    (1007, "bronze", 13.9, 260, "kg", "Vantor", 6),
    (1008, "chalk", 0.8, 2400, "kg", "Kerrow", 6),
    (1009, "clay", 0.45, 5200, "kg", "Kerrow", 9),
    (1011, "copper", 9.6, 480, "kg", "Vantor", 9),
    (1012, "cork", 6.3, 150, "m", "Nordbay", 10),
    (1013, "flax", 4.1, 640, "m", "Nordbay", 10),
    (1014, "flint", 2.2, 330, "kg", "Kerrow", 11),
    (1015, "glass", 5.75, 410, "kg", "Ilmen", 11),
    (1016, "granite", 2.9, 1500, "kg", "Kerrow", 12),
    (1017, "hemp", 3.6, 720, "m", "Nordbay", 12),
    (1018, "iron", 1.15, 3100, "kg", "Vantor", 13),
    (1019, "jute", 2.05, 860, "m", "Nordbay", 13),
    (1020, "larch", 8.4, 205, "m", "Hollin", 16),
];

/// The old and the new workbook.
///
/// # Errors
/// What the writer returns.
pub fn workbooks() -> Result<[Vec<u8>; 2], XlsxError> {
    let mut rows = ROWS.to_vec();
    let old = workbook(&rows, "Remarks")?;
    let mut moved: Vec<Row> = rows.drain(3..7).collect();
    moved[1].2 = 43.0;
    rows.splice(10..10, moved);
    rows.insert(5, (1010, "cedar", 12.5, 130, "m", "Hollin", 9));
    Ok([old, workbook(&rows, "Notes")?])
}

fn workbook(rows: &[Row], notes: &str) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let made = ExcelDateTime::from_ymd(2026, 1, 2)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&made));
    let sheet = book.add_worksheet();
    sheet.set_name("Data")?;
    let head = [
        "id", "material", "price", "stock", "unit", "supplier", "checked", "value",
    ];
    sheet.write_row(0, 0, head)?;
    let day = Format::new().set_num_format("yyyy-mm-dd");
    for (row, (id, name, price, stock, unit, supplier, checked)) in (1..).zip(rows) {
        sheet.write(row, 0, *id)?;
        sheet.write(row, 1, *name)?;
        sheet.write(row, 2, *price)?;
        sheet.write(row, 3, *stock)?;
        sheet.write(row, 4, *unit)?;
        sheet.write(row, 5, *supplier)?;
        let date = ExcelDateTime::from_ymd(2026, 3, *checked)?;
        sheet.write_datetime_with_format(row, 6, &date, &day)?;
        let (line, value) = (row + 1, price * f64::from(*stock));
        let formula = rust_xlsxwriter::Formula::new(format!("=C{line}*D{line}"));
        sheet.write_formula(row, 7, formula.set_result(value.to_string()))?;
    }
    let sheet = book.add_worksheet();
    sheet.set_name(notes)?;
    sheet.write(0, 0, "Prices without tax, for one unit.")?;
    sheet.write(1, 0, "Checked by the buyers in March.")?;
    book.save_to_buffer()
}

#[allow(dead_code, reason = "a test takes the workbooks from here")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder: PathBuf = std::env::args_os().nth(1).unwrap_or_default().into();
    for (name, bytes) in ["prices_old.xlsx", "prices_new.xlsx"]
        .iter()
        .zip(workbooks()?)
    {
        std::fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}
