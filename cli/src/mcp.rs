//! `mvdiff mcp`: the commands as tools of the Model Context Protocol.
//!
//! Every call runs the command itself, with its JSON, so that a tool answers what
//! the command line does, and nothing that goes wrong in it ends the server.

mod roots;
mod tools;

use crate::args::McpArgs;
use anyhow::Context as _;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use roots::Roots;
use serde_json::Value;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tools::Call;

pub(crate) fn run(args: &McpArgs) -> anyhow::Result<u8> {
    let mut own = Vec::new();
    for root in &args.root {
        let shown = root.display();
        let real = std::fs::canonicalize(root);
        own.push(real.with_context(|| format!("{shown}: cannot open the root"))?);
    }
    let server = Server {
        own,
        program: std::env::current_exe().context("cannot find this program")?,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let running = server
            .serve(rmcp::transport::stdio())
            .await
            .map_err(|error| {
                anyhow::anyhow!(
                    "no MCP client on standard input ({error}); see docs/commands/mcp.md"
                )
            })?;
        running.waiting().await?;
        Ok(0)
    })
}

struct Server {
    /// The roots of the command line.
    own: Vec<PathBuf>,
    program: PathBuf,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let tools = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(tools)
            .with_server_info(Implementation::new("mvdiff", env!("CARGO_PKG_VERSION")))
            .with_instructions(
                "apply_edits takes edits in whatever form you write them and lands them where \
                 they belong, or not at all: all or nothing, and undo_edits takes them back. \
                 If a block fails, its answer holds the lines of the file that are most like \
                 it (best), how they differ (mismatches) and why it failed (hint_kind): repair \
                 the block from that and call again.",
            )
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let roots = Roots::of(&self.own, &context).await;
        let arguments = request.arguments.unwrap_or_default();
        let call = match tools::call(&request.name, &arguments, &roots) {
            Ok(Some(call)) => call,
            Ok(None) => {
                let message = format!("there is no tool {:?}", request.name);
                return Err(ErrorData::invalid_params(message, None));
            }
            Err(message) => {
                let said = CallToolResult::error(vec![ContentBlock::text(message)]);
                return Ok(said.into());
            }
        };
        let program = self.program.clone();
        let answer = tokio::task::spawn_blocking(move || answer(&program, &call)).await;
        match answer {
            Ok(result) => Ok(result.into()),
            Err(error) => Err(ErrorData::internal_error(error.to_string(), None)),
        }
    }
}

/// Runs a command and makes a result of what it prints.
fn answer(program: &std::path::Path, call: &Call) -> CallToolResult {
    let failed = |message: String| CallToolResult::error(vec![ContentBlock::text(message)]);
    let mut command = Command::new(program);
    command
        .args(&call.words)
        .current_dir(&call.root)
        // No repository above the root is looked into.
        .env(
            "GIT_CEILING_DIRECTORIES",
            call.root.parent().unwrap_or(&call.root),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return failed(format!("cannot run: {error}")),
    };
    let input = call.input.clone();
    let stdin = child.stdin.take();
    // What is not read to the end is not missed.
    let writer = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
    let output = child.wait_with_output();
    let _ = writer.join();
    let output = match output {
        Ok(output) => output,
        Err(error) => return failed(format!("cannot run: {error}")),
    };
    let trouble = output.status.code().is_none_or(|code| code > 1);
    match serde_json::from_slice::<Value>(&output.stdout) {
        Ok(value) => {
            let refused = value["success"] == Value::Bool(false);
            if trouble || refused || value.get("error").is_some() {
                CallToolResult::structured_error(value)
            } else {
                CallToolResult::structured(value)
            }
        }
        Err(_) => failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}
