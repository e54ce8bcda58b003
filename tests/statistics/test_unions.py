"""Unions of draws with different designs or goals: unbiased, within what 2,000 studies can see."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest

import aliquot as aq
from aliquot.core.frame import Floats
from aliquot.designs.registry import design
from aliquot.estimators.base import Estimator
from aliquot.estimators.ht import HorvitzThompson
from aliquot.estimators.priority import Priority
from aliquot.testing import toys
from aliquot.testing.trial import Held, Trial
from aliquot.testing.whole import Whole

STUDIES = 2_000
LIMIT = 3.5  # standard errors: a right estimator is further off in 1 of 2,000 looks
POOL = toys.rankings(10, 40, depth=20, systems=3)
TABLE = toys.scored(300)
Step = tuple[str, str, int]  # design, goal, budget


@dataclass(frozen=True)
class Story:
    """What is drawn from a toy, one step after the other."""

    name: str
    toy: toys.Toy
    measures: tuple[str, ...]
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return self.name


RANKED, SETS = ("P(rel=2)@20", "DCG@20"), ("Precision", "Accuracy", "Mean")
STORIES = (
    Story(
        "uniform-pps-pair",
        POOL,
        RANKED,
        (("uniform", "each", 40), ("pps", "each", 40), ("pps", "pair:run0,run1", 40)),
    ),
    Story("pps-pair", POOL, RANKED, (("pps", "each", 60), ("pps", "pair:run0,run2", 40))),
    Story("pps-uniform", TABLE, SETS, (("pps", "each", 60), ("uniform", "each", 40))),
    Story("uniform-pps", TABLE, SETS, (("uniform", "each", 60), ("pps", "each", 40))),
    Story("pps-one", TABLE, SETS, (("pps", "each", 60), ("pps", "svm", 40))),
    Story("poisson-pps", TABLE, SETS, (("poisson", "each", 60), ("pps(size=p)", "each", 40))),
    Story("pareto-pps", TABLE, SETS, (("pareto", "each", 60), ("pps(size=p)", "each", 40))),
    Story(
        "floors",
        TABLE,
        SETS,
        (("pps(floor=0.5)", "each", 50), ("pps(size=shape, floor=0.3)", "each", 50)),
    ),
)
every_story = pytest.mark.parametrize("story", STORIES, ids=str)


@cache
def studies(story: Story) -> tuple[Held, ...]:
    """All studies of a story; each has its own seed."""
    trials = [(Trial(story.toy, design(d), goal), budget) for d, goal, budget in story.steps]
    found = []
    for seed in range(STUDIES):
        held: Held | None = None
        for trial, budget in trials:
            held = trial.draw(budget, seed, after=held)
        assert held is not None
        found.append(held)
    return tuple(found)


def off(story: Story, how: Estimator, spelled: str, held: tuple[Held, ...]) -> Floats:
    """The bias of each system, in standard errors."""
    whole = Whole(story.toy, spelled)
    values = np.array([whole.solve(one.sample, how).values for one in held])
    stderr = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    found: Floats = (values.mean(axis=0) - whole.truth) / stderr
    return found


@every_story
@pytest.mark.parametrize("how", [HorvitzThompson(), Priority()], ids=str)
def test_the_union_is_estimated_without_bias(story: Story, how: Estimator) -> None:
    for spelled in story.measures:
        assert np.abs(off(story, how, spelled, studies(story))).max() < LIMIT


@every_story
def test_the_union_is_an_order_sample_whose_designs_are_named(story: Story) -> None:
    sample = studies(story)[0].sample
    assert sample.kind == "order"
    names = dict.fromkeys(str(design(d)) for d, _, _ in story.steps)
    assert sample.design == " + ".join(names)
    assert HorvitzThompson().guarantee(sample, linear=True) == "design-consistent"


@every_story
def test_every_draw_adds_its_budget_and_no_chance_falls(story: Story) -> None:
    held: Held | None = None
    for spelled, goal, budget in story.steps:
        before = 0 if held is None else len(held.drawn.rows)
        chances = np.zeros(len(story.toy)) if held is None else held.chances
        held = Trial(story.toy, design(spelled), goal).draw(budget, 1, after=held)
        if not spelled.startswith("poisson"):
            assert len(held.drawn.rows) == before + budget
        assert int(held.drawn.new.sum()) == len(held.drawn.rows) - before
        assert np.all(held.chances >= chances - 1e-15)
        assert np.array_equal(held.drawn.before, chances[held.drawn.rows])


def test_more_certain_units_than_a_draw_can_hold_leave_no_hole() -> None:
    """Poisson may take few of them; Pareto then has more certainties than its budget."""
    first, second = Trial(TABLE, design("poisson")), Trial(TABLE, design("pareto"), "relative")
    for seed in range(30):
        drawn = second.draw(40, seed, after=first.draw(60, seed)).drawn
        assert np.all((drawn.conditional > 0.0) & (drawn.conditional <= 1.0))


def test_a_chance_of_the_last_draw_alone_is_seen() -> None:
    """The first took 60 of 300 alike; pps then declares less than 60/300 for some units."""
    story = STORIES[3]
    last = Trial(story.toy, design("pps"))
    once = last.draw(40, 0).drawn.params
    own = last.design.level(last.chunk, once)
    wrong = []
    for one in studies(story):
        pi = own[one.drawn.rows]
        wrong.append(replace(one, drawn=replace(one.drawn, pi=pi)))
    assert np.abs(off(story, HorvitzThompson(), "Mean", tuple(wrong))).max() > 2 * LIMIT


def test_adding_the_chances_up_is_seen() -> None:
    """As if the two draws had numbers of their own."""
    story = STORIES[3]
    wrong = []
    for one in studies(story):
        own = one.drawn.pi
        both = own + one.drawn.before * (1.0 - own)
        wrong.append(replace(one, drawn=replace(one.drawn, pi=both)))
    assert np.abs(off(story, HorvitzThompson(), "Mean", tuple(wrong))).max() > 2 * LIMIT


def test_what_follows_small_strata_is_unbiased() -> None:
    """Through real studies: there the thresholds of strata count, not their expected rates."""
    score = TABLE.frame.columns.whole("@scored:svm")
    table = {"id": [str(i) for i in range(300)], "s": score}
    frame = aq.Frame.from_table(table, id="id", scored={"m": ("s", 0.4)})
    right = np.mean((score >= 0.4) == (TABLE.labels > 0))
    found = []
    for seed in range(250):
        with aq.Study.in_memory(frame, measures=["Accuracy"], rng=seed) as study:
            study.draw(60, design="stratified")
            study.draw(40, design="pps(size=p, floor=0.3)")
            waiting = [row.unit for row in study.queue()]
            study.record({unit: str(int(TABLE.labels[int(unit)])) for unit in waiting})
            found.append(study.estimate(estimator="ht").rows[0].estimate)
    error = np.std(found) / np.sqrt(len(found))
    assert abs(np.mean(found) - right) < LIMIT * error
