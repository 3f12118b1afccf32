import datetime
import sys

import openpyxl


def norm(v):
    if v is None or v == "":
        return None
    if isinstance(v, bool):
        return v
    if isinstance(v, (int, float)):
        return float("%.15g" % v)
    if isinstance(v, (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)):
        return str(v)
    if hasattr(v, "text") and hasattr(v, "ref"):
        return "{%s}%s" % (v.ref, v.text)  # ArrayFormula
    if v.__class__.__name__ == "DataTableFormula":
        return None
    if v.__class__.__name__ == "CellRichText":
        return str(v)
    return v


def dump(path, data_only=False):
    wb = openpyxl.load_workbook(path, data_only=data_only, read_only=False, keep_links=False)
    out = {}
    for ws in wb.worksheets:
        c = {}
        for row in ws.iter_rows():
            for x in row:
                v = norm(x.value)
                if v is not None:
                    c[(x.row, x.column)] = v
        out[ws.title] = c
    return out, wb


if __name__ == "__main__":
    d, wb = dump(sys.argv[1])
    for s, c in d.items():
        if len(sys.argv) > 2 and s != sys.argv[2]:
            continue
        print("##", s, len(c))
        rows = {}
        for (r, k), v in sorted(c.items()):
            rows.setdefault(r, []).append(openpyxl.utils.get_column_letter(k) + "=" + repr(v)[:60])
        for r, v in list(rows.items())[: int(sys.argv[3]) if len(sys.argv) > 3 else 40]:
            print(r, " | ".join(v)[:400])
