"""One line of progress on standard error, and only where a person sees it."""

from __future__ import annotations

import sys


def show(what: str, done: int, total: int) -> None:
    """Say how far a step is; the line is wiped when the step is done."""
    if not sys.stderr.isatty():
        return
    line = f"{what}: {done}/{total}" if done < total else ""
    sys.stderr.write(f"\r\x1b[K{line}")
    sys.stderr.flush()
