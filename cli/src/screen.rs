//! How to print on this terminal: how wide it is, and which
//! colours it has.

use crate::args::{LayoutArg, ScreenArgs, ThemeArg};
use mvdiff_render::{Colours, Layout, Screen, SyntaxColours};
use std::env;
use std::io::{self, IsTerminal as _};
use std::path::Path;

/// Whether people read what goes to standard output: on a terminal, or through git's
/// pager.
pub(crate) fn is_read_by_people() -> bool {
    io::stdout().is_terminal() || is_under_gits_pager() || is_coloured()
}

/// Whether colours are asked for, whatever standard output is: programs do not read
/// them.
pub(crate) fn is_coloured() -> bool {
    matches!(
        anstream::ColorChoice::global(),
        anstream::ColorChoice::Always | anstream::ColorChoice::AlwaysAnsi
    )
}

fn is_under_gits_pager() -> bool {
    let pager = env::var_os("GIT_PAGER_IN_USE");
    pager.is_some_and(|value| value == "true" || value == "1")
}

/// Prints colours through git's pager, which passes them on, unless an option or
/// variable turns them off.
pub(crate) fn colour_for_gits_pager() {
    if !io::stdout().is_terminal() && is_under_gits_pager() {
        colour_unless_said();
    }
}

/// Has colours printed wherever they go, unless something was said about them.
pub(crate) fn colour_unless_said() {
    let unsaid = anstream::ColorChoice::global() == anstream::ColorChoice::Auto;
    let none = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if unsaid && !none {
        anstream::ColorChoice::Always.write_global();
    }
}

/// Columns from which on two columns are the better choice.
const WIDE: u16 = 120;

/// How to print for reading, to a file or to standard output.
pub(crate) fn screen(args: &ScreenArgs, output: Option<&Path>) -> Screen {
    let width = args.width.or_else(|| columns(output));
    let layout = match args.layout.unwrap_or(LayoutArg::Auto) {
        _ if args.side_by_side => Layout::SideBySide,
        LayoutArg::SideBySide => Layout::SideBySide,
        LayoutArg::Auto if width.is_some_and(|width| width >= WIDE) => Layout::Fitting,
        LayoutArg::Auto | LayoutArg::Unified => Layout::Unified,
    };
    let colours = colours(args.theme, output);
    Screen {
        layout,
        width,
        tabs: args.tabs,
        colours,
        syntax: syntax(args, colours),
        show_moved: args.show_moved,
        git_headings: crate::config::has_own_headings(),
        links: args
            .hyperlinks
            .as_deref()
            .map(links)
            .filter(|_| colours != Colours::Off),
        ..Screen::default()
    }
}

/// How code is coloured: only on tints, for elsewhere lines have the colours.
fn syntax(args: &ScreenArgs, colours: Colours) -> Option<SyntaxColours> {
    let Colours::Tinted { dark, rich } = colours else {
        return None;
    };
    if args.no_syntax {
        return None;
    }
    let theme = args.syntax_theme.as_deref();
    let theme = theme.and_then(|name| SyntaxColours::of_theme(name, rich));
    Some(theme.unwrap_or_else(|| SyntaxColours::standard(dark, rich)))
}

/// Where links lead: a file of the working tree and a line of it.
fn links(scheme: &str) -> &'static str {
    let template = match scheme {
        "file" => "file://{root}/{path}",
        "vscode" => "vscode://file{root}/{path}:{line}",
        "cursor" => "cursor://file{root}/{path}:{line}",
        "zed" => "zed://file{root}/{path}:{line}",
        "idea" => "idea://open?file={root}/{path}&line={line}",
        other => other,
    };
    let root = env::current_dir().unwrap_or_default();
    let top = root.ancestors().find(|folder| folder.join(".git").exists());
    let root = mvdiff_render::link_path(&top.unwrap_or(&root).to_string_lossy());
    // One for the whole run.
    Box::leak(template.replace("{root}", &root).into_boxed_str())
}

/// The width in the order in which git looks for it: what the environment says (git
/// does, for what it runs under its pager), then the terminal. A file has none.
pub(crate) fn columns(output: Option<&Path>) -> Option<u16> {
    if output.is_some() {
        return None;
    }
    let said = env::var("COLUMNS").ok().and_then(|said| said.parse().ok());
    let said = said.filter(|columns| *columns > 0);
    said.or_else(|| {
        let size = terminal_size::terminal_size_of(io::stdout())?;
        Some(size.0.0).filter(|columns| *columns > 0)
    })
}

fn colours(theme: ThemeArg, output: Option<&Path>) -> Colours {
    let wanted = match output {
        Some(_) => anstream::ColorChoice::global() == anstream::ColorChoice::Always,
        None => anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never,
    };
    let rich = env::var("COLORTERM").is_ok_and(|term| term == "truecolor" || term == "24bit");
    let tinted = |dark| Colours::Tinted { dark, rich };
    match theme {
        _ if !wanted => Colours::Off,
        ThemeArg::Dark => tinted(true),
        ThemeArg::Light => tinted(false),
        ThemeArg::Plain => Colours::Plain,
        ThemeArg::Auto if !(rich || has_a_table()) => Colours::Plain,
        ThemeArg::Auto => match is_dark().or_else(answers_dark) {
            Some(dark) => tinted(dark),
            None => Colours::Plain,
        },
    }
}

/// Whether the terminal knows 256 colours.
fn has_a_table() -> bool {
    env::var("TERM").is_ok_and(|term| term.contains("256color"))
}

/// What terminals that set `COLORFGBG` say of their background: its number in the
/// table of sixteen.
fn is_dark() -> Option<bool> {
    let said = env::var("COLORFGBG").ok()?;
    let background: u8 = said.rsplit(';').next()?.parse().ok()?;
    match background {
        0..=6 | 8 => Some(true),
        7 | 9..=15 => Some(false),
        _ => None,
    }
}

/// What the terminal answers when it is asked for its background (OSC 11). Some that
/// programs pretend to be never answer, so the wait is short.
fn answers_dark() -> Option<bool> {
    use terminal_colorsaurus::{QueryOptions, background_color};
    if !io::stdout().is_terminal() {
        return None;
    }
    let mut options = QueryOptions::default();
    options.timeout = std::time::Duration::from_millis(200);
    // Some, tmux among them, know their background and not the colour of their text.
    let background = background_color(options).ok()?;
    Some(background.perceived_lightness() < 0.5)
}
