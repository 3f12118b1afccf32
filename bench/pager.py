#!/usr/bin/env python3
"""What does the pager cost beside delta? pager.py MVDIFF DELTA NAME=PATCH... [--repo DIR]

CPU time (user and system) of both reading the same patches with colours, in turn, one process each,
medians; and the CPU time until the first 60 lines of output are there, which is what people
wait for. With --repo both run in that repository, where ours looks the whole files up; else
outside of any. A small patch of one file shows what starting costs.
"""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

SCREEN = 60
SMALL = b"""\
diff --git a/total.py b/total.py
index 1111111..2222222 100644
--- a/total.py
+++ b/total.py
@@ -1,4 +1,4 @@ def total(items):
 def total(items):
-    return sum(items)
+    return sum(item.price for item in items)
 
 print(total([]))
"""


def command(program, tool):
    if tool == "mvdiff":
        return [program, "--color=always", "--theme=dark", "--no-pager", "--width=160"]
    return [program, "--paging=never", "--dark", "--width=160"]


def environment(home="/nonexistent"):
    return dict(os.environ, GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull, LC_ALL="C.UTF-8",
                COLORTERM="truecolor", TERM="xterm-256color", HOME=home, XDG_CONFIG_HOME=home)


def whole(words, patch, cwd):
    """Seconds of CPU for all of it, children included, and the bytes that came."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(patch, "rb") as given:
        ran = subprocess.run(words, stdin=given, capture_output=True, cwd=cwd, env=environment(), check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ran.returncode == 0, (words, ran.stderr[:300])
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, len(ran.stdout)


def ticks(process):
    """Seconds of CPU that a running process has used, its threads included."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def first_screen(words, patch, cwd):
    """Seconds of CPU until a screenful is written. The pipe holds less than one, so the
    process has not gone far beyond it."""
    with open(patch, "rb") as given:
        child = subprocess.Popen(words, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                 cwd=cwd, env=environment(), pipesize=4096)
    lines = 0
    while lines < SCREEN:
        block = os.read(child.stdout.fileno(), 512)
        if not block:
            break
        lines += block.count(b"\n")
    used = ticks(child.pid)
    child.stdout.close()
    child.kill()
    child.wait()
    return used


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("mvdiff")
    parser.add_argument("delta")
    parser.add_argument("patches", nargs="*", metavar="NAME=PATCH")
    parser.add_argument("--repo")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as nowhere:
        small = pathlib.Path(nowhere, "small.patch")
        small.write_bytes(SMALL)
        patches = [("small", str(small))] + [tuple(patch.split("=", 1)) for patch in args.patches]
        print("| patch | lines | mvdiff | delta | ratio | first screen: mvdiff | delta |")
        print("|---|--:|--:|--:|--:|--:|--:|")
        for name, patch in patches:
            cwd = args.repo or nowhere
            cost = {"mvdiff": [], "delta": []}
            first = {"mvdiff": [], "delta": []}
            rounds = args.runs * (8 if name == "small" else 1)
            for _ in range(rounds):
                for tool, program in (("mvdiff", args.mvdiff), ("delta", args.delta)):
                    words = command(program, tool)
                    cost[tool].append(whole(words, patch, cwd)[0])
                    first[tool].append(first_screen(words, patch, cwd))
            ours, theirs = (statistics.median(cost[tool]) for tool in ("mvdiff", "delta"))
            screens = [statistics.median(first[tool]) for tool in ("mvdiff", "delta")]
            lines = pathlib.Path(patch).read_bytes().count(b"\n")
            print(f"| {name} | {lines:,} | {ours * 1000:,.0f} ms | {theirs * 1000:,.0f} ms |"
                  f" {ours / theirs:.2f} | {screens[0] * 1000:,.0f} ms | {screens[1] * 1000:,.0f} ms |")


if __name__ == "__main__":
    main()
