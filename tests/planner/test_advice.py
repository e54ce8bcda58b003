"""Advice on two segments: from a guess, from a range, and from labels that are there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import aliquot as aq
from aliquot.errors import DesignError, UsageError
from aliquot.intervals import batch
from aliquot.intervals.betabin import Strata
from aliquot.papers.webber_design import widths
from aliquot.planner.advice import Advice
from aliquot.planner.prior import guess
from aliquot.planner.segments import Part

LEGAL: dict[str, Any] = {"retrieved": 7_400, "unretrieved": 992_600}
GOOD: dict[str, Any] = {"recall": 0.7, "precision": 0.5}


def recall(**asked: Any) -> Advice:
    return aq.plan("recall", **asked)


@pytest.mark.parametrize(("R", "labels"), [(200_000, 5_000), (500_000, 2_000)])
def test_the_best_width_is_that_of_webbers_figure_17(R: int, labels: int) -> None:
    """Half of the positives are retrieved, and half of what is retrieved is positive."""
    n1 = np.round(np.linspace(0.01, 0.99, 99) * labels)
    width, _ = widths((R / 2, R / 2), float(R), n1, labels - n1)
    found = recall(retrieved=R, unretrieved=5_000_000 - R, recall=0.5, precision=0.5, budget=labels)
    assert found.best.width == pytest.approx(float(width.min()), rel=0.02)
    assert found.best.share == pytest.approx(float(n1[width.argmin()]) / labels, abs=0.05)


def test_a_range_is_between_its_ends_and_a_point_is_a_range() -> None:
    low, high, both = (
        recall(**LEGAL, recall=r, precision=0.5, budget=3_000).best.width
        for r in (0.8, 0.95, (0.8, 0.95))
    )
    assert min(low, high) < both < max(low, high)
    point = recall(**LEGAL, recall=(0.7, 0.7), precision=0.5, budget=3_000)
    assert point == recall(**LEGAL, **GOOD, budget=3_000)


def test_elusion_may_be_guessed_instead_of_recall() -> None:
    elusion = 3_700 * (0.3 / 0.7) / 992_600
    one = recall(**LEGAL, precision=0.5, elusion=elusion, budget=3_000)
    assert one.best.width == pytest.approx(recall(**LEGAL, **GOOD, budget=3_000).best.width, 1e-3)


def test_labels_that_are_there_are_the_guess_and_are_counted() -> None:
    found = recall(retrieved=(7_400, 300, 160), unretrieved=(992_600, 3_000, 9), budget=4_000)
    assert all(one.retrieved >= 300 and one.unretrieved >= 3_000 for one in found.rows)
    assert found.best.labels == 4_000
    rng, samples = np.random.default_rng(8), 3_000  # the same, drawn step by step
    ends = []
    for (N, n, r), whole in (
        ((7_400, 300, 160), found.best.retrieved),
        ((992_600, 3_000, 9), found.best.unretrieved),
    ):
        R = r + rng.binomial(N - n, rng.beta(r + 0.5, n - r + 0.5, samples))
        more = rng.hypergeometric(R - r, N - n - (R - r), max(whole - n, 1)) * (whole > n)
        ends.append(Strata.of(np.full(samples, N), whole, r + more))
    low, high = batch.recall(*ends)
    error = float((high - low).std() / samples**0.5)
    assert found.best.width == pytest.approx(float((high - low).mean()), abs=4.0 * error)


def test_neighbours_of_the_best_are_wider() -> None:
    found = recall(**LEGAL, **GOOD, budget=2_000)
    assert min(found.wider(one) for one in found.rows) == 0.0
    assert found.halved is not None
    assert found.doubled is not None
    assert found.halved.retrieved == round(found.best.retrieved / 2)
    assert 0.0 < found.wider(found.halved) < 0.05
    assert 0.0 < found.wider(found.doubled) < 0.05


@pytest.mark.parametrize(
    ("measure", "asked"),
    [
        ("precision", {"retrieved": 2_000, "precision": 0.4}),
        ("elusion", {"unretrieved": 90_000, "elusion": 0.02}),
        ("proportion", {"units": 90_000, "prevalence": (0.01, 0.05)}),
        ("proportion", {"units": (90_000, 100, 2)}),
    ],
)
def test_one_segment_needs_no_allocation(measure: str, asked: dict[str, Any]) -> None:
    found = aq.plan(measure, width=0.05, **asked)
    assert found.rows == (found.best,)
    assert found.best.width <= 0.05
    fewer = aq.plan(measure, budget=round(found.best.labels * 0.97), **asked)
    assert fewer.best.width > 0.05


def test_a_census_is_the_most_there_is() -> None:
    found = recall(retrieved=10, unretrieved=20, recall=0.5, precision=1.0, budget=300)
    assert (found.best.labels, found.best.width) == (30, 0.0)
    assert recall(retrieved=10, unretrieved=20, recall=0.5, precision=1.0, width=1e-6).best == (
        found.best
    )


def test_what_is_told_of_a_plan() -> None:
    told = aq.plan("precision", retrieved=2_000, precision=0.4, budget=100).to_dict()
    width = told["best"].pop("width")
    assert width == pytest.approx(0.186, abs=0.002)
    assert told["best"] == {
        "design": "two segments",
        "measure": "precision",
        "estimator": "mean",
        "interval": "betabin-half",
        "labels": 100,
        "retrieved": 100,
        "unretrieved": 0,
        "share": 1.0,
        "wider": 0.0,
        "best": True,
    }
    assert (told["measure"], told["level"], len(told["rows"])) == ("precision", 0.95, 1)


def test_points_fill_a_range() -> None:
    found = guess("elusion", (Part(0), Part(10_000)), {"elusion": (0.1, 0.2)})
    assert found.R0.min() == pytest.approx(1_000, abs=25)
    assert found.R0.max() == pytest.approx(2_000, abs=25)
    assert np.median(found.R0) == pytest.approx(1_500, abs=25)


REFUSED: list[tuple[type[Exception], str, dict[str, Any], str]] = [
    (
        UsageError,
        "accuracy",
        {},
        (
            "'accuracy' can't be planned from counts. "
            "Measures are recall, precision, f1, elusion, proportion."
        ),
    ),
    (
        UsageError,
        "recall",
        {},
        "recall needs --retrieved N and --unretrieved N. Give how many units.",
    ),
    (
        UsageError,
        "precision",
        {**LEGAL, "precision": 0.5, "budget": 9},
        "precision has no use for --unretrieved. Leave it out.",
    ),
    (
        UsageError,
        "recall",
        {**LEGAL, "budget": 9},
        "recall needs a guess of precision. Give --precision 0.5 or 0.4..0.7.",
    ),
    (
        UsageError,
        "f1",
        {**LEGAL, "precision": 0.5, "budget": 9},
        "f1 needs a guess of recall or of elusion. Give --recall 0.7 or 0.6..0.8.",
    ),
    (
        UsageError,
        "elusion",
        {"unretrieved": 100, "budget": 9},
        "elusion needs a guess of elusion. Give --elusion 0.01.",
    ),
    (
        UsageError,
        "recall",
        {"retrieved": (10, 5, 2), "unretrieved": 100, **GOOD, "budget": 9},
        "recall of these segments has no use for a guess of precision. Leave it out.",
    ),
    (
        UsageError,
        "recall",
        {**LEGAL, "recall": 1.2, "precision": 0.5, "budget": 9},
        "recall 1.2 is no share. Write such as 0.7, or 0.6..0.8.",
    ),
    (
        UsageError,
        "recall",
        {**LEGAL, "recall": (0.8, 0.6), "precision": 0.5, "budget": 9},
        "recall 0.8..0.6 is no share. Write such as 0.7, or 0.6..0.8.",
    ),
    (
        UsageError,
        "recall",
        {"retrieved": 10, "unretrieved": 20, "recall": 0.1, "precision": 1.0, "budget": 9},
        (
            "such a recall and precision leave 90 relevant among 20 not retrieved. "
            "Guess a higher recall or a lower precision."
        ),
    ),
    (
        UsageError,
        "recall",
        {**LEGAL, **GOOD},
        "a plan needs a budget or a width, above 0. Give one of them.",
    ),
    (
        UsageError,
        "recall",
        {**LEGAL, **GOOD, "budget": 1},
        (
            "a budget of 1 is less than the 2 labels that there must be. "
            "It counts labels that are there already, and one of each segment."
        ),
    ),
    (
        UsageError,
        "recall",
        {"retrieved": 0, "unretrieved": 0, **GOOD, "budget": 9},
        "no unit for recall. Give segments with units.",
    ),
    (
        UsageError,
        "recall",
        {"retrieved": (10, 2), "unretrieved": 0, **GOOD, "budget": 9},
        "--retrieved: 2 numbers. Give N, or N,n,r.",
    ),
    (
        UsageError,
        "f1",
        {**LEGAL, **GOOD, "budget": 9, "beta": 0.0},
        "beta 0 is not above 0. Use one such as 1 or 2.",
    ),
    (
        DesignError,
        "recall",
        {**LEGAL, **GOOD, "width": 2.0},
        "a width of 2 can't be had. Ask for one such as 0.1.",
    ),
]


@pytest.mark.parametrize(("kind", "measure", "asked", "text"), REFUSED)
def test_what_can_be_no_plan_is_refused(
    kind: type[Exception], measure: str, asked: dict[str, Any], text: str
) -> None:
    with pytest.raises(kind) as refused:
        aq.plan(measure, **asked)
    assert str(refused.value) == text
