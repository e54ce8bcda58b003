"""Priors: a guess p(u) of the chance that a unit is relevant. Used for sizes, never for validity.

The guess comes from automatic judges where there are any, else from ranks, scores and retrieved
sets. A poor guess costs labels; it can't bias an estimate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Block, Floats, Frame, System
from aliquot.core.scale import Scale
from aliquot.measures.targets import levels

LOW, HIGH = 0.02, 0.98
Centre = tuple[float, float]  # a score's value where p = 1/2, and its spread; (0, 0): it is p


@final
@dataclass(frozen=True)
class Prior:
    """A fitted prior: how each score is turned into a probability."""

    centres: Mapping[str, Centre]
    judges: tuple[tuple[str, str], ...]
    high: float

    def __call__(self, block: Block, systems: tuple[System, ...]) -> Floats:
        """Return p(u) for the units of a block, never quite 0 or 1."""
        found = self.raw(block, systems)
        if self.judges:
            return np.asarray(0.05 + 0.9 * found)
        return np.asarray(np.clip(found, LOW, HIGH))

    def raw(self, block: Block, systems: tuple[System, ...]) -> Floats:
        """Return p(u) as judges, scores and ranks have it, from 0 to 1."""
        if self.judges:
            votes = [block.data[column].astype(np.float64) for _, column in self.judges]
            known = [np.where(np.isnan(v), 0.5, v / self.high) for v in votes]
            return np.asarray(np.clip(np.mean(known, axis=0), 0, 1))
        guesses = [self._guess(block, system) for system in systems]
        if not guesses:
            return np.full(len(block.rows), 0.5)
        return np.asarray(np.clip(np.mean(guesses, axis=0), 0, 1))

    def _guess(self, block: Block, system: System) -> Floats:
        output = system.output(block)
        if output.rank is not None:
            ranked = output.rank > 0
            return np.where(ranked, 0.6 / (1.0 + output.rank / 20.0), 0.0)
        if output.score is not None:
            centre, spread = self.centres[system.name]
            if not spread:
                return output.score
            return np.asarray(1.0 / (1.0 + np.exp(-(output.score - centre) / spread)))
        if output.retrieved is not None:
            return np.where(output.retrieved, 0.6, LOW)
        return np.full(len(block.rows), 0.5)


def chances(
    prior: Prior, block: Block, systems: tuple[System, ...], scale: Scale
) -> list[tuple[float, Floats]]:
    """Return label levels with the prior's chance of each: p for the highest, else the lowest.

    Classes have no order, so each is as likely as the next.
    """
    at = levels(scale)
    if scale.kind == "classes":
        return [(float(y), np.full(len(block.rows), 1.0 / len(at))) for y in at]
    p = prior(block, systems)
    return [(float(at[0]), 1.0 - p), (float(at[1]), p)]


def fit(frame: Frame, systems: tuple[System, ...], high: float) -> Prior:
    """Learn where each score sits. Scores that all lie in [0, 1] are taken as probabilities."""
    scored = tuple(system for system in systems if system.kind == "scored")
    found = {s.name: _centre(frame, s) for s in scored} if not frame.judges else {}
    return Prior(found, frame.judges, high)


def _centre(frame: Frame, system: System) -> Centre:
    count, total, square, low, high = 0, 0.0, 0.0, np.inf, -np.inf
    for block in frame.blocks((system,)):
        score = block.data[system.column].astype(np.float64)
        count += len(score)
        total += float(np.cumsum(score)[-1])  # cumsum adds in one order on every machine
        square += float(np.cumsum(score * score)[-1])
        low, high = min(low, float(score.min())), max(high, float(score.max()))
    if low >= 0.0 and high <= 1.0:
        return (0.0, 0.0)
    mean = total / count
    spread = max(square / count - mean * mean, 0.0) ** 0.5
    centre = system.threshold if system.threshold is not None else mean + spread
    return (centre, spread / 1.7 or 1.0)
