"""The clock: the only place where aliquot asks what time it is."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """Return the time in UTC, to the second, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")
