"""Labels that two segments need, at Webber's (2013) best: recall and F1 to +-0.05.

A made population of a million units, 0.5 % positive, with an informative score whose threshold has
recall .68 and precision .46; and the same with one positive in ten scored as if it were none.
The two simple random samples are those of the best allocation, found knowing the truth, and the
interval is betabin-half: half its mean width is at most the goal, and it covers in .94 or more.

    python benchmarks/two_segments.py

Another benchmark may `from two_segments import needed, population`.
"""

from __future__ import annotations

import sys
import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aliquot.planner.allocation import Allocation, best, labels
from aliquot.planner.segments import Claim, Guess, ends
from aliquot.wiring.rng import generator

N, POSITIVE = 1_000_000, 5_000
RECALL, PRECISION = 0.68, 0.46
HIDDEN = 0.1
POINTS = 4_096  # of which the coverage is the mean: within about .003
STEP = 1.03  # how much the labels grow where the coverage falls short
PRINTED = {  # what others found on a population of this kind
    ("good", "recall"): 46_528,
    ("good", "f1"): 6_548,
    ("hidden", "recall"): 45_371,
}
Segment = tuple[int, int]  # N, R


class Needed(NamedTuple):
    """The best allocation that meets a goal, and what it gives."""

    labels: int
    retrieved: int
    unretrieved: int
    half: float
    coverage: float


class Made(NamedTuple):
    """A score for each unit, what it is, and whether it is retrieved."""

    score: NDArray[np.float64]
    positive: NDArray[np.bool_]
    retrieved: NDArray[np.bool_]

    @property
    def segments(self) -> tuple[Segment, Segment]:
        """Units and positives retrieved, and not."""
        parts = (self.retrieved, ~self.retrieved)
        one, other = ((int(p.sum()), int((p & self.positive).sum())) for p in parts)
        return one, other


def population(hidden: float = 0.0, seed: int = 1) -> Made:
    """Make units: scores are normal, those of positives shifted but for a hidden share."""
    from scipy.special import ndtri

    noise = POSITIVE * RECALL * (1.0 / PRECISION - 1.0) / (N - POSITIVE)
    threshold = -float(ndtri(noise))
    shift = threshold + float(ndtri(RECALL))
    rng = generator(seed)
    score = rng.standard_normal(N)
    positive = np.zeros(N, bool)
    positive[:POSITIVE] = True
    seen = positive & (np.arange(N) >= round(POSITIVE * hidden))
    score[seen] += shift
    return Made(score, positive, score >= threshold)


def needed(  # noqa: PLR0913  (two segments, and named options)
    retrieved: Segment,
    unretrieved: Segment,
    measure: str = "recall",
    *,
    half: float = 0.05,
    least: float = 0.94,
    level: float = 0.95,
) -> Needed:
    """Return the fewest labels, best allocated, with such a half-width and coverage."""
    claim, guess = Claim(measure, level), Guess.of(retrieved, unretrieved)
    found = labels(claim, guess, 2.0 * half)
    while True:
        fine = Guess.of(retrieved, unretrieved, points=POINTS)
        width, coverage = covered(claim, fine, found)
        if coverage >= least:
            return Needed(found.labels, found.retrieved, found.unretrieved, width / 2.0, coverage)
        found = best(claim, guess, round(found.labels * STEP), found.share)


def covered(claim: Claim, guess: Guess, at: Allocation) -> tuple[float, float]:
    """Return the mean width and the coverage of one allocation."""
    low, high = ends(claim, guess, (at.retrieved, at.unretrieved))
    R1, R0 = guess.R1, guess.R0
    truth = R1 / (R1 + R0) if claim.measure == "recall" else 2 * R1 / (guess.one.N + R1 + R0)
    hit = (low <= truth + 1e-12) & (truth <= high + 1e-12)
    return float((high - low).mean()), float(hit.mean())


if __name__ == "__main__":
    for world, hidden in (("good", 0.0), ("hidden", HIDDEN)):
        one, other = population(hidden).segments
        sys.stdout.write(f"{world}: {one[0]} retrieved with {one[1]}, {other[0]} with {other[1]}\n")
        for measure in ("recall", "f1"):
            start = time.process_time()
            found = needed(one, other, measure)
            took = time.process_time() - start
            printed = PRINTED.get((world, measure), "none")
            sys.stdout.write(
                f"  {measure}: {found.labels} labels ({found.retrieved} + {found.unretrieved}), "
                f"+-{found.half:.4f}, coverage {found.coverage:.3f}; "
                f"others found {printed} ({took:.0f} s)\n"
            )
