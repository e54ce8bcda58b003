"""Exact enumeration: every sample that a design can draw from a toy frame, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.estimators.base import Estimator
from aliquot.estimators.pairs import unbiased
from aliquot.testing.trial import Trial
from aliquot.testing.whole import Whole


@final
@dataclass(frozen=True, eq=False)
class Enumeration:
    """What an estimator gives over all samples of a design, one entry a system.

    An empty sample counts as an estimate of 0 with a variance of 0.
    """

    truth: Floats
    expected: Floats  # E[estimate]
    variance: Floats  # Var[estimate]
    expected_variance: Floats  # E[variance estimate]
    guarantees: frozenset[str]  # what the estimator promises, over all samples

    @property
    def bias(self) -> Floats:
        """E[estimate] - truth."""
        found: Floats = self.expected - self.truth
        return found


def enumerate_estimates(trial: Trial, how: Estimator, spelled: str, budget: int) -> Enumeration:
    """Run an estimator over every sample that `Design.enumerate` lists."""
    whole = Whole(trial.toy, spelled)
    measure = whole.family.measure
    count = len(whole.family.names)
    first, second, spread = np.zeros(count), np.zeros(count), np.zeros(count)
    promised = set()
    for one in trial.design.listed(trial.chunk, budget):
        if not len(one.rows):
            continue
        sample = trial.possible(one, budget)
        solved = whole.solve(sample, how)
        first += one.probability * solved.values
        second += one.probability * (solved.values - whole.truth) ** 2
        spread += one.probability * np.diag(solved.covariance)
        pairs = measure.pairs and not measure.by_topic and unbiased(sample, how)
        promised.add(str(how.guarantee(sample, linear=measure.linear or pairs)))
    empty = 1.0 - _mass(trial, budget)
    second += empty * whole.truth**2
    variance = second - (first - whole.truth) ** 2
    return Enumeration(whole.truth, first, variance, spread, frozenset(promised))


@final
@dataclass(frozen=True, eq=False)
class Inclusion:
    """How often each unit is in a sample (with replacement: how often it is drawn)."""

    probability: float  # of all samples together: 1, if the list is complete
    inclusion: Floats  # exact, summed over all samples
    declared: Floats  # what the design says


def enumerate_inclusion(trial: Trial, budget: int) -> Inclusion:
    """Sum the inclusions over every sample that `Design.enumerate` lists."""
    count = len(trial.toy)
    total, inclusion, declared = 0.0, np.zeros(count), np.full(count, np.nan)
    for one in trial.design.listed(trial.chunk, budget):
        total += one.probability
        inclusion[one.rows] += one.probability * one.count
        declared[one.rows] = one.pi
    return Inclusion(total, inclusion, declared)


def _mass(trial: Trial, budget: int) -> float:
    """Return the probability of all samples that are not empty."""
    listed = trial.design.listed(trial.chunk, budget)
    return sum(one.probability for one in listed if len(one.rows))
