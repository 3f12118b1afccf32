//! Formulas follow their cells and are led back, whatever they are.

use super::grid::{grid, replays};
use super::numbers;
use mvdiff_grid::{Layout, Options, Sheet, Workbook};

pub(crate) const SEEDS: &[&str] = &[
    "=A1+$B$2*C$3-$D4\n=SUM(A1:B9,2:3,C:D)\n=IF(A1>2,\"A1 \"\"q\"\" B2\",'My ''Own'''!A1)\n",
    "=Other!A1:B2\n=Other!$A:$A\n='[1]Sheet 1'!A1\n=[1]Sheet1!A1\n=Data:Other!A1\n=#REF!+Data!#REF!\n",
    "=INDIRECT(\"A1\")\n=OFFSET(A1,1,2)\n=R1C1+R[-1]C[2]\n=total*local\n=Prices[[#This Row],[id]]\n=Prices[id]\n",
    "={1,2;3,\"A1\"}\n=A1:INDEX(B:B,3)\n=A1#\n=@A1:A5\n=_xlfn.LET(x,A1,x+1)\n=1E5+1.5e-3%\n=-A1^2&\"\"\n",
    "=XFD1048576\n=XFE1\n=A1048577\n=A0\n=SUM(A1 B2)\n=(A1,B2)\n=LOG10(A1)\n=true+TRUE()\n=A1:B2:C3\n",
];

pub(crate) fn law(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let random = &mut numbers(input);
    let cell = |line: &str| {
        let formula = line.strip_prefix('=').unwrap_or(line);
        format!("={formula}")
    };
    let mut rows: Vec<Vec<String>> = text
        .lines()
        .take(12)
        .enumerate()
        .map(|(at, line)| vec![format!("row {at}"), cell(line), at.to_string()])
        .collect();
    let nowhere = Layout::default();
    for row in &rows {
        if let Some(led) = nowhere.lead("Data", &row[1]) {
            assert_eq!(led, row[1], "nothing was put in");
        }
    }
    let old = book(&rows);
    for _ in 0..=random.below(3) {
        let first = random.below(rows.len());
        match random.below(4) {
            0 if !rows.is_empty() => drop(rows.remove(first)),
            1 => rows.insert(first, ["new", "=A1", "77"].map(str::to_owned).to_vec()),
            2 if !rows.is_empty() => {
                let row = rows.remove(first);
                let to = random.below(rows.len() + 1);
                rows.insert(to, row);
            }
            _ => {
                for row in &mut rows {
                    row.insert(1, "between".to_owned());
                }
            }
        }
    }
    replays(&old, &book(&rows), &Options::default());
}

fn book(rows: &[Vec<String>]) -> Workbook {
    let few = &rows[..rows.len().min(2)];
    Workbook {
        sheets: vec![
            Sheet::new("Data", grid(rows)),
            Sheet::new("Other", grid(few)),
        ],
        ..Workbook::default()
    }
}
