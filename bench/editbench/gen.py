#!/usr/bin/env python3
"""Edits as models write them, made from the commits of real repositories.

  gen.py OUT [--seed N] [--commits N] GITDIR:.py GITDIR:.ts,.tsx ...

Each hunk of a small commit becomes SEARCH/REPLACE blocks, exact and spoilt in the ways models spoil them: indentation, blanks,
typos, elisions, skipped lines, stale files, line numbers, tabs, quotes, entities, absent targets. The truth is the commit itself
(for stale files: git's own merge). Writes OUT/units.jsonl and OUT/texts/. Nothing of a repository is to be committed."""

import argparse
import collections
import difflib
import hashlib
import html
import json
import os
import random
import re
import subprocess
import tempfile

ap = argparse.ArgumentParser()
ap.add_argument("out")
ap.add_argument("repos", nargs="+")
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--commits", type=int, default=40)
A = ap.parse_args()
OUT = A.out
os.makedirs(OUT + "/texts", exist_ok=True)
REPOS = {}
for r in A.repos:
    d, e = r.rsplit(":", 1)
    REPOS[
        os.path.basename(d.rstrip("/"))
        if os.path.basename(d.rstrip("/")) != "repo"
        else os.path.basename(os.path.dirname(d.rstrip("/")))
    ] = (d, tuple(e.split(",")))


def git(repo, *a, text=True):
    r = subprocess.run(["git", "--git-dir", REPOS[repo][0], *a], capture_output=True)
    return r.stdout.decode("utf-8") if text else r.stdout


def put(t):
    h = hashlib.sha1(t.encode()).hexdigest()[:16]
    p = f"{OUT}/texts/{h}"
    if not os.path.exists(p):
        open(p, "w", newline="").write(t)
    return h


def lines(t):
    return t.splitlines(keepends=False) if False else t.split("\n")


def hunks(o, n, ctx):
    """groups of opcodes with ctx lines; lines w/o newline. returns list of (o0,o1,n0,n1,opcodes)"""
    sm = difflib.SequenceMatcher(None, o, n, autojunk=False)
    return [(g[0][1], g[-1][2], g[0][3], g[-1][4], g) for g in sm.get_grouped_opcodes(ctx)]


class Blk:  # a list of entries (kind,text) kind in ' -+'
    def __init__(s, ent, start):
        s.e = ent
        s.start = start

    def search(s):
        return [t for k, t in s.e if k in " -"]

    def replace(s):
        return [t for k, t in s.e if k in " +"]


def blk(o, n, h):
    e = []
    for tag, i1, i2, j1, j2 in h[4]:
        if tag == "equal":
            e += [(" ", t) for t in o[i1:i2]]
        else:
            e += [("-", t) for t in o[i1:i2]] + [("+", t) for t in n[j1:j2]]
    return Blk(e, h[0] + 1)


def apply_h(o, n, h):
    return o[: h[0]] + n[h[2] : h[3]] + o[h[1] :]


def typo(line, rng):
    ws = [m for m in re.finditer(r"[A-Za-z]{4,}", line)]
    if not ws:
        return None
    m = rng.choice(ws)
    w = m.group()
    k = rng.randrange(3)
    if k == 0:
        i = rng.randrange(1, len(w) - 1)
        w2 = w[:i] + w[i + 1] + w[i] + w[i + 2 :] if i + 1 < len(w) else w[:-1]
    elif k == 1:
        i = rng.randrange(1, len(w))
        w2 = w[:i] + w[i + 1 :]
    else:
        w2 = w + "s" if not w.endswith("s") else w[:-1]
    r = line[: m.start()] + w2 + line[m.end() :]
    return r if r != line else None


def unit_indent(ls):
    if any(l.startswith("\t") for l in ls):
        return "\t"
    ds = collections.Counter(len(l) - len(l.lstrip(" ")) for l in ls if l.strip())
    return (
        "  "
        if any(k % 4 for k in ds if k and k < 12)
        and sum(v for k, v in ds.items() if k % 4 == 2) > len(ls) * 0.05
        else "    "
    )


ELL = {
    ".py": ["    ...", "    # ...", "# ... existing code ..."],
    ".js": ["...", "// ...", "// ... existing code ..."],
    ".rs": ["...", "// ..."],
    ".go": ["...", "// ...", "\t// ... existing code ..."],
    ".ts": ["...", "// ...", "// ... existing code ..."],
    ".tsx": ["...", "// ...", "{/* ... */}"],
}
units = []


def add(meta, pert, orig, search, replace, truth, start=None, hint=None, refuse=False, extra=None):
    if not any(l.strip() for l in search):
        return
    if search == replace:
        return
    o = "\n".join(orig) + "\n"
    t = "\n".join(truth) + "\n"
    units.append(
        dict(
            meta,
            pert=pert,
            orig=put(o),
            truth=put(t),
            search=search,
            replace=replace,
            start=start,
            hint=hint,
            refuse=refuse,
            **(extra or {}),
        )
    )


def smart(s):
    s = re.sub(r'"([^"]*)"', "\u201c\\1\u201d", s)
    s = re.sub(r"'([^']*)'", "\u2018\\1\u2019", s)
    return s.replace("'", "\u2019")


def main():
    rng = random.Random(A.seed)
    stat = collections.Counter()
    for repo, (mir, exts) in REPOS.items():
        log = git(repo, "log", "--no-merges", "--format=%H", "-n", "2600", "HEAD").split()
        rng.shuffle(log)
        got = 0
        others = []
        for c in log:
            if got >= A.commits:
                break
            ns = [
                l.split("\t")
                for l in git(repo, "show", "--numstat", "--format=", "-M100%", c).split("\n")
                if l
            ]
            if not (1 <= len(ns) <= 5) or any(x[0] == "-" for x in ns):
                continue
            if sum(int(x[0]) + int(x[1]) for x in ns) >= 60:
                continue
            st = [
                l.split("\t")
                for l in git(repo, "show", "--name-status", "--format=", "-M100%", c).split("\n")
                if l
            ]
            fs = [x[1] for x in st if x[0] == "M" and x[1].endswith(exts)]
            if not fs:
                continue
            took = 0
            for f in fs:
                try:
                    o = git(repo, "show", f"{c}^:{f}")
                    n = git(repo, "show", f"{c}:{f}")
                except UnicodeDecodeError:
                    continue
                if "\r" in o or len(o) > 120000 or o.count("\n") < 20:
                    continue

                if not o.endswith("\n") or not n.endswith("\n"):
                    continue
                O, N = o[:-1].split("\n"), n[:-1].split("\n")
                ext = os.path.splitext(f)[1]
                for hi, h in enumerate(hunks(O, N, 3)[:4]):
                    b = blk(O, N, h)
                    T = apply_h(O, N, h)
                    S, R = b.search(), b.replace()
                    if not any(l.strip() for l in S):
                        continue
                    if any(re.match(r"\s*(<{7}|={7}|>{7}|-{7})", l) for l in S + R):
                        continue
                    took += 1
                    nd = sum(k == "-" for k, _ in b.e)
                    na = sum(k == "+" for k, _ in b.e)
                    meta = dict(
                        id=f"{repo}:{c[:8]}:{f}:{hi}",
                        repo=repo,
                        ext=ext,
                        kind="del" if na == 0 else "add" if nd == 0 else "mod",
                        nlines=len(O),
                    )
                    ss = "\n".join(S)
                    occ = ("\n" + o + "\n").count("\n" + ss + "\n")
                    meta["occ"] = occ
                    add(meta, "a exact", O, S, R, T, b.start)
                    # b indentation
                    u = unit_indent(O)
                    ded = all((not l.strip()) or l.startswith(u) for l in S + R)
                    if ded:
                        sh = lambda l: l[len(u) :] if l.strip() else l
                    else:
                        sh = lambda l: u + l if l.strip() else l
                    add(
                        meta, "b1 indent off one level", O, [sh(l) for l in S], [sh(l) for l in R], T, b.start
                    )
                    if S[0] != S[0].lstrip() and b.e[0][0] == " ":
                        add(
                            meta,
                            "b2 first line unindented",
                            O,
                            [S[0].lstrip()] + S[1:],
                            [R[0].lstrip()] + R[1:],
                            T,
                            b.start,
                        )
                    # c trailing white space in the file, not in the block
                    ctxi = [i for i, (k, _) in enumerate(b.e) if k == " "]
                    if ctxi:
                        pick = set(rng.sample(ctxi, min(2, len(ctxi))))
                        O2 = list(O)
                        oi = h[0]
                        ent = []
                        for i, (k, t) in enumerate(b.e):
                            t2 = t + "  " if i in pick else t
                            ent.append((k, t2))
                            if k in " -":
                                O2[oi] = t2
                                oi += 1
                        T2 = O2[: h[0]] + [t for k, t in ent if k in " +"] + O2[h[1] :]
                        add(meta, "c trailing blanks dropped", O2, S, R, T2, b.start)
                    # d typo in a context line
                    cand = [i for i in ctxi if len(b.e[i][1].strip()) >= 8]
                    rng.shuffle(cand)
                    for i in cand:
                        tp = typo(b.e[i][1], rng)
                        if not tp:
                            continue
                        e2 = list(b.e)
                        e2[i] = (" ", tp)
                        b2 = Blk(e2, b.start)
                        add(meta, "d1 typo, both sides", O, b2.search(), b2.replace(), T, b.start)
                        add(meta, "d2 typo, SEARCH only", O, b2.search(), R, T, b.start)
                        break
                    # d3 typo in a line to be removed/changed
                    cand = [i for i, (k, t) in enumerate(b.e) if k == "-" and len(t.strip()) >= 8]
                    rng.shuffle(cand)
                    for i in cand:
                        tp = typo(b.e[i][1], rng)
                        if not tp:
                            continue
                        e2 = list(b.e)
                        e2[i] = ("-", tp)
                        add(meta, "d3 typo in a changed line", O, Blk(e2, 0).search(), R, T, b.start)
                        break
                    # e elided middle of context
                    for h10 in hunks(O, N, 10):
                        if h10[0] <= h[0] and h10[1] >= h[1] and len(hunks(O, N, 3)) >= 1:
                            b10 = blk(O, N, h10)
                            lead = 0
                            while lead < len(b10.e) and b10.e[lead][0] == " ":
                                lead += 1
                            if lead >= 7:
                                el = rng.choice(ELL.get(ext, ["...", "// ..."]))
                                e2 = b10.e[:2] + [(" ", el)] + b10.e[lead - 2 :]
                                b2 = Blk(e2, b10.start)
                                add(
                                    meta,
                                    "e elided middle (...)",
                                    O,
                                    b2.search(),
                                    b2.replace(),
                                    apply_h(O, N, h10),
                                    b10.start,
                                )
                            break
                    # f one context line missing
                    inner = [i for i in ctxi if 0 < i < len(b.e) - 1 and b.e[i][1].strip()]
                    if inner:
                        i = rng.choice(inner)
                        e2 = b.e[:i] + b.e[i + 1 :]
                        b2 = Blk(e2, b.start)
                        add(meta, "f1 context line skipped", O, b2.search(), b2.replace(), T, b.start)
                    # f2 no context at all
                    h0s = [x for x in hunks(O, N, 0) if x[0] >= h[0] and x[1] <= h[1] and x[1] > x[0]]
                    if h0s:
                        h0 = h0s[0]
                        b0 = blk(O, N, h0)
                        s0 = "\n".join(b0.search())
                        if s0.strip():
                            oc = ("\n" + o + "\n").count("\n" + s0 + "\n")
                            T0 = apply_h(O, N, h0)
                            m2 = dict(meta, occ=oc)
                            add(
                                m2,
                                "f2 no context (U0)",
                                O,
                                b0.search(),
                                b0.replace(),
                                T0,
                                h0[0] + 1,
                                refuse=None if oc == 1 else False,
                            )
                            if oc >= 2:
                                add(
                                    m2,
                                    "j1 repeated, exact hint",
                                    O,
                                    b0.search(),
                                    b0.replace(),
                                    T0,
                                    h0[0] + 1,
                                    hint=h0[0] + 1,
                                )
                                add(
                                    m2,
                                    "j2 repeated, hint off 1-5",
                                    O,
                                    b0.search(),
                                    b0.replace(),
                                    T0,
                                    h0[0] + 1,
                                    hint=max(1, h0[0] + 1 + rng.choice([-5, -4, -3, -2, -1, 1, 2, 3, 4, 5])),
                                )
                                add(m2, "j3 repeated, no hint", O, b0.search(), b0.replace(), T0, h0[0] + 1)
                            # l last line truncated at its end punctuation
                            s = b0.search()
                            if s and re.search(r"[;,{(:)]$", s[-1]) and len(s[-1].strip()) > 6:
                                add(
                                    m2,
                                    "l end of last line dropped",
                                    O,
                                    s[:-1] + [s[-1][:-1]],
                                    b0.replace(),
                                    T0,
                                    h0[0] + 1,
                                )
                    # g stale
                    past = git(repo, "log", "--format=%H", "-n", "24", c + "^", "--", f).split()
                    if len(past) >= 6:
                        k = rng.randrange(5, min(20, len(past) - 1) + 1)
                        try:
                            s = git(repo, "show", f"{past[k]}:{f}")
                        except UnicodeDecodeError:
                            s = ""
                        if s and "\r" not in s and s.endswith("\n"):
                            with tempfile.TemporaryDirectory() as d:
                                open(d + "/s", "w").write(s)
                                open(d + "/o", "w").write(o)
                                open(d + "/t", "w").write("\n".join(T) + "\n")
                                r = subprocess.run(
                                    ["git", "merge-file", "-p", d + "/s", d + "/o", d + "/t"],
                                    capture_output=True,
                                )
                                if r.returncode == 0:
                                    mt = r.stdout.decode()
                                    if mt != s:
                                        ex = ("\n" + s + "\n").count("\n" + ss + "\n")
                                        add(
                                            meta,
                                            "g1 stale, region same"
                                            if ex == 1
                                            else "g2 stale, region drifted",
                                            s[:-1].split("\n"),
                                            S,
                                            R,
                                            mt[:-1].split("\n"),
                                            b.start,
                                            extra={"k": k},
                                        ) if ex <= 1 else None
                                elif r.returncode < 128:
                                    ex = ("\n" + s + "\n").count("\n" + ss + "\n")
                                    if ex == 0:
                                        add(
                                            meta,
                                            "g3 stale, conflict (refuse)",
                                            s[:-1].split("\n"),
                                            S,
                                            R,
                                            s[:-1].split("\n"),
                                            b.start,
                                            refuse=True,
                                            extra={"k": k},
                                        )
                    # h line numbers
                    num = lambda ls, st, f: [f % (st + i) + l for i, l in enumerate(ls)]
                    add(
                        meta,
                        "h1 '42 | ' both sides",
                        O,
                        num(S, b.start, "%4d | "),
                        num(R, b.start, "%4d | "),
                        T,
                        b.start,
                    )
                    add(
                        meta,
                        "h2 cat -n both sides",
                        O,
                        num(S, b.start, "%6d\t"),
                        num(R, b.start, "%6d\t"),
                        T,
                        b.start,
                    )
                    add(meta, "h3 '42 | ' SEARCH only", O, num(S, b.start, "%4d | "), R, T, b.start)

                    # i tabs/spaces
                    def conv(l):
                        m = re.match(r"[ \t]*", l).group()
                        if "\t" in m:
                            return m.replace("\t", "    ") + l[len(m) :]
                        return "\t" * (len(m) // len(u)) + " " * (len(m) % len(u)) + l[len(m) :]

                    if any(conv(l) != l for l in S):
                        add(
                            meta,
                            "i tabs vs spaces",
                            O,
                            [conv(l) for l in S],
                            [conv(l) for l in R],
                            T,
                            b.start,
                        )
                    # k quotes, entities
                    e2 = [(k, smart(t) if k in " -" else t) for k, t in b.e]
                    if any(x != y for x, y in zip(e2, b.e)):
                        b2 = Blk(e2, 0)
                        add(meta, "k1 smart quotes", O, b2.search(), b2.replace(), T, b.start)
                    e2 = [(k, html.escape(t, quote=False)) for k, t in b.e]
                    if any(x != y for x, y in zip(e2, b.e)):
                        b2 = Blk(e2, 0)
                        add(
                            meta,
                            "k2 HTML entities",
                            O,
                            b2.search(),
                            b2.replace(),
                            T,
                            b.start,
                            extra={"ent": 1},
                        )
                    # n target absent: cut the hunk's region (old lines +-6) out of the file
                    lo, hi2 = max(0, h[0] - 6), min(len(O), h[1] + 6)
                    if ss not in "\n".join(O[:lo] + O[hi2:]):
                        add(
                            meta,
                            "n1 target absent (refuse)",
                            O[:lo] + O[hi2:],
                            S,
                            R,
                            O[:lo] + O[hi2:],
                            b.start,
                            refuse=True,
                        )
                    # n2 block for another file
                    if others:
                        OO = rng.choice(others)
                        if ("\n".join(S)) not in "\n".join(OO):
                            add(meta, "n2 wrong file (refuse)", OO, S, R, OO, b.start, refuse=True)
                others.append(O)
            if took:
                got += 1
                stat[repo] += took
        print(repo, got, "commits", stat[repo], "hunks")
    with open(OUT + "/units.jsonl", "w") as fo:
        for i, u in enumerate(units):
            u["n"] = i
            fo.write(json.dumps(u) + "\n")
    for k, v in sorted(collections.Counter(u["pert"] for u in units).items()):
        print(v, k)


main()
