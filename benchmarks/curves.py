"""Labels for a whole precision curve within a factor 1.0815: `band`, both ways, beside AdaStrat.

    python benchmarks/curves.py [--data DIR] [--runs 200]

Each strategy is run again and again on lists whose labels are known. `within`: the share of runs in
which the curve is within the factor at every rank from 3,492 on. `covers`: the share in which the
ends hold at every rank (for AdaStrat and `band(assume=monotone)` they rest on an assumption, which
`rising top` and PPDB a hundredfold break). `told`: the share that said that labels refuted it.

With --data DIR, a folder with ppdb_human/ppdb_sample_scored.csv.gz, PPDB's judged pairs are run as
well, and scaled up a hundredfold, each pair a hundred times, as the paper does.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.adastrat import Adastrat
from aliquot.curves.band import Band
from aliquot.curves.base import Strategy
from aliquot.curves.points import Curve
from aliquot.curves.steps import run
from aliquot.wiring.rng import generator

N, START, SEED = 3_561_500, 3_492, 1
MADE: dict[str, Callable[[Floats], Floats]] = {  # precision at rank r
    "ppdb-like": lambda r: 0.498 + 0.45 / (1.0 + np.exp((np.log(r / N) + 3.0) / 1.2)),
    "flat .5": lambda r: np.full(len(r), 0.5),
    "flat .9": lambda r: np.full(len(r), 0.9),
    "fast": lambda r: np.minimum(0.95, 0.95 * (r / START) ** -0.25),
    "step": lambda r: np.where(r < N**0.75, 0.9, (0.9 * N**0.75 + 0.3 * (r - N**0.75)) / r),
    "rising top": lambda r: 0.9 - 0.35 * np.abs(np.log(r / 50_000)) / 6.0,
}


def labels(precision: Callable[[Floats], Floats]) -> Floats:
    """Make labels whose precision goes along a function."""
    r = np.arange(1, N + 1).astype(np.float64)
    share = np.clip(np.diff(precision(r) * r, prepend=0.0), 0.0, 1.0)
    return (generator(5).random(N) < share).astype(np.float64)


def ppdb(folder: Path) -> Floats:
    """Read PPDB's judged pairs in the order of their score."""
    with gzip.open(folder / "ppdb_human" / "ppdb_sample_scored.csv.gz", "rt") as file:
        rows = [(-float(row["score_gbm_wiki"]), row["label"]) for row in csv.DictReader(file)]
    rows.sort(key=lambda row: row[0])
    return np.array([float(label) for _, label in rows])


def worlds(data: Path | None) -> Iterator[tuple[str, str]]:
    """Name every list: made ones, and PPDB's."""
    yield from ((name, "") for name in MADE)
    if data is not None:
        yield from ((f"PPDB x{times}", str(data)) for times in (1, 100))


def world(name: str, data: str) -> Floats:
    """Return the labels of a list."""
    if name in MADE:
        return labels(MADE[name])
    return np.repeat(ppdb(Path(data)), int(name.partition("x")[2]))


def one(curve: Curve, total: Floats, how: Strategy) -> tuple[float, float, float, float, float]:
    """Return labels, and whether the curve and its ends are right from START on."""
    ranks = curve.ranks[curve.ranks >= START]
    ranks = np.unique(np.concatenate([ranks, np.geomspace(START, curve.n, 20_000).astype(int)]))
    truth, at = total[ranks - 1] / ranks, curve.values(ranks)
    ratio = np.max(np.maximum(at.precision / truth, truth / at.precision))
    covers = np.all((at.low <= truth + 1e-9) & (truth <= at.high + 1e-9))
    within = ratio <= how.factor * (1 + 1e-9)
    told = curve.guarantee in ("any-curve", "approximate") and how != Band()
    return float(curve.annotations), float(within), float(covers), float(told), float(ratio)


def measure(task: tuple[str, str, int]) -> list[list[Any]]:
    """Run the strategies on one list."""
    name, data, runs = task
    y = world(name, data)
    total = np.cumsum(y)
    least = float(np.min((total / np.arange(1, len(y) + 1))[START - 1 :]))
    rows = []
    for how, times in (
        (Adastrat(p_min=least), max(runs // 10, 5)),
        (Band(), runs),
        (Band(assume="monotone"), runs),
    ):
        found = np.array(
            [
                one(run(how.steps(len(y), generator(SEED, i)), lambda k: y[k - 1]), total, how)
                for i in range(times)
            ]
        )
        label = "monotone" if how == Band(assume="monotone") else how.name
        rows.append([name, label, times, *found.mean(axis=0), found[:, -1].max()])
    return rows


def main() -> None:
    """Print one line a list and strategy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--runs", type=int, default=200)
    asked = parser.parse_args()
    print("list         strategy  runs  labels  within  covers   told  worst ratio (mean, most)")
    tasks = [(*one_world, asked.runs) for one_world in worlds(asked.data)]
    for rows in map(measure, tasks):
        for name, how, times, count, within, covers, told, ratio, most in rows:
            print(
                f"{name:12s} {how:9s} {times:4d} {count:7.0f}  {within:6.3f}  {covers:6.3f}  "
                f"{told:5.3f}  {ratio:.4f} {most:.4f}  {rows[0][3] / count:.1f} times fewer",
                flush=True,
            )


if __name__ == "__main__":
    main()
