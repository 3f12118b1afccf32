#!/usr/bin/env python3
"""Runs `mvdiff apply` over the edits of gen.py: right / refused / wrong, per kind.

  run.py BIN OUT [--threshold X ...] [--form roo|cline|aider|codex|strings|udiff] [--limit N] [--json FILE]

wrong: the file was changed and is not the commit's (white space aside where it means nothing), or success was claimed and nothing
was done. A wrong edit is the worst outcome there is. `refuse` kinds are right when refused."""

import argparse
import ast
import collections
import difflib
import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

ap = argparse.ArgumentParser()
ap.add_argument("bin")
ap.add_argument("out")
ap.add_argument("--threshold", action="append")
ap.add_argument("--form", default="roo")
ap.add_argument("--limit", type=int)
ap.add_argument("--json")
A = ap.parse_args()
B = os.path.abspath(A.bin)
U = [json.loads(l) for l in open(A.out + "/units.jsonl")]
if A.limit:
    U = U[:: max(1, len(U) // A.limit)]
_t = {}


def text(h):
    if h not in _t:
        _t[h] = open(f"{A.out}/texts/{h}", newline="").read()
    return _t[h]


def body(ls):
    return "".join(l + "\n" for l in ls)


def chunk(u):
    """SEARCH against REPLACE as lines of ' ', '-' and '+'."""
    out = []
    for tag, a, b, c, d in difflib.SequenceMatcher(
        None, u["search"], u["replace"], autojunk=False
    ).get_opcodes():
        if tag == "equal":
            out += [" " + l for l in u["search"][a:b]]
        else:
            out += ["-" + l for l in u["search"][a:b]] + ["+" + l for l in u["replace"][c:d]]
    return body(out)


def write(u, form, name):
    hint = f":start_line:{u['hint']}\n-------\n" if u["hint"] and form == "roo" else ""
    s, r = body(u["search"]), body(u["replace"])
    if form == "roo":
        return f"<<<<<<< SEARCH\n{hint}{s}=======\n{r}>>>>>>> REPLACE\n"
    if form == "cline":
        return f"------- SEARCH\n{s}=======\n{r}+++++++ REPLACE\n"
    if form == "aider":
        return f"Here is the change:\n\n{name}\n```\n<<<<<<< SEARCH\n{s}=======\n{r}>>>>>>> REPLACE\n```\n"
    if form == "codex":
        return f"*** Begin Patch\n*** Update File: {name}\n@@\n{chunk(u)}*** End Patch\n"
    if form == "strings":
        return json.dumps(
            {"file_path": name, "old_string": "\n".join(u["search"]), "new_string": "\n".join(u["replace"])}
        )
    return f"--- a/{name}\n+++ b/{name}\n@@ ... @@\n{chunk(u)}"


def squeeze(t):
    return "\n".join(" ".join(l.split()) for l in t.split("\n") if l.strip())


def judge(u, out, ok):
    old, true = text(u["orig"]), text(u["truth"])
    if not ok or out is None:
        return "refused"
    if u["refuse"] or out == old:
        return "wrong"
    if out.rstrip("\n") == true.rstrip("\n"):
        return "right"
    if squeeze(out) == squeeze(true):
        if u["ext"] != ".py":
            return "right"
        try:
            t = ast.dump(ast.parse(true))
        except SyntaxError:
            return "right"
        try:
            return "right" if ast.dump(ast.parse(out)) == t else "wrong"
        except SyntaxError:
            return "wrong"
    if (
        u["pert"][0] in "efg"
        and not u["pert"].startswith("f2")
        and sorted(out.split("\n")) == sorted(true.split("\n"))
    ):
        return "right"
    return "wrong"


def one(args):
    u, opts = args
    with tempfile.TemporaryDirectory() as d:
        name = "f" + u["ext"]
        open(f"{d}/{name}", "w", newline="").write(text(u["orig"]))
        open(d + "/edit", "w", newline="").write(write(u, A.form, name))
        single = A.form in ("roo", "cline")
        cmd = [B, "apply", "--format", "json", *opts] + (
            ["--stdout", "edit", name] if single else ["--root", ".", "edit"]
        )
        r = subprocess.run(
            cmd, cwd=d, capture_output=True, env={**os.environ, "XDG_STATE_HOME": d + "/state"}
        )
        if single:
            try:
                out = (json.loads(r.stdout).get("files") or [{}])[0].get("content")
            except ValueError:
                out = None
        else:
            out = open(f"{d}/{name}", newline="").read()
        return judge(u, out, r.returncode == 0)


res = {}
for t in A.threshold or [None]:
    opts = ["--threshold", t] if t else []
    with ThreadPoolExecutor(2) as ex:
        got = list(ex.map(one, [(u, opts) for u in U]))
    res[t or "default"] = got
kinds = sorted({u["pert"] for u in U})
print(f"{'kind':30}" + "".join(f"{k:>20}" for k in res) + "   right / refused / wrong")
total = {k: collections.Counter() for k in res}
for p in kinds:
    row = f"{p:30}"
    for k, got in res.items():
        c = collections.Counter(g for u, g in zip(U, got) if u["pert"] == p)
        if not p.startswith("g3"):
            total[k].update(c)
        row += f"{c['right']}/{c['refused']}/{c['wrong']}".rjust(20)
    print(row)
print(
    f"{'all but g3':30}"
    + "".join(f"{c['right']}/{c['refused']}/{c['wrong']}".rjust(20) for c in total.values())
)
if A.json:
    json.dump(
        {k: [[u["n"], u["pert"], g] for u, g in zip(U, got)] for k, got in res.items()}, open(A.json, "w")
    )
