"""Exact enumeration: every sample that a design can draw from a toy frame, each with its chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest

from aliquot.core.frame import Floats
from aliquot.designs.base import Chunk, Design, Drawn, Pool, Possible
from aliquot.designs.pareto import Pareto
from aliquot.designs.poisson import Poisson
from aliquot.designs.pps import Pps
from aliquot.designs.registry import DESIGNS
from aliquot.designs.stratified import Stratified
from aliquot.estimators.hh import HansenHurwitz
from aliquot.estimators.ht import HorvitzThompson
from aliquot.estimators.registry import ESTIMATORS
from aliquot.testing import toys
from aliquot.testing.enumeration import (
    Enumeration,
    Inclusion,
    enumerate_estimates,
    enumerate_inclusion,
)
from aliquot.testing.trial import Trial
from aliquot.testing.whole import Whole
from tests.statistics.combos import COMBOS, COUNT, Combo, every_combo, every_design, every_toy

EXACT = 1e-9
LINEAR = (
    ("rankings", "DCG@2"),
    ("scored", "Accuracy"),
    ("scored", "Precision"),
    ("predicted", "Accuracy"),
    ("graded", "Mean"),
)
UNBIASED = {  # what each estimator promises for totals, by the designs that it promises it for
    "ht": {"uniform", "poisson", "stratified", "headtail"},
    "priority": {"uniform", "pps", "pareto", "poisson", "stratified", "headtail"},
    "ratio": {"uniform", "stratified", "headtail"},
    "hajek": {"uniform"},
    "hh": {"wr", "ubis"},
    "joint": {"wr", "ubis"},
    "simple": {"wr", "ubis"},
    "calibrated": set(),
    "difference": set(),
}
VARIANCE = {  # whose variance estimate is claimed to be unbiased, formula by formula
    "ht": {"uniform", "poisson", "stratified", "headtail"},
    "priority": {"uniform", "pps", "pareto", "poisson", "stratified", "headtail"},
    "ratio": {"uniform", "stratified", "headtail"},
    "hajek": {"uniform"},
    "hh": {"wr", "ubis"},
    "joint": {"wr", "ubis"},
    "simple": {"wr", "ubis"},
}


@cache
def found(design: Design, estimator: str, toy: str, measure: str, budget: int) -> Enumeration:
    how = next(kind() for kind in ESTIMATORS if kind.name == estimator)
    return enumerate_estimates(Trial(getattr(toys, toy)(), design), how, measure, budget)


def all_found(combo: Combo, budget: int) -> Iterator[Enumeration]:
    for toy, measure in LINEAR:
        yield found(combo.design, combo.estimator.name, toy, measure, budget)


def test_no_combination_is_skipped() -> None:
    assert len(COMBOS) == len({str(combo) for combo in COMBOS}) == COUNT
    assert {combo.estimator.name for combo in COMBOS} == {kind.name for kind in ESTIMATORS}
    assert {combo.design.name for combo in COMBOS} == {kind.name for kind in DESIGNS}
    assert sum(len(designs) for designs in UNBIASED.values()) == 20
    assert sum(len(designs) for designs in VARIANCE.values()) == 20


@every_combo
def test_what_is_called_unbiased_is_unbiased(combo: Combo) -> None:
    claimed = combo.design.name in UNBIASED[combo.estimator.name]
    for one in all_found(combo, 4 if claimed else 5):
        assert one.guarantees == {"design-unbiased" if claimed else "design-consistent"}
        if claimed:
            assert np.abs(one.bias).max() < EXACT


@every_combo
def test_what_is_called_consistent_says_so_and_has_a_small_bias(combo: Combo) -> None:
    if combo.design.name in UNBIASED[combo.estimator.name]:
        return
    assert "onsistent" in (type(combo.estimator).__doc__ or "")
    for few, more in zip(all_found(combo, 3), all_found(combo, 5), strict=True):
        stderr = np.sqrt(np.maximum(more.variance, 0.0))
        shrunk = np.abs(more.bias) <= np.abs(few.bias) + EXACT
        assert np.all(shrunk | (np.abs(more.bias) <= 0.2 * stderr + EXACT))


@every_combo
def test_variance_estimates_are_unbiased_where_claimed(combo: Combo) -> None:
    if combo.design.name not in VARIANCE.get(combo.estimator.name, ()):
        return
    for one in all_found(combo, 4):
        assert np.abs(one.expected_variance - one.variance).max() < EXACT
    assert any(one.variance.min() > 0.01 for one in all_found(combo, 4))


def test_strata_by_a_column_are_unbiased_with_their_variance() -> None:
    trial = Trial(toys.graded(), Stratified(by="stratum"))
    one = enumerate_estimates(trial, HorvitzThompson(), "Mean", 4)
    assert np.abs(one.bias).max() < EXACT
    assert np.abs(one.expected_variance - one.variance).max() < EXACT


@every_design
@every_toy
def test_units_are_included_as_declared(design: Design, toy: toys.Toy) -> None:
    for budget in (2, 3, 4, 5):
        one = enumerate_inclusion(Trial(toy, design), budget)
        assert abs(one.probability - 1.0) < EXACT
        assert one.inclusion.sum() == pytest.approx(budget, abs=EXACT)
        if design.kind != "order":
            assert np.abs(one.inclusion - one.declared).max() < EXACT


def gap(design: Design, times: int) -> float:
    """The largest error of pi, in a frame of `times` copies of four units; half are drawn."""
    size = np.repeat([1.0, 2.0, 3.0, 4.0], times)
    return float(np.abs(np.subtract(*_inclusion(design, size, 2 * times))).max())


def _inclusion(design: Design, size: Floats, budget: int) -> tuple[Floats, Floats]:
    inclusion, declared = np.zeros(len(size)), np.zeros(len(size))
    for one in design.enumerate(size, budget):
        inclusion[one.rows] += one.probability
        declared[one.rows] = one.pi
    return inclusion, declared


@pytest.mark.parametrize("design", [Pps(), Pareto()], ids=str)
def test_pi_of_an_order_sample_is_right_to_order_one_over_n(design: Design) -> None:
    first, second, third = gap(design, 1), gap(design, 2), gap(design, 3)
    assert 0.0 < first < 0.06
    assert second < 0.6 * first
    assert third < 0.42 * first


@pytest.mark.parametrize("design", [Pps(), Pareto()], ids=str)
def test_a_unit_that_is_called_certain_is_never_missed(design: Design) -> None:
    inclusion, declared = _inclusion(design, np.array([1.0, 1.0, 1.0, 3.0]), 2)
    assert declared[3] == pytest.approx(1.0, abs=EXACT)
    assert inclusion[3] == pytest.approx(1.0, abs=EXACT)


@pytest.mark.parametrize("spelled", ["Recall", "F1"])
def test_a_ratio_of_totals_is_called_consistent_and_is_nearly_unbiased(spelled: str) -> None:
    """Too many samples to list, so 400 are drawn: the bias is below a fifth of the error."""
    toy = toys.scored(300)
    whole = Whole(toy, spelled)
    for design in (kind() for kind in DESIGNS):
        how = HansenHurwitz() if design.replacement else HorvitzThompson()
        trial = Trial(toy, design)
        samples = [trial.draw(120, seed).sample for seed in range(400)]
        assert {how.guarantee(one, linear=False) for one in samples} == {"design-consistent"}
        values = np.array([whole.solve(one, how).values for one in samples])
        bias = np.abs(values.mean(axis=0) - whole.truth)
        assert np.all(bias < 0.2 * values.std(axis=0))


# Positive controls: what each of these tests must see.


@dataclass(frozen=True)
class Wrong(Design):
    """A Poisson design that declares another pi than it draws with."""

    factor: float = 1.1
    name: ClassVar[str] = "wrong"
    kind: ClassVar[str] = "poisson"

    def __str__(self) -> str:
        return "wrong"

    @property
    def sized(self) -> tuple[str, float]:
        return Poisson().sized

    def draw(self, pool: Pool, budget: int) -> Drawn:
        return Poisson().draw(pool, budget)

    def level(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        return Poisson().level(chunk, params)

    def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
        for one in Poisson().enumerate(size, n):
            yield replace(one, pi=one.pi * self.factor)


def test_a_wrong_pi_is_seen() -> None:
    trial = Trial(toys.scored(), Wrong())
    inclusion: Inclusion = enumerate_inclusion(trial, 3)
    assert np.abs(inclusion.inclusion - inclusion.declared).max() > 0.01
    one = enumerate_estimates(trial, HorvitzThompson(), "Mean", 3)
    assert one.guarantees == {"design-unbiased"}
    assert np.abs(one.bias).max() > 0.01
    assert np.abs(one.expected_variance - one.variance).max() > 0.001


def test_the_control_is_right_with_the_right_pi() -> None:
    one = enumerate_estimates(Trial(toys.scored(), Wrong(1.0)), HorvitzThompson(), "Mean", 3)
    assert np.abs(one.bias).max() < EXACT


def test_a_sample_that_is_not_listed_is_seen() -> None:
    class Short(Wrong):
        def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
            yield from list(Poisson().enumerate(size, n))[1:]

    assert enumerate_inclusion(Trial(toys.scored(), Short()), 3).probability < 1.0 - 1e-6
