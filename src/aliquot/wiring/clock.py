"""The clock: the only place where aliquot asks what time it is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from time import perf_counter


def now() -> str:
    """Return the time in UTC, to the second, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def stopwatch() -> Callable[[], float]:
    """Start a stopwatch; call it for the seconds since."""
    start = perf_counter()
    return lambda: perf_counter() - start
