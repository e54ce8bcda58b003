"""Noisy judgments: which part of a variance is the sampling of units, and which their judging.

Several judgments of a unit, drawn independently from its judges, have a mean v and a variance
sigma^2; what is estimated is the measure of v (Schnabel et al. 2016, section 7). With r judgments
a unit the variance is `V(v) + sum_U psi^2 sigma^2 / r E[w^2]`, w the weight of the unit, psi the
slope. The design's formula, of the units' mean judgments, estimates all of it but
`sum_U psi^2 sigma^2 / r`: that is `sum_s w psi^2 s^2 / r`, and the judging is
`sum_s w^2 psi^2 s^2 / r`. **Unbiased where every unit has two judgments or more; a unit with one
is taken to be as noisy as the others, by its slope.**
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.sample import Sample


@final
@dataclass(frozen=True, eq=False)
class Noise:
    """Covariances over targets, shape (T, T): what the design's formula misses, and the judging."""

    missing: Floats
    judging: Floats


def noise(sample: Sample, psi: Floats, slopes: Floats, weights: Floats) -> Noise | None:
    """Split off the judging; None where no unit has two judgments.

    `psi` holds the influence of each label, shape (T, labels), `slopes` how far a label can move
    each unit's, shape (T, units).
    """
    votes = sample.votes
    if not len(votes) or votes.max() < 2:
        return None
    means = sample.averaged(psi)[:, sample.owner]
    apart = psi - means
    free = np.maximum(votes - 1, 1)
    twice = votes > 1
    pooled = float((apart**2).sum()) / max(float((slopes**2 * (votes - 1)).sum()), 1e-300)
    parts = []
    for power in (1, 2):
        root = weights ** (power / 2.0)  # all systems', or one row a system
        known = apart * (root / np.sqrt(votes * free))[..., sample.owner]
        alone = slopes * np.where(twice, 0.0, root)
        parts.append(known @ known.T + pooled * (alone @ alone.T))
    return Noise(*parts)
