"""Limits cover: by enumeration where few labels are, and down a whole ranking at once."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import hypergeom

from aliquot.curves.cells import Judged, counted, ends, gathered
from aliquot.curves.limits import limits
from aliquot.testing.coverage import Plan


@pytest.mark.parametrize("positives", [0, 1, 3, 10, 60, 150, 290, 297, 300])
def test_a_sample_of_fifty_covers_by_enumeration(positives: int) -> None:
    """Every sample of 50 of 300 units, by its number of positives."""
    seen = np.arange(51)
    chance = hypergeom(300, positives, 50).pmf(seen)
    covered = np.zeros(51)
    for s in seen[chance > 0]:
        found = limits(counted(np.array([300]), np.array([50.0]), np.array([float(s)])), 0.95)
        covered[s] = found.low[0] <= positives <= found.high[0]
    assert float(chance @ covered) >= 0.94


def test_everything_judged_is_known() -> None:
    cells = counted(np.array([3, 6]), np.array([3.0, 3.0]), np.array([2.0, 1.0]))
    found = limits(cells, 0.95)
    assert found.low.tolist() == found.high.tolist() == [2.0, 3.0]


def test_what_was_seen_bounds_the_truth() -> None:
    found = limits(counted(np.array([10]), np.array([9.0]), np.array([5.0])), 0.99)
    assert (found.low[0], found.high[0]) == (5.0, 6.0)


def test_units_that_no_draw_could_see_can_be_anything() -> None:
    rank, label = np.array([1, 2, 3, 4, 5, 6]), np.array([1.0, 0, 1, 0, 1, 0])
    judged = Judged(rank, label, np.ones(6), np.ones(6))
    size = np.array([1, 1, 1, 1, 1, 1, 0, 0])
    found = limits(gathered(judged, size, 8), 0.95)
    assert (found.edges[-1], found.low[-1], found.high[-1]) == (8, 3.0, 5.0)


def test_cells_end_where_enough_was_judged() -> None:
    found = ends(np.array([10, 20, 30, 40, 50, 60, 70, 80]), 100)
    assert len(found) == 2
    assert 40 <= found[0] < 50
    assert found[1] == 100
    assert ends(np.array([1, 2]), 2).tolist() == [1, 2]
    assert ends(np.array([7]), 9).tolist() == [9]


def poisson(n: int, size: float, seed: int, y: np.ndarray) -> Judged:
    """Draw a Poisson sample, chances falling with the rank."""
    chance = np.minimum(1.0, size / np.arange(1, n + 1))
    rank = np.flatnonzero(np.random.default_rng(seed).random(n) < chance) + 1
    return Judged(rank, y[rank - 1], 1 / chance[rank - 1], chance[rank - 1])


def hits(level: float, replicates: int) -> int:
    """Count the samples of a falling curve whose limits hold at every cell at once."""
    n = 5_000
    r = np.arange(1, n + 1)
    y = (np.random.default_rng(0).random(n) < 0.1 + 0.8 * (1 - np.log(r) / np.log(n))).astype(float)
    truth, size, found = np.cumsum(y), np.ones(n, dtype=np.int64), 0
    for seed in range(replicates):
        made = limits(gathered(poisson(n, 30.0, seed, y), size, n), level)
        at = truth[made.edges - 1]
        found += bool(np.all((made.low <= at + 1e-9) & (at <= made.high + 1e-9)))
    return found


PLAN = Plan(caught=0.9, replicates=1_800, hits=1_659)


def test_limits_hold_at_every_cell_at_once() -> None:
    assert hits(0.95, PLAN.replicates) >= PLAN.hits


def test_limits_of_a_lower_level_are_caught() -> None:
    assert hits(0.6, 300) < 0.9 * 300


def test_a_cell_that_came_out_thin_or_full_is_no_surer_than_its_labels() -> None:
    # Cells end once they hold four labels: at a chance of 1/2 some are 6 ranks long, some 12.
    rank, one = np.array([2, 3, 5, 6, 8, 11, 14, 18]), np.ones(8)
    found = gathered(Judged(rank, one, 2.0 * one, 0.5 * one), np.ones(18, dtype=np.int64), 18)
    assert found.edges.tolist() == [6, 18]
    assert found.spread[0] == pytest.approx(6**2 / 4 * (1 - 1 / 2))  # the chance
    assert found.spread[1] == pytest.approx(12**2 / 4 * (1 - 4 / 12))  # the rate: 18 by the chance
    every = gathered(Judged(rank, one, one, one), np.ones(18, dtype=np.int64), 18)
    assert every.spread.sum() == 0.0  # certain units stand for themselves
