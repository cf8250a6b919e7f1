#!/usr/bin/env bash
# Formats every source as .clang-format says; with --check only says what is not.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cd "$STARRAY_ROOT"
if [ "${1:-}" = --check ]; then
    sources | xargs -r clang-format --dry-run -Werror
else
    # Twice: a few lines settle only then.
    sources | xargs -r clang-format -i
    sources | xargs -r clang-format -i
fi
