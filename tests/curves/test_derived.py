"""What is derived from a curve is what its definition gives on every list between the ends."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from aliquot.core.frame import Floats
from aliquot.curves.areas import average_precision, roc_area
from aliquot.curves.assemble import census
from aliquot.curves.derived import accuracy, f, false_positive_rate, gain, lift, recall
from aliquot.curves.points import Curve
from aliquot.curves.registry import strategy
from aliquot.curves.steps import run

N = 10
RANKS = np.arange(1, N + 1)


def measures(labels: Floats) -> dict[str, Floats]:
    """Every measure at every rank, by its definition on labels."""
    k, hits = np.arange(1, len(labels) + 1), np.cumsum(labels)
    total, negative = hits[-1], len(labels) - hits[-1]
    precision, found = hits / k, hits / max(total, 1)
    harmonic = np.where(hits > 0, 2 * precision * found / np.maximum(precision + found, 1e-9), 0.0)
    below = np.cumsum((1 - labels)[::-1])[::-1] - (1 - labels)  # negatives after each rank
    return {
        "recall": found,
        "f": harmonic,
        "accuracy": (hits + below) / len(labels),
        "lift": precision / max(total / len(labels), 1e-9),
        "false_positive_rate": (k - hits) / max(negative, 1),
        "gain": hits,
    }


def ap(labels: Floats) -> float:
    precision = np.cumsum(labels) / np.arange(1, len(labels) + 1)
    return float((precision * labels).sum() / max(labels.sum(), 1))


def area(labels: Floats) -> float:
    positive, negative = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0)
    if not len(positive) * len(negative):
        return 0.5
    return float(np.mean(positive[:, None] < negative[None, :]))


def exact(labels: Floats) -> Curve:
    found = census(labels)
    return Curve(
        "", len(labels), 0, len(labels), found.ranks, found.precision, found.low, found.high,
        guarantee="exact",
    )  # fmt: skip


FUNCTIONS = {
    "recall": recall,
    "f": f,
    "accuracy": accuracy,
    "lift": lift,
    "false_positive_rate": false_positive_rate,
    "gain": gain,
}


def test_of_an_exact_curve_everything_is_exact() -> None:
    for labels in product([0.0, 1.0], repeat=8):
        y = np.array(labels)
        curve, truth = exact(y), measures(y)
        for name, function in FUNCTIONS.items():
            ends = function(curve, RANKS[:8])
            assert ends.estimate == pytest.approx(truth[name]), name
            assert (ends.low == ends.high).all()
        assert average_precision(curve) == pytest.approx((ap(y),) * 3)
        assert roc_area(curve) == pytest.approx((area(y),) * 3)


def banded(low: list[float], high: list[float]) -> Curve:
    least, most = np.array(low) / RANKS, np.array(high) / RANKS
    return Curve("", N, 2, N, RANKS, (least + most) / 2, least, most, guarantee="any-curve")


def test_every_list_between_the_ends_has_each_measure_between_its_ends() -> None:
    low, high = [0, 1, 1, 1, 2, 2, 2, 3, 3, 3.0], [1, 2, 2, 3, 4, 4, 5, 5, 5, 6.0]
    curve = banded(low, high)
    ends = {name: function(curve, RANKS) for name, function in FUNCTIONS.items()}
    single = {ap: average_precision(curve), area: roc_area(curve)}
    touched, inside = dict.fromkeys(FUNCTIONS, 0), 0
    for labels in product([0.0, 1.0], repeat=N):
        y = np.array(labels)
        counts = np.cumsum(y)
        if (counts < low).any() or (counts > high).any():
            continue
        inside += 1
        for name, value in measures(y).items():
            assert (ends[name].low <= value + 1e-9).all(), name
            assert (value <= ends[name].high + 1e-9).all(), name
            touched[name] += int(np.isclose(value, ends[name].high).any())
        for function, (_, least, most) in single.items():
            assert least - 1e-9 <= function(y) <= most + 1e-9
    assert inside > 50
    assert min(touched.values()) > 0  # the ends are reached: they are no wider than they must be


def test_ends_for_recall_that_forget_the_ranks_are_found_wrong() -> None:
    y = np.array([1.0, 1.0, 0.0, 0.0])
    printed = (np.cumsum(y) / np.arange(1, 5)) / 0.5  # p(k) / p(N)
    assert printed[0] == 2.0
    assert recall(exact(y), [1]).estimate.tolist() == [0.5]


def test_a_sampled_curve_brackets_the_truth_of_a_long_list() -> None:
    n = 300_000
    chance = 0.95 - 0.55 * (np.arange(n) / n) ** 0.4
    y = (np.random.default_rng(2).random(n) < chance).astype(float)
    curve = run(strategy("adastrat").steps(n, np.random.default_rng(3)), lambda r: y[r - 1])
    estimate, low, high = average_precision(curve)
    assert low <= ap(y) <= high
    assert estimate == pytest.approx(ap(y), rel=0.03)
    assert high - low < 0.25
    hits = np.cumsum(y)
    negatives = np.arange(1, n + 1) - hits
    truth = float((hits * (1 - y)).sum() / (hits[-1] * negatives[-1]))
    estimate, low, high = roc_area(curve)
    assert low <= truth <= high
    assert estimate == pytest.approx(truth, rel=0.05)
    at = np.array([1_000, 30_000, 200_000, n])
    for name, value in measures(y).items():
        ends = FUNCTIONS[name](curve, at)
        assert (ends.low <= value[at - 1] + 1e-9).all()
        assert (value[at - 1] <= ends.high + 1e-9).all()
