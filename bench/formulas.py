#!/usr/bin/python3
"""What LibreOffice makes of formulas when cells go elsewhere: formulas.py [-o fixtures/formulas/libreoffice.tsv]

Writes a workbook full of formulas, and for each change (rows and columns inserted
and deleted, a rectangle cut and pasted, a sheet renamed and removed, the formulas
themselves copied) lets a headless LibreOffice open it, make the change and save it again as xlsx. A line of the result
is the change, a formula before it, and the same formula after it, both as
LibreOffice saved them. `cargo test -p mvdiff-grid formula` holds ours against it.

Needs soffice and its Python bridge (Debian: libreoffice-calc python3-uno).
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as tree
import zipfile
from xml.sax.saxutils import escape

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
from com.sun.star.sheet import CellFlags

SHEETS = ["Own", "Data", "My Sheet", "Old", "It's"]
# Formulas stand below and right of everything that a change touches.
ROW, COL = 300, 60
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
CHANGES = """rows insert 4 2;rows delete 4 1;rows delete 2 5;rows delete 0 3;cols insert 2 1;cols delete 1 1;cols delete 1 3
move B3:D6 J21;move A1:B2 A2;move E5:E5 B2;other rows insert 3 1;other rows delete 3 2;other cols delete 1 1
rename Data|Figures 2026;rename My Sheet|Mine;rename Old|Q1;remove Old;copy 5 3;copy -2 1;copy 0 -1"""
HAND = """A1|B5|$B$5|B$5|$B5|C4*D4+1|B2:D6|$B$2:D$6|A1:A10|A5:A6|A3:A7|B5:B5|$A$5:B6|3:5|$5:$5|5:5|1:3|A:C|B:B|$B:$D|A1:A1048576
A1:XFD1|A2:A1048576|XFD1048576|XFD5|B1048576|B3:D6|C4:D5|B3:E6|C3:C6|SUM(B3:D6)*SUM(A1:E9)|A1:B2|B2:C3|E5|SUM(B2:B9,C5,$D$6)
IF(B5>0,"B5",C5&"C5")|Data!B5|Data!$B$4:C9|Data!B4:B4|Data!B:B|Data!4:5|'My Sheet'!B5|'My Sheet'!B2:C5|Old!B5|Old!A1:B2|Old!A:B
'It''s'!B4|Own!B5|Own!B2:B9|VLOOKUP(B5,Data!$A$2:$F$50,4,FALSE)|INDEX(B:D,5,2)|OFFSET(B5,1,1)|INDIRECT("B5")|LOG10(B5)|ATAN2(B5,C5)
B2:INDEX(D:D,6)|SUM((B5,C6))|SUM(B2:D6 C4:E9)|SUM({1,2;3,4})*B5|-B5%|SUM(Data:Old!B5)|SUM(Data:'My Sheet'!B4:C5)|SUMIF($B:$B,B5,C$2:C$9)
SUM(2:5 C:D)|_xlfn.XLOOKUP(B5,B:B,C:C)|IFERROR(B5/C5,#N/A)|SUM(Data!B2:B9 Data!A5:D5)|COUNTIF(B$2:B5,"<="&B5)"""


def col_name(col):
    return (col_name(col // 26 - 1) if col >= 26 else "") + chr(65 + col % 26)


def random_reference(rng):
    mark = lambda: rng.choice(["", "", "$"])
    end = lambda c, r: f"{mark()}{col_name(c)}{mark()}{r + 1}"
    sheet = rng.choice([""] * 5 + ["Data!", "'My Sheet'!", "Old!"])
    (c, d), (r, s) = sorted(rng.choices(range(8), k=2)), sorted(rng.choices(range(12), k=2))
    kind = rng.randrange(8)
    if kind < 4:
        return sheet + end(c, r)
    if kind < 6:
        return f"{sheet}{end(c, r)}:{end(d, s)}"
    if kind == 6:
        return f"{sheet}{mark()}{r + 1}:{mark()}{s + 1}"
    return f"{sheet}{mark()}{col_name(c)}:{mark()}{col_name(d)}"


def formulas(rng, count):
    hand = re.split(r"[|\n]", HAND)
    made = [f"SUM({random_reference(rng)},{random_reference(rng)})" for _ in range(count)]
    return hand + made


def write_book(path, texts):
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
        + "".join(f'<Override PartName="/xl/s{i}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>' for i in range(len(SHEETS)))
        + "</Types>",
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN[1:-1]}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>'
        + "".join(f'<sheet name="{escape(name)}" sheetId="{i + 1}" r:id="r{i}"/>' for i, name in enumerate(SHEETS))
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        + "".join(f'<Relationship Id="r{i}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="s{i}.xml"/>' for i in range(len(SHEETS)))
        + "</Relationships>",
    }
    rows = "".join(f'<row r="{ROW + i}"><c r="{col_name(COL)}{ROW + i}"><f>{escape(text)}</f></c></row>' for i, text in enumerate(texts))
    for i in range(len(SHEETS)):
        parts[f"xl/s{i}.xml"] = f'<worksheet xmlns="{MAIN[1:-1]}"><sheetData>{rows if i == 0 else ""}</sheetData></worksheet>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        for name, text in parts.items():
            book.writestr(name, text)


def read_formulas(path):
    """The formulas of the first sheet, from top to bottom."""
    with zipfile.ZipFile(path) as book:
        sheet = tree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    return [cell.find(f"{MAIN}f").text for cell in sheet.iter(f"{MAIN}c") if cell.find(f"{MAIN}f") is not None]


def change(doc, what):
    """Makes a change to the document."""
    sheets = doc.Sheets
    own = sheets.getByName("Own")
    verb, _, rest = what.partition(" ")
    if verb == "rename":
        name, now = rest.split("|")
        sheets.getByName(name).Name = now
    elif verb == "remove":
        sheets.removeByName(rest)
    elif verb == "copy":
        down, right = map(int, rest.split())
        source = own.getCellRangeByPosition(COL, ROW - 1, COL, ROW + 500)
        own.copyRange(own.getCellByPosition(COL + right, ROW - 1 + down).CellAddress, source.RangeAddress)
        source.clearContents(CellFlags.FORMULA)
    elif verb == "move":
        source, target = rest.split()
        own.moveRange(own.getCellRangeByName(target).CellAddress, own.getCellRangeByName(source).RangeAddress)
    else:
        sheet = own
        if verb == "other":
            sheet = sheets.getByName("Data")
            verb, _, rest = rest.partition(" ")
        lines = sheet.Rows if verb == "rows" else sheet.Columns
        how, at, count = rest.split()
        (lines.insertByIndex if how == "insert" else lines.removeByIndex)(int(at), int(count))


class Office:
    """A LibreOffice of its own."""

    def __init__(self, work):
        pipe = f"mvdiff{time.time_ns()}"
        self.process = subprocess.Popen([
            "soffice", "--headless", "--norestore", f"-env:UserInstallation=file://{work}/profile", f"--accept=pipe,name={pipe};urp;",
        ])
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        for attempt in range(120):
            try:
                remote = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                break
            except NoConnectException:
                time.sleep(0.5)
        else:
            sys.exit("formulas.py: soffice does not answer; does it start by itself?")
        self.desktop = remote.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", remote)

    def edit(self, source, target, what=None):
        option = lambda name, value: PropertyValue(Name=name, Value=value)
        doc = self.desktop.loadComponentFromURL(source.as_uri(), "_blank", 0, (option("Hidden", True),))
        if what:
            change(doc, what)
        doc.storeToURL(target.as_uri(), (option("FilterName", "Calc MS Excel 2007 XML"),))
        doc.close(True)

    def close(self):
        try:
            self.desktop.terminate()
        except Exception:
            pass
        self.process.wait(60)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", default="fixtures/formulas/libreoffice.tsv")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, default=60, help="formulas made up beside those by hand")
    args = parser.parse_args()
    texts = formulas(random.Random(args.seed), args.random)
    changes = re.split(r"[;\n]", CHANGES)
    lines = []
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        write_book(work / "made.xlsx", texts)
        office = Office(work)
        try:
            office.edit(work / "made.xlsx", work / "old.xlsx")
            old = read_formulas(work / "old.xlsx")
            for what in changes:
                office.edit(work / "old.xlsx", work / "new.xlsx", what)
                new = read_formulas(work / "new.xlsx")
                if len(new) != len(old):
                    sys.exit(f"formulas.py: {what}: {len(old)} formulas became {len(new)}")
                lines += [f"{what}\t={before}\t={after}" for before, after in zip(old, new)]
        finally:
            office.close()
    pathlib.Path(args.o).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} formulas, {len(changes)} changes: {args.o}", file=sys.stderr)


if __name__ == "__main__":
    main()
