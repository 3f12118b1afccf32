#!/usr/bin/env bash
# How good are the moves? Writes the parts `movebench` and `gridbench` of
# docs/benchmarks.md.
#
#   bench/quality.sh WORK_DIR
#
# WORK_DIR keeps the cases and predictions; cases that are already there are
# used again. SEEDS="1 7" selects the sets, which are made from the sources on
# the machine; OTHER="DIR..." makes one more set, seed 3, from those folders.
set -euo pipefail

if [ $# -ne 1 ]; then
    echo "usage: bench/quality.sh WORK_DIR" >&2
    exit 2
fi
mkdir -p "$1"
work=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
bench=bench/movebench

cargo build --release --locked -p mvdiff -p mvdiff-tests
scores=()
# set_of NAME CASES [OPTION...]: makes the cases unless they are there, runs every
# tool, and keeps the scores.
set_of() {
    name=$1 cases=$2
    shift 2
    if [ ! -d "$cases" ]; then
        python3 "$bench/gen.py" --out "$cases" --per-category 21 "$@"
    fi
    of=$work/$(basename "$cases")
    python3 "$bench/run_mvdiff.py" "$target/release/mvdiff" "$cases" "$of-ours.json"
    python3 "$bench/run_git.py" "$cases" "$of-git.json" --mode zebra
    python3 "$bench/run_git.py" "$cases" "$of-git-indent.json" --mode zebra --ws allow-indentation-change
    for tool in ours git git-indent; do
        echo "movebench, $name, $tool"
        python3 "$bench/score.py" "$cases" "$of-$tool.json" --json "$of-$tool.score.json" | tail -n 1
    done
    scores+=("$name=$of")
}
for seed in ${SEEDS-1 7}; do
    set_of "seed $seed" "$work/cases-$seed" --seed "$seed"
done
if [ -n "${OTHER:-}" ]; then
    sources=()
    for folder in $OTHER; do sources+=(--src "$folder"); done
    set_of "other sources" "$work/cases-other" --seed 3 "${sources[@]}"
fi

echo "gridbench"
# It exits 1 when a goal is missed; the page shows which.
python3 bench/gridbench/core.py --bin "$target/release/predict-grid" \
    > "$work/grid.txt" || echo "a goal is missed"
python3 bench/quality_page.py docs/benchmarks.md "$work/grid.txt" "${scores[@]}"
