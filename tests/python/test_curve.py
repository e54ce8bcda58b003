"""The curve of a study, from any sample: it covers, and so do the thresholds chosen on it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

import aliquot as aq
from aliquot.core.order import Order, order
from aliquot.curves.operating import deepest
from aliquot.curves.points import Curve
from aliquot.designs.registry import design
from aliquot.errors import FrameError, UsageError
from aliquot.study.curve import measured
from aliquot.testing import toys
from aliquot.testing.coverage import Plan
from aliquot.testing.trial import Trial

DESIGNS = ("stratified(strata=1000, size=shape, floor=0)", "pps(size=shape, floor=0)")
SAID = 0.6  # a precision that the toy's curve crosses
PLAN = Plan(caught=0.88, replicates=500, hits=460)


@lru_cache
def toy() -> toys.Toy:
    return toys.scored(3_000, positives=0.2)


@lru_cache
def along() -> Order:
    return order(toy().frame, "svm")


@lru_cache
def trial(spelling: str, goal: str) -> Trial:
    return Trial(toy(), design(spelling), goal=goal)


def curves(spelling: str, goal: str, replicates: int, level: float = 0.95) -> Iterator[Curve]:
    """Draw again and again, everything judged."""
    seen = np.ones(len(toy()), dtype=np.bool_)
    for seed in range(replicates):
        drawn = trial(spelling, goal).draw(200, seed).sample
        yield measured(along(), drawn, toy().labels[drawn.rows], seen, level=level)


def truth() -> np.ndarray:
    found: np.ndarray = np.cumsum(toy().labels[along().rows])
    return found


def holds(curve: Curve) -> bool:
    at, total = curve.ranks, truth()[curve.ranks - 1]
    low, high = curve.lows * at, curve.highs * at
    return bool(np.all((low <= total + 1e-9) & (total <= high + 1e-9)))


@pytest.mark.parametrize("spelling", DESIGNS)
def test_the_band_and_the_threshold_on_it_are_right_as_often_as_said(spelling: str) -> None:
    covered, right, found = 0, 0, 0
    for curve in curves(spelling, "curve:svm", PLAN.replicates):
        covered += holds(curve)
        rank = deepest(curve, SAID, along().cuts)
        right += rank is None or truth()[rank - 1] / rank >= SAID
        found += rank is not None
    assert covered >= PLAN.hits
    assert right >= PLAN.hits
    assert found > 0.9 * PLAN.replicates  # and it is not silent


@pytest.mark.parametrize(
    "spelling", ["uniform", "pps(size=influence, floor=0.35)", "wr", "poisson"]
)
def test_labels_drawn_for_something_else_serve_the_curve(spelling: str) -> None:
    covered = sum(holds(curve) for curve in curves(spelling, "each", 150))
    assert covered >= 135  # 5 % of misses: 1e-3 to be below; a good band is above


def test_the_estimate_as_a_threshold_would_be_wrong_half_the_time() -> None:
    wrong = 0
    for curve in curves(DESIGNS[0], "curve:svm", 100):
        sure = np.flatnonzero(curve.values(along().cuts).precision >= SAID)
        rank = int(along().cuts[sure[-1]])
        wrong += truth()[rank - 1] / rank < SAID
    assert wrong > 30


def test_a_curve_along_a_ranking_of_the_top_is_tighter_than_from_a_uniform_sample() -> None:
    def height(spelling: str, goal: str) -> float:
        made = list(curves(spelling, goal, 20))
        return float(np.mean([c.at(60).high - c.at(60).low for c in made]))

    assert height(DESIGNS[0], "curve:svm") < 0.6 * height("uniform", "each")


def test_the_order_breaks_ties_by_a_hash_and_cuts_between_scores() -> None:
    frame = aq.Frame.from_table({"id": list("abcdef"), "s": [1, 2, 2, 2, 0, 1]}, id="id",
                                scored={"s": "s"})  # fmt: skip
    study = aq.Study.in_memory(frame, measures=["Mean"], rng=1)
    found = order(study.book.frame, "s")
    names = "".join(study.book.frame.names(found.rows))
    assert (set(names[:3]), set(names[3:5]), names[5]) == (set("bcd"), set("af"), "e")
    assert found.cuts.tolist() == [3, 5, 6]
    assert (found.kept(2), found.kept(1.5), found.kept(3), found.tied) == (3, 3, 0, 3)
    assert found.place[found.rows].tolist() == [1, 2, 3, 4, 5, 6]


def study() -> aq.Study:
    rows = {"id": [f"u{i}" for i in range(200)], "s": [i / 200 for i in range(200)]}
    made = aq.Study.in_memory(
        aq.Frame.from_table(rows, id="id", scored={"svm": "s"}), measures=["Mean"], rng=1
    )
    made.draw(80, goal="curve:svm")
    made.record({f"u{i}": "yes" if i > 120 or i % 3 == 0 else "no" for i in range(200)})
    return made


def test_the_curve_shows_itself(tmp_path: Path) -> None:
    curve = study().curve("svm")
    assert curve.at(50).precision_low <= 1.0 <= curve.at(50).precision_high
    assert curve.above(0.75).rank == 50
    assert curve.at_least(0.9) is not None
    assert "<table>" in curve._repr_html_()
    assert "data:image/svg+xml;base64," in curve._repr_html_()
    assert "precision" in repr(curve)
    assert curve.to_dict()["operating"][-1]["rank"] == 200
    curve.save(tmp_path / "c.svg")
    assert (tmp_path / "c.svg").read_text(encoding="utf-8") == curve.svg()
    axes = curve.plot()
    assert axes.get_xlabel() == "rank"
    assert curve.plot(axes) is axes
    with pytest.raises(UsageError):
        curve.at(201)


def test_a_system_without_scores_has_no_curve() -> None:
    rows = {"id": ["a", "b"], "p": ["no", "yes"]}
    frame = aq.Frame.from_table(rows, id="id", predicted={"nb": "p"})
    made = aq.Study.in_memory(frame, measures=["Accuracy"], rng=1)
    with pytest.raises(FrameError) as caught:
        made.draw(1, goal="curve:nb")
    assert str(caught.value) == (
        "nb gives labels, no scores, so there is no curve along it. "
        "Add a system with scores: aliquot add-system STUDY --score NAME=COLUMN."
    )
