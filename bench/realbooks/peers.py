#!/usr/bin/env python3
"""Consecutive versions of real workbooks: operations beside daff's and beside those by address.

    bench/realbooks/peers.py MVDIFF MIRRORS REPO... [--pairs 20] [--cache DIR] [-o FILE]

REPO is owner/name; MIRRORS/owner+name/repo is a git directory of it. Of each repository up to
--pairs pairs are taken, chosen by the hash of their blob ids, no more than three of one path.
Needs openpyxl and daff from PyPI.

Counted are sheets of the same name in both versions, as openpyxl reads them, formulas as text.
By address: cells that differ. daff, where its patch makes the new table: rows and columns added, removed and moved, and cells changed,
of the sheets as tables. mvdiff: operations on cells, rows, columns and blocks in those sheets.
A pair is wrong if the program fails, if old + report is not new by openpyxl, or if the bytes of the
package differ and nothing is said. Exits with 1 if one is, or if mvdiff needs more operations
than by address.
"""
import argparse
import collections
import hashlib
import json
import os
import pickle
import re
import subprocess
import sys
import tempfile
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
warnings.filterwarnings("ignore")
sys.setrecursionlimit(20_000)
from dump import dump  # noqa: E402

COUNTED = {"RowAdded", "RowRemoved", "ColumnAdded", "ColumnRemoved", "BlockMovedRows", "BlockMovedColumns", "BlockMovedRect", "CellEdited"}
# daff takes minutes beyond this.
MOST_CELLS = 60_000


def git(repo, *args):
    return subprocess.run(["git", "--git-dir", repo, *args], capture_output=True, check=True).stdout


def pairs(repo, most, largest):
    """Consecutive versions of workbooks: commit, path, old blob, new blob."""
    log = git(repo, "log", "--all", "--no-renames", "--raw", "--no-abbrev", "--format=C %H", "--diff-filter=M", "--", "*.xlsx", "*.xlsm")
    found, commit = {}, None
    for line in log.decode(errors="replace").splitlines():
        if line.startswith("C "):
            commit = line[2:]
        elif line.startswith(":"):
            fields, path = line.split("\t", 1)
            _, _, old, new, _ = fields.split()
            found.setdefault((old, new), (commit, path))
    taken, of_path = [], collections.Counter()
    for old, new in sorted(found, key=lambda pair: hashlib.sha256("".join(pair).encode()).hexdigest()):
        commit, path = found[old, new]
        if of_path[path] == 3:
            continue
        # A partial copy may lack large blobs.
        told = subprocess.run(
            ["git", "--git-dir", repo, "cat-file", "--batch-check=%(objectsize)"],
            input=f"{old}\n{new}\n".encode(), capture_output=True)
        sizes = [int(size) if size.isdigit() else 0 for size in told.stdout.decode().split("\n")[:2]]
        if max(sizes) > largest or min(sizes) < 1000:
            continue
        of_path[path] += 1
        taken.append((commit, path, old, new))
        if len(taken) == most:
            break
    return taken


def cached(folder, key, make):
    path = os.path.join(folder, key)
    if os.path.exists(path):
        with open(path, "rb") as file:
            return pickle.load(file)
    made = make()
    with open(path, "wb") as file:
        pickle.dump(made, file)
    return made


def table(cells):
    rows = max((r for r, _ in cells), default=0)
    cols = max((c for _, c in cells), default=0)
    made = [[""] * cols for _ in range(rows)]
    for (r, c), value in cells.items():
        made[r - 1][c - 1] = str(value)
    return made


def daff_ops(old, new):
    """Operations of daff; none if the tables are too large for it, or its patch does not make the new one."""
    import daff

    tables = [table(old), table(new)]
    if any(sum(map(len, rows)) > MOST_CELLS for rows in tables):
        return None
    if tables[0] == tables[1]:
        return 0
    flags = daff.CompareFlags()
    flags.unchanged_context = 0
    views = [daff.PythonTableView([list(row) for row in rows]) for rows in tables]
    out = daff.PythonTableView([])
    daff.TableDiff(daff.compareTables(*views, flags).align(), flags).hilite(out)
    # Columns without a name in the first row are lost, for one.
    flags.show_unchanged = flags.show_unchanged_columns = True
    whole = daff.PythonTableView([])
    daff.TableDiff(daff.compareTables(*views, flags).align(), flags).hilite(whole)
    try:
        daff.HighlightPatch(views[0], whole).apply()
    except (IndexError, KeyError, TypeError):
        return None
    if plain(views[0].data) != plain(tables[1]):
        return None
    ops = 0
    for row in out.data:
        act = str(row[0])
        if act == "!":
            ops += sum(1 for cell in row[1:] if cell not in (None, "", "..."))
        elif act in ("+++", "---"):
            ops += 1
        else:
            ops += ":" in act
            if "->" in act:
                arrow = act.lstrip(":")
                ops += sum(1 for cell in row[1:] if isinstance(cell, str) and arrow in cell)
    return ops


def plain(rows):
    """A table without empty cells at its ends."""
    rows = [[cell or "" for cell in row] for row in rows]
    for row in rows:
        while row and row[-1] == "":
            row.pop()
    while rows and not rows[-1]:
        rows.pop()
    return rows


def same(value):
    """Spacing and case of formulas do not count, nor how the format spells a carriage return, nor
    blanks at the ends, which openpyxl keeps also where the file does not say so."""
    if isinstance(value, str):
        value = value.replace("_x000D_", "\r").strip() or None
    return re.sub(r"\s+", "", value).lower() if isinstance(value, str) and value[:1] in "={" else value


def differing(old, new):
    return sum(1 for at in old.keys() | new.keys() if same(old.get(at)) != same(new.get(at)))


def judge(mvdiff, files, blobs, cache, work):
    """Operations of all three, and what is wrong."""
    done = subprocess.run([mvdiff, "diff", "--format", "json", *files], capture_output=True)
    if done.returncode not in (0, 1):
        message = done.stderr.decode(errors="replace").strip()
        return ("refused" if done.returncode == 2 else "CRASH", message[-150:])
    report = json.loads(done.stdout)
    try:
        old, new = (cached(cache, blob, lambda: dump(file)[0]) for blob, file in zip(blobs, files))
    except Exception as error:
        return ("not read by openpyxl", type(error).__name__)
    wrong = []
    again = os.path.join(work, "again.xlsx")
    replayed = subprocess.run([mvdiff, "replay", files[0], "-", "-o", again], input=done.stdout, capture_output=True)
    if replayed.returncode:
        wrong.append("replay refused: " + replayed.stderr.decode(errors="replace").strip()[-150:])
    else:
        made = dump(again)[0]
        cells = sum(differing(made.get(name, {}), new.get(name, {})) for name in made.keys() | new.keys())
        if cells or made.keys() != new.keys():
            wrong.append(f"replay differs in {cells} cells")
    if done.returncode == 0:
        said = subprocess.run([mvdiff, "diff", "--format", "terminal", *files], capture_output=True)
        if not (said.stdout + said.stderr).strip():
            wrong.append("silent")
    both = old.keys() & new.keys()
    ours = sum(1 for op in report["ops"] if op["kind"] in COUNTED and op["sheet"] in both)
    address = sum(differing(old[name], new[name]) for name in both)

    def ask_daff():
        counts = [daff_ops(old[name], new[name]) for name in both]
        return None if None in counts else sum(counts)

    daff = cached(cache, "daff-" + "-".join(blobs), ask_daff)
    if not report["complete"]:
        wrong.append("incomplete")
    return ("ok", ours, daff, address, wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mvdiff")
    parser.add_argument("mirrors")
    parser.add_argument("repos", nargs="+")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--largest", type=int, default=400_000, help="bytes of a workbook (default: %(default)s)")
    parser.add_argument("--cache", help="keep what openpyxl and daff say, by blob ids")
    parser.add_argument("--verbose", action="store_true", help="a line for each pair")
    parser.add_argument("-o", dest="output")
    args = parser.parse_args()
    lines = ["| repository | pairs | not read by openpyxl or refused | mvdiff | daff | by address | no more than daff | no more than by address | wrong |", "|---|---|---|---|---|---|---|---|---|"]
    sums = collections.Counter()
    with tempfile.TemporaryDirectory() as work:
        cache = args.cache or os.path.join(work, "cache")
        os.makedirs(cache, exist_ok=True)
        for name in args.repos:
            repo = os.path.join(args.mirrors, name.replace("/", "+", 1), "repo")
            one = collections.Counter()
            for commit, path, *blobs in pairs(repo, args.pairs, args.largest):
                ext = path.rsplit(".", 1)[-1].strip('"')
                files = [os.path.join(work, f"{side}.{ext}") for side in ("old", "new")]
                for file, blob in zip(files, blobs):
                    with open(file, "wb") as out:
                        out.write(git(repo, "cat-file", "blob", blob))
                what, *rest = judge(args.mvdiff, files, blobs, cache, work)
                label = f"{name} {blobs[0][:10]} {blobs[1][:10]} {path}"
                if what != "ok":
                    one["aside"] += 1
                    one["wrong"] += what == "CRASH"
                    print(label, what, *rest, flush=True)
                    continue
                ours, daff, address, wrong = rest
                one["pairs"] += 1
                one["ours"] += ours
                one["address"] += address
                one["by address"] += ours <= address
                one["wrong"] += bool(wrong)
                if daff is not None:
                    one["beside"] += 1
                    one["ours beside"] += ours
                    one["daff"] += daff
                    one["by daff"] += ours <= daff
                worse = ours > address or (daff is not None and ours > daff)
                if args.verbose or worse or wrong:
                    print(label, f"mvdiff={ours} daff={daff} address={address}", *wrong, "MORE" if worse else "", flush=True)
            sums.update(one)
            lines.append(line(name, one))
    lines.append(line("all", sums))
    text = "\n".join(lines) + "\n"
    print(text)
    if args.output:
        with open(args.output, "w") as out:
            out.write(text)
    sys.exit(sums["wrong"] > 0 or sums["by address"] < sums["pairs"])


def line(name, one):
    return (f"| {name} | {one['pairs']} | {one['aside']} | {one['ours']:,} ({one['ours beside']:,} beside daff) | {one['daff']:,} | {one['address']:,} "
            f"| {one['by daff']} of {one['beside']} | {one['by address']} of {one['pairs']} | {one['wrong']} |")


if __name__ == "__main__":
    main()
