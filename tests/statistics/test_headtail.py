"""Head and tail: where strata lie, who gets them by default, and that their counts cover."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from aliquot.core.estimate import Cells, Estimate
from aliquot.core.frame import Floats
from aliquot.designs.headtail import HeadTail, divided, tail
from aliquot.designs.registry import design
from aliquot.errors import DesignError, SpellingError, UsageError
from aliquot.intervals.base import Method
from aliquot.intervals.betabin import Strata
from aliquot.intervals.cells import BetaBin
from aliquot.intervals.normal import Normal
from aliquot.intervals.posterior import recall
from aliquot.intervals.wilson import Wilson
from aliquot.study.book import Book
from aliquot.study.cells import unseen
from aliquot.study.draw import draw
from aliquot.study.estimate import Question, estimate
from aliquot.study.labelled import Labelled
from aliquot.study.replay import Setting, replay, truths
from aliquot.testing import toys
from aliquot.testing.coverage import Plan
from aliquot.testing.ledger import book
from aliquot.testing.toys import Toy
from aliquot.testing.trial import Held, Trial
from tests.statistics.test_trials import judge

SETS = ("Precision", "Recall", "F1", "Mean")
TABLE = replace(toys.scored(2_000, positives=0.05), measures=SETS)
ONE = replace(TABLE, frame=replace(TABLE.frame, systems=TABLE.frame.systems[:1]))


def retrieved(toy: Toy) -> NDArray[np.bool_]:
    block = toy.frame.block(np.arange(len(toy)), toy.frame.systems)
    found = [system.output(block).retrieved for system in toy.frame.systems]
    some: NDArray[np.bool_] = np.any([one for one in found if one is not None], axis=0)
    return some


def drawn(toy: Toy, spelled: str = "headtail", budget: int = 200) -> Held:
    return Trial(toy, design(spelled)).draw(budget, 3)


# Strata


def test_retrieved_and_other_units_share_no_stratum() -> None:
    held = drawn(TABLE)
    codes = held.drawn.stratum
    own = retrieved(TABLE)[held.drawn.rows]
    assert set(codes[own].tolist()) == {0, 1}
    assert set(codes[~own].tolist()) == {2, 3, 4, 5}


def test_the_tail_is_one_stratum_that_holds_what_scores_expect_least_of() -> None:
    held, chunk = drawn(TABLE), Trial(TABLE, HeadTail()).chunk
    others = chunk.stratum == 1
    codes = HeadTail().place(chunk, held.drawn.params["cuts"])
    last = codes == codes.max()
    assert others[last].all()
    assert chunk.size[last].max() < chunk.size[others & ~last].min()
    expected = chunk.size[others] ** 2 - chunk.size[others].min() ** 2
    assert 0.04 < expected[last[others]].sum() / expected.sum() <= 0.05


def test_a_score_that_says_nothing_leaves_no_head() -> None:
    assert tail(np.ones(9)) == 1.0
    chunk = replace(Trial(ONE, HeadTail()).chunk, size=np.ones(len(ONE)))
    codes = HeadTail().place(chunk, HeadTail().cut(chunk, 200))
    assert len(set(codes[chunk.stratum == 0].tolist())) == 1
    assert len(set(codes[chunk.stratum == 1].tolist())) == 1


def test_without_retrieved_units_there_is_only_head_and_tail() -> None:
    chunk = Trial(TABLE, HeadTail()).chunk
    cuts = HeadTail().cut(replace(chunk, stratum=np.ones_like(chunk.stratum)), 200)
    assert cuts[0] == []
    assert len(cuts[1]) == 3


@pytest.mark.parametrize("hidden", [0.0, 0.05, 1.0])
def test_more_that_is_hidden_means_more_labels_in_the_tail(hidden: float) -> None:
    held = drawn(TABLE, f"headtail(hidden={hidden})")
    more = drawn(TABLE, "headtail(hidden=1)")
    assert shares(held)[-1] <= shares(more)[-1]


def shares(held: Held) -> Floats:
    taken = np.array(held.drawn.params["taken"], dtype=np.float64)
    found: Floats = taken / taken.sum()
    return found


@pytest.mark.parametrize("option", ["hidden=2", "hidden=no", "strata=0", "floor=0.1"])
def test_an_option_that_makes_no_sense_is_refused(option: str) -> None:
    with pytest.raises(SpellingError):
        design(f"headtail({option})")


def test_labels_are_given_away_one_by_one() -> None:
    shares_, counts = np.array([5.0, 3.0, 0.5]), np.array([40, 9, 100])
    found = [divided(shares_, counts, n) for n in range(150)]
    for n, (fewer, more) in enumerate(pairwise(found)):
        assert fewer.sum() == n
        assert np.all(more >= fewer)
    assert found[149].tolist() == [40, 9, 100]


# The default


def spelled(toy: Toy, *steps: tuple[int, str]) -> list[str]:
    made = book(toy)
    return [draw(made, budget, goal=goal).design for budget, goal in steps]


def test_another_goal_or_system_is_named_as_a_reason_not_to_go_on() -> None:
    made = book(TABLE)
    draw(made, 100, goal="each")
    with pytest.raises(DesignError) as error:
        draw(made, 100, goal="svm", spelling="headtail(strata=3, hidden=0.1)")
    assert str(error.value) == (
        "headtail(strata=3, hidden=0.1) can't follow a draw of another design, goal or set of "
        "systems. Draw with pps, pareto or poisson: labels count there as well."
    )


def test_the_default_has_a_stratum_for_each_hundred_labels() -> None:
    assert spelled(TABLE, (60, "each"), (40, "each")) == ["headtail(strata=3, hidden=0.1)"] * 2
    assert spelled(TABLE, (500, "each")) == ["headtail(strata=5, hidden=0.1)"]
    assert spelled(TABLE, (100, "svm")) == ["headtail(strata=3, hidden=0.1)"]


def test_the_default_is_another_one_where_it_does_not_fit() -> None:
    pps = "pps(size=influence, floor=0.35)"
    assert spelled(TABLE, (20, "each"), (200, "each")) == [pps, pps]
    assert spelled(TABLE, (100, "pair:svm,bayes")) == [pps]
    assert spelled(TABLE, (100, "each"), (100, "svm"))[1] == pps
    linear = replace(TABLE, measures=("Precision", "Mean"))
    assert spelled(linear, (100, "each")) == ["pps(size=influence, floor=0.1)"]


# Counts


def counted(made: Book) -> dict[tuple[str, str], Cells | None]:
    rows = [row for one in estimate(made, Question()) for row in one.rows]
    return {(row.system, row.measure): row.cells for row in rows}


def labelled(toy: Toy, spelling: str, budget: int = 200) -> Book:
    made = book(toy)
    draw(made, budget, spelling=spelling)
    return judge(made, toy)


@pytest.mark.parametrize("spelling", ["headtail", "uniform", "stratified(strata=6)"])
def test_cells_hold_the_frame_and_the_sample(spelling: str) -> None:
    made = labelled(TABLE, spelling)
    positive = int(TABLE.labels[made.frame.find(made.ledger.draws()[0].units.unit)].sum())
    for (system, _), cells in counted(made).items():
        assert cells is not None
        assert cells.N.sum() == len(TABLE)
        assert cells.n.sum() == 200
        assert cells.r.sum() == positive
        assert np.all((cells.r <= cells.n) & (cells.n <= cells.N))
        names = [one.name for one in TABLE.frame.systems]
        if system:
            one = replace(TABLE.frame, systems=(TABLE.frame.systems[names.index(system)],))
            own = retrieved(replace(TABLE, frame=one))
            assert cells.N[cells.retrieved].sum() == own.sum()
        else:
            assert not cells.retrieved.any()


@pytest.mark.parametrize("spelling", ["pps", "poisson", "wr", "stratified(strata=90)"])
def test_other_samples_have_no_cells(spelling: str) -> None:
    assert set(counted(labelled(TABLE, spelling)).values()) == {None}


def test_a_simple_sample_is_webber_s_two_segments() -> None:
    """With the prior of the paper below; above, with fewer positives that nobody saw."""
    made = labelled(ONE, "uniform", 400)
    [row] = [r for one in estimate(made, Question()) for r in one.rows if r.measure == "Recall"]
    assert row.cells is not None
    above, below = row.cells.retrieved, ~row.cells.retrieved
    parts = [
        Strata.of(*(c[m] for c in (row.cells.N, row.cells.n, row.cells.r))) for m in (above, below)
    ]
    low, high = BetaBin().ends(row, 0.95)
    theirs = recall(*parts)
    assert low == pytest.approx(theirs[0], abs=1e-9)
    assert theirs[1] <= high <= theirs[1] + 0.05


def cells(beta: float = float("inf"), **changed: object) -> Cells:
    columns: dict[str, object] = {
        "retrieved": np.array([True, True, False, False]),
        "N": np.array([50.0, 200.0, 500.0, 90_000.0]),
        "n": np.array([30.0, 60.0, 60.0, 150.0]),
        "r": np.array([29.0, 30.0, 4.0, 0.0]),
        "expected": np.array([0.95, 0.5, 0.1, 0.001]),
    }
    return Cells(**{**columns, **changed}, beta=beta)  # type: ignore[arg-type]


def row(made: Cells | None, value: float = 0.7) -> Estimate:
    return Estimate("", "Recall", value, 0.1, 300, 300.0, "ht", "design-consistent", cells=made)


@pytest.mark.parametrize("beta", [0.0, 1.0, 2.0, float("inf")])
def test_a_higher_level_is_wider_and_holds_the_estimate(beta: float) -> None:
    one = row(cells(beta), 0.63)
    before = (0.63, 0.63)
    for level in (0.5, 0.9, 0.95, 0.999):
        low, high = BetaBin().ends(one, level)
        assert low <= before[0] <= before[1] <= high
        before = (low, high)


def test_a_large_stratum_without_positives_widens_recall_downwards() -> None:
    small = cells(N=np.array([50.0, 200.0, 500.0, 900.0]))
    assert BetaBin().ends(row(cells()), 0.95)[0] < BetaBin().ends(row(small), 0.95)[0] - 0.2


@pytest.mark.parametrize("expected", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("beta", [0.0, 1.0, float("inf")])
def test_a_score_that_labels_contradict_never_narrows(beta: float, expected: float) -> None:
    """Means of 100 labels were covered 89 times in 100 where a score was the wrong way round."""
    plain, held = cells(beta), np.zeros(4, dtype=np.bool_)
    kept = {"retrieved": held} if beta == 0.0 else {}
    said, fair = (
        BetaBin().ends(row(cells(beta, expected=mean, **kept), 0.3), 0.95)
        for mean in (np.full(4, expected), plain.r / plain.n)
    )
    assert said[0] <= fair[0] + 1e-9
    assert said[1] >= fair[1] - 1e-9


def test_a_census_of_all_cells_has_no_width() -> None:
    made = cells(n=cells().N)
    low, high = BetaBin().ends(row(made, 59.0 / 63.0), 0.95)
    assert low == pytest.approx(59.0 / 63.0, abs=1e-6)
    assert high == pytest.approx(59.0 / 63.0, abs=1e-6)


def test_a_share_of_all_has_no_retrieved_cells() -> None:
    made = cells(0.0, retrieved=np.zeros(4, dtype=np.bool_))
    low, high = BetaBin().ends(row(made, 63.0 / 90_750.0), 0.95)
    assert 0.0 < low < 0.002 < high < 0.05


@pytest.mark.parametrize("kind", [Wilson, BetaBin, Normal])
def test_a_share_is_never_what_the_units_left_could_not_make_of_it(kind: type[Method]) -> None:
    N, n, r, expected = (np.array([x]) for x in (84.0, 81.0, 0.0, 0.5))
    made = Cells(np.array([True]), N, n, r, expected, beta=0.0)
    high = kind().interval(row(made, 0.0), 0.95).high
    assert high <= 3.0 / 84.0


def test_without_counts_it_is_refused() -> None:
    with pytest.raises(UsageError) as error:
        BetaBin().ends(row(None), 0.95)
    assert str(error.value) == (
        "betabin needs counts in strata, and Recall has none here. "
        "Draw with headtail, stratified or uniform, or leave the interval out."
    )


# Coverage, calibrated

PLAN = Plan()


def hidden(toy: Toy, share: float) -> Toy:
    """The same scores, and a share of the positives anywhere."""
    rng = np.random.default_rng(5)
    labels = toy.labels.copy()
    gone = rng.choice(np.flatnonzero(labels), int(share * labels.sum()), replace=False)
    free = np.flatnonzero(labels == 0)
    labels[gone] = 0.0
    labels[rng.choice(free, len(gone), replace=False)] = 1.0
    return replace(toy, labels=labels)


@pytest.mark.parametrize("world", [ONE, hidden(ONE, 0.15)], ids=["good", "hidden"])
def test_recall_f_and_precision_are_covered_by_default(world: Toy) -> None:
    """The three at once: each replicate is one study, from its draw to its intervals."""
    made = replace(world, measures=("Recall", "F1", "Precision"))
    known = Labelled(book(made), made.labels)
    setting = Setting("default", 150)
    truth = truths(known, setting)
    hits, width = dict.fromkeys(truth, 0), dict.fromkeys(truth, 0.0)
    for seed in range(PLAN.replicates):
        for (_, _, system, measure), found in replay(known, setting, seed).rows.items():
            assert found.low is not None
            assert found.high is not None
            hits[system, measure] += found.low <= truth[system, measure] <= found.high
            width[system, measure] += (found.high - found.low) / PLAN.replicates
    assert len(hits) == 3
    assert {key: n for key, n in hits.items() if n < PLAN.hits} == {}
    assert width["svm", "Recall"] < 0.6
    assert width["svm", "F1"] < 0.5
    assert width["svm", "Precision"] < 0.4


# What decides


def test_positives_that_nobody_could_see_are_said_where_they_decide() -> None:
    """182 positives are estimated; 3 N / n is 5 % of them once 22,345 of that cell are judged."""
    [text] = unseen(cells(), "Recall")
    assert text == (
        "none of the 150 judged of 90000 units outside what is retrieved is positive, so about "
        "1797 positives among them can't be excluded, which decides how low Recall may be; about "
        "44390 more labels drawn alike would settle it"
    )


def test_where_they_do_not_decide_nothing_is_said() -> None:
    small = cells(N=np.array([50.0, 200.0, 500.0, 300.0]))
    found = cells(r=np.array([29.0, 30.0, 4.0, 1.0]))
    assert [unseen(one, "Recall") for one in (small, found, cells(0.0))] == [[], [], []]
