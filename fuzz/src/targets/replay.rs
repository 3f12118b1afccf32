//! Reports of strangers: refused in words, or carried out, and never larger than the
//! bound.

use mvdiff_render::view::View;
use mvdiff_render::{Names, Screen, terminal};
use mvdiff_text::effective::{RecipeFile, rebuild};
use mvdiff_text::tree::TreeReport;
use mvdiff_text::{Error, LineReport, Lines};

pub(crate) const SEEDS: &[&str] = &[
    r#"[{"file":"f","mode":"100755","no_eol":true,"parts":[{"kept":["a",1,3]},{"move":1,"from":["a",5,2],"indent":{"from":"","to":"    "}},{"lines":["x","y"]}]},{"file":"a","deleted":true},{"file":"g","origin":"a","parts":[{"copy":2,"from":["a",1,1]}]}]"#,
    r#"{"schema":"mvdiff.lines/1","complete":true,"notes":[],"hit_timeout":false,"lines":[8,8],"stats":{"additions":1,"deletions":1,"modified":0,"moved":2},"changes":[{"original":[1,2],"modified":[1,2],"text":["x"],"inner":[]}],"moves":[{"original_line_start":3,"original_line_end":4,"modified_line_start":6,"modified_line_end":7,"changes":[],"indent":{"from":"","to":"  "},"confidence":1.0}]}"#,
    r#"{"schema":"mvdiff.tree/1","complete":true,"notes":[],"hit_timeout":false,"stats":{"files":{"added":0,"removed":0,"modified":1,"renamed":0,"unchanged":0},"additions":1,"deletions":1,"modified":0,"moved":0},"files":[{"path":"f","status":"modified","lines":[8,8],"stats":{"additions":1,"deletions":1,"modified":0,"moved":0},"changes":[{"original":[2,3],"modified":[2,3],"text":["x"],"inner":[]}]}],"ignored_files":[],"moves":[]}"#,
];

const OLD: &[u8] = b"one\n  two\nthree\n\nfive\n\tsix\nseven\neight";

pub(crate) fn law(input: &[u8]) {
    let look_up = |_: &[u8]| Ok::<_, Error>(OLD.to_vec());
    let bound = 1 << 30;
    if let Ok(recipe) = serde_json::from_slice::<Vec<RecipeFile>>(input)
        && let Ok(made) = rebuild(&recipe, look_up)
    {
        let bytes = made.iter().filter_map(|file| file.bytes.as_ref());
        assert!(bytes.map(Vec::len).sum::<usize>() <= bound + input.len());
    }
    if let Ok(report) = serde_json::from_slice::<LineReport>(input)
        && let Ok(made) = report.replay(OLD)
    {
        assert!(made.len() <= bound + input.len());
        // What can be carried out can be turned round and shown.
        let back = report.invert(OLD).expect("it was carried out");
        assert_eq!(back.replay(&made).as_deref(), Ok(OLD));
        is_shown(&report, &made);
    }
    if let Ok(report) = serde_json::from_slice::<TreeReport>(input) {
        // Whatever it says, it ends.
        let _ = report.replay(look_up);
    }
}

fn is_shown(report: &LineReport, made: &[u8]) {
    let names = Names {
        old: "old".to_owned(),
        new: "new".to_owned(),
    };
    let lines = (
        Lines::new(OLD).expect("lines"),
        Lines::new(made).expect("lines"),
    );
    let view = View::of_lines(&names, (&lines.0, &lines.1), report);
    terminal(&mut Vec::new(), &view, &Screen::default()).expect("memory");
}
