//! Settings for reading: what git's configuration and two files say, below the command
//! line and the environment.
//!
//! A repository's file may only say what is harmless: nothing in it runs a program or
//! leads a link elsewhere.

use crate::paths;
use anyhow::{Context as _, anyhow, bail};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// A setting: its name, and whether a repository's own file may say it.
struct Key {
    name: &'static str,
    harmless: bool,
}

const fn key(name: &'static str, harmless: bool) -> Key {
    Key { name, harmless }
}

const KEYS: [Key; 10] = [
    key("layout", true),
    key("width", true),
    key("tabs", true),
    key("theme", true),
    key("syntax", true),
    key("syntax-theme", true),
    key("show-moved", true),
    key("show-generated", true),
    key("hyperlinks", false),
    key("pager", false),
];

/// Settings that are on or off.
pub(crate) const SWITCHES: [&str; 3] = ["syntax", "show-moved", "show-generated"];

/// A value and who says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub value: String,
    pub source: String,
}

/// What is set, by name.
pub(crate) type Settings = BTreeMap<&'static str, Setting>;

static SETTINGS: OnceLock<Settings> = OnceLock::new();

/// What is wrong with the repository's file, of which nothing holds then.
static REFUSED: OnceLock<String> = OnceLock::new();

/// The author of a repository's file must not keep people from reading its history, so
/// what is wrong with it is only a remark.
pub(crate) fn refused() -> Option<&'static str> {
    REFUSED.get().map(String::as_str)
}

/// What is set, once it was read.
pub(crate) fn settings() -> Option<&'static Settings> {
    SETTINGS.get()
}

/// Reads all settings, the weakest first: the user's file, the repository's, git's.
pub(crate) fn load() -> anyhow::Result<&'static Settings> {
    if let Some(settings) = SETTINGS.get() {
        return Ok(settings);
    }
    let mut settings = Settings::new();
    if let Some(path) = user_file() {
        read_file(&mut settings, &path, |_| true)?;
    }
    if let Some(path) = repository_file() {
        match of_the_repository(&path) {
            Ok(said) => settings.extend(said),
            Err(error) => _ = REFUSED.set(format!("{error:#}")),
        }
    }
    read_git(&mut settings)?;
    Ok(SETTINGS.get_or_init(|| settings))
}

fn user_file() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let folder = set("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(set("HOME")?).join(".config")));
    Some(folder?.join("mvdiff/config.toml"))
}

/// The file at the top of the working tree around the working directory.
fn repository_file() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let top = here
        .ancestors()
        .find(|folder| folder.join(".git").exists())?;
    Some(top.join(".mvdiff.toml"))
}

/// Bytes beyond which a repository's file is not read.
const LARGEST: u64 = 1 << 16;

/// What the repository's file says, if all of it is right. It came with the repository:
/// a link could lead to what never ends.
fn of_the_repository(path: &Path) -> anyhow::Result<Settings> {
    let mut settings = Settings::new();
    let Ok(found) = path.symlink_metadata() else {
        return Ok(settings);
    };
    let shown = path.display();
    if !found.is_file() || found.len() > LARGEST {
        bail!("{shown}: must be a file of at most {LARGEST} bytes");
    }
    read_file(&mut settings, path, |key| key.harmless)?;
    for (name, setting) in &settings {
        crate::args::check_setting(name, &setting.value)
            .map_err(|why| anyhow!("{shown}: {why}"))?;
    }
    Ok(settings)
}

fn read_file(
    settings: &mut Settings,
    path: &Path,
    may: impl Fn(&Key) -> bool,
) -> anyhow::Result<()> {
    let shown = path.display();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| format!("{shown}: cannot read")),
    };
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error
            .span()
            .map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        anyhow!("{shown}: line {line}: {}", error.message())
    })?;
    for (name, value) in &table {
        let Some(key) = known(name) else {
            bail!("{shown}: {name}: unknown setting{}", similar(name));
        };
        if !may(key) {
            bail!("{shown}: {name}: only your own configuration may set it; remove it");
        }
        let value = match value {
            toml::Value::String(text) => text.clone(),
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Boolean(yes) => yes.to_string(),
            _ => bail!("{shown}: {name}: must be a text, a number, true or false"),
        };
        set(settings, key, value, format!("{shown}"))?;
    }
    Ok(())
}

/// Our own keys, and those that say which lines are heads of functions.
const KEYS_OF_GIT: &str = r"^(mvdiff\..*|diff\..*\.xfuncname)$";

static OWN_HEADINGS: OnceLock<()> = OnceLock::new();

/// Whether git is configured to recognise heads of functions: then git knows
/// better than we do.
pub(crate) fn has_own_headings() -> bool {
    OWN_HEADINGS.get().is_some()
}

/// What git's configuration says under `mvdiff`.
fn read_git(settings: &mut Settings) -> anyhow::Result<()> {
    let mut git = Command::new("git");
    git.args(["config", "-z", "--show-scope", "--get-regexp", KEYS_OF_GIT]);
    git.stdin(Stdio::null()).stderr(Stdio::null());
    // Without git there is nothing that it could say.
    let Ok(answer) = git.output() else {
        return Ok(());
    };
    let text = String::from_utf8_lossy(&answer.stdout);
    let mut fields = text.split('\0');
    while let (Some(scope), Some(entry)) = (fields.next(), fields.next()) {
        let (name, value) = entry.split_once('\n').unwrap_or((entry, "true"));
        let Some(name) = name.strip_prefix("mvdiff.") else {
            OWN_HEADINGS.get_or_init(|| ());
            continue;
        };
        // Others may keep something there, too.
        let Some(key) = known(name) else { continue };
        let own = matches!(scope, "local" | "worktree");
        if own && !key.harmless {
            continue;
        }
        set(
            settings,
            key,
            value.to_owned(),
            format!("git config mvdiff.{name}"),
        )?;
    }
    Ok(())
}

/// A setting of this name, which git has in small letters and without hyphens.
fn known(name: &str) -> Option<&'static Key> {
    let plain = |name: &str| name.replace(['-', '_'], "").to_ascii_lowercase();
    KEYS.iter().find(|key| plain(key.name) == plain(name))
}

fn similar(name: &str) -> String {
    let near = KEYS
        .iter()
        .map(|key| (strsim::jaro(key.name, name), key.name));
    match near.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((similarity, name)) if similarity > 0.7 => format!("; did you mean {name}?"),
        _ => format!("; there are {}", KEYS.map(|key| key.name).join(", ")),
    }
}

fn set(
    settings: &mut Settings,
    key: &'static Key,
    value: String,
    source: String,
) -> anyhow::Result<()> {
    let value = match &value.to_ascii_lowercase()[..] {
        _ if !SWITCHES.contains(&key.name) => value,
        "true" | "yes" | "on" | "1" => "true".to_owned(),
        "false" | "no" | "off" | "0" | "" => "false".to_owned(),
        _ => bail!("{source}: {}: must be true or false", key.name),
    };
    settings.insert(key.name, Setting { value, source });
    Ok(())
}

/// The value of a setting for an option of this name, as the option takes it.
pub(crate) fn for_option(name: &str) -> Option<&'static Setting> {
    let settings = settings()?;
    match name {
        "no-syntax" => settings
            .get("syntax")
            .filter(|setting| setting.value == "false"),
        "show-moved" | "show-generated" => {
            settings.get(name).filter(|setting| setting.value == "true")
        }
        _ => settings.get(name),
    }
}

/// Whether settings matter: people read the answer.
pub(crate) fn matters(words: &[std::ffi::OsString]) -> bool {
    const FOR_READING: [&str; 8] = [
        "pager",
        "config",
        "terminal",
        "always",
        "--color=always",
        "-y",
        "--side-by-side",
        "--format=terminal",
    ];
    let is_for_reading = |word: &std::ffi::OsString| {
        let word = word.to_string_lossy();
        FOR_READING.contains(&&*word)
    };
    io::stdout().is_terminal()
        || std::env::var_os("GIT_PAGER_IN_USE").is_some()
        || words.iter().any(is_for_reading)
}

/// `mvdiff config`: what holds, and who says it.
pub(crate) fn run() -> anyhow::Result<u8> {
    let settings = load()?;
    if let Some(why) = refused() {
        bail!("{why}");
    }
    let mut out = io::stdout().lock();
    for key in &KEYS {
        let variable = format!("MVDIFF_{}", key.name.replace('-', "_").to_uppercase());
        let said = std::env::var(&variable)
            .ok()
            .filter(|said| !said.is_empty());
        let (value, source) = match (said, settings.get(key.name)) {
            (Some(said), _) if !SWITCHES.contains(&key.name) => (said, variable),
            (_, Some(setting)) => (setting.value.clone(), setting.source.clone()),
            _ => (default(key.name).to_owned(), "default".to_owned()),
        };
        let line = format!("{:<14} = {value:<20}  # {source}", key.name);
        writeln!(out, "{}", crate::output::visible(&line))?;
    }
    for (what, path) in [
        ("yours", user_file()),
        ("the repository's", repository_file()),
    ] {
        if let Some(path) = path {
            let there = if path.exists() { "" } else { " (not there)" };
            let path = String::from_utf8_lossy(&paths::bytes(&path)).into_owned();
            writeln!(out, "# {what}: {}{there}", crate::output::visible(&path))?;
        }
    }
    out.flush()?;
    Ok(0)
}

fn default(name: &str) -> &'static str {
    match name {
        "layout" | "theme" => "auto",
        "tabs" => "4",
        "syntax" => "true",
        "show-moved" | "show-generated" => "false",
        "pager" => "less",
        _ => "",
    }
}
