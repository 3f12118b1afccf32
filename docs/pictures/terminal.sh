#!/bin/sh
# Makes docs/pictures/terminal.svg, or the file that is named: what mvdiff prints on
# a dark terminal of 120 columns. Which mvdiff, MVDIFF says.
set -eu
out=${1:-$(dirname "$0")/terminal.svg}
case $out in /*) ;; *) out=$PWD/$out ;; esac
cd "$(dirname "$0")/../.."
mvdiff=${MVDIFF:-$PWD/target/debug/mvdiff}

# Only what is said here counts, not the terminal of whoever makes the picture.
unset NO_COLOR CLICOLOR CLICOLOR_FORCE MVDIFF_LAYOUT MVDIFF_TABS
export COLORTERM=truecolor MVDIFF_THEME=dark MVDIFF_WIDTH=120

show() {
    printf '\033[1m$ mvdiff %s\033[0m\n' "$*"
    command=$1
    shift
    # Exit code 1 says that there is a difference.
    "$mvdiff" --color always "$command" --format terminal "$@" || [ $? -eq 1 ]
}

{
    show diff examples/old.py examples/new.py
    printf '\n'
    cd examples/refactor
    show effective --layout unified --old old --new new ../refactor.patch
} | python3 docs/pictures/ansi_svg.py 120 > "$out"
