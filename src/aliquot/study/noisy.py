"""Noisy judgments in a study: units judged twice say how much of an error is the judging."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aliquot.core.estimate import Estimate
from aliquot.core.frame import Block
from aliquot.core.sample import Sample
from aliquot.estimators.noise import Noise, noise
from aliquot.estimators.solve import Solved
from aliquot.measures.targets import Family


def judged(
    sample: Sample, family: Family, units: Block, answers: Block, solved: Solved
) -> Noise | None:
    """Return what differing judges add to the covariance; None where nobody judged twice."""
    if not len(sample) or sample.votes.max() < 2 or sample.census:
        return None
    gradients = list(solved.gradients)
    ends = (np.array(family.scale.low), np.array(family.scale.high))
    low, high = (family.influences(units, gradients, y) for y in ends)
    psi = family.influences(answers, gradients, sample.labels)
    return noise(sample, psi, high - low, solved.weights)


def split(rows: tuple[Estimate, ...], found: Noise | None) -> tuple[Estimate, ...]:
    """Give each estimate the part of its variance that is the judging; what is exact stays so."""
    if found is None:
        return rows
    parts = np.diag(found.judging).tolist()
    return tuple(
        replace(row, stderr=0.0, judging=0.0) if row.guarantee == "exact"
        else replace(row, judging=part)
        for row, part in zip(rows, parts, strict=True)
    )  # fmt: skip
