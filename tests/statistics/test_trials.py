"""The tools of `aliquot.testing` do what a study does: the other tests here rest on that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aliquot.core.records import Judgment
from aliquot.designs.base import Design
from aliquot.designs.registry import design
from aliquot.study.book import Book
from aliquot.study.cells import unseen
from aliquot.study.draw import make
from aliquot.study.estimate import Question, estimate
from aliquot.study.ports import Ledger
from aliquot.testing import toys
from aliquot.testing.ledger import ListLedger, book
from aliquot.testing.toys import Toy
from aliquot.testing.trial import Held, Trial
from aliquot.testing.whole import Whole
from tests.statistics.combos import COMBOS, Combo, every_design

SEED = 11
MEDIUM = (
    toys.rankings(5, 20, depth=10, systems=3),
    toys.scored(90),
    toys.predicted(80),
    toys.graded(80),
)


def drawn(made: Book, steps: list[tuple[Design, str, int]]) -> Book:
    """Draw several times in a study, and judge everything."""
    for how, goal, budget in steps:
        made.ledger.add_draw(make(made, how, budget, goal, made.ledger.draws()))
    return made


def judge(made: Book, toy: Toy) -> Book:
    label = dict(zip(toy.units, toy.labels.tolist(), strict=True))
    units = made.ledger.draws()[-1].units.unit
    made.ledger.record([Judgment(u, f"{label[u]:g}", label[u]) for u in units])
    return made


def same_units(toy: Toy, held: Held, made: Book) -> None:
    units = made.ledger.draws()[-1].units
    order, other = np.argsort(held.drawn.keys), np.argsort(units.key)
    assert toy.frame.names(held.drawn.rows[order]) == tuple(units.unit[i] for i in other)
    for name in ("pi", "conditional", "before", "stratum", "count", "new"):
        one, two = getattr(held.drawn, name)[order], getattr(units, name)[other]
        assert np.allclose(one, two, rtol=1e-12, atol=1e-15), name


@every_design
@pytest.mark.parametrize("toy", MEDIUM, ids=lambda toy: str(toy.measures[0]))
def test_a_trial_draws_what_a_study_draws(design: Design, toy: Toy) -> None:
    trial = Trial(toy, design)
    first = trial.draw(30, SEED)
    same_units(toy, first, drawn(book(toy, seed=SEED), [(design, "each", 30)]))
    second = trial.draw(15, SEED, after=first)
    steps = [(design, "each", 30), (design, "each", 15)]
    same_units(toy, second, drawn(book(toy, seed=SEED), steps))


def test_so_it_does_with_other_designs_and_goals() -> None:
    toy = MEDIUM[0]
    steps = [
        (design("uniform"), "each", 20),
        (design("pps"), "each", 15),
        (design("pps"), "pair:run0,run2", 10),
    ]
    held: Held | None = None
    for how, goal, budget in steps:
        held = Trial(toy, how, goal).draw(budget, SEED, after=held)
    assert held is not None
    same_units(toy, held, drawn(book(toy, seed=SEED), steps))


# `simple` is of draws for one system each, which a trial does not make: tests/study/test_joint.py
@pytest.mark.parametrize("combo", [c for c in COMBOS if c.estimator.name != "simple"], ids=str)
@pytest.mark.parametrize("toy", MEDIUM, ids=lambda toy: str(toy.measures[0]))
def test_a_whole_estimates_what_a_study_estimates(combo: Combo, toy: Toy) -> None:
    made = judge(drawn(book(toy, seed=SEED), [(combo.design, "each", 30)]), toy)
    name = str(combo.estimator)
    found = estimate(made, Question(toy.measures, name))
    held = Trial(toy, combo.design).draw(30, SEED)
    for spelled in toy.measures:
        rows = Whole(toy, spelled).estimates(held, combo.estimator)
        [study] = [
            one.rows
            for one in found
            if one.rows[0].estimator == name and str(one.family.measure) == rows[0].measure
        ]
        for row, same in zip(rows, study, strict=True):
            one, other = row.to_dict(), same.to_dict()
            counts = unseen(same.cells, same.measure) if same.cells else []  # a study alone counts
            other["warnings"] = tuple(w for w in other["warnings"] if w not in counts)
            assert one.keys() == other.keys()
            for key, value in one.items():
                if name.startswith("joint") and key in ("weight", "reach"):
                    assert value == pytest.approx(other[key], rel=0.05), key  # of all draws there
                elif isinstance(value, float):
                    assert value == pytest.approx(other[key], rel=1e-9, abs=1e-12, nan_ok=True), key
                elif key not in ("bounds", "slack"):
                    assert value == other[key], key
            assert one["bounds"] == pytest.approx(other["bounds"], rel=1e-9)
            assert (row.terms is None) == (same.terms is None)
            if row.terms is not None and same.terms is not None:
                assert np.sort(row.terms.values) == pytest.approx(np.sort(same.terms.values))


def test_the_default_estimator_is_the_study_s() -> None:
    for combo in COMBOS:
        toy = MEDIUM[1]
        made = judge(drawn(book(toy, seed=SEED), [(combo.design, "each", 30)]), toy)
        held = Trial(toy, combo.design).draw(30, SEED)
        for one in estimate(made):
            rows = Whole(toy, str(one.family.measure)).estimates(held)
            assert [row.estimator for row in rows] == [row.estimator for row in one.rows]


def test_another_seed_is_seen() -> None:
    toy = MEDIUM[1]
    made = drawn(book(toy, seed=SEED + 1), [(design("pps"), "each", 30)])
    with pytest.raises(AssertionError):
        same_units(toy, Trial(toy, design("pps")).draw(30, SEED), made)


# Toys


@pytest.mark.parametrize("toy", MEDIUM, ids=lambda toy: str(toy.measures[0]))
def test_a_toy_is_a_frame_whose_labels_fit_its_scale(toy: Toy) -> None:
    keys = toy.frame.columns.whole("@key")
    assert len(set(keys.tolist())) == len(toy)
    assert len(toy.labels) == len(toy) == len(toy.units) == len(set(toy.units))
    assert set(toy.labels.tolist()) <= set(toy.scale.levels) or toy.scale.kind == "number"
    assert len({family.measure.name for family in toy.families()}) >= 1


def test_a_turned_toy_says_the_same_of_every_unit() -> None:
    toy = MEDIUM[0]
    turned = toy.permuted(np.arange(len(toy))[::-1].copy())
    assert turned.units == tuple(reversed(toy.units))
    for spelled in toy.measures:
        assert Whole(turned, spelled).truth == pytest.approx(Whole(toy, spelled).truth, abs=1e-12)
    at = turned.frame.block(np.arange(len(toy)), turned.frame.systems)
    was = toy.frame.block(np.arange(len(toy)), toy.frame.systems)
    for system, same in zip(turned.frame.systems, toy.frame.systems, strict=True):
        first, second = system.output(at).rank, same.output(was).rank
        assert first is not None
        assert second is not None
        assert np.array_equal(first[::-1], second)


def test_a_toy_is_the_same_every_time() -> None:
    assert toys.scored().labels.tolist() == [0.0, 0.0, 0.0, 0.0, 1.0, 1.0]
    assert toys.rankings().labels.tolist() == [3.0, 1.0, 0.0, 2.0, 3.0, 1.0]
    assert toys.predicted().labels.tolist() == [1.0, 0.0, 0.0, 2.0, 1.0, 2.0]
    assert toys.graded().labels.tolist() == [3.0, 1.0, 2.0, 2.0, 2.0, 2.0]


# The ledger made of lists


def test_the_ledger_keeps_corrections_as_new_rows() -> None:
    made = book(MEDIUM[1])
    ledger: Ledger = made.ledger
    assert isinstance(ledger, ListLedger)
    one, other = Judgment("g1", "no", 0.0), Judgment("g2", "yes", 1.0)
    assert ledger.record([one, other]) == (2, 0)
    assert ledger.record([one]) == (0, 1)
    changed = replace(one, label="yes", value=1.0)
    assert ledger.record([changed, other]) == (1, 1)
    assert ledger.judgments() == [other, changed]
    assert ledger.history() == [one, other, changed]
    assert len(ledger.frames()) == 1
    ledger.add_frame(ledger.frames()[0])
    assert len(ledger.frames()) == 2
    assert ledger.header().measures == MEDIUM[1].measures
