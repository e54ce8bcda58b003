"""Terms: the single draws that an estimate is the mean of, for intervals that assume no law."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from aliquot.core import prn
from aliquot.core.estimate import Estimate, Terms
from aliquot.core.frame import Floats
from aliquot.core.sample import Sample
from aliquot.estimators.solve import Solved

Keys = NDArray[np.uint64]
STEP = np.uint64(0x9E3779B97F4A7C15)  # between the copies of a unit that was drawn again


def draws(sample: Sample) -> int:
    """Return how many draws an estimated total is the mean of; 0 where it is no mean of draws.

    With replacement all draws must be by one design, and judged; a unit that was drawn again must
    have one label, or its draws would share more than the unit. Without replacement the units must
    be a simple random sample, judged in the order of the queue.
    """
    if sample.kind == "simple":
        return len(sample)
    made = int(sample.count.sum())
    if not np.array_equal(sample.count, np.rint(sample.count)):
        return 0  # a batch that is not judged in full
    whole = abs(sample.expected - made) < 0.5 and "+" not in sample.design
    alone = int(sample.count.max()) == 1 or int(sample.votes.max()) == 1
    return made if sample.kind == "replacement" and whole and alone else 0


def order(sample: Sample, keys: Keys) -> NDArray[np.int64]:
    """Put the draws in random order: what is drawn decides it, and no label.

    A sample is a set; a bet on its next member must not know which one that is.
    """
    count = sample.count.astype(np.int64)
    at = np.repeat(np.arange(len(sample)), count)
    copy = np.arange(len(at)) - np.repeat(np.cumsum(count) - count, count)
    with np.errstate(over="ignore"):
        seed = int(keys.sum(dtype=np.uint64))
        names = keys[at] + copy.astype(np.uint64) * STEP
    found: NDArray[np.int64] = at[np.lexsort((names, prn.uniform(names, f"{seed}:terms")))]
    return found


def attached(
    rows: tuple[Estimate, ...], sample: Sample, keys: Keys, solved: Solved, peak: Floats
) -> tuple[Estimate, ...]:
    """Give each estimate of a total its draws, where it is their plain mean.

    A draw is no larger than n times `peak`, the heaviest weighed influence that a label can have,
    and as negative where peak is negative.
    """
    n, w = draws(sample), solved.weights
    if not n or not np.allclose(w * sample.pi, sample.count):
        return rows
    chosen = order(sample, keys)
    population = sample.units if sample.kind == "simple" else 0
    found = []
    each = n * w * solved.influences / sample.count
    for row, mine, most in zip(rows, each, n * peak, strict=True):
        terms = Terms(mine[chosen], min(0.0, float(most)), abs(float(most)), population)
        found.append(replace(row, terms=terms))
    return tuple(found)
