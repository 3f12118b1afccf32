#!/usr/bin/env python3
"""judge.py MVDIFF MIRRORS [--openpyxl] [--cases FILE]: the real cases of cases.jsonl, one line each and totals; lower is better everywhere but in 'ok'.
Blobs come from copies of the public repositories: MIRRORS/owner+name/repo is a git directory; one that is missing is skipped and named.
  col=      columns removed and added at the same letter        row1=  rows removed and added with the same first text, once each
  ftext=    formula 'edits' with the same text at the same address
  same@=    moves to where they were    merge=  merges undone and redone    [n]=   names or formulas that differ only in the number of a link
  look=     number edits that look the same at 15 digits, or within 1e-12   vac=  edits 'from empty' at the source of a moved rectangle
  kinds=    formula edits, and how many R1C1 kinds they are     replay= refused/bad/ok    silent= exit 0 and no word on files that differ"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
MV = sys.argv[1]
MIR = sys.argv[2]
OPX = "--openpyxl" in sys.argv
CASES = sys.argv[sys.argv.index("--cases") + 1] if "--cases" in sys.argv else here + "/cases.jsonl"
if OPX:
    sys.path.insert(0, here)
    import warnings

    warnings.filterwarnings("ignore")
    from dump import dump


def rc(a):
    m = re.match(r"([A-Z]+)(\d+)$", a)
    n = 0
    for ch in m.group(1):
        n = n * 26 + ord(ch) - 64
    return int(m.group(2)) - 1, n - 1


REF = re.compile(r"(\$?)([A-Z]{1,3})(\$?)(\d+)(?![\d(A-Za-z_])")


def r1c1(f, addr):
    r, c = rc(addr)

    def s(m):
        return ("C" + m.group(2) if m.group(1) else "C[%d]" % (rc(m.group(2) + "1")[1] - c)) + (
            "R" + m.group(4) if m.group(3) else "R[%d]" % (int(m.group(4)) - 1 - r)
        )

    return REF.sub(s, f)


nolink = lambda x: re.sub(r"\[\d+\]", "[]", json.dumps(x))
T = collections.Counter()
with tempfile.TemporaryDirectory() as d:
    for l in open(CASES):
        c = json.loads(l)
        if not os.path.isdir(MIR + "/" + c["repo"].replace("/", "+", 1) + "/repo"):
            T["no copy of " + c["repo"]] += 1
            continue
        ext = c["path"].rsplit(".", 1)[-1].lower()
        f = {}
        for w in ("old", "new"):
            f[w] = f"{d}/{w}.{ext}"
            with open(f[w], "wb") as o:
                subprocess.run(
                    [
                        "git",
                        "--git-dir",
                        MIR + "/" + c["repo"].replace("/", "+", 1) + "/repo",
                        "cat-file",
                        "blob",
                        c[w],
                    ],
                    stdout=o,
                )
        t = time.time()
        q = subprocess.run([MV, "diff", "--format", "json", f["old"], f["new"]], capture_output=True)
        s = time.time() - t
        T["cases"] += 1
        if q.returncode == 2:
            print(c["name"], "refused", q.stderr.decode()[-90:].strip())
            T["refused"] += 1
            continue
        j = json.loads(q.stdout)
        m = collections.Counter()
        by = collections.defaultdict(lambda: collections.defaultdict(list))
        for o in j["ops"]:
            by[o.get("sheet")][o["kind"]].append(o)
        kinds = set()
        for sh, k in by.items():
            m["col"] += len(
                {o["col_idx"] for o in k["ColumnRemoved"]} & {o["col_idx"] for o in k["ColumnAdded"]}
            )
            first = lambda o: next(
                (x["value"] for x in o["cells"] if x["type"] == "text" and isinstance(x["value"], str)), None
            )
            a, b = (
                collections.Counter(map(first, k["RowRemoved"])),
                collections.Counter(map(first, k["RowAdded"])),
            )
            m["row1"] += sum(1 for x in a if x is not None and a[x] == 1 and b.get(x) == 1)
            rects = [
                (
                    o["src_start_row"],
                    o["src_start_row"] + o["row_count"],
                    o["src_start_col"],
                    o["src_start_col"] + o["col_count"],
                )
                for o in k["BlockMovedRect"]
            ]
            m["same@"] += sum(
                (o["src_start_row"], o["src_start_col"]) == (o["dst_start_row"], o["dst_start_col"])
                for o in k["BlockMovedRect"]
            )
            strip = lambda o: json.dumps({x: o[x] for x in o if x != "kind"}, sort_keys=True)
            m["merge"] += len(set(map(strip, k["MergeRemoved"])) & set(map(strip, k["MergeAdded"])))
            m["[n]"] += sum(
                o.get("from") != o.get("to") and nolink(o.get("from")) == nolink(o.get("to"))
                for o in k["NameChanged"]
            )
            for o in k["CellEdited"]:
                x, y = o["from"], o["to"]
                fx, fy = x.get("formula"), y.get("formula")
                if fx and fy:
                    if fx == fy and o["addr"] == o["from_addr"]:
                        m["ftext"] += 1
                    elif fx != fy:
                        m["fedit"] += 1
                        kinds.add((sh, r1c1(fx, o["from_addr"]), r1c1(fy, o["addr"])))
                        if nolink(fx) == nolink(fy):
                            m["[n]"] += 1
                elif x["type"] == y["type"] == "number" and not fx and not fy:
                    u, v = x["value"], y["value"]
                    if "%.15g" % u == "%.15g" % v or (u and v and abs(u - v) <= 1e-12 * max(abs(u), abs(v))):
                        m["look"] += 1
                if x["type"] == "empty" and rects:
                    r, cc = rc(o["from_addr"])
                    m["vac"] += any(p <= r < e and g <= cc < h for p, e, g, h in rects)
        m["kinds"] = len(kinds)
        a = subprocess.run(
            [MV, "replay", f["old"], "-", "-o", d + "/again.xlsx"], input=q.stdout, capture_output=True
        )
        rep = "refused" if a.returncode else "written"
        if OPX and rep == "written" and ext != "xls" and len(q.stdout) < 3e7:
            try:
                A, _ = dump(d + "/again.xlsx")
                N, _ = dump(f["new"])
                nf = lambda v: re.sub(r"\s+", "", v).lower() if isinstance(v, str) and v[:1] in "={" else v
                bad = sum(
                    1
                    for sh in set(A) | set(N)
                    for k in set(A.get(sh, {})) | set(N.get(sh, {}))
                    if nf(A.get(sh, {}).get(k)) != nf(N.get(sh, {}).get(k))
                )
                rep = "ok" if not bad else f"bad({bad})"
            except Exception as e:
                rep = "written, openpyxl: " + type(e).__name__
        T["replay " + re.sub(r"\(.*|,.*", "", rep)] += 1
        if q.returncode == 0:
            said = subprocess.run(
                [MV, "diff", "--format", "terminal", f["old"], f["new"]], capture_output=True
            )
            if not (said.stdout + said.stderr).strip():
                m["silent"] = 1
        T["ops"] += len(j["ops"])
        T["incomplete"] += not j["complete"]
        for k, v in m.items():
            T[k] += v
        print(
            c["name"],
            c["repo"].split("/")[1][:18],
            ",".join(c["tags"]),
            f"ops={len(j['ops'])}",
            " ".join(f"{k}={v}" for k, v in m.items() if v),
            "replay=" + rep,
            f"{s:.1f}s",
            "" if j["complete"] else "INCOMPLETE",
            flush=True,
        )
print(dict(T))
