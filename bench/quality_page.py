"""Writes the parts `movebench` and `gridbench` of a page; see quality.sh.

    python3 bench/quality_page.py PAGE GRID.txt NAME=PREFIX...

PREFIX-ours.json.replay and PREFIX-{ours,git,git-indent}.score.json belong to
the set of cases called NAME.
"""
import json
import re
import sys

import page

MOVES_NOTE = """\
Pairs of source trees with known truth, made by moving, editing, indenting, \
copying and splitting functions of real files; lines that are not blank, both \
sides summed. Ours: `mvdiff effective --copies --format json` of the patch, \
with both trees at hand. git: `git diff --color-moved=zebra`, and the same with \
`--color-moved-ws=allow-indentation-change`; it marks lines, and pairs none. P, \
R, F1: lines called moved against lines that truly survived elsewhere. \
Counterpart: pairs (old line, new line) that are the true ones. Hidden: lines \
called moved that are not, and their share of the changed lines. Left: `-` and \
`+` lines that no move explains, and how many times the truly changed lines \
they are. In place: edited lines of moved blocks that are shown inside the move. \
Exact: cases without a wrong or a missing line. Replayed: cases whose new \
files `mvdiff replay` rebuilt from the report byte for byte. Same file: the 12 \
kinds that stay in one file. The cases are made from the files of the machine, \
so figures of two machines do not compare."""
GOALS = ["", "goal", "", "", "", "99.3%", "99.7%", "0.03%", "", "1.03", "", "95%", "", "all"]
KINDS_NOTE = "By kind, ours, all sets together; only kinds with something wrong or missing."
GRID_NOTE = """\
Tables with known truth, upright and on their side, through the thin adapter \
of the tests. Moves: rows and columns called moved. Added and removed, edits: \
cases in which all of them are right. Ops: what is reported beside what was \
done. Goals: precision and recall 0.98, no more ops than done."""
TOOLS = [("ours", "ours"), ("git", "git"), ("git, indent", "git-indent")]


def percent(value, digits=2):
    return "-" if value is None else f"{100 * value:.{digits}f}%"


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def move_row(cases, tool, part, replayed):
    ours = tool == "ours"
    return [cases, tool, part["n"], percent(part["P"]), percent(part["R"]), percent(part["F1"]),
            percent(part["pairP"]) if ours else "-", f"{part['hidden']} ({percent(part['hidden'] / part['raw'], 3)})",
            f"{part['raw']:,}", f"{part['left']:,} ({part['left'] / part['ideal']:.3f})", f"{part['ideal']:,}",
            percent(part["ctx"], 1) if ours else "-", part["exact"], replayed]


def joined(rows):
    """The figures of several cases together, as the scorer has them."""
    total = {key: sum(row[key] for row in rows) for key in ("tp", "claim", "rel", "exact", "left", "ideal", "ctx", "ctxN")}
    share = lambda a, b: a / b if b else None
    return dict(total, n=len(rows), R=share(total["tp"], total["rel"]), inside=share(total["ctx"], total["ctxN"]),
                hidden=total["claim"] - total["tp"], missing=total["rel"] - total["tp"])


def movebench(sets):
    rows, same, kinds = [], [], {}
    for name, prefix in sets:
        replay = load(f"{prefix}-ours.json.replay")
        for tool, file in TOOLS:
            score = load(f"{prefix}-{file}.score.json")
            replayed = "-"
            if tool == "ours":
                total = score["all"]["n"]
                replayed = f"{total - len(replay['bad'])} of {total}"
                for row in score["rows"].values():
                    kinds.setdefault(row["cat"], []).append(row)
            rows.append(move_row(f"{name}, all", tool, score["all"], replayed))
            same.append(move_row(f"{name}, same file", tool, score["same"], "-"))
    head = ["cases", "tool", "number", "P", "R", "F1", "counterpart", "hidden", "changed", "left", "truly changed",
            "in place", "exact", "replayed"]
    wrong = []
    for kind, found in sorted(kinds.items()):
        part = joined(found)
        if part["hidden"] or part["missing"]:
            wrong.append([kind, part["n"], percent(part["R"], 1), part["hidden"], part["missing"], f"{part['left']:,}",
                          f"{part['ideal']:,}", percent(part["inside"], 1), part["exact"]])
    by_kind = page.table(["kind", "number", "R", "hidden", "missing", "left", "truly changed", "in place", "exact"], wrong)
    return "\n\n".join([page.table(head, [GOALS, *rows, *same]), MOVES_NOTE, by_kind, KINDS_NOTE])


def gridbench(text):
    form = re.compile(r"(\S+)\s+(\S+)\s+moves P (\S+) R (\S+)\s+added/removed (\S+)\s+edits (\S+)\s+ops (\S+) ideal (\S+)")
    head = ["tables", "kind", "precision", "recall", "added and removed", "edits", "ops", "done"]
    return page.table(head, [match.groups() for match in form.finditer(text)]) + "\n\n" + GRID_NOTE


def main():
    if len(sys.argv) < 4:
        sys.exit("usage: quality_page.py PAGE GRID.txt NAME=PREFIX...")
    path, grid, *sets = sys.argv[1:]
    with open(grid, encoding="utf-8") as file:
        tables = file.read()
    page.put(path, "movebench", "Moves found, beside the truth", movebench([s.split("=", 1) for s in sets]))
    page.put(path, "gridbench", "Tables, beside the truth", gridbench(tables))


if __name__ == "__main__":
    main()
