//! Every row has its answer, good or bad, and scores are shares.

use mvdiff_metrics::batch::{Batch, run};

pub(crate) const SEEDS: &[&str] = &[
    "{\"name\":\"1\",\"base\":\"a\\nb\\n\",\"a\":\"a\\nc\\n\",\"b\":\"a\\nd\\n\"}\n\n{\"base\":\"\",\"a\":\"\",\"b\":\"\",\"levenshtein\":false}\n",
    "{\"base\":\"x = sum(items)\\ny = 2\\n\",\"a\":\"x = sum(lines)\\n\",\"b\":\"y = 2\\nx = sum(items)\\n\"}\n",
];

pub(crate) fn law(input: &[u8]) {
    let mut out = Vec::new();
    let summary = run(input, &mut out, &Batch::default(), &mut |_| {}).expect("memory");
    let answers = out
        .split(|byte| *byte == b'\n')
        .filter(|row| !row.is_empty());
    let mut count = 0;
    for row in answers {
        let row: serde_json::Value = serde_json::from_slice(row).expect("JSON");
        let score = row["score"].as_f64();
        assert!(score.is_some() || row["error"].is_string(), "{row}");
        assert!(
            score.is_none_or(|score| (0.0..=1.0).contains(&score)),
            "{row}"
        );
        count += 1;
    }
    assert_eq!(count, summary.rows);
    let rows = input.split(|byte| *byte == b'\n');
    let rows = rows.filter(|row| !row.trim_ascii().is_empty());
    assert!(summary.rows <= rows.count() as u64);
}
