"""Nothing is said that can't be: no share above 1, and no precision of nothing."""

from __future__ import annotations

import pytest

import aliquot as aq

UNITS = [f"u{i}" for i in range(100)]
SCORE = [i / 100 for i in range(100)]
EMPTY = "it is not defined: the system retrieves nothing"
NONE = "it is not defined: no unit is relevant"


def judged(count: int, label: str, *measures: str, rng: int = 1) -> aq.Study:
    """A study in which the first units of a draw have one label; `none` retrieves nothing."""
    frame = aq.Frame.from_table(
        {"id": UNITS, "score": SCORE},
        id="id",
        scored={"half": ("score", 0.5), "none": ("score", 2.0)},
    )
    study = aq.Study.in_memory(frame, measures=measures, rng=rng)
    study.record(dict.fromkeys(study.draw(count, design="pps").new, label))
    return study


@pytest.mark.parametrize(("measure", "system"), [("Mean", ""), ("F1", "half")])
def test_a_share_is_never_more_than_one(measure: str, system: str) -> None:
    """Of some draws of two units the weights add up to more than there is."""
    rows = [row for rng in range(12) for row in judged(2, "yes", measure, rng=rng).estimate()]
    assert {row.guarantee for row in rows} == {"design-consistent"}
    assert max(row.estimate for row in rows if row.system == system) == 1.0


def test_what_is_unbiased_is_left_alone() -> None:
    rows = judged(2, "yes", "Mean").estimate(estimator="priority")
    assert [row.guarantee for row in rows] == ["design-unbiased"]
    assert rows[0].estimate > 1.4


def test_the_precision_of_nothing_is_not_defined() -> None:
    found = {row.system: row for row in judged(10, "yes", "Precision").estimate()}
    assert found["none"].to_dict()["estimate"] is None
    assert (found["none"].low, found["none"].high) == (0.0, 1.0)
    assert found["none"].guarantee == "design-consistent"
    assert found["none"].warnings == (EMPTY,)


def test_the_recall_of_nothing_relevant_is_not_defined() -> None:
    every = judged(100, "no", "Recall").estimate()
    assert [row.warnings for row in every] == [(NONE,), (NONE,)]
    some = judged(10, "no", "Recall").estimate()
    assert [row.warnings for row in some] == [
        ("it can't be estimated yet: nothing relevant was judged; judge more units",)
    ] * 2


def test_skips_of_what_is_not_defined_move_no_number() -> None:
    study = judged(10, "yes", "Precision")
    study.record({study.draw(1).new[0]: "skip"})
    said = " ".join(next(row for row in study.estimate() if row.system == "none").warnings)
    assert "skipped" in said
    assert "nan" not in said


def test_two_shares_differ_by_one_at_most() -> None:
    row = judged(2, "yes", "Recall").compare("half", "none").rows[0]
    assert -1.0 <= row.low <= row.difference <= row.high <= 1.0
    assert row.difference + 1.96 * row.stderr > 1.0
