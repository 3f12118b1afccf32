//! What cannot be done is said in one line.

use super::Repo;

#[test]
fn no_repository() {
    let dir = Repo::none();
    dir.mvdiff(&["git"]).is_trouble("not a git repository");
    dir.write("a", "1\n");
    dir.write("b", "2\n");
    dir.mvdiff(&["git", "--", "a", "b"])
        .is_trouble("not a git repository");
}

#[test]
fn a_variable_that_leads_nowhere_is_named() {
    let repo = Repo::of(&[("a", "x\n")]);
    let ran = repo.run(
        &repo.path(""),
        &["git"],
        b"",
        &[("GIT_DIR", "/nonexistent")],
    );
    ran.is_trouble("GIT_DIR is set: unset it");
}

#[test]
fn no_git() {
    let dir = Repo::none();
    let nothing = [("PATH", "/nonexistent")];
    dir.run(&dir.path(""), &["git"], b"", &nothing)
        .is_trouble("git: not found");
}

#[test]
fn no_such_revision() {
    let repo = Repo::of(&[("a", "1\n")]);
    repo.mvdiff(&["git", "nowhere"])
        .is_trouble("bad revision 'nowhere'");
    repo.mvdiff(&["git", "nowhere...main"])
        .is_trouble("nowhere");
    repo.mvdiff(&["git", "main", "main", "main"])
        .is_trouble("more than two revisions");
}

#[test]
fn a_path_in_the_place_of_a_revision_is_a_path() {
    let repo = Repo::of(&[("a", "1\n")]);
    let ran = repo.mvdiff(&["git", "a"]);
    assert_eq!((ran.code, &ran.err[..], ran.text()), (0, "", ""));
}

#[test]
fn paths_outside_the_repository() {
    let repo = Repo::of(&[("a", "1\n")]);
    std::fs::write(repo.beside("x"), "secret\n").unwrap();
    std::fs::write(repo.beside("y"), "secrets\n").unwrap();
    for paths in [&["../x"][..], &["../x", "../y"], &["a", "../y"]] {
        let args = [&["git", "--"], paths].concat();
        repo.mvdiff(&args).is_trouble("outside repository");
    }
}

#[test]
fn a_combined_diff() {
    let repo = Repo::of(&[("a", "one\n")]);
    repo.git(&["checkout", "--quiet", "-b", "side"]);
    repo.commit(&[("a", "side\n")]);
    repo.git(&["checkout", "--quiet", "main"]);
    repo.commit(&[("a", "main\n")]);
    repo.git(&["merge", "--quiet", "-s", "ours", "side"]);
    repo.write("a", "both\n");
    repo.git(&["commit", "--quiet", "--all", "--amend", "-m", "Merge"]);
    let ran = repo.mvdiff(&["git", "main^!"]);
    assert!(ran.code == 0 || ran.code == 2, "{}", ran.code);
    assert!(!ran.err.contains("panic"), "{}", ran.err);
}
