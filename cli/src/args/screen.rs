//! Options of the output for reading.

use clap::{Args, ValueEnum};
use mvdiff_render::SyntaxColours;

/// How the output for reading is laid out and coloured.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Display options")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct ScreenArgs {
    /// One column or two [default: two on a terminal of 120 columns or more, if lines fit]
    #[arg(
        long,
        value_enum,
        value_name = "LAYOUT",
        env = "MVDIFF_LAYOUT",
        hide_env_values = true
    )]
    pub layout: Option<LayoutArg>,
    /// The same as --layout side-by-side
    #[arg(short = 'y', long)]
    pub side_by_side: bool,
    /// Width of the output [default: COLUMNS, or the width of the terminal]
    #[arg(
        short = 'W',
        long,
        value_name = "N",
        env = "MVDIFF_WIDTH",
        hide_env_values = true,
        value_parser = clap::value_parser!(u16).range(20..=10_000)
    )]
    pub width: Option<u16>,
    /// Width of a tab
    #[arg(
        long,
        value_name = "N",
        env = "MVDIFF_TABS",
        hide_env_values = true,
        default_value_t = 4,
        value_parser = clap::value_parser!(u8).range(1..=32)
    )]
    pub tabs: u8,
    /// The terminal's background, for tinted lines
    #[arg(
        long,
        value_enum,
        value_name = "THEME",
        env = "MVDIFF_THEME",
        hide_env_values = true,
        default_value_t = ThemeArg::Auto
    )]
    pub theme: ThemeArg,
    /// Theme for syntax highlighting; an unknown name lists all themes
    #[arg(
        long,
        value_name = "NAME",
        env = "MVDIFF_SYNTAX_THEME",
        hide_env_values = true,
        value_parser = syntax_theme
    )]
    pub syntax_theme: Option<String>,
    /// Do not highlight syntax
    #[arg(long)]
    pub no_syntax: bool,
    /// Show all lines of moved blocks, not only edited ones
    #[arg(long)]
    pub show_moved: bool,
    /// Turn file names and line numbers into links (OSC 8): file, vscode, cursor, zed,
    /// idea, or a URL with {path} and {line}
    #[arg(
        long,
        value_name = "SCHEME",
        env = "MVDIFF_HYPERLINKS",
        hide_env_values = true,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "file",
        value_parser = link_scheme
    )]
    pub hyperlinks: Option<String>,
    #[arg(
        long,
        help = "Do not use a pager [default pager: $MVDIFF_PAGER, else $PAGER, else less]"
    )]
    pub no_pager: bool,
}

/// A theme there is.
fn syntax_theme(name: &str) -> Result<String, String> {
    let themes = SyntaxColours::themes();
    if themes.iter().any(|theme| theme.eq_ignore_ascii_case(name)) {
        return Ok(name.to_owned());
    }
    let distance = |theme: &&&str| {
        strsim::damerau_levenshtein(&theme.to_ascii_lowercase(), &name.to_ascii_lowercase())
    };
    let near = themes.iter().min_by_key(distance);
    let near = near.filter(|theme| distance(theme) <= 2);
    let hint = near
        .map(|theme| format!("did you mean {theme}? "))
        .unwrap_or_default();
    Err(format!("{hint}available themes: {}", themes.join(", ")))
}

/// A scheme that is known, or an address of one's own.
fn link_scheme(scheme: &str) -> Result<String, String> {
    let known = ["file", "vscode", "cursor", "zed", "idea"];
    let is_printable = scheme.chars().all(|c| c.is_ascii_graphic());
    if known.contains(&scheme) || (is_printable && scheme.contains("{path}")) {
        return Ok(scheme.to_owned());
    }
    Err(format!(
        "must be {}, or a URL with {{path}}",
        known.join(", ")
    ))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutArg {
    /// Two columns on a terminal of 120 columns or more, for files whose lines fit; else one
    Auto,
    /// Old lines above new ones
    Unified,
    /// Old lines on the left, new ones on the right
    SideBySide,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeArg {
    /// Ask COLORFGBG or the terminal; plain if neither answers
    Auto,
    /// Tints for a light background
    Light,
    /// Tints for a dark background
    Dark,
    /// No tints: the terminal's own red and green
    Plain,
}
