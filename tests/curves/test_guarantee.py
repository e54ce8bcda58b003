"""The worst of all ranks is within beta (1 + epsilon) as often as promised."""

from __future__ import annotations

import numpy as np
import pytest

from aliquot.core.frame import Floats
from aliquot.curves.registry import strategy
from aliquot.curves.steps import run
from aliquot.testing.coverage import Plan

N = 4_000
PLAN = Plan(claimed=0.95, caught=0.80, replicates=160, hits=134)
OPTIONS = "epsilon=0.1, beta=1.1, m=20, start=300"
SHARES = {
    "fast": lambda x: np.where(x < 0.3, 0.95, 0.05),
    "step": lambda x: np.where(x < 0.2, 0.9, 0.4),
    "rising top": lambda x: np.where(x < 0.01, 0.2, np.where(x < 0.05, 0.9, 0.55 - 0.3 * x)),
}


def hits(spelling: str, shares: Floats, flips: float = 0.0) -> int:
    """How many curves of one list are within a factor 1.21 at every rank."""
    rng = np.random.default_rng(4)
    labels = (rng.random(N) < shares).astype(float)
    heard = np.abs(labels - (rng.random(N) < flips))
    first = 1 + int(np.argmax(labels))  # no ratio before the first positive
    ranks = np.arange(first, N + 1)
    truth = np.cumsum(labels)[first - 1 :] / ranks
    good = 0
    for seed in range(PLAN.replicates):
        steps = strategy(spelling).steps(N, np.random.default_rng(seed))
        found = run(steps, lambda asked: heard[asked - 1]).values(ranks).precision
        ratio = np.maximum(found, 1e-9) / truth
        good += bool(max(ratio.max(), (1.0 / ratio).max()) <= 1.1 * 1.1)
    return good


def test_both_error_rates_of_the_plan_are_small() -> None:
    assert PLAN.false_alarm < 1e-6
    assert PLAN.miss < 0.15


@pytest.mark.parametrize(
    ("name", "list_"),
    [("adastrat", "fast"), ("adastrat", "rising top"), ("adastrat", "step"), ("logstrat", "step")],
)
def test_the_worst_rank_is_within_the_factor(name: str, list_: str) -> None:
    shares = SHARES[list_](np.arange(N) / N)
    assert hits(f"{name}({OPTIONS})", shares) >= PLAN.hits


def test_a_judge_that_errs_untold_is_caught() -> None:
    shares = SHARES["step"](np.arange(N) / N)
    assert hits(f"adastrat({OPTIONS})", shares, flips=0.2) < PLAN.hits
