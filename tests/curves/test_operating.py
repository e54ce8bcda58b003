"""Recall, F1 and thresholds along a curve: every world within the limits is within theirs."""

from __future__ import annotations

import numpy as np
import pytest

from aliquot.curves.limits import Limits
from aliquot.curves.operating import deepest, operating
from aliquot.curves.points import Curve
from aliquot.curves.sandwich import curve
from aliquot.errors import UsageError


def banded(rng: np.random.Generator) -> tuple[np.ndarray, Curve]:
    """Return labels, and a curve whose limits hold them."""
    y = rng.random(30) < rng.random()
    edges = np.unique([*rng.integers(1, 30, 5).tolist(), 30])
    total = np.cumsum(y)[edges - 1].astype(float)
    low = np.maximum(total - rng.integers(0, 4, len(edges)), 0.0)
    high = np.minimum(total + rng.integers(0, 4, len(edges)), edges)
    found = Limits(edges, total, low, high, np.full(len(edges), 2.0))
    return y, curve(found, 9, system="s", level=0.95, guarantee="any-curve")


def test_recall_and_f1_lie_between_their_limits_at_every_rank() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        y, made = banded(rng)
        total, whole = np.cumsum(y), max(int(y.sum()), 1)
        for one in operating(made, np.arange(1, 31)):
            t = total[one.rank - 1]
            assert one.recall_low - 1e-9 <= t / whole
            assert t / whole <= one.recall_high + 1e-9 or not y.any()
            assert one.f1_low - 1e-9 <= 2 * t / (one.rank + y.sum()) <= one.f1_high + 1e-9
            assert one.recall_low <= one.recall + 1e-9
            assert one.recall <= one.recall_high + 1e-9


def test_the_deepest_rank_is_the_last_one_that_is_sure() -> None:
    rng = np.random.default_rng(2)
    for _ in range(300):
        y, made = banded(rng)
        low = made.values(np.arange(1, 31)).low
        for t in (0.05, 0.3, 0.5, 0.9):
            sure = np.flatnonzero(low >= t - 1e-12)
            assert deepest(made, t) == (int(sure[-1]) + 1 if len(sure) else None)
            cuts = np.array([4, 9, 30])
            kept = cuts[low[cuts - 1] >= t - 1e-12]
            assert deepest(made, t, cuts) == (int(kept[-1]) if len(kept) else None)
            rank = deepest(made, t)
            assert rank is None or np.cumsum(y)[rank - 1] / rank >= t - 1e-9


@pytest.mark.parametrize("precision", [0.0, -1.0, 1.5, float("nan")])
def test_a_precision_that_is_none_is_refused(precision: float) -> None:
    made = banded(np.random.default_rng(3))[1]
    with pytest.raises(UsageError) as caught:
        deepest(made, precision)
    assert str(caught.value) == (
        f"a precision of {precision:g} is not between 0 and 1. Ask for one such as 0.9."
    )
