"""Joint estimates from the draws of several systems: Chaganty et al. (2017), Theorem 1.

System i is estimated from everybody's draws: `pi_i = sum_j (w_ij / n_j) sum_{x in X_j}
p_i(x) f(x) / q_i(x)` with the mixture `q_i = sum_j w_ij p_j`, `w_ij >= 0`, `sum_j w_ij = 1` (B.2
prints 0). **Unbiased for draws with replacement if q_i > 0 wherever p_i f may be above 0 and the
weights were not chosen by labels.**
"""

from __future__ import annotations

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.sources import Sources


def over(top: Floats, bottom: Floats) -> Floats:
    """Return top / bottom, and 0 where the bottom is 0."""
    return np.divide(top, bottom, out=np.zeros(np.broadcast(top, bottom).shape), where=bottom > 0)


def weigh(sources: Sources, mix: Floats) -> Floats:
    """Return omega(u) = sum_j (w_j / n_j) count_j(u) / q(u): a total is `sum_u omega c`.

    Two systems, two draws each, halves; the second unit was drawn once by either:

    >>> chance = np.array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]])
    >>> count = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]])
    >>> two = Sources(("a", "b"), np.array([2.0, 2.0]), chance, count)
    >>> weigh(two, np.array([0.5, 0.5])).tolist()
    [1.0, 1.0, 1.0]
    """
    found: Floats = over(sources.per_draw(mix) @ sources.count, sources.mixture(mix))
    return found


def covariance(sources: Sources, mixes: Floats, e: Floats) -> Floats:
    """Estimate the covariance of `sum_u omega_t e_t`, shape (T, T), for mixes (T, J) and e (T, n).

    `sum_j (w_tj w_sj / n_j) C_j`, C_j the sample covariance of e_t / q_t over the draws of source
    j, with n_j - 1: unbiased. A source with one draw borrows the spread of all draws together.
    """
    z = over(e, sources.mixture(mixes))
    total = np.zeros((len(e), len(e)))
    together = _spread(z, sources.count.sum(axis=0))
    for j, n in enumerate(sources.draws):
        if n > 0:
            drawn = sources.count[j] > 0
            spread = _spread(z[:, drawn], sources.count[j, drawn]) if n > 1 else together
            total += np.outer(mixes[:, j], mixes[:, j]) * spread / n
    return total


def _spread(z: Floats, count: Floats) -> Floats:
    n = count.sum()
    if n < 2:
        return np.zeros((len(z), len(z)))
    centred = z - (z * count).sum(axis=1, keepdims=True) / n
    found: Floats = (centred * count) @ centred.T / (n - 1.0)
    return found


def variance(sources: Sources, mix: Floats, c: Floats) -> float:
    """Return Theorem 1's variance when c = p_i f is known of every unit of the population.

    `sum_j (w_j^2 / n_j) (E_j[(c/q)^2] - E_j[c/q]^2)`, E_j the mean under p_j.
    """
    z = over(c, sources.mixture(mix))
    spread = sources.chance @ z**2 - (sources.chance @ z) ** 2
    return float(sources.per_draw(mix**2) @ spread)
