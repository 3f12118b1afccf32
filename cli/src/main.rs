//! `mvdiff`: the diff that knows what moved. Arguments, files, exit codes.

mod apply;
mod args;
mod brief;
mod config;
mod contents;
mod diff;
mod effective;
mod eval;
mod file_kind;
mod git;
mod input;
mod man;
mod mcp;
mod merge;
mod non_text;
mod output;
mod page;
mod pager;
mod paths;
mod progress;
mod replay;
mod score;
mod screen;
mod signals;
mod spinner;
mod textconv;
mod tree;
mod workbook;

use args::{Args, Command};
use clap::CommandFactory as _;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

/// Same meaning as diff(1): 0 equal, 1 different, 2 trouble.
const TROUBLE: u8 = 2;

fn run(command: Command) -> anyhow::Result<u8> {
    match command {
        Command::Apply(args) => apply::run(&args),
        Command::Mcp(args) => mcp::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Effective(args) => effective::run(&args),
        Command::Git(args) => git::run(args),
        Command::Pager(args) => pager::run(args),
        Command::Config => config::run(),
        Command::Replay(args) => replay::run(&args),
        Command::Score(args) => score::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Textconv(args) => textconv::run(&args),
        Command::Man { command, out } => man::run(command.as_deref(), out.as_deref()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "mvdiff", &mut script);
            let print = |out: &mut dyn io::Write| out.write_all(&script);
            output::to_stdout(false, output::Content::Bytes, Box::new(print))?;
            Ok(0)
        }
    }
}

fn main() -> ExitCode {
    let words = words();
    let ran = if let Some(call) = git::driver::Call::of(&words) {
        call.run()
    } else {
        let args = match parse(words.clone()) {
            Ok(args) => args,
            Err(error) => {
                let code = refuse(&error);
                if is_pager(&words) && is_setting(&error) {
                    // What git prints must not be lost over a setting.
                    let _ = io::copy(&mut io::stdin().lock(), &mut io::stdout().lock());
                }
                return code;
            }
        };
        args.color.write_global();
        run(args.command)
    };
    match ran {
        Ok(code) => code.into(),
        Err(error) if is_broken_pipe(&error) => 0.into(),
        Err(error) => {
            let message = output::visible(&without_numbers(&format!("{error:#}")));
            let _ = writeln!(io::stderr(), "mvdiff: {message}");
            TROUBLE.into()
        }
    }
}

/// Whether the command line can only be that of a pager: no command, and something
/// comes in on standard input.
fn is_pager(words: &[OsString]) -> bool {
    let is_option = |word: &OsString| word.as_encoded_bytes().starts_with(b"-");
    let named = words.get(1).filter(|word| !is_option(word));
    named.is_none_or(|word| word == "pager") && !io::stdin().is_terminal()
}

/// Whether a setting is wrong and not the command line.
fn is_setting(error: &clap::Error) -> bool {
    error.kind() == ErrorKind::Io || args::culprit(error).is_some()
}

/// Whether there is no command, and something comes in on standard input.
fn is_for_the_pager(error: &clap::Error, words: &[OsString]) -> bool {
    let no_command = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => true,
        // An option of the pager, or an unknown one.
        ErrorKind::UnknownArgument => words
            .get(1)
            .is_some_and(|word| word.as_encoded_bytes().starts_with(b"-")),
        _ => false,
    };
    no_command && !io::stdin().is_terminal()
}

/// Understands the command line; two files and no command are to be compared, and what
/// is piped in is shown.
fn parse(mut words: Vec<OsString>) -> Result<Args, clap::Error> {
    if config::matters(&words)
        && let Err(error) = config::load()
    {
        let message = without_numbers(&format!("{error:#}"));
        return Err(clap::Error::raw(ErrorKind::Io, format!("{message}\n")));
    }
    if let Some(why) =
        config::refused().filter(|_| words.get(1).is_none_or(|word| word != "config"))
    {
        let why = output::visible(&without_numbers(why));
        let _ = writeln!(
            io::stderr(),
            "mvdiff: note: {why}; nothing of the file holds"
        );
    }
    let parsed = args::parse(words.clone());
    if let Err(error) = &parsed
        && is_for_the_pager(error, &words)
    {
        words.insert(1, "pager".into());
        return args::parse(words);
    }
    match (&parsed, &words[..]) {
        (Err(error), [_, old, new])
            if error.kind() == ErrorKind::InvalidSubcommand
                && [old, new].iter().all(|file| Path::new(file).exists()) =>
        {
            words.insert(1, "diff".into());
            args::parse(words)
        }
        _ => parsed,
    }
}

/// The command line. Called `git-mvdiff`, as git calls it for `git mvdiff`, the
/// program is `mvdiff git`.
fn words() -> Vec<OsString> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    let called = words.first().map(Path::new).and_then(Path::file_stem);
    if called.is_some_and(|name| name == "git-mvdiff") {
        words.insert(1, "git".into());
    }
    as_git_has_them(words)
}

/// Words of git that clap has no place for: `mvdiff git diff` is what `mvdiff git` does,
/// and `-3` is a count of commits.
fn as_git_has_them(mut words: Vec<OsString>) -> Vec<OsString> {
    if words.get(1).is_none_or(|word| word != "git") {
        return words;
    }
    match words.get(2).and_then(|word| word.to_str()) {
        Some("diff") => _ = words.remove(2),
        Some("log") => {
            let options = words.iter_mut().skip(3).take_while(|word| *word != "--");
            for word in options {
                let count = word.to_str().and_then(|word| word.strip_prefix('-'));
                let is_count = |digits: &&str| {
                    digits
                        .parse::<u32>()
                        .is_ok_and(|_| !digits.starts_with('+'))
                };
                if let Some(count) = count.filter(is_count) {
                    *word = format!("-n{count}").into();
                }
            }
        }
        _ => {}
    }
    words
}

/// Help and version as clap prints them; misuse as one line, like all trouble.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return match error.print() {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let message = without_numbers(&format!("{}: {error}", output::STDOUT));
                let _ = writeln!(io::stderr(), "mvdiff: {message}");
                TROUBLE.into()
            }
            _ => 0.into(),
        };
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return TROUBLE.into();
    }
    let what = output::visible(&misuse(error));
    let advice = if error.kind() == ErrorKind::Io || what.ends_with('?') {
        ""
    } else {
        "; try --help"
    };
    let _ = writeln!(io::stderr(), "mvdiff: {what}{advice}");
    TROUBLE.into()
}

/// What is wrong with a command line, in one line.
pub(crate) fn misuse(error: &clap::Error) -> String {
    let rendered = error.render().to_string();
    let paragraphs: Vec<&str> = rendered.split("\n\n").collect();
    let first = paragraphs.first().copied().unwrap_or_default();
    let what: Vec<&str> = first.lines().map(str::trim).collect();
    let what = what.join(" ");
    let what = what.strip_prefix("error: ").unwrap_or(&what);
    let mut what = what
        .replace("invalid digit found in string", "must be a whole number")
        .replace(
            "cannot parse integer from empty string",
            "must be a whole number",
        )
        .replace("number too large to fit in target type", "is too large");
    if let Some(source) = args::culprit(error) {
        what = format!("{what} (from {source})");
    }
    what = in_words(&what);
    let near = similar(&paragraphs).filter(|name| is_like(error, name));
    if let Some(name) = near
        .or_else(|| command_like(error))
        .or_else(|| of_all(error))
    {
        return format!("{what}; did you mean {name}?");
    }
    if let Some(option) = unknown_option(error)
        && let Some(command) = command_of_git(&rendered)
    {
        what = format!("{what}; if git has it: git {command} {option} | mvdiff");
    }
    what
}

/// The command of git that `mvdiff git` was to be, by what its usage says.
fn command_of_git(rendered: &str) -> Option<&'static str> {
    let usage = rendered.lines().find(|line| line.starts_with("Usage: "))?;
    let (_, behind) = usage.split_once(" git ")?;
    let word = behind.split(' ').next();
    let named = ["show", "log"].into_iter().find(|name| word == Some(name));
    Some(named.unwrap_or("diff"))
}

/// A range as people say it: clap has `5 is not in 20..=10000`.
fn in_words(what: &str) -> String {
    let range = || {
        let (before, behind) = what.split_once(" is not in ")?;
        let (first, rest) = behind.split_once("..=")?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (last, rest) = rest.split_at(digits);
        let (before, _) = before.rsplit_once(": ")?;
        Some(format!("{before}: must be from {first} to {last}{rest}"))
    };
    range().unwrap_or_else(|| what.to_owned())
}

/// Whether an option that clap suggests is one that could have been meant. A value or a
/// command is one of few, and always could.
fn is_like(error: &clap::Error, name: &str) -> bool {
    match unknown_option(error) {
        Some(given) => {
            let given = given.split('=').next().unwrap_or_default();
            strsim::damerau_levenshtein(given, name) <= 1 + name.len() / 4
        }
        None => true,
    }
}

/// Options that every command has, and clap does not suggest.
fn of_all(error: &clap::Error) -> Option<String> {
    let given = unknown_option(error)?;
    let is_near = |name: &&str| strsim::damerau_levenshtein(name, &given) <= 2;
    let near = ["--help", "--version", "--color"]
        .into_iter()
        .find(is_near)?;
    Some(near.to_owned())
}

fn unknown_option(error: &clap::Error) -> Option<String> {
    use clap::error::{ContextKind, ContextValue};
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    match error.get(ContextKind::InvalidArg)? {
        ContextValue::String(given) => Some(given.clone()),
        _ => None,
    }
}

/// A command of nearly that name: letters in another order, or one or two wrong ones.
fn command_like(error: &clap::Error) -> Option<String> {
    use clap::error::{ContextKind, ContextValue};
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let command = Args::command();
    let near = command.get_subcommands().map(|command| {
        let distance = strsim::damerau_levenshtein(command.get_name(), name);
        (distance, command.get_name().to_owned())
    });
    let (distance, name) = near.min()?;
    (distance <= 2 && distance < name.len()).then_some(name)
}

/// What clap suggests instead.
fn similar(paragraphs: &[&str]) -> Option<String> {
    let mut lines = paragraphs.iter().flat_map(|text| text.lines());
    let tip = lines.find(|line| line.contains("tip: ") && line.contains("similar"))?;
    let (_, behind) = tip.split_once('\'')?;
    behind.split_once('\'').map(|(name, _)| name.to_owned())
}

/// A message without the numbers that the system gives its errors.
fn without_numbers(message: &str) -> String {
    let mut rest = message;
    let mut clean = String::new();
    while let Some((before, behind)) = rest.split_once(" (os error ") {
        clean.push_str(before);
        rest = behind.split_once(')').map_or("", |(_, rest)| rest);
    }
    clean + rest
}

/// `mvdiff … | head` ends quietly.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        let direct = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let of_json = || cause.downcast_ref::<serde_json::Error>()?.io_error_kind();
        direct.or_else(of_json)
    };
    error
        .chain()
        .any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}
