"""Many cases at once give what one case gives, of every kind of segment."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from aliquot.intervals import batch, posterior
from aliquot.intervals.betabin import Strata
from aliquot.intervals.grids import Shapes, grid

CASES = [  # (N, n, r) retrieved and not: small, rare, common, and nearly all positive
    ((60, 20, 12), (90, 30, 2)),
    ((2_000, 100, 50), (100_000, 100, 3)),
    ((2_000, 100, 100), (1_000_000, 100, 0)),
    ((84_412, 68, 68), (362_073, 37, 17)),
    ((5_000, 1_000, 400), (3_000_000, 5_000, 700)),
    ((40, 40, 8), (20_000, 50, 1)),
    ((100_000, 100, 0), (100_000, 100, 1)),
    ((26_363, 749, 18), (6_358, 33, 33)),
    ((900, 12, 0), (50, 10, 10)),
    ((3_621, 16, 0), (88_458, 34, 1)),
    ((100_000, 3, 1), (70_000, 4, 0)),
    ((10, 5, 0), (20, 5, 0)),
]


def columns(place: int) -> Strata:
    return Strata.of(*([float(case[place][i]) for case in CASES] for i in range(3)))


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_many_cases_are_as_each_alone(level: float) -> None:
    low, high = batch.recall(columns(0), columns(1), level=level)
    for i, (one, other) in enumerate(CASES):
        alone = posterior.recall(Strata.of(*one), Strata.of(*other), level=level)
        expected = (0.0, 1.0) if one[2] + other[2] == 0 else alone
        assert (low[i], high[i]) == pytest.approx(expected, abs=1e-4), CASES[i]


def test_one_side_is_an_end() -> None:
    low, high = batch.recall(columns(0), columns(1), level=0.9)
    lower = batch.recall(columns(0), columns(1), level=0.95, side="lower")
    upper = batch.recall(columns(0), columns(1), level=0.95, side="upper")
    assert lower[0] == pytest.approx(low)
    assert (lower[1] == 1.0).all()
    assert upper[1] == pytest.approx(high)
    assert (upper[0] == 0.0).all()


def test_the_order_of_cases_does_not_matter() -> None:
    back = np.arange(len(CASES))[::-1]
    flip = [columns(place).take(back) for place in (0, 1)]
    one, other = batch.recall(columns(0), columns(1)), batch.recall(flip[0], flip[1])
    assert one[0] == pytest.approx(other[0][::-1], abs=1e-12)


def cumulated(M: int, a: float, b: float) -> NDArray[np.float64]:
    """P(X <= 0), P(X <= 1), ...: summed from the ratios of neighbours."""
    x = np.arange(M + 0.0)
    steps = np.log((M - x) * (a + x)) - np.log((x + 1.0) * (M - x - 1.0 + b))
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    p = np.exp(logs - logs.max())
    return np.cumsum(p / p.sum())


@pytest.mark.parametrize(("N", "n", "r"), [case for pair in CASES[1:9] for case in pair])
def test_a_grid_is_the_distribution_function_of_its_posterior(N: int, n: int, r: int) -> None:
    shapes = Shapes.of(*(np.array([v]) for v in (N - n + 0.0, r + 0.5, n - r + 0.5, r + 0.0)))
    found = grid(int(shapes.kinds()[0]), shapes)
    exact = cumulated(N - n, r + 0.5, n - r + 0.5)
    x = np.unique(np.searchsorted(exact[:-1], [1e-4, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999]))
    ours = found.at_most(np.asarray(x[None, :] + r, float))[0]
    assert ours == pytest.approx(exact[x], abs=5e-6)


def test_one_value_more_is_seen() -> None:
    shapes = Shapes.of(*(np.array([v]) for v in (99_900.0, 3.5, 97.5, 3.0)))
    at_most = grid(1, shapes).at_most(np.array([[3_004.0]]))[0]
    exact = cumulated(99_900, 3.5, 97.5)
    assert at_most == pytest.approx(exact[3_001], abs=5e-6)
    assert at_most != pytest.approx(exact[3_002], abs=5e-6)
