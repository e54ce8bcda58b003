"""A curve is filled in between its points by counts, and nothing else."""

from __future__ import annotations

import json

import numpy as np
import pytest

from aliquot.curves.points import Curve, Point
from aliquot.errors import UsageError


def curve(ranks: list[int], precisions: list[float]) -> Curve:
    values = np.array(precisions)
    return Curve(
        "s", ranks[-1], 1, 2, np.array(ranks), values, values / 2, values, guarantee="exact"
    )


def test_counts_are_linear_between_points() -> None:
    made = curve([1, 10, 30], [1.0, 0.5, 0.3])
    at = made.values(np.arange(1, 31)).precision * np.arange(1, 31)
    assert at[[0, 9, 29]].tolist() == pytest.approx([1.0, 5.0, 9.0])
    assert np.diff(at[:10]) == pytest.approx(np.full(9, 4 / 9))
    assert np.diff(at[9:]) == pytest.approx(np.full(20, 0.2))


def test_a_point_gives_itself_back_to_the_last_bit() -> None:
    made = curve([1, 7, 10**15], [1.0, 0.1, 0.07])
    assert made.at(7) == Point(7, 0.1, 0.05, 0.1)
    assert made.at(10**15) == Point(10**15, 0.07, 0.035, 0.07)


def test_the_dict_is_json_with_the_promised_names() -> None:
    found = json.loads(json.dumps(curve([1, 4], [1.0, 0.5]).to_dict()))
    assert found["points"][1] == {"rank": 4, "precision": 0.5, "low": 0.25, "high": 0.5}
    assert {"system", "n", "queries", "annotations", "points", "guarantee"} <= set(found)


@pytest.mark.parametrize("rank", [0, 5])
def test_a_rank_outside_is_refused(rank: int) -> None:
    with pytest.raises(UsageError) as caught:
        curve([1, 4], [1.0, 0.5]).at(rank)
    assert str(caught.value) == "a rank lies outside the curve. Ask for ranks from 1 to 4."


@pytest.mark.parametrize("ranks", [[2, 4], [1, 4, 4], [1, 3, 2, 4]])
def test_points_out_of_order_are_refused(ranks: list[int]) -> None:
    with pytest.raises(UsageError) as caught:
        curve(ranks, [0.5] * len(ranks))
    assert str(caught.value) == (
        "the points of a curve must go up from rank 1 to rank 4. "
        "Give each rank once, the first and the last among them."
    )
