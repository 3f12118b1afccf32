//! `mvdiff mcp` as an agent meets it: a client of the protocol over stdio.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]
#![allow(deprecated, reason = "clients name their roots this way for now")]

use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, Implementation,
    ListRootsResult, Root,
};
use rmcp::service::{RequestContext, RunningService};
use rmcp::{ClientHandler, ErrorData, RoleClient, ServiceExt as _};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;

/// A client that names one root.
struct Agent(PathBuf);

impl ClientHandler for Agent {
    fn get_info(&self) -> ClientConfig {
        let roots = ClientCapabilities::builder().enable_roots().build();
        ClientConfig::new(roots, Implementation::new("agent", "1"))
    }

    async fn list_roots(
        &self,
        _context: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        let uri = format!("file://{}", self.0.display());
        Ok(ListRootsResult::new(vec![Root::new(uri)]))
    }
}

/// A server with a client, and a tree that both know.
struct Session {
    running: RunningService<RoleClient, Agent>,
    _child: tokio::process::Child,
}

impl Session {
    async fn new(dir: &Path) -> Self {
        let mut child = tokio::process::Command::new(env!("CARGO_BIN_EXE_mvdiff"))
            .arg("mcp")
            .current_dir("/")
            .env("XDG_STATE_HOME", dir.join("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let pipes = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let agent = Agent(dir.join("tree").canonicalize().unwrap());
        Self {
            running: agent.serve(pipes).await.unwrap(),
            _child: child,
        }
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        let Value::Object(arguments) = arguments else {
            panic!("arguments are an object");
        };
        let call = CallToolRequestParams::new(tool).with_arguments(arguments);
        self.running.call_tool(call).await.unwrap()
    }

    /// The answer of a tool that did what it should.
    async fn done(&self, tool: &'static str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_eq!(result.is_error, Some(false), "{result:?}");
        result.structured_content.unwrap()
    }

    /// The first block of an answer that says no.
    async fn failed(&self, edits: &str, file: &str) -> Value {
        let arguments = json!({ "edits": edits, "file": file });
        let result = self.call("apply_edits", arguments).await;
        assert_eq!(result.is_error, Some(true), "{result:?}");
        result.structured_content.unwrap()["files"][0]["blocks"][0].clone()
    }
}

fn with_session(files: &[(&str, &str)], test: impl AsyncFnOnce(&Session, &Path)) {
    let dir = TempDir::new().unwrap();
    let tree = dir.path().join("tree");
    for (name, text) in files {
        let path = tree.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().unwrap();
    runtime.block_on(async {
        let session = Session::new(dir.path()).await;
        test(&session, &tree).await;
    });
}

fn block(search: &str, replace: &str) -> String {
    format!("<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n")
}

fn text(tree: &Path, name: &str) -> String {
    std::fs::read_to_string(tree.join(name)).unwrap()
}

const CODE: &str = "\
import os

def load(path, mode):
    with open(path, mode) as file:
        data = file.read()
    check(data)
    return data

def save(path, data):
    check(data)
    with open(path, 'w') as file:
        file.write(data)
    return data
";

#[test]
fn edits_are_tried_applied_and_taken_back() {
    with_session(&[("a.py", CODE)], async |session, tree| {
        let tools = session.running.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
        assert_eq!(
            names,
            [
                "apply_edits",
                "undo_edits",
                "effective_diff",
                "diff",
                "diff_workbooks",
                "score"
            ]
        );
        let edits = json!({
            "edits": r#"{"path":"a.py","old_string":"import os","new_string":"import sys"}"#,
            "dry_run": true,
        });
        let tried = session.done("apply_edits", edits.clone()).await;
        assert_eq!(tried["schema"], "mvdiff.apply/1");
        assert!(
            tried["files"][0]["content"]
                .as_str()
                .unwrap()
                .starts_with("import sys\n")
        );
        assert_eq!(text(tree, "a.py"), CODE);
        let mut edits = edits;
        edits["dry_run"] = false.into();
        assert_eq!(session.done("apply_edits", edits).await["written"], true);
        assert_eq!(text(tree, "a.py"), CODE.replace("os", "sys"));
        let undone = session.done("undo_edits", json!({})).await;
        assert_eq!(undone["files"][0]["action"], "undone");
        assert_eq!(text(tree, "a.py"), CODE);
    });
}

#[test]
fn failed_edits_are_repaired_from_the_answer_alone() {
    with_session(&[("a.py", CODE)], async |session, tree| {
        let lines = |text: &Value| text.as_str().unwrap().trim_end().to_owned();
        // From memory: another signature.
        let failed = session
            .failed(
                &block("def load(path):\n    with open(path) as file:", "x"),
                "a.py",
            )
            .await;
        assert_eq!(failed["hint_kind"], "stale");
        let best = lines(&failed["best"]["text"]);
        let edit = block(&best, &best.replace("load", "read"));
        session
            .done("apply_edits", json!({ "edits": edit, "file": "a.py" }))
            .await;
        // A line that occurs twice: the answer lists where.
        let failed = session
            .failed(&block("    check(data)", "    verify(data)"), "a.py")
            .await;
        assert_eq!(failed["hint_kind"], "ambiguous");
        let line = failed["candidates"][1]["line"].as_u64().unwrap();
        let edit = block(
            &format!(":start_line:{line}\n-------\n    check(data)"),
            "    verify(data)",
        );
        session
            .done("apply_edits", json!({ "edits": edit, "file": "a.py" }))
            .await;
        // Lines left out on one side only.
        let lazy = block(
            "def save(path, data):\n    verify(data)",
            "def save(path, data):\n    # ... existing code ...\n    log(path)",
        );
        let failed = session.failed(&lazy, "a.py").await;
        assert_eq!(failed["hint_kind"], "elision");
        let edit = lazy.replace("    # ... existing code ...", "    verify(data)");
        session
            .done("apply_edits", json!({ "edits": edit, "file": "a.py" }))
            .await;
        // Another constant than the one that is there.
        let failed = session
            .failed(
                &block(
                    "    with open(path, 'wb') as file:",
                    "    with open(path, 'a') as file:",
                ),
                "a.py",
            )
            .await;
        let theirs = lines(&failed["mismatches"][0]["theirs"]);
        let edit = block(&theirs, &theirs.replace("'w'", "'a'"));
        session
            .done("apply_edits", json!({ "edits": edit, "file": "a.py" }))
            .await;
        // Names that changed meanwhile.
        let failed = session
            .failed(
                &block(
                    "        data = file.read()\n    validate(data)\n    return data",
                    "x",
                ),
                "a.py",
            )
            .await;
        let best = lines(&failed["best"]["text"]);
        let edit = block(&best, &best.replace("file.read()", "file.read(9)"));
        session
            .done("apply_edits", json!({ "edits": edit, "file": "a.py" }))
            .await;
        assert_eq!(
            text(tree, "a.py"),
            CODE.replace("def load", "def read")
                .replace(
                    "data):\n    check(data)",
                    "data):\n    verify(data)\n    log(path)"
                )
                .replace("'w'", "'a'")
                .replace("file.read()", "file.read(9)")
        );
    });
}

#[test]
fn what_was_left_out_or_written_from_memory_is_in_the_answer() {
    let steps: Vec<_> = (1..=12).map(|n| format!("    step_{n}()\n")).collect();
    let body = steps.concat();
    let code = format!(
        "def run(path):\n    open(path)\n{body}    return path\n\ndef other():\n    pass\n"
    );
    let text_of = |best: &Value| best["text"].as_str().unwrap().to_owned();
    with_session(&[("a.py", &code)], async |session, tree| {
        // Shorter than what is there: the answer goes on to the line that it ends with.
        let memory = block(
            "def run(path):\n    open(path)\n    step()\n    return path",
            "x",
        );
        let failed = session.failed(&memory, "a.py").await;
        assert_eq!(failed["hint_kind"], "stale");
        assert!(text_of(&failed["around"]).contains("    step_12()\n    return path\n"));
        // The rest of a function, which REPLACE leaves out: the answer has it.
        let lazy = block(
            "def run(path):\n    open(path)",
            "def run(path):\n    open(path, 'r')\n    # ... rest of the code unchanged ...",
        );
        let failed = session.failed(&lazy, "a.py").await;
        assert_eq!(failed["hint_kind"], "elision");
        assert_eq!(failed["best"]["lines"], json!([1, 2]));
        assert!(text_of(&failed["around"]).starts_with(&code[..code.find("\ndef other").unwrap()]));
        let edit = block(
            text_of(&failed["best"]).trim_end(),
            "def run(path):\n    open(path, 'r')",
        );
        session
            .done("apply_edits", json!({ "edits": edit, "file": "a.py" }))
            .await;
        assert_eq!(
            text(tree, "a.py"),
            code.replace("open(path)", "open(path, 'r')")
        );
        // Two forms in one call are not half done.
        let both = format!(
            "{}\n--- a/a.py\n+++ b/a.py\n@@ ... @@\n-    pass\n+    return\n",
            block("    step_1()", "    step_0()"),
        );
        let call = json!({ "edits": both, "file": "a.py" });
        let result = session.call("apply_edits", call).await;
        assert_eq!(result.is_error, Some(true), "{result:?}");
        assert_eq!(
            text(tree, "a.py"),
            code.replace("open(path)", "open(path, 'r')")
        );
    });
}

#[test]
fn nothing_outside_of_the_roots_is_touched() {
    with_session(
        &[("in/a.txt", "a\n"), ("b.txt", "b\n")],
        async |session, tree| {
            std::fs::write(tree.join("../out.txt"), "secret\n").unwrap();
            let edit = r#"{"path":"../out.txt","old_string":"secret","new_string":"x"}"#;
            for arguments in [
                json!({ "edits": edit }),
                json!({ "edits": block("secret", "x"), "file": "../out.txt" }),
                json!({ "edits": block("secret", "x"), "file": "out.txt", "root": ".." }),
                json!({ "edits": block("b", "x"), "file": "../b.txt", "root": "in" }),
            ] {
                let result = session.call("apply_edits", arguments).await;
                assert_eq!(result.is_error, Some(true), "{result:?}");
            }
            let paths = json!({ "old": "b.txt", "new": "../out.txt" });
            let result = session.call("diff", paths).await;
            assert!(!format!("{result:?}").contains("secret"), "{result:?}");
            assert_eq!(result.is_error, Some(true));
            assert_eq!(text(tree, "../out.txt"), "secret\n");
            assert_eq!(text(tree, "b.txt"), "b\n");
        },
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    with_session(&[("b.txt", "b\n")], async |session, tree| {
        let made = std::process::Command::new("mkfifo")
            .arg(tree.join("pipe"))
            .status();
        assert!(made.unwrap().success());
        for tool in ["diff", "diff_workbooks"] {
            let paths = json!({ "old": "pipe", "new": "b.txt" });
            let result = session.call(tool, paths).await;
            assert!(
                format!("{result:?}").contains("is neither a file nor a directory"),
                "{result:?}"
            );
        }
        let arguments = json!({ "edits": block("b", "x"), "file": "pipe" });
        let result = session.call("apply_edits", arguments).await;
        assert_eq!(result.is_error, Some(true), "{result:?}");
    });
}

#[test]
fn the_other_commands_answer_with_their_json() {
    let files = [
        ("a.txt", "one\ntwo\n"),
        ("b.txt", "one\n2\n"),
        ("a.csv", "x\n1\n"),
        ("b.csv", "x\n2\n"),
    ];
    with_session(&files, async |session, _| {
        let diff = session
            .done("diff", json!({ "old": "a.txt", "new": "b.txt" }))
            .await;
        assert_eq!(diff["schema"], "mvdiff.lines/1");
        let books = json!({ "old": "a.csv", "new": "b.csv" });
        assert_eq!(
            session.done("diff_workbooks", books).await["schema"],
            "mvdiff.workbook/1"
        );
        let patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
        let left = session
            .done("effective_diff", json!({ "patch": patch }))
            .await;
        assert_eq!(left["schema"], "mvdiff.effective/1");
        let score = json!({ "base": "a\n", "a": "b\n", "b": "b\n" });
        assert_eq!(session.done("score", score).await["score"], 1.0);
        let wrong = session.call("score", json!({ "base": "a", "x": 1 })).await;
        assert_eq!(wrong.is_error, Some(true));
    });
}

#[test]
fn without_a_client_the_message_says_so() {
    let mut server = std::process::Command::new(env!("CARGO_BIN_EXE_mvdiff"));
    let out = server.arg("mcp").stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("no MCP client on standard input"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}
