"""Inputs that are bad for a reader or an engine, each at any size.

A shape writes its files into a folder and returns the arguments of mvdiff. Its first number
is n for time and memory, its second n for instructions, which are counted by a simulator.
"""
import json, os, random, zipfile

RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as out:
        out.write(text)


def lines(items): return "".join(f"{x}\n" for x in items)


def pair(old, new, suffix=".txt", form="json"):
    def make(d):
        write(f"{d}/old{suffix}", old())
        write(f"{d}/new{suffix}", new())
        return ["diff", "--format", form, f"old{suffix}", f"new{suffix}"]
    return make


def texts(old, new, form="json"):
    return lambda n: pair(lambda: lines(old(n)), lambda: lines(new(n)), form=form)


# Sequences

def fibonacci(n):
    a, b = "a", "ab"
    while len(b) < n: a, b = b, b + a
    return b[:n]


def de_bruijn(n):
    """Bits in which no run of 16 comes twice, as far as n goes."""
    state, out = 1, []
    for _ in range(n):
        out.append(state & 1)
        state = state >> 1 | ((state ^ state >> 2 ^ state >> 3 ^ state >> 5) & 1) << 15
    return out


def swapped(items): return items[len(items) // 2:] + items[:len(items) // 2]


def records(n, more):
    body = ["  {", '    "id": 0,', '    "name": "x",', '    "tags": []'] + (['    "more": 1'] if more else []) + ["  },"]
    return body * (n // 5)


def edited(items, every, seed=1):
    rng = random.Random(seed)
    return [f"{x} {rng.random():.6f}" if i % every == 0 else x for i, x in enumerate(items)]


def near(n): return [f"item {i % 50} of the list" for i in range(n)]


def statements(n): return [f"    let value_{i} = compute(input_{i * 7 % n}, {i});" for i in range(n)]


def shuffled(n):
    rng, blocks = random.Random(2), [[f"block {b} line {i} of it" for i in range(8)] for b in range(n // 8)]
    rng.shuffle(blocks)
    return [line for block in blocks for line in block]


# Patches

def hunks(n):
    def make(d):
        body = "".join(f"@@ -{4*i+1},1 +{4*i+1},1 @@\n-old {i}\n+new {i}\n" for i in range(n))
        write(f"{d}/p.patch", "diff --git a/f b/f\n--- a/f\n+++ b/f\n" + body)
        return ["effective", "--format", "json", "p.patch"]
    return make


def sections(n):
    def make(d):
        one = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-old {0}\n+new {0}\n"
        write(f"{d}/p.patch", "".join(one.format(i) for i in range(n)))
        return ["effective", "--format", "json", "p.patch"]
    return make


def moved_in_patch(n):
    def make(d):
        block = "".join(f"{{0}}    statement_{i}(argument, {i});\n" for i in range(n // 2))
        one = "diff --git a/{0} b/{0}\n--- a/{0}\n+++ b/{0}\n@@ -1,{1} +1,{2} @@\n{3}"
        write(f"{d}/p.patch", one.format("a", n // 2, 0, block.format("-")).replace("+1,0", "+0,0")
              + one.format("b", 0, n // 2, block.format("+")).replace("-1,0", "-0,0"))
        return ["effective", "--format", "json", "p.patch"]
    return make


def prose(n):
    def make(d):
        write(f"{d}/p.patch", lines(f"Only in new: file{i}" for i in range(n)))
        return ["effective", "--format", "json", "p.patch"]
    return make


# Trees and reports

def files(n):
    def make(d):
        for i in range(n):
            write(f"{d}/o/{i % 97}/{i}", f"line {i}\nsame\n")
            write(f"{d}/n/{i % 97}/{i}", f"line {i + (i % 10 == 0)}\nsame\n")
        return ["diff", "--format", "json", "o", "n"]
    return make


def renames(n):
    def make(d):
        for i in range(n):
            text = lines(f"file {i} line {k}" for k in range(6))
            write(f"{d}/o/a{i % 97}/{i}", text)
            write(f"{d}/n/b{i % 97}/{i}", text + f"more {i}\n")
        return ["diff", "--format", "json", "o", "n"]
    return make


def recipe(n):
    def make(d):
        write(f"{d}/old/a", lines(f"line {i}" for i in range(n)))
        parts = [{"kept": ["a", 1 + i, 1]} if i % 2 else {"lines": [f"new {i}"]} for i in range(n)]
        write(f"{d}/r.json", json.dumps({"schema": "mvdiff.effective/1", "recipe": [{"file": "a", "parts": parts}]}))
        return ["replay", "--old", "old", "--out", "out", "r.json"]
    return make


def scores(n):
    def make(d):
        row = lambda i: json.dumps({"name": str(i), "base": f"a {i}\nb\nc\n", "a": f"a {i}\nB\nc\n", "b": f"a\nb\nc {i}\n"})
        write(f"{d}/rows.jsonl", lines(row(i) for i in range(n)))
        return ["score", "--jsonl", "rows.jsonl"]
    return make


def merged(n):
    def make(d):
        base = statements(n)
        write(f"{d}/base", lines(base))
        write(f"{d}/ours", lines(x.replace("compute", "ours") if i % 9 == 0 else x for i, x in enumerate(base)))
        write(f"{d}/theirs", lines(swapped([x.replace("compute", "theirs") if i % 9 == 4 else x for i, x in enumerate(base)])))
        return ["merge", "base", "ours", "theirs", "-o", "out"]
    return make


def merged_tables(n):
    def make(d):
        cell = lambda new, at: lambda r, c: str(new + r if c == 3 and r % 9 == at else r * 8 + c)
        write(f"{d}/base.csv", rows(n, lambda r, c: str(r * 8 + c)))
        write(f"{d}/ours.csv", rows(n, cell(5_000_000, 0)))
        write(f"{d}/theirs.csv", rows(n, cell(7_000_000, 4)))
        return ["merge", "--format", "json", "base.csv", "ours.csv", "theirs.csv"]
    return make


# Edits

def blocks(n):
    def make(d):
        write(f"{d}/f", lines(f"value {i} = {i * 7}" for i in range(2 * n)))
        one = "<<<<<<< SEARCH\nvalue {0} = {1}\n=======\nvalue {0} = new\n>>>>>>> REPLACE\n"
        write(f"{d}/b", "".join(one.format(2 * i, 14 * i) for i in range(n)))
        return ["apply", "--stdout", "b", "f"]
    return make


def typos(n):
    def make(d):
        text = statements(n)
        write(f"{d}/f", lines(["start"] * 100 + text + ["end"] * 100))
        search = [x.replace("compute", "compuet") if i % 97 == 50 else x for i, x in enumerate(text)]
        new = list(search)
        new[n // 2] = "    changed();"
        write(f"{d}/b", f"<<<<<<< SEARCH\n{lines(search)}=======\n{lines(new)}>>>>>>> REPLACE\n")
        return ["apply", "--stdout", "b", "f"]
    return make


def large_file(n):
    def make(d):
        write(f"{d}/f", lines(f"row {i} of a large file with some text in it" for i in range(n)))
        write(f"{d}/b", f"<<<<<<< SEARCH\nrow {n // 2} of a large file with some text in it\n=======\nother\n>>>>>>> REPLACE\n")
        return ["apply", "--stdout", "b", "f"]
    return make


def periodic_block(n):
    def make(d):
        write(f"{d}/f", lines("ab" * (n // 2)))
        write(f"{d}/b", f"<<<<<<< SEARCH\n{lines('ab' * (n // 4))}x\n=======\ny\n>>>>>>> REPLACE\n")
        return ["apply", "--stdout", "b", "f"]
    return make


def long_line_edit(n):
    def make(d):
        line = " ".join(f"word{i % 977}" for i in range(n))
        write(f"{d}/f", line + "\n")
        write(f"{d}/b", f"<<<<<<< SEARCH\n{line.replace('word5 ', 'wrod5 ', 1)}\n=======\nnew\n>>>>>>> REPLACE\n")
        return ["apply", "--stdout", "b", "f"]
    return make


# Workbooks

def ods(n):
    office = "urn:oasis:names:tc:opendocument:xmlns:"
    def book(path, every):
        cell = lambda v: f'<table:table-cell office:value-type="float" office:value="{v}"><text:p>{v}</text:p></table:table-cell>'
        body = "".join(f"<table:table-row>{cell(r)}{cell(r * 7 + (r % 9 == every))}</table:table-row>" for r in range(n))
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
            z.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
            z.writestr("content.xml", f'<office:document-content xmlns:office="{office}office:1.0" xmlns:table="{office}table:1.0" xmlns:text="{office}text:1.0">'
                       f'<office:body><office:spreadsheet><table:table table:name="Data">{body}</table:table></office:spreadsheet></office:body></office:document-content>')
    def make(d):
        book(f"{d}/old.ods", 9)
        book(f"{d}/new.ods", 4)
        return ["diff", "--format", "json", "--max-ratio", "10000", "old.ods", "new.ods"]
    return make


def rows(n, cell, cols=8): return "".join(",".join(cell(r, c) for c in range(cols)) + "\n" for r in range(n))


def table(old, new, cols=8):
    return lambda n: pair(lambda: rows(n, old, cols), lambda: rows(n, new, cols), ".csv")


def letters(col):
    name = ""
    while True:
        name = chr(65 + col % 26) + name
        col = col // 26 - 1
        if col < 0: return name


def xlsx(path, sheets, names=""):
    """Sheets are (name, sheetData, what comes behind it)."""
    rel = lambda i, kind, target: f'<Relationship Id="rId{i}" Type="{RELS}/{kind}" Target="{target}"/>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
        z.writestr("[Content_Types].xml", "<Types/>")
        z.writestr("_rels/.rels", f"<Relationships>{rel(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>")
        listed = "".join(f'<sheet name="{n}" sheetId="{i}" r:id="rId{i}"/>' for i, (n, _, _) in enumerate(sheets, 1))
        z.writestr("xl/workbook.xml", f'<workbook xmlns="{MAIN}" xmlns:r="{RELS}"><sheets>{listed}</sheets>{names}</workbook>')
        targets = "".join(rel(i, "worksheet", f"worksheets/sheet{i}.xml") for i in range(1, len(sheets) + 1))
        z.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{targets}</Relationships>")
        for i, (_, data, behind) in enumerate(sheets, 1):
            z.writestr(f"xl/worksheets/sheet{i}.xml", f'<worksheet xmlns="{MAIN}"><sheetData>{data}</sheetData>{behind}</worksheet>')


def books(make_old, make_new):
    def make(d):
        for name, args in (("old", make_old), ("new", make_new)):
            xlsx(f"{d}/{name}.xlsx", *args())
        return ["diff", "--format", "json", "--max-ratio", "10000", "old.xlsx", "new.xlsx"]
    return make


def number(r, c, v): return f'<c r="{letters(c)}{r}"><v>{v}</v></c>'


def row(r, cells): return f'<row r="{r}">{"".join(cells)}</row>'


def sheet(data, behind=""): return [("Data", data, behind)]


def one_value(n):
    data = lambda m: "".join(row(r, [number(r, c, 1) for c in range(4)]) for r in range(1, m + 1))
    return books(lambda: (sheet(data(n)),), lambda: (sheet(data(n + n // 10)),))


def merges(n):
    def book(shift):
        areas = "".join(f'<mergeCell ref="A{2 * i + 1 + shift}:B{2 * i + 1 + shift}"/>' for i in range(n))
        return sheet(row(1, [number(1, 3, 1)]), f'<mergeCells count="{n}">{areas}</mergeCells>')
    return books(lambda: (book(0),), lambda: (book(1),))


def defined_names(n):
    def book(shift):
        all_names = "".join(f'<definedName name="name{i}">Data!$A${i % 1000 + 1 + shift}</definedName>' for i in range(n))
        return sheet(row(1, [number(1, 0, 1)])), f"<definedNames>{all_names}</definedNames>"
    return books(lambda: book(0), lambda: book(1))


def sheets_renamed(n):
    def book(word):
        return ([(f"{word} {i}", row(1, [number(1, 0, i), number(1, 1, i * 7)]), "") for i in range(n)],)
    return books(lambda: book("Old"), lambda: book("New"))


def long_formula(n):
    def book(first):
        body = "+".join(f"B{i % 8 + first}" for i in range(n))
        above = row(1, [number(1, 5, 99)]) if first > 1 else ""
        return (sheet(above + "".join(row(r, [f'<c r="A{r}"><f>{body}</f><v>{r}</v></c>', number(r, 1, r - first)]) for r in range(first, first + 8))),)
    return books(lambda: book(1), lambda: book(2))


def nested_formula(n):
    def book(value):
        body = "IF(" * n + "A1" + ",1,2)" * n
        return (sheet(row(1, [number(1, 0, value), f'<c r="B1"><f>{body}</f><v>1</v></c>'])),)
    return books(lambda: book(1), lambda: book(2))


def formulas(n):
    data = lambda first: "".join(row(r, [number(r, 0, r * 7), f'<c r="B{r}"><f>A{r}*2+SUM(A$1:A{r})</f><v>1</v></c>']) for r in range(first, n + first))
    return books(lambda: (sheet(data(1)),), lambda: (sheet(row(1, [number(1, 0, -1)]) + data(2)),))


def strings(n):
    cell = lambda r, word: f'<c r="A{r}" t="inlineStr"><is><t>{word} {r * 7919 % n}</t></is></c>'
    data = lambda word: "".join(row(r, [cell(r, word if r % 10 == 0 else "text"), number(r, 1, r)]) for r in range(1, n + 1))
    return books(lambda: (sheet(data("old")),), lambda: (sheet(data("new")),))


def wide(n):
    data = lambda add: "".join(row(r, [number(r, c, r * c + (add and c % 11 == 0)) for c in range(n)]) for r in range(1, 21))
    return books(lambda: (sheet(data(0)),), lambda: (sheet(data(1)),))


def textconv(n):
    def make(d):
        data = "".join(row(r, [number(r, c, r * c) for c in range(8)]) for r in range(1, n + 1))
        xlsx(f"{d}/f.xlsx", sheet(data))
        return ["textconv", "--max-ratio", "10000", "f.xlsx"]
    return make


SHAPES = [
    ("periodic lines, another period", 25_000, 1_000, texts(lambda n: "ab" * (n // 2), lambda n: "abc" * (n // 3))),
    ("Fibonacci word, first letter gone", 25_000, 5_000, texts(fibonacci, lambda n: fibonacci(n)[1:])),
    ("de Bruijn sequence, halves swapped", 25_000, 1_000, texts(de_bruijn, lambda n: swapped(de_bruijn(n)))),
    ("pretty-printed records, a line more in each", 25_000, 1_000, texts(lambda n: records(n, False), lambda n: records(n, True))),
    ("near-duplicates, every third edited", 12_000, 500, texts(near, lambda n: edited(near(n), 3))),
    ("all lines other ones", 25_000, 500, texts(lambda n: [f"old {i}" for i in range(n)], lambda n: [f"new {i}" for i in range(n)])),
    ("every line edited", 25_000, 500, texts(statements, lambda n: [x.replace("compute", "calculate") for x in statements(n)])),
    ("blocks of 8 lines shuffled", 24_000, 800, texts(lambda n: [f"block {b} line {i} of it" for b in range(n // 8) for i in range(8)], shuffled)),
    ("lines in reverse", 25_000, 800, texts(statements, lambda n: statements(n)[::-1])),
    ("blank lines, another number", 250_000, 2_000, texts(lambda n: [""] * n, lambda n: [""] * (n + n // 3))),
    # Gaps are compared as a whole up to a bound: instructions begin behind it.
    ("a patch of near-duplicates", 12_000, 4_000, texts(near, lambda n: edited(near(n), 3), "unified")),
    ("a page of edited lines", 5_000, 200, texts(statements, lambda n: edited(statements(n), 3), "html")),
    ("one huge line, two words changed", 250_000, 10_000, lambda n: pair(lambda: "word " * n + "\n", lambda: "word " * (n // 2) + "other " + "word " * (n // 2) + "\n")),
    ("one huge line, every tenth word changed", 50_000, 2_000, lambda n: pair(lambda: " ".join(f"w{i}" for i in range(n)) + "\n", lambda: " ".join(f"x{i}" if i % 10 == 0 else f"w{i}" for i in range(n)) + "\n")),
    ("tiny hunks", 250_000, 500, hunks),
    ("sections with the same head", 25_000, 300, sections),
    ("a block moved between files of a patch", 25_000, 600, moved_in_patch),
    ("lines of a patch that say a file is only in new", 25_000, 500, prose),
    ("files", 25_000, 150, files),
    ("files renamed and edited", 1_000, 50, renames),
    ("a recipe of single lines", 50_000, 1_000, recipe),
    ("rows of scores", 25_000, 300, scores),
    ("blocks of an edit", 10_000, 200, blocks),
    ("a block with typos", 5_000, 200, typos),
    ("an edit in a large file", 500_000, 5_000, large_file),
    # Small ones are compared window by window up to a bound: instructions begin behind it.
    ("a periodic block in a periodic file", 25_000, 20_000, periodic_block),
    ("a typo in one long line", 12_000, 500, long_line_edit),
    ("rows of one value, CSV", 25_000, 500, lambda n: pair(lambda: rows(n, lambda r, c: "1"), lambda: rows(n + n // 10, lambda r, c: "1"), ".csv")),
    ("rows of one value", 238_000, 500, one_value),
    ("identical columns", 25_000, 400, table(lambda r, c: str(r), lambda r, c: str(r + (r % 9 == 0)))),
    ("checkerboard, colours swapped", 25_000, 400, table(lambda r, c: str((r + c) % 2), lambda r, c: str((r + c + 1) % 2))),
    ("columns", 4_000, 150, wide),
    ("merged regions, all elsewhere", 50_000, 300, merges),
    ("defined names", 25_000, 300, defined_names),
    ("sheets renamed", 2_000, 60, sheets_renamed),
    ("a long formula, eight times", 800, 100, long_formula),
    ("a nested formula", 1_000, 100, nested_formula),
    ("formulas below a new row", 10_000, 200, formulas),
    ("texts in cells", 25_000, 400, strings),
    ("an .ods", 25_000, 400, ods),
    ("a merge, half of it moved", 25_000, 800, merged),
    ("a merge of tables", 10_000, 300, merged_tables),
    ("a workbook as lines", 25_000, 400, textconv),
]
