"""Results in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aliquot.report.table import text, told_apart

PAIR = ("a", "b", "measure", "difference", "low", "high", "p_value", "p_adjusted")


def compared(data: Mapping[str, Any], level: float, shown: int) -> str:
    """Lay differences out, the surest first; then tiers, and for one pair the claim."""
    rows = sorted(data["rows"], key=lambda row: (row["p_value"] is None, row["p_value"]))
    parts = [text(rows[:shown], told_apart(PAIR, rows))]
    if len(rows) > shown:
        parts.append(f"... and {len(rows) - shown} more; --json has them all")
    parts += [_tiers(one) for one in data["tiers"]]
    if not data["tiers"]:
        parts += [_claim(row, level) for row in rows]
    return "\n\n".join(parts)


def _tiers(one: Mapping[str, Any]) -> str:
    lines = [f"  {i}. {', '.join(tier)}" for i, tier in enumerate(one["tiers"], 1)]
    head = f"{one['measure']}: tiers, best first (within a tier nobody differs from the first)"
    return "\n".join([head, *lines])


def _claim(row: Mapping[str, Any], level: float) -> str:
    measure = f"{row['measure']} (assisted)" if row["assisted"] else row["measure"]
    if row["difference"] is None:
        return f"{measure}: it can't be estimated yet; judge more units."
    a, b = (row["a"], row["b"]) if row["difference"] > 0 else (row["b"], row["a"])
    if row["p_adjusted"] < 1 - level:
        return f"{measure}: {a} is better than {b} ({100 * level:g}% confidence)."
    return f"{measure}: {row['a']} and {row['b']} can't be told apart yet."


def findings(rows: Sequence[Mapping[str, Any]]) -> str:
    """List what the doctor found, problems first; what holds for several is said once."""
    order = {"problem": 0, "note": 1, "fine": 2}
    sign = {"problem": "PROBLEM", "note": "note   ", "fine": "ok     "}
    topics: dict[tuple[str, str], list[str]] = {}
    for row in sorted(rows, key=lambda row: order[row["grade"]]):
        topics.setdefault((row["grade"], row["text"]), []).append(row["topic"])
    return "\n".join(
        f"{sign[grade]}  {listed(named)}: {text}" for (grade, text), named in topics.items()
    )


def listed(names: Sequence[str]) -> str:
    """Name the first three, each once, and count the others.

    >>> listed(["a", "b", "a", "c", "d"])
    'a, b, c and 1 more'
    """
    once = list(dict.fromkeys(names))
    more = f" and {len(once) - 3} more" if len(once) > 3 else ""
    return ", ".join(once[:3]) + more


def counted(number: int, noun: str) -> str:
    """Write a number and what it counts.

    >>> counted(1, "unit"), counted(3, "unit")
    ('1 unit', '3 units')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
