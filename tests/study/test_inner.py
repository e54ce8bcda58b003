"""What hides between the ends: predicted grades, censuses of a frame, and groups of one."""

from __future__ import annotations

import math

import pytest

import aliquot as aq

GRADES = [[1, 2, 1, 0][i % 4] for i in range(60)]
SCALES = {"grades": {"grades": "0..3"}, "number": {"number": "0..3"}}


def frame(**more: object) -> aq.Frame:
    table = {"id": [f"u{i}" for i in range(60)], "p": GRADES, "q": [3 - p for p in GRADES]}
    return aq.Frame.from_table(
        {**table, "who": ["one"] * 60},
        id="id",
        predicted={"p": "p", "q": "q"},
        **more,  # type: ignore[arg-type]
    )


def right(units: tuple[str, ...]) -> dict[str, str]:
    """The labels that system p predicts."""
    return {unit: str(GRADES[int(unit[1:])]) for unit in units}


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("design", ["default", "uniform", "pps(size=shape)", "ubis(prior=one)"])
def test_a_prediction_between_the_ends_can_be_right(scale: str, design: str) -> None:
    with aq.Study.in_memory(frame(**SCALES[scale]), measures="Accuracy", rng=1) as made:
        made.record(right(made.draw(40, design=design).new))
        good, bad = made.estimate()
        assert good.high == pytest.approx(1, abs=1e-9)
        assert good.estimate > 0.8
        assert bad.estimate < 0.2
        assert bad.low < 0.05
        (row,) = made.compare("p", "q").rows
        assert row.high > 0.8


@pytest.mark.parametrize("scale", ["labels", "grades"])
def test_classifiers_that_differ_where_nobody_looked_are_not_called_equal(scale: str) -> None:
    table = {"id": [f"u{i}" for i in range(400)], "a": ["1"] * 400, "same": ["1"] * 400}
    table["b"] = ["0" if i % 40 == 0 else "1" for i in range(400)]
    made = aq.Frame.from_table(
        table,
        id="id",
        predicted={name: name for name in ("a", "b", "same")},
        grades="0..3" if scale == "grades" else "",
    )
    with aq.Study.in_memory(made, measures="Accuracy", rng=4) as study:
        drawn = study.draw(20, design="uniform").new
        study.record(dict.fromkeys(drawn, "1"))
        assert not any(table["b"][int(unit[1:])] == "0" for unit in drawn)
        (row,) = study.compare("a", "b").rows
        assert row.difference == pytest.approx(0)
        assert row.low < -0.025  # ten of 400 differ, and none of them was judged
        assert row.high > 0.025
        (row,) = study.compare("a", "same").rows
        assert (row.low, row.high) == (0.0, 0.0)


def test_every_unit_can_be_drawn_whatever_is_predicted_of_it() -> None:
    with aq.Study.in_memory(frame(grades="0..3"), measures="Accuracy") as made:
        made.record(right(made.draw(60).new))
        assert [row.estimate for row in made.estimate()] == pytest.approx([1.0, 0.0])
        assert {row.guarantee for row in made.estimate()} == {"exact"}


def test_a_census_of_the_frame_is_a_sample_of_what_it_came_from() -> None:
    with aq.Study.in_memory(frame(grades="0..3"), measures="Accuracy") as made:
        made.record(right(made.draw(60).new))
        good, bad = made.estimate(over="like-these")
        assert (good.estimate, good.high) == pytest.approx((1.0, 1.0))
        assert 0.85 < good.low < 0.97  # the rule of three: 1 - 3.7 / 60
        assert 0.03 < bad.high < 0.15


def test_one_group_says_nothing_of_others() -> None:
    with aq.Study.in_memory(frame(grades="0..3", cluster="who"), measures="Accuracy") as made:
        made.record(right(made.draw(20).new))
        for row in made.estimate(over="like-these"):
            assert (row.low, row.high, row.interval.method) == (0.0, 1.0, "none")
            assert math.isinf(row.stderr)
            assert row.to_dict()["stderr"] is None
