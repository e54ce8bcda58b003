"""Joint estimates from several systems' draws: every draw of a toy is listed, with its chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from aliquot.core.frame import Floats
from aliquot.core.sources import Sources
from aliquot.estimators import pooled
from aliquot.estimators.mixture import covariance, variance, weigh
from aliquot.estimators.weights import balance, equal, heuristic, optimal

EXACT = 1e-12
TRUTH = np.array([1.0, 0.0, 1.0, 1.0, 0.0])
CHANCE = np.array(
    [
        [0.5, 0.5, 0.0, 0.0, 0.0],
        [0.2, 0.3, 0.5, 0.0, 0.0],  # not uniform: any weight a user gives
        [0.0, 0.0, 0.25, 0.25, 0.5],
    ]
)
MEMBER = (CHANCE > 0).astype(np.float64)
DRAWS = np.array([2.0, 3.0, 2.0])


def sources(draws: Floats = DRAWS, chance: Floats = CHANCE) -> Sources:
    names = tuple("abc"[: len(draws)])
    return Sources(names, draws, chance, np.zeros(chance.shape))


def listed(bare: Sources) -> Iterator[tuple[float, Sources]]:
    """Every sequence of draws of every source, counted, with its chance."""
    each = [list(one_source(p, int(n))) for p, n in zip(bare.chance, bare.draws, strict=True)]
    for parts in product(*each):
        count = np.array([part[1] for part in parts])
        yield float(np.prod([part[0] for part in parts])), replace(bare, count=count)


def one_source(p: Floats, n: int) -> Iterator[tuple[float, Floats]]:
    for units in product(np.flatnonzero(p).tolist(), repeat=n):
        chosen = list(units)
        yield float(p[chosen].prod()), np.bincount(chosen, minlength=len(p)).astype(np.float64)


def mixes(name: str) -> Floats:
    made = {
        "own": np.eye(3),
        "equal": np.tile(equal(DRAWS), (3, 1)),
        "balance": np.tile(balance(DRAWS), (3, 1)),
        "heuristic": np.array([heuristic(own, CHANCE, DRAWS) for own in CHANCE]),
        "optimal": np.array([optimal(own, np.full(5, 0.5), sources()) for own in CHANCE]),
    }
    found: Floats = made[name]
    return found


every_mix = pytest.mark.parametrize("name", ["own", "equal", "balance", "heuristic", "optimal"])


def expectation(mix: Floats) -> tuple[Floats, Floats, Floats]:
    """E[estimate], its covariance, and E[estimated covariance], over all draws."""
    values = CHANCE * TRUTH
    mean, square, guessed = np.zeros(3), np.zeros((3, 3)), np.zeros((3, 3))
    for chance, drawn in listed(sources()):
        found = np.array([weigh(drawn, w) @ c for w, c in zip(mix, values, strict=True)])
        mean += chance * found
        square += chance * np.outer(found, found)
        guessed += chance * covariance(drawn, mix, values)
    return mean, square - np.outer(mean, mean), guessed


@every_mix
def test_joint_precision_is_unbiased_with_theorem_1_s_variance(name: str) -> None:
    mix = mixes(name)
    assert mix.sum(axis=1) == pytest.approx(np.ones(3), abs=EXACT)
    mean, spread, guessed = expectation(mix)
    assert mean == pytest.approx([0.5, 0.7, 0.5], abs=EXACT)
    claimed = [variance(sources(), w, c) for w, c in zip(mix, CHANCE * TRUTH, strict=True)]
    assert np.diag(spread) == pytest.approx(claimed, abs=EXACT)
    assert guessed == pytest.approx(spread, abs=EXACT)  # between systems as well


def test_weights_that_do_not_sum_to_one_are_still_a_mixture_and_cancel() -> None:
    """Twice the weights are twice q: B.2's misprinted sum does not move the estimate."""
    for _, drawn in list(listed(sources()))[:50]:
        one, two = (weigh(drawn, factor * balance(DRAWS)) for factor in (1.0, 2.0))
        assert one == pytest.approx(two, abs=EXACT)


def test_a_mixture_that_does_not_see_part_of_an_output_is_biased() -> None:
    """The first source alone never sees the third unit, which is half of the second system."""
    mix = np.tile(np.array([1.0, 0.0, 0.0]), (3, 1))
    mean, _, _ = expectation(mix)
    assert mean[1] == pytest.approx(0.2, abs=EXACT)  # not 0.7


def test_an_estimated_variance_with_n_would_be_too_small() -> None:
    mix = mixes("own")
    _, spread, guessed = expectation(mix)
    shrunk = np.diag(guessed) * (DRAWS - 1.0) / DRAWS
    assert np.all(np.diag(spread) > 1.3 * shrunk)


def test_one_draw_of_a_source_borrows_the_spread_of_all() -> None:
    drawn = replace(
        sources(np.array([1.0, 3.0, 2.0])),
        count=np.array([[1.0, 0, 0, 0, 0], [1.0, 1.0, 1.0, 0, 0], [0, 0, 0, 1.0, 1.0]]),
    )
    found = covariance(drawn, np.eye(3)[:1], (CHANCE * TRUTH)[:1])
    assert found[0, 0] > 0.0
    nobody = replace(drawn, draws=np.zeros(3), count=np.zeros((3, 5)))
    assert weigh(nobody, np.eye(3)[0]).tolist() == [0.0] * 5


@every_mix
def test_optimal_weights_are_the_best(name: str) -> None:
    """Labels that are 1 with a chance of a half, each on its own: the mean variance over them."""
    values = [np.array(bits) for bits in product((0.0, 1.0), repeat=5)]

    def mean(mix: Floats, own: Floats) -> float:
        return float(np.mean([variance(sources(), mix, own * f) for f in values]))

    for mine, best, own in zip(mixes(name), mixes("optimal"), CHANCE, strict=True):
        assert mean(best, own) <= mean(mine, own) + EXACT
    if name == "own":
        assert mean(mixes(name)[1], CHANCE[1]) > 1.05 * mean(mixes("optimal")[1], CHANCE[1])


def test_the_heuristic_is_n_times_the_overlap() -> None:
    assert heuristic(CHANCE[0], CHANCE, DRAWS) == pytest.approx(
        [2 * 0.5 / 1.75, 3 * 0.25 / 1.75, 0.0]
    )
    assert heuristic(np.array([0.0, 0, 0, 0, 0]), CHANCE, DRAWS).tolist() == [0.0, 0.0, 0.0]
    far = optimal(np.zeros(5), np.full(5, 0.5), sources())
    assert far.tolist() == [0.0, 0.0, 0.0]


# Recall


def expected_nu(draws: Floats, mix: Floats) -> tuple[Floats, float]:
    """E[nu], given that something correct was drawn, and the chance of that."""
    total, defined = np.zeros(3), 0.0
    for chance, drawn in listed(sources(draws)):
        nu, _ = pooled.shares(drawn, mix, TRUTH, MEMBER)
        if np.isfinite(nu[0]):
            total += chance * nu
            defined += chance
    return total / defined, defined


def test_recall_within_the_pool_is_consistent_not_unbiased() -> None:
    truth = np.array([1.0, 2.0, 2.0]) / 3.0
    few, defined = expected_nu(np.array([1.0, 1.0, 1.0]), np.full(3, 1 / 3))
    more, _ = expected_nu(np.array([3.0, 3.0, 3.0]), np.full(3, 1 / 3))
    assert defined == pytest.approx(1.0 - 0.5 * 0.3 * 0.5, abs=EXACT)  # nothing correct drawn
    assert np.abs(few - truth).max() > 0.02
    assert np.abs(more - truth).max() < 0.6 * np.abs(few - truth).max()


def test_recall_needs_weights_that_see_the_whole_pool() -> None:
    """The first system's own weights do not see the last two units, one of which is correct."""
    draws = np.array([3.0, 3.0, 3.0])
    own, _ = expected_nu(draws, heuristic(CHANCE[0], CHANCE, draws))
    whole, _ = expected_nu(draws, balance(draws))
    assert own[0] > 1 / 3 + 0.1
    assert abs(whole[0] - 1 / 3) < 0.04


def test_nothing_correct_drawn_leaves_recall_undefined() -> None:
    nu, e = pooled.shares(sources(), balance(DRAWS), TRUTH, MEMBER)
    assert np.isnan(nu).all()
    assert not e.any()


def test_the_linearised_variance_of_nu_is_that_of_many_draws() -> None:
    rng = np.random.default_rng(5)
    draws = np.array([80.0, 100.0, 60.0])
    bare, mix = sources(draws), balance(draws)
    found, guessed = [], []
    for _ in range(3_000):
        pairs = zip(draws, CHANCE, strict=True)
        count = np.array([rng.multinomial(int(n), p) for n, p in pairs], dtype=np.float64)
        drawn = replace(bare, count=count)
        nu, e = pooled.shares(drawn, mix, TRUTH, MEMBER)
        found.append(nu)
        guessed.append(np.diag(pooled.pull(drawn, mix, e)))
    spread = np.var(found, axis=0)
    claimed = pooled.spread(bare, mix, TRUTH, MEMBER)
    assert claimed == pytest.approx(spread, rel=0.12)  # 3,000 repetitions: 4 * sqrt(2 / 3000) = .1
    assert np.mean(guessed, axis=0) == pytest.approx(claimed, rel=0.03)


def test_recall_is_a_product_with_lemma_1_s_variance() -> None:
    """Two independent coins, enumerated: x in {.2, .6}, y in {.1, .9}, each with chance 1/2."""
    values = np.outer([0.2, 0.6], [0.1, 0.9]).ravel()
    theta, nu = pooled.Measured(0.4, 0.04), pooled.Measured(0.5, 0.16)
    found = pooled.product(theta, nu)
    assert found.value == pytest.approx(values.mean(), abs=EXACT)
    assert found.variance == pytest.approx(values.var(), abs=EXACT)
    printed = 0.4 * 0.16 + 0.5 * 0.04 + 0.04 * 0.16  # Theorem 3, without the squares
    assert printed > 1.9 * values.var()


def test_the_pool_s_share_is_a_binomial_with_n_minus_one() -> None:
    assert pooled.pool(6, 10) == pooled.Measured(0.6, 0.24 / 9)
    assert np.isnan(pooled.pool(1, 1).variance)


def test_f1_is_the_harmonic_mean_with_its_linearised_variance() -> None:
    joint = np.array([[0.0004, 0.0001], [0.0001, 0.0009]])
    found = pooled.harmonic(0.8, 0.5, joint)
    assert found.value == pytest.approx(2 * 0.8 * 0.5 / 1.3)
    step = 1e-6
    slope = [
        (pooled.harmonic(0.8 + step, 0.5, joint).value - found.value) / step,
        (pooled.harmonic(0.8, 0.5 + step, joint).value - found.value) / step,
    ]
    assert found.variance == pytest.approx(np.array(slope) @ joint @ np.array(slope), rel=1e-4)
    assert np.isnan(pooled.harmonic(0.0, 0.0, joint).value)
