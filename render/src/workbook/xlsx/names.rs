//! Valid sheet names.

use std::collections::HashSet;

/// Characters of a name, counted as spreadsheet programs do, in UTF-16.
const LONGEST: usize = 31;

/// Gives names out, none of them twice.
#[derive(Default)]
pub(crate) struct SheetNames {
    taken: HashSet<String>,
}

impl SheetNames {
    /// A name like this one that a workbook can have and that is still free.
    pub(crate) fn take(&mut self, wanted: &str) -> String {
        let clean: String = wanted
            .chars()
            .map(|c| match c {
                '[' | ']' | ':' | '*' | '?' | '/' | '\\' => '_',
                c if crate::styles::is_hidden(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => '_',
                c => c,
            })
            .collect();
        let clean = clean.trim_matches('\'');
        let clean = match clean {
            // A name that programs keep for themselves.
            "" => "Sheet",
            name if name.eq_ignore_ascii_case("history") => "History_",
            name => name,
        };
        let mut name = cut(clean, "");
        let mut count = 1;
        while !self.taken.insert(name.to_lowercase()) {
            count += 1;
            name = cut(clean, &format!(" ({count})"));
        }
        name
    }
}

/// As much of the name as fits before what is put behind it.
fn cut(name: &str, behind: &str) -> String {
    let mut left = LONGEST - behind.len();
    let fits = name.chars().take_while(|c| {
        let fits = c.len_utf16() <= left;
        left = left.saturating_sub(c.len_utf16());
        fits
    });
    let name: String = fits.collect();
    format!("{}{behind}", name.trim_end_matches('\''))
}

#[cfg(test)]
mod tests {
    use super::SheetNames;

    #[test]
    fn names_fit_and_differ() {
        let mut names = SheetNames::default();
        assert_eq!(names.take("Data"), "Data");
        assert_eq!(names.take("DATA"), "DATA (2)");
        assert_eq!(names.take("'a/b'"), "a_b");
        assert_eq!(names.take(""), "Sheet");
        assert_eq!(names.take("history"), "History_");
        assert_eq!(names.take("x\u{202e}y\u{7}"), "x_y_");
        let long = "é".repeat(40);
        assert_eq!(names.take(&long).chars().count(), 31);
        assert_eq!(names.take(&long), format!("{} (2)", "é".repeat(27)));
        let wide = names.take(&"\u{1f600}".repeat(20));
        assert_eq!(wide.chars().count(), 15);
    }
}
