//! Classes of tokens that have different colours.

use std::collections::HashMap;
use syntect::parsing::{Scope, ScopeStackOp};

/// What a stretch of code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Class {
    /// Names, brackets and the rest.
    Plain,
    /// A comment.
    Comment,
    /// A string.
    Text,
    /// A number.
    Number,
    /// `true`, `None`, an escape in a string.
    Constant,
    /// A keyword.
    Keyword,
    /// An operator.
    Operator,
    /// The name of a function, where it is defined or called.
    Function,
    /// The name of a type.
    Type,
    /// A parameter.
    Parameter,
    /// A tag, or the key of a value in data.
    Tag,
    /// An attribute or decorator.
    Attribute,
    /// A heading.
    Heading,
}

impl Class {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 13] = [
        Self::Plain,
        Self::Comment,
        Self::Text,
        Self::Number,
        Self::Constant,
        Self::Keyword,
        Self::Operator,
        Self::Function,
        Self::Type,
        Self::Parameter,
        Self::Tag,
        Self::Attribute,
        Self::Heading,
    ];

    /// A scope of this class that every theme has a colour for.
    pub(super) fn example(self) -> &'static str {
        match self {
            Self::Plain => "source",
            Self::Comment => "comment.line",
            Self::Text => "string.quoted.double",
            Self::Number => "constant.numeric",
            Self::Constant => "constant.language",
            Self::Keyword => "keyword.control",
            Self::Operator => "keyword.operator",
            Self::Function => "entity.name.function",
            Self::Type => "entity.name.class",
            Self::Parameter => "variable.parameter",
            Self::Tag => "entity.name.tag",
            Self::Attribute => "entity.other.attribute-name",
            Self::Heading => "markup.heading",
        }
    }
}

/// Scopes as grammars name them, the first that fits, and their class. A scope that is
/// not here says nothing, and the one around it does.
const SCOPES: &[(&str, Class)] = &[
    ("comment", Class::Comment),
    ("punctuation.definition.comment", Class::Comment),
    ("constant.character.escape", Class::Constant),
    ("constant.numeric", Class::Number),
    ("constant.other.color", Class::Number),
    ("constant", Class::Constant),
    ("support.constant", Class::Constant),
    ("string.unquoted.plain.out.yaml", Class::Plain),
    ("string", Class::Text),
    ("keyword.operator.word", Class::Keyword),
    ("keyword.operator.logical.python", Class::Keyword),
    ("keyword.operator", Class::Operator),
    ("keyword", Class::Keyword),
    ("storage.type.numeric", Class::Number),
    ("storage", Class::Keyword),
    ("variable.language", Class::Keyword),
    ("variable.parameter", Class::Parameter),
    ("variable.function", Class::Function),
    ("variable.annotation", Class::Attribute),
    ("entity.name.function", Class::Function),
    ("support.function", Class::Function),
    ("support.macro", Class::Function),
    ("entity.name.tag", Class::Tag),
    ("support.type.property-name", Class::Tag),
    ("meta.mapping.key", Class::Tag),
    ("entity.other.attribute-name", Class::Attribute),
    ("entity.other.inherited-class", Class::Type),
    ("entity.name.section", Class::Heading),
    ("markup.heading", Class::Heading),
    ("markup.raw", Class::Text),
    ("entity.name", Class::Type),
    ("support.type", Class::Type),
    ("support.class", Class::Type),
    ("meta.annotation", Class::Attribute),
    ("meta.decorator", Class::Attribute),
    // Code within a string, and where one language begins in another.
    ("meta.interpolation", Class::Plain),
    ("meta.template.expression", Class::Plain),
    ("meta.string.interpolated", Class::Text),
    ("source", Class::Plain),
    ("text", Class::Plain),
];

/// Scopes to classes, each looked up once.
pub(super) struct Classes {
    known: Vec<(Scope, Class)>,
    seen: HashMap<Scope, Option<Class>>,
}

impl Classes {
    pub(super) fn new() -> Self {
        let known = SCOPES.iter().filter_map(|(name, class)| {
            let scope = Scope::new(name).ok()?;
            Some((scope, *class))
        });
        Self {
            known: known.collect(),
            seen: HashMap::new(),
        }
    }

    fn of(&mut self, scope: Scope) -> Option<Class> {
        let known = &self.known;
        *self.seen.entry(scope).or_insert_with(|| {
            let mut fits = known.iter().filter(|(known, _)| known.is_prefix_of(scope));
            fits.next().map(|(_, class)| *class)
        })
    }
}

/// The scopes at a place, and the class of the innermost that has one.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Stack(Vec<(Scope, Class)>);

impl Stack {
    pub(super) fn depth(&self) -> usize {
        self.0.len()
    }

    pub(super) fn class(&self) -> Class {
        self.0.last().map_or(Class::Plain, |(_, class)| *class)
    }

    pub(super) fn apply(&mut self, op: &ScopeStackOp, classes: &mut Classes) {
        match op {
            ScopeStackOp::Push(scope) => {
                let class = classes.of(*scope).unwrap_or_else(|| self.class());
                self.0.push((*scope, class));
            }
            ScopeStackOp::Pop(count) => {
                let left = self.0.len().saturating_sub(*count);
                self.0.truncate(left);
            }
            // Only few grammars clear scopes, and put them back a moment later.
            ScopeStackOp::Clear(_) | ScopeStackOp::Restore | ScopeStackOp::Noop => {}
        }
    }
}
