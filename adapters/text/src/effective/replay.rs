//! Old files + recipe = new files, byte for byte.

use super::{RecipeFile, RecipePart};
use crate::replay::Room;
use crate::{Error, Indent, Lines, Text};
use std::collections::BTreeMap;

/// A file that a recipe creates or deletes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// Its path.
    pub path: Vec<u8>,
    /// Its mode, such as `0o100644`, if the recipe specifies it.
    pub mode: Option<u32>,
    /// The old file that it is a version of, if any of its lines were kept. If
    /// the recipe specifies no mode, that file's mode applies.
    pub origin: Option<Vec<u8>>,
    /// Its content; `None` if it is deleted.
    pub bytes: Option<Vec<u8>>,
}

/// Follows a recipe. `old` looks up the bytes of an old file by its path, once
/// per file; its errors are passed on.
///
/// ```
/// use mvdiff_text::effective::{RecipeFile, RecipePart, rebuild};
/// use mvdiff_text::{Error, Text};
/// let text = |text: &str| Text(text.into());
/// let recipe = [RecipeFile {
///     file: text("new"),
///     parts: vec![
///         RecipePart::Kept { kept: (text("old"), 2, 1) },
///         RecipePart::Lines { lines: vec![text("c")] },
///     ],
///     ..RecipeFile::default()
/// }];
/// let new = rebuild(&recipe, |_| Ok::<_, Error>(b"a\nb".to_vec()))?;
/// assert_eq!(new[0].bytes.as_deref(), Some(&b"b\nc\n"[..]));
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::BadRecipe`] if the recipe is inconsistent or takes lines that an old
/// file does not have, [`Error::TooLarge`], or any error of `old`.
pub fn rebuild<E: From<Error>>(
    recipe: &[RecipeFile],
    mut old: impl FnMut(&[u8]) -> Result<Vec<u8>, E>,
) -> Result<Vec<Rebuilt>, E> {
    let mut files: BTreeMap<&[u8], Vec<u8>> = BTreeMap::new();
    let places = recipe.iter().flat_map(|file| &file.parts).filter_map(from);
    for (Text(path), ..) in places {
        if !files.contains_key(&path[..]) {
            files.insert(path, old(path)?);
        }
    }
    let mut lines: BTreeMap<&[u8], Lines<'_>> = BTreeMap::new();
    for (path, bytes) in &files {
        lines.insert(path, Lines::new(bytes)?);
    }
    check_size(recipe, &lines)?;
    let mut made: Vec<&[u8]> = Vec::new();
    let mut rebuilt = Vec::with_capacity(recipe.len());
    for file in recipe {
        rebuilt.push(build(file, &lines)?);
        if !file.deleted {
            made.push(&file.file.0);
        }
    }
    made.sort_unstable();
    match made.windows(2).find(|twins| twins[0] == twins[1]) {
        Some(twins) => Err(bad(twins[0], "the recipe makes the file twice").into()),
        None => Ok(rebuilt),
    }
}

/// Old lines may be used any number of times, so the size of the result is
/// checked before allocating memory for it.
fn check_size(recipe: &[RecipeFile], old: &BTreeMap<&[u8], Lines<'_>>) -> Result<(), Error> {
    let mut room = Room::of(old.values().map(|lines| lines.bytes.len()).sum());
    for part in recipe.iter().flat_map(|file| &file.parts) {
        let indent = match part {
            RecipePart::Moved { indent, .. } | RecipePart::Copied { indent, .. } => indent.as_ref(),
            RecipePart::Kept { .. } | RecipePart::Lines { .. } => None,
        };
        let lines = from(part).and_then(|place| Some((old.get(&place.0.0[..])?, place)));
        let Some((lines, (_, first, count))) = lines else {
            continue;
        };
        let start = (*first as usize).saturating_sub(1).min(lines.len());
        let end = start.saturating_add(*count as usize).min(lines.len());
        room.take(lines.range(start..end).len())?;
        let added = indent.map_or(0, |indent| indent.to.len());
        room.take(added.saturating_mul(end - start))?;
    }
    Ok(())
}

/// The old lines that a part takes.
fn from(part: &RecipePart) -> Option<&(Text, u32, u32)> {
    match part {
        RecipePart::Kept { kept: from }
        | RecipePart::Moved { from, .. }
        | RecipePart::Copied { from, .. } => Some(from),
        RecipePart::Lines { .. } => None,
    }
}

fn bad(file: &[u8], what: impl Into<String>) -> Error {
    Error::BadRecipe {
        file: String::from_utf8_lossy(file).into_owned(),
        what: what.into(),
    }
}

fn build(file: &RecipeFile, old: &BTreeMap<&[u8], Lines<'_>>) -> Result<Rebuilt, Error> {
    let path = &file.file.0;
    let mode = match &file.mode {
        Some(mode) => {
            let octal = u32::from_str_radix(mode, 8);
            Some(octal.map_err(|_| bad(path, format!("{mode:?} is not a file mode in octal")))?)
        }
        None => None,
    };
    let bytes = match file {
        RecipeFile { deleted: true, .. } if file.parts.is_empty() => None,
        RecipeFile { deleted: true, .. } => {
            return Err(bad(path, "the recipe both makes and deletes the file"));
        }
        RecipeFile { binary: true, .. } if file.parts.is_empty() => {
            let what = "the file is binary, and its bytes are not in the report";
            return Err(bad(path, what));
        }
        _ => Some(text(file, old)?),
    };
    let kept = || {
        file.parts.iter().find_map(|part| match part {
            RecipePart::Kept { kept } => Some(&kept.0),
            _ => None,
        })
    };
    let origin = file.origin.as_ref().or_else(kept);
    Ok(Rebuilt {
        path: path.clone(),
        mode,
        origin: origin.map(|Text(path)| path.clone()),
        bytes,
    })
}

/// Joins lines in order, each with a newline, except the last if the file has
/// none.
fn text(file: &RecipeFile, old: &BTreeMap<&[u8], Lines<'_>>) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    for part in &file.parts {
        match part {
            RecipePart::Kept { kept: from } => take(&mut bytes, file, old, from, None)?,
            RecipePart::Moved { from, indent, .. } | RecipePart::Copied { from, indent, .. } => {
                take(&mut bytes, file, old, from, indent.as_ref())?;
            }
            RecipePart::Lines { lines } => {
                for Text(line) in lines {
                    if line.contains(&b'\n') {
                        return Err(bad(&file.file.0, "a line of the recipe is several"));
                    }
                    bytes.extend_from_slice(line);
                    bytes.push(b'\n');
                }
            }
        }
    }
    if file.no_eol {
        bytes.pop();
    }
    Ok(bytes)
}

/// Appends lines of an old file.
fn take(
    bytes: &mut Vec<u8>,
    file: &RecipeFile,
    old: &BTreeMap<&[u8], Lines<'_>>,
    (Text(path), first, count): &(Text, u32, u32),
    indent: Option<&Indent>,
) -> Result<(), Error> {
    let lines = old.get(&path[..]);
    let len = lines.map_or(0, Lines::len);
    let start = (*first as usize).checked_sub(1);
    let end = start.and_then(|start| start.checked_add(*count as usize));
    let range = start
        .zip(end)
        .filter(|&(start, end)| start < end && end <= len);
    let (Some(lines), Some((start, end))) = (lines, range) else {
        let what = format!(
            "the recipe takes {count} lines from line {first} of {}, which has {len}",
            String::from_utf8_lossy(path),
        );
        return Err(bad(&file.file.0, what));
    };
    for line in (start..end).map(|i| lines.get(i)) {
        // The last line of a file may lack a newline, and need not be last here.
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        match indent {
            Some(shift) => bytes.extend(shift.apply(line)),
            None => bytes.extend_from_slice(line),
        }
        bytes.push(b'\n');
    }
    Ok(())
}
