#!/usr/bin/env python3
"""Random pairs replay and lead back, judged by git and by openpyxl.

  bench/pairs.py trees     [--count 5000] [--seed 1] [--bin target/release/mvdiff] [--invert target/release/invert]
  bench/pairs.py workbooks [...]      # needs openpyxl

Trees: all kinds of changes at once, with and without -w, -b, -B and --copies. Old tree and
report are the new tree, and new tree and the report turned round are the old one, says
`git diff --no-index`; modes, links and empty folders are compared, too. Workbooks: the same
for two files that openpyxl wrote, compared by openpyxl. In both, reports are the same bytes
with 1, 2 and 8 threads and under three locales. A pair is made from its number, so that each
can be made again; prints what fails and exits with 1.
"""
import argparse, os, random, shutil, subprocess, sys, tempfile

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("what", choices=["trees", "workbooks"])
ap.add_argument("--count", type=int, default=5000)
ap.add_argument("--first", type=int, default=0)
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--bin", default="target/release/mvdiff")
ap.add_argument("--invert", default="target/release/invert")
ap.add_argument("--keep", help="folder that pairs are left in which fail")
A = ap.parse_args()
BIN, INVERT = os.path.abspath(A.bin), os.path.abspath(A.invert)
MANNERS = [("1", "C"), ("2", "C.UTF-8"), ("8", "tr_TR.UTF-8")]


class Wrong(Exception):
    pass


def mvdiff(args, d, manner=0, codes=(0,)):
    threads, locale = MANNERS[manner]
    env = dict(os.environ, RAYON_NUM_THREADS=threads, LC_ALL=locale, LANG=locale, HOME=d, XDG_STATE_HOME=d)
    done = subprocess.run([BIN, *args], cwd=d, env=env, capture_output=True)
    if done.returncode not in codes:
        raise Wrong(f"mvdiff {' '.join(args)}: exit {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def report(d, args):
    """The report of `mvdiff diff`, which must not depend on threads or locale."""
    first = mvdiff(["diff", "--format", "json", *args], d, 0, (0, 1))
    for manner in (1, 2):
        if mvdiff(["diff", "--format", "json", *args], d, manner, (0, 1)) != first:
            raise Wrong(f"another report with {MANNERS[manner]}")
    with open(f"{d}/report.json", "wb") as out: out.write(first)


def turn(d, *old):
    with open(f"{d}/back.json", "wb") as out:
        done = subprocess.run([INVERT, "report.json", *old], cwd=d, stdout=out, stderr=subprocess.PIPE)
    if done.returncode: raise Wrong(f"invert: {done.stderr.decode(errors='replace').strip()}")


# Trees

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi".split()


def line(rng):
    if rng.random() < 0.15: return rng.choice(["", "", "}", "    ", "\t", "{"])
    indent = rng.choice(["", "    ", "        ", "\t"])
    return indent + " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 6))) + rng.choice(["", ";", " {", f" {rng.randint(0, 99)}"])


def block(rng, n): return [line(rng) for _ in range(n)]


def text(lines, rng):
    data = "".join(x + "\n" for x in lines).encode()
    if rng.random() < 0.1: data = data[:-1]
    if rng.random() < 0.1: data = data.replace(b"\n", b"\r\n")
    if rng.random() < 0.05: data = data.replace(b"alpha", b"\xe4lpha")
    return data


def space(x, rng):
    return rng.choice([x + "  ", x.replace(" ", "  "), x.replace("    ", "\t"), "    " + x, x.strip(), x + "\r", x.replace(" ", "")])


def name(rng): return rng.choice(["", "", "src/", "src/deep/er/", "d\u00e9/"]) + rng.choice(["a", "b", "main.py", "x y", "\u4e2d.txt", "-q", "data.bin"]) + str(rng.randint(0, 30))


def fits(tree, path):
    """Whether a path can be there beside the others: nothing is a file and a folder."""
    return path not in tree and not any(p.startswith(path + "/") or path.startswith(p + "/") for p in tree)


def tree_pair(rng):
    old = {}
    for _ in range(rng.randint(0, 7)):
        path, kind = name(rng), rng.random()
        if not fits(old, path): continue
        if kind < 0.08: old[path] = ("link", rng.choice(["a", "../b", "nowhere"]))
        elif kind < 0.16: old[path] = (0o644, None, bytes(rng.randrange(256) for _ in range(rng.randint(1, 60))) + b"\0")
        elif kind < 0.2: old[path] = ("folder",)
        else: old[path] = (rng.choice([0o644, 0o644, 0o755]), block(rng, rng.randint(0, 40)), None)
    new = dict(old)
    for _ in range(rng.randint(0, 9)):
        path = rng.choice(sorted(new)) if new else name(rng)
        entry = new.get(path)
        lines = list(entry[1]) if entry and len(entry) == 3 and entry[1] is not None else None
        what = rng.randrange(14)
        if what == 0: new.pop(path, None)
        elif what == 1:
            to = name(rng)
            if entry and fits({p: e for p, e in new.items() if p != path}, to): new[to] = new.pop(path)
        elif what == 2:
            to = name(rng)
            if fits(new, to): new[to] = (0o644, block(rng, rng.randint(0, 12)), None)
        elif what == 3:
            to = name(rng)
            if fits(new, to): new[to] = rng.choice([("folder",), ("link", "x"), (0o644, None, b"\0new")])
        elif what == 4 and entry and len(entry) == 3: new[path] = (0o755 if entry[0] == 0o644 else 0o644, *entry[1:])
        elif what == 5 and entry and len(entry) == 3 and lines is None: new[path] = (entry[0], None, entry[2] + b"more")
        elif what == 6 and entry and entry[0] == "link": new[path] = (0o644, block(rng, 4), None)
        elif lines:
            at = rng.randrange(len(lines))
            n = rng.randint(1, 8)
            if what == 7: del lines[at:at + n]
            elif what == 8: lines[at:at] = block(rng, n)
            elif what == 9: lines[at:at + n] = [space(x, rng) for x in lines[at:at + n]]
            elif what == 10: lines[at:at + n] = ["    " + x if x else x for x in lines[at:at + n]]
            elif what == 11:
                taken = lines[at:at + n]
                del lines[at:at + n]
                others = [p for p, e in sorted(new.items()) if len(e) == 3 and e[1] is not None and p != path]
                if others and rng.random() < 0.5:
                    to = rng.choice(others)
                    there = list(new[to][1])
                    there[rng.randrange(len(there) + 1):0] = taken
                    new[to] = (new[to][0], there, None)
                else:
                    put = rng.randrange(len(lines) + 1)
                    lines[put:put] = taken
            elif what == 12: lines[at:at] = [""] * rng.randint(1, 3)
            else: lines[at] = line(rng)
            new[path] = (entry[0], lines, None)
    return old, new


def lay(root, tree, rng):
    os.makedirs(root)
    for path, entry in sorted(tree.items()):
        full = os.path.join(root, path)
        if entry[0] == "folder":
            os.makedirs(full, exist_ok=True)
            continue
        os.makedirs(os.path.dirname(full), exist_ok=True)
        if entry[0] == "link":
            os.symlink(entry[1], full)
            continue
        with open(full, "wb") as out: out.write(entry[2] if entry[1] is None else text(entry[1], random.Random(f"{rng}{path}")))
        os.chmod(full, entry[0])


def same_trees(d, a, b):
    done = subprocess.run(["git", "diff", "--no-index", "--no-renames", "--no-ext-diff", "--exit-code", "--stat", a, b], cwd=d, capture_output=True,
                          env=dict(os.environ, HOME=d, GIT_CONFIG_NOSYSTEM="1", LC_ALL="C"))
    if done.returncode: raise Wrong(f"git: {a} and {b} differ: {done.stdout.decode(errors='replace').strip()}{done.stderr.decode(errors='replace').strip()}")


def trees(d, rng, number):
    old, new = tree_pair(rng)
    lay(f"{d}/old", old, number)
    # Half of the files are written alike on both sides: ends of lines change in the others.
    lay(f"{d}/new", new, number if rng.random() < 0.7 else number + 1)
    flags = [flag for flag in ("-w", "-b", "-B", "--copies", "--no-moves") if rng.random() < 0.25]
    if "--no-moves" in flags: flags = [flag for flag in flags if flag != "--copies"]
    report(d, [*flags, "old", "new"])
    turn(d, "old")
    for start, end, made, recipe in (("old", "new", "made", "report.json"), ("new", "old", "back", "back.json")):
        shutil.copytree(f"{d}/{start}", f"{d}/{made}", symlinks=True)
        mvdiff(["replay", "--old", made, "--out", made, recipe], d)
        same_trees(d, made, end)


# Workbooks

def book_pair(rng, d):
    import openpyxl
    from openpyxl.comments import Comment
    from openpyxl.formatting.rule import CellIsRule
    from openpyxl.styles import Font, PatternFill
    from openpyxl.utils import get_column_letter
    from openpyxl.workbook.defined_name import DefinedName
    from openpyxl.worksheet.datavalidation import DataValidation

    def value():
        kind = rng.random()
        if kind < 0.25: return rng.choice(["open", "closed", "x", ""])
        if kind < 0.5: return f"item {rng.randrange(10 ** 6)}"
        if kind < 0.8: return rng.choice([rng.randrange(5), rng.randrange(10 ** 6), rng.random() * 1000, -1.5])
        if kind < 0.85: return rng.random() < 0.5
        return ("f", rng.choice(["={0}+1", "=SUM({0}:{1})", "={0}*{1}", "=Other!{0}", "=IF({0}>1,{1},\"A1\")"]), rng.randrange(12), rng.randrange(6), rng.randrange(12), rng.randrange(6))

    def cell_name(r, c): return f"{get_column_letter(c + 1)}{r + 1}"

    def model():
        cols = rng.randint(1, 6)
        return {"rows": [[value() if rng.random() < 0.85 else None for _ in range(cols)] for _ in range(rng.randint(0, 12))],
                "looks": {}, "comments": {}, "merges": set(), "hidden": set(), "widths": {}, "rules": [], "state": "visible", "freeze": None}

    def decorate(m):
        h, w = max(len(m["rows"]), 1), max((len(r) for r in m["rows"]), default=1) or 1
        place = lambda: (rng.randrange(h), rng.randrange(w))
        what = rng.randrange(9)
        if what == 0: m["looks"][place()] = rng.choice(["bold", "yellow", "0.00", "yyyy-mm-dd"])
        elif what == 1: m["comments"][place()] = f"please check {rng.randrange(100)}"
        elif what == 2: m["merges"] = {(20, rng.randrange(3), rng.randint(1, 2))}
        elif what == 3: m["hidden"] ^= {rng.randrange(h)}
        elif what == 4: m["widths"][rng.randrange(w)] = rng.choice([8.5, 20, 33])
        elif what == 5: m["rules"] = [rng.randrange(9)]
        elif what == 6: m["state"] = rng.choice(["visible", "hidden"])
        elif what == 7: m["freeze"] = rng.choice([None, "A2", "B1"])
        else: m["looks"].pop(next(iter(m["looks"]), None), None)

    def change(m):
        rows = m["rows"]
        h, w = len(rows), max((len(r) for r in rows), default=0)
        at, n = rng.randrange(h + 1), rng.randint(1, 3)
        what = rng.randrange(9)
        if what == 0: rows[at:at] = [[value() for _ in range(w)] for _ in range(n)]
        elif what == 1: del rows[at:at + n]
        elif what == 2:
            taken = rows[at:at + n]
            del rows[at:at + n]
            to = rng.randrange(len(rows) + 1)
            rows[to:to] = taken
        elif what == 3 and w:
            col = rng.randrange(w + 1)
            for r in rows: r.insert(col, value())
        elif what == 4 and w > 1:
            col = rng.randrange(w)
            for r in rows: del r[col:col + 1]
        elif what == 5 and w > 1:
            a, b = rng.randrange(w), rng.randrange(w)
            for r in rows:
                if len(r) > max(a, b): r.insert(b, r.pop(a))
        elif what == 6 and h: rows.sort(key=lambda r: str(r[:1]))
        elif what in (7, 8) and h and rows[min(at, h - 1)]:
            r = rows[min(at, h - 1)]
            r[rng.randrange(len(r))] = value() if rng.random() < 0.8 else None
        if rng.random() < 0.4: decorate(m)

    def save(path, sheets, names):
        wb = openpyxl.Workbook()
        wb.remove(wb.active)
        for title, m in sheets:
            ws = wb.create_sheet(title)
            for r, row in enumerate(m["rows"]):
                for c, v in enumerate(row):
                    if v is None or v == "": continue
                    ws.cell(r + 1, c + 1, v[1].format(cell_name(*v[2:4]), cell_name(*v[4:6])) if isinstance(v, tuple) else v)
            for (r, c), look in m["looks"].items():
                cell = ws.cell(r + 1, c + 1)
                if look == "bold": cell.font = Font(bold=True)
                elif look == "yellow": cell.fill = PatternFill("solid", fgColor="FFFF00")
                else: cell.number_format = look
            for (r, c), said in m["comments"].items(): ws.cell(r + 1, c + 1).comment = Comment(said, "Ann")
            for r, c, n in m["merges"]: ws.merge_cells(start_row=r + 1, start_column=c + 1, end_row=r + 1, end_column=c + 1 + n)
            for r in m["hidden"]: ws.row_dimensions[r + 1].hidden = True
            for c, width in m["widths"].items(): ws.column_dimensions[get_column_letter(c + 1)].width = width
            for limit in m["rules"]:
                ws.conditional_formatting.add("A1:B9", CellIsRule(operator="greaterThan", formula=[str(limit)], font=Font(bold=True)))
                dv = DataValidation(type="whole", operator="lessThan", formula1=str(limit))
                dv.add("C1:C5")
                ws.add_data_validation(dv)
            ws.freeze_panes = m["freeze"]
        if not any(m["state"] == "visible" for _, m in sheets): sheets[0][1]["state"] = "visible"
        for title, m in sheets: wb[title].sheet_state = m["state"]
        for title, refers in names.items(): wb.defined_names[title] = DefinedName(title, attr_text=refers)
        wb.save(path)

    import copy
    old = [["Data", model()], ["Other", model()]]
    for _, m in old:
        for _ in range(rng.randrange(6)): decorate(m)
    names = {"total": "Data!$A$1:$B$4"}
    save(f"{d}/old.xlsx", old, names)
    new, names = copy.deepcopy(old), dict(names)
    for _, m in new:
        for _ in range(rng.randrange(5)): change(m)
    fate = rng.randrange(8)
    if fate == 0: new.reverse()
    elif fate == 1: new[1][0] = "Else"
    elif fate == 2: del new[1]
    elif fate == 3: new.insert(1, ["More", model()])
    if rng.random() < 0.3: names["total"] = f"Data!$A$1:$B${rng.randint(2, 9)}"
    if rng.random() < 0.2: names["extra"] = "Data!$C$1"
    save(f"{d}/new.xlsx", new, names)


def seen(path):
    """All that openpyxl sees in a workbook."""
    import openpyxl
    wb = openpyxl.load_workbook(path)
    sheets = []
    for ws in wb.worksheets:
        cells = {}
        for row in ws.iter_rows():
            for c in row:
                look = (c.number_format, bool(c.font.b), c.fill.fgColor.rgb if c.fill.patternType else None)
                what = (c.value, look, c.comment.text if c.comment else None)
                if what != (None, ("General", False, None), None): cells[c.coordinate] = what
        rules = sorted((str(r.sqref), [(x.type, x.operator, x.formula, bool(x.dxf and x.dxf.font and x.dxf.font.b)) for x in r.rules]) for r in ws.conditional_formatting)
        valid = sorted((str(v.sqref), v.type, v.operator, v.formula1) for v in ws.data_validations.dataValidation)
        # One entry may speak of many columns.
        widths = {col: v.width for v in ws.column_dimensions.values() if v.customWidth for col in range(v.min, v.max + 1)}
        hidden = sorted(k for k, v in ws.row_dimensions.items() if v.hidden)
        sheets.append((ws.title, ws.sheet_state, cells, sorted(map(str, ws.merged_cells.ranges)), rules, valid, widths, hidden, ws.freeze_panes))
    return sheets, {k: v.attr_text for k, v in wb.defined_names.items()}


def same_books(d, made, wanted):
    (a, an), (b, bn) = seen(f"{d}/{made}"), seen(f"{d}/{wanted}")
    if an != bn: raise Wrong(f"names of {made}: {an}, wanted {bn}")
    if [s[:2] for s in a] != [s[:2] for s in b]: raise Wrong(f"sheets of {made}: {[s[:2] for s in a]}, wanted {[s[:2] for s in b]}")
    for x, y in zip(a, b):
        for key in sorted(set(x[2]) | set(y[2])):
            if x[2].get(key) != y[2].get(key): raise Wrong(f"{made} {x[0]}!{key}: {x[2].get(key)}, wanted {y[2].get(key)}")
        for what, p, q in zip(("merges", "rules", "validations", "widths", "hidden rows", "panes"), x[3:], y[3:]):
            if p != q: raise Wrong(f"{made} {x[0]}: {what} {p}, wanted {q}")


def workbooks(d, rng, number):
    book_pair(rng, d)
    report(d, ["old.xlsx", "new.xlsx"])
    turn(d)
    mvdiff(["replay", "old.xlsx", "report.json", "-o", "made.xlsx"], d)
    same_books(d, "made.xlsx", "new.xlsx")
    mvdiff(["replay", "new.xlsx", "back.json", "-o", "back.xlsx"], d)
    same_books(d, "back.xlsx", "old.xlsx")


judge = {"trees": trees, "workbooks": workbooks}[A.what]
failed = 0
for number in range(A.first, A.first + A.count):
    with tempfile.TemporaryDirectory() as d:
        try:
            judge(d, random.Random(f"{A.what} {A.seed} {number}"), number)
        except Wrong as wrong:
            failed += 1
            print(f"pair {number}: {wrong}", flush=True)
            if A.keep: shutil.copytree(d, os.path.join(A.keep, f"{A.what}-{A.seed}-{number}"), symlinks=True, dirs_exist_ok=True)
    if (number + 1) % 500 == 0: print(f"{number + 1 - A.first} pairs, {failed} wrong", flush=True)
print(f"{A.count} {A.what}: {failed} wrong (seed {A.seed}, from {A.first})")
sys.exit(1 if failed else 0)
