#!/bin/sh
# badxlsx.sh [WORK]: reads every hostile workbook that badxlsx/gen.py makes, under 2 GiB
# of address space. Prints what came of each; fails if one panics, is killed, or takes
# more than 5 seconds.
set -eu
work=${1:-$(mktemp -d)}
root=$(cd "$(dirname "$0")/.." && pwd)
cargo build --quiet --release --manifest-path "$root/Cargo.toml" \
    -p mvdiff-grid --example read_workbook
[ -f "$work/00_good.xlsx" ] || python3 "$root/bench/badxlsx/gen.py" "$work" --big >&2
failed=0
count=0
for file in "$work"/*; do
    code=0
    # 124 is the time limit; 2 is a refusal; all else that is not 0 is a crash.
    said=$( (ulimit -v 2097152 && exec timeout 5 \
        "$root/target/release/examples/read_workbook" "$file") 2>&1) || code=$?
    count=$((count + 1))
    printf '%s %s\n' "$code" "$(printf %s "$said" | head -c 300)"
    case "$code $said" in
    *panicked*) failed=$((failed + 1)) ;;
    0\ * | 2\ *) ;;
    *) failed=$((failed + 1)) ;;
    esac
done
echo "$count files, $failed failed"
[ "$failed" -eq 0 ]
