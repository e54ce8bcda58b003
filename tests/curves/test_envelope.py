"""The envelope in closed form is that of every rank, and holds every weakly monotone curve."""

from __future__ import annotations

import math
from itertools import pairwise, product

import numpy as np
import pytest

from aliquot.core.frame import Floats
from aliquot.curves.envelope import Envelope
from aliquot.curves.points import Ranks


def at(y: int, count: float, m: int, ends: tuple[int, int], v: int) -> tuple[float, float]:
    """Definition 2 for one known point and one rank, case by case: the number of positives."""
    p = count / y
    window = math.floor(m * p + 1e-9)
    if v >= y:
        most = p * v if v >= y + m else count + v - y
        if v <= y + m <= ends[1]:
            most = min(most, count + window)
        return count, most
    least = max(count - (y - v), 0.0)
    if v >= y - m >= ends[0]:
        least = max(least, count - window)
    if v <= y - m:
        least = max(least, p * v)
    return least, count


def by_rank(known: Ranks, counts: Floats, m: int, start: int) -> tuple[Floats, Floats]:
    pairs = np.array(
        [
            [
                at(int(y), float(c), m, (start, int(known[-1])), int(v))
                for y, c in zip(known, counts, strict=True)
            ]
            for v in range(known[0], known[-1] + 1)
        ]
    )
    return pairs[:, :, 0].max(axis=1), pairs[:, :, 1].min(axis=1)


def cases(number: int) -> list[tuple[Ranks, Floats, int, int]]:
    """Made points: consistent or not, whole or not, closer to each other than m or not."""
    rng = np.random.default_rng(5)
    made = []
    for _ in range(number):
        n, m, start = rng.integers(3, 60), rng.integers(1, 12), rng.integers(1, 5)
        known = np.sort(rng.choice(np.arange(1, n + 1), min(n, rng.integers(2, 7)), replace=False))
        whole = rng.integers(0, known + 1).astype(float)
        counts = whole if rng.random() < 0.5 else rng.random(len(known)) * known
        made.append((known, counts, int(m), int(start)))
    return made


def test_bounds_heights_and_corners_are_those_of_every_rank() -> None:
    for known, counts, m, start in cases(400):
        envelope = Envelope(known, counts, counts, m, start)
        ranks = np.arange(known[0], known[-1] + 1)
        lower, upper = by_rank(known, counts, m, start)
        bounds = envelope.bounds(ranks)
        assert bounds.lower == pytest.approx(lower)
        assert bounds.upper == pytest.approx(upper)
        ratio = np.where(upper > 0, np.inf, 1.0)
        np.divide(upper, lower, out=ratio, where=lower > 0)
        ends = known - known[0]
        highest = [ratio[a : b + 1].max() for a, b in pairwise(ends)]
        assert envelope.heights() == pytest.approx(np.array(highest))
        corners = envelope.corners()
        there = envelope.bounds(corners)
        assert np.interp(ranks, corners, there.lower) == pytest.approx(lower)
        assert np.interp(ranks, corners, there.upper) == pytest.approx(upper)


def curves(n: int, m: int, start: int) -> list[Floats]:
    """The counts of every list of n labels that is (start, m)-weak monotone."""
    found = []
    ranks = np.arange(1, n + 1)
    for labels in product([0, 1], repeat=n):
        counts = np.cumsum(labels).astype(float)
        p = counts / ranks
        later = [p[j] <= p[i] + 1e-12 for i in range(start - 1, n) for j in range(i + m, n)]
        if all(later):
            found.append(counts)
    return found


@pytest.mark.parametrize(("m", "start"), [(1, 1), (2, 1), (3, 2), (4, 3)])
def test_every_weakly_monotone_curve_lies_inside(m: int, start: int) -> None:
    n = 10
    ranks = np.arange(start, n + 1)
    all_of_them = curves(n, m, start)
    assert len(all_of_them) > 10
    for counts in all_of_them:
        for middle in range(start + 1, n):
            known = np.array([start, middle, n])
            c = counts[known - 1]
            bounds = Envelope(known, c, c, m, start).bounds(ranks)
            assert (bounds.lower <= counts[start - 1 :] + 1e-9).all()
            assert (counts[start - 1 :] <= bounds.upper + 1e-9).all()


def test_every_curve_at_all_lies_inside_where_nothing_is_assumed() -> None:
    n, ranks = 9, np.arange(1, 10)
    for labels in product([0, 1], repeat=n):
        counts = np.cumsum(labels).astype(float)
        known = np.array([1, 4, n])
        bounds = Envelope(known, counts[known - 1], counts[known - 1], None).bounds(ranks)
        assert (bounds.lower <= counts).all()
        assert (counts <= bounds.upper).all()


def test_a_curve_that_rises_is_not_inside() -> None:
    counts = np.cumsum([1, 0, 0, 0, 0, 1, 1, 1, 0, 0]).astype(float)
    known = np.array([1, 4, 10])
    bounds = Envelope(known, counts[known - 1], counts[known - 1], 2).bounds(np.arange(1, 11))
    assert (counts > bounds.upper + 1e-9).any()


def test_a_list_of_any_length_costs_the_same() -> None:
    known = np.unique(np.geomspace(3492, 1e15, 20).astype(np.int64))
    counts = known * np.linspace(0.8, 0.5, len(known))
    envelope = Envelope(known, counts, counts, 100, 3492)
    assert len(envelope.heights()) == len(known) - 1
    assert len(envelope.corners()) < 1_000
