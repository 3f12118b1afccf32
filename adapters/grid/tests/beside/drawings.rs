//! Charts, pictures and shapes: each is an operation that replays and inverts.

use super::package::Package;
use super::whole::{compared, is_same, part_bytes, patched, replays};
use mvdiff_grid::{DiffOp, DiffReport, PartChange, invert};

const DRAWING: &str = "xl/drawings/drawing1.xml";
const RELS: &str = "xl/drawings/_rels/drawing1.xml.rels";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

fn anchor(name: &str, [left, top, right, bottom]: [u32; 4], what: &str) -> String {
    format!(
        "<x:twoCellAnchor><x:from><x:col>{left}</x:col><x:colOff>0</x:colOff><x:row>{top}</x:row><x:rowOff>0</x:rowOff></x:from><x:to><x:col>{right}</x:col><x:colOff>9</x:colOff><x:row>{bottom}</x:row><x:rowOff>9</x:rowOff></x:to><x:cNvPr id=\"2\" name=\"{name}\"/>{what}<x:clientData/></x:twoCellAnchor>"
    )
}

fn chart(name: &str, at: [u32; 4], id: &str) -> String {
    let what = format!("<x:graphicFrame><c:chart r:id=\"{id}\"/></x:graphicFrame>");
    anchor(name, at, &what)
}

fn picture(name: &str, at: [u32; 4], id: &str) -> String {
    anchor(
        name,
        at,
        &format!("<x:pic><a:blip r:embed=\"{id}\"/></x:pic>"),
    )
}

fn shape(name: &str, at: [u32; 4], text: &str) -> String {
    anchor(
        name,
        at,
        &format!("<x:sp><x:txBody><a:t>{text}</a:t></x:txBody></x:sp>"),
    )
}

fn graph(title: &str, range: &str) -> String {
    format!(
        "<c:chartSpace><c:chart><c:title><a:t>{title}</a:t></c:title><c:plotArea><c:barChart><c:barDir val=\"col\"/><c:f>{range}</c:f></c:barChart></c:plotArea></c:chart></c:chartSpace>"
    )
}

/// A workbook with these anchors; `shown` are the ids and names of what they show.
fn drawn(anchors: &[String], shown: &[(&str, &str, &str)]) -> Package {
    let mut package = Package::new();
    package.put(
        DRAWING,
        &format!(
            "<?xml version=\"1.0\"?>\n<x:wsDr xmlns:x=\"X\" xmlns:a=\"A\" xmlns:c=\"C\" xmlns:r=\"{OFFICE}\">{}</x:wsDr>",
            anchors.concat()
        ),
    );
    package.remove("xl/charts/chart1.xml");
    let mut rels = String::new();
    for (id, name, content) in shown {
        let kind = if name.starts_with("charts") {
            "chart"
        } else {
            "image"
        };
        let entry =
            format!("<Relationship Id=\"{id}\" Type=\"{OFFICE}/{kind}\" Target=\"../{name}\"/>");
        rels.push_str(&entry);
        package.put(&format!("xl/{name}"), content);
    }
    package.put(RELS, &format!("<Relationships>{rels}</Relationships>"));
    package
}

/// The same workbook without a drawing.
fn blank() -> Package {
    let mut package = drawn(&[], &[]);
    package.remove(DRAWING);
    package.remove(RELS);
    package
        .with(
            "xl/worksheets/sheet1.xml",
            "<drawing r:id=\"rId2\"/>",
            "",
        )
        .with(
            "xl/worksheets/_rels/sheet1.xml.rels",
            &format!("<Relationship Id=\"rId2\" Type=\"{OFFICE}/drawing\" Target=\"../drawings/drawing1.xml\"/>"),
            "",
        )
}

fn parts(report: &DiffReport) -> Vec<&PartChange> {
    let ops = report.ops.iter().map(|op| match op {
        DiffOp::PartChanged(part) => part,
        other => panic!("{other:?}"),
    });
    ops.collect()
}

fn sales() -> String {
    graph("Sales", "Data!$B$1:$B$3")
}

fn two() -> Package {
    drawn(
        &[
            chart("Chart 1", [3, 0, 8, 9], "rId1"),
            picture("Logo", [3, 12, 5, 15], "rId2"),
        ],
        &[
            ("rId1", "charts/chart1.xml", &sales()),
            ("rId2", "media/image1.png", "a picture"),
        ],
    )
}

#[test]
fn charts_and_pictures_come_and_go_with_their_drawing() {
    let (none, both) = (blank(), two());
    let report = replays(&none, &both, "came");
    let came = parts(&report);
    assert_eq!(came.len(), 2);
    let said = came[0].change.to.as_ref().unwrap();
    assert_eq!(
        (&said.name[..], said.get("title")),
        ("chart", Some("Sales"))
    );
    assert_eq!(said.get("type"), Some("column"));
    assert_eq!(said.children[0].text, "Data!$B$1:$B$3");
    assert_eq!(came[0].change.range.as_deref(), Some("D1:I10"));
    assert_eq!(came[1].change.to.as_ref().unwrap().name, "picture");
    let made = patched(&none.bytes(), &report);
    assert_eq!(
        part_bytes(&made, "xl/media/image1.png").as_deref(),
        Some(&b"a picture"[..])
    );
    let report = replays(&both, &none, "went");
    let made = patched(&both.bytes(), &report);
    assert_eq!(part_bytes(&made, "xl/media/image1.png"), None);
    assert_eq!(part_bytes(&made, DRAWING), None);
}

#[test]
fn what_a_chart_or_a_picture_is_made_of_changes() {
    let base = two();
    let cases = [
        ("xl/charts/chart1.xml", "Sales", "Costs"),
        ("xl/charts/chart1.xml", "$B$3", "$B$2"),
        ("xl/charts/chart1.xml", "\"col\"", "\"bar\""),
        ("xl/media/image1.png", "a picture", "another one"),
        (DRAWING, "Logo", "Sign"),
        (DRAWING, "<x:row>12</x:row>", "<x:row>13</x:row>"),
    ];
    for (part, from, to) in cases {
        let new = base.with(part, from, to);
        let report = replays(&base, &new, to);
        assert_eq!(report.ops.len(), 1, "{to}: {:?}", report.ops);
    }
}

#[test]
fn what_only_moved_is_not_carried_again() {
    let base = two();
    let new = base
        .with(DRAWING, "<x:row>12</x:row>", "<x:row>20</x:row>")
        .with(DRAWING, "<x:row>15</x:row>", "<x:row>23</x:row>");
    let report = replays(&base, &new, "moved");
    let moved = parts(&report)[0];
    assert_eq!(moved.change.from_range.as_deref(), Some("D13:F16"));
    assert_eq!(moved.change.range.as_deref(), Some("D21:F24"));
    assert!(moved.to_parts.as_ref().unwrap().parts.is_empty());
}

#[test]
fn names_and_numbers_that_a_save_changes_say_nothing() {
    let base = two();
    let saved = drawn(
        &[
            chart("Chart 1", [3, 0, 8, 9], "rId7"),
            picture("Logo", [3, 12, 5, 15], "rId1"),
        ],
        &[
            ("rId7", "charts/chart4.xml", &sales()),
            ("rId1", "media/image9.png", "a picture"),
        ],
    );
    let report = compared(&base.bytes(), &saved.bytes());
    assert!(report.ops.is_empty(), "{:?}", report.ops);
}

#[test]
fn several_change_at_once_and_keep_their_order() {
    let shapes = |names: &[&str]| -> Package {
        let all = names.iter().zip(0..);
        let anchors: Vec<String> = all
            .map(|(name, at)| shape(name, [at, at, at + 2, at + 2], name))
            .collect();
        drawn(&anchors, &[])
    };
    let orders: [&[&str]; 7] = [
        &["a", "b", "c", "d"],
        &["b", "a", "c", "d"],
        &["d", "c", "b", "a"],
        &["x", "a", "c", "y", "d"],
        &["c"],
        &["a", "a", "b", "b"],
        &["b", "y", "d", "a", "z", "c"],
    ];
    for old in orders {
        for new in orders.into_iter().filter(|new| *new != old) {
            let case = format!("{old:?} -> {new:?}");
            let (old, new) = (shapes(old), shapes(new));
            let report = replays(&old, &new, &case);
            let made = patched(&old.bytes(), &report);
            let names = |file: &[u8]| {
                let text = String::from_utf8(part_bytes(file, DRAWING).unwrap()).unwrap();
                let texts = text.split("<a:t>").skip(1);
                let texts = texts.map(|text| text.split('<').next().unwrap().to_owned());
                texts.collect::<Vec<_>>()
            };
            assert_eq!(names(&made), names(&new.bytes()), "{case}");
        }
    }
}

#[test]
fn charts_follow_the_cells_that_they_are_over_and_show() {
    let at = |row: u32, range: &str| {
        drawn(
            &[chart("Chart 1", [3, row, 8, row + 9], "rId1")],
            &[("rId1", "charts/chart1.xml", &graph("Sales", range))],
        )
    };
    let base = at(1, "Data!$B$1:$B$3");
    let mut followed = at(2, "Data!$B$2:$B$4");
    followed.insert_row_above();
    let report = compared(&base.bytes(), &followed.bytes());
    assert_eq!(report.ops.len(), 1, "{:?}", report.ops);
    is_same(&patched(&base.bytes(), &report), &followed.bytes(), "there");
    is_same(
        &patched(&followed.bytes(), &invert(&report)),
        &base.bytes(),
        "back",
    );
    // A program that moves cells only.
    let mut stayed = base.clone();
    stayed.insert_row_above();
    let report = compared(&base.bytes(), &stayed.bytes());
    assert_eq!(report.ops.len(), 2, "{:?}", report.ops);
    is_same(&patched(&base.bytes(), &report), &stayed.bytes(), "there");
    is_same(
        &patched(&stayed.bytes(), &invert(&report)),
        &base.bytes(),
        "back",
    );
}

#[test]
fn damaged_drawings_have_one_word() {
    let base = two();
    let cases = [
        (DRAWING, "</x:wsDr>", ""),
        (DRAWING, "<x:row>12</x:row>", "<x:row>-1</x:row>"),
        (DRAWING, "<x:row>12</x:row>", "<x:row>4294967295</x:row>"),
        ("xl/charts/chart1.xml", "</c:chart>", ""),
        (RELS, "../charts/chart1.xml", "../charts/none.xml"),
        (RELS, "Id=\"rId1\"", "Id=\"rId8\""),
    ];
    for (part, from, to) in cases {
        let new = base.with(part, from, to);
        for (old, new) in [(&base, &new), (&new, &base)] {
            let (old, new) = (old.bytes(), new.bytes());
            let report = compared(&old, &new);
            let notes = report.notes.iter().filter(|note| note.kind == "part");
            let said = report.ops.len() + notes.count();
            assert!((1..=3).contains(&said), "{from} -> {to}: {report:?}");
            patched(&old, &report);
            patched(&new, &invert(&report));
        }
    }
}

#[test]
fn a_picture_that_is_too_large_is_a_note() {
    let large = "p".repeat((16 << 20) + 1);
    let old = two();
    let new = drawn(
        &[
            chart("Chart 1", [3, 0, 8, 9], "rId1"),
            picture("Logo", [3, 12, 5, 15], "rId2"),
        ],
        &[
            ("rId1", "charts/chart1.xml", &sales()),
            ("rId2", "media/image1.png", &large),
        ],
    );
    let options = mvdiff_grid::ReadOptions {
        limits: mvdiff_grid::Limits {
            ratio: u64::MAX,
            ..mvdiff_grid::Limits::default()
        },
        ..mvdiff_grid::ReadOptions::default()
    };
    let (old, new) = (old.bytes(), new.bytes());
    let (old, new) = mvdiff_grid::read_pair((&old, None), (&new, None), &options);
    let report = mvdiff_grid::diff_workbooks(
        &old.unwrap(),
        &new.unwrap(),
        &mvdiff_grid::Options::default(),
    )
    .unwrap();
    assert!(report.ops.is_empty());
    let note = report.notes.iter().find(|note| note.kind == "part");
    let message = &note.unwrap().message;
    assert!(message.contains("too large for a report"), "{message}");
}

#[test]
fn a_merge_takes_a_chart_over_to_where_its_cells_are() {
    let at = |row: u32, graph: &str| {
        drawn(
            &[chart("Chart 1", [3, row, 8, row + 9], "rId1")],
            &[("rId1", "charts/chart1.xml", graph)],
        )
    };
    // In files, charts have a type.
    let typed = |package: Package| {
        package.with(
            "[Content_Types].xml",
            "<Types/>",
            "<Types><Override PartName=\"/xl/charts/chart1.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.drawingml.chart+xml\"/></Types>",
        )
    };
    let base = typed(at(1, &sales()));
    let mut ours = typed(at(2, &graph("Sales", "Data!$B$2:$B$4")));
    ours.insert_row_above();
    let theirs = typed(at(1, &graph("Costs", "Data!$B$1:$B$2")));
    let merged = |ours: &Package, theirs: &Package| {
        let options = mvdiff_grid::ReadOptions::default();
        let [b, o, t] = [&base, ours, theirs].map(|package| {
            mvdiff_grid::read_whole_workbook(&package.bytes(), None, &options).unwrap()
        });
        mvdiff_grid::merge_workbooks(&b, &o, &t, &mvdiff_grid::Options::default()).unwrap()
    };
    let merge = merged(&ours, &theirs);
    assert!(merge.conflicts.is_empty(), "{:?}", merge.conflicts);
    let mut wanted = typed(at(2, &graph("Costs", "Data!$B$2:$B$3")));
    wanted.insert_row_above();
    let made = patched(&ours.bytes(), &merge.report);
    is_same(&made, &wanted.bytes(), "merged");
    // Both changed how it looks, which no word says.
    let look = |color: &str| {
        let look = format!("<c:chartSpace><c:style val=\"{color}\"/>");
        base.with("xl/charts/chart1.xml", "<c:chartSpace>", &look)
    };
    let merge = merged(&look("1"), &look("2"));
    assert_eq!(merge.conflicts.len(), 1, "{:?}", merge.report.ops);
}
