#!/usr/bin/env python3
"""movebench scorer.

  python3 score.py CASES_DIR predictions.json [--json out.json] [--only cat,cat] [--check]

predictions.json: {case_id: P}; P is a list of moves
  {src_file,src_start,src_end,dst_file,dst_start,dst_end[,pairs:[[o,n]..]]}  (1-based, inclusive)
or an object {"moves":[..], "kept":[[src_file,src_start,dst_file,dst_start,len]..], "marked":{"old":{f:[..]},"new":{f:[..]}}}.
 kept   = the tool's own base alignment (default: context lines of diff.patch, i.e. git's)
 marked = side-only claims of tools without pairing (git --color-moved)
Inside a range, lines equal after strip() (LCS) are claimed verbatim-moved; the rest stays to be reviewed.

Metrics (non-blank lines only, both sides summed):
 relevant = -/+ lines of the base diff whose content truly survived elsewhere (or is a true copy)
 P,R,F1   = claims vs relevant;  pairP = claimed (old,new) pairs that are exactly the true pair
 left     = -/+ lines not claimed (what a reviewer still reads); ideal = truly changed/new/deleted lines
 ctx      = edited lines inside true moves that one predicted move covers on both sides; frag = predicted moves / true moves
 exact    = cases with no wrong and no missing line
 hidden   = claimed lines that did NOT survive (real changes hidden from review)
"""

import argparse
import collections
import difflib
import json
import os
import re


def lines(case, side, f):
    try:
        t = open(os.path.join(case, side, f), encoding="utf-8").read()
    except FileNotFoundError:
        return []
    return t.split("\n")[:-1]


def tree(case, side):
    out = {}
    for dp, dn, fn in os.walk(os.path.join(case, side)):
        for x in fn:
            p = os.path.relpath(os.path.join(dp, x), os.path.join(case, side))
            out[p] = lines(case, side, p)
    return out


def base_from_patch(case):
    """sets of '-' and '+' line positions of diff.patch"""
    R, A = set(), set()
    f = g = None
    o = n = 0
    left = (0, 0)
    for l in open(os.path.join(case, "diff.patch"), encoding="utf-8").read().split("\n"):
        if left[0] > 0 or left[1] > 0:
            a, b = left
            if l.startswith("-"):
                R.add((f, o))
                o += 1
                left = (a - 1, b)
            elif l.startswith("+"):
                A.add((g, n))
                n += 1
                left = (a, b - 1)
            elif l.startswith("\\"):
                pass
            else:
                o += 1
                n += 1
                left = (a - 1, b - 1)
            continue
        if l.startswith("--- "):
            f = l[4:].removeprefix("a/")
        elif l.startswith("+++ "):
            g = l[4:].removeprefix("b/")
        m = re.match(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", l)
        if m:
            o, n = int(m[1]), int(m[3])
            left = (int(m[2] or 1), int(m[4] or 1))
    return R, A


def range_pairs(old, new, m):
    if m.get("pairs"):
        return [tuple(p) for p in m["pairs"]]
    a = [x.strip() for x in old.get(m["src_file"], [])[m["src_start"] - 1 : m["src_end"]]]
    b = [x.strip() for x in new.get(m["dst_file"], [])[m["dst_start"] - 1 : m["dst_end"]]]
    out = []
    for x, y, k in difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
        out += [(m["src_start"] + x + i, m["dst_start"] + y + i) for i in range(k)]
    return out


def score_case(case, pred):
    t = json.load(open(os.path.join(case, "truth.json")))
    old, new = tree(case, "old"), tree(case, "new")
    if isinstance(pred, list):
        pred = {"moves": pred}
    nbo = {(f, i + 1) for f, L in old.items() for i, x in enumerate(L) if x.strip()}
    nbn = {(f, i + 1) for f, L in new.items() for i, x in enumerate(L) if x.strip()}
    if pred.get("kept") is not None:
        R, A = set(nbo), set(nbn)
        for f, o, g, n, k in pred["kept"]:
            for i in range(k):
                R.discard((f, o + i))
                A.discard((g, n + i))
    else:
        R, A = base_from_patch(case)
    R &= nbo
    A &= nbn
    so, sn = {}, {}
    for f, o, g, n, k in t["line_map"]:
        for i in range(k):
            so[(f, o + i)] = (g, n + i)
            sn[(g, n + i)] = (f, o + i)
    cp = {(g, n): (f, o) for f, o, g, n in t["copies"]}
    co, cn, pairs = set(), set(), set()
    for m in pred.get("moves", []):
        for o, n in range_pairs(old, new, m):
            a, b = (m["src_file"], o), (m["dst_file"], n)
            if a in R:
                co.add(a)
            if b in A:
                cn.add(b)
            if (a in R or b in A) and a in nbo:
                pairs.add((a, b))
    # edited lines inside true moves: does ONE predicted move cover both sides (so the edit can be shown in place)?
    inner = [
        (f, o, g, n)
        for f, o, g, n in t["changed_pairs"]
        if any(
            m["src_file"] == f
            and m["dst_file"] == g
            and m["src_start"] <= o <= m["src_end"]
            and m["dst_start"] <= n <= m["dst_end"]
            for m in t["moves"]
        )
    ]
    ctx = sum(
        any(
            m["src_file"] == f
            and m["dst_file"] == g
            and m["src_start"] - 1 <= o <= m["src_end"] + 1
            and m["dst_start"] - 1 <= n <= m["dst_end"] + 1
            for m in pred.get("moves", [])
        )
        for f, o, g, n in inner
    )
    mk = pred.get("marked")
    if mk:
        co |= {(f, o) for f, L in mk["old"].items() for o in L} & R
        cn |= {(f, o) for f, L in mk["new"].items() for o in L} & A
    tpo = {x for x in co if x in so}
    tpn = {x for x in cn if x in sn or x in cp}
    rel = sum(x in so for x in R) + sum(x in sn or x in cp for x in A)
    return {
        "cat": t["category"],
        "lang": t["lang"],
        "tp": len(tpo) + len(tpn),
        "claim": len(co) + len(cn),
        "rel": rel,
        "pair_ok": sum(so.get(a) == b or cp.get(b) == a for a, b in pairs),
        "pairs": len(pairs),
        "left": len(R - co) + len(A - cn),
        "raw": len(R) + len(A),
        "ideal": t["ideal_review_lines"],
        "ctx": ctx,
        "ctxN": len(inner),
        "nm": len(pred.get("moves", [])),
        "nmT": len(t["moves"]),
        "exact": int(len(tpo) + len(tpn) == rel == len(co) + len(cn)),
    }


def agg(rows):
    s = collections.Counter()
    for r in rows:
        for k, v in r.items():
            if isinstance(v, int):
                s[k] += v
    P = s["tp"] / s["claim"] if s["claim"] else 1.0
    Rc = s["tp"] / s["rel"] if s["rel"] else 1.0
    return {
        "n": len(rows),
        "P": P,
        "R": Rc,
        "F1": 2 * P * Rc / (P + Rc) if P + Rc else 0,
        "pairP": s["pair_ok"] / s["pairs"] if s["pairs"] else None,
        "hidden": s["claim"] - s["tp"],
        "left": s["left"],
        "raw": s["raw"],
        "ideal": s["ideal"],
        "exact": s["exact"],
        "ctx": s["ctx"] / s["ctxN"] if s["ctxN"] else None,
        "frag": s["nm"] / s["nmT"] if s["nmT"] else None,
    }


def fmt(n, a):
    pp = "  -  " if a["pairP"] is None else "%5.1f" % (100 * a["pairP"])
    cx = "  -  " if a["ctx"] is None else "%5.1f" % (100 * a["ctx"])
    fr = "  -  " if a["frag"] is None else "%5.2f" % a["frag"]
    return "%-14s %4d  %5.1f %5.1f %5.1f  %s %6d  %6d %6d %6d  %5.1f%%  %4d  %s %s" % (
        n,
        a["n"],
        100 * a["P"],
        100 * a["R"],
        100 * a["F1"],
        pp,
        a["hidden"],
        a["raw"],
        a["left"],
        a["ideal"],
        100 * (a["raw"] - a["left"]) / max(1, a["raw"] - a["ideal"]),
        a["exact"],
        cx,
        fr,
    )


def check(case):
    t = json.load(open(os.path.join(case, "truth.json")))
    old, new = tree(case, "old"), tree(case, "new")
    src = {}
    for f, o, g, n, k in t["line_map"]:
        for i in range(k):
            assert old[f][o + i - 1].strip() == new[g][n + i - 1].strip(), (case, f, o + i)
            assert (g, n + i) not in src
            src[(g, n + i)] = 1
    for f, o, g, n in t["copies"]:
        assert old[f][o - 1].strip() == new[g][n - 1].strip()
        src[(g, n)] = 1
    for f, o, g, n in t["changed_pairs"]:
        assert old[f][o - 1].strip() != new[g][n - 1].strip()
        src[(g, n)] = 1
    for g, L in t["new_lines"].items():
        for n in L:
            assert (g, n) not in src
            src[(g, n)] = 1
    for g, L in new.items():
        for i, x in enumerate(L):
            assert not x.strip() or (g, i + 1) in src, (case, g, i + 1)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("cases")
    a.add_argument("pred", nargs="?")
    a.add_argument("--json")
    a.add_argument("--only")
    a.add_argument("--check", action="store_true")
    a = a.parse_args()
    ids = sorted(x for x in os.listdir(a.cases) if os.path.exists(os.path.join(a.cases, x, "truth.json")))
    if a.check:
        for i in ids:
            check(os.path.join(a.cases, i))
        print("truth consistent for", len(ids), "cases")
        return
    pred = json.load(open(a.pred))
    rows = {}
    for i in ids:
        r = score_case(os.path.join(a.cases, i), pred.get(i, []))
        if not a.only or r["cat"] in a.only.split(","):
            rows[i] = r
    by = collections.defaultdict(list)
    for r in rows.values():
        by[r["cat"]].append(r)
    print(
        "%-14s %4s  %5s %5s %5s  %5s %6s  %6s %6s %6s  %6s  %4s  %5s %5s"
        % (
            "category",
            "n",
            "P",
            "R",
            "F1",
            "pairP",
            "hidden",
            "raw",
            "left",
            "ideal",
            "saved",
            "exact",
            "ctx",
            "frag",
        )
    )
    for c in sorted(by):
        print(fmt(c, agg(by[c])))
    same = [r for r in rows.values() if r["cat"] in SAME]
    if same:
        print(fmt("SAME-FILE", agg(same)))
    print(fmt("ALL", agg(list(rows.values()))))
    if a.json:
        json.dump(
            {
                "all": agg(list(rows.values())),
                "same": agg(same) if same else None,
                "by": {c: agg(v) for c, v in by.items()},
                "rows": rows,
            },
            open(a.json, "w"),
        )


SAME = {
    "reorder",
    "swap_edit",
    "indent_same",
    "edit1_same",
    "edit2_same",
    "editN_same",
    "sig_same",
    "adjnew_same",
    "reorg",
    "small_move",
    "lines",
    "real_same",
}
if __name__ == "__main__":
    main()
