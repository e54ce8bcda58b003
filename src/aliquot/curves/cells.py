"""A ranking cut into cells, with what the labels say of each: all that a band is made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.points import Ranks

WINDOW = 60.0  # labels to either side that tell the local share of positives
LEAST = 4  # labels of a cell of a sample that was not drawn for the curve
RATIO = 1.004  # of neighbouring ranks where a cell may end


class Judged(NamedTuple):
    """Judged units in the order of the ranking: rank, label in [0, 1], weight, chance."""

    rank: Ranks
    label: Floats
    weight: Floats
    chance: Floats


@final
@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of consecutive ranks, one entry a cell, the first beginning at rank 1.

    The number of positives in a cell is estimated by `size * share`. Given the local share q of
    positives, the variance of that is `spread * q (1 - q)`, and its third moment
    `skew * q (1 - q) (1 - 2 q)`. `unseen` units could not be drawn: their labels can be anything.
    """

    edges: Ranks  # the last rank of each cell
    size: Floats  # the units that could be drawn
    judged: Floats  # labels
    share: Floats  # of positives, estimated
    positives: Floats  # seen
    spread: Floats
    skew: Floats
    unseen: Floats

    def __len__(self) -> int:
        return len(self.edges)

    @property
    def total(self) -> Floats:
        """The estimated number of positives down to the end of each cell."""
        found: Floats = np.cumsum(self.size * self.share)
        return found

    def local(self) -> Floats:
        """Return the share of positives around each cell, with half a positive and half a negative.

        Cells of few labels borrow from their neighbours; those of many keep to themselves.
        """
        ends = np.concatenate([[0.0], np.cumsum(self.judged)])
        found = np.concatenate([[0.0], np.cumsum(self.judged * self.share)])
        centre = (ends[1:] + ends[:-1]) / 2.0
        left = np.searchsorted(centre, centre - WINDOW, side="left")
        right = np.searchsorted(centre, centre + WINDOW, side="right")
        share: Floats = (found[right] - found[left] + 0.5) / (ends[right] - ends[left] + 1.0)
        return share


def counted(edges: Ranks, judged: Floats, positives: Floats) -> Cells:
    """Make cells that are strata: in each, `judged` units were drawn alike without replacement.

    >>> cells = counted(np.array([4, 10]), np.array([4.0, 3.0]), np.array([3.0, 1.0]))
    >>> cells.total.tolist(), cells.spread.tolist()  # 3 + 6 / 3; 6^2 / 3 * (1 - 3/6)
    ([3.0, 5.0], [0.0, 6.0])
    """
    size: Floats = np.diff(edges, prepend=0).astype(np.float64)
    rate = judged / size
    weight = size / np.maximum(judged, 1.0)
    spread = size * weight * (1.0 - rate)
    skew = spread * weight * np.abs(1.0 - 2.0 * rate)
    share = positives / np.maximum(judged, 1.0)
    return Cells(edges, size, judged, share, positives, spread, skew, np.zeros(len(edges)))


def gathered(judged: Judged, size: Ranks, n: int) -> Cells:
    """Make cells from any sample: post-strata of consecutive ranks, with known numbers of units.

    `size` counts, at each rank, whether its unit could be drawn. In a cell the share of positives
    is the weighted mean (Hajek). **Within a cell a unit's chance of being drawn has little to do
    with its label.**
    """
    edges = ends(judged.rank, n)
    cell = np.searchsorted(edges, judged.rank)
    starts = np.concatenate([[0], np.cumsum(size)])
    drawable = np.diff(starts[edges], prepend=0).astype(np.float64)

    def add(values: Floats) -> Floats:
        return np.bincount(cell, weights=values, minlength=len(edges)).astype(np.float64)

    mass = add(judged.weight)
    weight = judged.weight * (drawable / np.maximum(mass, 1e-300))[cell]
    # A cell ends once it holds some labels, so these may stand for more than their chance says.
    rate = np.where(judged.chance < 1.0, 1.0 / np.maximum(weight, 1e-300), 1.0)
    drawn = np.minimum(judged.chance, rate)
    left = np.maximum(1.0 - drawn, 0.0)
    return Cells(
        edges,
        drawable,
        add(np.ones(len(cell))),
        add(judged.weight * judged.label) / np.maximum(mass, 1e-300),
        add(judged.label),
        add(weight**2 * left),
        add(weight**3 * left * np.abs(1.0 - 2.0 * drawn)),
        np.diff(edges, prepend=0).astype(np.float64) - drawable,
    )


def ends(rank: Ranks, n: int) -> Ranks:
    """Return the last ranks of cells that hold some labels each; fully judged ranks stand alone.

    >>> ends(np.array([1, 2, 3, 10, 20, 30, 40, 50]), 100).tolist()
    [1, 2, 3, 100]
    """
    grid = ladder(1, n, RATIO)
    top = int(np.argmin(np.append(rank == np.arange(1, len(rank) + 1), False)))
    grid = np.unique(np.concatenate([np.arange(1, top + 1), grid]))
    below = np.searchsorted(rank, grid, side="right")
    found: list[int] = []
    last = 0
    for edge, count in zip(grid.tolist(), below.tolist(), strict=True):
        if edge <= top or count - last >= LEAST:
            found.append(edge)
            last = count
    if len(found) > 1 and found[-1] > top and (found[-1] < n):
        found.pop()  # what is left over joins the last cell
    if not found or found[-1] < n:
        found.append(n)
    return np.array(found, dtype=np.int64)


def ladder(first: int, last: int, ratio: float) -> Ranks:
    """Return ranks from `first` to `last`, each `ratio` times the one before or the next one.

    >>> ladder(2, 10, 1.5).tolist()
    [2, 3, 4, 6, 9, 10]
    """
    found = [first]
    while found[-1] * ratio < last:
        found.append(max(found[-1] + 1, int(found[-1] * ratio)))
    if found[-1] < last:
        found.append(last)
    return np.array(found, dtype=np.int64)
