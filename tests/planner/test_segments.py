"""The width to expect of two segments is that of samples drawn, and its least is the least."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import hypergeom

from aliquot.errors import DesignError
from aliquot.intervals import batch, posterior
from aliquot.intervals.betabin import Strata
from aliquot.planner.allocation import allocate, best, curve, labels, width
from aliquot.planner.segments import Claim, Guess, quantile

LEGAL = Guess.of((7_391, 3_400), (992_609, 1_600))
SMALL = Guess.of((300, 200), (2_000, 60))
WORLDS = [
    ("recall", LEGAL, (655, 5_893)),
    ("f1", LEGAL, (655, 5_893)),
    ("recall", SMALL, (60, 140)),
    ("f1", SMALL, (60, 140)),
]


def drawn(measure: str, guess: Guess, n: tuple[int, int]) -> tuple[float, float]:
    """The mean width over samples that were drawn, and its standard error."""
    rng, samples = np.random.default_rng(6), 4_000
    R1, R0 = int(guess.R1[0]), int(guess.R0[0])
    one = Strata.of(guess.one.N, n[0], rng.hypergeometric(R1, guess.one.N - R1, n[0], samples))
    other = Strata.of(
        guess.other.N, n[1], rng.hypergeometric(R0, guess.other.N - R0, n[1], samples)
    )
    low, high = (batch.fbeta if measure == "f1" else batch.recall)(one, other)
    return float((high - low).mean()), float((high - low).std() / samples**0.5)


@pytest.mark.parametrize(("measure", "guess", "n"), WORLDS)
def test_the_width_to_expect_is_that_of_samples(
    measure: str, guess: Guess, n: tuple[int, int]
) -> None:
    mean, error = drawn(measure, guess, n)
    assert width(Claim(measure), guess, n) == pytest.approx(mean, abs=4.0 * error)
    assert width(Claim(measure, 0.9), guess, n) != pytest.approx(mean, abs=4.0 * error)


@pytest.mark.parametrize("content", [(1_000, 3, 50), (1_000, 700, 60), (9_000, 30, 8_000)])
def test_quantiles_of_counts_are_those_of_scipy(content: tuple[int, int, int]) -> None:
    N, R, n = content
    u = np.linspace(0.01, 0.99, 33)
    expected = hypergeom.ppf(u, N, R, n)
    assert quantile(u, (N, np.array([float(R)]), n)).tolist() == expected.tolist()


def test_quantiles_of_large_counts_are_nearly_those_of_scipy() -> None:
    u = np.linspace(0.01, 0.99, 33)
    expected = hypergeom.ppf(u, 1_000_000, 5_000, 400_000)
    ours = quantile(u, (1_000_000, np.array([5_000.0]), 400_000))
    assert np.abs(ours - expected).max() <= 1.0


@pytest.mark.parametrize(("measure", "budget"), [("recall", 5_000), ("f1", 5_000)])
def test_the_best_allocation_is_the_best_of_all(measure: str, budget: int) -> None:
    claim, found = Claim(measure), best(Claim(measure), LEGAL, budget)
    assert found.labels == budget
    for n1 in range(100, 2_600, 100):
        assert found.width <= width(claim, LEGAL, (n1, budget - n1)) * 1.002


def test_labels_for_a_width_are_the_least() -> None:
    """Others found 46,528 labels for recall to +-0.05 in a population like this one."""
    claim = Claim("recall")
    found = labels(claim, LEGAL, 0.1)
    assert found.width <= 0.1
    assert found.labels == pytest.approx(46_528, rel=0.03)
    assert best(claim, LEGAL, round(found.labels * 0.98)).width > 0.1


def test_a_curve_falls_and_rises_again() -> None:
    widths = [one.width for one in curve(Claim("recall"), SMALL, 300)]
    least = widths.index(min(widths))
    assert 0 < least < len(widths) - 1
    assert widths[:least] == sorted(widths[:least], reverse=True)
    assert widths[least:] == sorted(widths[least:])


def test_a_segment_takes_no_more_labels_than_it_has_units() -> None:
    found = curve(Claim("recall"), SMALL, 2_200)
    assert all(one.retrieved <= 300 and one.unretrieved <= 2_000 for one in found)
    assert allocate(Claim("recall"), SMALL, (300, 2_000)).width == pytest.approx(0.0, abs=1e-8)


def test_no_width_is_not_to_be_had() -> None:
    with pytest.raises(DesignError) as refused:
        labels(Claim("recall"), SMALL, 0.0)
    assert str(refused.value) == "a width of 0 can't be had. Ask for one such as 0.1."


def test_f_of_many_cases_is_that_of_each() -> None:
    rng = np.random.default_rng(3)
    N1, N0 = (np.floor(10 ** rng.uniform(1.5, 6, 60)) for _ in range(2))
    n1, n0 = (np.minimum(np.floor(10 ** rng.uniform(1, 3.5, 60)), N) for N in (N1, N0))
    r1, r0 = (rng.binomial(n.astype(int), rng.uniform(0, 0.9, 60)) for n in (n1, n0))
    for weight in (1.0, 2.0):
        low, high = batch.fbeta(Strata.of(N1, n1, r1), Strata.of(N0, n0, r0), weight=weight)
        for i in range(60):
            case = Strata.of(N1[i], n1[i], r1[i]), Strata.of(N0[i], n0[i], r0[i])
            alone = posterior.fbeta(*case, weight=weight)
            assert (low[i], high[i]) == pytest.approx(alone, abs=6e-4)
