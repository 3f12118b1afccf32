//! What is accepted is printed and read again, and nothing of it is lost.

use mvdiff_text::patch::{Body, Changeset, parse, write_patch};

pub(crate) const SEEDS: &[&str] = &[
    "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\nSubmodule lib 1234567..89abcde:\n  > c\n",
    "Only in new: x\nFiles old/x and new/x differ\n* Unmerged path x\nBinary file x has changed\n",
    "Index: x\n===================================================================\n--- x\t(revision 1)\n+++ x\t(working copy)\n@@ -1 +1 @@\n-a\n+b\n\nProperty changes on: x\n___________________________________________________________________\nAdded: svn:executable\n## -0,0 +1 ##\n+*\n\\ No newline at end of property\n",
    "From 0 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] s\n\nm\n---\n f | 2 +-\n\ndiff --git a/f b/f\nold mode 100644\nnew mode 100755\n-- \n2.47\n",
    "=== renamed file 'a' => 'b'\n--- a\n+++ b\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n",
];

pub(crate) fn law(input: &[u8]) {
    is_read_again(input);
    is_read_again(&recounted(input));
}

/// The input with hunks that count the lines they have. A patch whose counts are wrong is
/// refused, and most of those that were changed at random are.
pub(super) fn recounted(input: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = input.split_inclusive(|byte| *byte == b'\n').collect();
    let mut out = Vec::with_capacity(input.len() + 16);
    // How much further down the lines of the file are on the new side.
    let (mut at, mut last, mut shift) = (0, 0, 0i64);
    while at < lines.len() {
        let line = lines[at];
        at += 1;
        let Some(place) = line.strip_prefix(b"@@ -") else {
            (last, shift) = if line.starts_with(b"--- ") {
                (0, 0)
            } else {
                (last, shift)
            };
            out.extend_from_slice(line);
            continue;
        };
        let digits = place.iter().take_while(|byte| byte.is_ascii_digit());
        let start = digits
            .take(6)
            .fold(0, |n, byte| n * 10 + i64::from(byte - b'0'));
        let is_head = |at: usize| {
            let next = lines.get(at + 1).copied().unwrap_or_default();
            lines[at].starts_with(b"--- ") && next.starts_with(b"+++ ")
        };
        let first = at;
        let mut counts = [0i64; 2];
        while at < lines.len() && !is_head(at) {
            let sides = match lines[at][0] {
                b' ' => [1, 1],
                b'-' => [1, 0],
                b'+' => [0, 1],
                b'\\' => [0, 0],
                _ => break,
            };
            counts = [counts[0] + sides[0], counts[1] + sides[1]];
            at += 1;
        }
        let start = start.max(last + 1);
        // An empty side has the number of the line before.
        let number = |start: i64, count: i64| if count == 0 { start - 1 } else { start };
        let (old, new) = (number(start, counts[0]), number(start + shift, counts[1]));
        let head = format!("@@ -{old},{} +{new},{} @@\n", counts[0], counts[1]);
        out.extend_from_slice(head.as_bytes());
        out.extend(
            lines[first..at]
                .iter()
                .flat_map(|line| line.iter().copied()),
        );
        last = start + counts[0];
        shift += counts[1] - counts[0];
    }
    out
}

fn is_read_again(input: &[u8]) {
    let Ok(first) = parse(input) else {
        return;
    };
    let printed = print(&first);
    let second = parse(&printed).expect("what was accepted is accepted again");
    assert_eq!(without_bytes(&second), without_bytes(&first));
    assert_eq!(print(&second), printed);
    for set in &first {
        let mut after = 0;
        for remark in set.remarks() {
            assert!(after <= remark.after && remark.after <= set.files.len());
            after = remark.after;
            let around = match remark.after.checked_sub(1) {
                None => set.preamble,
                Some(file) => set.files[file].trailer,
            };
            let is_part = around.windows(remark.text.len()).any(|w| w == remark.text);
            assert!(is_part, "a remark is a part of the input");
        }
    }
}

fn print(sets: &[Changeset<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    for set in sets {
        write_patch(&mut out, set).expect("memory");
    }
    out
}

/// How a hunk was written in its input is not part of its meaning.
fn without_bytes<'p>(sets: &[Changeset<'p>]) -> Vec<Changeset<'p>> {
    let mut sets = sets.to_vec();
    for file in sets.iter_mut().flat_map(|set| &mut set.files) {
        if let Body::Text(hunks) = &mut file.body {
            for hunk in hunks {
                hunk.bytes = b"";
            }
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_count_the_lines_they_have() {
        let wrong = b"--- a/f\n+++ b/f\n@@ -3,9 +7 @@ f\n a\n-b\n+c\n+d\n@@ -4 +5 @@\n e\n-f\n--- a/g\n+++ b/g\n@@ -1 +1,0 @@\n-a\n";
        let right = b"--- a/f\n+++ b/f\n@@ -3,2 +3,3 @@\n a\n-b\n+c\n+d\n@@ -6,2 +7,1 @@\n e\n-f\n--- a/g\n+++ b/g\n@@ -1,1 +0,0 @@\n-a\n";
        let made = recounted(wrong);
        assert_eq!(
            String::from_utf8_lossy(&made),
            String::from_utf8_lossy(right)
        );
        assert!(parse(wrong).is_err() && parse(&made).is_ok());
    }
}
