//! `mvdiff effective` as a user meets it: patches, contents, streams, formats.

mod contents;
mod output;
mod page;
mod streams;
mod trouble;

use crate::support::{Ran, Repo, lines};

impl Repo {
    /// `mvdiff effective` on a patch, outside any repository.
    fn effective(&self, args: &[&str], patch: &[u8]) -> Ran {
        self.effective_in("..", args, patch)
    }

    fn effective_in(&self, dir: &str, args: &[&str], patch: &[u8]) -> Ran {
        let args = [&["effective"], args].concat();
        self.run(&self.path(dir), &args, patch, &[])
    }

    /// `mvdiff effective --format json` on a patch, outside any repository.
    #[track_caller]
    fn report(&self, args: &[&str], patch: &[u8]) -> serde_json::Value {
        self.effective(&[&["--format", "json"], args].concat(), patch)
            .json()
    }
}
