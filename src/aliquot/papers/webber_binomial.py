"""Webber (2013), Figures 4 to 7: four intervals of a binomial proportion, n = 20."""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from aliquot.core.frame import Floats
from aliquot.papers.base import Cell, Reproduction, Settings

N, TAIL = 20, 0.025
Z = NormalDist().inv_cdf(1.0 - TAIL)
Ends = tuple[Floats, Floats]


def clopper_pearson(r: Floats) -> Ends:
    """Exact: two inverted binomial tests."""
    from scipy.special import betaincinv

    low = np.where(r > 0, betaincinv(np.maximum(r, 1), N - r + 1, TAIL), 0.0)
    high = np.where(r < N, betaincinv(r + 1, np.maximum(N - r, 1), 1.0 - TAIL), 1.0)
    return low, high


def wald(r: Floats) -> Ends:
    """Eq. 11: `p +- z sqrt(p (1 - p) / n)`."""
    p = r / N
    half = Z * np.sqrt(p * (1 - p) / N)
    return p - half, p + half


def wilson(r: Floats) -> Ends:
    """Eq. 12."""
    p, square = r / N, Z * Z
    half = Z * np.sqrt((p * (1 - p) + square / (4 * N)) / N)
    return (p + square / (2 * N) - half) / (1 + square / N), (p + square / (2 * N) + half) / (
        1 + square / N
    )


def jeffreys(r: Floats) -> Ends:
    """Quantiles of Beta(1/2 + r, 1/2 + n - r), with the ends set to 0 and 1 at r = 0 and n."""
    from scipy.special import betaincinv

    low = np.where(r > 0, betaincinv(r + 0.5, N - r + 0.5, TAIL), 0.0)
    high = np.where(r < N, betaincinv(r + 0.5, N - r + 0.5, 1.0 - TAIL), 1.0)
    return low, high


def _coverage(ends: Callable[[Floats], Ends], shares: Floats) -> Floats:
    from scipy.special import gammaln

    r = np.arange(N + 1.0)
    low, high = ends(r)
    logs = gammaln(N + 1) - gammaln(r + 1) - gammaln(N - r + 1)
    p = np.exp(logs + np.outer(np.log(shares), r) + np.outer(np.log1p(-shares), N - r))
    hit = (low <= shares[:, None] + 1e-12) & (shares[:, None] <= high + 1e-12)
    found: Floats = (p * hit).sum(1)
    return found


COARSE, FINE = 0.005, 0.0005


def _figure(ends: Callable[[Floats], Ends], printed: float, step: float = FINE) -> Reproduction:
    means = {at: _coverage(ends, np.arange(at, 1.0 - at / 2.0, at)) for at in (COARSE, FINE)}
    other = COARSE if step == FINE else FINE
    cells = (
        Cell("coverage", "mean", printed, float(means[step].mean()), 0.0005),
        Cell("coverage", f"mean, step {other:g}", None, float(means[other].mean()), 0.0),
        Cell("coverage", "least", None, float(means[COARSE].min()), 0.0),
    )
    return Reproduction(cells, f"by enumeration, on shares {step:g}, {2 * step:g}, ...")


def figure4(_: Settings) -> Reproduction:
    """Clopper and Pearson."""
    return _figure(clopper_pearson, 0.977)


def figure5(_: Settings) -> Reproduction:
    """Wald, whose mean moves with the grid."""
    return _figure(wald, 0.851, COARSE)


def figure6(_: Settings) -> Reproduction:
    """Wilson."""
    return _figure(wilson, 0.953)


def figure7(_: Settings) -> Reproduction:
    """Jeffreys."""
    return _figure(jeffreys, 0.951)
