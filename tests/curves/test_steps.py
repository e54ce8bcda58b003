"""Steps ask, wait and go on: at once with an oracle, or over days with what is known so far."""

from __future__ import annotations

import numpy as np
import pytest

from aliquot.curves.points import Curve
from aliquot.curves.steps import Ask, Steps, resume, run
from aliquot.errors import LabelError


def steps() -> Steps:
    """Ask for the top three; if the third is good, for the rest, else for rank 4."""
    first = yield Ask(np.array([1, 2, 3]), np.ones(3))
    rest = np.array([4, 5] if first[2] else [4])
    second = yield Ask(rest, np.ones(len(rest)))
    share = np.full(2, (first.sum() + second.sum()) / (3 + len(rest)))
    return Curve("", 5, 2, 3 + len(rest), np.array([1, 5]), share, share, share, guarantee="exact")


def test_an_oracle_of_arrays_of_ranks_or_of_lists_gives_the_same() -> None:
    truth = {1: 1, 2: 0, 3: 1, 4: 0, 5: 1}
    asked: list[int] = []

    def one(rank: int) -> int:
        label = truth[rank]  # an array is no key: then ranks come one by one
        asked.append(rank)
        return label

    array = run(steps(), lambda ranks: np.isin(ranks, [1, 3, 5]))
    assert array.precisions[0] == pytest.approx(0.6)
    assert run(steps(), one).to_dict() == array.to_dict()
    assert asked == [1, 2, 3, 4, 5]


def test_steps_made_again_go_on_where_labels_end() -> None:
    waiting = resume(steps(), {})
    assert isinstance(waiting, Ask)
    assert waiting.ranks.tolist() == [1, 2, 3]
    known = {1: 1.0, 2: 1.0, 3: 0.0, 9: 1.0}
    waiting = resume(steps(), known)
    assert isinstance(waiting, Ask)
    assert waiting.ranks.tolist() == [4]
    done = resume(steps(), known | {4: 0.0})
    assert isinstance(done, Curve)
    assert done.annotations == 4


WRONG = {
    "rank 2: the oracle's label 2 is not 0 or 1. Return 1 for a positive and 0 for a negative.": (
        lambda ranks: ranks * 1.0
    ),
    "rank 1: the oracle's label nan is not 0 or 1. Return 1 for a positive and 0 for a negative.": (
        lambda ranks: None
    ),
    "the oracle's label 'yes' is no number. Return 1 for a positive and 0 for a negative.": (
        lambda ranks: "yes"
    ),
    (
        "the oracle gave an array of shape (3, 1) for 3 ranks. "
        "Return one label for each rank, in the same order."
    ): lambda ranks: [1],
}


@pytest.mark.parametrize("said", WRONG)
def test_a_label_that_is_no_label_is_refused(said: str) -> None:
    with pytest.raises(LabelError) as caught:
        run(steps(), WRONG[said])
    assert str(caught.value) == said


def test_what_an_oracle_raises_is_its_own() -> None:
    def broken(ranks: object) -> float:
        raise ValueError("the line is down")

    with pytest.raises(ValueError, match="the line is down"):
        run(steps(), broken)
