//! The whole files that a changeset is about: from two directories, or from a
//! repository. What does not fit the patch is left out, with a note.

mod dirs;
mod repo;

use crate::git::Repo;
use mvdiff_text::Note;
use mvdiff_text::effective::{Contents, OtherFile, Source};
use mvdiff_text::patch::{Changeset, FilePatch};
use std::path::Path;

pub(crate) use dirs::{Dirs, Other};
pub(crate) use mvdiff_text::effective::Sides;
pub(crate) use repo::Objects;

/// Where contents are taken from.
pub(crate) enum Place {
    Nowhere,
    Dirs(Dirs),
    Repo(Objects),
}

/// The contents of a changeset's files.
#[derive(Default)]
pub(crate) struct Found {
    source: Source,
    files: Vec<Sides>,
    others: Vec<Other>,
    /// Which files were not found as the patch has them, or found elsewhere.
    pub notes: Vec<Note>,
    /// Whether contents were wanted and not had.
    pub degraded: bool,
}

impl Place {
    /// Two directories, before and after.
    pub(crate) fn dirs(old: &Path, new: &Path) -> anyhow::Result<Self> {
        Ok(Self::Dirs(Dirs::new(old, new)?))
    }

    /// The repository around `dir`, which the user named.
    pub(crate) fn repo(dir: &Path) -> anyhow::Result<Self> {
        Ok(Self::Repo(Objects::of(Repo::at(dir)?)))
    }

    /// The repository around the working directory, if there is one and the
    /// patch names objects at all.
    pub(crate) fn around(changesets: &[Changeset<'_>]) -> Self {
        let mut files = changesets.iter().flat_map(|c| &c.files);
        if !files.any(|file| file.ids.is_some()) {
            return Self::Nowhere;
        }
        match Repo::around() {
            Some(repo) => Self::Repo(Objects::if_there(repo)),
            None => Self::Nowhere,
        }
    }

    /// The contents of a changeset's files, and for copies those of the files
    /// around them.
    pub(crate) fn look_up(
        &mut self,
        changeset: &Changeset<'_>,
        copies: bool,
    ) -> anyhow::Result<Found> {
        match self {
            Self::Nowhere => Ok(Found::default()),
            Self::Dirs(dirs) => {
                let mut found = dirs.look_up(changeset);
                if copies && found.source == Source::Dirs {
                    let (others, cut) = dirs.others(changeset);
                    found.others = others;
                    if cut {
                        found.degraded = true;
                        found.notes.push(note(
                            "the old directory is large, so only a part of it was searched for copies"
                                .into(),
                        ));
                    }
                }
                Ok(found)
            }
            Self::Repo(objects) => match objects.look_up(changeset) {
                // It looked like a repository, and git does not take it for one.
                Err(_) if !objects.is_certain() => {
                    *self = Self::Nowhere;
                    Ok(Found::default())
                }
                found => found,
            },
        }
    }
}

impl Place {
    /// Both versions of a file that the patch does not hold, whole, if all that there
    /// were are at hand.
    pub(crate) fn both(&mut self, file: &FilePatch<'_>) -> Option<[Option<Vec<u8>>; 2]> {
        let [old, new] = match self {
            Self::Nowhere => return None,
            Self::Dirs(dirs) => dirs.both(file)?,
            Self::Repo(objects) => objects.both(file)?,
        };
        let is_whole =
            old.is_some() == file.old_path.is_some() && new.is_some() == file.new_path.is_some();
        is_whole.then_some([old, new])
    }

    /// The repository, if that is where contents come from.
    pub(crate) fn repository(&self) -> Option<&Repo> {
        match self {
            Self::Repo(objects) => Some(objects.repository()),
            Self::Nowhere | Self::Dirs(_) => None,
        }
    }
}

impl Found {
    /// As the library takes them.
    pub(crate) fn contents(&self) -> Contents<'_> {
        Contents {
            source: self.source,
            files: self.files.iter().map(Sides::as_contents).collect(),
            others: self
                .others
                .iter()
                .map(|other| OtherFile {
                    path: &other.path,
                    text: &other.text,
                })
                .collect(),
        }
    }
}

/// Contents as they are gathered, file by file.
struct Gathering {
    source: Source,
    /// How the place is called in notes.
    place: &'static str,
    files: Vec<Sides>,
    notes: Vec<Note>,
    /// Files that were looked for and found as the patch has them.
    hits: usize,
    /// The others: path and reason.
    misses: Vec<(String, String)>,
}

/// More files than this are counted in a note, not named.
const NAMED: usize = 10;

impl Gathering {
    fn new(source: Source, place: &'static str) -> Self {
        Self {
            source,
            place,
            files: Vec::new(),
            notes: Vec::new(),
            hits: 0,
            misses: Vec::new(),
        }
    }

    /// A file that needs no looking up, or cannot be.
    fn as_it_is(&mut self, sides: Sides) {
        self.files.push(sides);
    }

    fn hit(&mut self, sides: Sides) {
        self.hits += 1;
        self.files.push(sides);
    }

    fn miss(&mut self, file: &FilePatch<'_>, why: impl Into<String>) {
        self.files.push(Sides::default());
        let path = String::from_utf8_lossy(file.path()).into_owned();
        self.misses.push((path, why.into()));
    }

    fn note(&mut self, file: &FilePatch<'_>, what: &str) {
        let path = String::from_utf8_lossy(file.path());
        self.notes.push(note(format!("{path}: {what}")));
    }

    fn finish(mut self) -> Found {
        let degraded = !self.misses.is_empty();
        if degraded && self.hits == 0 {
            let (path, why) = &self.misses[0];
            let message = format!(
                "no file of the patch was found in {}, so the hunks are all there is ({path}: {why})",
                self.place
            );
            return Found {
                notes: vec![note(message)],
                degraded,
                ..Found::default()
            };
        }
        for (path, why) in self.misses.iter().take(NAMED) {
            let message = format!("{path}: {why}; its hunks are all there is");
            self.notes.push(note(message));
        }
        if self.misses.len() > NAMED {
            let more = self.misses.len() - NAMED;
            let message = format!("{more} more files were not found in {}", self.place);
            self.notes.push(note(message));
        }
        Found {
            source: self.source,
            files: self.files,
            others: Vec::new(),
            notes: self.notes,
            degraded,
        }
    }
}

fn note(message: String) -> Note {
    Note {
        kind: "contents".into(),
        message,
    }
}
