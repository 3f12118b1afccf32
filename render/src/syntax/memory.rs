//! Lines that were read before: in changes most lines are there twice or more, and a line
//! that begins in the same state of its grammar is the same code.

use super::class::{Classes, Stack};
use super::{Class, Words, grammars};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::rc::Rc;
use syntect::parsing::{ParseState, SyntaxReference};

/// Bytes of lines that are remembered; beyond them all are forgotten.
const ROOM: usize = 8 << 20;

/// A state of a grammar, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State(u32);

/// Where a grammar is at the end of a line.
#[derive(Clone, PartialEq)]
struct Place {
    state: ParseState,
    stack: Stack,
}

/// A line that was read.
struct Known {
    text: Box<str>,
    words: Words,
    next: State,
}

/// What is known of lines, for the whole run: commits of a log share most of it.
pub(super) struct Memory {
    classes: Classes,
    places: Vec<Place>,
    /// Places that may be the same, by how deep they are.
    by_depth: HashMap<usize, Vec<State>>,
    /// By the state before it and the hash of its text.
    lines: HashMap<(State, u64), Known>,
    hash: BuildHasherDefault<DefaultHasher>,
    room: usize,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::new(Memory::new());
}

/// Uses what is known of lines.
pub(super) fn with<T>(work: impl FnOnce(&mut Memory) -> T) -> T {
    MEMORY.with_borrow_mut(work)
}

impl Memory {
    fn new() -> Self {
        Self {
            classes: Classes::new(),
            places: Vec::new(),
            by_depth: HashMap::new(),
            lines: HashMap::new(),
            hash: BuildHasherDefault::new(),
            room: ROOM,
        }
    }

    /// The state in which a file begins.
    pub(super) fn start(&mut self, language: &SyntaxReference) -> State {
        self.number(Place {
            state: ParseState::new(language),
            stack: Stack::default(),
        })
    }

    /// What the words of a line are, and the state after it; `None` if its grammar fails.
    pub(super) fn read(&mut self, from: State, line: &str) -> Option<(Words, State)> {
        let key = (from, self.hash.hash_one(line));
        if let Some(known) = self.lines.get(&key).filter(|known| &*known.text == line) {
            return Some((known.words.clone(), known.next));
        }
        let (words, place) = self.parse(from, line)?;
        let next = self.number(place);
        if let Some(room) = self.room.checked_sub(line.len()) {
            self.room = room;
        } else {
            self.lines.clear();
            self.room = ROOM;
        }
        let known = Known {
            text: line.into(),
            words: words.clone(),
            next,
        };
        self.lines.insert(key, known);
        Some((words, next))
    }

    fn parse(&mut self, from: State, line: &str) -> Option<(Words, Place)> {
        let mut at = self.places[from.0 as usize].clone();
        let ops = at.state.parse_line(line, grammars()).ok()?;
        let mut words: Vec<(u32, Class)> = Vec::with_capacity(ops.len());
        let mut start = 0;
        for (end, op) in &ops {
            if *end > start {
                push(&mut words, *end, at.stack.class());
                start = *end;
            }
            at.stack.apply(op, &mut self.classes);
        }
        push(&mut words, line.len(), at.stack.class());
        if words.iter().all(|(_, class)| *class == Class::Plain) {
            words.clear();
        }
        Some((Rc::from(words), at))
    }

    /// The number of a place; equal ones have the same.
    fn number(&mut self, place: Place) -> State {
        let alike = self.by_depth.entry(place.stack.depth()).or_default();
        let is_it = |state: &&State| self.places[state.0 as usize] == place;
        if let Some(state) = alike.iter().find(is_it) {
            return *state;
        }
        let state = State(self.places.len() as u32);
        alike.push(state);
        self.places.push(place);
        state
    }
}

fn push(words: &mut Vec<(u32, Class)>, end: usize, class: Class) {
    match words.last_mut() {
        Some(last) if last.1 == class => last.0 = end as u32,
        _ => words.push((end as u32, class)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_the_same_code_only_in_the_same_state() {
        let python = grammars()
            .find_syntax_by_extension("py")
            .expect("a grammar");
        let mut memory = Memory::new();
        let start = memory.start(python);
        let line = "return total\n";
        let (code, after) = memory.read(start, line).expect("Python");
        assert_eq!(memory.read(start, line), Some((code.clone(), after)));
        assert_eq!(memory.lines.len(), 1);
        let (_, inside) = memory.read(start, "text = \"\"\"\n").expect("Python");
        let (text, _) = memory.read(inside, line).expect("Python");
        assert_ne!(code, text);
        let (_, outside) = memory.read(inside, "\"\"\"\n").expect("Python");
        assert_eq!(memory.read(outside, line).expect("Python").0, code);
    }
}
