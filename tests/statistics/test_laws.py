"""Laws that hold for every design, estimator and interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from aliquot.core.columns import ArrayColumns
from aliquot.core.estimate import Estimate, Interval
from aliquot.core.records import Judgment
from aliquot.core.sample import Sample
from aliquot.estimators.registry import ESTIMATORS
from aliquot.intervals.base import Method
from aliquot.intervals.registry import INTERVALS
from aliquot.study.book import Book
from aliquot.study.compare import compare
from aliquot.study.draw import draw
from aliquot.study.estimate import estimate
from aliquot.testing import toys
from aliquot.testing.ledger import book
from aliquot.testing.toys import Toy
from aliquot.testing.trial import Held, Trial
from aliquot.testing.whole import Whole
from aliquot.wiring.results import cover
from tests.statistics.combos import COMBOS, Combo, every_combo

MEDIUM: dict[str, Toy] = {
    "rankings": toys.rankings(6, 20, depth=10, systems=2),
    "scored": toys.scored(120),
    "predicted": toys.predicted(100),
    "graded": toys.graded(100),
}
every_toy = pytest.mark.parametrize("toy", list(MEDIUM))
METHODS: tuple[Method | None, ...] = (None, *(kind() for kind in INTERVALS))
LEVELS = (0.5, 0.8, 0.95, 0.99)


@dataclass(frozen=True)
class Case:
    """A toy drawn from with some seed."""

    toy: str
    seed: int
    budget: int


CASES = tuple(Case(toy, seed, 40) for toy in MEDIUM for seed in (1, 2, 3))


@cache
def held(combo: Combo, case: Case) -> Held:
    return Trial(MEDIUM[case.toy], combo.design).draw(case.budget, case.seed)


@cache
def rows(combo: Combo, case: Case) -> tuple[Estimate, ...]:
    toy = MEDIUM[case.toy]
    wholes = [Whole(toy, spelled) for spelled in toy.measures]
    one = held(combo, case)
    return tuple(row for whole in wholes for row in whole.estimates(one, combo.estimator))


def every_row(combo: Combo) -> Iterator[Estimate]:
    for case in CASES:
        yield from (row for row in rows(combo, case) if np.isfinite(row.estimate))


def methods(row: Estimate) -> tuple[Method | None, ...]:
    """Every method that has what it needs: some need each draw, and one of these independence."""
    if row.guarantee == "exact" or row.shape == "known":
        return METHODS
    without = row.terms is not None and row.terms.population > 0
    missing = {m for m in METHODS if m and m.bounded and row.terms is None}
    missing |= {m for m in METHODS if m and m.counts and row.cells is None}
    missing |= {m for m in METHODS if m and m.name == "bernstein" and without}
    return tuple(m for m in METHODS if m not in missing)


def interval(row: Estimate, how: Method | None, level: float = 0.95) -> Interval:
    return cover(row, "default" if how is None else how.name, level).interval


def inside(row: Estimate) -> float:
    """The estimate, kept within the bounds of its measure: an unbiased one may lie outside."""
    return min(max(row.estimate, row.bounds[0]), row.bounds[1])


# All labels known


@every_combo
@every_toy
def test_a_census_gives_the_truth_with_zero_width(combo: Combo, toy: str) -> None:
    if combo.design.replacement:
        return
    all_ = Trial(MEDIUM[toy], combo.design).draw(len(MEDIUM[toy]), 1)
    for spelled in MEDIUM[toy].measures:
        whole = Whole(MEDIUM[toy], spelled)
        found = whole.estimates(all_, combo.estimator)
        assert [row.estimate for row in found] == pytest.approx(whole.truth.tolist(), abs=1e-9)
        for row in found:
            assert row.guarantee == "exact"
            assert {interval(row, how).width for how in methods(row)} == {0.0}


def test_one_unit_less_is_no_census() -> None:
    most = Trial(MEDIUM["scored"], COMBOS[0].design).draw(119, 1)
    for row in Whole(MEDIUM["scored"], "Accuracy").estimates(most):
        assert row.guarantee != "exact"
        assert interval(row, None).width > 0


@pytest.mark.parametrize("kind", [k for k in ESTIMATORS if "simple" in k.kinds])
def test_pi_of_one_gives_the_plain_mean(kind: type) -> None:
    """Half of the frame, every unit of it certain: the other half is not in the population."""
    toy = toys.graded(50)
    n = len(toy)
    one, at = np.ones(n), np.arange(n)
    zero = np.zeros(n, dtype=np.int64)
    sample = Sample("poisson", at, one, one, zero + 1, zero, toy.labels, at, n, float(n))
    solved = Whole(toy, "Mean").solve(sample, kind())
    assert solved.values[0] == pytest.approx(toy.labels.mean(), abs=1e-12)
    assert solved.covariance[0, 0] == pytest.approx(0.0, abs=1e-18)


# Order and scale


@every_combo
def test_the_order_of_the_frame_does_not_matter(combo: Combo) -> None:
    if combo.design.replacement:  # its stream of numbers is laid along the frame
        return
    for name, toy in MEDIUM.items():
        order = np.argsort(np.arange(len(toy)) % 7, kind="stable")
        turned = toy.permuted(order)
        again = Trial(turned, combo.design).draw(40, 1)
        assert sorted(turned.frame.names(again.drawn.rows)) == sorted(
            toy.frame.names(held(combo, Case(name, 1, 40)).drawn.rows)
        )
        found = [
            row
            for spelled in toy.measures
            for row in Whole(turned, spelled).estimates(again, combo.estimator)
        ]
        for row, same in zip(found, rows(combo, Case(name, 1, 40)), strict=True):
            assert (row.system, row.measure) == (same.system, same.measure)
            assert row.estimate == pytest.approx(same.estimate, abs=1e-9, nan_ok=True)
            assert row.stderr == pytest.approx(same.stderr, abs=1e-9, nan_ok=True)


def test_labels_that_do_not_move_with_their_units_are_seen() -> None:
    toy = MEDIUM["scored"]
    wrong = replace(toy, labels=toy.labels[::-1])
    assert Whole(wrong, "Accuracy").truth != pytest.approx(Whole(toy, "Accuracy").truth)


@every_combo
def test_a_mean_scales_with_its_labels(combo: Combo) -> None:
    one, ten = (toys.graded(80, labels=f"number(0..{high})") for high in (1, 10))
    assert np.array_equal(ten.labels, 10.0 * one.labels)
    for seed in (1, 2):
        [small], [large] = (
            Whole(toy, "Mean").estimates(Trial(toy, combo.design).draw(30, seed), combo.estimator)
            for toy in (one, ten)
        )
        assert large.estimate == pytest.approx(10.0 * small.estimate, rel=1e-9)
        assert large.stderr == pytest.approx(10.0 * small.stderr, rel=1e-9)
        assert large.effective_n == pytest.approx(small.effective_n, rel=1e-9)
        for how in methods(small):
            first, second = interval(small, how), interval(large, how)
            assert second.method == first.method
            ends = [10.0 * first.low, 10.0 * first.high]
            assert [second.low, second.high] == pytest.approx(ends, rel=1e-9, abs=1e-9)


# Intervals


@every_combo
def test_a_higher_level_is_never_narrower(combo: Combo) -> None:
    for row in every_row(combo):
        for how in methods(row):
            nested = [interval(row, how, level) for level in LEVELS]
            for inner, outer in pairwise(nested):
                assert outer.low <= inner.low + 1e-12
                assert outer.high >= inner.high - 1e-12
        ends = [interval(row, None, level).width for level in LEVELS]
        limit = row.bounds[1] - row.bounds[0]
        assert row.guarantee == "exact" or ends[-1] > ends[0] or ends[0] == pytest.approx(limit)


@every_combo
def test_an_interval_lies_in_its_bounds_and_holds_the_estimate(combo: Combo) -> None:
    count = 0
    for row in every_row(combo):
        for how in methods(row):
            one = interval(row, how)
            assert row.bounds[0] <= one.low <= one.high <= row.bounds[1]
            if how is None or row.bounds[0] <= row.estimate <= row.bounds[1]:
                assert one.low - 1e-12 <= inside(row) <= one.high + 1e-12
            count += 1
    assert count >= 300


@every_combo
@pytest.mark.parametrize("label", ["lowest", "highest"])
@every_toy
def test_labels_without_spread_never_give_zero_width(combo: Combo, label: str, toy: str) -> None:
    base = MEDIUM[toy]
    value = base.scale.low if label == "lowest" else base.scale.high
    same = replace(base, labels=np.full(len(base), value))
    for seed in (1, 2):
        for spelled in same.measures:
            one = Trial(same, combo.design).draw(30, seed)
            for row in Whole(same, spelled).estimates(one, combo.estimator):
                assert interval(row, None).width > 0.0


@every_combo
def test_few_units_never_give_zero_width(combo: Combo) -> None:
    """Some of these samples hold no unit at all that bears on a system."""
    sparse = toys.scored(120, positives=0.1)
    for seed in range(10):
        one = Trial(sparse, combo.design).draw(6, seed)
        for spelled in sparse.measures:
            for row in Whole(sparse, spelled).estimates(one, combo.estimator):
                assert interval(row, None).width > 0.0


def test_a_plain_normal_interval_breaks_these_laws() -> None:
    row = Estimate("", "Mean", 1.0, 0.0, 30, 30.0, "ht", "design-unbiased")
    assert interval(row, INTERVALS[0]()).width == 0.0


# Equal systems


def twins() -> Toy:
    """Two systems by two names, that say the same of every unit."""
    toy = toys.scored(100)
    svm = toy.frame.systems[0]
    columns = {name: toy.frame.columns.whole(name) for name in toy.frame.columns.names}
    columns["@scored:twin"] = columns[svm.column]
    twin = replace(svm, name="twin", column="@scored:twin")
    frame = replace(toy.frame, columns=ArrayColumns(columns), systems=(*toy.frame.systems, twin))
    return replace(toy, frame=frame)


def judged(toy: Toy, spelled: str, budget: int) -> Book:
    """A study of a toy, with one draw and all its labels."""
    made = book(toy, seed=5)
    row = draw(made, budget, spelling=spelled)
    label = dict(zip(toy.units, toy.labels.tolist(), strict=True))
    made.ledger.record([Judgment(unit, str(label[unit]), label[unit]) for unit in row.units.unit])
    return made


@pytest.mark.parametrize("design", sorted({str(combo.design) for combo in COMBOS}))
def test_equal_systems_have_equal_estimates_and_no_difference(design: str) -> None:
    made = judged(twins(), design, 40)
    for family in estimate(made):
        if len(family.rows) == 1:
            continue
        svm, _, twin = family.rows
        assert replace(twin, system="svm") == svm
    found = compare(made, pair=("svm", "twin"))
    assert len(found.rows) == 5
    for row in found.rows:
        assert (row.difference, row.stderr, row.p_value, row.p_adjusted) == (0.0, 0.0, 1.0, 1.0)
        assert row.low <= 0.0 <= row.high
    other = compare(made, pair=("svm", "bayes"))
    assert any(row.stderr > 0 for row in other.rows)


def test_the_tiers_hold_equal_systems_together() -> None:
    for _, tiers in compare(judged(twins(), "pps", 60)).tiers:
        assert any({"svm", "twin"} <= set(tier) for tier in tiers)
