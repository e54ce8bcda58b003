"""Recall from the pool of all outputs: Chaganty et al. (2017), Theorems 2 and 3, corrected.

Recall is `r_i = theta nu_i`: theta the pool's share of what is relevant, from draws of relevant
units that were found some other way, and nu_i system i's share of what is relevant in the pool.
**nu is a ratio: consistent, with a bias of order 1/n (Theorem 2 says unbiased). Its mixture must
see the whole pool: weights of one system, w_ij, over-estimate recall (.74 for a true .34).**
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.sources import Sources
from aliquot.estimators.mixture import covariance, over, weigh


@final
@dataclass(frozen=True)
class Measured:
    """A value and its variance."""

    value: float
    variance: float


def shares(
    sources: Sources, mix: Floats, relevant: Floats, member: Floats
) -> tuple[Floats, Floats]:
    """Return nu of each system, and what each unit pulls on it, both shapes (S,) and (S, n).

    `relevant` is p_0 f, the weight of a unit among what is relevant (0 where it is not), and
    `member` is g, 1 where a system returns the unit, shape (S, n). The pull is the linearisation
    `e = p_0 f (g - nu) / B`, B the estimated total of p_0 f; nan where nothing relevant was drawn.
    """
    omega = weigh(sources, mix) * relevant
    total = float(omega.sum())
    if total <= 0:
        return np.full(len(member), np.nan), np.zeros(member.shape)
    nu = member @ omega / total
    return nu, relevant * (member - nu[:, None]) / total


def pull(sources: Sources, mix: Floats, e: Floats) -> Floats:
    """Estimate the covariance of several nu from what units pull: `sum_j (w_j^2 / n_j) Var_j`."""
    return covariance(sources, np.broadcast_to(mix, (len(e), len(mix))), e)


def spread(sources: Sources, mix: Floats, relevant: Floats, member: Floats) -> Floats:
    """Return the linearised variance of nu when every label of the population is known."""
    total = relevant.sum()
    nu = member @ relevant / total
    z = over(relevant * (member - nu[:, None]) / total, sources.mixture(mix))
    found: Floats = (z**2 @ sources.chance.T - (z @ sources.chance.T) ** 2) @ sources.per_draw(
        mix**2
    )
    return found


def pool(inside: int, drawn: int) -> Measured:
    """Return theta and its variance: so many of the relevant units drawn elsewhere are in the pool.

    B.2 prints the sum without its 1/n_0.

    >>> pool(5, 10).value, pool(5, 10).variance == 0.25 / 9
    (0.5, True)
    """
    theta = inside / drawn
    return Measured(theta, theta * (1.0 - theta) / (drawn - 1) if drawn > 1 else float("nan"))


def product(theta: Measured, nu: Measured) -> Measured:
    """Return recall = theta nu with Lemma 1: `theta^2 Var nu + nu^2 Var theta + Var nu Var theta`.

    Theorem 3 prints theta and nu without their squares. **theta and nu from independent draws.**

    >>> product(Measured(0.5, 0.25), Measured(0.5, 0.5))
    Measured(value=0.25, variance=0.3125)
    """
    squares = theta.value**2 * nu.variance + nu.value**2 * theta.variance
    return Measured(theta.value * nu.value, squares + theta.variance * nu.variance)


def harmonic(precision: float, recall: float, joint: Floats) -> Measured:
    """Return F1 with the variance of its linearisation; `joint` is the covariance, (2, 2).

    >>> harmonic(0.5, 0.5, np.diag([0.01, 0.01])).value
    0.5
    """
    total = precision + recall
    if not total > 0:
        return Measured(float("nan"), float("nan"))
    slope = 2.0 * np.array([recall**2, precision**2]) / total**2
    return Measured(2.0 * precision * recall / total, float(slope @ joint @ slope))
