//! Colours. Nothing is shown by colour alone: marks, arrows and lines of `~` say it
//! too.

use super::Colours;
use super::text::Tone;
use crate::syntax::{Class, SyntaxColours};
use anstyle::{Ansi256Color, AnsiColor, Color, Effects, RgbColor, Style};

/// The mark and styles of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineStyle {
    pub mark: &'static str,
    /// The line.
    pub plain: Style,
    /// The words that changed in it.
    pub strong: Style,
}

impl LineStyle {
    /// Whether the background has a colour, so that blanks are to be seen.
    pub(super) fn is_tinted(&self) -> bool {
        self.plain.get_bg_color().is_some()
    }
}

#[derive(Debug)]
pub(super) struct Palette {
    pub old: LineStyle,
    pub new: LineStyle,
    /// Whether changed words are marked in a line below, for want of colours.
    pub guides: bool,
    moved: Style,
    faint: Style,
    name: Style,
    place: Style,
    syntax: Option<SyntaxColours>,
}

impl Palette {
    pub(super) fn new(colours: Colours, syntax: Option<SyntaxColours>) -> Self {
        let ink = |mark, plain, strong| LineStyle {
            mark,
            plain,
            strong,
        };
        let none = Style::new();
        if colours == Colours::Off {
            return Self {
                old: ink("-", none, none),
                new: ink("+", none, none),
                guides: true,
                moved: none,
                faint: none,
                name: none,
                place: none,
                syntax: None,
            };
        }
        let strong = |style: Style| style.effects(Effects::BOLD | Effects::UNDERLINE);
        let (old, new) = if let Colours::Tinted { dark, rich } = colours {
            let [old, old_words, new, new_words] =
                tints(dark, rich).map(|colour| none.bg_color(Some(colour)));
            (
                ink("-", old, strong(old_words)),
                ink("+", new, strong(new_words)),
            )
        } else {
            let (red, green) = (AnsiColor::Red.on_default(), AnsiColor::Green.on_default());
            (ink("-", red, strong(red)), ink("+", green, strong(green)))
        };
        let moved = match colours {
            // Cyan can hardly be read on white.
            Colours::Tinted { dark: false, .. } => AnsiColor::Blue,
            _ => AnsiColor::Cyan,
        };
        Self {
            old,
            new,
            guides: false,
            moved: moved.on_default().effects(Effects::BOLD),
            faint: none.effects(Effects::DIMMED),
            name: none.effects(Effects::BOLD),
            place: none.effects(Effects::DIMMED | Effects::ITALIC),
            // Words in red or green have a colour already.
            syntax: syntax.filter(|_| matches!(colours, Colours::Tinted { .. })),
        }
    }

    /// How a word of a line looks: the colour of its class, on the tint of its line.
    pub(super) fn word(&self, tone: Tone, class: Class, ink: Option<&LineStyle>) -> Style {
        let style = self.style(tone, ink);
        let Some(syntax) = self
            .syntax
            .filter(|_| matches!(tone, Tone::Plain | Tone::Strong))
        else {
            return style;
        };
        let word = syntax.style(class);
        match word.get_fg_color() {
            None => style,
            colour => style
                .fg_color(colour)
                .effects(style.get_effects() | word.get_effects()),
        }
    }

    /// How a stretch of text looks, in a line of this ink if any.
    pub(super) fn style(&self, tone: Tone, ink: Option<&LineStyle>) -> Style {
        let base = ink.map_or_else(Style::new, |ink| ink.plain);
        match tone {
            Tone::Plain => base,
            Tone::Strong => ink.map_or(self.name, |ink| ink.strong),
            Tone::Faint if ink.is_some_and(LineStyle::is_tinted) => {
                base.effects(self.faint.get_effects())
            }
            Tone::Faint => self.faint,
            Tone::Moved => self.moved,
            Tone::Name => self.name,
            Tone::Place => self.place,
        }
    }
}

/// Old, old words, new, new words.
fn tints(dark: bool, rich: bool) -> [Color; 4] {
    let rgb = |[red, green, blue]: [u8; 3]| Color::from(RgbColor(red, green, blue));
    let table = |index: u8| Color::from(Ansi256Color(index));
    match (dark, rich) {
        (true, true) => [[60, 22, 26], [122, 38, 44], [18, 50, 30], [28, 98, 52]].map(rgb),
        (true, false) => [52, 88, 22, 28].map(table),
        (false, true) => [
            [253, 232, 232],
            [246, 186, 186],
            [228, 246, 231],
            [166, 224, 178],
        ]
        .map(rgb),
        (false, false) => [224, 217, 194, 157].map(table),
    }
}
