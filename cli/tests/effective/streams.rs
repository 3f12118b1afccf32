//! Several commits in one patch.

use super::Repo;

fn history() -> Repo {
    let repo = Repo::of(&[("a", "one\n")]);
    repo.commit(&[("a", "two\n")]);
    repo.commit(&[("a", "three\n"), ("b", "new\n")]);
    repo
}

#[test]
fn each_commit_has_its_report() {
    let repo = history();
    let head = repo.git(&["rev-parse", "HEAD"]);
    let head = String::from_utf8(head).unwrap();
    for stream in [
        &["log", "-p", "-2"][..],
        &["format-patch", "--stdout", "HEAD~2"],
    ] {
        let patch = repo.git(stream);
        let report = repo.report(&[], &patch);
        assert_eq!(report["schema"], "mvdiff.effective/1");
        let changesets = report["changesets"].as_array().unwrap();
        assert_eq!(changesets.len(), 2, "{stream:?}");
        let mut files: Vec<u64> = changesets
            .iter()
            .map(|one| one["input"]["files"].as_u64().unwrap())
            .collect();
        files.sort_unstable();
        assert_eq!(files, [1, 2], "{stream:?}");
        let last = changesets.iter().find(|one| one["input"]["files"] == 2);
        assert_eq!(last.unwrap()["commit"], head.trim(), "{stream:?}");
        assert!(
            changesets
                .iter()
                .all(|one| one["schema"] == report["schema"])
        );
    }
}

#[test]
fn a_single_commit_is_a_single_report() {
    let repo = history();
    let report = repo.report(&[], &repo.git(&["show"]));
    assert_eq!(report["input"]["files"], 2);
    assert!(report["changesets"].is_null());
}

#[test]
fn a_patch_of_a_stream_reads_like_the_stream() {
    let repo = history();
    let patch = repo.git(&["log", "-p", "-2"]);
    let ran = repo.effective(&["--format=unified", "--no-moves"], &patch);
    assert_eq!((ran.code, &ran.err[..]), (0, ""));
    for line in ["A change", "-two", "+three", "-one", "+two", "commit "] {
        assert!(ran.text().contains(line), "{line}: {}", ran.text());
    }
    let (last, first) = ran.text().split_once("-two\n").unwrap();
    assert!(last.contains("commit ") && first.contains("\n\ncommit "));
    // What a patch's reader finds in it is what was in the stream.
    let again = repo.report(&["--no-moves"], &ran.out);
    assert_eq!(again, repo.report(&["--no-moves"], &patch));
}
