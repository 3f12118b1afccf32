//! Finds the function or section that encloses a line, for hunk headings.

use regex::bytes::Regex;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

/// How definitions look in a language.
pub(crate) struct Rule {
    is: Regex,
    is_not: Option<Regex>,
    /// Whether a definition holds until the next one, whatever the indentation.
    flat: bool,
    /// Whether the language is known.
    pub(crate) is_known: bool,
}

/// Endings or names of files; what a definition looks like; what looks like one and is
/// none; whether sections follow each other without being indented.
type Language = (&'static [&'static str], &'static str, &'static str, bool);

/// Words before brackets that define nothing.
const NOT_A_CALL: &str = r"^\s*(?:if|else|elif|for|foreach|while|switch|case|catch|return|do|try|finally|with|using|lock|match|throw|new|await|yield|assert|when|default|sizeof|super|this)\b|;\s*$";

const LANGUAGES: &[Language] = &[
    (
        &["py", "pyi", "pyx", "pxd"],
        r"^\s*(?:async\s+def|def|class|cdef|cpdef)\s+\w",
        "",
        false,
    ),
    (
        &["rs"],
        r#"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:default|const|async|unsafe|extern(?:\s+"[^"]*")?)\s+)*(?:fn|struct|enum|union|trait|impl|mod|macro_rules!|type)\b"#,
        r";\s*$",
        false,
    ),
    (&["go"], r"^\s*(?:func|type)\b", "", false),
    (
        &[
            "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte",
        ],
        r"^\s*(?:(?:export|default|declare|abstract|async|static|public|private|protected|override|readonly|get|set)\s+)*(?:function\b|(?:class|interface|enum|namespace|module)\s+\w|type\s+\w+.*=|(?:const|let|var)\s+[\w$]+\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\(.*=>|\([^)]*$|[\w$]+\s*=>)|\*?\s*[#\w$]+\s*\([^;]*\)[^;=()]*\{\s*$|(?:describe|it|test)\()",
        r"^\s*(?:if|else|for|while|switch|catch|return|do|try|with|await|throw|new)\b",
        false,
    ),
    (
        &[
            "java", "cs", "kt", "kts", "scala", "swift", "dart", "groovy", "gradle",
        ],
        r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|private|protected|internal|static|final|abstract|synchronized|native|default|sealed|override|virtual|async|partial|readonly|unsafe|open|data|suspend|inline|implicit|case|mutating|fileprivate|extern|external|operator)\s+)*(?:(?:class|interface|enum|record|struct|namespace|object|trait|fun|func|def|extension|protocol|init|mixin)\b|[\w<>\[\],.?&]+(?:\s+[\w<>\[\],.?&]+)*\s+\w+\s*(?:<[^>]*>)?\s*\([^;]*$)",
        NOT_A_CALL,
        false,
    ),
    (
        &[
            "c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "m", "mm", "cu", "ino", "glsl",
        ],
        r"^(?:[A-Za-z_~][^;]*|[A-Za-z_].*\{\s*.*)$|^\s+(?:class|struct|enum|union|namespace)\s+\w[^;]*$",
        r"^\s*(?:public|private|protected|\w+)\s*:\s*(?:$|/[/*])|^(?:#|using\b|extern \x22C\x22|typedef\b[^{]*$|return\b|goto\b|else\b|if\b|for\b|while\b|switch\b|case\b)",
        false,
    ),
    (
        &["rb", "rake", "gemspec"],
        r"^\s*(?:class|module|def)\s+\S",
        "",
        false,
    ),
    (
        &["php"],
        r"^\s*(?:(?:public|protected|private|static|abstract|final|readonly)\s+)*(?:function|class|interface|trait|enum|namespace)\b",
        "",
        false,
    ),
    (
        &["sh", "bash", "zsh", "ksh", "fish"],
        r"^\s*(?:function\s+[\w:.-]+|[\w:.-]+\s*\(\s*\))",
        "",
        false,
    ),
    (
        &["lua"],
        r"^\s*(?:local\s+)?(?:function\b|[\w.:]+\s*=\s*function\b)",
        "",
        false,
    ),
    (&["pl", "pm", "t"], r"^\s*(?:sub|package)\s+\w", "", false),
    (&["ex", "exs"], r"^\s*(?:def\w*|test|describe)\b", "", false),
    (
        &["hs"],
        r"^(?:[a-z_]\w*\s*::|(?:data|class|instance|type|newtype|module)\b)",
        "",
        true,
    ),
    (
        &["clj", "cljs", "cljc", "el", "lisp", "lsp", "scm", "rkt"],
        r"^\s*\(def",
        "",
        true,
    ),
    (
        &["jl"],
        r"^\s*(?:@\w+\s+)*(?:function|macro|(?:mutable\s+)?struct|module|abstract)\b",
        "",
        false,
    ),
    (
        &["zig"],
        r"^\s*(?:(?:pub|export|inline|extern)\s+)*(?:fn\b|test\b|const\s+\w+\s*=\s*(?:struct|enum|union))",
        "",
        false,
    ),
    (
        &["ml", "mli", "fs", "fsx"],
        r"^\s*(?:let|type|module|and|val)\s",
        "",
        false,
    ),
    (
        &["r", "R"],
        r"^\s*[\w.]+\s*(?:<-|=)\s*function\b",
        "",
        false,
    ),
    (&["sql"], r"(?i)^\s*(?:create|alter)\s", "", true),
    (&["proto"], r"^\s*(?:message|service|enum|rpc)\s", "", false),
    (&["tf", "hcl", "nix"], r"^\s*[\w.-]+.*\{\s*$", "", false),
    (
        &["css", "scss", "sass", "less"],
        r"^\s*[^\s/*].*\{\s*$",
        "",
        false,
    ),
    (&["md", "markdown", "mdx"], r"^#{1,6}\s", "", true),
    (
        &["tex", "sty"],
        r"^\s*\\(?:part|chapter|(?:sub)*section|(?:sub)?paragraph)\b",
        "",
        true,
    ),
    (
        &["ini", "cfg", "toml", "conf", "service"],
        r"^\s*\[.+\]",
        "",
        true,
    ),
    (
        &["yml", "yaml"],
        r#"^\s*(?:- )?[\w"'./-]+:\s*(?:[|>].*)?$"#,
        "",
        false,
    ),
    (
        &["json", "jsonc", "json5"],
        r#"^\s*"[^"]*"\s*:\s*[\[{]\s*$"#,
        "",
        false,
    ),
    (
        &["html", "htm", "xhtml"],
        r"(?i)^\s*<(?:h[1-6]|section|main|article|template)\b",
        "",
        false,
    ),
    (
        &["Makefile", "makefile", "GNUmakefile", "mk"],
        r"^[\w.%$()/-][^=]*:(?:[^=]|$)",
        "",
        true,
    ),
    (&["Dockerfile"], r"(?i)^FROM\s", "", true),
];

/// What git takes for a definition where it does not know the language.
const ANY: &str = r"^[A-Za-z_$]";

impl Rule {
    /// The rule for a file of this name. Rules live as long as the program: there are
    /// few, and each is made once.
    pub(crate) fn of(name: &str) -> &'static Self {
        static RULES: OnceLock<Mutex<HashMap<usize, &'static Rule>>> = OnceLock::new();
        let file = name.rsplit('/').next().unwrap_or(name);
        let ending = file.rsplit_once('.').map_or(file, |(_, ending)| ending);
        let found = LANGUAGES
            .iter()
            .position(|language| language.0.contains(&ending) || language.0.contains(&file));
        let at = found.unwrap_or(usize::MAX);
        let mut rules = RULES
            .get_or_init(Mutex::default)
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        rules.entry(at).or_insert_with(|| {
            let (_, is, is_not, flat) = LANGUAGES.get(at).copied().unwrap_or((&[], ANY, "", true));
            Box::leak(Box::new(Self {
                is_known: found.is_some(),
                ..Self::new(is, is_not, flat)
            }))
        })
    }

    fn new(is: &str, is_not: &str, flat: bool) -> Self {
        // A pattern that is wrong is found by a test, and matches nothing here.
        let regex = |pattern: &str| Regex::new(pattern).ok();
        Self {
            is: regex(is)
                .or_else(|| regex(r"[^\s\S]"))
                .unwrap_or_else(|| unreachable!("an empty class is a pattern")),
            is_not: Some(is_not).filter(|not| !not.is_empty()).and_then(regex),
            flat,
            is_known: false,
        }
    }

    /// Whether a line begins a function, a type or a section.
    pub(crate) fn defines(&self, line: &[u8]) -> bool {
        let line = line.trim_ascii_end();
        let start = &line[..line.len().min(LONGEST)];
        self.is.is_match(start) && !self.is_not.as_ref().is_some_and(|not| not.is_match(start))
    }

    /// The nearest definition above a line that holds it: `above` are the lines before
    /// it, the nearest first.
    pub(crate) fn enclosing<'l>(
        &self,
        inside: &[u8],
        above: impl Iterator<Item = &'l [u8]>,
    ) -> Option<&'l [u8]> {
        let mut depth = if self.flat {
            usize::MAX
        } else {
            indentation(inside)
        };
        for line in above.take(FARTHEST) {
            let text = line.trim_ascii();
            if text.is_empty() {
                continue;
            }
            let here = indentation(line);
            let is_outside = self.flat || here < depth;
            if is_outside && self.defines(line) {
                return Some(text);
            }
            if self.flat || !is_outside {
                continue;
            }
            // A statement further to the left ends deeper ones; at the very left,
            // brackets, directives and labels do not.
            if here > 0 {
                // The end of a list of parameters is as far left as the function.
                depth = here + usize::from(text[0] == b')');
            } else if text[0].is_ascii_alphanumeric() && !is_label(text) {
                return None;
            }
        }
        None
    }
}

/// Lines that are looked at above a hunk.
const FARTHEST: usize = 2000;
/// Bytes of a line that are looked at.
const LONGEST: usize = 300;

fn is_label(text: &[u8]) -> bool {
    let name = text.strip_suffix(b":").unwrap_or_default();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    !name.is_empty() && name.iter().all(is_word) && name != b"else" && name != b"try"
}

fn indentation(line: &[u8]) -> usize {
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    blanks.map(|byte| if *byte == b'\t' { 8 } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        for (names, is, is_not, _) in LANGUAGES {
            assert!(Regex::new(is).is_ok(), "{names:?}");
            assert!(Regex::new(is_not).is_ok(), "{names:?}");
        }
    }

    fn defines(name: &str, line: &str) -> bool {
        Rule::of(name).defines(line.as_bytes())
    }

    #[test]
    fn definitions_are_told_from_calls() {
        for (name, line) in [
            ("a.py", "    async def total(self):"),
            ("a.rs", "    pub(crate) async fn total(&self) -> u32 {"),
            ("a.rs", "impl<T> Sum for Total<T> {"),
            ("a.go", "func (t *Total) Sum() int {"),
            (
                "a.ts",
                "  private async total(items: Item[]): Promise<number> {",
            ),
            ("a.ts", "export const total = (items) => {"),
            ("a.tsx", "export default function App() {"),
            (
                "A.java",
                "  public static <T> List<T> total(List<T> items) {",
            ),
            ("a.cs", "    internal sealed class Total"),
            ("a.kt", "  override fun total(): Int {"),
            ("a.c", "static int total(struct item *items)"),
            ("a.cpp", "Total::Total(int n) : n_(n) {"),
            ("a.rb", "  def total"),
            (
                "a.php",
                "    public static function total(array $items): int",
            ),
            ("a.sh", "total() {"),
            ("a.md", "## Totals"),
            ("a.toml", "[package]"),
            ("Makefile", "total: items"),
            ("x/Dockerfile", "FROM debian"),
            ("a.css", ".total > li {"),
            ("unknown", "Total"),
        ] {
            assert!(defines(name, line), "{name}: {line}");
        }
        for (name, line) in [
            ("a.py", "    total(self)"),
            ("a.rs", "    total(&items);"),
            ("a.ts", "    if (total) {"),
            ("a.ts", "    total(items);"),
            ("A.java", "    return total(items)"),
            ("a.c", "\ttotal(items);"),
            ("a.c", "out:"),
            ("a.sh", "total \"$@\""),
            ("a.md", "# no"),
        ] {
            let is_heading = name == "a.md";
            assert_eq!(defines(name, line), is_heading, "{name}: {line}");
        }
    }

    fn enclosing(name: &str, text: &str) -> Option<String> {
        let lines: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
        let (inside, above) = lines.split_last()?;
        let found = Rule::of(name).enclosing(inside, above.iter().rev().copied());
        found.map(|line| String::from_utf8_lossy(line).into_owned())
    }

    #[test]
    fn a_function_ends_where_the_next_line_stands_further_left() {
        let class = "class A:\n    def one(self):\n        return 1\n\n    x = 2";
        assert_eq!(enclosing("a.py", class).as_deref(), Some("class A:"));
        let inner = "class A:\n    def one(self):\n        y = 1\n        x = 2";
        assert_eq!(enclosing("a.py", inner).as_deref(), Some("def one(self):"));
        assert_eq!(enclosing("a.py", "def f():\n    pass\nx = 2"), None);
        assert_eq!(
            enclosing("a.py", "def f():\n    pass\nif x:\n    y()"),
            None
        );
        let main = "int main(void)\n{\n\tint a;\n\tif (a) {\n\t\tx();";
        assert_eq!(enclosing("a.c", main).as_deref(), Some("int main(void)"));
        let wrapped =
            "impl A {\n    fn one(\n        a: u32,\n    ) -> u32 {\n        let b = a;\n        b";
        assert_eq!(enclosing("a.rs", wrapped).as_deref(), Some("fn one("));
        let method =
            "class A:\n    def one(\n        self,\n    ):\n        if self:\n            x = 2";
        assert_eq!(enclosing("a.py", method).as_deref(), Some("def one("));
        let md = "# One\ntext\n\nmore";
        assert_eq!(enclosing("a.md", md).as_deref(), Some("# One"));
    }
}
