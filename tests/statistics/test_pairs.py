"""Totals over pairs from samples of units: pairwise Horvitz-Thompson, enumerated and drawn."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from aliquot.core.sample import Sample
from aliquot.designs.base import Design
from aliquot.designs.pps import Pps
from aliquot.designs.uniform import Uniform
from aliquot.estimators.ht import HorvitzThompson
from aliquot.estimators.pairs import factor, unbiased
from aliquot.estimators.registry import ESTIMATORS
from aliquot.measures.registry import measure
from aliquot.testing import toys
from aliquot.testing.enumeration import Enumeration, enumerate_estimates
from aliquot.testing.trial import Trial
from aliquot.testing.whole import Whole
from tests.statistics.combos import COMBOS, Combo, every_combo
from tests.statistics.test_enumeration import EXACT, UNBIASED

TOY = toys.rankings(2, 5, depth=3)
PAIRED = ("Swaps@3", "wSwaps@3")


def claimed(combo: Combo) -> bool:
    return combo.design.name in UNBIASED[combo.estimator.name]


def enumerated(combo: Combo, spelled: str, budget: int = 4) -> Enumeration:
    return enumerate_estimates(Trial(TOY, combo.design), combo.estimator, spelled, budget)


def test_most_combinations_promise_something_of_pairs() -> None:
    assert sum(claimed(combo) for combo in COMBOS) == 20


@every_combo
def test_pairs_are_unbiased_where_units_are(combo: Combo) -> None:
    if combo.estimator.assisted or not claimed(combo):
        return
    for spelled in PAIRED:
        one = enumerated(combo, spelled)
        assert one.guarantees == {"design-unbiased"}
        assert one.truth.max() > 0.02
        assert np.abs(one.bias).max() < EXACT


@every_combo
def test_average_precision_is_never_called_unbiased(combo: Combo) -> None:
    if combo.estimator.assisted or combo.design.name == "poisson":  # a sample may be empty
        return
    one = next(iter(combo.design.enumerate(np.ones(len(TOY)), 4)))
    sample = Trial(TOY, combo.design).possible(one, 4)
    solved = Whole(TOY, "AP@3").solve(sample, combo.estimator)
    assert solved.covariance.shape == (2, 2)
    assert combo.estimator.guarantee(sample, linear=measure("AP@3").linear) == "design-consistent"


def test_one_unit_of_a_stratum_sees_no_pair_of_it_and_says_so() -> None:
    zero, half = np.zeros(1, dtype=np.int64), np.full(1, 0.5)
    one = Sample("simple", zero, half, half, zero + 1, zero, half, zero, 2, 1.0)
    assert HorvitzThompson().unbiased(one)
    assert not unbiased(one, HorvitzThompson())


def test_a_random_part_of_a_draw_is_weighed_as_a_part() -> None:
    """4 units drawn, all of them judged or 2: over all halves the mean is the whole's."""
    trial = Trial(TOY, Pps())
    held = trial.draw(4, 11).sample
    how = next(kind() for kind in ESTIMATORS if kind.name == "priority")
    whole = Whole(TOY, "Swaps@3")
    totals = []
    for places in combinations(range(4), 2):
        at = np.array(places)
        part = replace(
            held, rows=held.rows[at], pi=held.pi[at] / 2, conditional=held.conditional[at] / 2,
            count=held.count[at], stratum=held.stratum[at], labels=held.labels[at],
            owner=np.arange(2), drawn=4,
        )  # fmt: skip
        totals.append(whole.solve(part, how).values)
    assert np.mean(totals, axis=0) == pytest.approx(whole.solve(held, how).values, abs=1e-12)


@pytest.mark.parametrize("design", [Uniform(), Pps()], ids=lambda design: design.name)
@pytest.mark.parametrize("spelled", ["AP@40", "Swaps@40", "wSwaps@40"])
def test_the_standard_error_is_that_of_the_estimates(design: Design, spelled: str) -> None:
    """400 samples of 60 units: linearised within 25 % of what is seen, AP biased by little."""
    toy = toys.rankings(1, 160, depth=80, systems=2)
    trial, whole = Trial(toy, design, measures=(spelled,)), Whole(toy, spelled)
    found = [whole.solve(trial.draw(60, seed).sample, HorvitzThompson()) for seed in range(400)]
    values = np.stack([one.values for one in found])
    spread = values.std(axis=0, ddof=1)
    claimed_ = np.sqrt(np.mean([np.diag(one.covariance) for one in found], axis=0))
    assert np.all(np.abs(claimed_ / spread - 1.0) < 0.25)
    assert np.all(np.abs(values.mean(axis=0) - whole.truth) < 0.25 * spread)


# Positive controls


def test_squared_weights_on_the_diagonal_are_seen() -> None:
    """AP's Q with pi^2 instead of pi for a unit with itself is far off."""
    trial, right, wrong = Trial(TOY, Uniform()), np.zeros(2), np.zeros(2)
    m = measure("AP@3")
    whole = Whole(TOY, "AP@3")
    for one in trial.design.listed(trial.chunk, 4):
        solved = whole.solve(trial.possible(one, 4), HorvitzThompson())
        totals = np.array([t[0].sum() for t in solved.totals])
        z, rank = TOY.labels[one.rows] >= 1, [s.output(whole.block).rank for s in TOY.frame.systems]
        own = [np.sum((z / np.maximum(r[one.rows], 1)) * (r[one.rows] > 0)) for r in rank]  # type: ignore[index]
        right += one.probability * totals
        wrong += one.probability * (totals + np.array(own) * (4.0 - 2.0))
    truth = np.array([m.summed(i, TOY.labels)[0].sum() for i in whole.items])
    assert right == pytest.approx(truth, abs=EXACT)
    assert np.all(wrong > truth + 0.5)


def test_forgetting_that_a_draw_is_without_replacement_is_seen() -> None:
    trial, total = Trial(TOY, Uniform()), 0.0
    whole = Whole(TOY, "Swaps@3")
    for one in trial.design.listed(trial.chunk, 4):
        sample = trial.possible(one, 4)
        f = np.asarray(factor(sample)(np.arange(2)))[0, 1]
        total += one.probability * float(whole.solve(sample, HorvitzThompson()).values[0]) / f
    assert abs(total - whole.truth[0]) > 0.01
