//! What is written is read again as it was.

use mvdiff_grid::{
    Address, Area, ErrorCode, GridBuilder, Name, ReadOptions, Sheet, Value, Visibility, Workbook,
    read_workbook, write_workbook,
};
use proptest::prelude::*;
use std::io::Cursor;

fn value() -> impl Strategy<Value = Value<String>> {
    let odd = prop::sample::select(vec![
        "=1+1",
        "+1",
        "-2+3",
        "@SUM(A1)",
        "http://x.example",
        "1",
        "TRUE",
        "#N/A",
        " a ",
        "\t",
        "a\nb",
        "a\r\nb",
        "_x0041_",
        "_x005F_",
        "\u{1}\u{1b}[31m",
        "\u{ffff}",
        "<&>\"'",
        "\u{202e}txt",
        "ä€😀",
        "mailto:a@b",
    ]);
    prop_oneof![
        Just(Value::Empty),
        any::<f64>()
            .prop_filter("a cell", |n| n.is_finite())
            .prop_map(Value::Number),
        (-1000i32..1000).prop_map(|n| Value::Number(f64::from(n))),
        odd.prop_map(|text| Value::Text(text.to_owned())),
        ".{0,12}".prop_map(Value::Text),
        any::<bool>().prop_map(Value::Bool),
        (0.0..2_958_465.0).prop_map(Value::Date),
        (0u32..2_958_465).prop_map(|day| Value::Date(f64::from(day))),
        (-3.0..1000.0).prop_map(Value::Duration),
        prop::sample::select(ErrorCode::ALL.to_vec()).prop_map(Value::Error),
    ]
}

fn borrowed(value: &Value<String>) -> Value<&str> {
    match value {
        Value::Empty => Value::Empty,
        Value::Number(number) => Value::Number(*number),
        Value::Text(text) => Value::Text(text),
        Value::Bool(is) => Value::Bool(*is),
        Value::Date(day) => Value::Date(*day),
        Value::Duration(days) => Value::Duration(*days),
        Value::Error(code) => Value::Error(*code),
    }
}

fn formula() -> impl Strategy<Value = Option<String>> {
    let some = prop::sample::select(vec![
        "=A1+1",
        "=\"<&>\"&\" a \"",
        "=SUM(A1:B2)\n+1",
        "='It''s'!A1",
        "=_xlfn.XLOOKUP(1,A:A,B:B)",
        "=\t1",
    ]);
    prop::option::weighted(0.3, some.prop_map(str::to_owned))
}

type Cells = Vec<((u32, u32), Value<String>, Option<String>)>;

fn cells() -> impl Strategy<Value = Cells> {
    let place = prop_oneof![
        4 => (0u32..8, 0u32..6),
        1 => (0u32..1_048_576, 0u32..16_384),
    ];
    prop::collection::btree_map(place, (value(), formula()), 0..20)
        .prop_map(|cells| cells.into_iter().map(|(at, (v, f))| (at, v, f)).collect())
}

fn workbook() -> impl Strategy<Value = Workbook> {
    let shown = prop::sample::select(vec![
        Visibility::Visible,
        Visibility::Hidden,
        Visibility::VeryHidden,
    ]);
    let merges = prop::collection::btree_set((0u32..9, 0u32..9), 0..3);
    prop::collection::vec((cells(), shown, merges), 1..4).prop_map(|sheets| {
        let sheets: Vec<Sheet> = sheets
            .into_iter()
            .enumerate()
            .map(|(i, (cells, visibility, merges))| {
                let mut grid = GridBuilder::default();
                for ((row, col), value, formula) in &cells {
                    grid.push(
                        Address::new(*row, *col),
                        borrowed(value),
                        formula.as_deref(),
                    );
                }
                let mut sheet = Sheet::new(&format!("<S{i}> & 'co'"), grid.finish().unwrap());
                sheet.visibility = visibility;
                sheet.merges = merges
                    .iter()
                    .map(|(row, col)| Area {
                        first: Address::new(row * 2, col * 2),
                        last: Address::new(row * 2 + 1, col * 2 + 1),
                    })
                    .collect();
                sheet
            })
            .collect();
        let name = |sheet: Option<String>| Name {
            name: "Tax".to_owned(),
            sheet,
            refers_to: "'<S0> & ''co'''!$A$1".to_owned(),
        };
        let names = vec![name(None), name(Some(sheets[0].name.clone()))];
        Workbook {
            sheets,
            names,
            ..Workbook::default()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn a_workbook_comes_back(workbook in workbook()) {
        let mut file = Cursor::new(Vec::new());
        write_workbook(&workbook, &mut file).unwrap();
        let back = read_workbook(file.get_ref(), None, &ReadOptions::default()).unwrap();
        prop_assert_eq!(&back.names, &workbook.names);
        prop_assert_eq!(back.sheets.len(), workbook.sheets.len());
        for (new, old) in back.sheets.iter().zip(&workbook.sheets) {
            prop_assert_eq!(&new.name, &old.name);
            prop_assert_eq!(new.visibility, old.visibility);
            prop_assert_eq!(&new.merges, &old.merges);
            let (new, old) = (new.grid().unwrap(), old.grid().unwrap());
            prop_assert_eq!(new.cell_count(), old.cell_count());
            for (new, old) in new.cells().zip(old.cells()) {
                prop_assert_eq!(new.address, old.address);
                prop_assert_eq!(new.formula, old.formula);
                // To the last bit, though equality asks for less.
                prop_assert_eq!(new.value, old.value);
            }
        }
        prop_assert!(back.notes.is_empty());
    }
}
