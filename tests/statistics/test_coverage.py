"""Calibrated coverage of what a study gives by default: 95 % claimed, 92 % caught.

Each test passes with at least 3,826 hits of 4,101. Mean widths are bounded as well, by the width
that a normal interval of the true standard deviation would have: an interval that is always [0, 1]
covers, and fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

from aliquot.core.estimate import Estimate, Interval
from aliquot.designs.registry import design
from aliquot.errors import UsageError
from aliquot.study.usual import usual as usual_design
from aliquot.testing import toys
from aliquot.testing.coverage import Covered, Plan, cover
from aliquot.testing.ledger import book
from aliquot.testing.toys import Toy
from aliquot.testing.trial import Trial
from aliquot.testing.whole import Whole
from aliquot.wiring import results

PLAN = Plan()
TABLE = toys.scored(400)
POOL = toys.rankings(12, 40, depth=20, systems=2)
NUMBERS = toys.graded(400, labels="number(0..10)")


def test_the_error_rates_of_the_plan() -> None:
    assert pytest.approx(7.27e-7, rel=1e-2) == PLAN.false_alarm
    assert pytest.approx(9.76e-4, rel=1e-2) == PLAN.miss


def test_a_smaller_plan_keeps_only_one_of_the_rates() -> None:
    for hits in range(2_700, 2_850):
        plan = Plan(replicates=3_000, hits=hits)
        assert plan.false_alarm > PLAN.false_alarm or plan.miss > PLAN.miss


def test_a_plan_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(UsageError) as error:
        Plan(claimed=0.9, caught=0.95)
    assert str(error.value) == (
        "a coverage of 0.95 can't be told from 0.9. "
        "Catch a coverage below the one claimed, both between 0 and 1."
    )
    with pytest.raises(UsageError) as error:
        Plan(replicates=10, hits=11)
    assert str(error.value) == (
        "11 hits of 10 replicates can't be asked for. "
        "Ask for at least 1 hit and at most one a replicate."
    )


@dataclass
class Replicates:
    """One measure of one system, estimated once a seed."""

    trial: Trial
    budget: int
    measure: str
    system: int = 0
    narrowed: Callable[[Estimate], Estimate] = lambda row: row
    values: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.whole = Whole(self.trial.toy, self.measure)

    def __call__(self, seed: int) -> Interval:
        held = self.trial.draw(self.budget, seed)
        row = self.whole.estimates(held)[self.system]
        self.values.append(row.estimate)
        return results.cover(self.narrowed(row), "default", 0.95).interval

    @property
    def truth(self) -> float:
        return float(self.whole.truth[self.system])

    @property
    def ideal(self) -> float:
        """The width of a normal interval, were the standard deviation known."""
        return 2 * 1.96 * float(np.std(self.values))


def run(toy: Toy, spelled: str, budget: int, measure: str) -> tuple[Covered, Replicates]:
    made = Replicates(Trial(toy, design(spelled), measures=(measure,)), budget, measure)
    return cover(PLAN, made, made.truth), made


def check(found: Covered, made: Replicates, *, widest: float) -> None:
    assert found.passed, f"{found.hits} hits ({found.coverage:.4f}), width {found.width:.4f}"
    assert found.width <= widest * made.ideal, f"width {found.width:.4f}, {made.ideal:.4f} would do"


@pytest.mark.parametrize(
    ("spelled", "budget", "widest"), [("uniform", 150, 1.15), ("pps", 100, 1.5)]
)
def test_precision_is_covered(spelled: str, budget: int, widest: float) -> None:
    check(*run(TABLE, spelled, budget, "Precision"), widest=widest)


@pytest.mark.parametrize("measure", ["P(rel=2)@10", "DCG@20"])
def test_a_ranking_is_covered_by_the_default_design(measure: str) -> None:
    spelled = str(usual_design(book(POOL)))
    assert spelled == "pps(size=influence, floor=0.1)"
    check(*run(POOL, spelled, 100, measure), widest=1.6)


@pytest.mark.parametrize(
    ("spelled", "widest"),
    [("uniform", 1.15), ("stratified", 1.5), ("poisson", 1.5), ("wr", 1.5)],
)
def test_prevalence_is_covered(spelled: str, widest: float) -> None:
    check(*run(TABLE, spelled, 100, "Mean"), widest=widest)


@pytest.mark.parametrize(
    "spelled", ["uniform", "stratified(by=stratum, allocation=proportional)", "poisson", "wr"]
)
def test_a_mean_of_numbers_is_covered(spelled: str) -> None:
    check(*run(NUMBERS, spelled, 60, "Mean"), widest=1.7)


def test_recall_is_covered_by_the_default_design() -> None:
    spelled = str(usual_design(book(TABLE)))
    assert spelled == "pps(size=influence, floor=0.35)"
    assert int(TABLE.labels.sum()) > 100
    check(*run(TABLE, spelled, 150, "Recall"), widest=1.2)


# Positive controls, on fewer replicates: what must fail.

SHORT = Plan(replicates=400, hits=360)


def short(narrowed: Callable[[Estimate], Estimate]) -> tuple[Covered, Replicates]:
    trial = Trial(TABLE, design("uniform"), measures=("Mean",))
    made = Replicates(trial, 100, "Mean", narrowed=narrowed)
    return cover(SHORT, made, made.truth), made


def test_the_short_plan_passes_what_covers() -> None:
    assert short(lambda row: row)[0].passed


def shifted(row: Estimate) -> Estimate:
    return Estimate(**{**vars(row), "estimate": row.estimate + row.stderr})


def narrow(row: Estimate) -> Estimate:
    fields = {"stderr": 0.7 * row.stderr, "effective_n": 2 * row.effective_n}
    return Estimate(**{**vars(row), **fields})


@pytest.mark.parametrize("wrong", [narrow, shifted])
def test_an_interval_that_is_narrow_or_off_is_seen(
    wrong: Callable[[Estimate], Estimate],
) -> None:
    assert not short(wrong)[0].passed


def test_an_interval_that_says_nothing_is_seen() -> None:
    made = Replicates(Trial(TABLE, design("uniform"), measures=("Mean",)), 100, "Mean")

    def empty(seed: int) -> Interval:
        made(seed)
        return Interval(0.0, 1.0, 0.95, "none")

    found = cover(SHORT, empty, made.truth)
    assert found.passed
    with pytest.raises(AssertionError, match="would do"):
        check(found, made, widest=1.7)
