"""A head and a tail that learn: later labels go by what the first ones say, and stay honest."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import aliquot as aq
from aliquot.core.frame import Floats
from aliquot.core.records import DrawRow, Judgment
from aliquot.designs.headtail import HeadTail, divided, learned
from aliquot.designs.registry import design
from aliquot.errors import DesignError, SpellingError
from aliquot.study.doctor import redrawn
from aliquot.study.draw import again, draw
from aliquot.study.estimate import Question, answer, checked
from aliquot.study.labelled import Labelled
from aliquot.study.learn import factors
from aliquot.study.replay import Setting, rows, truths
from aliquot.study.sampling import sample
from aliquot.study.scratch import again as anew
from aliquot.study.work import Work
from aliquot.testing import toys
from aliquot.testing.coverage import Plan
from aliquot.testing.ledger import book
from aliquot.wiring.study import Study

N = 1_500
PLAIN = "headtail(strata=5, hidden=0.1)"
LEARN = "headtail(strata=5, hidden=0.1, learn=yes)"
RNG = np.random.default_rng(3)
SCORE = np.sort(RNG.random(N) ** 4)[::-1]
GOOD = (RNG.random(N) < SCORE).astype(float)
BLIND = np.where(np.arange(N) % 4 == 0, 1.0, 0.0)  # a score that says nothing
MEASURES = ["Recall", "F1", "Precision", "Mean"]


def study(path: Path | None = None) -> Study:
    units = {"id": [f"u{i}" for i in range(N)], "s": SCORE.tolist()}
    frame = aq.Frame.from_table(units, id="id", scored={"svm": ("s", 0.5)})
    if path is None:
        return aq.Study.in_memory(frame, measures=MEASURES, rng=7)
    return aq.Study.create(path, frame, measures=MEASURES, rng=7)


def said(units: tuple[str, ...], truth: Floats) -> dict[str, str]:
    return {unit: "yes" if truth[int(unit[1:])] else "no" for unit in units}


def drawn(spelling: str, truth: Floats, *, then: int = 150, judged: bool = True) -> Study:
    """Two draws, the first of them judged."""
    made = study()
    first = made.draw(100, design=spelling)
    if judged:
        made.record(said(first.new, truth))
    made.draw(then, design=spelling)
    return made


def last(made: Study) -> DrawRow:
    return made.book.ledger.draws()[-1]


def taken(made: Study) -> Floats:
    return np.array(json.loads(last(made).params)["design"]["taken"], dtype=np.float64)


# Spelling


def test_it_is_spelled_only_where_it_learns() -> None:
    assert str(design(LEARN)) == LEARN
    assert str(design("headtail(learn=no)")) == PLAIN
    assert design(LEARN) == HeadTail(learn="yes").after(np.ones(6))  # what it knows is not it


def test_another_word_is_refused() -> None:
    with pytest.raises(SpellingError) as caught:
        design("headtail(learn=some)")
    assert str(caught.value) == "learn=some is not known. Use one of no, yes."


def test_classes_say_nothing_of_positives() -> None:
    units = {"id": list("abcdefgh"), "kind": list("xyzxyzxy")}
    frame = aq.Frame.from_table(units, id="id", predicted={"svm": "kind"}, classes="x,y,z")
    made = aq.Study.in_memory(frame, measures=["Accuracy"], rng=7)
    with pytest.raises(DesignError) as caught:
        made.draw(6, design=LEARN)
    assert str(caught.value) == (
        f"{LEARN} learns which strata hold positives, and classes are not positive or negative. "
        "Leave learn=yes out."
    )


# Shares


def test_a_stratum_keeps_half_of_what_the_prior_gave_it() -> None:
    shares, told = np.array([3.0, 5.0, 2.0]), np.array([1e-9, 0.0, 40.0])
    found = learned(shares, told)
    assert found.sum() == pytest.approx(shares.sum())
    assert np.all(found >= shares / 2.0)
    assert learned(shares, np.ones(3)).tolist() == shares.tolist()


def test_nothing_drawn_is_given_back() -> None:
    shares, counts, old = np.array([9.0, 1.0]), np.array([90, 90]), np.array([2, 30])
    assert divided(shares, counts, 40, old).tolist() == [10, 30]
    assert divided(shares, counts, 40, divided(shares, counts, 7)).tolist() == [36, 4]
    fewer, more = (divided(shares, counts, n, old) for n in (60, 75))
    assert np.all(old <= fewer)
    assert np.all(fewer <= more)


def test_what_was_seen_as_expected_changes_nothing() -> None:
    q, n = np.array([0.9, 0.2, 0.5]), np.array([40.0, 60.0, 80.0])
    assert factors(q, n, q * n) == pytest.approx(1.0)
    assert factors(q, 0.0 * n, 0.0 * n).tolist() == [1.0, 1.0, 1.0]


# Draws


def test_without_labels_it_draws_what_it_draws_anyway() -> None:
    ours, theirs = (drawn(one, GOOD, judged=False) for one in (LEARN, PLAIN))
    assert last(ours).units.unit == last(theirs).units.unit
    assert np.array_equal(last(ours).units.pi, last(theirs).units.pi)


def test_a_first_draw_has_nothing_to_learn_from() -> None:
    ours, theirs = study(), study()
    assert ours.draw(120, design=LEARN).new == theirs.draw(120, design=PLAIN).new


def test_skipped_units_say_nothing() -> None:
    made, other = study(), study()
    for one, spelling in ((made, LEARN), (other, PLAIN)):
        batch = one.draw(100, design=spelling)
        one.record(dict.fromkeys(batch.new, "skip"))
        one.draw(100, design=spelling)
    assert last(made).units.unit == last(other).units.unit


def test_labels_go_where_positives_are() -> None:
    blind, plain = drawn(LEARN, BLIND), drawn(PLAIN, BLIND)
    nowhere = drawn(LEARN, np.zeros(N))
    assert taken(blind).sum() == taken(plain).sum() == taken(nowhere).sum() == 250
    assert taken(blind)[-1] > taken(plain)[-1] + 15  # the tail, of which scores say nothing
    few = drawn(LEARN, np.where(np.arange(N) < 60, 1.0, 0.0))  # and nothing in the head
    assert np.all(taken(few)[2:5] < taken(plain)[2:5])


def test_pi_is_what_was_drawn_of_the_stratum() -> None:
    row = last(drawn(LEARN, BLIND))
    params = json.loads(row.params)["design"]
    share = np.array(params["taken"]) / np.array(params["sizes"])
    assert np.array_equal(row.units.pi, share[row.units.stratum])
    assert len(params["factors"]) == len(params["sizes"])


def test_a_longer_draw_holds_the_shorter_and_both_hold_the_first() -> None:
    made = [drawn(LEARN, BLIND, then=n) for n in (40, 90, 200)]
    first = set(made[0].book.ledger.draws()[0].units.unit)
    short, middle, long = (set(last(one).units.unit) for one in made)
    assert first < short < middle < long


def test_several_labels_of_a_unit_are_averaged() -> None:
    made, other = study(), study()
    for one, who in ((made, ("ann", "bob")), (other, ("ann",))):
        batch = one.draw(100, design=LEARN)
        for annotator in who:
            one.record(said(batch.new, BLIND), annotator=annotator)
    for one in (made, other):
        one.draw(100, design=LEARN)
    assert taken(made).tolist() == taken(other).tolist()


# The record


def test_a_corrected_label_changes_no_earlier_draw() -> None:
    made = drawn(LEARN, BLIND)
    made.record(said(last(made).units.unit, GOOD))
    made.draw(50, design=LEARN)
    made.record(said(last(made).units.unit, np.zeros(N)))
    assert [f.text for f in made.doctor() if f.grade == "problem"] == []
    assert [f.text for f in made.doctor() if f.topic.startswith("batch")] == [
        "redrawn from seed 7, bit for bit"
    ] * 3


def test_a_draw_that_knew_other_labels_is_seen() -> None:
    made = drawn(LEARN, BLIND)
    draws = made.book.ledger.draws()
    params = json.loads(draws[1].params)
    assert params["history"] == params["judged"] == 100
    forged = replace(draws[1], params=json.dumps(params | {"history": 0}))
    assert again(made.book, forged, draws[:1]).units.unit != draws[1].units.unit
    past = {draws[0].frame_hash: made.book}
    assert [f.grade for f in redrawn(made.book, past)] == ["fine", "fine"]


def test_opened_anew_it_goes_on_alike(tmp_path: Path) -> None:
    straight = drawn(LEARN, BLIND)
    study(tmp_path / "s").close()
    with aq.Study.open(tmp_path / "s") as made:
        made.record(said(made.draw(100, design=LEARN).new, BLIND))
    with aq.Study.open(tmp_path / "s") as made:
        made.draw(150, design=LEARN)
        assert last(made).units.unit == last(straight).units.unit
        assert last(made).params == last(straight).params


def test_another_design_goes_on_after_it() -> None:
    made = drawn(LEARN, BLIND)
    made.draw(60, design="pps")
    made.record(said(last(made).units.unit, BLIND))
    assert [f.text for f in made.doctor() if f.grade == "problem"] == []
    assert abs(made.estimate(measure="Mean").rows[0].estimate - 0.25) < 0.1


# What is promised


def promised(made: Study) -> set[str]:
    made.record(said(last(made).units.unit, BLIND))
    found = (made.estimate(measure=one, estimator="ht").rows for one in ("Mean", "Precision"))
    return {row.guarantee for some in found for row in some}


def test_unbiased_is_not_said_once_labels_led_a_draw() -> None:
    assert promised(drawn(LEARN, BLIND)) == {"design-consistent"}
    assert promised(drawn(LEARN, BLIND, judged=False)) == {"design-unbiased"}
    assert promised(drawn(PLAIN, BLIND)) == {"design-unbiased"}


# Coverage, calibrated

PLAN = Plan()
TABLE = toys.scored(1_000, positives=0.08)
ONE = replace(
    TABLE,
    frame=replace(TABLE.frame, systems=TABLE.frame.systems[:1]),
    measures=("Recall", "Precision"),
)


def test_recall_and_precision_are_covered_in_two_stages() -> None:
    """As in one stage (`tests/statistics/test_headtail.py`): 60 labels, then 90 where they say."""
    known, setting = Labelled(book(ONE), ONE.labels), Setting("headtail(strata=3, learn=yes)", 150)
    truth = truths(known, setting)
    hits, width = dict.fromkeys(truth, 0), dict.fromkeys(truth, 0.0)
    for seed in range(PLAN.replicates):
        made = anew(known.book, seed)
        for budget in (60, 90):
            units = draw(made, budget, spelling=setting.design).units
            values = known.labels[made.frame.locate(units.key[units.new])].tolist()
            new = [unit for unit, own in zip(units.unit, units.new, strict=True) if own]
            made.ledger.record([Judgment(u, "", v) for u, v in zip(new, values, strict=True)])
        for one in answer(Work(made, sample(made), "these"), (), checked(Question())):
            for (_, _, system, measure), found in rows(one, setting):
                assert found.low is not None
                assert found.high is not None
                hits[system, measure] += found.low <= truth[system, measure] <= found.high
                width[system, measure] += (found.high - found.low) / PLAN.replicates
    assert len(hits) == 2
    assert {key: n for key, n in hits.items() if n < PLAN.hits} == {}
    assert width["svm", "Recall"] < 0.6
    assert width["svm", "Precision"] < 0.4
