#!/usr/bin/env python3
"""Scores `mvdiff effective` on real refactorings that people have validated.

  judge.py BINARY --mirror GITDIR [--work DIR] [--json OUT] [--cases FILE] [-j N]

Cases: commits of public projects (Java, Kotlin, Python, JavaScript) whose before/after contents are test resources of
tsantalis/RefactoringMiner; expected: human-validated Move/Pull Up/Push Down/Extract/Inline ... as line ranges (tree-sitter).
GITDIR is a copy of tsantalis/RefactoringMiner's git directory (blobs are read from it, nothing is copied).
An expectation is found if >= 50 % of its lines that carry meaning (whole moves: of the old method; extract/inline: of those
that stand unchanged at both ends) are paired (pairs, edited_pairs or a realigned `kept`) with lines of the new place.
Of several sources for one target (or targets for one source) one is enough.
The git column is `git diff --color-moved=zebra --color-moved-ws=allow-indentation-change`, both ends coloured (stored).
Also: nothing hidden (own check), replay, lines left to read, in-place whitespace-only pairs left, noise among the moves.
Shares no code with mvdiff."""

import argparse
import collections
import difflib
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from multiprocessing import Pool

ap = argparse.ArgumentParser()
ap.add_argument("binary")
ap.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "realmoves"))
ap.add_argument("--mirror", required=True)
ap.add_argument("--cases")
ap.add_argument("--json")
ap.add_argument("-j", type=int, default=2)
A = ap.parse_args() if __name__ == "__main__" else None
HERE = os.path.dirname(os.path.abspath(__file__))
D = json.loads(gzip.open((A and A.cases) or HERE + "/cases.json.gz", "rt").read())
sys.path.insert(0, HERE)
from lib import parse_diff, run, splitlines, substantive, text

PART = {"Extract Method", "Extract And Move Method", "Inline Method", "Move And Inline Method", "Move Code"}
IMP = re.compile(rb"^\s*(import|package|from .* import|#include|using |use |\} from )")
COM = re.compile(rb'^\s*(//|#|/?\*|\*/|""")')


def build(work, mirror, cases):
    R = work + "/cases.git"
    if os.path.exists(R + "/done"):
        return R
    shutil.rmtree(R, ignore_errors=True)
    os.makedirs(work, exist_ok=True)
    subprocess.run(["git", "init", "-q", "--bare", R], check=True)
    open(R + "/objects/info/alternates", "w").write(os.path.abspath(mirror) + "/objects\n")
    fi = subprocess.Popen(["git", "--git-dir", R, "fast-import", "--quiet"], stdin=subprocess.PIPE)
    for c in cases:
        for side in ("old", "new"):
            fi.stdin.write(
                f"commit refs/heads/{c['id']}/{side}\ncommitter a <a@b> 0 +0000\ndata 1\nx\ndeleteall\n".encode()
            )
            for f, s in c[side]:
                fi.stdin.write(f"M 100644 {s} {json.dumps(f) if ' ' in f else f}\n".encode())
            fi.stdin.write(b"\n")
    fi.stdin.close()
    assert fi.wait() == 0
    open(R + "/done", "w")
    return R


pr = {}


def cat(R, sha):
    p = pr.get(os.getpid()) or pr.setdefault(
        os.getpid(),
        subprocess.Popen(
            ["git", "--git-dir", R, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ),
    )
    p.stdin.write(sha.encode() + b"\n")
    p.stdin.flush()
    h = p.stdout.readline().split()
    d = p.stdout.read(int(h[2]))
    p.stdout.read(1)
    return d


def one(job):
    R, binary, c, exp, tmp0 = job
    tmp = tempfile.mkdtemp(dir=tmp0)
    try:
        a = c["id"] + "/old"
        b = c["id"] + "/new"
        g = run(["git", "--git-dir", R, "diff", a, b], out=tmp + "/p")
        m = run([binary, "effective", "--repo", R, "--format", "json", "-"], inp=tmp + "/p", out=tmp + "/j")
        r = dict(
            id=c["id"],
            gcpu=g[1],
            mcpu=m[1],
            V=collections.Counter(),
            N=collections.Counter(),
            hit=[0] * len(exp),
            ws=0,
            mv=0,
            replay=0,
            frag=0,
            nm=0,
        )
        if m[0]:
            r["V"]["exit %d" % m[0]] += 1
            return r
        rep = json.load(open(tmp + "/j"))
        minus, plus, ctx, files, _ = parse_diff(open(tmp + "/p", "rb").read())
        old = {f: splitlines(cat(R, s)) for f, s in c["old"]}
        new = {f: splitlines(cat(R, s)) for f, s in c["new"]}
        em, ep, _, _, dup = parse_diff(text(rep["effective_diff"]))
        V = r["V"]
        if dup:
            V["shown twice"] += dup
        for E, T in ((em, old), (ep, new)):
            for (f, n), t in E.items():
                if f not in T or n > len(T[f]) or T[f][n - 1] != t:
                    V["shown line is not in the file"] += 1
        ko = {}
        kn = {}
        po = {}
        pn = {}
        eo = {}
        bo = set()
        bn = set()
        for x, i, y, j, n in rep["kept"]:
            for k in range(n):
                if old[x][i + k - 1] != new[y][j + k - 1]:
                    V["kept lines differ"] += 1
                if (x, i + k) in ko or (y, j + k) in kn:
                    V["kept twice"] += 1
                ko[x, i + k] = (y, j + k)
                kn[y, j + k] = (x, i + k)
        for q in rep["moves"]:
            x = q["source_file"]
            y = q["target_file"]
            d = q.get("indent") or {}
            fr = text(d.get("from", ""))
            to = text(d.get("to", ""))
            ls = []
            for i, j, n in q["pairs"]:
                for k in range(n):
                    u = old[x][i + k - 1]
                    v = new[y][j + k - 1]
                    ls.append(u)
                    kd = q.get("kind", "move")
                    if kd != "copy":  # a copy's old end may serve again, a merge's new end
                        if (x, i + k) in po or (x, i + k) in ko:
                            V["end of two pairs"] += 1
                        po[x, i + k] = (y, j + k)
                    if kd != "merge":
                        if (y, j + k) in pn or (y, j + k) in kn:
                            V["end of two pairs"] += 1
                        pn[y, j + k] = (x, i + k)
                    us = u.rstrip()
                    vs = v.rstrip()
                    if us or vs:
                        if not (
                            us.startswith(fr) and vs.startswith(to) and us[len(fr) :] == vs[len(to) :]
                        ) and not ((x, i + k) in em and (y, j + k) in ep):
                            V["pair differs, not shown"] += 1
            for i, j in q["edited_pairs"]:
                ls.append(old[x][i - 1])
                eo[x, i] = (y, j)
                if (x, i) not in em or (y, j) not in ep:
                    V["edited pair not shown"] += 1
            for i in range(q["source_lines"][0], q["source_lines"][1] + 1):
                if not old[x][i - 1].strip():
                    bo.add((x, i))
            for i in range(q["target_lines"][0], q["target_lines"][1] + 1):
                if not new[y][i - 1].strip():
                    bn.add((y, i))
            sub = [l for l in ls if l.strip()]
            cr = "cross file" if x != y else "same file"
            if all(IMP.match(l) for l in sub):
                r["N"]["imports only, " + cr] += 1
            elif all(COM.match(l) or IMP.match(l) for l in sub):
                r["N"]["comments only"] += 1
            else:
                n = sum(substantive(l) for l in sub)
                r["N"]["code, 0-1 line" if n < 2 else "code, 2 lines" if n == 2 else "code, 3+ lines"] += 1
        # pieces: neighbours that one move could have told (same files, order and shift, at most 20 lines apart on both sides)
        ms = sorted(
            (q for q in rep["moves"] if q.get("kind", "move") == "move"),
            key=lambda q: (q["source_file"], q["target_file"], q["source_lines"]),
        )
        for p, q in zip(ms, ms[1:]):
            if (
                (p["source_file"], p["target_file"], p.get("indent"))
                == (q["source_file"], q["target_file"], q.get("indent"))
                and 0 < q["source_lines"][0] - p["source_lines"][1] <= 21
                and 0 < q["target_lines"][0] - p["target_lines"][1] <= 21
            ):
                r["frag"] += 1
        r["nm"] = len(ms)
        for sg, raw, E, K, PP, B, T in (("-", minus, em, ko, po, bo, old), ("+", plus, ep, kn, pn, bn, new)):
            for k in raw:
                if not (k in E or k in K or k in PP or k in B):
                    V["HIDDEN " + sg] += 1
            for f in {f for f, _ in raw}:
                for n in range(1, len(T[f]) + 1):
                    k = (f, n)
                    if not (k in E or k in K or k in PP or k in B):
                        V["nowhere " + sg] += 1
        pair = dict(po)
        pair.update(eo)
        for k, v in ko.items():
            if k in minus or v in plus:
                pair.setdefault(k, v)
        for n, e in enumerate(exp):
            for (sf, s1, s2), (df, d1, d2), den in e["m"]:
                h = sum(
                    1
                    for i in range(s1, s2 + 1)
                    if substantive(old[sf][i - 1])
                    and (sf, i) in pair
                    and pair[sf, i][0] == df
                    and d1 <= pair[sf, i][1] <= d2
                )
                if h >= 0.5 * den:
                    r["hit"][n] = 1
        # what is left though only white space in place / the place changed
        ws = set()
        wn = set()
        E = collections.defaultdict(list)
        Q = collections.defaultdict(list)
        for k in sorted(em):
            E[k[0]].append(k)
        for k in sorted(ep):
            Q[k[0]].append(k)
        for x, y in files:
            u = [k for k in E.get(x, []) if em[k].strip()]
            v = [k for k in Q.get(y, []) if ep[k].strip()]
            if not u or not v or len(u) * len(v) > 3e7:
                continue
            for i, j, n in difflib.SequenceMatcher(
                None, [em[k].strip() for k in u], [ep[k].strip() for k in v], autojunk=False
            ).get_matching_blocks():
                for k in range(n):
                    if em[u[i + k]] != ep[v[j + k]] and substantive(em[u[i + k]]):
                        ws.add(u[i + k])
                        wn.add(v[j + k])
        wm, wp, _, _, _ = parse_diff(
            subprocess.run(["git", "--git-dir", R, "diff", "-w", a, b], capture_output=True).stdout
        )
        r["wleft"] = len(wm) + len(wp)
        r["ws"] = len(ws)
        r["raw"] = len(minus) + len(plus)
        r["left"] = len(em) + len(ep)
        r["moves"] = len(rep["moves"])
        r["complete"] = rep["complete"]
        # replay
        for f, s in c["old"]:
            p = f"{tmp}/o/{f}"
            os.makedirs(os.path.dirname(p), exist_ok=True)
            open(p, "wb").write(cat(R, s))
        os.makedirs(tmp + "/o", exist_ok=True)
        os.makedirs(tmp + "/n")
        rc = run([binary, "replay", "--old", tmp + "/o", "--out", tmp + "/n", tmp + "/j"], out=tmp + "/x")[0]
        om = dict(c["old"])
        for f, s in c["new"]:
            if om.get(f) != s and (
                rc or not os.path.exists(f"{tmp}/n/{f}") or open(f"{tmp}/n/{f}", "rb").read() != cat(R, s)
            ):
                r["replay"] = 1
        return r
    finally:
        shutil.rmtree(tmp, ignore_errors=True)


def main():
    os.nice(10)
    R = build(A.work, A.mirror, D["cases"])
    ex = collections.defaultdict(list)
    for e in D["expected"]:
        ex[e["case"]].append(e)
    cs = D["cases"]
    with Pool(A.j) as P:
        res = P.map(one, [(R, os.path.abspath(A.binary), c, ex[c["id"]], A.work) for c in cs], chunksize=4)
    rows = []
    for r in res:
        for e, h in zip(ex[r["id"]], r["hit"]):
            rows.append(dict(e, hit=h))

    def size(n):
        return "1-2" if n <= 2 else "3-5" if n <= 5 else "6-10" if n <= 10 else ">10"

    def table(title, rows, key):
        print(f"\n{title:34}{'n':>6}{'found':>8}{'git':>8}{'by commit':>11}")
        d = collections.defaultdict(list)
        for x in rows:
            d[key(x)].append(x)
        for k in sorted(d):
            v = d[k]
            n = len(v)
            c = collections.defaultdict(list)
            for x in v:
                c[x["case"]].append(x["hit"])
            print(
                f"{k:34}{n:6}{100 * sum(x['hit'] for x in v) / n:7.1f}%{100 * sum(x['git'] for x in v) / n:7.1f}%{100 * sum(sum(y) / len(y) for y in c.values()) / len(c):10.1f}%"
            )

    pres = [x for x in rows if x["place"] != "rewritten"]
    whole = [x for x in pres if x["type"] not in PART]
    part = [x for x in pres if x["type"] in PART]
    table("by type", pres, lambda x: x["type"])
    table("whole moves (method, field, class)", whole, lambda x: x["place"])
    table("  by size", whole, lambda x: size(x["den"]).rjust(5))
    table("partial (extract, inline, code)", part, lambda x: x["place"])
    table("  by size", part, lambda x: size(x["den"]).rjust(5))
    table("by language", pres, lambda x: x["lang"])
    table(
        "rewritten (<50% of lines the same)",
        [x for x in rows if x["place"] == "rewritten"],
        lambda x: size(x["den"]).rjust(5),
    )
    table("all", pres, lambda x: "whole" if x["type"] not in PART else "partial")
    V = sum((r["V"] for r in res), collections.Counter())
    N = sum((r["N"] for r in res), collections.Counter())
    n = len(res)
    ok = [r for r in res if "raw" in r]
    print(
        f"\ncommits {n}; hidden-change violations {dict(V) or 0}; replay not exact in {sum(r['replay'] for r in res)} (of them said incomplete: {sum(r['replay'] and not r.get('complete', True) for r in res)})"
    )
    q = sorted(r["left"] / max(1, r["raw"]) for r in ok)
    print(
        f"lines left / raw: {sum(r['left'] for r in ok)}/{sum(r['raw'] for r in ok)} = {sum(r['left'] for r in ok) / sum(r['raw'] for r in ok):.3f}; quartiles {q[len(q) // 4]:.2f} {q[len(q) // 2]:.2f} {q[3 * len(q) // 4]:.2f}"
    )
    print(
        f"in-place lines of which only white space changed, left as -/+: {sum(r['ws'] for r in ok)} pairs, in {sum(r['ws'] >= 3 for r in ok)} commits 3 or more"
    )
    w = [r for r in ok if r["left"] > r["wleft"]]
    print(
        f"commits in which plain `git diff -w` leaves less to read: {len(w)} of {len(ok)}; lines left / git diff -w: {sum(r['left'] for r in ok)}/{sum(r['wleft'] for r in ok)}"
    )
    t = max(1, sum(N.values()))
    print("moves", t, ", ".join(f"{k} {v} ({100 * v / t:.1f}%)" for k, v in N.most_common()))
    print(
        f"moves that are a piece of their neighbour: {sum(r['frag'] for r in ok)} of {sum(r['nm'] for r in ok)} ({100 * sum(r['frag'] for r in ok) / max(1, sum(r['nm'] for r in ok)):.1f}%)"
    )
    x = sorted(r["mcpu"] / max(r["gcpu"], 0.001) for r in ok)
    print(
        f"CPU: mvdiff {sum(r['mcpu'] for r in ok):.1f} s, git {sum(r['gcpu'] for r in ok):.1f} s, median ratio {x[len(x) // 2]:.1f}, worst {max(r['mcpu'] for r in ok):.2f} s"
    )
    if A.json:
        json.dump(rows, open(A.json, "w"))


if __name__ == "__main__":
    main()
