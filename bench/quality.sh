#!/usr/bin/env bash
# How good are the moves? Writes the parts `movebench` and `gridbench` of
# docs/benchmarks.md.
#
#   bench/quality.sh SHARED_DIR WORK_DIR
#
# SHARED_DIR holds movebench/ and gridbench/, generators and scorers of cases
# with known truth. WORK_DIR keeps the cases and predictions; cases that are
# there already are taken as they are. SEEDS="1 7" chooses the sets.
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: bench/quality.sh SHARED_DIR WORK_DIR" >&2
    exit 2
fi
mkdir -p "$2"
shared=$(cd "$1" && pwd)
work=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}

cargo build --release --locked -p mvdiff-tests
scores=()
for seed in ${SEEDS:-1 7}; do
    cases=$work/cases-$seed
    if [ ! -d "$cases" ]; then
        python3 "$shared/movebench/gen.py" --out "$cases" --seed "$seed" --per-category 21
    fi
    "$target/release/predict-moves" "$cases" "$work/ours-$seed.json"
    python3 "$shared/movebench/run_git.py" "$cases" "$work/git-$seed.json" \
        --mode zebra --ws allow-indentation-change
    for tool in ours git; do
        echo "movebench, seed $seed, $tool"
        python3 "$shared/movebench/score.py" "$cases" "$work/$tool-$seed.json" \
            --json "$work/$tool-$seed.score.json" | tail -n 2
    done
    scores+=("$seed=$work/ours-$seed.score.json=$work/git-$seed.score.json")
done

echo "gridbench"
# It exits 1 when a goal is missed; the page shows which.
python3 tests/gridbench.py --bench "$shared/gridbench" --bin "$target/release/predict-grid" \
    > "$work/grid.txt" || echo "a goal is missed"
python3 bench/quality_page.py docs/benchmarks.md "$work/grid.txt" "${scores[@]}"
