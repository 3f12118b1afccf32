//! Where output goes: a terminal through a pager, a pipe, or a file written
//! whole or not at all.

use anyhow::Context as _;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Runs `print` on a file, replaced only when everything is written.
pub(crate) fn to_file(
    path: &Path,
    print: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    let shown = path.display();
    let folder = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let cannot = || format!("{shown}: cannot write");
    let mut temporary = tempfile::NamedTempFile::new_in(folder).with_context(cannot)?;
    let mut buffered = io::BufWriter::new(temporary.as_file_mut());
    print(&mut buffered).with_context(cannot)?;
    buffered.flush().with_context(cannot)?;
    drop(buffered);
    keep_mode(path, temporary.as_file()).with_context(cannot)?;
    temporary.as_file().sync_all().with_context(cannot)?;
    temporary
        .persist(path)
        .map_err(|e| e.error)
        .with_context(cannot)?;
    Ok(())
}

/// A replaced file keeps its permissions; a new one gets the usual ones, not
/// the private ones of a temporary file.
fn keep_mode(path: &Path, file: &std::fs::File) -> io::Result<()> {
    if let Ok(existing) = std::fs::metadata(path) {
        return file.set_permissions(existing.permissions());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    Ok(())
}

/// Runs `print` on standard output, through a pager where git would use one.
pub(crate) fn to_stdout(
    pager: bool,
    print: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    if let Some((mut child, pipe)) = pager.then(start_pager).flatten() {
        let mut out = io::BufWriter::new(pipe);
        let printed = print(&mut out).and_then(|()| out.flush());
        drop(out);
        child.wait().context("cannot wait for the pager")?;
        return printed.context("cannot write to the pager");
    }
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    print(&mut out)?;
    out.flush()?;
    Ok(())
}

/// The pager of the environment, started, if standard output is a terminal.
fn start_pager() -> Option<(Child, Box<dyn Write>)> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let named = ["MVDIFF_PAGER", "PAGER"]
        .iter()
        .find_map(|name| std::env::var(name).ok());
    let command = named.unwrap_or_else(|| "less".into());
    if command.is_empty() || command == "cat" {
        return None;
    }
    let mut pager = Command::new("sh");
    pager.arg("-c").arg(&command).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        pager.env("LESS", "FRX");
    }
    let mut child = pager.spawn().ok()?;
    let pipe = child.stdin.take()?;
    // The pager passes colours through, so the terminal decides, not the pipe.
    let colour = match anstream::AutoStream::choice(&io::stdout()) {
        anstream::ColorChoice::Never => anstream::ColorChoice::Never,
        _ => anstream::ColorChoice::Always,
    };
    Some((
        child,
        Box::new(anstream::AutoStream::new(
            Box::new(pipe) as Box<dyn Write>,
            colour,
        )),
    ))
}

/// Text with control characters made visible, for messages.
pub(crate) fn visible(text: &str) -> String {
    text.chars().fold(String::new(), |mut shown, c| {
        if c.is_control() {
            let _ = write!(shown, "{}", c.escape_default());
        } else {
            shown.push(c);
        }
        shown
    })
}
