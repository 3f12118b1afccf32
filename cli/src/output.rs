//! Where output goes: a terminal through a pager, a pipe, or a file written
//! whole or not at all.

use anyhow::{Context as _, bail};
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// What is printed: bytes as they are, or text with colours.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// A patch or JSON, byte for byte.
    Bytes,
    /// For reading, with escape codes where colours are wanted.
    Styled,
}

type Print<'p> = dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'p;

/// Runs `print` on a file. A regular file is replaced only when everything is
/// written; a link is followed; anything else (a pipe, a device) is written to.
pub(crate) fn to_file(path: &Path, content: Content, print: Box<Print<'_>>) -> anyhow::Result<()> {
    // The file behind it is somebody else's, who may go on writing to it.
    if path == Path::new("/dev/stdout") {
        let mut out = io::BufWriter::new(io::stdout().lock());
        return Ok(paint(&mut out, content, print)?);
    }
    let cannot = || format!("{}: cannot write", path.display());
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if std::fs::metadata(&target).is_ok_and(|m| !m.is_file()) {
        let file = std::fs::OpenOptions::new().write(true).open(&target);
        let mut out = io::BufWriter::new(file.with_context(cannot)?);
        return paint(&mut out, content, print).with_context(cannot);
    }
    let folder = target.parent().filter(|p| !p.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.exists()) {
        let (file, folder) = (path.display(), folder.display());
        bail!("{file}: cannot write: there is no directory {folder}; make it first");
    }
    replace(&target, content, print)
        .map_err(without_path)
        .with_context(cannot)
}

fn replace(target: &Path, content: Content, print: Box<Print<'_>>) -> io::Result<()> {
    let folder = target.parent().filter(|p| !p.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // What the umask leaves of it, like any new file.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut temporary = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    let mut buffered = io::BufWriter::new(temporary.as_file_mut());
    paint(&mut buffered, content, print)?;
    drop(buffered);
    if let Ok(existing) = std::fs::metadata(target) {
        temporary
            .as_file()
            .set_permissions(existing.permissions())?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(target).map_err(|e| e.error)?;
    Ok(())
}

/// The error without the name of the temporary file, which nobody asked for.
fn without_path(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(std::error::Error::source);
    let cause = inner.and_then(|e| e.downcast_ref::<io::Error>());
    match cause.unwrap_or(&error).raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None if error.kind() == io::ErrorKind::Other => error,
        None => error.kind().into(),
    }
}

/// Prints to something that is no terminal: with colours only if they are
/// always wanted.
fn paint(out: &mut dyn Write, content: Content, print: Box<Print<'_>>) -> io::Result<()> {
    let colours = anstream::ColorChoice::global() == anstream::ColorChoice::Always;
    if content == Content::Styled && !colours {
        let mut styled = Vec::new();
        print(&mut styled)?;
        out.write_all(&anstream::adapter::strip_bytes(&styled).into_vec())?;
    } else {
        print(out)?;
    }
    out.flush()
}

/// Runs `print` on standard output, through a pager where git would use one.
pub(crate) fn to_stdout(
    pager: bool,
    content: Content,
    print: Box<Print<'_>>,
) -> anyhow::Result<()> {
    if let Some((mut child, mut pipe)) = pager.then(|| start_pager(content)).flatten() {
        let printed = print(&mut pipe).and_then(|()| pipe.flush());
        drop(pipe);
        child.wait().context("cannot wait for the pager")?;
        return printed.context("cannot write to the pager");
    }
    to_plain_stdout(content, print).context("standard output: cannot write")
}

fn to_plain_stdout(content: Content, print: Box<Print<'_>>) -> io::Result<()> {
    let mut out: Box<dyn Write> = if content == Content::Styled {
        Box::new(io::BufWriter::new(anstream::stdout().lock()))
    } else if io::stdout().is_terminal() {
        Box::new(Visible(io::BufWriter::new(io::stdout().lock())))
    } else {
        Box::new(io::BufWriter::new(io::stdout().lock()))
    };
    print(&mut *out)?;
    out.flush()
}

/// The pager of the environment, started, if standard output is a terminal and
/// there is such a program.
fn start_pager(content: Content) -> Option<(Child, Box<dyn Write>)> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let named = ["MVDIFF_PAGER", "PAGER"]
        .iter()
        .find_map(|name| std::env::var(name).ok());
    let command = named.unwrap_or_else(|| "less".into());
    let program = command.split_whitespace().next()?;
    if program == "cat" || !is_installed(program) {
        return None;
    }
    let mut pager = Command::new("sh");
    pager.arg("-c").arg(&command).stdin(Stdio::piped());
    match std::env::var("LESS") {
        Err(std::env::VarError::NotPresent) => _ = pager.env("LESS", "FRX"),
        // Without it less spells the colours; first, so that what is said holds.
        Ok(said) if content == Content::Styled => _ = pager.env("LESS", format!("-R {said}")),
        _ => {}
    }
    let mut child = pager.spawn().ok()?;
    let pipe = io::BufWriter::new(child.stdin.take()?);
    if content == Content::Bytes {
        return Some((child, Box::new(Visible(pipe))));
    }
    // The pager passes colours through, so the terminal decides, not the pipe.
    let colour = match anstream::AutoStream::choice(&io::stdout()) {
        anstream::ColorChoice::Never => anstream::ColorChoice::Never,
        _ => anstream::ColorChoice::Always,
    };
    let pipe = Box::new(pipe) as Box<dyn Write>;
    Some((child, Box::new(anstream::AutoStream::new(pipe, colour))))
}

/// Whether a program can be found as a shell would find it.
pub(crate) fn is_installed(program: &str) -> bool {
    if program.contains('/') {
        return Path::new(program).exists();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Control characters made visible on a terminal: `^[` for an escape.
struct Visible<W: Write>(W);

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        let hidden = |b: &u8| b.is_ascii_control() && !matches!(b, b'\n' | b'\t');
        while let Some(at) = rest.iter().position(hidden) {
            self.0.write_all(&rest[..at])?;
            self.0.write_all(&[b'^', rest[at] ^ 0x40])?;
            rest = &rest[at + 1..];
        }
        self.0.write_all(rest)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
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
