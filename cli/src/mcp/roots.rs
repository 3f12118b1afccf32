//! Where files may be.

use rmcp::RoleServer;
use rmcp::service::RequestContext;
use std::path::{Path, PathBuf};

/// Directories, without links on their way.
pub(super) struct Roots(Vec<PathBuf>);

impl Roots {
    /// The roots that the client names; those of the command line if it names
    /// none; else the working directory.
    #[expect(
        deprecated,
        reason = "clients name roots until the protocol has something else for it"
    )]
    pub(super) async fn of(own: &[PathBuf], context: &RequestContext<RoleServer>) -> Self {
        let names = context.peer.peer_info();
        let names = names.is_some_and(|info| info.capabilities.roots.is_some());
        if names && let Ok(listed) = context.peer.list_roots().await {
            let paths = listed.roots.iter().filter_map(|root| path(&root.uri));
            let paths: Vec<PathBuf> = paths
                .filter_map(|path| std::fs::canonicalize(path).ok())
                // The command line narrows what a client may ask for.
                .filter(|path| own.is_empty() || own.iter().any(|root| path.starts_with(root)))
                .collect();
            return Self(paths);
        }
        if !own.is_empty() {
            return Self(own.to_vec());
        }
        let here = std::env::current_dir().and_then(std::fs::canonicalize);
        Self(here.into_iter().collect())
    }

    /// The root that is named, or the only one.
    pub(super) fn choose(&self, name: Option<&str>) -> Result<PathBuf, String> {
        let shown = || {
            let roots = self.0.iter().map(|root| root.display().to_string());
            roots.collect::<Vec<_>>().join(", ")
        };
        match (name, &self.0[..]) {
            (_, []) => Err("there is no root; the client names none that exists".into()),
            (None, [only]) => Ok(only.clone()),
            (None, _) => Err(format!("say which root with \"root\": {}", shown())),
            (Some(name), _) => {
                let path = path(name).unwrap_or_else(|| PathBuf::from(name));
                let path = match (path.is_absolute(), &self.0[..]) {
                    (false, [only]) => only.join(path),
                    _ => path,
                };
                let real = std::fs::canonicalize(path).ok();
                let inside = real.filter(|real| self.0.iter().any(|root| real.starts_with(root)));
                inside.ok_or_else(|| format!("{name}: is in none of the roots: {}", shown()))
            }
        }
    }
}

/// A file or directory below a root, links followed.
pub(super) fn below(root: &Path, name: &str) -> Result<PathBuf, String> {
    let real = std::fs::canonicalize(root.join(name));
    let real = real.map_err(|error| format!("{name}: cannot open: {error}"))?;
    if !real.starts_with(root) {
        return Err(format!("{name}: is not below {}", root.display()));
    }
    // What may never end would keep the server from ending, too.
    if !real.is_file() && !real.is_dir() {
        return Err(format!("{name}: is neither a file nor a directory"));
    }
    Ok(real)
}

/// The path of a `file:` URI.
fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let mut bytes = Vec::new();
    let mut rest = rest.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let hex = behind
            .get(..2)
            .and_then(|hex| std::str::from_utf8(hex).ok());
        let code = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        if let Some(code) = code.filter(|_| *first == b'%') {
            bytes.push(code);
            rest = &behind[2..];
        } else {
            bytes.push(*first);
            rest = behind;
        }
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_read_as_paths() {
        assert_eq!(path("file:///a/b%20c"), Some(PathBuf::from("/a/b c")));
        assert_eq!(path("file://localhost/a"), Some(PathBuf::from("/a")));
        assert_eq!(path("https://a"), None);
    }

    #[test]
    fn nothing_outside_of_the_roots_is_taken() {
        let dir = tempfile::tempdir().unwrap();
        let real = dir.path().canonicalize().unwrap();
        std::fs::create_dir_all(real.join("in/sub")).unwrap();
        let roots = Roots(vec![real.join("in")]);
        assert_eq!(roots.choose(None), Ok(real.join("in")));
        assert_eq!(roots.choose(Some("sub")), Ok(real.join("in/sub")));
        assert!(roots.choose(Some("..")).is_err());
        assert!(roots.choose(Some("/")).is_err());
        assert!(below(&real.join("in"), "../in/sub").is_ok());
        assert!(below(&real.join("in"), "..").is_err());
    }
}
