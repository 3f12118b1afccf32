//! Colours of token classes: our own, or those of a theme.

use super::Class;
use anstyle::{Ansi256Color, Color, Effects, RgbColor, Style};
use syntect::highlighting::{FontStyle, Highlighter, Theme};
use syntect::parsing::Scope;
use two_face::theme::EmbeddedLazyThemeSet;

/// How code is coloured: a style for each [`Class`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxColours([Style; Class::ALL.len()]);

/// For a dark background, in the order of [`Class::ALL`]; the first is the terminal's.
const DARK: [Option<[u8; 3]>; 13] = [
    None,
    Some([139, 148, 158]),
    Some([165, 214, 255]),
    Some([121, 192, 255]),
    Some([121, 192, 255]),
    Some([255, 123, 114]),
    Some([255, 155, 148]),
    Some([210, 168, 255]),
    Some([255, 186, 120]),
    Some([255, 210, 160]),
    Some([126, 231, 135]),
    Some([121, 192, 255]),
    Some([121, 192, 255]),
];

/// For a light background.
const LIGHT: [Option<[u8; 3]>; 13] = [
    None,
    Some([87, 96, 106]),
    Some([10, 48, 105]),
    Some([5, 80, 174]),
    Some([5, 80, 174]),
    Some([170, 20, 40]),
    Some([150, 30, 40]),
    Some([102, 57, 186]),
    Some([149, 56, 0]),
    Some([130, 60, 10]),
    Some([17, 99, 41]),
    Some([5, 80, 174]),
    Some([5, 80, 174]),
];

impl SyntaxColours {
    /// Our own colours, which can be read on our tints.
    #[must_use]
    pub fn standard(dark: bool, rich: bool) -> Self {
        let table = if dark { DARK } else { LIGHT };
        let style = |colour: Option<[u8; 3]>| match colour {
            None => Style::new(),
            Some([r, g, b]) => Style::new().fg_color(Some(shown(RgbColor(r, g, b), rich))),
        };
        Self(table.map(style))
    }

    /// The colours of a theme; `None` if there is none of that name, which is taken
    /// without case.
    #[must_use]
    pub fn of_theme(name: &str, rich: bool) -> Option<Self> {
        let all = EmbeddedLazyThemeSet::theme_names();
        let found = all
            .iter()
            .find(|theme| theme.as_name().eq_ignore_ascii_case(name))?;
        Some(Self::of(two_face::theme::extra().get(*found), rich))
    }

    /// The themes there are.
    #[must_use]
    pub fn themes() -> Vec<&'static str> {
        let all = EmbeddedLazyThemeSet::theme_names();
        all.iter().map(|theme| theme.as_name()).collect()
    }

    fn of(theme: &Theme, rich: bool) -> Self {
        let highlighter = Highlighter::new(theme);
        let plain = theme.settings.foreground;
        let style = |class: Class| {
            let scopes: Vec<Scope> = Scope::new(class.example()).into_iter().collect();
            let style = highlighter.style_for_stack(&scopes);
            // What a theme does not colour stays as the terminal has it.
            let colour = Some(style.foreground).filter(|colour| Some(*colour) != plain);
            let colour = colour.map(|c| shown(RgbColor(c.r, c.g, c.b), rich));
            let mut effects = Effects::new();
            effects = effects.set(Effects::BOLD, style.font_style.contains(FontStyle::BOLD));
            effects = effects.set(
                Effects::ITALIC,
                style.font_style.contains(FontStyle::ITALIC),
            );
            Style::new().fg_color(colour).effects(effects)
        };
        Self(Class::ALL.map(style))
    }

    pub(crate) fn style(&self, class: Class) -> Style {
        self.0[class as usize]
    }
}

/// A colour as a terminal can show it: in 24 bits, or the nearest of the table of 256.
fn shown(colour: RgbColor, rich: bool) -> Color {
    if rich {
        return colour.into();
    }
    Ansi256Color(nearest(colour)).into()
}

/// The nearest colour of the cube of 6 x 6 x 6, or of the greys.
fn nearest(RgbColor(red, green, blue): RgbColor) -> u8 {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let far = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    let step = |value: u8| (0..6u8).min_by_key(|at| far(STEPS[usize::from(*at)], value));
    let [r, g, b] = [red, green, blue].map(|value| step(value).unwrap_or(0));
    let at = |index: u8| STEPS[usize::from(index)];
    let cube = far(at(r), red) + far(at(g), green) + far(at(b), blue);
    let grey = (0..24u8).map(|index| {
        let value = 8 + 10 * index;
        (
            far(value, red) + far(value, green) + far(value, blue),
            232 + index,
        )
    });
    match grey.min() {
        Some((distance, index)) if distance < cube => index,
        _ => 16 + 36 * r + 6 * g + b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_the_table_are_their_own_nearest() {
        assert_eq!(nearest(RgbColor(255, 0, 0)), 196);
        assert_eq!(nearest(RgbColor(0, 0, 0)), 16);
        assert_eq!(nearest(RgbColor(8, 8, 8)), 232);
        assert_eq!(nearest(RgbColor(128, 128, 128)), 244);
    }

    #[test]
    fn themes_are_found_without_case() {
        assert!(SyntaxColours::of_theme("monokai extended", true).is_some());
        assert!(SyntaxColours::of_theme("none such", true).is_none());
        for name in SyntaxColours::themes() {
            assert!(SyntaxColours::of_theme(name, false).is_some(), "{name}");
        }
    }
}
