"""Whether the worst rank is within the promised factor as often as promised.

    python benchmarks/curve_guarantee.py [--data DIR] [--runs 50] [--list NAME]

Each published strategy is run again and again on lists of known labels, with epsilon 0.03, delta
0.05 and beta 1.05: the factor is 1.0815. `rise` is what weak monotonicity (100, 3492) forbids, the
largest p(j) / p(i) with i from 3,492 on and j at least 100 below: 1 where it holds, and labels
drawn at random never obey it to the letter. `within`: the share of runs whose worst ratio of truth
and curve, at any rank, is at most the factor. `covers`: whose ends hold at every rank. `told`: that
said that the assumption failed, and gave ends that need none. With --data DIR, a folder with
ppdb_human/ppdb_sample_scored.csv.gz, the judged pairs of PPDB as well, alone and a hundredfold.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from aliquot.core import prn
from aliquot.core.frame import Floats
from aliquot.curves.points import Curve
from aliquot.curves.registry import strategy
from aliquot.curves.steps import run
from aliquot.papers.base import Settings
from aliquot.papers.sabharwal_made import Scaled, judged, made
from aliquot.wiring.rng import generator

N, START, M, SEED = 356_150, 3_492, 100, 1
FACTOR = 1.05 * 1.03
STRATEGIES = (
    "random",
    "logstrat",
    "adastrat",
    "adastrat(query=stratified)",
    "adastrat(query=stratified, proof=strict)",
)


def local(name: str) -> Floats:
    """Return the chance of a positive label at each rank."""
    r = np.arange(1, N + 1)
    if name == "flat":
        return np.full(N, 0.6)
    if name == "fast":
        return np.where(r <= 0.3 * N, 0.95, 0.02)
    if name == "step":
        return np.where(r <= 0.03 * N, 0.9, 0.5)
    if name == "rising top":
        down = 0.75 - 0.3 * r / N
        return np.where(r <= 300, 0.3, np.where(r <= 2_000, 0.9, down))
    return np.where(r <= 20_000, 0.5, 0.8)  # rises for long: nothing holds


JUDGED = ("ppdb judged", "ppdb judged x100")
MADE = ("flat", "fast", "step", "rising top", "rising on")


def items(name: str, data: Path | None) -> Scaled:
    """Return one list."""
    settings = Settings(data=data)
    if name == "ppdb-like":
        return made(10, 0)
    if name.startswith("ppdb judged"):
        return judged(settings, 100 if "x100" in name else 1, 0)
    luck = prn.uniform(np.arange(N, dtype=np.uint64), 77)
    labels = (luck < local(name)).astype(float)
    return Scaled(labels, labels, 1, 0)


def rise(truth: Floats) -> float:
    """Return the largest p(j) / p(i), i from START on and j at least M below."""
    highest = np.maximum.accumulate(truth[::-1])[::-1]
    return float((highest[START - 1 + M :] / truth[START - 1 : -M]).max())


def worst(curve: Curve, truth: Floats, ranks: np.ndarray) -> tuple[float, bool]:
    """Return the largest ratio of truth and curve, and whether the ends hold."""
    values, p = curve.values(ranks), truth[ranks - 1]
    low, high = np.minimum(values.precision, p), np.maximum(values.precision, p)
    ratio = np.where(high > 0.0, np.inf, 1.0)
    np.divide(high, low, out=ratio, where=low > 0.0)
    held = (values.low <= p * (1 + 1e-12)) & (p <= values.high * (1 + 1e-12))
    return float(ratio.max()), bool(held.all())


Row = tuple[str, str, float, float, float, float, float, float, float]


def measure(name: str, data: Path | None, runs: int) -> Iterator[Row]:
    """Run every strategy on one list."""
    made_ = items(name, data)
    truth, n = made_.truth, made_.n
    every = np.arange(1, n + 1, 1 if n <= N else 7)
    for spelling in STRATEGIES:
        found = []
        for seed in range(runs):
            steps = strategy(spelling).steps(n, generator(SEED, seed))
            curve = run(steps, made_)
            ratio, held = worst(curve, truth, every)
            told = curve.guarantee == "any-curve" and spelling != "random"
            found.append((ratio, ratio <= FACTOR, held, told, curve.queries, curve.annotations))
        columns = np.array(found, dtype=float)
        _, within, covers, told, queries, labels = columns.mean(axis=0).tolist()
        largest = float(columns[:, 0].max())
        yield name, spelling, rise(truth), largest, within, covers, told, queries, labels


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Check the guarantee of published strategies.")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--list", action="append")
    asked = parser.parse_args()
    head = ("list", "strategy", "rise", "worst", "within", "covers", "told", "queries", "labels")
    line = "{:<17} {:<41} {:>6} {:>7} {:>7} {:>7} {:>5} {:>8} {:>8}"
    print(line.format(*head))
    known = JUDGED if asked.data is not None else ()
    for name in asked.list or ("ppdb-like", *MADE, *known):
        for row in measure(name, asked.data, asked.runs):
            cells = [f"{row[2]:.3f}", f"{row[3]:.4f}", *(f"{one:.3f}" for one in row[4:7])]
            print(line.format(*row[:2], *cells, f"{row[7]:.1f}", f"{row[8]:.0f}"), flush=True)


if __name__ == "__main__":
    main()
