//! Damaged patches, and contents of another version.

use crate::git;
use crate::laws::{Files, hold, left_is_a_patch, true_and_not_taken_back};
use crate::trees::trees;
use mvdiff_text::effective::{Contents, effective};
use mvdiff_text::patch::{FilePatch, parse};
use proptest::prelude::*;

/// Damage to a patch in transit, and contents of another version.
#[derive(Clone, Debug)]
pub enum Damage {
    DropLine(prop::sample::Index),
    TwiceLine(prop::sample::Index),
    Byte(prop::sample::Index, u8),
    Number(prop::sample::Index, &'static str),
    SwapLines(prop::sample::Index, prop::sample::Index),
    Cut(prop::sample::Index),
}

pub fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>;
    let number = prop::sample::select(vec!["0", "1", "4294967295", "7"]);
    prop_oneof![
        1 => at().prop_map(Damage::DropLine),
        1 => at().prop_map(Damage::TwiceLine),
        1 => (at(), prop::sample::select(b"+- \\@\n\r\0a0".to_vec()))
            .prop_map(|(at, byte)| Damage::Byte(at, byte)),
        4 => (at(), number).prop_map(|(at, number)| Damage::Number(at, number)),
        1 => (at(), at()).prop_map(|(a, b)| Damage::SwapLines(a, b)),
        1 => at().prop_map(Damage::Cut),
    ]
}

fn damaged(patch: &[u8], damage: &Damage) -> Vec<u8> {
    if patch.is_empty() {
        return Vec::new();
    }
    let mut lines: Vec<Vec<u8>> = patch
        .split_inclusive(|b| *b == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let count = lines.len();
    match damage {
        Damage::DropLine(at) => drop(lines.remove(at.index(count))),
        Damage::TwiceLine(at) => {
            let line = lines[at.index(count)].clone();
            lines.insert(at.index(count), line);
        }
        Damage::Byte(at, byte) => {
            let mut bytes = patch.to_vec();
            bytes[at.index(patch.len())] = *byte;
            return bytes;
        }
        Damage::Number(at, number) => {
            let numbers: Vec<usize> = (0..count)
                .filter(|i| lines[*i].starts_with(b"@@"))
                .collect();
            if numbers.is_empty() {
                return patch.to_vec();
            }
            let line = &mut lines[*at.get(&numbers)];
            let mut digits = line.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
            let mut changed = digits.next().unwrap_or_default().to_vec();
            digits.next();
            changed.extend(number.as_bytes());
            changed.extend(digits.flatten());
            *line = changed;
        }
        Damage::SwapLines(a, b) => lines.swap(a.index(count), b.index(count)),
        Damage::Cut(at) => return patch[..at.index(patch.len())].to_vec(),
    }
    lines.concat()
}

#[test]
fn damaged_patches_and_contents_of_another_version_are_taken_as_they_are() {
    hold(trees(), &git::WAYS, |case| {
        let whole = parse(case.patch).map_err(|error| error.to_string())?;
        let files = whole.iter().flat_map(|changeset| &changeset.files);
        let heads: Vec<&[u8]> = files.map(|file| file.header).collect();
        let mut patch = case.patch.to_vec();
        for damage in case.damages {
            patch = damaged(&patch, damage);
            let Ok(changesets) = parse(&patch) else {
                continue;
            };
            let right = Files::new(case.trees);
            let wrong = Files {
                old: right.new.clone(),
                new: right.old.clone(),
            };
            for changeset in &changesets {
                let (right, wrong) = (right.contents(changeset), wrong.contents(changeset));
                for contents in [right, wrong, Contents::default()] {
                    let report = effective(changeset, &contents, case.options).unwrap();
                    // These have their own tests.
                    let odd = report.notes.iter().any(|note| note.kind == "hunks");
                    let new_head = |file: &FilePatch<'_>| !heads.contains(&file.header);
                    let odd = odd
                        || !changeset.preamble.is_empty()
                        || changeset.files.iter().any(new_head);
                    let law = if odd {
                        Ok(())
                    } else {
                        true_and_not_taken_back(changeset, &contents, &report)
                    };
                    law.and_then(|()| left_is_a_patch(&report))
                        .map_err(|broken| {
                            let patch = patch.escape_ascii().to_string().replace("\\n", "\n");
                            format!("{broken}\ncontents {:?}\nof\n{patch}", contents.source)
                        })?;
                }
            }
        }
        Ok(())
    });
}
