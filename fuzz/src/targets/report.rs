//! Reports of strangers on workbooks: refused in words, or carried out, turned round and
//! shown.

use super::grid::is_shown;
use super::{file, grid};
use mvdiff_grid::{DiffReport, Options, Sheet, Workbook, apply, diff_workbooks, invert};
use mvdiff_render::{workbook_terminal, workbook_text};

const OLD: &str = "id,name,price,sum\n1001,cedar,12.5,=C2*2\n1002,oak,3,=C3*2\n1003,elm,7,=SUM(C2:C4)\n1004,ash,9,x\n1005,fir,1,y\n1006,yew,2,z\n";

const NEW: &[&str] = &[
    "id,name,price,sum\n1005,fir,1,y\n1006,yew,2,z\n1001,cedar,12.5,=C4*2\n1002,oak,4,=C5*2\n1003,elm,7,=SUM(C4:C6)\n",
    "id,price,name,sum,more\n1001,12.5,cedar,=B2*2,1\n1002,3,oak,=B3*2,2\n1003,7,elm,=SUM(B2:B4),3\n1004,9,ash,x,4\n1005,1,fir,y,5\n1006,2,yew,z,6\n",
    "id,name,price,sum\n1006,yew,2,z\n1001,cedar,12.5,=C3*2\n1007,new,1,1\n1002,oak,3,=C5*2\n,,,\n1003,elm,8,=SUM(C3:C6)\n1004,ash,TRUE,x\n1005,fir,1,y\n",
];

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let old = book(OLD, "Data");
    let mut all = Vec::new();
    for (at, new) in NEW.iter().enumerate() {
        let name = ["Data", "Renamed", "Data"][at];
        let report = diff_workbooks(&old, &book(new, name), &Options::default());
        let report = report.expect("a report");
        for report in [invert(&report), report] {
            all.push(serde_json::to_vec(&report).expect("JSON"));
        }
    }
    let parts = super::parts::beside();
    all.extend(
        parts
            .iter()
            .map(|report| serde_json::to_vec(report).expect("JSON")),
    );
    all
}

fn book(text: &str, name: &str) -> Workbook {
    let row = |line: &str| line.split(',').map(str::to_owned).collect();
    let rows: Vec<Vec<String>> = text.lines().map(row).collect();
    Workbook {
        sheets: vec![Sheet::new(name, grid::grid(&rows))],
        ..Workbook::default()
    }
}

pub(crate) fn law(input: &[u8]) {
    let Ok(report) = serde_json::from_slice::<DiffReport>(input) else {
        return;
    };
    let mut out = Vec::new();
    workbook_text(&mut out, &report).expect("memory");
    workbook_terminal(&mut out, &report).expect("memory");
    for old in [book(OLD, "Data"), super::parts::base()] {
        match apply(&old, &report) {
            Ok(made) => {
                file::is_like_itself(&made);
                // What leads back may not fit, and is refused then.
                let _ = apply(&made, &invert(&report));
                if mvdiff_render::WorkbookView::new(("a", "b"), &old, &made, &report).is_ok() {
                    is_shown(&old, &made, &report);
                }
            }
            Err(error) => {
                let words = error.to_string();
                assert!(!words.is_empty(), "an error says what is wrong");
            }
        }
    }
}
