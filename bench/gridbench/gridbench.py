"""Workbook pairs with known truth, and an independent judge of a report on them.

A pair is made by changing a model table the way a person changes a sheet (rows moved, inserted,
removed, cells edited, columns moved ...), with formulas following the cells they name as Excel does.
The judge replays the report's JSON on the old workbook and compares with the new one, then compares
its moves and edits with the truth. It shares no code with the project.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

COL = lambda c: (COL(c // 26 - 1) if c >= 26 else "") + chr(65 + c % 26)
WORDS = [
    "amber",
    "basalt",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "harbor",
    "iris",
    "juniper",
    "kelp",
    "lumen",
    "maple",
    "nectar",
    "onyx",
    "prairie",
    "quartz",
    "raven",
    "sable",
    "tundra",
    "umber",
    "violet",
    "willow",
    "xenon",
    "yarrow",
    "zephyr",
]


def col_index(name):
    n = 0
    for ch in name:
        n = n * 26 + ord(ch) - 64
    return n - 1


class Row:
    __slots__ = ("cells",)

    def __init__(self, cells):
        self.cells = cells


class Table:
    """Rows and columns have identities, so that formulas can follow them."""

    def __init__(self, rng, nrows, ncols, formulas):
        self.rng = rng
        self.cols = list(range(ncols))
        self.next_col = ncols
        self.rows = []
        self.next_row = 0
        self.cell = {}  # (row id, col id) -> value or ("f", parts)
        self.formulas = formulas
        self.header = self.new_row(header=True)
        self.rows.append(self.header)
        for _ in range(nrows - 1):
            self.rows.append(self.new_row())
        self.total = None
        if formulas:
            r = self.next_row
            self.next_row += 1
            first, last = self.rows[1], self.rows[-1]
            for c in self.cols:
                self.cell[(r, c)] = "Total" if c == 0 else ""
            c = self.cols[2]
            self.cell[(r, c)] = ("f", ["=SUM(", (first, c), ":", (last, c), ")"])
            self.rows.append(r)
            self.total = r

    def new_row(self, header=False):
        r = self.next_row
        self.next_row += 1
        for c in self.cols:
            self.cell[(r, c)] = self.value(r, c, header)
        return r

    def value(self, r, c, header=False):
        g = self.rng
        if header:
            return f"{WORDS[c % len(WORDS)]}_{c}"
        k = c % 6
        if c == 0:
            return 1000 + r * 7 + g.randrange(3)
        if k == 1:
            return f"{g.choice(WORDS)} {g.choice(WORDS)} {g.randrange(10**4)}"
        if k == 2:
            return round(g.random() * 1000, 2)
        if k == 3:
            return g.randrange(50)
        if k == 4:
            return g.choice(["open", "closed", "pending"])
        if k == 5 and self.formulas:
            return ("f", ["=", (r, self.cols[2]), "*", (r, self.cols[3]), "+1"])
        return g.random() < 0.5

    def render(self):
        rpos = {r: i for i, r in enumerate(self.rows)}
        cpos = {c: i for i, c in enumerate(self.cols)}
        out = {}
        for r in self.rows:
            for c in self.cols:
                v = self.cell[(r, c)]
                if isinstance(v, tuple):
                    v = "".join(
                        p if isinstance(p, str) else f"{COL(cpos[p[1]])}{rpos[p[0]] + 1}" for p in v[1]
                    )
                if v != "":
                    out[(rpos[r], cpos[c])] = v
        return out


def make_case(seed, kind):
    g = random.Random(f"{kind}/{seed}")
    formulas = kind == "formulas"
    nrows = g.randrange(24, 120)
    ncols = g.randrange(6, 14)
    t = Table(g, nrows, ncols, formulas)
    old = t.render()
    old_rows, old_cols = list(t.rows), list(t.cols)
    protected = {t.header} | ({t.total} if t.total is not None else set())
    if formulas:
        protected |= {t.rows[1], t.rows[-2]}
    body = lambda: [i for i, r in enumerate(t.rows) if r not in protected]
    edits, moved_rows, moved_cols, rects = set(), [], [], []

    def edit(r, n=1):
        for _ in range(n):
            for _ in range(50):
                c = g.choice(t.cols)
                v = t.cell[(r, c)]
                if isinstance(v, tuple) or (r, c) in edits:
                    continue
                if isinstance(v, bool):
                    nv = not v
                elif isinstance(v, (int, float)):
                    nv = v + 1 + g.randrange(9)
                else:
                    nv = f"edited {g.randrange(10**6)}"
                t.cell[(r, c)] = nv
                edits.add((r, c))
                break

    def move_rows(n, edited):
        idx = body()
        lo, hi = idx[0], idx[-1]
        for _ in range(200):
            s = g.randrange(lo, hi - n + 2)
            block = t.rows[s : s + n]
            if len(block) < n or any(b in protected for b in block):
                continue
            if any(b in m for b in block for m in moved_rows):
                continue
            at = [old_rows.index(b) if b in old_rows else -9 for b in block]
            if at != list(range(at[0], at[0] + n)):
                continue
            rest = t.rows[:s] + t.rows[s + n :]
            lo2, hi2 = lo, hi - n + 1
            d = g.randrange(lo2, hi2 + 1)
            if abs(d - s) < max(2 * n, 6):
                continue
            if any(rest[d - 1] in m and d < len(rest) and rest[d] in m for m in moved_rows):
                continue
            t.rows = rest[:d] + block + rest[d:]
            moved_rows.append(block)
            for r in g.sample(block, min(edited, n)):
                edit(r)
            return
        raise RuntimeError("no place for a move")

    def insert_rows(n):
        for _ in range(n):
            inside = lambda i: any(t.rows[i - 1] in m and t.rows[i] in m for m in moved_rows)
            i = g.choice([i for i in body() if not inside(i)])
            r = t.new_row()
            t.rows.insert(i, r)

    def remove_rows(n):
        for _ in range(n):
            cand = [i for i in body() if not any(t.rows[i] in m for m in moved_rows)]
            t.rows.pop(g.choice(cand))

    def move_col():
        s = g.randrange(1, len(t.cols))
        c = t.cols.pop(s)
        d = g.choice([x for x in range(1, len(t.cols) + 1) if abs(x - s) >= 2])
        t.cols.insert(d, c)
        moved_cols.append([c])

    def add_col():
        c = t.next_col
        t.next_col += 1
        t.cols.insert(g.randrange(1, len(t.cols)), c)
        for r in t.rows:
            t.cell[(r, c)] = f"new {r} {g.randrange(1000)}"

    if kind == "exact_move":
        move_rows(g.randrange(3, 9), 0)
    elif kind == "fuzzy_move":
        move_rows(g.randrange(4, 9), g.randrange(1, 3))
    elif kind == "multi_move":
        for _ in range(3):
            move_rows(g.randrange(3, 6), g.randrange(0, 2))
    elif kind == "move_and_noise":
        move_rows(g.randrange(4, 8), 1)
        insert_rows(3)
        remove_rows(2)
        for r in g.sample([t.rows[i] for i in body()], 4):
            edit(r)
    elif kind == "in_place":
        for r in g.sample([t.rows[i] for i in body()], 6):
            edit(r)
    elif kind == "insert_remove":
        insert_rows(4)
        remove_rows(4)
    elif kind == "col_move":
        move_col()
    elif kind == "col_add":
        add_col()
        for r in g.sample([t.rows[i] for i in body()], 3):
            edit(r)
    elif kind == "formulas":
        move_rows(g.randrange(3, 7), 1)
    elif kind == "rect":
        h, w, r0, c0 = 4, 3, g.randrange(3, 8), 2
        r1, c1 = r0 + h + g.randrange(4, 10), ncols + 1
        while len(t.cols) < c1 + w:
            t.cols.append(t.next_col)
            t.next_col += 1
        for r in t.rows:
            for c in t.cols:
                t.cell.setdefault((r, c), "")
        old_cols = list(t.cols)
        old = t.render()
        for i in range(h):
            for j in range(w):
                a, b = (t.rows[r0 + i], t.cols[c0 + j]), (t.rows[r1 + i], t.cols[c1 + j])
                t.cell[b], t.cell[a] = t.cell[a], ""
        rects.append((r0, c0, h, w, r1, c1))
    else:
        raise ValueError(kind)
    new = t.render()
    opos = {r: i for i, r in enumerate(old_rows)}
    npos = {r: i for i, r in enumerate(t.rows)}
    ocp = {c: i for i, c in enumerate(old_cols)}
    ncp = {c: i for i, c in enumerate(t.cols)}
    truth = dict(
        kind=kind,
        rects=rects,
        moved_rows=[[(opos[r], npos[r]) for r in b] for b in moved_rows],
        moved_cols=[[(ocp[c], ncp[c]) for c in b] for b in moved_cols],
        added_rows=sorted(npos[r] for r in t.rows if r not in opos),
        removed_rows=sorted(opos[r] for r in old_rows if r not in npos),
        added_cols=sorted(ncp[c] for c in t.cols if c not in ocp),
        removed_cols=sorted(ocp[c] for c in old_cols if c not in ncp),
        edits=sorted((npos[r], ncp[c]) for r, c in edits if r in npos),
        shape=(len(old_rows), len(old_cols), len(t.rows), len(t.cols)),
    )
    return old, new, truth


def write_xlsx(path, cells, sheet="Data"):
    import xlsxwriter

    wb = xlsxwriter.Workbook(path)
    ws = wb.add_worksheet(sheet)
    for (r, c), v in cells.items():
        if isinstance(v, str) and v.startswith("="):
            ws.write_formula(r, c, v, None, 0)
        elif isinstance(v, bool):
            ws.write_boolean(r, c, v)
        elif isinstance(v, (int, float)):
            ws.write_number(r, c, v)
        else:
            ws.write_string(r, c, v)
    wb.close()


REF = re.compile(r"(\$?)([A-Z]{1,3})(\$?)([0-9]+)")

REFS = re.compile(r"(\$?[A-Z]{1,3}\$?[0-9]+)(?::(\$?[A-Z]{1,3}\$?[0-9]+))?")


def follow(formula, rmap, cmap, shift=None):
    """The old formula as it stands after rows and columns went by the maps: a removed cell is #REF!, a range whose
    end was removed shrinks to the next survivor inside it. With `shift`, relative rows are rebased by it instead."""

    def place(ref, rows, cols):
        m = REF.fullmatch(ref)
        c, r = col_index(m.group(2)), int(m.group(4)) - 1
        c2 = next((cmap[x] for x in cols(c) if x in cmap), None)
        r2 = (
            r + shift
            if shift is not None and not m.group(3)
            else next((rmap[x] for x in rows(r) if x in rmap), None)
        )
        return None if c2 is None or r2 is None else (m.group(1), c2, m.group(3), r2)

    text = lambda p: f"{p[0]}{COL(p[1])}{p[2]}{p[3] + 1}"

    def sub(m):
        if not m.group(2):
            p = place(m.group(1), lambda r: [r], lambda c: [c])
            return text(p) if p else "#REF!"
        a, z = REF.fullmatch(m.group(1)), REF.fullmatch(m.group(2))
        r1, r2, c1, c2 = (
            int(a.group(4)) - 1,
            int(z.group(4)) - 1,
            col_index(a.group(2)),
            col_index(z.group(2)),
        )
        p = place(m.group(1), lambda r: range(r, r2 + 1), lambda c: range(c, c2 + 1))
        q = place(m.group(2), lambda r: range(r, r1 - 1, -1), lambda c: range(c, c1 - 1, -1))
        if not p or not q:
            return "#REF!"
        if p[3] > q[3]:
            p, q = (p[0], p[1], q[2], q[3]), (q[0], q[1], p[2], p[3])
        if p[1] > q[1]:
            p, q = (q[0], q[1], p[2], p[3]), (p[0], p[1], q[2], q[3])
        return text(p) + ":" + text(q)

    return REFS.sub(sub, formula)


def line_map(n_old, n_new, removed, added, moves):
    """old index -> new index from removed (old), added (new) and moved (src, n, dst) lines."""
    m, used = {}, set(added)
    gone = set(removed)
    for s, n, d in moves:
        for i in range(n):
            if s + i in gone:
                raise ValueError(f"line {s + i} is both moved and removed")
            if s + i in m or d + i in used:
                raise ValueError(f"line {s + i}->{d + i} used twice")
            m[s + i] = d + i
            used.add(d + i)
    olds = [i for i in range(n_old) if i not in gone and i not in m]
    news = [j for j in range(n_new) if j not in used]
    olds += range(n_old, n_old + len(news) - len(olds))
    news += range(n_new, n_new + len(olds) - len(news))  # beyond its extent a sheet is empty
    m.update(zip(olds, news))
    return m


def judge(old, new, truth, report):
    """What is wrong with the report, and its figures."""
    ops = report["ops"]
    by = {}
    for o in ops:
        by.setdefault(o["kind"], []).append(o)
    ro, co, rn, cn = truth["shape"]
    rm = [o["row_idx"] for o in by.get("RowRemoved", [])]
    ra = [o["row_idx"] for o in by.get("RowAdded", [])]
    cr = [o["col_idx"] for o in by.get("ColumnRemoved", [])]
    ca = [o["col_idx"] for o in by.get("ColumnAdded", [])]
    mr = [(o["src_start_row"], o["row_count"], o["dst_start_row"]) for o in by.get("BlockMovedRows", [])]
    mc = [(o["src_start_col"], o["col_count"], o["dst_start_col"]) for o in by.get("BlockMovedColumns", [])]
    problems = []
    try:
        rmap = line_map(ro, rn, rm, ra, mr)
        cmap = line_map(co, cn, cr, ca, mc)
        got = {}
        rebased = {
            o["src_start_row"] + i: o["dst_start_row"] - o["src_start_row"]
            for o in by.get("BlockMovedRows", [])
            if o.get("refs") == "relative"
            for i in range(o["row_count"])
        }
        rect = {
            (o["src_start_row"] + i, o["src_start_col"] + j): (o["dst_start_row"] + i, o["dst_start_col"] + j)
            for o in by.get("BlockMovedRect", [])
            for i in range(o["row_count"])
            for j in range(o["col_count"])
        }
        for (r, c), v in old.items():
            if (r, c) in rect or (r in rmap and c in cmap):
                if isinstance(v, str) and v.startswith("="):
                    v = follow(v, rmap, cmap, rebased.get(r))
                to = rect.get((r, c)) or (rmap[r], cmap[c])
                if (r, c) in rect or to not in rect.values():
                    got[to] = v

        def parse(cell):
            if cell is None:
                return None
            if cell.get("formula") is not None:
                f = cell["formula"]
                return f if f.startswith("=") else "=" + f
            return cell.get("value")

        for o in by.get("RowAdded", []) + by.get("ColumnAdded", []):
            for cell in o.get("cells", []):
                a = REF.fullmatch(cell["addr"])
                got[(int(a.group(4)) - 1, col_index(a.group(2)))] = parse(cell)
        for o in by.get("CellEdited", []):
            a = REF.fullmatch(o["addr"])
            rc = (int(a.group(4)) - 1, col_index(a.group(2)))
            v = parse(o.get("to"))
            if v is None:
                got.pop(rc, None)
            else:
                got[rc] = v
        bad = [k for k in set(got) | set(new) if not same(got.get(k), new.get(k))]
        if bad:
            k = sorted(bad)[0]
            problems.append(
                f"replay differs in {len(bad)} cells, first {COL(k[1])}{k[0] + 1}: {got.get(k)!r} for {new.get(k)!r}"
            )
    except Exception as e:
        problems.append(f"not replayable: {type(e).__name__}: {e}")
    rects = sorted(
        (
            o["src_start_row"],
            o["src_start_col"],
            o["row_count"],
            o["col_count"],
            o["dst_start_row"],
            o["dst_start_col"],
        )
        for o in by.get("BlockMovedRect", [])
    )
    if rects != sorted(map(tuple, truth.get("rects", []))):
        problems.append(f"rects {rects[:2]}, not {truth.get('rects', [])}")
    tp = {(a, b) for blk in truth["moved_rows"] for a, b in blk}
    pp = {(s + i, d + i) for s, n, d in mr for i in range(n)}
    tc = {(a, b) for blk in truth["moved_cols"] for a, b in blk}
    pc = {(s + i, d + i) for s, n, d in mc for i in range(n)}
    ed = {addr(o["addr"]) for o in by.get("CellEdited", [])}
    te = {tuple(e) for e in truth["edits"]}
    ideal = (
        len(truth.get("rects", []))
        + len(te)
        + len(truth["moved_rows"])
        + len(truth["moved_cols"])
        + len(truth["added_rows"])
        + len(truth["removed_rows"])
        + len(truth["added_cols"])
        + len(truth["removed_cols"])
    )
    n_ops = sum(len(v) for k, v in by.items())
    return dict(
        problems=problems,
        move_tp=len(tp & pp) + len(tc & pc),
        move_fp=len(pp - tp) + len(pc - tc),
        move_fn=len(tp - pp) + len(tc - pc),
        edit_extra=len(ed - te),
        edit_missing=len(te - ed),
        ops=n_ops,
        ideal=ideal,
    )


def addr(a):
    m = REF.fullmatch(a)
    return (int(m.group(4)) - 1, col_index(m.group(2)))


def same(a, b):
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b or a == b and type(a) == type(b)
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b
    if isinstance(a, str) and isinstance(b, str) and a.startswith("="):
        return a.replace(" ", "") == b.replace(" ", "")
    return a == b


KINDS = [
    "exact_move",
    "fuzzy_move",
    "multi_move",
    "move_and_noise",
    "in_place",
    "insert_remove",
    "col_move",
    "col_add",
    "formulas",
    "rect",
]


def main():
    import argparse

    p = argparse.ArgumentParser()
    p.add_argument("--bin", required=True)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--per-kind", type=int, default=5)
    p.add_argument("--kinds", nargs="*", default=KINDS)
    p.add_argument("--keep")
    p.add_argument("-v", action="store_true")
    a = p.parse_args()
    tot = {}
    failures = []
    with tempfile.TemporaryDirectory() as d:
        if a.keep:
            os.makedirs(a.keep, exist_ok=True)
            d = a.keep
        for kind in a.kinds:
            acc = dict(
                cases=0,
                replay_ok=0,
                move_tp=0,
                move_fp=0,
                move_fn=0,
                edit_extra=0,
                edit_missing=0,
                ops=0,
                ideal=0,
            )
            for i in range(a.per_kind):
                old, new, truth = make_case(a.seed * 1000 + i, kind)
                po, pn = os.path.join(d, f"{kind}{i}-old.xlsx"), os.path.join(d, f"{kind}{i}-new.xlsx")
                write_xlsx(po, old)
                write_xlsx(pn, new)
                r = subprocess.run(
                    [a.bin, "diff", "--format", "json", po, pn], capture_output=True, text=True, timeout=60
                )
                acc["cases"] += 1
                if r.returncode not in (0, 1):
                    failures.append(f"{kind}{i}: exit {r.returncode}: {r.stderr.strip()[:150]}")
                    continue
                try:
                    j = judge(old, new, truth, json.loads(r.stdout))
                except Exception as e:
                    failures.append(f"{kind}{i}: {type(e).__name__}: {e}")
                    continue
                if j["problems"]:
                    failures.append(f"{kind}{i}: {j['problems'][0]}")
                else:
                    acc["replay_ok"] += 1
                for k in acc:
                    if k in j:
                        acc[k] += j[k]
            tot[kind] = acc
            if a.v:
                pr = acc["move_tp"] / max(1, acc["move_tp"] + acc["move_fp"])
                rc = acc["move_tp"] / max(1, acc["move_tp"] + acc["move_fn"])
                print(
                    f"{kind:16} replay {acc['replay_ok']}/{acc['cases']}  move P {pr:.2f} R {rc:.2f}  extra edits {acc['edit_extra']} missing {acc['edit_missing']}  ops {acc['ops']} ideal {acc['ideal']}"
                )
    if a.v:
        for f in failures[:20]:
            print("  ", f)
    s = {k: sum(t[k] for t in tot.values()) for k in next(iter(tot.values()))}
    P = s["move_tp"] / max(1, s["move_tp"] + s["move_fp"])
    R = s["move_tp"] / max(1, s["move_tp"] + s["move_fn"])
    ratio = s["ops"] / max(1, s["ideal"])
    ok = s["replay_ok"] == s["cases"] and P >= 0.98 and R >= 0.98 and ratio <= 1.05
    print(
        f"grid: replay {s['replay_ok']}/{s['cases']}, move precision {P:.3f} recall {R:.3f}, ops {ratio:.2f}x ideal, {len(failures)} failures{'; first: ' + failures[0] if failures else ''}"
    )
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
