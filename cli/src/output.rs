//! Where output goes: a terminal through a pager, a pipe, or a file written
//! whole or not at all.

use crate::signals;
use anyhow::{Context as _, bail};
use mvdiff_files::{AtomicFile, without_path};
/// Text with hidden characters written out, for messages.
pub(crate) use mvdiff_lines::one_line as visible;
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
    /// Text of others as it came, and our own as it is to be.
    AsIs,
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
    let mut new = AtomicFile::new(target)?;
    let _goes = signals::Temporary::new(new.path());
    paint(&mut io::BufWriter::new(new.file()), content, print)?;
    new.commit()
}

/// Prints to anything but a terminal: with colours only if they are
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

/// What to say if nothing more can be printed.
pub(crate) const STDOUT: &str = "standard output: cannot write";

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
    to_plain_stdout(content, print).context(STDOUT)
}

fn to_plain_stdout(content: Content, print: Box<Print<'_>>) -> io::Result<()> {
    let mut out: Box<dyn Write> = if content == Content::Styled {
        Box::new(io::BufWriter::new(anstream::stdout().lock()))
    } else if content == Content::Bytes && io::stdout().is_terminal() {
        Box::new(Visible::new(io::BufWriter::new(io::stdout().lock())))
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
    let set = || Some(crate::config::for_option("pager")?.value.clone());
    let named = std::env::var("MVDIFF_PAGER").ok().or_else(set);
    let named = named.or_else(|| std::env::var("PAGER").ok());
    // As git's pager we may be the pager of everything, and must not start ourselves.
    let named = named.filter(|named| !is_ourselves(named));
    let is_named = named.is_some();
    let command = named.unwrap_or_else(|| "less".into());
    let program = command.split_whitespace().next()?;
    if program == "cat" {
        return None;
    }
    if !is_installed(program) {
        if is_named {
            let program = visible(program);
            let _ = writeln!(
                io::stderr(),
                "mvdiff: note: {program}: no such pager; see mvdiff config"
            );
        }
        return None;
    }
    let mut pager = Command::new("sh");
    pager.arg("-c").arg(&command).stdin(Stdio::piped());
    match std::env::var("LESS") {
        Err(std::env::VarError::NotPresent) => _ = pager.env("LESS", "FRX"),
        // Without -R less prints escape codes; first, so that the user's flags win.
        Ok(said) if content != Content::Bytes => _ = pager.env("LESS", format!("-R {said}")),
        _ => {}
    }
    let mut child = pager.spawn().ok()?;
    let pipe = io::BufWriter::new(child.stdin.take()?);
    if content == Content::Bytes {
        return Some((child, Box::new(Visible::new(pipe))));
    }
    if content == Content::AsIs {
        return Some((child, Box::new(pipe)));
    }
    // The pager passes colours through, so the terminal decides, not the pipe.
    let colour = match anstream::AutoStream::choice(&io::stdout()) {
        anstream::ColorChoice::Never => anstream::ColorChoice::Never,
        _ => anstream::ColorChoice::Always,
    };
    let pipe = Box::new(pipe) as Box<dyn Write>;
    Some((child, Box::new(anstream::AutoStream::new(pipe, colour))))
}

/// Whether a command line starts this program.
fn is_ourselves(command: &str) -> bool {
    let program = command.split_whitespace().next().unwrap_or_default();
    let name = Path::new(program).file_stem();
    name.is_some_and(|name| name == "mvdiff" || name == "git-mvdiff")
}

/// Whether a program can be found as a shell would find it.
pub(crate) fn is_installed(program: &str) -> bool {
    if program.contains('/') {
        return Path::new(program).exists();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// What a terminal would act on, or not show, made visible: `^[` for an escape,
/// `\u{9b}` for others, `\x9b` for bytes that are not UTF-8.
struct Visible<W: Write> {
    to: W,
    /// The start of a character whose end is not written yet.
    open: Vec<u8>,
}

impl<W: Write> Visible<W> {
    fn new(to: W) -> Self {
        Self {
            to,
            open: Vec::new(),
        }
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        let hidden = |c: char| mvdiff_lines::is_hidden(c) && !matches!(c, '\n' | '\t');
        let mut rest = text;
        while let Some(at) = rest.find(hidden) {
            self.to.write_all(&rest.as_bytes()[..at])?;
            rest = &rest[at..];
            let c = rest.chars().next().unwrap_or_default();
            if c.is_ascii() {
                self.to.write_all(&[b'^', c as u8 ^ 0x40])?;
            } else {
                write!(self.to, "{}", c.escape_unicode())?;
            }
            rest = &rest[c.len_utf8()..];
        }
        self.to.write_all(rest.as_bytes())
    }

    /// Bytes that are not text. Some terminals act on a few of them.
    fn broken(&mut self, bytes: &[u8]) -> io::Result<()> {
        bytes.iter().try_for_each(|byte| match byte {
            0x80..=0x9f => write!(self.to, "\\x{byte:02x}"),
            _ => self.to.write_all(&[*byte]),
        })
    }
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut joined = std::mem::take(&mut self.open);
        let mut rest = bytes;
        if !joined.is_empty() {
            joined.extend_from_slice(bytes);
            rest = &joined;
        }
        loop {
            let error = match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.text(text)?;
                    return Ok(bytes.len());
                }
                Err(error) => error,
            };
            let (text, bad) = rest.split_at(error.valid_up_to());
            self.text(std::str::from_utf8(text).unwrap_or_default())?;
            let Some(length) = error.error_len() else {
                self.open = bad.to_vec();
                return Ok(bytes.len());
            };
            self.broken(&bad[..length])?;
            rest = &bad[length..];
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let open = std::mem::take(&mut self.open);
        self.broken(&open)?;
        self.to.flush()
    }
}

/// The extension of a file name, in lower case.
pub(crate) fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    extension.to_ascii_lowercase()
}

/// Refuses a name that does not fit `.xlsx`: programs would refuse the file.
pub(crate) fn is_for_xlsx(out: &Path) -> anyhow::Result<()> {
    let extension = extension(out);
    let others = ["csv", "tsv", "tab", "xls", "xlsb", "ods"];
    if others.contains(&&extension[..]) {
        bail!(
            "{}: the output is .xlsx, not .{extension}; give it that extension",
            out.display()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_act_on_is_spelt() {
        let text = "a\u{1b}[1m \u{9b}31m \u{202e}\u{7f}\r\n\té \u{1f600}".as_bytes();
        let broken = [text, b"\x9b \xe9 \xf0\x9f"].concat();
        let shown =
            b"a^[[1m \\u{9b}31m \\u{202e}^?^M\n\t\xc3\xa9 \xf0\x9f\x98\x80\\x9b \xe9 \xf0\\x9f";
        for step in 1..broken.len() {
            let mut out = Visible::new(Vec::new());
            for piece in broken.chunks(step) {
                out.write_all(piece).expect("memory");
            }
            out.flush().expect("memory");
            let out = out.to;
            assert_eq!(out, shown, "{step}: {}", String::from_utf8_lossy(&out));
        }
    }
}
