#!/usr/bin/env python3
"""movebench generator: deterministic move-detection cases with exact line truth.

  python3 gen.py --out cases --seed 1 --per-category 25 [--src DIR ...] [--langs py,rs,...]

Default sources are files already installed on the machine (Python stdlib, cargo
registry, node_modules); --src replaces them by any local directories.
Case = <out>/<id>/{old/,new/,truth.json,diff.patch}.  Nothing is read from the net.
"""

import argparse
import glob
import hashlib
import json
import os
import random
import re
import subprocess
import sys

LANGS = {
    "py": (".py",),
    "rs": (".rs",),
    "ts": (".ts",),
    "js": (".js", ".mjs"),
    "go": (".go",),
    "java": (".java",),
    "c": (".c",),
}
START = {
    "py": re.compile(r"^(\s*)(async\s+def|def|class)\s+\w+"),
    "rs": re.compile(
        r"^(\s*)(pub(\([^)]*\))?\s+)?(const\s+|async\s+|unsafe\s+)*(fn|impl|struct|enum|trait|mod)\b"
    ),
    "ts": re.compile(
        r"^(\s*)(export\s+)?(default\s+)?(async\s+)?(function|class|interface|enum|const\s+enum)\b|^(\s+)(public|private|protected|static|async|get|set|override|readonly)\s.*\)\s*(:[^{]*)?\{\s*$"
    ),
    "js": re.compile(
        r"^(\s*)(export\s+)?(default\s+)?(async\s+)?(function|class)\b|^(\s+)(static\s+|async\s+|get\s+|set\s+)*\w+\([^)]*\)\s*\{\s*$"
    ),
    "go": re.compile(r"^(func|type)\b"),
    "java": re.compile(
        r"^(\s*)(public|private|protected|static|final|abstract|@?interface|class|enum)\b.*[\{]\s*$"
    ),
    "c": re.compile(r"^(static\s+|inline\s+|const\s+|unsigned\s+|struct\s+)*\w[\w\s\*]*\([^;]*$"),
}
PRE = {  # lines glued to the block above its first line
    "py": re.compile(r"^\s*(@|#)"),
    "rs": re.compile(r"^\s*(///|#\[|//)"),
    "ts": re.compile(r"^\s*(//|/\*|\*|@)"),
    "js": re.compile(r"^\s*(//|/\*|\*|@)"),
    "go": re.compile(r"^//"),
    "java": re.compile(r"^\s*(//|/\*|\*|@)"),
    "c": re.compile(r"^(//|/\*| \*)"),
}
KEYWORDS = set(
    [
        "if",
        "else",
        "for",
        "while",
        "return",
        "def",
        "class",
        "fn",
        "let",
        "mut",
        "pub",
        "impl",
        "match",
        "self",
        "this",
        "const",
        "var",
        "function",
        "new",
        "import",
        "from",
        "struct",
        "enum",
        "func",
        "type",
        "package",
        "public",
        "private",
        "static",
        "void",
        "int",
        "char",
        "null",
        "None",
        "True",
        "False",
        "true",
        "false",
        "in",
        "is",
        "not",
        "and",
        "or",
        "as",
        "async",
        "await",
        "case",
        "switch",
        "break",
        "continue",
        "try",
        "catch",
        "except",
        "finally",
        "raise",
        "throw",
        "throws",
        "extends",
        "implements",
    ]
)


def indent(s):
    return len(s) - len(s.lstrip())


def nb(s):
    return s.strip() != ""


def read_lines(p):
    try:
        with open(p, encoding="utf-8") as f:
            t = f.read()
    except Exception:
        return None
    if "\r" in t or "\x0c" in t or "\x0b" in t or "\x85" in t or "\u2028" in t or "\u2029" in t:
        return None
    if not t.endswith("\n"):
        t += "\n"
    L = t.split("\n")[:-1]
    if not (60 <= len(L) <= 900) or max(map(len, L)) > 400:
        return None
    return L


def blocks(L, lang):
    """Outermost-first list of (start,end) 0-based half-open function/class-like blocks, 4..70 lines."""
    out, i, n = [], 0, len(L)
    while i < n:
        m = START[lang].match(L[i])
        if not m or not nb(L[i]):
            i += 1
            continue
        ind = indent(L[i])
        j = None
        if lang == "py":
            k = i + 1
            # skip multi-line signature
            while k < n and (not nb(L[k]) or indent(L[k]) > ind or L[k].strip().startswith(")")):
                k += 1
            j = k
            while j > i + 1 and not nb(L[j - 1]):
                j -= 1
        else:
            opened = False
            for k in range(i, min(n, i + 120)):
                if "{" in L[k] and k - i <= 8:
                    opened = True
                if k == i and L[k].rstrip().endswith(("}", ";")):
                    break
                if k > i and opened and nb(L[k]) and indent(L[k]) == ind and L[k].lstrip().startswith("}"):
                    j = k + 1
                    break
                if k > i and nb(L[k]) and indent(L[k]) < ind:
                    break
                if k > i + 8 and not opened:
                    break
        if j is None or j - i < 4:
            i += 1
            continue
        if j - i > 70:
            i += 1
            continue  # descend into big containers
        s = i
        while s > 0 and nb(L[s - 1]) and PRE[lang].match(L[s - 1]) and indent(L[s - 1]) <= ind + 1:
            s -= 1
        if out and s < out[-1][1]:
            i = j
            continue
        if sum(map(nb, L[s:j])) >= 4:
            out.append((s, j))
        i = j
    return out


class Line:
    __slots__ = ("changed", "copy", "mv", "org", "text")

    def __init__(self, text, org=None):
        self.text, self.org, self.changed, self.copy, self.mv = text, org, False, False, None

    def clone_as_copy(self):
        l = Line(self.text, self.org)
        l.copy = True
        return l


class Reject(Exception):
    pass


class Case:
    def __init__(self, rng, lang, pool):
        self.rng, self.lang, self.pool = rng, lang, pool
        self.old, self.new, self.nmv = {}, {}, 0

    def add_file(self, name, L):
        self.old[name] = list(L)
        self.new[name] = [Line(t, (name, i)) for i, t in enumerate(L)]

    def pick(self, min_blocks=3, tries=60):
        used = {tuple(v) for v in self.old.values()}
        for _ in range(tries):
            p, L, B = self.rng.choice(self.pool)
            if len(B) >= min_blocks and tuple(L) not in used:
                return L, B
        raise Reject("no file")

    def idx(self, name, s, e):
        """positions in new[name] of old lines s..e (contiguous, intact)"""
        for i, l in enumerate(self.new[name]):
            if l.org == (name, s) and not l.copy and len(self.new[name]) >= i + (e - s):
                seg = self.new[name][i : i + e - s]
                if all(x.org == (name, s + k) for k, x in enumerate(seg)):
                    return i
        raise Reject("segment lost")

    def cut(self, name, s, e):
        i = self.idx(name, s, e)
        seg = self.new[name][i : i + e - s]
        del self.new[name][i : i + e - s]
        # drop one of two blank lines left behind
        N = self.new[name]
        if 0 < i < len(N) and not nb(N[i - 1].text) and not nb(N[i].text):
            del N[i]
        self.nmv += 1
        for l in seg:
            l.mv = self.nmv
        return seg

    def boundary(self, name, blks, avoid=()):
        """insert position in new[name] just after a (still present) block of the old file, with blank line"""
        opts = [b for b in blks if b not in avoid]
        self.rng.shuffle(opts)
        for s, e in opts:
            try:
                return self.idx(name, s, e) + (e - s)
            except Reject:
                continue
        raise Reject("no boundary")

    def insert(self, name, pos, seg, blank_before=True):
        pad = [Line("")] if blank_before else []
        self.new[name][pos:pos] = pad + seg

    def reindent(self, seg, delta, unit):
        cur = min((indent(l.text) for l in seg if nb(l.text)), default=0)
        for l in seg:
            if not nb(l.text):
                continue
            if delta > 0:
                l.text = unit * delta + l.text
            else:
                k = -delta * len(unit)
                if cur < k:
                    raise Reject("cannot dedent")
                l.text = l.text[k:]

    def edit_line(self, l):
        t = l.text
        ids = [m for m in re.finditer(r"[A-Za-z_]\w{2,}", t) if m.group() not in KEYWORDS]
        r = self.rng.random()
        nums = list(re.finditer(r"\b\d+\b", t))
        if nums and r < 0.3:
            m = self.rng.choice(nums)
            new = str(int(m.group()) + self.rng.randint(1, 9))
        elif ids:
            m = self.rng.choice(ids)
            new = m.group() + self.rng.choice(["_v2", "Ex", "_new", "2"])
        else:
            return False
        l.text = t[: m.start()] + new + t[m.end() :]
        l.changed = True
        return True

    def edit(self, seg, n):
        """n interior edits (replace 60%, insert 25%, delete 15%) in place; returns seg"""
        cand = [i for i in range(1, len(seg) - 1) if len(seg[i].text.strip()) >= 8]
        if len(cand) < n:
            raise Reject("too small to edit")
        pos = sorted(self.rng.sample(cand, n), reverse=True)
        for i in pos:
            r = self.rng.random()
            if r < 0.6:
                if not self.edit_line(seg[i]):
                    raise Reject("uneditable")
            elif r < 0.85:
                w = seg[i].text[: indent(seg[i].text)]
                call = {"py": "audit_%d(ctx)", "rs": "audit_%d(&ctx);", "go": "audit%d(ctx)"}.get(
                    self.lang, "audit%d(ctx);"
                )
                seg.insert(i, Line(w + call % self.rng.randint(10, 999)))
            else:
                del seg[i]
        return seg

    def donor(self, n=1, lo=5, hi=30):
        """genuinely new blocks whose distinctive lines do not occur in the old tree"""
        seen = {l.strip() for L in self.old.values() for l in L if len(l.strip()) > 25}
        out = []
        for _ in range(200):
            p, L, B = self.rng.choice(self.pool)
            s, e = self.rng.choice(B)
            if not (lo <= e - s <= hi):
                continue
            if any(l.strip() in seen for l in L[s:e]):
                continue
            out.append([Line(t) for t in L[s:e]])
            seen |= {t.strip() for t in L[s:e] if len(t.strip()) > 25}
            if len(out) == n:
                return out
        raise Reject("no donor")

    def unit(self, L):
        return (
            "\t"
            if sum(l.startswith("\t") for l in L) > sum(l.startswith("  ") for l in L)
            else ("  " if sum(bool(re.match(r"  \S", l)) for l in L) > 10 else "    ")
        )


def distinct(L, s, e):
    return sum(len(l.strip()) >= 12 for l in L[s:e])


def choose(c, L, B, k, lo=4, hi=60):
    ok = [b for b in B if lo <= b[1] - b[0] <= hi and distinct(L, *b) >= 2]
    if len(ok) < k:
        raise Reject("few blocks")
    return c.rng.sample(ok, k)


def same_indent_targets(L, B, blk):
    ind = indent(next(l for l in L[blk[0] : blk[1]] if nb(l)))
    return [b for b in B if b != blk and indent(next(l for l in L[b[0] : b[1]] if nb(l))) == ind]


def move_same(c, f, L, B, blk, edit=0, shift=0, pre=(), post=(), rename=False):
    seg = c.cut(f, *blk)
    if edit:
        c.edit(seg, edit)
    if rename:
        do_rename(c, seg)
    tg = same_indent_targets(L, B, blk) if not shift else [b for b in B if b != blk]
    tg = [b for b in tg if b[1] <= blk[0] - 1 or b[0] >= blk[1] + 1]
    if shift:
        c.reindent(seg, shift, c.unit(L))
    # forbid landing exactly where it was
    tg = [b for b in tg if not (b[1] <= blk[0] and not any(nb(x) for x in L[b[1] : blk[0]]))]
    pos = c.boundary(f, tg)
    c.insert(f, pos, list(pre) + seg + list(post))


def move_cross(c, f, blk, g, GB, edit=0, shift=0, pre=(), post=(), rename=False):
    seg = c.cut(f, *blk)
    if edit:
        c.edit(seg, edit)
    if rename:
        do_rename(c, seg)
    if shift:
        c.reindent(seg, shift, c.unit(c.old[f]))
    if GB is None:
        N = c.new.setdefault(g, [])
        c.insert(g, len(N), list(pre) + seg + list(post), blank_before=bool(N))
    else:
        c.insert(g, c.boundary(g, GB), list(pre) + seg + list(post))


def do_rename(c, seg):
    pat = START[c.lang]
    for i, l in enumerate(seg):
        if pat.match(l.text):
            m = [x for x in re.finditer(r"[A-Za-z_]\w*", l.text) if x.group() not in KEYWORDS]
            if c.lang in ("py", "rs", "go", "ts", "js"):
                m = [
                    x
                    for x in m
                    if re.search(
                        r"(def|class|fn|func|type|function|struct|enum|impl|trait|mod|interface|\)|static|async|get|set|private|public|protected|override|readonly)\s+$|^\s*$",
                        l.text[: x.start()],
                    )
                ] or m
                x = m[0]
            else:
                y = [x for x in m if l.text[x.end() : x.end() + 1] == "("] or m
                x = y[0]
            old = x.group()
            new = "renamed_" + old
            for l2 in seg:
                t = re.sub(r"\b%s\b" % re.escape(old), new, l2.text)
                if t != l2.text:
                    l2.text = t
                    l2.changed = True
            if c.rng.random() < 0.5 and "(" in l.text and l.changed:
                l.text = (
                    l.text.replace("()", "(extra)", 1)
                    if "()" in l.text
                    else l.text.replace("(", "(extra, ", 1)
                )
            return
    raise Reject("no signature")


def two(c):
    L, B = c.pick(4)
    c.add_file("src/alpha." + EXT[c.lang], L)
    return "src/alpha." + EXT[c.lang], L, B


def second(c):
    n = "src/beta." + EXT[c.lang]
    if c.rng.random() < 0.35:
        return n, None  # brand-new target file
    L, B = c.pick(2)
    c.add_file(n, L)
    return n, B


EXT = {k: v[0][1:] for k, v in LANGS.items()}


def cat_reorder(c):
    f, L, B = two(c)
    for b in choose(c, L, B, c.rng.randint(1, min(3, len(B) - 1))):
        move_same(c, f, L, B, b)


def cat_swap_edit(c):
    f, L, B = two(c)
    a, b = sorted(choose(c, L, B, 2))
    if indent(L[a[0]]) != indent(L[b[0]]):
        raise Reject("indent")
    ia, ib = c.idx(f, *a), c.idx(f, *b)
    N = c.new[f]
    sa, sb = N[ia : ia + a[1] - a[0]], N[ib : ib + b[1] - b[0]]
    for l in sa:
        l.mv = 1
    for l in sb:
        l.mv = 2
    c.nmv = 2
    if c.rng.random() < 0.6:
        c.edit(c.rng.choice([sa, sb]), 1)
    c.new[f] = N[:ia] + sb + N[ia + a[1] - a[0] : ib] + sa + N[ib + b[1] - b[0] :]


def cat_cross(c):
    f, L, B = two(c)
    g, GB = second(c)
    for b in choose(c, L, B, c.rng.randint(1, 3)):
        move_cross(c, f, b, g, GB)


def cat_indent_same(c):
    f, L, B = two(c)
    b = choose(c, L, B, 1)[0]
    move_same(c, f, L, B, b, shift=c.rng.choice([1, 1, -1, 2]))


def cat_indent_cross(c):
    f, L, B = two(c)
    g, GB = second(c)
    b = choose(c, L, B, 1)[0]
    move_cross(c, f, b, g, GB, shift=c.rng.choice([1, 1, -1, 2]))


def mk_edit(n, cross):
    def cat(c):
        f, L, B = two(c)
        k = n if n else c.rng.randint(3, 6)
        b = choose(c, L, B, 1, lo=max(6, 2 * k + 3))[0]
        if cross:
            g, GB = second(c)
            move_cross(c, f, b, g, GB, edit=k)
        else:
            move_same(c, f, L, B, b, edit=k)

    return cat


def mk_sig(cross):
    def cat(c):
        f, L, B = two(c)
        b = choose(c, L, B, 1)[0]
        if cross:
            g, GB = second(c)
            move_cross(c, f, b, g, GB, rename=True)
        else:
            move_same(c, f, L, B, b, rename=True)

    return cat


def mk_adj(cross):
    def cat(c):
        f, L, B = two(c)
        if cross:
            g, GB = second(c)
        b = choose(c, L, B, 1)[0]
        d1, d2 = c.donor(2)
        pre = d1 + ([Line("")] if c.rng.random() < 0.7 else [])
        post = ([Line("")] if c.rng.random() < 0.7 else []) + d2
        if cross:
            move_cross(c, f, b, g, GB, pre=pre, post=post)
        else:
            move_same(c, f, L, B, b, pre=pre, post=post)

    return cat


def decoy_lines(c, dead, fresh):
    """sprinkle the generic lines of the deleted block into the genuinely new one"""
    gen = [l for l in dead if 0 < len(l.strip()) <= 24]
    for t in c.rng.sample(gen, min(len(gen), c.rng.randint(2, 6))):
        fresh.insert(c.rng.randint(1, len(fresh) - 1), Line(t))
    return fresh


def cat_decoy_nomove(c):
    f, L, B = two(c)
    g, GB = second(c)
    for b in choose(c, L, B, c.rng.randint(1, 2)):
        dead = [l.text for l in c.cut(f, *b)]
        d = decoy_lines(c, dead, c.donor(1)[0])
        if GB is None:
            c.insert(g, len(c.new.setdefault(g, [])), d)
        else:
            c.insert(g, c.boundary(g, GB), d)


def cat_decoy_move(c):
    f, L, B = two(c)
    g, GB = second(c)
    a, b = choose(c, L, B, 2)
    dead = [l.text for l in c.cut(f, *a)]
    d = decoy_lines(c, dead, c.donor(1)[0])
    move_cross(c, f, b, g, GB)
    if GB is None:
        c.insert(g, len(c.new[g]), d)
    else:
        c.insert(g, c.boundary(g, GB), d)


def cat_reorg(c):
    L, B = c.pick(6)
    f = "src/alpha." + EXT[c.lang]
    c.add_file(f, L)
    ind = {}
    for b in B:
        ind.setdefault(indent(L[b[0]]), []).append(b)
    g = max(ind.values(), key=len)
    if len(g) < 5:
        raise Reject("few")
    g = sorted(c.rng.sample(g, min(len(g), c.rng.randint(5, 8))))
    perm = g[:]
    c.rng.shuffle(perm)
    if perm == g:
        raise Reject("id")
    segs = {}
    for n, b in enumerate(g):
        i = c.idx(f, *b)
        segs[b] = c.new[f][i : i + b[1] - b[0]]
        c.nmv += 1
        for l in segs[b]:
            l.mv = c.nmv
    N, out, pos = c.new[f], [], 0
    e = c.rng.choice(g)
    for slot, b in zip(g, perm):
        out += N[pos : slot[0]]
        s = segs[b]
        if b == e and len(s) >= 6:
            s = c.edit(list(s), 1)
        out += s
        pos = slot[1]
    c.new[f] = out + N[pos:]


def cat_copy(c):
    f, L, B = two(c)
    g, GB = second(c)
    b = choose(c, L, B, 1, lo=5)[0]
    i = c.idx(f, *b)
    c.nmv += 1
    seg = [l.clone_as_copy() for l in c.new[f][i : i + b[1] - b[0]]]
    for l in seg:
        l.mv = c.nmv
    if c.rng.random() < 0.4:
        c.edit(seg, 1)
    if GB is None:
        c.insert(g, len(c.new.setdefault(g, [])), seg)
    else:
        c.insert(g, c.boundary(g, GB), seg)


def cat_extract(c):
    """extract method: 5-14 interior lines become the body of a new function elsewhere"""
    f, L, B = two(c)
    ok = [b for b in B if b[1] - b[0] >= 14]
    if not ok:
        raise Reject("small")
    b = c.rng.choice(ok)
    n = c.rng.randint(5, min(14, b[1] - b[0] - 6))
    s = c.rng.randint(b[0] + 3, b[1] - n - 2)
    if not nb(L[s]) or distinct(L, s, s + n) < 3:
        raise Reject("thin")
    seg = c.cut(f, s, s + n)
    w = L[s][: indent(L[s])]
    call = {"py": "extracted(ctx)", "go": "extracted(ctx)"}.get(c.lang, "extracted(ctx);")
    i = next(k for k, l in enumerate(c.new[f]) if l.org == (f, s - 1))
    c.new[f].insert(i + 1, Line(w + call))
    cur = min(indent(l.text) for l in seg if nb(l.text))
    u = c.unit(L)
    for l in seg:
        if nb(l.text):
            l.text = u + l.text[cur:]
    head, tail = {
        "py": (["def extracted(ctx):"], []),
        "rs": (["fn extracted(ctx: &Ctx) {"], ["}"]),
        "go": (["func extracted(ctx *Ctx) {"], ["}"]),
        "java": (["static void extracted(Ctx ctx) {"], ["}"]),
        "c": (["static void extracted(struct ctx *ctx)", "{"], ["}"]),
    }.get(c.lang, (["function extracted(ctx) {"], ["}"]))
    new = [Line(t) for t in head] + seg + [Line(t) for t in tail]
    if c.rng.random() < 0.5:
        c.insert(f, len(c.new[f]), new)
    else:
        g, GB = second(c)
        c.insert(g, len(c.new.setdefault(g, [])), new) if GB is None else c.insert(g, c.boundary(g, GB), new)


def cat_rename_split(c):
    """file renamed (and lightly edited) while 1-2 blocks move to another file"""
    f, L, B = two(c)
    g, GB = second(c)
    for b in choose(c, L, B, c.rng.randint(1, 2)):
        move_cross(c, f, b, g, GB)
    ls = [l for l in c.new[f] if len(l.text.strip()) > 12]
    c.edit_line(c.rng.choice(ls))
    c.new["src/gamma." + EXT[c.lang]] = c.new.pop(f)


def cat_var_rename(c):
    """cross or same-file move in which one local identifier is renamed on every line that uses it"""
    f, L, B = two(c)
    b = choose(c, L, B, 1, lo=7)[0]
    cnt = {}
    for t in L[b[0] + 1 : b[1]]:
        for w in set(re.findall(r"[A-Za-z_]\w{2,}", t)) - KEYWORDS:
            cnt[w] = cnt.get(w, 0) + 1
    w = [k for k, v in sorted(cnt.items()) if 3 <= v <= (b[1] - b[0]) * 0.6]
    if not w:
        raise Reject("no ident")
    w = c.rng.choice(w)
    g, GB = second(c)
    seg = c.cut(f, *b)
    for l in seg:
        t = re.sub(r"\b%s\b" % re.escape(w), w + "_renamed", l.text)
        if t != l.text:
            l.text = t
            l.changed = True
    c.insert(g, len(c.new.setdefault(g, [])), seg) if GB is None else c.insert(g, c.boundary(g, GB), seg)


def cat_heavy_edit(c):
    f, L, B = two(c)
    b = choose(c, L, B, 1, lo=12)[0]
    k = int((b[1] - b[0]) * c.rng.uniform(0.25, 0.45))
    if c.rng.random() < 0.5:
        g, GB = second(c)
        move_cross(c, f, b, g, GB, edit=k)
    else:
        move_same(c, f, L, B, b, edit=k)


def cat_small_move(c):
    """3-5 consecutive statement lines moved inside the file (or to another)"""
    f, L, B = two(c)
    for _ in range(50):
        b = c.rng.choice(B)
        n = c.rng.randint(3, 5)
        if b[1] - b[0] < n + 3:
            continue
        s = c.rng.randint(b[0] + 1, b[1] - n - 1)
        if all(nb(t) for t in L[s : s + n]) and distinct(L, s, s + n) >= 2:
            break
    else:
        raise Reject("none")
    seg = c.cut(f, s, s + n)
    tg = [x for x in B if x[1] < s or x[0] > s + n]
    pos = c.boundary(f, tg) - 1
    c.insert(f, pos, seg, blank_before=False)


def cat_nested(c):
    """a block moves to another file while a fragment of it moves somewhere else again"""
    f, L, B = two(c)
    g, GB = second(c)
    b = choose(c, L, B, 1, lo=14)[0]
    n = c.rng.randint(4, 6)
    k = c.rng.randint(3, b[1] - b[0] - n - 2)
    seg = c.cut(f, *b)
    part = seg[k : k + n]
    del seg[k : k + n]
    c.nmv += 1
    for l in part:
        l.mv = c.nmv
    if sum(len(l.text.strip()) >= 12 for l in part) < 2:
        raise Reject("thin")
    if GB is None:
        c.insert(g, len(c.new.setdefault(g, [])), seg)
    else:
        c.insert(g, c.boundary(g, GB), seg)
    c.insert(f, c.boundary(f, [x for x in B if x != b]), part)


def cat_twin(c):
    """block moves, and an edited copy of it appears elsewhere (pairing must pick the right twin)"""
    f, L, B = two(c)
    g, GB = second(c)
    b = choose(c, L, B, 1, lo=8)[0]
    i = c.idx(f, *b)
    cpy = [l.clone_as_copy() for l in c.new[f][i : i + b[1] - b[0]]]
    c.edit(cpy, max(2, len(cpy) // 4))
    move_cross(c, f, b, g, GB)
    c.nmv += 1
    for l in cpy:
        l.mv = c.nmv
    c.insert(f, c.boundary(f, [x for x in B if x != b]), cpy)


def cat_lines(c):
    """single-line reordering: 3-6 separate lines of one block hop over 2-6 neighbours"""
    f, L, B = two(c)
    b = choose(c, L, B, 1, lo=14)[0]
    i = c.idx(f, *b)
    seg = c.new[f][i : i + b[1] - b[0]]
    idx = [k for k in range(1, len(seg) - 1) if len(seg[k].text.strip()) >= 20]
    if len(idx) < 4:
        raise Reject("few")
    for k in c.rng.sample(idx, 3):
        l = seg.pop(k)
        c.nmv += 1
        l.mv = c.nmv
        seg.insert(min(len(seg) - 1, max(1, k + c.rng.choice([-5, -4, -3, 3, 4, 5]))), l)
    c.new[f][i : i + b[1] - b[0]] = seg


def mk_real(cross):
    """sizes/edits/indents drawn from the distribution of real moves measured on BDiff's 576 real move actions
    (38% 2 lines, 44% 3-5, 18% 6-20; 43% with an edited line; ~50% re-indented)"""

    def cat(c):
        f, L, B = two(c)
        if cross:
            g, GB = second(c)
        r = c.rng.random()
        n = 2 if r < 0.38 else c.rng.randint(3, 5) if r < 0.82 else c.rng.randint(6, 20)
        for _ in range(80):
            b = c.rng.choice(B)
            if b[1] - b[0] < n + 3:
                continue
            s = c.rng.randint(b[0] + 1, b[1] - n - 1)
            if nb(L[s]) and nb(L[s + n - 1]) and distinct(L, s, s + n) >= 2:
                break
        else:
            raise Reject("none")
        seg = c.cut(f, s, s + n)
        if c.rng.random() < 0.43:
            k = [l for l in seg if len(l.text.strip()) >= 12]
            if len(k) > 1 and not c.edit_line(c.rng.choice(k)):
                raise Reject("edit")
        if c.rng.random() < 0.5:
            try:
                c.reindent(seg, c.rng.choice([1, -1]), c.unit(L))
            except Reject:
                c.reindent(seg, 1, c.unit(L))
        if cross and GB is None:
            c.insert(g, len(c.new.setdefault(g, [])), seg)
            return
        if cross:
            c.insert(g, c.boundary(g, GB) - 1, seg, blank_before=False)
            return
        opts = [i for i, l in enumerate(c.new[f]) if l.org and 3 <= abs(l.org[1] - s) <= 60 and nb(l.text)]
        if not opts:
            raise Reject("none")
        c.insert(f, c.rng.choice(opts), seg, blank_before=False)

    return cat


CATS = {
    "reorder": cat_reorder,
    "swap_edit": cat_swap_edit,
    "cross": cat_cross,
    "indent_same": cat_indent_same,
    "indent_cross": cat_indent_cross,
    "edit1_same": mk_edit(1, 0),
    "edit2_same": mk_edit(2, 0),
    "editN_same": mk_edit(0, 0),
    "edit1_cross": mk_edit(1, 1),
    "edit2_cross": mk_edit(2, 1),
    "editN_cross": mk_edit(0, 1),
    "sig_same": mk_sig(0),
    "sig_cross": mk_sig(1),
    "adjnew_same": mk_adj(0),
    "adjnew_cross": mk_adj(1),
    "decoy_nomove": cat_decoy_nomove,
    "decoy_move": cat_decoy_move,
    "reorg": cat_reorg,
    "copy": cat_copy,
    "extract": cat_extract,
    "rename_split": cat_rename_split,
    "var_rename": cat_var_rename,
    "heavy_edit": cat_heavy_edit,
    "small_move": cat_small_move,
    "nested": cat_nested,
    "twin": cat_twin,
    "lines": cat_lines,
    "real_same": mk_real(0),
    "real_cross": mk_real(1),
}


def truth(c, cat, seed):
    fwd, changed, cp, newl = [], [], [], {}
    seen = set()
    mv = {}
    for g, N in sorted(c.new.items()):
        for i, l in enumerate(N):
            n = i + 1
            if l.org is None:
                if nb(l.text):
                    newl.setdefault(g, []).append(n)
                continue
            f, o = l.org[0], l.org[1] + 1
            verb = l.text.strip() == c.old[f][o - 1].strip()
            if not verb and not l.changed:
                raise Reject("inconsistent")
            if l.copy:
                (cp if verb else changed).append([f, o, g, n])
            else:
                seen.add((f, o))
                (fwd if verb else changed).append([f, o, g, n])
            if l.mv is not None and nb(l.text):
                mv.setdefault((l.mv, g, f, l.copy), []).append((o, n, verb))
    dele = {f: [i + 1 for i, t in enumerate(L) if nb(t) and (f, i + 1) not in seen] for f, L in c.old.items()}
    runs = []
    for f, o, g, n in sorted(fwd, key=lambda r: (r[2], r[3])):
        if (
            runs
            and runs[-1][0] == f
            and runs[-1][2] == g
            and runs[-1][1] + runs[-1][4] == o
            and runs[-1][3] + runs[-1][4] == n
        ):
            runs[-1][4] += 1
        else:
            runs.append([f, o, g, n, 1])
    moves = []
    for (k, g, f, cpy), P in sorted(mv.items()):
        moves.append(
            {
                "kind": "copy" if cpy else "move",
                "src_file": f,
                "src_start": min(p[0] for p in P),
                "src_end": max(p[0] for p in P),
                "dst_file": g,
                "dst_start": min(p[1] for p in P),
                "dst_end": max(p[1] for p in P),
                "verbatim": sum(p[2] for p in P),
                "edited": sum(not p[2] for p in P),
            }
        )
    dele = {k: v for k, v in dele.items() if v}
    nch = [x for x in changed if nb(c.old[x[0]][x[1] - 1])]
    ideal = 2 * len(nch) + sum(map(len, newl.values())) + sum(map(len, dele.values()))
    return {
        "id": None,
        "category": cat,
        "lang": c.lang,
        "seed": seed,
        "moves": moves,
        "line_map": runs,
        "copies": cp,
        "changed_pairs": changed,
        "new_lines": newl,
        "deleted_lines": dele,
        "ideal_review_lines": ideal,
    }


def write(c, t, out):
    d = os.path.join(out, t["id"])
    for side, tree in (("old", c.old), ("new", {k: [l.text for l in v] for k, v in c.new.items()})):
        os.makedirs(os.path.join(d, side), exist_ok=True)
        for name, L in tree.items():
            p = os.path.join(d, side, name)
            os.makedirs(os.path.dirname(p), exist_ok=True)
            with open(p, "w") as f:
                f.write("".join(l + "\n" for l in L))
    json.dump(t, open(os.path.join(d, "truth.json"), "w"))
    r = subprocess.run(
        ["git", "-c", "core.pager=cat", "diff", "--no-index", "--no-color", "--no-ext-diff", "old", "new"],
        cwd=d,
        capture_output=True,
        text=True,
    )
    p = (
        r.stdout.replace(" a/old/", " a/")
        .replace(" b/new/", " b/")
        .replace(" b/old/", " b/")
        .replace(" a/new/", " a/")
    )
    open(os.path.join(d, "diff.patch"), "w").write(p)


def load_pool(roots, langs, rng, cap=160):
    pool = {k: [] for k in langs}
    files = {k: [] for k in langs}
    for r in roots:
        for dp, dn, fn in os.walk(os.path.expanduser(r)):
            dn.sort()
            dn[:] = [x for x in dn if x not in (".git", "__pycache__", "lib2to3", "idlelib", "target")]
            for x in sorted(fn):
                for k in langs:
                    if x.endswith(LANGS[k]) and not x.endswith((".min.js", ".d.ts")):
                        files[k].append(os.path.join(dp, x))
    for k in langs:
        rng.shuffle(files[k])
        for p in files[k]:
            try:
                sz = os.path.getsize(p)
            except OSError:
                continue
            if not 2000 < sz < 60000:
                continue
            L = read_lines(p)
            if not L:
                continue
            B = blocks(L, k)
            if len(B) >= 3:
                pool[k].append((p, L, B))
            if len(pool[k]) >= cap:
                break
    return {k: v for k, v in pool.items() if len(v) >= 8}


def default_roots():
    r = [os.path.dirname(os.__file__)]
    r += glob.glob(os.path.expanduser("~/.pyenv/versions/3.12*/lib/python3.12"))
    r += glob.glob(os.path.expanduser("~/.cargo/registry/src/*")) + [
        "/usr/lib/node_modules",
        "/usr/local/lib/node_modules",
        "node_modules",
    ]
    r += [
        os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "node", "node_modules"),
        os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "srcs"),
    ]
    return [x for x in r if os.path.isdir(x)]


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--out", default="cases")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--per-category", type=int, default=21)
    a.add_argument("--src", nargs="*")
    a.add_argument("--langs", default="py,rs,ts,js,go,java,c")
    a = a.parse_args()
    langs = a.langs.split(",")
    pool = load_pool(a.src or default_roots(), langs, random.Random(a.seed))
    print("pool", {k: len(v) for k, v in pool.items()}, file=sys.stderr)
    os.makedirs(a.out, exist_ok=True)
    json.dump(
        {
            k: [[p, hashlib.sha256("\n".join(L).encode()).hexdigest()[:16]] for p, L, B in v]
            for k, v in pool.items()
        },
        open(a.out.rstrip("/") + ".pool.json", "w"),
    )
    ks = sorted(pool)
    total = 0
    for cat, fn in CATS.items():
        for n in range(a.per_category):
            for attempt in range(400):
                sd = "%d/%s/%d/%d" % (a.seed, cat, n, attempt)
                rng = random.Random(hashlib.sha256(sd.encode()).hexdigest())
                lang = ks[(n + attempt // 40) % len(ks)]
                c = Case(rng, lang, pool[lang])
                try:
                    fn(c)
                    t = truth(c, cat, sd)
                    if cat != "decoy_nomove" and not t["moves"]:
                        raise Reject("no move")
                except (Reject, IndexError, StopIteration, ValueError):
                    continue
                t["id"] = "%s_%03d" % (cat, n)
                write(c, t, a.out)
                total += 1
                break
            else:
                print("gave up", cat, n, file=sys.stderr)
    print("cases", total, file=sys.stderr)


if __name__ == "__main__":
    main()
