"""Text-IoU as it is defined, with difflib: what ours is measured against.

Did two edits of one text do the same thing? score(base, a, b) in [0, 1] and its
five parts. Line likeness is Levenshtein.ratio, here from rapidfuzz, which is
compiled: the slow part of the reference is difflib, not this.
"""
import difflib
import json
import sys

from rapidfuzz.distance import Indel


def lines(text):
    return [line for line in text.splitlines() if line.strip()]


def opcodes(old, new):
    return difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()


def project(codes, target, start, end):
    """The lines that base[start:end] became."""
    found = []
    for tag, i1, i2, j1, j2 in codes:
        low, high = max(start, i1), min(end, i2)
        if low >= high:
            continue
        if tag == "equal":
            found += target[j1 + low - i1:j1 + high - i1]
        elif tag == "replace":
            old, new = i2 - i1, j2 - j1
            found += target[j1 + (low - i1) * new // old:j1 + (high - i1) * new // old]
    return found


def align(a, b, likeness):
    total = 0.0
    for tag, i1, i2, j1, j2 in opcodes(a, b):
        if tag == "equal":
            total += i2 - i1
        elif tag == "replace":
            for one, other in zip(a[i1:i2], b[j1:j2]):
                if one == other:
                    total += 1.0
                elif likeness:
                    total += Indel.normalized_similarity(one, other)
    return total


def merged(spans):
    blocks = []
    for start, end in sorted(spans):
        if blocks and start <= blocks[-1][1]:
            blocks[-1][1] = max(blocks[-1][1], end)
        else:
            blocks.append([start, end])
    return blocks


def score(base, a, b, likeness=True):
    base, a, b = lines(base), lines(a), lines(b)
    codes = opcodes(base, a), opcodes(base, b)
    spans = [(i1, i2) for side in codes for tag, i1, i2, _, _ in side if tag in ("replace", "delete")]
    u_base = i_base_delete = u_inserts = 0
    a_blocks = a_inserts = 0.0
    for start, end in merged(spans):
        for i in range(start, end):
            of_a, of_b = len(project(codes[0], a, i, i + 1)), len(project(codes[1], b, i, i + 1))
            u_base += max(1, of_a, of_b)
            i_base_delete += of_a == 0 and of_b == 0
        a_blocks += align(project(codes[0], a, start, end), project(codes[1], b, start, end), likeness)
    inserted = [{}, {}]
    for side, target, slots in zip(codes, (a, b), inserted):
        for tag, i1, _, j1, j2 in side:
            if tag == "insert":
                slots.setdefault(i1, []).extend(target[j1:j2])
    for slot in sorted(set(inserted[0]) | set(inserted[1])):
        of_a, of_b = inserted[0].get(slot, []), inserted[1].get(slot, [])
        u_inserts += max(len(of_a), len(of_b))
        a_inserts += align(of_a, of_b, likeness)
    union = u_base + u_inserts
    value = 1.0 if a == b or not union else (i_base_delete + a_blocks + a_inserts) / union
    return value, {"u_base": u_base, "u_inserts": u_inserts, "i_base_delete": i_base_delete,
                   "a_blocks": a_blocks, "a_inserts": a_inserts}


def check(path):
    """Holds the above against the vectors."""
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)
    for vector in vectors:
        value, parts = score(vector["base"], vector["a"], vector["b"], vector["levenshtein"])
        near = abs(value - vector["expected"]) < 1e-11
        if not near or any(abs(parts[key] - vector["parts"][key]) >= 1e-11 for key in parts):
            sys.exit(f"{vector['name']}: {value} {parts}")
    return len(vectors)
