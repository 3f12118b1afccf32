//! One `git cat-file --batch` for all blobs that are wanted.

use super::repo::cannot_run;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The running process.
pub(super) struct Batch {
    child: Child,
    questions: BufWriter<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Batch {
    pub(super) fn start(mut git: Command) -> anyhow::Result<Self> {
        git.args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Hints on short ids with several meanings.
            .stderr(Stdio::null());
        let mut child = git.spawn().map_err(|error| cannot_run(&error))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = pipes.ok_or_else(|| cannot_run(&io::ErrorKind::BrokenPipe.into()))?;
        Ok(Self {
            child,
            questions: BufWriter::new(stdin),
            answers: BufReader::new(stdout),
        })
    }

    /// The blobs of these names, none of which holds a newline.
    pub(super) fn ask(&mut self, names: &[&[u8]]) -> io::Result<Vec<Option<Vec<u8>>>> {
        let (questions, answers) = (&mut self.questions, &mut self.answers);
        // Both pipes may fill up, so somebody must read while we write.
        std::thread::scope(|scope| {
            let writer = scope.spawn(move || {
                for name in names {
                    questions.write_all(name)?;
                    questions.write_all(b"\n")?;
                }
                questions.flush()
            });
            let found: io::Result<Vec<_>> = names.iter().map(|_| answer(answers)).collect();
            match writer.join() {
                Ok(written) => written.and(found),
                Err(_) => Err(io::ErrorKind::Other.into()),
            }
        })
        .map_err(|_| io::Error::other("git: cat-file ended too early; git fsck may say why"))
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        // It only reads, and nothing waits for the rest.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One answer: `id type size`, the content and a newline; or `name missing`.
fn answer(from: &mut BufReader<ChildStdout>) -> io::Result<Option<Vec<u8>>> {
    let mut head = Vec::new();
    from.read_until(b'\n', &mut head)?;
    let Some(head) = head.strip_suffix(b"\n") else {
        return Err(io::ErrorKind::UnexpectedEof.into());
    };
    let head = String::from_utf8_lossy(head);
    // From the end: what is missing may be a path with spaces.
    let mut words = head.rsplitn(3, ' ');
    let (size, kind) = (words.next(), words.next());
    let Some(size) = size.and_then(|size| size.parse::<u64>().ok()) else {
        return Ok(None);
    };
    let mut content = Vec::new();
    from.by_ref().take(size).read_to_end(&mut content)?;
    let mut newline = [0];
    from.read_exact(&mut newline)?;
    if content.len() as u64 != size || newline != *b"\n" {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok((kind == Some("blob")).then_some(content))
}
