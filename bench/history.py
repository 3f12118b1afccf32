#!/usr/bin/env python3
"""Does the report rebuild what the commit made? history.py MVDIFF REPO [REPO ...] [--commits 200]

For each of the last commits of each repository (a git directory): `git diff`
against its parent, `mvdiff effective` on it with the touched files at hand,
`mvdiff replay` from the report, and every file and mode compared with the
commit's own. Prints one line a repository; exits 1 if anything differs.
"""
import argparse, json, os, pathlib, stat, subprocess, sys, tempfile


def git(repo, *args, **more):
    env = dict(os.environ, GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull)
    done = subprocess.run(["git", "-C", repo, *args], capture_output=True, env=env, **more)
    if done.returncode:
        raise SystemExit(f"git {' '.join(args)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def touched(repo, parent, commit):
    """(old mode, new mode, old id, new id, status, path[, new path]) of each file."""
    fields = git(repo, "diff", "--raw", "-z", "--no-abbrev", "-M", parent, commit).split(b"\0")
    rows, at = [], 0
    while at < len(fields) - 1:
        old_mode, new_mode, old_id, new_id, status = fields[at][1:].decode().split(" ")
        count = 2 if status[0] in "RC" else 1
        rows.append((old_mode, new_mode, old_id, new_id, status, fields[at + 1:at + 1 + count]))
        at += 1 + count
    return rows


def write(repo, root, path, mode, blob):
    target = os.path.join(os.fsencode(root), path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if mode == "160000":
        return
    content = git(repo, "cat-file", "blob", blob)
    if mode == "120000":
        os.symlink(content, target)
        return
    with open(target, "wb") as file:
        file.write(content)
    os.chmod(target, 0o755 if mode == "100755" else 0o644)


def files(root):
    found = {}
    for folder, dirs, names in os.walk(os.fsencode(root)):
        for name in names + [d for d in dirs if os.path.islink(os.path.join(folder, d))]:
            path = os.path.join(folder, name)
            key = os.path.relpath(path, os.fsencode(root))
            if os.path.islink(path):
                found[key] = ("link", os.readlink(path))
            else:
                executable = bool(os.stat(path).st_mode & stat.S_IXUSR)
                found[key] = (executable, pathlib.Path(os.fsdecode(path)).read_bytes())
    return found


def check(mvdiff, repo, parent, commit, work):
    patch = git(repo, "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--full-index", "--binary", "-M",
                "--src-prefix=a/", "--dst-prefix=b/", parent, commit)
    for old_mode, new_mode, old_id, new_id, status, paths in touched(repo, parent, commit):
        if status[0] != "A":
            write(repo, work / "old", paths[0], old_mode, old_id)
        if status[0] != "D":
            write(repo, work / "new", paths[-1], new_mode, new_id)
    (work / "old").mkdir(exist_ok=True)
    (work / "new").mkdir(exist_ok=True)
    told = subprocess.run([mvdiff, "effective", "--old", work / "old", "--new", work / "new", "--format", "json", "-"],
                          input=patch, capture_output=True)
    if told.returncode:
        return None, f"effective: {told.stderr.decode(errors='replace').strip()}"
    (work / "report.json").write_bytes(told.stdout)
    report = json.loads(told.stdout)
    built = subprocess.run([mvdiff, "replay", "--old", work / "old", "--out", work / "out", work / "report.json"],
                           capture_output=True)
    if built.returncode:
        return report, f"replay: {built.stderr.decode(errors='replace').strip()}"
    wanted, got = files(work / "new"), files(work / "out") if (work / "out").exists() else {}
    wrong = sorted(p for p in wanted.keys() | got.keys() if wanted.get(p) != got.get(p))
    return report, f"differs: {os.fsdecode(wrong[0])}" if wrong else None


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("mvdiff")
    arguments.add_argument("repos", nargs="+")
    arguments.add_argument("--commits", type=int, default=200)
    asked = arguments.parse_args()
    mvdiff, failed = os.path.abspath(asked.mvdiff), 0
    print("| repository | commits | rebuilt | with moves | moves | changed lines | left to read | notes |")
    print("|---|---|---|---|---|---|---|---|")
    for repo in asked.repos:
        log = git(repo, "log", "--no-merges", "--format=%H %P", f"-{asked.commits}").decode().split("\n")
        pairs = [line.split(" ") for line in log if line.count(" ") == 1 and not line.endswith(" ")]
        right = moving = moves = changed = left = noted = 0
        for commit, parent in pairs:
            with tempfile.TemporaryDirectory() as work:
                report, wrong = check(mvdiff, repo, parent, commit, pathlib.Path(work))
            if wrong:
                failed += 1
                print(f"{repo}: {commit}: {wrong}", file=sys.stderr)
            else:
                right += 1
            if report:
                moving += bool(report["moves"])
                moves += len(report["moves"])
                changed += report["input"]["added"] + report["input"]["removed"]
                left += report["total_lines_effectively_changed"]
                noted += any(note["kind"] != "ambiguous" for note in report["notes"])
        name = os.path.basename(os.path.dirname(os.path.abspath(repo))) if os.path.basename(repo) in ("repo", ".git") else os.path.basename(repo)
        print(f"| {name} | {len(pairs)} | {right} | {moving} | {moves} | {changed} | {left} | {noted} |", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
