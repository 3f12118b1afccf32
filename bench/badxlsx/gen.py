#!/usr/bin/env python3
"""Generates hostile .xlsx inputs (own content). usage: gen.py OUTDIR [--big]"""

import zipfile, io, os, sys, struct, random, zlib

out = sys.argv[1]
BIG = "--big" in sys.argv
os.makedirs(out, exist_ok=True)
NS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RN = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
H = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
CT = (
    H
    + '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>'
)
RELS = (
    H
    + f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="{RN}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
)
WBR = (
    H
    + f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="{RN}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="{RN}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
)
WB = (
    H
    + f'<workbook xmlns="{NS}" xmlns:r="{RN}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>'
)


def sheet(data, dim=None, post=""):
    return (
        H
        + f'<worksheet xmlns="{NS}">'
        + (f'<dimension ref="{dim}"/>' if dim else "")
        + f"<sheetData>{data}</sheetData>{post}</worksheet>"
    )


ONE = '<row r="1"><c r="A1"><v>1</v></c></row>'


def parts(sh=None, **k):
    d = {
        "[Content_Types].xml": CT,
        "_rels/.rels": RELS,
        "xl/workbook.xml": WB,
        "xl/_rels/workbook.xml.rels": WBR,
        "xl/worksheets/sheet1.xml": sh if sh is not None else sheet(ONE),
    }
    d.update({a.replace("__", "/"): b for a, b in k.items()})
    return d


def w(name, d, comp=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(f"{out}/{name}", "w", comp, compresslevel=9 if comp else None) as z:
        for k, v in d.items():
            if v is None:
                continue
            if callable(v):
                with z.open(k, "w", force_zip64=True) as f:
                    v(f)
            else:
                z.writestr(k, v)


def raw(name, b):
    open(f"{out}/{name}", "wb").write(b)


def sst(items, attr=""):
    return H + f'<sst xmlns="{NS}" {attr}>' + "".join(items) + "</sst>"


P = parts
# --- sparse / dimension / address
w("00_good.xlsx", P())
w(
    "dense_two_corner_cells.xlsx",
    P(sheet('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>')),
)
w(
    "dense_two_corner_formulas.xlsx",
    P(
        sheet(
            '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c></row><row r="1048576"><c r="XFD1048576"><f>1+1</f><v>2</v></c></row>'
        )
    ),
)
w(
    "dense_medium_100k_x_1k.xlsx",
    P(sheet('<row r="1"><c r="A1"><v>1</v></c></row><row r="100000"><c r="ALL100000"><v>2</v></c></row>')),
)
w(
    "dense_last_row_formatting_only.xlsx",
    P(
        sheet(
            '<row r="1"><c r="A1"><v>1</v></c></row>'
            + "".join(f'<row r="{r}"><c r="XFD{r}" s="0"/></row>' for r in range(1048000, 1048577))
        )
    ),
)
w("dim_lies_huge.xlsx", P(sheet(ONE, "A1:XFD1048576")))
w("dim_reversed.xlsx", P(sheet(ONE, "C3:A1")))
w("dim_garbage.xlsx", P(sheet(ONE, "A1:B2:C3:D4")))
w("dim_empty.xlsx", P(sheet(ONE, "")))
w("dim_nonascii.xlsx", P(sheet(ONE, "Ä1:Ö2")))
w(
    "addr_beyond_limit.xlsx",
    P(sheet('<row r="1"><c r="A1"><v>1</v></c></row><row r="2000000"><c r="ZZZ2000000"><v>2</v></c></row>')),
)
w("addr_col_overflow_u32.xlsx", P(sheet('<row r="1"><c r="ZZZZZZZZZZ1"><v>1</v></c></row>')))
w("addr_row_overflow_u32.xlsx", P(sheet('<row r="99999999999999"><c r="A99999999999999"><v>1</v></c></row>')))
w(
    "addr_row_u32max_then_next.xlsx",
    P(sheet('<row r="4294967295"><c><v>1</v></c></row><row><c><v>2</v></c></row><row><c><v>3</v></c></row>')),
)
w("addr_zero.xlsx", P(sheet('<row r="0"><c r="A0"><v>1</v></c></row>')))
w(
    "addr_duplicate_cells.xlsx",
    P(
        sheet(
            '<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row><row r="1"><c r="A1"><v>3</v></c></row>'
        )
    ),
)
w(
    "addr_unordered_rows.xlsx",
    P(
        sheet(
            '<row r="9"><c r="C9"><v>1</v></c><c r="A9"><v>2</v></c></row><row r="2"><c r="A2"><v>3</v></c></row>'
        )
    ),
)
w("addr_row_attr_disagrees.xlsx", P(sheet('<row r="5"><c r="A7"><v>1</v></c></row>')))
w(
    "addr_lowercase_and_absolute.xlsx",
    P(sheet('<row r="1"><c r="$A$1"><v>1</v></c><c r="b1"><v>2</v></c></row>')),
)
# --- shared strings
SS = lambda n="0": sheet(f'<row r="1"><c r="A1" t="s"><v>{n}</v></c></row>')
w("sst_missing_part.xlsx", P(SS()))
w(
    "sst_index_out_of_range.xlsx",
    P(SS("7"), xl__sharedStrings=None, **{"xl/sharedStrings.xml": sst(["<si><t>a</t></si>"])}),
)
w("sst_index_negative.xlsx", P(SS("-1"), **{"xl/sharedStrings.xml": sst(["<si><t>a</t></si>"])}))
w(
    "sst_index_huge.xlsx",
    P(SS("99999999999999999999999"), **{"xl/sharedStrings.xml": sst(["<si><t>a</t></si>"])}),
)
w(
    "sst_uniquecount_4e9.xlsx",
    P(SS(), **{"xl/sharedStrings.xml": sst(["<si><t>a</t></si>"], 'uniqueCount="4000000000"')}),
)
w(
    "sst_uniquecount_u64max.xlsx",
    P(SS(), **{"xl/sharedStrings.xml": sst(["<si><t>a</t></si>"], 'uniqueCount="18446744073709551615"')}),
)
w(
    "sst_empty_si_shifts_index.xlsx",
    P(SS("2"), **{"xl/sharedStrings.xml": sst(["<si><t>zero</t></si>", "<si/>", "<si><t>TWO</t></si>"])}),
)
w("sst_unclosed.xlsx", P(SS(), **{"xl/sharedStrings.xml": H + f'<sst xmlns="{NS}"><si><t>a'}))
w(
    "sst_amplify_1MB_x_20k.xlsx",
    P(
        sheet("".join(f'<row r="{r}"><c r="A{r}" t="s"><v>0</v></c></row>' for r in range(1, 20001))),
        **{"xl/sharedStrings.xml": sst(["<si><t>" + "A" * 1_000_000 + "</t></si>"])},
    ),
)
w(
    "sst_self_referencing_entity.xlsx",
    P(
        SS(),
        **{
            "xl/sharedStrings.xml": '<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a "&b;"><!ENTITY b "&a;">]>'
            + f'<sst xmlns="{NS}"><si><t>&a;</t></si></sst>'
        },
    ),
)
w(
    "sst_xxe_file.xlsx",
    P(
        SS(),
        **{
            "xl/sharedStrings.xml": '<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
            + f'<sst xmlns="{NS}"><si><t>&a;</t></si></sst>'
        },
    ),
)
w(
    "xml_billion_laughs.xlsx",
    P(
        SS(),
        **{
            "xl/sharedStrings.xml": '<?xml version="1.0"?><!DOCTYPE s ['
            + '<!ENTITY l0 "lol">'
            + "".join(f'<!ENTITY l{i} "{("&l%d;" % (i - 1)) * 10}">' for i in range(1, 10))
            + "]>"
            + f'<sst xmlns="{NS}"><si><t>&l9;</t></si></sst>'
        },
    ),
)
# --- formulas
w(
    "shared_formula_si_4e9.xlsx",
    P(sheet('<row r="1"><c r="A1"><f t="shared" si="4000000000" ref="A1:A2">B1</f><v>1</v></c></row>')),
)
w(
    "shared_formula_si_u64max.xlsx",
    P(
        sheet(
            '<row r="1"><c r="A1"><f t="shared" si="18446744073709551615" ref="A1:A2">B1</f><v>1</v></c></row>'
        )
    ),
)
w("shared_formula_no_master.xlsx", P(sheet('<row r="1"><c r="A1"><f t="shared" si="0"/><v>1</v></c></row>')))
w(
    "shared_formula_negative_shift.xlsx",
    P(
        sheet(
            '<row r="5"><c r="E5"><f t="shared" si="0" ref="A1:E5">A1+B2</f><v>1</v></c></row><row r="6"><c r="A1"><f t="shared" si="0"/><v>1</v></c></row>'
        )
    ),
)
w(
    "shared_formula_ref_reversed.xlsx",
    P(sheet('<row r="5"><c r="E5"><f t="shared" si="0" ref="E5:A1">A1</f><v>1</v></c></row>')),
)
w(
    "shared_formula_amplify_8KB_x_100k.xlsx",
    P(
        sheet(
            '<row r="1"><c r="A1"><f t="shared" si="0" ref="A1:A100000">'
            + "+".join(["B1"] * 2700)
            + "</f><v>1</v></c></row>"
            + "".join(
                f'<row r="{r}"><c r="A{r}"><f t="shared" si="0"/><v>1</v></c></row>' for r in range(2, 100001)
            )
        )
    ),
)
w(
    "shared_formula_ref_overflow_text.xlsx",
    P(
        sheet(
            '<row r="1"><c r="A1"><f t="shared" si="0" ref="A1:A2">ZZZZZZZZZZ99999999999+XFD1048576</f><v>1</v></c></row><row r="2"><c r="B2"><f t="shared" si="0"/></c></row>'
        )
    ),
)
w("formula_1MB.xlsx", P(sheet('<row r="1"><c r="A1"><f>' + "1+" * 500000 + "1</f><v>1</v></c></row>")))
w(
    "formula_injection_cells.xlsx",
    P(
        sheet(
            '<row r="1">'
            + "".join(
                f'<c r="{c}1" t="inlineStr"><is><t>{t}</t></is></c>'
                for c, t in zip("ABCDE", ['=HYPERLINK("http://x","y")', "+1+1", "-2+3", "@SUM(A1)", "&#9;=1"])
            )
            + "</row>"
        )
    ),
)
# --- values
w(
    "value_types_bad.xlsx",
    P(
        sheet(
            '<row r="1"><c r="A1" t="b"><v>maybe</v></c><c r="B1" t="n"><v>abc</v></c><c r="C1" t="e"><v>#WAT!</v></c><c r="D1" t="zzz"><v>1</v></c><c r="E1"><v>1e999</v></c><c r="F1"><v>NaN</v></c><c r="G1" t="d"><v>2020-99-99</v></c></row>'
        )
    ),
)
w(
    "value_date_extremes.xlsx",
    P(
        sheet(
            '<row r="1"><c r="A1" s="1"><v>1e308</v></c><c r="B1" s="1"><v>-1e308</v></c><c r="C1" s="1"><v>60</v></c><c r="D1" s="1"><v>-0.0</v></c></row>'
        ),
        **{
            "xl/styles.xml": H
            + f'<styleSheet xmlns="{NS}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'
        },
    ),
)
w(
    "value_ansi_and_control.xlsx",
    P(
        sheet(
            '<row r="1"><c r="A1" t="inlineStr"><is><t>_x001B_[31mred _x0007_ \u202etxt.exe &lt;script&gt;alert(1)&lt;/script&gt;</t></is></c></row>'
        )
    ),
)
w(
    "value_cell_over_32767_chars.xlsx",
    P(sheet('<row r="1"><c r="A1" t="inlineStr"><is><t>' + "x" * 5_000_000 + "</t></is></c></row>")),
)
w("style_index_out_of_range.xlsx", P(sheet('<row r="1"><c r="A1" s="99999"><v>1</v></c></row>')))
# --- XML shape
w(
    "xml_deep_nesting_1M.xlsx",
    P(
        H
        + f'<worksheet xmlns="{NS}"><sheetData><row r="1"><c r="A1">'
        + "<a>" * 1_000_000
        + "</a>" * 1_000_000
        + "</c></row></sheetData></worksheet>"
    ),
)
w(
    "xml_many_attributes.xlsx",
    P(sheet('<row r="1"><c r="A1" ' + " ".join(f'a{i}="1"' for i in range(100000)) + "><v>1</v></c></row>")),
)
w("xml_truncated_sheet.xlsx", P(H + f'<worksheet xmlns="{NS}"><sheetData><row r="1"><c r="A1"><v>1'))
w("xml_utf16_sheet.xlsx", P((sheet(ONE).replace("UTF-8", "UTF-16")).encode("utf-16")))
w(
    "xml_invalid_utf8.xlsx",
    P(
        sheet('<row r="1"><c r="A1" t="inlineStr"><is><t>@@</t></is></c></row>')
        .encode()
        .replace(b"@@", b"\xff\xfe\x80")
    ),
)
w("xml_empty_sheet_part.xlsx", P(""))
w("xml_binary_noise_sheet.xlsx", P(random.Random(1).randbytes(100000)))
w(
    "xml_prefixed_namespace.xlsx",
    P(
        H
        + f'<x:worksheet xmlns:x="{NS}"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>'
    ),
)
# --- package
w(
    "pkg_wrong_content_types.xlsx",
    {**P(), "[Content_Types].xml": CT.replace("spreadsheetml.sheet.main", "wordprocessingml.document.main")},
)
w("pkg_no_content_types.xlsx", {**P(), "[Content_Types].xml": None})
w("pkg_no_workbook.xlsx", {**P(), "xl/workbook.xml": None})
w("pkg_no_rels.xlsx", {**P(), "_rels/.rels": None})
w("pkg_sheet_part_missing.xlsx", {**P(), "xl/worksheets/sheet1.xml": None})
w(
    "pkg_sheet_rel_cycle_to_workbook.xlsx",
    {**P(), "xl/_rels/workbook.xml.rels": WBR.replace("worksheets/sheet1.xml", "workbook.xml")},
)
w(
    "pkg_rel_traversal.xlsx",
    {**P(), "xl/_rels/workbook.xml.rels": WBR.replace("worksheets/sheet1.xml", "../../../../etc/passwd")},
)
w(
    "pkg_rel_external.xlsx",
    {
        **P(),
        "xl/_rels/workbook.xml.rels": WBR.replace(
            'Target="worksheets/sheet1.xml"', 'Target="http://127.0.0.1:9/x.xml" TargetMode="External"'
        ),
    },
)
w(
    "pkg_duplicate_sheet_names.xlsx",
    {**P(), "xl/workbook.xml": WB.replace("<sheets>", '<sheets><sheet name="S" sheetId="2" r:id="rId1"/>')},
)
w(
    "pkg_10k_sheets_same_part.xlsx",
    {
        **P(),
        "xl/workbook.xml": WB.replace(
            "<sheets>",
            "<sheets>" + "".join(f'<sheet name="S{i}" sheetId="{i}" r:id="rId1"/>' for i in range(2, 10002)),
        ),
    },
)
w(
    "pkg_sheet_name_nasty.xlsx",
    {**P(), "xl/workbook.xml": WB.replace('name="S"', 'name="../../&#27;x&lt;b&gt;&#10;evil"')},
)
w(
    "pkg_uppercase_backslash_paths.xlsx",
    {k.replace("xl/worksheets/", "XL\\Worksheets\\"): v for k, v in P().items()},
)


def dup():
    b = io.BytesIO()
    import warnings

    warnings.simplefilter("ignore")
    with zipfile.ZipFile(b, "w", zipfile.ZIP_DEFLATED) as z:
        for k, v in P().items():
            z.writestr(k, v)
        z.writestr("xl/worksheets/sheet1.xml", sheet('<row r="1"><c r="A1"><v>666</v></c></row>'))
    return b.getvalue()


raw("zip_duplicate_entry_names.xlsx", dup())


def many(n):
    b = io.BytesIO()
    with zipfile.ZipFile(b, "w") as z:
        for k, v in P().items():
            z.writestr(k, v)
        for i in range(n):
            z.writestr(f"x/{i}", "")
    return b.getvalue()


raw("zip_100k_entries.xlsx", many(100_000))
good = open(f"{out}/00_good.xlsx", "rb").read()
raw("zip_zero_bytes.xlsx", b"")
raw("zip_one_byte.xlsx", b"P")
raw("zip_truncated_half.xlsx", good[: len(good) // 2])
raw("zip_truncated_eocd.xlsx", good[:-10])
raw("zip_eocd_only.xlsx", b"PK\5\6" + b"\0" * 18)
raw("zip_prefixed_garbage.xlsx", b"#!/bin/sh\n" + good)
raw("zip_trailing_garbage.xlsx", good + b"\0" * 5000)
g = bytearray(good)
i = g.find(b"PK\1\2")
g[i + 24 : i + 28] = struct.pack("<I", 0xFFFFFFF0)
raw("zip_declares_4GB_size.xlsx", bytes(g))
g = bytearray(good)
j = good.rfind(b"PK\1\2")
g[j + 24 : j + 28] = struct.pack("<I", 1)
k = good.rfind(b"PK\3\4")
g[k + 22 : k + 26] = struct.pack("<I", 1)
raw("zip_declares_too_small_size.xlsx", bytes(g))
g = bytearray(good)
e = g.rfind(b"PK\5\6")
g[e + 10 : e + 12] = b"\xff\xfe"
g[e + 8 : e + 10] = b"\xff\xfe"
raw("zip_eocd_entry_count_lie.xlsx", bytes(g))
g = bytearray(good)
k = good.rfind(b"PK\3\4")
g[k + 40] ^= 0xFF
g[k + 60] ^= 0xFF
raw("zip_bitflip_in_deflate.xlsx", bytes(g))
g = bytearray(good)
for s in (b"PK\1\2", b"PK\3\4"):
    p = 0
    while (p := g.find(s, p)) >= 0:
        o = p + (10 if s == b"PK\1\2" else 8)
        g[o : o + 2] = struct.pack("<H", 99)
        p += 4
raw("zip_unknown_method_99.xlsx", bytes(g))
g = bytearray(good)
for s in (b"PK\1\2", b"PK\3\4"):
    p = 0
    while (p := g.find(s, p)) >= 0:
        o = p + (8 if s == b"PK\1\2" else 6)
        g[o] |= 1
        p += 4
raw("zip_encrypted_flag.xlsx", bytes(g))


# CD overlap: two CD records pointing to the same local entry (quoted-overlap bomb idea, small)
def overlap():
    b = io.BytesIO()
    with zipfile.ZipFile(b, "w", zipfile.ZIP_DEFLATED) as z:
        for k, v in P().items():
            z.writestr(k, v)
    d = bytearray(b.getvalue())
    e = d.rfind(b"PK\5\6")
    cdsz, cdoff = struct.unpack("<II", d[e + 12 : e + 20])
    cd = bytes(d[cdoff : cdoff + cdsz])
    last = cd[cd.rfind(b"PK\1\2") :]
    n = struct.unpack("<H", d[e + 10 : e + 12])[0]
    extra = 500
    ncd = cd + last * extra
    eo = bytearray(d[e:])
    eo[8:10] = eo[10:12] = struct.pack("<H", n + extra)
    eo[12:16] = struct.pack("<I", len(ncd))
    return bytes(d[:cdoff]) + ncd + bytes(eo)


raw("zip_overlapping_entries.xlsx", overlap())
w(
    "zip_slip_names.xlsx",
    {**P(), "../../../../tmp/pwned_by_xlsx": "x", "/etc/abs": "x", "C:\\win": "x", "xl/\x1b[31mred": "x"},
)
# bombs
MB = b"\0" * (1 << 20)


def zeros(n):
    return lambda f: [f.write(MB) for _ in range(n)]


def spaces_in_sheet(n):
    def f(h):
        a, b = sheet("@@").split("@@")
        h.write(a.encode())
        sp = b" " * (1 << 20)
        for _ in range(n):
            h.write(sp)
        h.write(b.encode())

    return f


def many_cells(n):
    def f(h):
        a, b = sheet("@@").split("@@")
        h.write(a.encode())
        for r in range(n):
            h.write(b"<row>" + b"<c><v>1</v></c>" * 100 + b"</row>")
        h.write(b.encode())

    return f


def one_text(n):
    def f(h):
        h.write((H + f'<sst xmlns="{NS}"><si><t>').encode())
        m = b"A" * (1 << 20)
        for _ in range(n):
            h.write(m)
        h.write(b"</t></si></sst>")

    return f


def many_si(n):
    def f(h):
        h.write((H + f'<sst xmlns="{NS}">').encode())
        m = b"<si><t>a</t></si>" * 10000
        for _ in range(n // 10000):
            h.write(m)
        h.write(b"</sst>")

    return f


w("bomb_1GB_zeros_unused_part.xlsx", {**P(), "xl/media/z.bin": zeros(1024)})
w("bomb_1GB_zeros_as_sheet.xlsx", {**P(), "xl/worksheets/sheet1.xml": zeros(1024)})
w("bomb_1GB_whitespace_in_sheet.xlsx", {**P(), "xl/worksheets/sheet1.xml": spaces_in_sheet(1024)})
w("bomb_1GB_one_shared_string.xlsx", P(SS(), **{"xl/sharedStrings.xml": one_text(1024)}))
w("bomb_50M_shared_strings.xlsx", P(SS(), **{"xl/sharedStrings.xml": many_si(50_000_000)}))
w("bomb_50M_cells.xlsx", P(None, **{"xl/worksheets/sheet1.xml": many_cells(500_000)}))
# other containers
raw("ole_stub_header_only.xlsx", bytes.fromhex("D0CF11E0A1B11AE1") + b"\0" * 504)
raw("fake_html.xlsx", b"<html><table><tr><td>1</td></tr></table></html>")
raw("fake_csv.xlsx", b"a,b\n1,2\n")
raw("fake_pdf.xlsx", b"%PDF-1.7\n")
print(len(os.listdir(out)), "files")
