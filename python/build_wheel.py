"""maturin's build backend, with the `mvdiff` program put into the wheel.

maturin builds an extension module or a program, not both, but it packs what lies in
mvdiff.data/scripts; so the program is built first and laid there. `pip install
./python` gives the library and the program.

MVDIFF_BUILD_PROFILE=dev builds both without optimisation, for tests.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import maturin
from maturin import (  # noqa: F401  (the hooks of a build backend)
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

HERE = Path(__file__).resolve().parent
# maturin asks for it before anything is built.
(HERE / "mvdiff.data").mkdir(exist_ok=True)
PROFILE = os.environ.get("MVDIFF_BUILD_PROFILE", "release")


def _lay_program() -> None:
    """Builds the program and lays it where maturin takes scripts from."""
    subprocess.run(
        ["cargo", "build", "--locked", "--package", "mvdiff", "--profile", PROFILE],
        cwd=HERE.parent,
        check=True,
        stdout=sys.stderr,
    )
    name = "mvdiff.exe" if os.name == "nt" else "mvdiff"
    folder = "debug" if PROFILE == "dev" else PROFILE
    target = Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent / "target"))
    scripts = HERE / "mvdiff.data" / "scripts"
    scripts.mkdir(parents=True, exist_ok=True)
    shutil.copy2(target / folder / name, scripts / name)


def _with_profile(settings):
    settings = dict(settings or {})
    settings.setdefault("build-args", f"--profile {PROFILE} --locked")
    return settings


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _lay_program()
    settings = _with_profile(config_settings)
    return maturin.build_wheel(wheel_directory, settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _lay_program()
    settings = _with_profile(config_settings)
    return maturin.build_editable(wheel_directory, settings, metadata_directory)
