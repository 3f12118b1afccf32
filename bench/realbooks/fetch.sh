#!/usr/bin/env bash
# Clones the repositories that cases.jsonl names, as DIR/owner+name/repo.
#
#   bench/realbooks/fetch.sh DIR
set -euo pipefail

if [ $# -ne 1 ]; then
    echo "usage: bench/realbooks/fetch.sh DIR" >&2
    exit 2
fi
cases=$(dirname "$0")/cases.jsonl
python3 -c 'import json, sys; print("\n".join(sorted({json.loads(line)["repo"] for line in sys.stdin})))' < "$cases" |
    while read -r repo; do
        to=$1/${repo/\//+}/repo
        [ -d "$to" ] || git clone --quiet --bare "https://github.com/$repo" "$to"
    done
