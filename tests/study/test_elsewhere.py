"""Recall among all that is relevant: theta nu, with the variance of Theorem 3, corrected."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import aliquot as aq
from aliquot.errors import AliquotError
from aliquot.measures.registry import measure

UNITS, HIDDEN, REPS = 400, 300, 120
RELEVANT = {f"u{i}" for i in range(UNITS) if i % 5 < 2}  # 160 in the frame
ALL = [*sorted(RELEVANT), *(f"hidden {i}" for i in range(HIDDEN - 60))]  # 400 anywhere
TABLE = {"id": [f"u{i}" for i in range(UNITS)], "s": [int(i % 5 in (0, 2)) for i in range(UNITS)]}


@cache
def frame() -> aq.Frame:
    return aq.Frame.from_table(TABLE, id="id", retrieved={"s": "s"})


def study(seed: int, *measures: str) -> aq.Study:
    found = aq.Study.in_memory(frame(), measures=measures or ("Recall", "F1"), rng=seed)
    batch = found.draw(100, design="uniform")
    found.record({u: "yes" if u in RELEVANT else "no" for u in batch.new})
    return found


def test_the_product_has_the_error_that_it_says() -> None:
    """160 of 400 are in the frame, half of those retrieved: recall .2, F1 2 * 80 / (160 + 400)."""
    values, errors = [], []
    for seed in range(REPS):
        other = np.random.default_rng(seed).choice(len(ALL), size=60)
        inside = sum(ALL[i] in RELEVANT for i in other.tolist())
        rows = study(seed).estimate(elsewhere=(60, inside)).rows
        assert [row.measure.partition("(")[0] for row in rows] == [
            "Recall", "F1", "Pool", "Recall", "F1",
        ]  # fmt: skip
        values.append([row.estimate for row in rows[2:]])
        errors.append([row.stderr for row in rows[2:]])
    spread = np.std(values, axis=0, ddof=1)
    off = np.mean(values, axis=0) - [0.4, 0.2, 160 / 560]
    assert (np.abs(off) < 4.0 * spread / REPS**0.5 + 0.005).all()  # ratios: a bias of order 1/n
    assert np.sqrt(np.mean(np.square(errors), axis=0)) == pytest.approx(spread, rel=0.2)


def test_a_known_share_is_a_measure() -> None:
    plain, shared, f1 = study(1, "Recall", "Recall(pool=0.5)", "F1(pool=0.5)").estimate().rows
    assert shared.estimate == pytest.approx(plain.estimate / 2)
    assert shared.stderr == pytest.approx(plain.stderr / 2)
    assert f1.estimate < plain.estimate
    assert str(measure("Recall(pool=0.5)")) == "Recall(pool=0.5)"
    assert str(measure("F1(pool=1)")) == "F1"


def test_a_file_of_relevant_units_is_counted() -> None:
    labels = {"u0": "yes", "u1": "yes", "hidden 1": "yes", "u4": "no", "hidden 2": "skip"}
    rows = study(1, "Recall").estimate(elsewhere=labels).rows
    assert (rows[1].measure, rows[1].value.judged) == ("Pool", 3)
    assert rows[1].estimate == pytest.approx(2 / 3)
    assert rows[2].measure.startswith("Recall(pool=0.666")
    assert rows[2].estimate == pytest.approx(rows[0].estimate * 2 / 3)
    assert rows[2].warnings[-1] == (
        "only 3 relevant units from elsewhere: the interval is not firm"
    )


def test_all_of_them_here_is_no_proof_that_all_are() -> None:
    """10 of 10: theta is 1, and its standard error is not 0."""
    row = study(1, "Recall").estimate(elsewhere=(10, 10)).rows[1]
    assert (row.estimate, row.high) == (1.0, 1.0)
    assert row.low < 0.75
    assert row.stderr == pytest.approx((10.5 * 0.5 / (11**2 * 12)) ** 0.5)


FEW = (
    "6 of 5 relevant units say no share. Give how many were found elsewhere, 2 or more, and how "
    "many of them are here."
)
NONE = (
    "none of the relevant units found elsewhere is in the study. Recall can't be told from 0: "
    "check the ids, or add what the systems return."
)
NEITHER = (
    "units from elsewhere are for Recall and F1, and neither is measured. Add --measure Recall."
)
REFUSED: list[tuple[object, str, str]] = [
    ((5, 6), "Recall", FEW),
    ((5, 0), "Recall", NONE),
    ((5, 4), "Precision", NEITHER),
    ((5,), "Recall", "two counts are needed. Give (100, 63): 63 of 100 are here."),
    ({"u1": "no"}, "Recall", "labels: no unit is relevant. Give relevant units found elsewhere."),
]


@pytest.mark.parametrize(("given", "spelled", "text"), REFUSED)
def test_what_says_nothing_is_refused(given: object, spelled: str, text: str) -> None:
    with pytest.raises(AliquotError) as error:
        study(1, spelled).estimate(elsewhere=given)
    assert str(error.value) == text


def test_a_share_must_be_one() -> None:
    with pytest.raises(AliquotError) as error:
        measure("Recall(pool=0)")
    assert str(error.value) == (
        "pool=0 in 'Recall(pool=0)' is no share above 0. Use one such as Recall(pool=0.6)."
    )
