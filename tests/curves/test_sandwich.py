"""Limits at some ranks hold at every rank, whatever the labels are."""

from __future__ import annotations

import numpy as np
import pytest

from aliquot.curves.limits import Limits
from aliquot.curves.sandwich import curve, every_rank, heights, tightened


def around(y: np.ndarray, edges: list[int], rng: np.random.Generator) -> Limits:
    """Return limits around the truth, of random widths."""
    at = np.array(edges)
    total = np.cumsum(y)[at - 1].astype(float)
    low = np.maximum(total - rng.integers(0, 4, len(at)), 0.0)
    high = np.minimum(total + rng.integers(0, 4, len(at)), at)
    return Limits(at, total, low, high, np.full(len(at), 2.0))


def worlds() -> list[tuple[np.ndarray, Limits]]:
    rng = np.random.default_rng(3)
    found = []
    for _ in range(200):
        y = rng.random(40) < rng.random()
        edges = sorted({*rng.integers(1, 40, 6).tolist(), 40})
        found.append((y, around(y, edges, rng)))
    return found


def test_truth_lies_between_the_limits_at_every_rank() -> None:
    for y, found in worlds():
        made = curve(found, 9, system="s", level=0.95, guarantee="any-curve")
        ranks = np.arange(1, 41)
        at, truth = made.values(ranks), np.cumsum(y) / ranks
        assert np.all(at.low <= truth + 1e-12)
        assert np.all(truth <= at.high + 1e-12)
        assert np.all(at.low <= at.precision + 1e-12)
        assert np.all(at.precision <= at.high + 1e-12)


def test_tightening_keeps_the_truth_and_never_widens() -> None:
    for y, found in worlds():
        total, tight = np.cumsum(y)[found.edges - 1], tightened(found)
        assert np.all((tight.low <= total) & (total <= tight.high))
        assert np.all((tight.low >= found.low) & (tight.high <= found.high))


def test_limits_that_miss_the_truth_miss_it_between_too() -> None:
    y = np.ones(40)
    wrong = Limits(
        np.array([20, 40]), np.array([5.0, 9.0]), np.zeros(2), np.array([5.0, 9.0]), np.zeros(2)
    )
    high = curve(wrong, 9, system="s", level=0.95, guarantee="any-curve").values([30]).high
    assert high[0] < np.cumsum(y)[29] / 30


def test_the_height_is_the_largest_at_any_rank() -> None:
    for _, loose in worlds():
        found = tightened(loose)
        if found.low[0] <= 0:
            continue
        r = np.arange(int(found.edges[0]), 41)
        ranks, _, low, high = every_rank(found)
        ratio = np.interp(r, ranks, high) / np.interp(r, ranks, low)
        assert heights(found).max() >= ratio.max() - 1e-12
        assert heights(found).max() <= ratio.max() * 1.35  # corners between two whole ranks


def test_a_grid_of_ratio_g_costs_a_factor_g_at_most() -> None:
    edges = np.array([100, 110, 121])
    total = 0.5 * edges
    assert heights(Limits(edges, total, total, total, np.zeros(3))).max() == pytest.approx(1.1)
