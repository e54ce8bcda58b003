"""What a report says, as plain values: gathered elsewhere, put into words and pictures here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, final

from aliquot.report.curve import Shown
from aliquot.report.table import number

Row = Mapping[str, Any]


@final
@dataclass(frozen=True)
class Facts:
    """One study at one moment.

    `rows`, `tiers` and `differences` are what `estimate` and `compare` give; each estimate has a
    `least` as well, the one-sided lower limit. `missing` says why there are no estimates.
    """

    name: str
    made: str
    version: str
    seed: int
    kind: str  # "runs" or "table"
    scale: str
    created: str
    measures: tuple[str, ...]
    units: int
    topics: int
    systems: tuple[tuple[str, str], ...]  # (name, kind)
    judges: tuple[str, ...]
    frame_hash: str
    versions: int
    draws: tuple[Row, ...]
    progress: Row
    labels: tuple[tuple[str, int], ...]
    annotators: tuple[tuple[str, int], ...]
    level: float
    over: str
    rows: tuple[Row, ...] = ()
    tiers: tuple[Row, ...] = ()
    differences: tuple[Row, ...] = ()
    findings: tuple[Row, ...] = ()
    missing: str = ""
    curves: tuple[Shown, ...] = ()

    @property
    def percent(self) -> str:
        """The level in words, held together: 95 %."""
        return f"{self.level * 100:.4g}\N{NO-BREAK SPACE}%"

    def of(self, measure: str) -> list[Row]:
        """Return the estimates of one measure."""
        return [row for row in self.rows if row["measure"] == measure]

    @property
    def measured(self) -> tuple[str, ...]:
        """The measures that were estimated, in order."""
        return tuple(dict.fromkeys(row["measure"] for row in self.rows))

    @property
    def warned(self) -> list[tuple[str, str]]:
        """Every warning, and whom it is about."""
        said: dict[str, list[str]] = {}
        for row in self.rows:
            for text in row["warnings"]:
                said.setdefault(text, []).append(who(row))
        return [
            ("every estimate" if len(names) == len(self.rows) else ", ".join(names), text)
            for text, names in said.items()
        ]


def who(row: Row) -> str:
    """Name an estimate."""
    name = f"{row['measure']} of {row['system']}" if row["system"] else str(row["measure"])
    return f"{name} (assisted)" if row["assisted"] else name


def decimals(rows: Iterable[Row]) -> int | None:
    """Return how many decimals are worth showing: two digits of the smallest standard error.

    >>> decimals([{"stderr": 0.031}, {"stderr": 0.2}]), decimals([{"stderr": 12.0}])
    (3, 0)
    """
    known = [row["stderr"] for row in rows if row["stderr"]]
    return max(0, 1 - math.floor(math.log10(min(known)))) if known else None


def rounded(value: float | None, places: int | None) -> str:
    """Write a number with as many decimals as are worth showing."""
    return number(value) if value is None or places is None else f"{value:.{places}f}"


def span(row: Row, places: int | None) -> str:
    """Write an interval."""
    return f"{rounded(row['low'], places)} to {rounded(row['high'], places)}"


def when(time: str) -> str:
    """Write a time so that it can be read.

    >>> when("2026-11-18T22:41:22+00:00")
    '2026-11-18 22:41 UTC'
    """
    return f"{time[:10]} {time[11:16]} UTC" if time.endswith("+00:00") else time


def summary(facts: Facts) -> list[str]:
    """Say in a sentence or two, measure by measure, what may be claimed."""
    if facts.missing:
        return [f"There are no estimates yet: {facts.missing}"]
    return [_claim(facts, measure) for measure in facts.measured]


def _claim(facts: Facts, measure: str) -> str:
    rows = [row for row in facts.of(measure) if not row["assisted"]]
    known = [row for row in rows if row["estimate"] is not None]
    if not known:
        return f"{measure} can't be estimated yet."
    best, places = max(known, key=lambda row: float(row["estimate"])), decimals(rows)
    value = f"{rounded(best['estimate'], places)}, {facts.percent} interval {span(best, places)}"
    if best["guarantee"] == "exact":
        value = f"{number(best['estimate'])}, exactly"
    subject = f"{measure} of {best['system']}" if best["system"] else measure
    if len(rows) == 1:
        return f"{subject} is {value}. {_least(facts, best)}".rstrip()
    told = f"{best['system']} has the highest {measure}: {value}."
    rival = _rivals(facts, measure, str(best["system"]))
    return " ".join(filter(None, [told, _least(facts, best), rival]))


def _least(facts: Facts, row: Row) -> str:
    if row["guarantee"] == "exact" or row.get("least") is None:
        return ""
    least = rounded(row["least"], decimals(facts.of(row["measure"])))
    return f"It is at least {least} with {facts.percent} confidence."


def _rivals(facts: Facts, measure: str, best: str) -> str:
    """Name the systems that can't be told apart from the one with the highest estimate."""
    ours = [
        (row["b"] if row["a"] == best else row["a"], row["p_adjusted"])
        for row in facts.differences
        if row["measure"] == measure and best in (row["a"], row["b"])
    ]
    if not ours:
        return ""
    close = [str(name) for name, p in ours if p is None or p >= 1.0 - facts.level]
    if close:
        return f"It can't be told apart yet from {', '.join(close)}."
    return "The difference to each of the others is sure at this level."
