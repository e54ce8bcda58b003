"""Variances: one formula a kind of design, each a covariance matrix over several influences.

`e` has shape (T, n): the influence of each judged unit on each of T targets.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.core.sample import Sample


def strata(sample: Sample, e: Floats) -> Floats:
    """Simple random samples in strata: `sum_h N_h^2 (1 - f_h) S_h / n_h` (unbiased).

    A stratum with one judged unit borrows the spread of all units together; with none of its
    units unjudged it adds nothing.
    """
    total = np.zeros((len(e), len(e)))
    pooled = _spread(e) if e.shape[1] > 1 else np.zeros((len(e), len(e)))
    for h in np.unique(sample.stratum):
        here = sample.stratum == h
        n, rate = int(here.sum()), float(sample.pi[here][0])
        spread = _spread(e[:, here]) if n > 1 else pooled
        total += (n / rate) ** 2 * (1.0 - rate) * spread / n
    return total


def _spread(e: Floats) -> Floats:
    centred = e - e.mean(axis=1, keepdims=True)
    found: Floats = centred @ centred.T / (e.shape[1] - 1)
    return found


def independent(pi: Floats, e: Floats) -> Floats:
    """Independent inclusions (Poisson; priority samples): `sum (1 - pi) (e / pi)^2` (unbiased)."""
    z = e / pi
    found: Floats = (z * (1.0 - pi)) @ z.T
    return found


def fixed_size(sample: Sample, e: Floats) -> Floats:
    """Order samples: `n/(n-1) sum (1 - pi) (e/pi - c)^2`, c the (1 - pi)-weighted mean (Hajek)."""
    weight = 1.0 - sample.pi
    open_units = int((weight > 0).sum())
    if not open_units:
        return np.zeros((len(e), len(e)))
    z = e / sample.pi
    centre = (z * weight).sum(axis=1, keepdims=True) / weight.sum()
    scale = open_units / (open_units - 1) if open_units > 1 else 1.0
    found: Floats = scale * ((z - centre) * weight) @ (z - centre).T
    return found


def replacement(sample: Sample, e: Floats) -> Floats:
    """Draws with replacement: `n/(n-1) sum_draws (e/pi - mean)^2`, pi = n q (unbiased)."""
    n = float(sample.count.sum())
    z = e / sample.pi
    centre = (z * sample.count).sum(axis=1, keepdims=True) / n
    scale = n / (n - 1) if n > 1 else 1.0
    found: Floats = scale * ((z - centre) * sample.count) @ (z - centre).T
    return found


def by_design(sample: Sample, e: Floats) -> Floats:
    """Pick the formula that belongs to the sample's design."""
    if sample.kind in ("simple", "strata"):
        return strata(sample, e)
    if sample.kind == "poisson":
        return independent(sample.pi, e)
    if sample.kind == "replacement":
        return replacement(sample, e)
    return fixed_size(sample, e)


def like_these(e: Floats, weights: Floats, groups: NDArray[np.int64], count: int) -> Floats:
    """Inference to the population that the groups (topics, clusters, units) came from.

    `G/(G-1) sum_g (t_g - mean t)^2`, t_g the weighted influence of a group (ultimate clusters), 0
    for a group without a judged unit: it holds the variance between groups and that within them.
    """
    if count < 2:
        return np.full((len(e), len(e)), np.inf)
    sums = np.stack([np.bincount(groups, weights=row * weights, minlength=count) for row in e])
    centred = sums - sums.mean(axis=1, keepdims=True)
    found: Floats = count / (count - 1) * centred @ centred.T
    return found
