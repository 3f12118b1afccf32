//! A repository's own configuration runs nothing, and an argument is not an option
//! of git's. Each trap first springs under git itself, so that it is one.

#![cfg(unix)]

use super::{Repo, lines};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

/// A repository with a changed file, and a program that leaves a mark.
struct Trap(Repo);

impl Trap {
    fn new() -> Self {
        let repo = Repo::of(&[("a.txt", &lines(1, 9)), (".gitattributes", "")]);
        repo.commit(&[("a.txt", &lines(2, 9))]);
        repo.write("a.txt", lines(2, 10));
        let trap = Self(repo);
        let script = format!("#!/bin/sh\n: >'{}'\nexec cat\n", trap.mark());
        trap.program("evil", &script);
        trap
    }

    fn program(&self, name: &str, script: &str) {
        let path = self.0.beside(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, script).unwrap();
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path, executable).unwrap();
    }

    fn mark(&self) -> String {
        self.0.beside("mark").to_string_lossy().into_owned()
    }

    fn evil(&self) -> String {
        self.0.beside("evil").to_string_lossy().into_owned()
    }

    fn attributes(&self, text: &str) {
        self.0.write(".gitattributes", text);
    }

    fn config(&self, key: &str, value: &str) {
        self.0.git(&["config", key, value]);
    }

    fn touch(&self, name: &str, time: std::time::SystemTime) {
        let mut options = std::fs::File::options();
        let file = options.append(true).open(self.0.path(name)).unwrap();
        file.set_modified(time).unwrap();
    }

    /// Whether the mark was left since this was asked.
    fn sprung(&self) -> bool {
        std::fs::remove_file(self.mark()).is_ok()
    }

    /// The trap springs under `git diff` and not under `mvdiff git`, nor under
    /// `mvdiff effective` beside it.
    #[track_caller]
    fn is_avoided(&self, args: &[&str]) {
        self.springs(self.0.git_command().arg("diff").args(args));
        self.is_avoided_in_the_end(args);
    }

    #[track_caller]
    fn springs(&self, git: &mut Command) {
        git.output().unwrap();
        assert!(self.sprung(), "this is no trap");
        // As before: git may have noted that nothing changed.
        self.touch("a.txt", std::time::SystemTime::now());
    }

    #[track_caller]
    fn is_avoided_in_the_end(&self, args: &[&str]) {
        let args = [&["git", "--exit-code"], args].concat();
        let ran = self.0.mvdiff(&args);
        assert!(!self.sprung(), "{}", ran.err);
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(ran.text().contains("+line number 10\n"), "{}", ran.text());
        let ran = self
            .0
            .run(&self.0.path(""), &["effective", "--repo=."], &ran.out, &[]);
        assert!(!self.sprung(), "{}", ran.err);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
}

#[test]
fn an_external_diff() {
    let trap = Trap::new();
    trap.config("diff.external", &trap.evil());
    trap.is_avoided(&[]);
}

#[test]
fn an_external_diff_of_the_environment() {
    let trap = Trap::new();
    let evil = trap.evil();
    trap.springs(
        trap.0
            .git_command()
            .env("GIT_EXTERNAL_DIFF", &evil)
            .arg("diff"),
    );
    let variables = [("GIT_EXTERNAL_DIFF", &evil[..])];
    let ran = trap.0.run(&trap.0.path(""), &["git"], b"", &variables);
    assert!(!trap.sprung() && ran.code == 0, "{}", ran.err);
}

#[test]
fn a_driver() {
    let trap = Trap::new();
    trap.attributes("*.txt diff=evil\n");
    trap.config("diff.evil.command", &trap.evil());
    trap.is_avoided(&[]);
}

#[test]
fn a_text_conversion() {
    let trap = Trap::new();
    trap.attributes("*.txt diff=evil\n");
    trap.config("diff.evil.textconv", &trap.evil());
    trap.is_avoided(&[]);
}

#[test]
fn a_file_system_monitor() {
    let trap = Trap::new();
    trap.config("core.fsmonitor", &trap.evil());
    trap.is_avoided(&[]);
}

#[test]
fn a_clean_filter() {
    let trap = Trap::new();
    trap.attributes("*.txt filter=evil\n");
    trap.config("filter.evil.clean", &trap.evil());
    trap.is_avoided(&[]);
    trap.config("filter.evil.required", "true");
    trap.is_avoided(&["HEAD"]);
}

#[test]
fn a_filter_process() {
    let trap = Trap::new();
    trap.attributes("*.txt filter=evil\n");
    trap.config("filter.evil.process", &trap.evil());
    trap.config("filter.evil.required", "true");
    trap.is_avoided(&[]);
}

#[test]
fn a_filter_with_a_name_that_cannot_be_overridden() {
    let trap = Trap::new();
    trap.attributes("*.txt filter=e=vil\n");
    trap.config("filter.e=vil.clean", &trap.evil());
    trap.springs(trap.0.git_command().arg("diff"));
    trap.0.mvdiff(&["git"]).is_trouble("filter.e=vil.clean");
    assert!(!trap.sprung());
}

#[test]
fn a_filter_in_an_included_file() {
    let trap = Trap::new();
    trap.attributes("*.txt filter=evil\n");
    let included = format!("[filter \"evil\"]\n\tclean = {}\n", trap.evil());
    trap.0.write("settings", included);
    trap.config("include.path", "../settings");
    trap.is_avoided(&[]);
}

/// A commit with a signature, which git asks a program about.
#[test]
fn a_program_that_checks_signatures() {
    let trap = Trap::new();
    let repo = &trap.0;
    let git = |args: &[&str]| String::from_utf8(repo.git(args)).unwrap().trim().to_owned();
    let commit = format!(
        "tree {}\nparent {}\nauthor n <a@b> 1 +0000\ncommitter n <a@b> 1 +0000\n\
         gpgsig -----BEGIN PGP SIGNATURE-----\n \n a\n -----END PGP SIGNATURE-----\n\nsigned\n",
        git(&["rev-parse", "HEAD^{tree}"]),
        git(&["rev-parse", "HEAD~"]),
    );
    repo.write("commit", commit);
    let id = git(&["hash-object", "-t", "commit", "-w", "commit"]);
    git(&["update-ref", "HEAD", &id]);
    trap.config("gpg.program", &trap.evil());
    for (key, value) in [("log.showSignature", "true"), ("format.pretty", "%G? %s")] {
        trap.config(key, value);
        trap.springs(repo.git_command().args(["log", "-p"]));
        for command in ["log", "show"] {
            let ran = repo.mvdiff(&["git", command]);
            assert!(!trap.sprung(), "{key}: {}", ran.err);
            assert_eq!(ran.code, 0, "{}", ran.err);
            assert!(ran.text().contains("-line number 1\n"), "{}", ran.text());
        }
        git(&["config", "--unset", key]);
    }
}

#[test]
fn a_filter_of_the_user_is_run() {
    let trap = Trap::new();
    trap.attributes("*.txt filter=mine\n");
    trap.0
        .git(&["config", "--global", "filter.mine.clean", "sed s/1/one/"]);
    let ran = trap.0.mvdiff(&["git", "--", "a.txt"]);
    assert_eq!((ran.code, &ran.err[..]), (0, ""));
    assert!(ran.text().contains("+line number one0\n"), "{}", ran.text());
    // The repository may not put another program in its place.
    trap.config("filter.mine.clean", &trap.evil());
    let ran = trap.0.mvdiff(&["git", "--", "a.txt"]);
    assert!(!trap.sprung());
    assert!(ran.text().contains("+line number one0\n"), "{}", ran.text());
}

#[test]
fn a_hook() {
    let trap = Trap::new();
    let script = std::fs::read_to_string(trap.0.beside("evil")).unwrap();
    trap.program("hooks/post-index-change", &script);
    let hooks = trap.0.beside("hooks");
    trap.config("core.hooksPath", &hooks.to_string_lossy());
    trap.0.write("b.txt", "same\n");
    trap.0.git(&["add", "b.txt"]);
    assert!(trap.sprung());
    let touch = || {
        // Another time, the same content: git refreshes its index.
        let times = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(10);
        trap.touch("b.txt", times);
    };
    touch();
    trap.springs(trap.0.git_command().arg("diff"));
    trap.0.git(&[
        "-c",
        "core.hooksPath=/dev/null",
        "reset",
        "--quiet",
        "b.txt",
    ]);
    trap.0
        .git(&["-c", "core.hooksPath=/dev/null", "add", "b.txt"]);
    trap.sprung();
    touch();
    trap.is_avoided_in_the_end(&[]);
}

#[test]
fn a_pager_and_aliases() {
    let trap = Trap::new();
    trap.config("core.pager", &trap.evil());
    trap.config("pager.diff", &trap.evil());
    for name in ["diff", "cat-file", "rev-parse", "config"] {
        trap.config(&format!("alias.{name}"), &format!("!{}", trap.evil()));
    }
    trap.is_avoided_in_the_end(&[]);
}

#[test]
fn a_submodule_with_a_configuration_of_its_own() {
    let trap = Trap::new();
    let inner = Repo::of(&[("x", "1\n")]);
    let source = inner.path("").to_string_lossy().into_owned();
    let allowed = "protocol.file.allow=always";
    let add = ["-c", allowed, "submodule", "--quiet", "add", &source, "sub"];
    trap.0.git(&add);
    trap.0.git(&["commit", "--quiet", "-m", "With a submodule"]);
    let sub = trap.0.path("sub");
    let sub = sub.to_string_lossy();
    trap.0
        .git(&["-C", &sub, "config", "core.fsmonitor", &trap.evil()]);
    trap.0.write("sub/x", "2\n");
    trap.is_avoided(&[]);
}

#[test]
fn a_fetch_of_what_is_missing() {
    let trap = Trap::new();
    // A server that does not answer would be waited for.
    trap.program("evil", &format!("#!/bin/sh\n: >'{}'\n", trap.mark()));
    let repo = &trap.0;
    let id = repo.git(&["rev-parse", "HEAD~1:a.txt"]);
    let id = String::from_utf8(id).unwrap();
    let (folder, name) = id.trim().split_at(2);
    std::fs::remove_file(repo.path(&format!(".git/objects/{folder}/{name}"))).unwrap();
    for (key, value) in [
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", "."),
        ("remote.origin.uploadpack", &trap.evil()),
    ] {
        trap.config(key, value);
    }
    let revs = ["HEAD~1", "HEAD"];
    trap.springs(repo.git_command().arg("diff").args(revs));
    let ran = repo.mvdiff(&["git", revs[0], revs[1]]);
    assert!(!trap.sprung());
    ran.is_trouble("git:");
}

#[test]
fn arguments_that_are_options_of_git() {
    let trap = Trap::new();
    let mark = format!("--output={}", trap.mark());
    for option in [
        "--ext-diff",
        "--textconv",
        "--no-index",
        "--upload-pack=x",
        "-O/etc/passwd",
        "-c",
        "--exec-path=.",
    ] {
        let ran = trap.0.mvdiff(&["git", option]);
        assert_eq!((ran.code, ran.text()), (2, ""), "{option}");
    }
    // Behind a revision and as a path, too.
    trap.0
        .mvdiff(&["git", "HEAD", "--ext-diff"])
        .is_trouble("--ext-diff");
    let ran = trap.0.mvdiff(&["git", "--", &mark]);
    assert_eq!((ran.code, ran.text(), trap.sprung()), (0, "", false));
}

/// What is installed for one repository is written to its own files.
#[test]
fn links_in_the_place_of_attributes() {
    for name in ["info/attributes", "info"] {
        let repo = Repo::new();
        let outside = repo.beside("outside");
        let place = repo.path(".git").join(name);
        std::fs::create_dir_all(repo.path(".git/info")).unwrap();
        if name == "info" {
            std::fs::remove_dir_all(&place).unwrap();
            std::fs::create_dir(&outside).unwrap();
        } else {
            std::fs::write(&outside, "mine\n").unwrap();
        }
        std::os::unix::fs::symlink(&outside, &place).unwrap();
        let ran = repo.mvdiff(&["git", "install", "--local"]);
        ran.is_trouble("is a link");
        if outside.is_dir() {
            assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
        } else {
            assert_eq!(std::fs::read(&outside).unwrap(), b"mine\n");
        }
        let config = repo.git(&["config", "--local", "--list"]);
        assert!(!String::from_utf8_lossy(&config).contains("mvdiff"));
    }
}
