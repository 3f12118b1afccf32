//! Old text + report = new text.

use crate::line::without_newline;
use crate::report::{Change, LineReport};
use crate::{Error, Lines};

/// Rebuilds the new text: what changes and moves say, and for every other line
/// the old lines that are in neither, in order.
pub(crate) fn replay(report: &LineReport, old: &Lines<'_>) -> Result<Vec<u8>, Error> {
    let [old_len, new_len] = report.lines.map(|l| l as usize);
    if old.len() != old_len {
        return Err(Error::NotReplayable(
            "the old text has another number of lines",
        ));
    }
    let mut stays = vec![true; old_len];
    let mut new: Vec<Option<Vec<u8>>> = vec![None; new_len];
    for m in &report.moves {
        let from = m.original_line_start as usize - 1..m.original_line_end as usize;
        let to = m.modified_line_start as usize - 1..m.modified_line_end as usize;
        let mut gone = vec![false; from.len()];
        for change in &m.changes {
            put(change, &mut new)?;
            let [start, end] = change
                .original
                .map(|l| (l as usize).wrapping_sub(1 + from.start));
            gone.get_mut(start..end).ok_or(OUTSIDE)?.fill(true);
        }
        let mut survivors = from
            .clone()
            .zip(&gone)
            .filter(|(_, gone)| !**gone)
            .map(|(o, _)| o);
        for place in new
            .get_mut(to)
            .ok_or(OUTSIDE)?
            .iter_mut()
            .filter(|p| p.is_none())
        {
            let o = survivors.next().ok_or(OUTSIDE)?;
            let line = without_newline(old.get(o));
            *place = Some(
                m.indent
                    .as_ref()
                    .map_or_else(|| line.to_vec(), |shift| shift.apply(line)),
            );
        }
        stays.get_mut(from).ok_or(OUTSIDE)?.fill(false);
    }
    for change in &report.changes {
        put(change, &mut new)?;
        let [start, end] = change.original.map(|l| l as usize - 1);
        stays.get_mut(start..end).ok_or(OUTSIDE)?.fill(false);
    }
    let mut kept = (0..old_len).filter(|&o| stays[o]);
    let mut text = Vec::new();
    for (n, line) in new.into_iter().enumerate() {
        match line {
            Some(line) => text.extend_from_slice(&line),
            None => text.extend_from_slice(without_newline(old.get(kept.next().ok_or(OUTSIDE)?))),
        }
        if n + 1 < new_len || !report.no_eol {
            text.push(b'\n');
        }
    }
    match kept.next() {
        None => Ok(text),
        Some(_) => Err(OUTSIDE),
    }
}

const OUTSIDE: Error = Error::NotReplayable("a change lies outside the text");

fn put(change: &Change, new: &mut [Option<Vec<u8>>]) -> Result<(), Error> {
    let [start, end] = change.modified.map(|l| l as usize - 1);
    let places = new.get_mut(start..end).ok_or(OUTSIDE)?;
    if places.len() != change.text.len() {
        return Err(OUTSIDE);
    }
    for (place, text) in places.iter_mut().zip(&change.text) {
        *place = Some(text.0.clone());
    }
    Ok(())
}
