"""Webber (2013), Table III and Figures 2 and 3: the bias of the recall estimator."""

from __future__ import annotations

import numpy as np

from aliquot.core.frame import Floats
from aliquot.papers.base import Cell, Reproduction, Settings

Segment = tuple[int, int, int]  # yield R, population N, sample n


def pmf(segment: Segment) -> Floats:
    """Return the probability of each number of positives in a sample: hypergeometric."""
    from scipy.special import gammaln

    R, N, n = segment
    r = np.arange(n + 1.0)

    def choose(a: int, b: Floats) -> Floats:
        inside = (b >= 0) & (b <= a)
        b = np.where(inside, b, 0.0)
        logs = gammaln(a + 1) - gammaln(b + 1) - gammaln(a - b + 1)
        return np.where(inside, logs, -np.inf)

    found: Floats = np.exp(choose(R, r) + choose(N - R, n - r) - choose(N, np.full(1, float(n))))
    return found


def mean_recall(retrieved: Segment, unretrieved: Segment) -> float:
    """Return the mean of `N1 r1/n1 / (N1 r1/n1 + N0 r0/n0)`, every pair (r1, r0) weighed.

    Where nothing positive is drawn the estimate is not defined, and that pair is left out.
    """
    r1 = np.arange(retrieved[2] + 1)[:, None] * retrieved[1] / retrieved[2]
    r0 = np.arange(unretrieved[2] + 1)[None, :] * unretrieved[1] / unretrieved[2]
    weight = pmf(retrieved)[:, None] * pmf(unretrieved)[None, :]
    total = r1 + r0
    value = np.divide(r1, total, out=np.zeros(total.shape), where=total > 0)
    defined = total > 0
    return float((weight * value)[defined].sum() / weight[defined].sum())


def table3(_: Settings) -> Reproduction:
    """Precision 0.5, recall 0.25: the mean of the estimator, by enumeration."""
    mean = mean_recall((1_000, 2_000, 100), (3_000, 100_000, 100))
    cells = (
        Cell("recall", "true", 0.25, 1_000 / 4_000, 0.0),
        Cell("recall", "mean of the estimator", 0.31, mean, 0.005),
    )
    return Reproduction(cells, "by enumeration of both samples; 0.314 is printed as 0.31")


def figure2(_: Settings) -> Reproduction:
    """The distribution of the estimator in that scenario, by enumeration."""
    retrieved, unretrieved = (1_000, 2_000, 100), (3_000, 100_000, 100)
    mean = mean_recall(retrieved, unretrieved)
    p1, p0 = pmf(retrieved), pmf(unretrieved)
    r1 = np.arange(p1.size)[:, None] * 20.0
    r0 = np.arange(p0.size)[None, :] * 1_000.0
    value = (r1 / np.maximum(r1 + r0, 1e-9)).ravel()
    weight = np.outer(p1, p0).ravel()
    order = np.argsort(value)
    below = weight[order].cumsum()
    cells = [
        Cell("estimator", "mean", 0.31, mean, 0.005),
        Cell("estimator", "chance of exactly 1", None, float(p0[0] * (1 - p1[0])), 0.0),
        Cell("estimator", "s.d.", None, float(np.sqrt(weight @ (value - mean) ** 2)), 0.0),
    ]
    for q in (0.025, 0.25, 0.5, 0.75, 0.975):
        at = float(value[order][np.searchsorted(below, q)])
        cells.append(Cell("estimator", f"quantile {q:g}", None, at, 0.0))
    return Reproduction(
        tuple(cells), "by enumeration of both samples; the picture prints no number"
    )


def figure3(_: Settings) -> Reproduction:
    """The bias by size of the unretrieved sample and its yield, recall held or not."""
    cells = []
    for label, scale, kept in (
        ("yield 3000, recall 0.25", 1.0, True),
        ("yield 1500, recall 0.25", 0.5, True),
        ("yield 750, recall 0.25", 0.25, True),
        ("yield 750, recall 0.57", 0.25, False),
    ):
        R0 = round(3_000 * scale)
        N1 = round(2_000 * scale) if kept else 2_000
        truth = (N1 / 2) / (N1 / 2 + R0)
        for n0 in (50, 100, 200, 400, 800, 1_600):
            mean = mean_recall((N1 // 2, N1, 100), (R0, 100_000, n0))
            cells.append(Cell(label, f"n0 = {n0}", None, mean - truth, 0.0))
    note = "a picture: the bias falls with the sample, and grows as positives get rarer"
    return Reproduction(tuple(cells), note)
