#!/bin/sh
# corpus.sh DIR [PACKAGE...]: two versions each of some Python packages, unpacked
# into DIR/<package>/old and DIR/<package>/new. Needs pip and python3.
set -eu
dir=${1:?usage: corpus.sh DIR [PACKAGE...]}
shift

fetch() { # package version side
    target="$dir/$1/$3"
    [ -d "$target" ] && return
    wheels="$dir/.wheels/$1-$2"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps \
        --only-binary :all: --platform manylinux2014_x86_64 --python-version 3.11 \
        --dest "$wheels" "$1==$2"
    mkdir -p "$target"
    python3 -m zipfile -e "$wheels"/*.whl "$target"
}

while read -r package old new; do
    case " ${*:-$package} " in *" $package "*) ;; *) continue ;; esac
    fetch "$package" "$old" old
    fetch "$package" "$new" new
    echo "$dir/$package/old $dir/$package/new"
done <<PACKAGES
django 4.2 5.0
sympy 1.12 1.13.3
pandas 2.1.0 2.2.0
ansible-core 2.15.0 2.16.0
sqlalchemy 2.0.0 2.0.30
PACKAGES
