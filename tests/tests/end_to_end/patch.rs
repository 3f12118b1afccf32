//! A patch applier that knows nothing of the project: counts rule, prefixes
//! follow, and every context and deleted line must be there.

/// Applies a unified diff of one file.
pub fn apply(old: &[u8], patch: &[u8]) -> Result<Vec<u8>, String> {
    let source: Vec<&[u8]> = old.split_inclusive(|b| *b == b'\n').collect();
    let mut lines = patch.split_inclusive(|b| *b == b'\n').peekable();
    let mut out = Vec::new();
    let mut at = 0;
    if lines.peek().is_none() {
        return Ok(old.to_vec());
    }
    for mark in [b"--- ", b"+++ "] {
        let line = lines.next().unwrap_or_default();
        if !line.starts_with(mark) {
            return Err(format!(
                "no name line but {}",
                String::from_utf8_lossy(line)
            ));
        }
    }
    while let Some(header) = lines.next() {
        let [(old_start, mut old_left), (new_start, mut new_left)] = numbers(header)?;
        // A range without lines names the line before it.
        let start = if old_left == 0 {
            old_start
        } else {
            old_start - 1
        };
        out.extend(
            source
                .get(at..start)
                .ok_or("hunks overlap or lie outside")?
                .iter()
                .map(|l| l.to_vec()),
        );
        at = start;
        let place = if new_left == 0 {
            new_start
        } else {
            new_start - 1
        };
        if out.len() != place {
            return Err(format!(
                "a hunk says new line {new_start} and comes at {}",
                out.len() + 1
            ));
        }
        while old_left > 0 || new_left > 0 {
            let line = lines.next().ok_or("a hunk ends too early")?;
            let mut body = line[1..].to_vec();
            if lines.next_if(|next| next.starts_with(b"\\")).is_some() {
                body.pop();
            }
            let (in_old, in_new) = match line[0] {
                b' ' => (true, true),
                b'-' => (true, false),
                b'+' => (false, true),
                other => return Err(format!("a line begins with {}", char::from(other))),
            };
            if in_old {
                if source.get(at) != Some(&&body[..]) {
                    return Err(format!("old line {} is another one", at + 1));
                }
                at += 1;
                old_left = old_left
                    .checked_sub(1)
                    .ok_or("more old lines than the hunk says")?;
            }
            if in_new {
                out.push(body);
                new_left = new_left
                    .checked_sub(1)
                    .ok_or("more new lines than the hunk says")?;
            }
        }
    }
    out.extend(source[at..].iter().map(|l| l.to_vec()));
    Ok(out.concat())
}

/// Start and count of both sides of `@@ -1,2 +3,4 @@`.
fn numbers(header: &[u8]) -> Result<[(usize, usize); 2], String> {
    let text = String::from_utf8_lossy(header);
    let bad = || format!("no hunk header: {text}");
    let mut fields = text
        .strip_prefix("@@ -")
        .ok_or_else(bad)?
        .split([' ', '+'])
        .filter(|f| !f.is_empty());
    let mut range = || {
        let field = fields.next()?;
        let (start, count) = field.split_once(',').unwrap_or((field, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    Ok([range().ok_or_else(bad)?, range().ok_or_else(bad)?])
}

#[test]
fn it_refuses_what_does_not_fit() {
    let patch = b"--- a\n+++ b\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n";
    assert_eq!(apply(b"a\nb\n", patch).unwrap(), b"a\nc\n");
    assert!(apply(b"a\nx\n", patch).is_err());
    assert!(apply(b"a\n", patch).is_err());
}
