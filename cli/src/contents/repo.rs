//! Contents from a repository: its objects, by the ids that the patch names,
//! and where they are not stored its working tree.

use super::{Found, Gathering, Sides};
use crate::git::{Ids, Repo};
use mvdiff_text::effective::Source;
use mvdiff_text::effective::{is_said_in_full, is_submodule, settle};
use mvdiff_text::patch::{Changeset, FilePatch};

/// The objects of a repository.
pub(crate) struct Objects {
    repo: Repo,
    /// Whether the repository is known to be the one that the patch is about,
    /// so that it is worth a remark if it does not hold a file.
    certain: bool,
    /// Ids that git reports with the patch.
    ids: Ids,
}

/// What to ask the repository for one file: the old blob, or else the new one,
/// of which the other follows by the hunks.
#[derive(Default)]
struct Question {
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
}

impl Objects {
    /// Of a repository that the user named.
    pub(super) fn of(repo: Repo) -> Self {
        Self {
            repo,
            certain: true,
            ids: Ids::default(),
        }
    }

    /// Of a repository that happens to be around.
    pub(super) fn if_there(repo: Repo) -> Self {
        Self {
            certain: false,
            ..Self::of(repo)
        }
    }

    /// Of the repository that made the patch, with its ids.
    pub(crate) fn with_ids(repo: Repo, ids: Ids) -> Self {
        Self {
            ids,
            ..Self::of(repo)
        }
    }

    pub(super) fn look_up(&mut self, changeset: &Changeset<'_>) -> anyhow::Result<Found> {
        let questions: Vec<Question> = changeset
            .files
            .iter()
            .map(|file| self.question(changeset, file))
            .collect();
        let asked = questions.iter().any(|q| q.old.is_some() || q.new.is_some());
        if !self.certain && !asked && !self.has_any(changeset)? {
            return Ok(Found::default());
        }
        let answers = self.ask(&questions)?;
        let nothing = answers.iter().all(|sides| *sides == Sides::default());
        if !self.certain && asked && nothing {
            return Ok(Found::default());
        }
        let mut found = Gathering::new(Source::Repo, "the repository");
        for (file, read) in changeset.files.iter().zip(answers) {
            self.add(&mut found, file, read);
        }
        Ok(found.finish())
    }

    /// Files with lines that the patch does not hold in full are worth asking
    /// for.
    fn question(&self, changeset: &Changeset<'_>, file: &FilePatch<'_>) -> Question {
        if is_submodule(file) || is_said_in_full(file) {
            return Question::default();
        }
        if file.is_binary() {
            return Question {
                old: None,
                new: file.ids.and_then(|(_, new)| blob(new)),
            };
        }
        if let Some((old, new)) = file.ids {
            return Question {
                old: blob(old),
                new: blob(new),
            };
        }
        if let Some(old) = self.ids.old(file.path()) {
            return Question {
                old: blob(old),
                new: None,
            };
        }
        // A rename or a mode without other changes has no ids in the patch.
        let new = match (changeset.commit, &file.new_path) {
            (Some(commit), Some(path)) if file.hunks().is_empty() => at_commit(commit, path),
            _ => None,
        };
        Question { old: None, new }
    }

    /// One process answers: first for the old blobs, then for the new ones of
    /// files whose old blob is not stored.
    fn ask(&mut self, questions: &[Question]) -> anyhow::Result<Vec<Sides>> {
        let olds: Vec<&[u8]> = questions.iter().filter_map(|q| q.old.as_deref()).collect();
        let mut olds = self.repo.blobs(&olds)?.into_iter();
        let mut answers: Vec<Sides> = questions
            .iter()
            .map(|question| Sides {
                old: question.old.as_ref().and_then(|_| olds.next().flatten()),
                new: None,
            })
            .collect();
        let mut open: Vec<(&mut Sides, &[u8])> = answers
            .iter_mut()
            .zip(questions)
            .filter(|(sides, _)| sides.old.is_none())
            .filter_map(|(sides, question)| Some((sides, question.new.as_deref()?)))
            .collect();
        let names: Vec<&[u8]> = open.iter().map(|(_, name)| *name).collect();
        let news = self.repo.blobs(&names)?;
        for ((sides, _), new) in open.iter_mut().zip(news) {
            sides.new = new;
        }
        Ok(answers)
    }

    /// Both versions of a file by their ids; one that is not stored may be the file in
    /// the working tree.
    pub(super) fn both(&mut self, file: &FilePatch<'_>) -> Option<[Option<Vec<u8>>; 2]> {
        let (old, new) = file.ids?;
        let sides = [(old, &file.old_path), (new, &file.new_path)];
        let mut both = [None, None];
        for (found, (id, path)) in both.iter_mut().zip(sides) {
            let (Some(id), Some(path)) = (blob(id), path) else {
                continue;
            };
            let stored = self.repo.blobs(&[&id]).ok()?.pop().flatten();
            *found = stored.or_else(|| {
                let bytes = crate::paths::read(&self.repo.top()?, path).ok()??;
                let fits = self.repo.id_of(&bytes)?.starts_with(&id);
                fits.then_some(bytes)
            });
        }
        Some(both)
    }

    pub(super) fn is_certain(&self) -> bool {
        self.certain
    }

    pub(super) fn repository(&self) -> &Repo {
        &self.repo
    }

    /// Whether the repository holds a file that the patch has in full.
    fn has_any(&mut self, changeset: &Changeset<'_>) -> anyhow::Result<bool> {
        let ids = changeset.files.iter().filter_map(|file| file.ids);
        let mut names = ids.filter_map(|(old, new)| blob(old).or_else(|| blob(new)));
        match names.next() {
            Some(name) => Ok(self.repo.blobs(&[&name])?.iter().any(Option::is_some)),
            None => Ok(false),
        }
    }

    fn add(&self, found: &mut Gathering, file: &FilePatch<'_>, read: Sides) {
        // Nothing in the patch could tell whether binary contents fit.
        if is_submodule(file) || file.is_binary() {
            return found.as_it_is(read);
        }
        let stored = read != Sides::default();
        match settle(file, read) {
            Some(sides) if stored => found.hit(sides),
            Some(sides) => found.as_it_is(sides),
            None if stored => found.miss(file, "the repository holds something else"),
            None => match self.in_working_tree(file) {
                Ok(sides) => {
                    found.note(file, "not stored, so read from the working tree");
                    found.hit(sides);
                }
                Err(why) => found.miss(file, why),
            },
        }
    }

    /// A file that is not stored, as it is in the working tree, if that is
    /// what the patch leads to or starts from.
    fn in_working_tree(&self, file: &FilePatch<'_>) -> Result<Sides, String> {
        const MISSING: &str = "not in the repository";
        // Without hunks anything would fit.
        if !self.certain || file.hunks().is_empty() {
            return Err(MISSING.into());
        }
        let top = self.repo.top().ok_or(MISSING)?;
        let Some(bytes) = crate::paths::read(&top, file.path())? else {
            return Err(MISSING.into());
        };
        // Line ends are the only conversion undone here: filters of the
        // repository are programs of the author of its configuration.
        let unix = without_carriage_returns(&bytes);
        for bytes in [bytes, unix] {
            let (old, new) = (Some(bytes.clone()), Some(bytes));
            let leads_to = settle(file, Sides { old: None, new });
            let fitting = leads_to.or_else(|| settle(file, Sides { old, new: None }));
            if let Some(sides) = fitting {
                return Ok(sides);
            }
        }
        Err("not stored, and the working tree holds something else".into())
    }
}

/// An id as a patch names it, if it is one: hex digits that are not all zero.
/// Anything else would let the patch ask for whatever git understands.
fn blob(id: &[u8]) -> Option<Vec<u8>> {
    let named = id.len() >= 4 && id.iter().all(u8::is_ascii_hexdigit);
    let stored = id.iter().any(|digit| *digit != b'0');
    (named && stored).then(|| id.to_vec())
}

/// A path in a commit, if it fits in one line.
fn at_commit(commit: &[u8], path: &[u8]) -> Option<Vec<u8>> {
    let commit = blob(commit)?;
    let sayable = !path.contains(&b'\n');
    sayable.then(|| [&commit, &b":"[..], path].concat())
}

/// As git stores a text under `core.autocrlf`.
fn without_carriage_returns(bytes: &[u8]) -> Vec<u8> {
    let mut unix = Vec::with_capacity(bytes.len());
    for line in mvdiff_lines::split(bytes) {
        match line.strip_suffix(b"\r\n") {
            Some(line) => unix.extend_from_slice(&[line, b"\n"].concat()),
            None => unix.extend_from_slice(line),
        }
    }
    unix
}
