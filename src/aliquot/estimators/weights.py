"""Mixture weights w_ij: how much of system i's estimate comes from the draws of system j.

**Any weights that no label chose leave the estimate unbiased; they differ in variance only.**
"""

from __future__ import annotations

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.sources import Sources
from aliquot.estimators.mixture import over

STEPS = 400
LEAST = 1e-9  # a source that sees part of the output keeps some weight: q must stay above 0


def equal(draws: Floats) -> Floats:
    """The same for every source that made a draw."""
    some = np.where(draws > 0, 1.0, 0.0)
    found: Floats = some / some.sum()
    return found


def balance(draws: Floats) -> Floats:
    """n_j / n: the balance heuristic (Veach and Guibas 1995).

    >>> balance(np.array([30.0, 10.0])).tolist()
    [0.75, 0.25]
    """
    found: Floats = draws / draws.sum()
    return found


def heuristic(own: Floats, chance: Floats, draws: Floats) -> Floats:
    """`w_ij prop n_j <p_i, p_j>`: the released code's; B.3 of Chaganty et al. (2017) is empty.

    `own` is p_i and `chance` holds p_j, over the whole population. All 0 where no source overlaps.

    >>> chance = np.array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]])
    >>> heuristic(chance[0], chance, np.array([10.0, 10.0])).round(3).tolist()
    [0.667, 0.333]
    """
    overlap = draws * (chance @ own)
    total = float(overlap.sum())
    found: Floats = overlap / total if total > 0 else overlap
    return found


def optimal(own: Floats, guess: Floats, sources: Sources) -> Floats:
    """The constant weights that minimise Theorem 1's variance, with a guess of P(f = 1).

    The guess must come from no label. Exponentiated gradient steps, each of which may only lower
    the variance, start from the heuristic and from the balance heuristic; the better end counts.
    """
    near = (sources.chance @ own > 0) & (sources.draws > 0)
    if not near.any():
        return np.zeros(len(sources))
    starts = (heuristic(own, sources.chance, sources.draws), balance(sources.draws * near))
    ends = [_descend(own, guess, sources, start) for start in starts]
    return min(ends, key=lambda mix: _expected(own, guess, sources, mix))


def _expected(own: Floats, guess: Floats, sources: Sources, mix: Floats) -> float:
    """Theorem 1's variance, on average over labels that are 1 with the guessed chance, each apart.

    `sum_j s_j (sum p_j g r^2 - (sum p_j g r)^2 - sum p_j^2 g (1 - g) r^2)` with s_j = w_j^2 / n_j
    and r = p_i / q.
    """
    p, r = sources.chance, over(own, sources.mixture(mix))
    spread = p @ (guess * r**2) - (p @ (guess * r)) ** 2 - p**2 @ (guess * (1.0 - guess) * r**2)
    return float(sources.per_draw(mix**2) @ spread)


def _slope(own: Floats, guess: Floats, sources: Sources, mix: Floats) -> Floats:
    """The gradient of the expected variance: dr / dw_k = -r p_k / q."""
    p, q = sources.chance, sources.mixture(mix)
    r, noise = over(own, q), guess * (1.0 - guess)
    mean = p @ (guess * r)
    spread = p @ (guess * r**2) - mean**2 - p**2 @ (noise * r**2)
    s = sources.per_draw(mix**2)
    moved = (s @ p) * guess * r - ((s * mean) @ p) * guess - (s @ p**2) * noise * r
    found: Floats = 2.0 * sources.per_draw(mix) * spread - 2.0 * (p @ (over(r, q) * moved))
    return found


def _descend(own: Floats, guess: Floats, sources: Sources, start: Floats) -> Floats:
    near = start > 0
    mix, step = start, 1.0
    best = _expected(own, guess, sources, mix)
    for _ in range(STEPS):
        slope = _slope(own, guess, sources, mix)
        slope = slope - mix @ slope
        scale = float(np.abs(slope[near]).max())
        if scale <= 1e-9 * best:
            break
        turned = mix * np.exp(np.where(near, -step * slope / scale, 0.0))
        turned = np.where(near, np.maximum(turned / turned.sum(), LEAST), 0.0)
        turned = turned / turned.sum()
        found = _expected(own, guess, sources, turned)
        if found < best:
            gain, mix, best, step = best - found, turned, found, min(2.0 * step, 8.0)
            if gain < 1e-10 * best:
                break
        else:
            step /= 4.0
            if step < 1e-6:
                break
    return mix
