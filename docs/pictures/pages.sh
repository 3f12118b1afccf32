#!/usr/bin/env bash
# Makes the pictures of the pages anew, in headless Chromium; tests/setup installs it.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo test --locked -p mvdiff --features browser --test browser text::pictures -- --ignored
