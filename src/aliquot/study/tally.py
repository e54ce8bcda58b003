"""Tally: from repetitions to bias, error, coverage and width."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.study.replay import Key, Row, Setting, Tried

ROUNDING = 1e-9  # a certain value may be this far off, relative to its size


@final
@dataclass(frozen=True)
class Tally:
    """What many repetitions of one setting gave for one system's measure.

    `bias` is the mean less the truth, `bias_se` its standard error; `width` is the mean width of
    the intervals, `labels` the mean number of distinct units judged. None where there is nothing.
    """

    design: str
    estimator: str
    interval: str
    budget: int
    system: str | None
    measure: str
    truth: float
    mean: float | None
    bias: float | None
    bias_se: float | None
    rmse: float | None
    coverage: float | None
    coverage_se: float | None
    width: float | None
    labels: float
    asked: str = field(default="", repr=False)  # the interval as it was asked for
    difference: bool = field(default=False, repr=False)  # whether `system` is a difference of two

    @property
    def group(self) -> tuple[str, str, str]:
        """What its width is averaged with: estimator, interval as asked, measure."""
        return self.estimator, self.asked, self.measure

    def to_dict(self) -> dict[str, Any]:
        """Return the row as the interface promises it."""
        return {k: v for k, v in asdict(self).items() if k not in ("asked", "difference")}


def tally(
    setting: Setting, tried: Sequence[Tried], truths: Mapping[tuple[str, str], float]
) -> list[Tally]:
    """Count up the repetitions of one setting, one entry a row."""
    keys = dict.fromkeys(key for one in tried for key in one.rows)
    return [_one(setting, key, tried, truths[key[2], key[3]]) for key in keys]


def undefined(tried: Sequence[Tried]) -> dict[str, tuple[int, int]]:
    """Count how often a measure could not be estimated at all, and of how many cases."""
    cases = Counter(key[3] for one in tried for key in one.rows)
    gone = Counter(
        key[3] for one in tried for key, row in one.rows.items() if not np.isfinite(row.value)
    )
    return {measure: (times, cases[measure]) for measure, times in gone.items()}


def _one(setting: Setting, key: Key, tried: Sequence[Tried], truth: float) -> Tally:
    there = [(one.rows[key], one.labels) for one in tried if key in one.rows]
    rows = [row for row, _ in there]
    estimator, asked, system, measure = key
    return Tally(
        setting.design,
        estimator,
        "/".join(name for name, _ in Counter(row.method for row in rows).most_common()),
        setting.budget,
        system or None,
        measure,
        truth,
        **_values(np.array([row.value for row in rows]), truth),
        **_intervals(rows, truth),
        labels=float(np.mean([labels for _, labels in there])),
        asked=asked,
        difference=rows[0].difference,
    )


def _values(all_: Floats, truth: float) -> dict[str, float | None]:
    found = all_[np.isfinite(all_)]
    if not len(found):
        return dict.fromkeys(("mean", "bias", "bias_se", "rmse"))
    error = found - truth
    spread = float(found.std(ddof=1)) if len(found) > 1 else None
    return {
        "mean": float(found.mean()),
        "bias": float(error.mean()),
        "bias_se": None if spread is None else spread / len(found) ** 0.5,
        "rmse": float(np.sqrt(np.mean(error**2))),
    }


def _intervals(rows: Sequence[Row], truth: float) -> dict[str, float | None]:
    ends = [(row.low, row.high) for row in rows if row.low is not None and row.high is not None]
    if not ends:
        return dict.fromkeys(("coverage", "coverage_se", "width"))
    low, high = np.array(ends, dtype=np.float64).T
    slack = ROUNDING * max(1.0, abs(truth))
    share = float(np.mean((low <= truth + slack) & (truth - slack <= high)))
    return {
        "coverage": share,
        "coverage_se": (share * (1.0 - share) / len(ends)) ** 0.5,
        "width": float(np.mean(high - low)),
    }
