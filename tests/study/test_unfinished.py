"""Draws with replacement whose last batch is not judged in full: nothing counts twice."""

from __future__ import annotations

import numpy as np
import pytest

import aliquot as aq

TRUTH = {f"u{i}": "yes" if i % 2 else "no" for i in range(20)}
FRAME = aq.Frame.from_table({"id": list(TRUTH)}, id="id")
SEEDS = 200


def estimated(seed: int, judged: float) -> float:
    """Estimate the mean from one batch judged in full and one judged in part."""
    study = aq.Study.in_memory(FRAME, measures=["Mean"], rng=seed)
    study.record({unit: TRUTH[unit] for unit in study.draw(20, design="wr").new})
    new = study.draw(20, design="wr").new
    some = new[: round(judged * len(new))]
    if some:
        study.record({unit: TRUTH[unit] for unit in some})
    return float(study.estimate(estimator="hh").rows[0].estimate)


@pytest.mark.parametrize("judged", [0.0, 0.5, 1.0])
def test_units_drawn_again_by_a_batch_in_waiting_do_not_count_as_its_judged_draws(
    judged: float,
) -> None:
    """The mean is .5; counting them all gave .81 with nothing of the second batch judged."""
    found = [estimated(seed, judged) for seed in range(SEEDS)]
    assert abs(np.mean(found) - 0.5) < 4.0 * np.std(found) / SEEDS**0.5
