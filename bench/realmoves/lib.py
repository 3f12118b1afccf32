"""Reads diffs and reports. Shares no code with mvdiff."""

import base64
import os
import re
import subprocess
import time


def run(cmd, inp=None, out=None, timeout=300):
    """Returns exit code, CPU seconds, wall seconds, and peak memory in KiB."""
    t = time.time()
    o = open(out, "wb+")
    i = open(inp, "rb") if inp else subprocess.DEVNULL
    p = subprocess.Popen(cmd, stdin=i, stdout=o, stderr=subprocess.DEVNULL)
    _, st, ru = os.wait4(p.pid, 0)
    p.returncode = 0
    w = time.time() - t
    o.close()
    if inp:
        i.close()
    return os.waitstatus_to_exitcode(st), ru.ru_utime + ru.ru_stime, w, ru.ru_maxrss


ESC = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}


def unq(b):
    if b[:1] != b'"':
        return b.split(b"\t")[0].decode("utf8", "surrogateescape")
    s = b[1 : b.rindex(b'"')]
    o = bytearray()
    i = 0
    while i < len(s):
        c = s[i]
        if c == 92:
            d = chr(s[i + 1])
            if d in ESC:
                o.append(ESC[d])
                i += 2
            else:
                o.append(int(s[i + 1 : i + 4], 8))
                i += 4
        else:
            o.append(c)
            i += 1
    return bytes(o).decode("utf8", "surrogateescape")


HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def parse_diff(data):
    """-> minus {(file,line):text}, plus {...}, ctx [(oldfile,oldline,newfile,newline)], files [(old,new)]"""
    minus = {}
    plus = {}
    ctx = []
    files = []
    dup = 0
    of = nf = None
    lines = data.split(b"\n")
    i = 0
    n = len(lines)
    while i < n:
        l = lines[i]
        if l.startswith(b"diff --git "):
            of = nf = None
            i += 1
            continue
        if l.startswith(b"--- ") and i + 1 < n and lines[i + 1].startswith(b"+++ "):
            a = unq(l[4:])
            b = unq(lines[i + 1][4:])
            of = a[2:] if a != "/dev/null" else None
            nf = b[2:] if b != "/dev/null" else None
            files.append((of, nf))
            i += 2
            continue
        m = HUNK.match(l)
        if m:
            o = int(m[1])
            oc = int(m[2]) if m[2] is not None else 1
            q = int(m[3])
            qc = int(m[4]) if m[4] is not None else 1
            if oc == 0:
                o += 1
            if qc == 0:
                q += 1
            i += 1
            while oc > 0 or qc > 0:
                l = lines[i]
                c = l[:1]
                if c == b"-":
                    if (of, o) in minus:
                        dup += 1
                    minus[of, o] = l[1:]
                    o += 1
                    oc -= 1
                elif c == b"+":
                    if (nf, q) in plus:
                        dup += 1
                    plus[nf, q] = l[1:]
                    q += 1
                    qc -= 1
                elif c == b"\\":
                    pass
                else:
                    ctx.append((of, o, nf, q))
                    o += 1
                    q += 1
                    oc -= 1
                    qc -= 1
                i += 1
            continue
        i += 1
    return minus, plus, ctx, files, dup


def text(v):
    if isinstance(v, dict):
        return base64.b64decode(v["base64"])
    return v.encode("utf8", "surrogateescape")


NOISE = re.compile(
    rb'^(?:(?:else|try|finally|do|then|begin|end|pass|return|break|continue|default:|@Override|override|\*/?|/\*\*?|//|#|"""|\'\'\')\b)?[\W_]*$'
)


def substantive(l):
    s = l.strip()
    return not NOISE.match(s) and s not in (
        b"@Override",
        b"@Test",
        b"return;",
        b"else {",
        b"} else {",
        b"pass",
        b"break;",
        b"return null;",
        b"return true;",
        b"return false;",
    )


def splitlines(b):
    l = b.split(b"\n")
    if l and l[-1] == b"":
        l.pop()
    return l
