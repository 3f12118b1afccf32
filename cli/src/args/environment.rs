//! Options that the environment may give.

use crate::config;
use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, Command, Parser};
use std::ffi::OsString;

/// The command line, with what the environment says where the words say nothing. A
/// variable that is empty is not set.
pub(crate) fn parse<P: Parser>(words: Vec<OsString>) -> Result<P, clap::Error> {
    let is_empty = |arg: &Arg| arg.get_env().is_some_and(|name| value_of(name).is_empty());
    parse_as(with_settings(P::command()), words, &is_empty)
}

/// The command line alone.
pub(crate) fn parse_alone<P: Parser>(words: Vec<OsString>) -> Result<P, clap::Error> {
    parse_as(P::command(), words, &|_| true)
}

/// Where a wrong value comes from that was not typed: the variable that says
/// it.
pub(crate) fn culprit(error: &clap::Error) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let option = text(ContextKind::InvalidArg)?;
    let value = text(ContextKind::InvalidValue)?;
    let name = option
        .split([' ', '=', '['])
        .next()?
        .trim_start_matches('-');
    let variable = format!("MVDIFF_{}", name.replace('-', "_").to_uppercase());
    let is_said = std::env::var(&variable).is_ok_and(|said| said == value);
    let typed = std::env::args_os().any(|word| {
        let word = word.to_string_lossy();
        word == value || word.ends_with(&format!("={value}"))
    });
    if typed {
        return None;
    }
    let setting = config::for_option(name).filter(|setting| setting.value == value);
    let said = is_said.then_some(variable);
    said.or_else(|| setting.map(|setting| setting.source.clone()))
}

/// Whether an option for reading takes a value, and what is wrong if it does not.
pub(crate) fn check_setting(name: &str, value: &str) -> Result<(), String> {
    #[derive(Parser)]
    struct Reading {
        #[command(flatten)]
        _screen: super::ScreenArgs,
    }
    if config::SWITCHES.contains(&name) {
        return Ok(()); // Switches, whose values are known.
    }
    let words = ["mvdiff".into(), format!("--{name}={value}").into()];
    match parse_alone::<Reading>(words.into()) {
        Ok(_) => Ok(()),
        Err(error) => Err(crate::misuse(&error)),
    }
}

/// A command whose options have the values that are set as their defaults.
fn with_settings(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let setting = arg.get_long().and_then(config::for_option);
        match setting {
            Some(_) if matches!(arg.get_action(), ArgAction::SetTrue) => arg.default_value("true"),
            // It lives as long as the program.
            Some(setting) => arg.default_value(setting.value.as_str()),
            None => arg,
        }
    });
    command.mut_subcommands(with_settings)
}

fn parse_as<P: Parser>(
    command: Command,
    words: Vec<OsString>,
    unset: &dyn Fn(&Arg) -> bool,
) -> Result<P, clap::Error> {
    let mut command = without(command, unset);
    let mut matches = command.try_get_matches_from_mut(words)?;
    P::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

fn value_of(name: &std::ffi::OsStr) -> OsString {
    std::env::var_os(name).unwrap_or_default()
}

/// A command that does not look at some variables.
fn without(command: Command, unset: &dyn Fn(&Arg) -> bool) -> Command {
    let command = command.mut_args(|arg| {
        if arg.get_env().is_some() && unset(&arg) {
            arg.env(Resettable::Reset)
        } else {
            arg
        }
    });
    command.mut_subcommands(|command| without(command, unset))
}
