"""Posterior quantiles are computed: as brute force has them, and as draws have them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import betabinom

from aliquot.errors import SpellingError, UsageError
from aliquot.intervals.betabin import Strata, log_pmf, mean, variance
from aliquot.intervals.lattice import table
from aliquot.intervals.posterior import fbeta, recall, share, total

Floats = NDArray[np.float64]
Counts = tuple[int, int, int]
TAILS = (0.025, 0.975)


def posterior(counts: Counts, prior: float = 0.5) -> tuple[Floats, Floats]:
    """Every number of positives that a stratum may hold, and its probability: by scipy.stats."""
    N, n, r = counts
    x = np.arange(N - n + 1.0)
    return r + x, betabinom.pmf(x, N - n, prior + r, prior + n - r)


def brute(values: NDArray[Any], weights: Floats) -> list[float]:
    order = np.argsort(values.ravel())
    below = weights.ravel()[order].cumsum()
    return [float(values.ravel()[order][np.searchsorted(below, p)]) for p in TAILS]


SMALL: list[tuple[Counts, Counts]] = [
    ((200, 20, 10), (500, 50, 5)),
    ((300, 30, 1), (400, 40, 0)),
    ((60, 10, 10), (1_000, 50, 1)),
    ((15, 3, 1), (20, 5, 1)),
    ((40, 40, 7), (90, 3, 0)),
    ((900, 100, 50), (1_200, 100, 3)),
]


@pytest.mark.parametrize(("one", "other"), SMALL)
def test_recall_and_f_are_those_of_enumeration(one: Counts, other: Counts) -> None:
    (a, pa), (b, pb) = posterior(one), posterior(other)
    A, B = a[:, None], b[None, :]
    strata = Strata.of(*one), Strata.of(*other)
    weights = pa[:, None] * pb[None, :]
    assert recall(*strata) == pytest.approx(brute(A / (A + B), weights), abs=1e-9)
    assert fbeta(*strata) == pytest.approx(brute(2 * A / (one[0] + A + B), weights), abs=1e-9)
    f2 = 5 * A / (one[0] + 4 * (A + B))
    assert fbeta(*strata, weight=2.0) == pytest.approx(brute(f2, weights), abs=1e-9)


@pytest.mark.parametrize(("one", "other"), SMALL)
def test_totals_and_shares_are_those_of_enumeration(one: Counts, other: Counts) -> None:
    (a, pa), (b, pb) = posterior(one), posterior(other)
    both = Strata.of(*zip(one, other, strict=True))
    weights = pa[:, None] * pb[None, :]
    sums = np.round(a[:, None] + b[None, :])
    found, at = np.unique(sums, return_inverse=True)
    merged = np.bincount(at.ravel(), weights.ravel()).astype(float)
    assert total(both) == pytest.approx(brute(found, merged))
    assert share(Strata.of(*one)) == pytest.approx([x / one[0] for x in brute(a, pa)])


LARGE = {
    "two": (Strata.of(2_000, 100, 50), Strata.of(100_000, 100, 3)),
    "all and none": (Strata.of(20_000, 100, 100), Strata.of(1_000_000, 100, 0)),
    "a wide tail": (
        Strata.of([5_000, 2_000, 900], [50, 60, 30], [3, 30, 29]),
        Strata.of([300, 5_000, 1_000_000], [40, 100, 700], [11, 3, 0], alpha=[1, 0.2, 0.5]),
    ),
    "next to nothing known": (Strata.of(1e6, 1, 0), Strata.of(1e7, 3_000, 5)),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_strata_agree_with_draws(name: str) -> None:
    retrieved, unretrieved = LARGE[name]
    rng, draws = np.random.default_rng(5), 200_000
    A, B = retrieved.draw(draws, rng), unretrieved.draw(draws, rng)
    K = retrieved.size
    for values, ends in (
        (A / (A + B), recall(retrieved, unretrieved)),
        (2 * A / (K + A + B), fbeta(retrieved, unretrieved)),
        (A + B, total(retrieved.joined(unretrieved))),
    ):
        for end, p in zip(ends, TAILS, strict=True):  # four standard errors
            below, at_most = (values < end - 1e-9).mean(), (values <= end + 1e-9).mean()
            assert below - 0.0014 <= p <= at_most + 0.0014


def test_a_shifted_quantile_would_be_seen() -> None:
    retrieved, unretrieved = LARGE["two"]
    rng = np.random.default_rng(5)
    A, B = retrieved.draw(200_000, rng), unretrieved.draw(200_000, rng)
    low = recall(retrieved, unretrieved)[0] * 1.02
    assert abs((low >= A / (A + B)).mean() - 0.025) > 0.0014


def test_ten_thousand_strata_have_the_moments_of_their_sum() -> None:
    rng = np.random.default_rng(3)
    n = rng.integers(2, 9, 10_000)
    strata = Strata.of(rng.integers(10, 500, 10_000), n, rng.binomial(n, 0.1))
    found, shapes = table(strata), (strata.left, strata.a, strata.b)
    x, w = found.nodes()
    centre = strata.found + float(mean(*shapes).sum())
    assert float(w @ x) == pytest.approx(centre, rel=1e-6)
    spread = float(variance(*shapes).sum())
    assert float(w @ (x - centre) ** 2) == pytest.approx(spread, rel=1e-3)


def test_one_sided_intervals_are_ends_of_wider_two_sided_ones() -> None:
    strata = LARGE["two"]
    low, high = recall(*strata, level=0.9)
    assert recall(*strata, level=0.95, side="lower") == pytest.approx((low, 1.0))
    assert recall(*strata, level=0.95, side="upper") == pytest.approx((0.0, high))


def test_a_census_has_no_width() -> None:
    census = Strata.of(10, 10, 4), Strata.of(30, 30, 2)
    assert recall(*census) == pytest.approx((4 / 6, 4 / 6), abs=1e-9)
    assert fbeta(*census) == pytest.approx((8 / 16, 8 / 16), abs=1e-9)
    assert total(census[0]) == (4.0, 4.0)


def test_two_strata_alike_are_not_one_of_twice_the_size() -> None:
    one, two = Strata.of(200, 20, 2), Strata.of([100, 100], [10, 10], [1, 1])
    assert total(two)[1] > total(one)[1]  # the prior counts twice


def test_probabilities_are_those_of_scipy() -> None:
    for M, a, b in ((1_900, 50.5, 50.5), (10, 0.5, 0.5), (100_000, 0.5, 100.5), (5, 90.0, 3.0)):
        x = np.unique(np.linspace(0, M, 50).round())
        expected = betabinom.logpmf(x, M, a, b)
        ours = log_pmf(x, np.float64(M), np.float64(a), np.float64(b))
        assert ours == pytest.approx(expected, rel=1e-7, abs=1e-7)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(UsageError) as refused:
        Strata.of([10, 5], [4, 3], [1, 4])
    assert str(refused.value) == (
        "stratum 2 has N = 5, n = 3, r = 4. Counts must be such that 0 <= r <= n <= N."
    )
    with pytest.raises(UsageError) as refused:
        Strata.of(10, 5, 2, alpha=0.0)
    assert str(refused.value) == "a prior has no mass. alpha and beta must be above 0."
    with pytest.raises(UsageError) as refused:
        total(Strata.of(10, 5, 2), side="left")  # type: ignore[arg-type]
    assert str(refused.value) == "'left' is not a side. Sides are two, lower, upper."
    with pytest.raises(SpellingError):
        total(Strata.of(10, 5, 2), level=1.0)
