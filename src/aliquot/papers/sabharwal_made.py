"""Lists like PPDB-36K for Sabharwal and Xue (2018), and their scaled variants.

The ranking of PPDB-36K was never published. Its stand-in is a list of 35,615 labels whose chance
falls so that p(r) = 1 - 0.502 (r / N)^0.6: the p(N) = 0.498 that Table 2 implies, and of the curves
a - (a - p(N)) x^b one for which AdaStrat's row of Table 2 comes out about. Scaling by s draws s
labels with the chance of each. In Section 5 that chance is the running average of 100 labels, which
is bumpier; `drawn` and `judged` do the same.
"""

from __future__ import annotations

import csv
import gzip
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from aliquot.core import prn
from aliquot.core.frame import Floats
from aliquot.curves.points import Curve, Ranks
from aliquot.curves.registry import strategy
from aliquot.curves.steps import run
from aliquot.papers.base import Settings
from aliquot.wiring.rng import generator

N, WINDOW = 35_615, 100
TOP, END, BEND = 1.0, 0.498, 0.6
SCALES = (1, 10, 100, 1000)
P_MIN = 0.497087  # what Table 2's labels of LogStrat imply


@final
@dataclass(frozen=True, eq=False)
class Scaled:
    """A ranked list whose labels are known, `scale` times as long as the one it was made from."""

    labels: Floats
    chance: Floats
    scale: int
    seed: int

    @property
    def n(self) -> int:
        """How many items are ranked."""
        return len(self.labels) * self.scale

    def __call__(self, ranks: Ranks) -> Floats:
        """Return the labels of ranks: the list itself, or draws that are the same every time."""
        if self.scale == 1:
            return self.labels[ranks - 1]
        luck = prn.uniform(ranks.astype(np.uint64), self.seed)
        return (luck < self.chance[(ranks - 1) // self.scale]).astype(float)

    @cached_property
    def truth(self) -> Floats:
        """Precision at every rank."""
        ranks = np.arange(1, self.n + 1)
        found: Floats = np.cumsum(self(ranks)) / ranks
        return found

    def worst(self, curve: Curve, every: int = 1) -> float:
        """Return the largest ratio of truth and curve, at each rank or at every so many."""
        ranks = np.arange(1, self.n + 1, every)
        found, truth = curve.values(ranks).precision, self.truth[::every]
        low, high = np.minimum(found, truth), np.maximum(found, truth)
        ratio = np.where(high > 0.0, np.inf, 1.0)
        np.divide(high, low, out=ratio, where=low > 0.0)
        return float(ratio.max())


def average(labels: Floats) -> Floats:
    """Return the running average of the labels, over fewer of them at both ends."""
    n = len(labels)
    counts = np.append(0.0, np.cumsum(labels))
    low = np.maximum(np.arange(n) - WINDOW // 2, 0)
    high = np.minimum(np.arange(n) + WINDOW // 2, n)
    found: Floats = (counts[high] - counts[low]) / (high - low)
    return found


def made(scale: int, seed: int) -> Scaled:
    """Return the made list, scaled along its smooth curve."""
    x = np.arange(1, N + 1) / N
    chance = np.clip(TOP - (TOP - END) * (1.0 + BEND) * x**BEND, 0.0, 1.0)
    luck = prn.uniform(np.arange(N, dtype=np.uint64), 1_000_003 + seed)
    return Scaled((luck < chance).astype(float), chance, scale, seed)


def drawn(scale: int, seed: int) -> Scaled:
    """Return the made list, scaled along the running average of its labels."""
    labels = made(1, seed).labels
    return Scaled(labels, average(labels), scale, seed)


def judged(settings: Settings, scale: int, seed: int) -> Scaled:
    """Return the pairs of `ppdb_human` by their score, scaled."""
    file = settings.folder("ppdb_human") / "ppdb_sample_scored.csv.gz"
    with gzip.open(file, "rt", encoding="utf-8", newline="") as text:
        rows = [(float(row["score_gbm_wiki"]), float(row["label"])) for row in csv.DictReader(text)]
    scores, labels = np.array(rows).T
    ranked = labels[np.argsort(-scores, kind="stable")]
    return Scaled(ranked, average(ranked), scale, seed)


def curve(spelling: str, items: Scaled, *path: int) -> Curve:
    """Return the curve of a list by one strategy."""
    return run(strategy(spelling).steps(items.n, generator(*path)), items)
