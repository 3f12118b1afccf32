"""Writes the parts `movebench` and `gridbench` of a page; see quality.sh.

    python3 bench/quality_page.py PAGE GRID.txt SEED=OURS.json=GIT.json...
"""
import json
import re
import sys

SETS = "SEED=OURS.json=GIT.json"
MOVES_NOTE = """\
Pairs of source trees with known truth, made by moving, editing, indenting, \
copying and splitting functions of real files; lines that are not blank, both \
sides summed. Precision and recall: lines called moved against lines that \
truly survived elsewhere. Pairs: claimed pairs (old line, new line) that are \
the true ones. Hidden: lines called moved that are not. Left to read: `-` and \
`+` lines that no move explains, beside the lines that truly changed. Exact: \
cases without a wrong or a missing line. Same file: the 12 kinds that stay in \
one file. git: `git diff --color-moved=zebra \
--color-moved-ws=allow-indentation-change`, which marks lines and pairs none. \
Ours runs with copies on. The cases are made from the files of the machine, so \
figures of two machines do not compare."""
KINDS_NOTE = "By kind, ours, all seeds together; only kinds with something wrong or missing."
GRID_NOTE = """\
Tables with known truth, upright and on their side, through the thin adapter \
of the tests. Moves: rows and columns called moved. Added and removed, edits: \
cases in which all of them are right. Ops: what is reported beside what was \
done. Goals: precision and recall 0.98, no more ops than done."""


def percent(value):
    return "-" if value is None else f"{100 * value:.1f}%"


def move_row(name, part, pairs=True):
    moved = "-" if not pairs else percent(part["pairP"])
    return (f"| {name} | {part['n']} | {percent(part['P'])} | {percent(part['R'])} | {moved} | {part['hidden']} "
            f"| {part['raw']:,} | {part['left']:,} | {part['ideal']:,} | {part['exact']} |")


def joined(rows):
    """The figures of several cases together, as the scorer has them."""
    total = {key: sum(row[key] for row in rows) for key in ("tp", "claim", "rel", "exact", "left", "ideal")}
    share = lambda a, b: a / b if b else None
    return dict(n=len(rows), P=share(total["tp"], total["claim"]), R=share(total["tp"], total["rel"]),
                hidden=total["claim"] - total["tp"], missing=total["rel"] - total["tp"], **total)


def movebench(sets):
    lines = ["| cases | number | precision | recall | pairs | hidden | changed lines | left to read | truly changed | exact |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    kinds = {}
    for seed, ours, git in sets:
        for name, score in (("ours", ours), ("git", git)):
            lines.append(move_row(f"seed {seed}, all, {name}", score["all"], name == "ours"))
            lines.append(move_row(f"seed {seed}, same file, {name}", score["same"], name == "ours"))
        for row in ours["rows"].values():
            kinds.setdefault(row["cat"], []).append(row)
    lines += ["", MOVES_NOTE, "", "| kind | number | recall | hidden | missing | left to read | truly changed | exact |",
              "|---|---|---|---|---|---|---|---|"]
    for kind, rows in sorted(kinds.items()):
        part = joined(rows)
        if part["hidden"] or part["missing"]:
            lines.append(f"| {kind} | {part['n']} | {percent(part['R'])} | {part['hidden']} | {part['missing']} "
                         f"| {part['left']:,} | {part['ideal']:,} | {part['exact']} |")
    return "\n".join([*lines, "", KINDS_NOTE])


def gridbench(text):
    lines = ["| tables | kind | precision | recall | added and removed | edits | ops | done |",
             "|---|---|---|---|---|---|---|---|"]
    form = re.compile(r"(\S+)\s+(\S+)\s+moves P (\S+) R (\S+)\s+added/removed (\S+)\s+edits (\S+)\s+ops (\S+) ideal (\S+)")
    for match in form.finditer(text):
        lines.append("| " + " | ".join(match.groups()) + " |")
    return "\n".join([*lines, "", GRID_NOTE])


def put(page, name, title, part):
    """Replaces a part of the page, or appends it."""
    begin, end = f"<!-- begin:{name} -->", f"<!-- end:{name} -->"
    if begin not in page:
        return f"{page.rstrip()}\n\n## {title}\n\n{begin}\n{part}\n{end}\n"
    head, rest = page.split(begin, 1)
    return f"{head}{begin}\n{part}\n{end}{rest.split(end, 1)[1]}"


def main():
    if len(sys.argv) < 4:
        sys.exit(f"usage: quality_page.py PAGE GRID.txt {SETS}...")
    path, grid, *sets = sys.argv[1:]
    load = lambda name: json.load(open(name, encoding="utf-8"))
    sets = [(seed, load(ours), load(git)) for seed, ours, git in (s.split("=") for s in sets)]
    page = open(path, encoding="utf-8").read()
    page = put(page, "movebench", "Moves found, beside the truth", movebench(sets))
    page = put(page, "gridbench", "Tables, beside the truth", gridbench(open(grid, encoding="utf-8").read()))
    open(path, "w", encoding="utf-8").write(page)


if __name__ == "__main__":
    main()
