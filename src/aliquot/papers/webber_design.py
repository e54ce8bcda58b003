"""Webber (2013), Figures 8 and 15 to 17: the prior, the allocation, and the width to expect."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from aliquot.core.frame import Floats
from aliquot.intervals import batch
from aliquot.intervals.betabin import Strata
from aliquot.intervals.counts import mcp
from aliquot.intervals.counts.base import each_yield
from aliquot.intervals.counts.linear import variance
from aliquot.papers.base import Cell, Reproduction, Settings

POPULATION, LABELS = 5_000_000, 5_000
YIELDS = (5_000, 20_000, 50_000, 200_000, 500_000, 2_000_000)
SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
QUALITIES = (
    (0.25, 0.25),
    (0.25, 0.75),
    (0.5, 0.5),
    (0.75, 0.25),
    (0.75, 0.75),
)  # recall, precision
Z = NormalDist().inv_cdf(0.975)


def widths(R: tuple[float, float], N1: float, n1: Floats, n0: Floats) -> tuple[Floats, Floats]:
    """Return widths by betabin-half and by normal, the sample as the population is.

    R positives retrieved and not; where these make fractions of a positive in the sample, fractions
    go in, as in the paper.
    """
    N0 = POPULATION - N1
    r1, r0 = n1 * R[0] / N1, n0 * R[1] / N0
    low, high = batch.recall(Strata.of(N1, n1, r1), Strata.of(N0, n0, r0))
    A = each_yield((np.full(n1.size, N1), n1, r1), 0.0)
    B = each_yield((np.full(n1.size, N0), n0, r0), 0.0)
    total = A[0] + B[0]
    spread = variance(A, B, 1.0 / total, A[0] / total**2, careless=False)
    return high - low, 2.0 * Z * np.sqrt(spread)


def _allocations(N1: float, labels: int) -> tuple[Floats, Floats]:
    n1 = np.unique(np.round(np.linspace(0.01, 0.99, 99) * labels))
    n1 = n1[n1 <= N1]
    return n1, labels - n1


def figure8(settings: Settings) -> Reproduction:
    """The most conservative prior by size of population and sample."""
    sizes = (20, 50, 100, 200) if settings.fast else (20, 50, 100, 200, 500, 1_000)
    cells = [
        Cell(f"N = {N}", f"n/N = {share:g}", None, mcp.prior(N, round(N * share)), 0.0)
        for N in sizes
        for share in (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95)
    ]
    note = (
        "a picture: alpha = beta that maximise Eq. 20; towards 0 for tiny samples, near 0.5 at 0.8"
    )
    return Reproduction(tuple(cells), note)


def figure15(_: Settings) -> Reproduction:
    """Width by the share of 5,000 labels that goes to what is retrieved, for several yields."""
    cells: list[Cell] = []
    for R in YIELDS:
        n1, n0 = _allocations(R, LABELS)
        width, _normal = widths((R / 2, R / 2), float(R), n1, n0)
        cells += _curve(f"yield {R}", n1 / LABELS, width)
    note = (
        "a picture; recall and precision 0.5: the rarer, the wider, and the more labels go outside"
    )
    return Reproduction(tuple(cells), note)


def figure16(_: Settings) -> Reproduction:
    """The same for 500,000 retrieved, and several qualities."""
    cells: list[Cell] = []
    for recall, precision in QUALITIES:
        R1 = 500_000 * precision
        n1, n0 = _allocations(500_000, LABELS)
        width, _normal = widths((R1, R1 / recall - R1), 500_000.0, n1, n0)
        cells += _curve(f"recall {recall:g}, precision {precision:g}", n1 / LABELS, width)
    note = "a picture; a share of 0.2 is near the best everywhere, as the text says"
    return Reproduction(tuple(cells), note)


def _curve(row: str, share: Floats, width: Floats) -> list[Cell]:
    cells = [
        Cell(row, f"share {s:g}", None, float(np.interp(s, share, width)), 0.0) for s in SHARES
    ]
    best = int(np.argmin(width))
    cells.append(Cell(row, "best share", None, float(share[best]), 0.0))
    cells.append(Cell(row, "best width", None, float(width[best]), 0.0))
    return cells


def figure17(_: Settings) -> Reproduction:
    """Width by number of labels at the best allocation, by betabin-half and by normal."""
    cells: list[Cell] = []
    for R in YIELDS[1:]:
        for labels in (500, 1_000, 2_000, 5_000, 10_000):
            n1, n0 = _allocations(R, labels)
            found = widths((R / 2, R / 2), float(R), n1, n0)
            for name, width in zip(("betabin-half", "normal"), found, strict=True):
                cells.append(Cell(f"yield {R}, {name}", f"{labels}", None, float(width.min()), 0.0))
    note = (
        "a picture; recall and precision 0.5: the normal width passes 1 where positives are rare, "
        "and falls as 1/sqrt(n) everywhere, betabin-half only once it is well below 0.5"
    )
    return Reproduction(tuple(cells), note)
