//! Inputs made from others: bytes, numbers and lines changed, moved and mixed.

use crate::corpus::Corpus;
use crate::random::Random;
use serde_json::Value;

/// No input is longer. Most are much shorter, since a law that is broken is nearly always
/// broken by a short input, too, and those take less time.
const LONGEST: usize = 32 << 10;

/// Bytes that mean something to one reader or another.
const BYTES: &[u8] = b"\n\r\t \0\"'\\/.,:;#@+-=[]{}<>0159aAzZ\x1b\x7f\x80\x9b\xc2\xff";

/// Numbers at which counts go wrong.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "9",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967294",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "-1",
    "1e9",
    "0.5",
];

/// An input, made from one or two seeds by some changes.
#[must_use]
pub fn input(corpus: &Corpus, random: &mut Random) -> Vec<u8> {
    let longest = if random.one_in(16) {
        LONGEST
    } else {
        corpus.longest
    };
    let mut input = seed(corpus, random, longest);
    if !random.one_in(4)
        && let Some(other) = json(&input, random)
    {
        return other;
    }
    if random.one_in(4) {
        let other = seed(corpus, random, longest);
        let cut = random.below(input.len() + 1);
        let from = random.below(other.len() + 1);
        input.truncate(cut);
        input.extend_from_slice(&other[from..]);
    }
    for _ in 0..=random.below(8) {
        change(&mut input, corpus, random);
    }
    input.truncate(LONGEST);
    input
}

/// A seed; of a long one the beginning, or some lines from its midst.
fn seed(corpus: &Corpus, random: &mut Random, longest: usize) -> Vec<u8> {
    let Some(seed) = random.pick(&corpus.seeds) else {
        return Vec::new();
    };
    if seed.len() <= longest {
        return seed.clone();
    }
    let start = if random.one_in(2) {
        0
    } else {
        line_start(seed, random.below(seed.len()))
    };
    seed[start..seed.len().min(start + longest)].to_vec()
}

fn change(input: &mut Vec<u8>, corpus: &Corpus, random: &mut Random) {
    let at = random.below(input.len() + 1);
    match random.below(12) {
        0 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => input.insert(at, BYTES[random.below(BYTES.len())]),
        2 => {
            let end = (at + 1 + random.below(8)).min(input.len());
            input.drain(at.min(end)..end);
        }
        3 => {
            let end = (at + 1 + random.below(64)).min(input.len());
            let piece = input[at.min(end)..end].to_vec();
            let to = random.below(input.len() + 1);
            input.splice(to..to, piece);
        }
        4 | 5 => number(input, random),
        6 => {
            let line = random.pick(&corpus.lines).cloned().unwrap_or_default();
            let to = line_start(input, at);
            input.splice(to..to, line);
        }
        _ => lines(input, random),
    }
}

fn line_start(input: &[u8], at: usize) -> usize {
    let before = input[..at].iter().rposition(|byte| *byte == b'\n');
    before.map_or(0, |newline| newline + 1)
}

/// Puts another number in the place of one.
fn number(input: &mut Vec<u8>, random: &mut Random) {
    let from = random.below(input.len() + 1);
    let Some(start) = input[from..].iter().position(u8::is_ascii_digit) else {
        return;
    };
    let start = from + start;
    let digits = input[start..].iter().take_while(|b| b.is_ascii_digit());
    let end = start + digits.count();
    if let Some(number) = random.pick(NUMBERS) {
        input.splice(start..end, number.bytes());
    }
}

/// Removes, repeats, moves, indents or swaps lines.
fn lines(input: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<Vec<u8>> = input
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    if lines.is_empty() {
        return;
    }
    let first = random.below(lines.len());
    let count = 1 + random.below(6.min(lines.len() - first));
    match random.below(5) {
        0 => drop(lines.drain(first..first + count)),
        1 => {
            let block = lines[first..first + count].to_vec();
            lines.splice(first..first, block);
        }
        2 => {
            let block: Vec<Vec<u8>> = lines.drain(first..first + count).collect();
            let to = random.below(lines.len() + 1);
            lines.splice(to..to, block);
        }
        3 => {
            for line in &mut lines[first..first + count] {
                line.splice(0..0, *b"    ");
            }
        }
        _ => {
            let other = random.below(lines.len());
            lines.swap(first, other);
        }
    }
    *input = lines.concat();
}

/// JSON with some of its values replaced, removed, repeated or moved: bytes that change at
/// random hardly ever leave it JSON.
fn json(input: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    // Rows have a value each.
    let mut values = serde_json::Deserializer::from_slice(input)
        .into_iter()
        .collect::<Result<Vec<Value>, _>>()
        .ok()?;
    if !values
        .iter()
        .any(|value| value.is_object() || value.is_array())
    {
        return None;
    }
    for _ in 0..=random.below(4) {
        let at = random.below(values.len());
        alter(&mut values[at], random);
    }
    let rows: Vec<String> = values.iter().map(Value::to_string).collect();
    Some(rows.join("\n").into_bytes())
}

/// Alters a value somewhere inside of another.
fn alter(value: &mut Value, random: &mut Random) {
    let deeper = !random.one_in(5);
    match value {
        Value::Array(items) if deeper && !items.is_empty() => {
            let at = random.below(items.len());
            alter(&mut items[at], random);
        }
        Value::Object(fields) if deeper && !fields.is_empty() => {
            let at = random.below(fields.len());
            if let Some(field) = fields.values_mut().nth(at) {
                alter(field, random);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let (at, to) = (random.below(items.len()), random.below(items.len()));
            match random.below(3) {
                0 => drop(items.remove(at)),
                1 => items.insert(to, items[at].clone()),
                _ => items.swap(at, to),
            }
        }
        Value::Object(fields) if !fields.is_empty() => {
            let at = random.below(fields.len());
            let key = fields.keys().nth(at).cloned().unwrap_or_default();
            fields.remove(&key);
        }
        Value::Number(number) => {
            let near = number.as_i64().unwrap_or_default();
            *value = match random.below(4) {
                0 => near.saturating_add(1).into(),
                1 => near.saturating_sub(1).into(),
                2 => random.below(12).into(),
                _ => {
                    let other = random.pick(NUMBERS).copied().unwrap_or("0");
                    serde_json::from_str(other).unwrap_or_default()
                }
            };
        }
        Value::String(text) => {
            let mut bytes = std::mem::take(text).into_bytes();
            let at = random.below(bytes.len() + 1);
            bytes.insert(at, BYTES[random.below(BYTES.len())]);
            *text = String::from_utf8_lossy(&bytes).into_owned();
        }
        Value::Bool(flag) => *flag = !*flag,
        _ => {
            *value = [Value::Null, 1.into(), "a".into(), Value::Array(Vec::new())][random.below(4)]
                .clone();
        }
    }
}
