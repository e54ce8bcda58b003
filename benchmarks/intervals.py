"""How fast intervals from counts are: 100,000 at once, 10,000 strata, and one of each method.

python benchmarks/intervals.py [CASES]
"""

from __future__ import annotations

import sys
import time

import numpy as np
from numpy.typing import NDArray

from aliquot.intervals import batch, posterior
from aliquot.intervals.betabin import Strata
from aliquot.intervals.counts.base import Question
from aliquot.intervals.counts.registry import COUNTED
from aliquot.wiring.rng import generator
from aliquot.wiring.workers import cores, spread

PIECE = 5_000
Whole = NDArray[np.int64]


def alike(seed: int) -> tuple[Strata, Strata]:
    """2,000 retrieved and 100,000 not, 100 sampled of each: other counts every time."""
    rng = generator(seed)
    r1, r0 = rng.binomial(100, 0.5, PIECE), rng.binomial(100, 0.03, PIECE)
    return Strata.of([2_000.0], [100.0], r1), Strata.of([100_000.0], [100.0], r0)


def mixed(seed: int) -> tuple[Strata, Strata]:
    """Segments of 1,000 to three million units, samples of 10 to 10,000."""
    rng = generator(seed)
    N1, N0 = (np.floor(10 ** rng.uniform(3, 6.5, PIECE)) for _ in range(2))
    n1, n0 = (np.minimum(np.floor(10 ** rng.uniform(1, 4, PIECE)), N) for N in (N1, N0))
    p1, p0 = rng.uniform(0.05, 0.95, PIECE), 10 ** rng.uniform(-3, -0.5, PIECE)
    r1, r0 = (rng.binomial(n.astype(int), p) for n, p in ((n1, p1), (n0, p0)))
    return Strata.of(N1, n1, r1), Strata.of(N0, n0, r0)


WORLDS = {"alike": alike, "mixed": mixed}


def piece(task: tuple[str, int]) -> float:
    """Work out one piece; return the mean width."""
    low, high = batch.recall(*WORLDS[task[0]](task[1]))
    return float((high - low).mean())


if __name__ == "__main__":
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    for world in WORLDS:
        tasks = [(world, seed) for seed in range(max(cases // PIECE, 1))]
        start = time.perf_counter()
        width = sum(spread(piece, tasks)) / len(tasks)
        took = time.perf_counter() - start
        print(f"{len(tasks) * PIECE} {world}: {took:.1f} s on {cores()} cores, width {width:.3f}")
    rng = generator(1)
    n = rng.integers(2, 9, 10_000)
    strata = Strata.of(rng.integers(10, 500, 10_000), n, rng.binomial(n, 0.1))
    start = time.perf_counter()
    posterior.total(strata)
    print(f"yield of 10,000 strata: {time.perf_counter() - start:.3f} s")
    asked = Question("recall", Strata.of(2_000, 100, 50), Strata.of(100_000, 1_000, 30))
    for kind in COUNTED:
        kind().interval(asked)
        start = time.perf_counter()
        kind().interval(asked)
        print(f"{kind.name}: {1000 * (time.perf_counter() - start):.1f} ms")
