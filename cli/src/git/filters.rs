//! Clean filters: programs that git runs on files of the working tree before
//! it compares them; and the programs that check signatures of commits, which
//! `log.showSignature` or a format of the repository's may ask for.
//!
//! Those of the user's or the system's configuration stay, such as that of
//! large file storage. What the repository configures for itself is somebody
//! else's program and is not run; files are then compared as they are.

use super::repo::{Repo, complaint, os_string, output};
use anyhow::bail;
use std::collections::BTreeMap;
use std::process::Command;

/// Keys that name programs. An extension of large file storage is run by its filter.
const KEYS: &str = r"^((filter|lfs\.extension)\..*|gpg\.(.*\.)?program)$";

/// Makes `git` run with no filter that the repository itself configures.
pub(super) fn neutralise(repo: &Repo, git: &mut Command) -> anyhow::Result<()> {
    let mut list = repo.command();
    list.args(["config", "-z", "--show-scope", "--get-regexp", KEYS]);
    let answer = output(&mut list)?;
    match answer.status.code() {
        // There is none.
        Some(1) => return Ok(()),
        Some(0) => {}
        _ => bail!(
            "git: {}; version 2.26 or newer is needed",
            complaint(&answer)
        ),
    }
    for (key, value) in overrides(&answer.stdout)? {
        let setting = os_string([&key, &b"="[..], value].concat())?;
        git.arg("-c").arg(setting);
    }
    Ok(())
}

/// The keys that the repository sets, with the value they have without it.
fn overrides(listed: &[u8]) -> anyhow::Result<BTreeMap<Vec<u8>, &[u8]>> {
    let mut trusted: BTreeMap<&[u8], &[u8]> = BTreeMap::new();
    let mut own = Vec::new();
    let mut fields = listed.split(|byte| *byte == 0);
    while let (Some(scope), Some(entry)) = (fields.next(), fields.next()) {
        let end = entry.iter().position(|byte| *byte == b'\n');
        let (key, value) = match end {
            Some(end) => (&entry[..end], &entry[end + 1..]),
            // A key without a value is true.
            None => (entry, &b"true"[..]),
        };
        if matches!(scope, b"system" | b"global" | b"command") {
            trusted.insert(key, value);
        } else {
            own.push(key);
        }
    }
    let mut overrides = BTreeMap::new();
    for key in own {
        // On git's command line the name would end there.
        if key.contains(&b'=') {
            let key = String::from_utf8_lossy(key);
            bail!("git: the repository configures {key}, which may run programs; remove it");
        }
        let value = trusted.get(key).copied();
        overrides.insert(key.to_vec(), value.unwrap_or_default());
        if value.is_none() && !key.starts_with(b"gpg.") {
            // What is not run cannot be required to succeed.
            let name = key.rsplitn(2, |byte| *byte == b'.').last();
            let required = [name.unwrap_or_default(), b".required"].concat();
            overrides.insert(required, b"false");
        }
    }
    Ok(overrides)
}

#[cfg(test)]
mod tests {
    use super::overrides;

    fn listed(entries: &[(&str, &str)]) -> Vec<u8> {
        let entry = |(scope, entry): &(&str, &str)| format!("{scope}\0{entry}\0");
        entries.iter().map(entry).collect::<String>().into_bytes()
    }

    fn settings(entries: &[(&str, &str)]) -> Vec<String> {
        let listed = listed(entries);
        let overrides = overrides(&listed).expect("settings");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let setting = |(key, value): (&Vec<u8>, &&[u8])| format!("{}={}", text(key), text(value));
        overrides.iter().map(setting).collect()
    }

    #[test]
    fn what_the_user_configured_is_left_alone() {
        let entries = [("global", "filter.lfs.clean\ngit-lfs clean -- %f")];
        assert_eq!(settings(&entries), [""; 0]);
    }

    #[test]
    fn what_the_repository_configures_is_switched_off() {
        let entries = [
            ("local", "filter.x.y.clean\nprogram"),
            ("worktree", "filter.z.required"),
            ("local", "gpg.ssh.program\nprogram"),
        ];
        let expected = [
            "filter.x.y.clean=",
            "filter.x.y.required=false",
            "filter.z.required=false",
            "gpg.ssh.program=",
        ];
        assert_eq!(settings(&entries), expected);
    }

    #[test]
    fn what_the_repository_overrides_is_put_back() {
        let entries = [
            ("global", "filter.lfs.clean\nmine"),
            ("local", "filter.lfs.clean\ntheirs"),
        ];
        assert_eq!(settings(&entries), ["filter.lfs.clean=mine"]);
    }

    #[test]
    fn a_name_that_cannot_be_said_is_refused() {
        let listed = listed(&[("local", "filter.a=b.clean\nprogram")]);
        assert!(overrides(&listed).is_err());
    }
}
