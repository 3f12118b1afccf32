//! Options that the environment may give.

use clap::builder::Resettable;
use clap::{Arg, Command, Parser};
use std::ffi::OsString;

/// The command line, with what the environment says where the words say nothing. A
/// variable that is empty is not set.
pub(crate) fn parse<P: Parser>(words: Vec<OsString>) -> Result<P, clap::Error> {
    let is_empty = |arg: &Arg| arg.get_env().is_some_and(|name| value_of(name).is_empty());
    parse_as(P::command(), words, &is_empty)
}

/// The command line alone.
pub(crate) fn parse_alone<P: Parser>(words: Vec<OsString>) -> Result<P, clap::Error> {
    parse_as(P::command(), words, &|_| true)
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
