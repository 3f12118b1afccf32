//! What can be said about the output for reading.

use clap::{Args, ValueEnum};

/// How the output for reading is laid out and coloured.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options for reading")]
pub(crate) struct ScreenArgs {
    /// One column or two [default: two from 120 columns on]
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
    /// Columns to use [default: COLUMNS, or those of the terminal]
    #[arg(
        short = 'W',
        long,
        value_name = "N",
        env = "MVDIFF_WIDTH",
        hide_env_values = true,
        value_parser = clap::value_parser!(u16).range(20..=10_000)
    )]
    pub width: Option<u16>,
    /// Columns from one tab stop to the next
    #[arg(
        long,
        value_name = "N",
        env = "MVDIFF_TABS",
        hide_env_values = true,
        default_value_t = 4,
        value_parser = clap::value_parser!(u8).range(1..=32)
    )]
    pub tabs: u8,
    /// What the terminal's background is like, for tinted lines
    #[arg(
        long,
        value_enum,
        value_name = "THEME",
        env = "MVDIFF_THEME",
        hide_env_values = true,
        default_value_t = ThemeArg::Auto
    )]
    pub theme: ThemeArg,
    #[arg(
        long,
        help = "Do not use a pager: $MVDIFF_PAGER, else $PAGER, else less"
    )]
    pub no_pager: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutArg {
    /// Two columns from 120 on, else one
    Auto,
    /// Old lines above new ones
    Unified,
    /// Old lines on the left, new ones on the right
    SideBySide,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeArg {
    /// As COLORFGBG says, where the terminal sets it; else plain
    Auto,
    /// Tints for a light background
    Light,
    /// Tints for a dark background
    Dark,
    /// No tints: the terminal's own red and green
    Plain,
}
