//! Cases in folders next to a manifest, answered by the adapter of their family.

use super::{edit, grid, lines, text};
use crate::paths;
use mvdiff_files::Found;
use mvdiff_metrics::eval::{Case, RunError, Runner, Texts};
use std::path::{Component, Path, PathBuf};

/// `FAMILY/CASE/` below one folder.
pub(super) struct Fixtures {
    root: PathBuf,
}

impl Fixtures {
    /// The folders next to a manifest.
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
            anyhow::bail!("{case}: not a valid folder name");
        }
        // A link in place of the folder would lead out of it as well.
        let below = [family, case].join("/");
        let (path, found) =
            paths::below(root, below.as_bytes()).map_err(|why| anyhow::anyhow!("{case}: {why}"))?;
        if found == Found::Link {
            anyhow::bail!("{case}: is a symlink, which is not followed");
        }
        Ok(Self(path))
    }

    /// Where a file or folder of the case is.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Where a file is that the manifest names, if it is one of the case: no way
    /// leads out of its folder, not even a link.
    pub(super) fn named(&self, name: &str) -> anyhow::Result<PathBuf> {
        let outside = |why: String| anyhow::anyhow!("{name}: {why}; name a file of the case");
        let (path, found) = paths::below(&self.0, name.as_bytes()).map_err(outside)?;
        if found == Found::Link {
            return Err(outside("is a symlink, which is not followed".into()));
        }
        Ok(path)
    }

    /// A file of the case.
    pub(super) fn read(&self, name: &str) -> anyhow::Result<Vec<u8>> {
        crate::input::read(&self.named(name)?)
    }

    /// The truth about the case.
    pub(super) fn truth<T: serde::de::DeserializeOwned>(&self) -> anyhow::Result<T> {
        let path = self.path("expect.json");
        serde_json::from_slice(&self.read("expect.json")?)
            .map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
    }
}
