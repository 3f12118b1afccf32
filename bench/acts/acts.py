#!/usr/bin/env python3
"""Everyday acts on a workbook, made with openpyxl, and how many lines mvdiff needs for each.

    acts.py MVDIFF [--dir DIR] [--show]

Each act is one thing that a person does. It passes if the report has at most three
operations, the terminal shows at most three lines for it (heads, cells and the sentence at
the end aside), it has the kind that is expected, and `mvdiff replay` makes the new workbook.
Exit code 1 if one does not pass. `--dir` keeps the workbooks, `--show` prints what mvdiff
says.
"""
import copy
import json
import os
import re
import subprocess
import sys
import tempfile

import openpyxl
from openpyxl.comments import Comment
from openpyxl.styles import Font

NAMES = "amber basalt cedar dune ebony flint granite hazel iris jade".split()
STATES = "open closed late".split()


def stock(rows=40):
    """Id, name, status, price, amount, total; and totals on a sheet of their own."""
    table = [["Id", "Name", "Status", "Price", "Amount", "Total"]]
    for i in range(rows):
        price = round(10.5 + 3.25 * (i * i % 13) + i, 2)
        table.append([1001 + i, f"{NAMES[i % 10]} colour {i // 10}", STATES[i * 7 % 3], price,
                      i * 3 % 11 + 1, f"=D{i + 2}*E{i + 2}"])
    totals = [["Price", f"=SUM(Data!D2:D{rows + 1})"], ["Amount", f"=SUM(Data!E2:E{rows + 1})"],
              ["Total", f"=SUM(Data!F2:F{rows + 1})"], ["Most", f"=MAX(Data!F2:F{rows + 1})"]]
    notes = [["Remarks"], ["The stock is counted on Mondays"], ["Prices are without tax"]]
    return {"Data": table, "Totals": totals, "Notes": notes}


def renumber(book, old_rows):
    """Formulas of the table as they stand after rows went or came."""
    for i, row in enumerate(book["Data"][1:], 2):
        if len(row) > 5:
            row[5] = f"=D{i}*E{i}"
    rows = len(book["Data"])
    for row in book["Totals"]:
        row[1] = re.sub(r"(\w)2:\w\d+", lambda m: f"{m[1]}2:{m[1]}{rows}", row[1])
    return book


def act(name, *kinds):
    def wrap(function):
        ACTS.append((name, kinds, function))
        return function
    return wrap


ACTS = []


@act("a cell is edited", "CellEdited")
def _(b):
    b["Data"][7][3] = 99.5


@act("a formula is changed down a column", "FormulaFilled")
def _(b):
    for i, row in enumerate(b["Data"][1:], 2):
        row[5] = f"=D{i}*E{i}*1.2"


@act("a formula is filled into an empty column", "FormulaFilled", "ColumnAdded")
def _(b):
    b["Data"][0].append("Tax")
    for i, row in enumerate(b["Data"][1:], 2):
        row.append(f"=F{i}*0.2")


@act("formulas are pasted as values", "ValuesPasted")
def _(b):
    for row in b["Data"][1:]:
        row[5] = round(row[3] * row[4], 2)


@act("a column in other units", "RangeScaled")
def _(b):
    for row in b["Data"][1:]:
        row[3] = round(row[3] * 1000)


@act("prices raised by 3 %, rounded to cents", "RangeScaled")
def _(b):
    for row in b["Data"][1:]:
        row[3] = round(row[3] * 1.03 + 1e-9, 2)


@act("find and replace", "ValuesReplaced")
def _(b):
    for row in b["Data"][1:]:
        row[1] = row[1].replace("colour", "color")


@act("ids are renumbered", "Renumbered")
def _(b):
    for row in b["Data"][1:]:
        row[0] += 4000


@act("rows are appended and totals extended", "RangesExtended", "RowAdded")
def _(b):
    more = stock(43)["Data"][41:]
    b["Data"] += more
    renumber(b, None)


@act("rows are deleted by a filter", "RowsFiltered")
def _(b):
    b["Data"] = [row for row in b["Data"] if row[2] != "closed"]
    renumber(b, None)


@act("a row is inserted", "RowAdded")
def _(b):
    b["Data"].insert(6, [1999, "kiln new 9", "open", 17.25, 4, ""])
    renumber(b, None)


@act("rows are sorted by price", "BlockMovedRows")
def _(b):
    head, rows = b["Data"][0], b["Data"][1:]
    b["Data"] = [head] + sorted(rows, key=lambda row: row[3])
    for i, row in enumerate(b["Data"][1:], 2):
        row[5] = f"=D{i}*E{i}"


@act("a column is moved", "BlockMovedColumns")
def _(b):
    b["Data"] = [[r[0], r[2], r[1], r[3], r[4], r[5]] for r in b["Data"]]


@act("three columns are inserted", "ColumnAdded")
def _(b):
    head = ["Shop", "Shelf", "Bin"]
    b["Data"] = [r[:3] + (head if i == 0 else [f"s{i % 4}", i * 2, i % 5]) + r[3:]
                 for i, r in enumerate(b["Data"])]
    for i, row in enumerate(b["Data"][1:], 2):
        row[8] = f"=G{i}*H{i}"
    for row in b["Totals"]:
        row[1] = row[1].replace("F2:F", "I2:I").replace("E2:E", "H2:H").replace("D2:D", "G2:G")


@act("rows are moved to another sheet", "BlockMovedAcross")
def _(b):
    rows = [row[:5] for row in b["Data"][11:16]]
    del b["Data"][11:16]
    b["Notes"] += rows
    renumber(b, None)


@act("a sheet is copied and two cells are edited", "SheetCopied")
def _(b):
    b["Data (2)"] = copy.deepcopy(b["Data"])
    b["Data (2)"][3][3] = 1.25
    b["Data (2)"][9][2] = "lost"


@act("a sheet is split", "BlockMovedAcross")
def _(b):
    head = b["Data"][0]
    b["Closed"] = [head[:5]] + [row[:5] for row in b["Data"][1:] if row[2] == "closed"]
    b["Data"] = [row for row in b["Data"] if row[2] != "closed"]
    renumber(b, None)


@act("a table is transposed", "RangeTransposed")
def _(b):
    b["Notes"] = [list(column) for column in zip(*b["Notes"])]


@act("a sheet is renamed", "SheetRenamed")
def _(b):
    renamed = {"Stock" if name == "Data" else name: rows for name, rows in b.items()}
    for row in renamed["Totals"]:
        row[1] = row[1].replace("Data!", "Stock!")
    b.clear()
    b.update(renamed)


@act("texts are turned into numbers", "ValuesConverted")
def _(b):
    for row in b["Data"][1:]:
        row[4] = int(row[4])


@act("headers are made bold, a comment is written", "StyleChanged", "CommentAdded")
def _(b):
    b["bold"] = b["comment"] = True


def before(name):
    book = stock()
    if name == "texts are turned into numbers":
        for row in book["Data"][1:]:
            row[4] = str(row[4])
    if name == "a table is transposed":
        book["Notes"] = [["Month", "North", "South"], ["Jan", 4, 7], ["Feb", 5, 8], ["Mar", 6, 9.5],
                         ["Apr", 11, 12]]
    return book


def write(book, path):
    out = openpyxl.Workbook()
    out.remove(out.active)
    bold, comment = book.pop("bold", False), book.pop("comment", False)
    for name, rows in book.items():
        sheet = out.create_sheet(name)
        for row in rows:
            sheet.append(row)
    if bold:
        for cell in out["Data"][1]:
            cell.font = Font(bold=True)
    if comment:
        out["Data"]["D5"].comment = Comment("Is this right?", "Ada")
    out.save(path)


def lines_of(text):
    """Lines that tell something: not heads, not the sentence, not the cells below."""
    told = [line for line in text.splitlines() if re.match(r"  \w", line)]
    # The cells of an act are not counted; edits of a copy are its cells.
    return [line for line in told if not line.startswith(("  edited", "  formulas"))]


def values(path):
    book = openpyxl.load_workbook(path)
    return {s.title: {c.coordinate: c.value for row in s for c in row if c.value is not None}
            for s in book}


def main():
    program = sys.argv[1]
    show = "--show" in sys.argv
    where = sys.argv[sys.argv.index("--dir") + 1] if "--dir" in sys.argv else None
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = where or temporary
        os.makedirs(folder, exist_ok=True)
        for number, (name, kinds, change) in enumerate(ACTS, 1):
            old, new, again = (f"{folder}/{number:02}-{side}.xlsx" for side in ("old", "new", "again"))
            book = before(name)
            write(copy.deepcopy(book), old)
            change(book)
            write(book, new)
            run = lambda *args, **more: subprocess.run([program, *args], capture_output=True, **more)
            report = run("diff", "--format", "json", old, new)
            ops = json.loads(report.stdout)["ops"]
            found = {op["kind"] for op in ops}
            shown = run("diff", "--format", "terminal", "--color", "never", old, new).stdout.decode()
            replay = run("replay", old, "-", "-o", again, input=report.stdout)
            wrong = []
            # Rows of a sort and of an insertion are the cells of it.
            many = {"BlockMovedRows", "RowAdded", "ColumnAdded"}
            count = sum(op["kind"] not in many for op in ops) + len(found & many)
            if count > 3:
                wrong.append(f"{count} operations")
            lines = len(lines_of(shown))
            if lines > 3:
                wrong.append(f"{lines} lines")
            if not found & set(kinds):
                wrong.append(f"kinds {sorted(found)}")
            if replay.returncode or values(again) != values(new):
                wrong.append("replay differs " + replay.stderr.decode().strip())
            failed += bool(wrong)
            print(f"{number:2} {name:45} {'; '.join(wrong) or 'ok'}  ({len(ops)} ops, {lines} lines)")
            if show:
                print(shown)
    print(f"{len(ACTS) - failed} of {len(ACTS)} acts pass")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
