//! Cases in folders beside a manifest, answered by the adapter of their family.

use super::{edit, grid, lines, text};
use mvdiff_metrics::eval::{Case, RunError, Runner, Texts};
use std::path::{Component, Path, PathBuf};

/// `FAMILY/CASE/` below one folder.
pub(super) struct Fixtures {
    root: PathBuf,
}

impl Fixtures {
    /// The folders beside a manifest.
    pub(super) fn beside(manifest: &Path) -> Self {
        let root = manifest.parent().unwrap_or(Path::new("")).to_owned();
        Self { root }
    }
}

impl Runner for Fixtures {
    /// A family is one arm, and a module that turns the folder of a case into
    /// three texts.
    fn run(&self, family: &str, case: &Case) -> Result<Texts, RunError> {
        let answer: fn(&Folder, &Case) -> anyhow::Result<Texts> = match family {
            "text" => |folder, _| text::answer(folder),
            "lines" => |folder, _| lines::answer(folder),
            "edit" => |folder, _| edit::answer(folder),
            "grid" => grid::answer,
            _ => return Err(RunError::UnknownFamily),
        };
        let folder = Folder::new(&self.root, family, &case.name);
        let texts = folder.and_then(|folder| answer(&folder, case));
        texts.map_err(|error| RunError::Failed(format!("{error:#}")))
    }
}

/// The folder of one case.
pub(super) struct Folder(PathBuf);

impl Folder {
    fn new(root: &Path, family: &str, case: &str) -> anyhow::Result<Self> {
        let plain = |part| matches!(part, Component::Normal(_));
        if !Path::new(case).components().all(plain) {
            anyhow::bail!("{case}: no name of a folder; it would lead elsewhere");
        }
        Ok(Self(root.join(family).join(case)))
    }

    /// Where a file or folder of the case is.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A file of the case.
    pub(super) fn read(&self, name: &str) -> anyhow::Result<Vec<u8>> {
        crate::input::read(&self.path(name))
    }

    /// The truth about the case.
    pub(super) fn truth<T: serde::de::DeserializeOwned>(&self) -> anyhow::Result<T> {
        let path = self.path("expect.json");
        serde_json::from_slice(&self.read("expect.json")?)
            .map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
    }
}
