#!/usr/bin/env bash
# Makes the pictures of the pages anew, in headless Chromium, which tests/setup
# installs; and that of the highlighted workbook, where LibreOffice (soffice) and
# pdftoppm are there.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo test --locked -p mvdiff --features browser --test browser pictures -- --ignored

if ! command -v soffice > /dev/null || ! command -v pdftoppm > /dev/null; then
    echo "docs/pictures/pages.sh: no soffice or pdftoppm: workbook-xlsx.png stays as it is" >&2
    exit 0
fi
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
# Exit code 1 says that there is a difference.
cargo run --locked -q -p mvdiff -- diff --format xlsx -o "$work/changes.xlsx" \
    examples/prices_old.xlsx examples/prices_new.xlsx || [ $? -eq 1 ]
soffice --headless --convert-to pdf --outdir "$work" "$work/changes.xlsx" > /dev/null 2>&1
# The first page is the summary.
pdftoppm -r 90 -png -f 2 -l 2 -singlefile -x 55 -y 60 -W 880 -H 405 "$work/changes.pdf" "$work/sheet"
cp "$work/sheet.png" docs/pictures/workbook-xlsx.png
