"""The band: as wide as asked, covering as often as said, from labels that nobody asked twice."""

from __future__ import annotations

import numpy as np
import pytest

from aliquot.core.frame import Floats
from aliquot.curves.band import Band, distinct
from aliquot.curves.points import Curve, Ranks
from aliquot.curves.steps import Ask, resume, run
from aliquot.testing.coverage import Plan

WIDE = Band(epsilon=0.2, start=100)
PLAN = Plan(caught=0.87, replicates=400, hits=365)


def world(n: int) -> Floats:
    """Return labels whose share falls from .9 to .3."""
    t = np.log(np.arange(1, n + 1)) / np.log(n)
    y: Floats = (np.random.default_rng(4).random(n) < 0.9 - 0.6 * t).astype(np.float64)
    return y


def made(y: Floats, how: Band, seed: int) -> Curve:
    return run(how.steps(len(y), np.random.default_rng(seed)), lambda ranks: y[ranks - 1])


def holds(curve: Curve, y: Floats) -> bool:
    """Whether the band holds at every rank; limits move by counts, so the points are enough."""
    truth = np.cumsum(y)[curve.ranks - 1] / curve.ranks
    return bool(np.all((curve.lows <= truth + 1e-9) & (truth <= curve.highs + 1e-9)))


def hits(delta: float, replicates: int) -> int:
    y, how = world(3_000), Band(epsilon=0.2, delta=delta, start=100)
    return sum(holds(made(y, how, seed), y) for seed in range(replicates))


def test_the_band_covers_at_every_rank_at_once() -> None:
    assert hits(0.05, PLAN.replicates) >= PLAN.hits


def test_a_band_that_may_miss_more_often_is_caught() -> None:
    assert hits(0.4, 60) < 0.87 * 60


def test_the_band_is_as_narrow_as_asked_and_the_curve_in_its_middle() -> None:
    y = world(50_000)
    how = Band(epsilon=0.1, start=500)
    curve = made(y, how, 1)
    ranks = np.arange(500, 50_001)
    at, truth = curve.values(ranks), np.cumsum(y)[499:] / ranks
    assert np.max(at.high / at.precision) <= how.factor + 1e-9
    assert np.max(at.precision / at.low) <= how.factor + 1e-9
    assert np.max(np.maximum(at.precision / truth, truth / at.precision)) <= how.factor
    assert curve.annotations < 4_500
    assert curve.guarantee == "approximate"


def test_a_small_ranking_is_judged_whole_and_known() -> None:
    y = world(60)
    curve = made(y, Band(start=10), 1)
    assert (curve.annotations, curve.guarantee) == (60, "exact")
    ranks = np.arange(1, 61)
    at = curve.values(ranks)
    assert at.low.tolist() == at.high.tolist() == (np.cumsum(y) / ranks).tolist()


def test_no_rank_is_asked_twice_and_chances_are_those_of_the_ask() -> None:
    y, asked = world(3_000), []
    steps = WIDE.steps(3_000, np.random.default_rng(2))
    known: dict[int, float] = {}
    found = resume(steps, known)
    while isinstance(found, Ask):
        assert np.all((found.pi > 0) & (found.pi <= 1))
        asked += found.ranks.tolist()
        known |= {rank: float(y[rank - 1]) for rank in found.ranks.tolist()}
        found = resume(WIDE.steps(3_000, np.random.default_rng(2)), known)
    assert len(asked) == len(set(asked)) == found.annotations
    again = made(y, WIDE, 2)
    assert again.to_dict() == found.to_dict()


FLAT = Band(epsilon=0.1, beta=1.1, start=200, assume="monotone", m=20)


def even(n: int, share: float) -> Floats:
    """Return labels of which precision is the same at every rank, but for whole numbers."""
    y: Floats = np.diff(np.ceil(share * np.arange(n + 1)))
    return y


def within(y: Floats, how: Band, replicates: int) -> tuple[int, float]:
    """Return how often the curve was within the factor from `start` on, and its mean labels."""
    ranks = np.arange(how.start, len(y) + 1)
    truth, good, labels = np.cumsum(y)[how.start - 1 :] / ranks, 0, 0
    for seed in range(replicates):
        curve = made(y, how, seed)
        found = curve.values(ranks).precision
        good += bool(np.max(np.maximum(found / truth, truth / found)) <= how.factor + 1e-9)
        labels += curve.annotations
    return good, labels / replicates


@pytest.mark.parametrize("share", [0.9, 0.5])
def test_where_precision_is_the_same_monotonicity_saves_labels(share: float) -> None:
    y = even(20_000, share)
    good, labels = within(y, FLAT, 100)
    _, without = within(y, Band(epsilon=0.1, beta=1.1, start=200), 20)
    assert good >= 89  # 95 % claimed: a false alarm in 1,000
    assert labels < 0.7 * without


def test_a_curve_that_falls_is_within_the_factor_too() -> None:
    assert within(world(20_000), FLAT, 100)[0] >= 89
    assert made(world(20_000), FLAT, 1).guarantee == "approximate-monotone"


def test_labels_that_rise_are_told_and_nothing_is_assumed_any_more() -> None:
    y = np.append(even(4_000, 0.4), np.ones(16_000))
    curve = made(y, FLAT, 3)
    assert curve.guarantee == "approximate"
    assert curve.warnings == (
        "no precision function that falls over 20 ranks fits the labels: the ends assume nothing",
    )
    assert within(y, FLAT, 40)[0] >= 34
    asked = np.random.default_rng(1)
    steps, known = FLAT.steps(len(y), asked), dict(enumerate(y.tolist(), 1))
    assert isinstance(resume(steps, known), Curve)


@pytest.mark.parametrize("assume", ["nothing", "monotone"])
def test_no_positives_and_only_positives_are_curves_as_well(assume: str) -> None:
    how = Band(start=100, assume=assume)
    for n in (1, 2, 90, 3_000):
        none, every = made(np.zeros(n), how, 1), made(np.ones(n), how, 1)
        assert none.at(n).high == 0.0
        assert assume == "monotone" or (none.annotations, none.guarantee) == (n, "exact")
        assert every.at(n).high == 1.0
    late = np.append(np.zeros(2_700), np.ones(300))
    assert made(late, how, 1).at(3_000).low <= 0.1


def test_a_billion_ranks_are_no_more_work() -> None:
    def oracle(ranks: Ranks) -> Floats:
        chance = 0.95 - 0.3 * np.log(ranks) / np.log(10**9)
        found: Floats = ((ranks * 2_654_435_761 % 2**32) / 2**32 < chance).astype(np.float64)
        return found

    curve = run(Band(start=3_492).steps(10**9, np.random.default_rng(1)), oracle)
    assert curve.n == 10**9
    assert curve.annotations < 7_500


def test_distinct_ranks_are_alike() -> None:
    counts = np.zeros(7)
    for seed in range(3_000):
        counts[distinct(10, 16, 2, np.array([12]), np.random.default_rng(seed)) - 10] += 1
    assert counts[[0, 2]].tolist() == [0.0, 0.0]
    assert counts[[1, 3, 4, 5, 6]] == pytest.approx(np.full(5, 1_200), abs=130)  # 4.9 sd
    many = np.concatenate(
        [distinct(0, 40, 2, np.array([3]), np.random.default_rng(s)) for s in range(4_000)]
    )
    shares = np.bincount(many, minlength=41)[1:]
    assert shares[2] == 0
    assert np.delete(shares, 2) == pytest.approx(np.full(39, 8_000 / 39), abs=72)  # 5 sd
