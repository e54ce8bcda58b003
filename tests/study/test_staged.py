"""A strategy for curves in a study: it draws, waits, goes on, and its labels are everybody's."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

import aliquot as aq
from aliquot.core.order import order
from aliquot.core.records import Judgment
from aliquot.curves.registry import strategy
from aliquot.curves.staged import Staged
from aliquot.errors import DesignError, EstimateError, UsageError
from aliquot.study.book import Book
from aliquot.study.draw import draw
from aliquot.study.sampling import sample
from aliquot.study.scratch import again
from aliquot.study.staged import curve
from aliquot.testing.coverage import Plan
from aliquot.wiring.study import Study

N = 1_500
SHARES = np.where(np.arange(N) < 300, 0.9, 0.5)
TRUTH = (np.random.default_rng(4).random(N) < SHARES).astype(float)
LABELS = {f"u{i}": "yes" if y else "no" for i, y in enumerate(TRUTH)}
SMALL = "epsilon=0.2, beta=1.3"
STRATEGIES = (
    f"random({SMALL}, p_min=0.5)",
    f"logstrat({SMALL}, p_min=0.5, m=5, start=50)",
    f"paula({SMALL}, start=50, window=10)",
    f"adastrat({SMALL}, m=5, start=50)",
    f"adastrat({SMALL}, m=5, start=50, query=stratified)",
    f"band({SMALL}, start=50)",
)
ADASTRAT = STRATEGIES[3]


def frame() -> aq.Frame:
    rows = {"id": list(LABELS), "s": [1.0 - i / N for i in range(N)], "kind": [1] * N}
    return aq.Frame.from_table(rows, id="id", scored={"svm": ("s", 0.5)}, stratum="kind")


def study(path: Path | None = None, seed: int = 7) -> Study:
    measures = ["Mean", "Precision"]
    if path is None:
        return aq.Study.in_memory(frame(), measures=measures, rng=seed)
    return aq.Study.create(path, frame(), measures=measures, rng=seed)


def goes_on(made: Study, spelling: str) -> bool:
    """Draw what the strategy asks next, and judge it; False once it has all."""
    try:
        batch = made.draw(N, goal="curve:svm", design=spelling)
    except DesignError as error:
        assert "has every label that it asks for" in str(error)  # noqa: PT017  (or fail)
        return False
    made.record({unit: LABELS[unit] for unit in batch.new})
    return True


def finished(spelling: str, path: Path | None = None) -> Study:
    made = study(path)
    for _ in range(100):
        if not goes_on(made, spelling):
            break
    return made


@pytest.mark.parametrize("spelling", STRATEGIES)
def test_a_strategy_goes_through_a_study_to_its_curve(spelling: str) -> None:
    with finished(spelling) as made:
        found = made.curve("svm", method=spelling).curve
        assert found.method == str(strategy(spelling))
        assert (found.system, found.n) == ("svm", N)
        assert found.annotations == made.progress.judged < N
        truth = np.cumsum(TRUTH) / np.arange(1, N + 1)
        at = found.values(np.arange(1, N + 1))
        if found.guarantee != "none":
            assert np.all(at.low <= truth + 1e-9)
            assert np.all(truth <= at.high + 1e-9)
        assert made.curve("svm").curve.annotations == found.annotations  # all labels, as a band
        low, high = made.estimate(measure="Mean").rows[0].confidence_interval()
        assert low <= TRUTH.mean() <= high
        assert all(f.grade != "problem" for f in made.doctor())


@pytest.mark.parametrize("spelling", STRATEGIES)
def test_opened_anew_at_every_step_it_draws_the_same(spelling: str, tmp_path: Path) -> None:
    straight = finished(spelling)
    study(tmp_path / "s").close()
    while True:
        with aq.Study.open(tmp_path / "s") as made:
            if not goes_on(made, spelling):
                break
    with aq.Study.open(tmp_path / "s") as made:
        ours, theirs = (one.book.ledger.draws() for one in (made, straight))
        assert [d.units.unit for d in ours] == [d.units.unit for d in theirs]
        assert [d.params for d in ours] == [d.params for d in theirs]
        assert (
            made.curve("svm", method=spelling).curve.to_dict()
            == straight.curve("svm", method=spelling).curve.to_dict()
        )


def test_a_corrected_label_changes_no_earlier_draw_and_the_strategy_goes_on() -> None:
    with study() as made:
        goes_on(made, ADASTRAT)
        goes_on(made, ADASTRAT)
        first = made.book.ledger.draws()[0].units.unit
        made.record(dict.fromkeys(first[:40], "no"))
        for _ in range(20):
            if not goes_on(made, ADASTRAT):
                break
        assert made.curve("svm", method=ADASTRAT).curve.guarantee == "any-curve"  # 40 are no now
        assert [f.text for f in made.doctor() if f.grade == "problem"] == []
        units = made.book.ledger.draws()[-1].units
        assert np.all(units.pi > 0)


def test_a_batch_can_be_judged_bit_by_bit_and_nothing_is_drawn_meanwhile() -> None:
    with study() as made:
        batch = made.draw(N, goal="curve:svm", design=ADASTRAT)
        made.record({unit: LABELS[unit] for unit in batch.new[:-3]})
        with pytest.raises(DesignError) as caught:
            made.draw(N, goal="curve:svm", design=ADASTRAT)
        assert str(caught.value) == (
            "all units asked for next are drawn already, and some wait for a judgment. "
            "See which with aliquot queue STUDY, then aliquot record STUDY FILE."
        )
        with pytest.raises(EstimateError) as lacking:
            made.curve("svm", method=ADASTRAT)
        assert str(lacking.value) == (
            "adastrat(epsilon=0.2, beta=1.3, m=5, start=50) lacks 3 of the labels that it asks "
            "for. See which: aliquot queue STUDY. Or use all labels that are there: --method band."
        )
        assert made.curve("svm").curve.annotations == len(batch.new) - 3
        made.record({unit: LABELS[unit] for unit in batch.new[-3:]})
        assert goes_on(made, ADASTRAT)


def test_labels_drawn_for_something_else_are_not_asked_for_again() -> None:
    with study() as made, finished(ADASTRAT) as alone:
        made.draw(600, goal="each", design="uniform")
        made.record(LABELS)
        while goes_on(made, ADASTRAT):
            pass
        assert made.progress.judged < 600 + alone.progress.judged  # some served both
        assert (
            made.curve("svm", method=ADASTRAT).curve.to_dict()
            == alone.curve("svm", method=ADASTRAT).curve.to_dict()
        )
        made.draw(20, goal="each", design="pps")  # and others go on after it
        made.record(LABELS)
        assert all(f.grade != "problem" for f in made.doctor())
        truth = float(TRUTH.mean())
        assert abs(made.estimate(measure="Mean").rows[0].estimate - truth) < 0.08


def test_skipped_units_are_taken_to_be_like_their_neighbours_and_said() -> None:
    with study() as made:
        gone: list[str] = []
        for _ in range(20):
            try:
                batch = made.draw(N, goal="curve:svm", design=ADASTRAT)
            except DesignError:
                break
            gone += batch.new[::20]
            labels = {unit: LABELS[unit] for unit in batch.new}
            made.record(labels | dict.fromkeys(batch.new[::20], "skip"))
        found = made.curve("svm", method=ADASTRAT).curve
        assert (
            f"{len(gone)} units that it asked for were skipped or unsure; each is taken to be "
            "like the judged ones next to it in the ranking" in found.warnings
        )
        truth = np.cumsum(TRUTH)[-1] / N
        assert found.at(N).low < truth < found.at(N).high


REFUSED = {
    ("curve:svm", "adastrat(query=exact)"): (
        "query=exact asks for precision itself, and a study has labels. "
        "Use query=thinned or query=stratified."
    ),
    ("each", "adastrat"): (
        "adastrat draws for the curve of one system, not for 'each'. Give --goal curve:SYSTEM."
    ),
    ("curve:zz", "adastrat"): (
        "'curve:zz' is not a goal. Use each, relative, pair:A,B, curve:A or the name of a system. "
        "Systems here: svm."
    ),
}


@pytest.mark.parametrize(("goal", "spelling"), REFUSED)
def test_what_a_strategy_cant_do_is_refused(goal: str, spelling: str) -> None:
    with study() as made, pytest.raises(DesignError) as caught:
        made.draw(10, goal=goal, design=spelling)
    assert str(caught.value) == REFUSED[goal, spelling]


def test_a_budget_below_what_it_asks_for_says_how_much_that_is() -> None:
    with study() as made:
        with pytest.raises(DesignError) as caught:
            made.draw(10, goal="curve:svm", design="paula(start=50)")
        assert str(caught.value) == (
            "paula(start=50) asks for 1500 labels next, more than the budget of 10. "
            "Give --budget 1500, or options that ask for less, such as a smaller start."
        )
        assert made.book.ledger.draws() == []


def test_numbers_are_positive_from_rel_on_in_every_draw_and_its_redrawing() -> None:
    rows = {"id": [f"u{i}" for i in range(200)], "s": [200 - i for i in range(200)]}
    table = aq.Frame.from_table(rows, id="id", scored={"svm": "s"}, number="0..9")
    how = "adastrat(epsilon=0.3, beta=1.5, m=3, start=20)"
    with aq.Study.in_memory(table, measures=["Mean"], rng=1) as made:
        given = {f"u{i}": 9 - i // 22 for i in range(200)}
        made.draw(20, goal="curve:svm", design=how, rel=5)
        made.record(given)
        with pytest.raises(UsageError):
            made.draw(200, goal="curve:svm", design=how)
        while True:
            try:
                made.draw(200, goal="curve:svm", design=how, rel=5)
            except DesignError:
                break
            made.record(given)
        found = made.curve("svm", method=how, rel=5).curve
        assert found.at(200).low <= 110 / 200 <= found.at(200).high
        assert all(f.grade != "problem" for f in made.doctor())
        with pytest.raises(UsageError) as caught:
            made.draw(5, design="uniform", rel=5)
    assert str(caught.value) == (
        "uniform draws without regard to labels, so it needs no rel. "
        "Give it to a strategy for curves, or later to aliquot curve."
    )


def test_a_strategy_has_its_own_level() -> None:
    with finished(ADASTRAT) as made:
        assert made.curve("svm", method=ADASTRAT, level=0.95).curve.level == 0.95
        with pytest.raises(UsageError) as caught:
            made.curve("svm", method=ADASTRAT, level=0.99)
        assert str(caught.value) == (
            "the labels that adastrat(epsilon=0.2, beta=1.3, m=5, start=50) asked for are enough "
            "for level 0.95, not for 0.99. Leave out the level; another one is spelled, and drawn, "
            "like delta=0.1."
        )


def test_the_samples_of_a_strategy_are_not_listed() -> None:
    with pytest.raises(DesignError) as caught:
        next(Staged(strategy("band")).enumerate(np.ones(3), 1))
    assert str(caught.value) == (
        "the samples of band can't be listed: what it draws depends on labels. "
        "List those of stratified, which it is within a draw."
    )


PLAN = Plan(claimed=0.95, caught=0.80, replicates=160, hits=134)


@lru_cache
def book() -> Book:
    return study().book


def through(seed: int, spelling: str) -> Book:
    """Go through one study without a database."""
    made = again(book(), seed)
    while True:
        try:
            units = draw(made, N, goal="curve:svm", spelling=spelling).units
        except DesignError:
            return made
        judged = {j.unit for j in made.ledger.judgments()}
        new = [u for u in units.unit if u not in judged]
        made.ledger.record([Judgment(u, "", TRUTH[int(u[1:])]) for u in new])


@pytest.mark.parametrize("spelling", [ADASTRAT, STRATEGIES[5]])
def test_the_promise_of_a_strategy_holds_in_studies(spelling: str) -> None:
    how, good, errors = strategy(spelling), 0, []
    ranks = np.arange(how.start, N + 1)  # type: ignore[attr-defined]  # both have one
    truth = np.cumsum(TRUTH)[ranks - 1] / ranks
    for seed in range(PLAN.replicates):
        made = through(seed, spelling)
        found = curve(made, "svm", how, None)[0].values(ranks).precision
        good += bool(np.max(np.maximum(found / truth, truth / found)) <= how.factor * (1 + 1e-9))
        taken = sample(made)
        errors.append(float((taken.labels / taken.pi).sum() / N - TRUTH.mean()))
    assert good >= PLAN.hits
    # The chances are right: other measures are estimated without a bias that can be seen.
    assert abs(np.mean(errors)) < 4.0 * np.std(errors) / np.sqrt(len(errors)) + 0.002


def test_chances_that_are_wrong_are_seen() -> None:
    errors = []
    for seed in range(40):
        taken = sample(through(seed, ADASTRAT))
        taken = replace(taken, pi=np.sqrt(taken.pi))
        errors.append(float((taken.labels / taken.pi).sum() / N - TRUTH.mean()))
    assert abs(np.mean(errors)) > 4.0 * np.std(errors) / np.sqrt(len(errors)) + 0.002


def test_the_order_of_the_study_is_the_one_of_its_scores() -> None:
    along = order(book().frame, "svm")
    assert along.rows.tolist() == list(range(N))
