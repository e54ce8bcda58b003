"""The planned width is the width that samples under the prior's labels really have."""

from __future__ import annotations

import numpy as np
import pytest

import aliquot as aq
from aliquot.core.plan import Plan
from aliquot.errors import AliquotError

UNITS = 400


def study(measure: str = "Mean", *, seed: int = 3) -> aq.Study:
    rng = np.random.default_rng(7)
    table = {"id": np.arange(UNITS), "score": rng.beta(0.5, 2.0, UNITS)}
    frame = aq.Frame.from_table(table, id="id", scored={"m": ("score", 0.1)})
    return aq.Study.in_memory(frame, measures=[measure], rng=seed)


def plans(measure: str, **asked: float) -> list[Plan]:
    with study(measure) as made:
        return list(made.plan(**asked))  # type: ignore[arg-type]  # int and float options


def test_a_census_has_no_width() -> None:
    assert [plan.width for plan in plans("Mean", budget=UNITS)] == [0.0, 0.0]


def test_more_labels_never_widen() -> None:
    widths = [plans("Precision", budget=n)[0].width for n in (10, 40, 160, 180)]
    assert widths == sorted(widths, reverse=True)


def test_simple_random_sampling_is_the_textbook_formula() -> None:
    """sqrt(N^2 (1 - f) S^2 / n) of labels with the prior's expectations, S^2 with N, not N - 1."""
    n, rate = 100, 100 / UNITS
    uniform = plans("Mean", budget=n)[1]
    with study() as made:
        score = made.book.frame.columns.whole("@scored:m")
    p = np.clip(score, 0.02, 0.98)
    spread = (p.mean() - p.mean() ** 2) * (1 - rate) / n
    expected = 2 * 1.959963984540054 * np.sqrt(spread + (1 / n) ** 2)
    assert uniform.design == "uniform"
    assert uniform.width == pytest.approx(expected, rel=1e-6)


def test_a_width_is_met_by_the_labels_it_is_said_to_need() -> None:
    for place, plan in enumerate(plans("Precision", width=0.3)):
        assert plan.width <= 0.3
        assert plans("Precision", budget=plan.labels - 2)[place].width > 0.3


def test_the_plan_is_near_the_intervals_that_come_out() -> None:
    """Labels drawn from the prior; 60 studies; the mean width is what was planned, to a quarter."""
    rng = np.random.default_rng(11)
    planned = plans("Precision", budget=80)[0].width
    widths = []
    for seed in range(60):
        with study("Precision", seed=seed) as made:
            score = np.clip(made.book.frame.columns.whole("@scored:m"), 0.02, 0.98)
            truth = rng.random(UNITS) < score
            batch = made.draw(80)
            made.record({unit: str(int(truth[int(unit)])) for unit in batch.new})
            low, high = made.estimate().rows[0].confidence_interval()
            widths.append(high - low)
    assert np.mean(widths) == pytest.approx(planned, rel=0.25)


@pytest.mark.parametrize("measure", ["Recall", "F1"])
def test_a_plan_is_near_the_intervals_from_counts(measure: str) -> None:
    """Where intervals are from counts: by linearisation recall was planned at half."""
    rng, many = np.random.default_rng(2), 10_000
    score = 1.0 / (1.0 + np.exp(6.0 - 2.0 * rng.normal(size=many)))
    table = {"id": np.arange(many), "score": score}
    frame = aq.Frame.from_table(table, id="id", scored={"m": ("score", 0.3)})
    with aq.Study.in_memory(frame, measures=[measure]) as made:
        planned = [plan.width for plan in made.plan(budget=400)]
        wanted = made.plan(width=planned[0])[0]
    assert wanted.width <= planned[0]
    assert wanted.labels == pytest.approx(400, rel=0.1)  # few samples stand for all of them
    widths: list[list[float]] = []
    for _ in range(8):  # labels as the scores say
        positive = rng.random(many) < score
        truth = {str(i): ("no", "yes")[int(y)] for i, y in enumerate(positive)}
        found = aq.simulate(
            frame,
            truth=truth,
            designs=["default", "uniform"],
            budget=400,
            measures=measure,
            reps=8,
            processes=1,
        )
        widths.append([row.width or 0.0 for row in found])
    assert np.mean(widths, axis=0) == pytest.approx(planned, rel=0.2)


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ({}, "a plan needs a budget or a width, above 0. Give one of them."),
        (
            {"budget": 5, "width": 0.1},
            "a plan needs a budget or a width, above 0. Give one of them.",
        ),
        ({"budget": 5, "goal": "x"}, "'x' is not a goal."),
    ],
)
def test_a_bad_question_gets_an_answer(asked: dict[str, float], text: str) -> None:
    with pytest.raises(AliquotError) as error:
        plans("Mean", **asked)
    assert str(error.value).startswith(text)
