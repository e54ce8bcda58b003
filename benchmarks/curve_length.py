"""What a curve costs besides the labels: time without the oracle, and memory, by length.

    python benchmarks/curve_length.py [--strategy adastrat]

The oracle is lazy: a label is a hash of its rank. Its own time is taken off. A list of 10^9 has to
take less than 2 s and 200 MB, the interpreter and numpy included.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time

import numpy as np

from aliquot.core import prn
from aliquot.core.frame import Floats
from aliquot.curves.points import Ranks
from aliquot.curves.registry import strategy
from aliquot.curves.steps import run
from aliquot.wiring.rng import generator

LENGTHS = (10**6, 10**7, 10**8, 10**9, 10**12, 10**15)
SPELLINGS = (
    "adastrat",
    "adastrat(query=stratified)",
    "logstrat",
    "paula",
    "band",
    "band(assume=monotone)",
)


class Lazy:
    """Labels whose chance falls from .95 to .5 along the list, and the time that they took."""

    def __init__(self, n: int) -> None:
        """Begin with no time taken."""
        self.n, self.seconds = n, 0.0

    def __call__(self, ranks: Ranks) -> Floats:
        """Return the labels of ranks."""
        began = time.perf_counter()
        chance = 0.95 - 0.45 * 1.6 * (ranks / self.n) ** 0.6
        labels = (prn.uniform(ranks.astype(np.uint64), 3) < chance).astype(float)
        self.seconds += time.perf_counter() - began
        return labels


def one(spelling: str, n: int) -> None:
    """Print one line, measured in a process of its own."""
    oracle = Lazy(n)
    began = time.perf_counter()
    found = run(strategy(spelling).steps(n, generator(1)), oracle)
    seconds = time.perf_counter() - began - oracle.seconds
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    began = time.perf_counter()
    found.values(np.unique(np.geomspace(1, n, 10_000).astype(np.int64)))
    asked = (time.perf_counter() - began) / 10_000
    print(
        f"{spelling:<27} {n:>8.0e} {found.queries:>8} {found.annotations:>8} "
        f"{seconds:>10.3f} {oracle.seconds:>8.3f} {1e6 * asked:>8.2f} {peak:>8.0f}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Time and memory of a curve by length.")
    parser.add_argument("--strategy", default="")
    parser.add_argument("--n", type=int, default=0)
    asked = parser.parse_args()
    if asked.n:
        one(asked.strategy, asked.n)
        return
    print(
        f"{'strategy':<27} {'N':>8} {'queries':>8} {'labels':>8} {'seconds':>10} {'oracle':>8} "
        f"{'us/rank':>8} {'MB':>8}",
        flush=True,
    )
    for spelling in [asked.strategy] if asked.strategy else SPELLINGS:
        for n in LENGTHS:
            command = [sys.executable, __file__, "--strategy", spelling, "--n", str(n)]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
