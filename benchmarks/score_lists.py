"""Recall, F1 and precision of labelled lists with scores: the default against two segments.

For each list: coverage and mean width of the default design and interval, and the mean width of
Webber's two segments (beta-binomial, 1/2) with the same number of labels, half in each. It reads
the sets of published labels in a folder beside a `loaders.py`, which this repository does not hold.

    python benchmarks/score_lists.py --data DIR [--budget 500] [--reps 200] [--only TEXT]
"""

from __future__ import annotations

import importlib.util
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import aliquot as aq
from aliquot.intervals import batch
from aliquot.intervals.betabin import Strata
from aliquot.wiring.rng import generator

MEASURES = ("Recall", "F1", "Precision")


class World(NamedTuple):
    """A scored list: which units are retrieved, and which are positive."""

    name: str
    score: NDArray[np.float64]
    threshold: float
    label: NDArray[np.int64]


def worlds(folder: Path) -> Iterator[World]:
    """Yield every list that has a system with a threshold, and that is worth a sample."""
    spec = importlib.util.spec_from_file_location("loaders", folder / "loaders.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"{folder} has no loaders.py")
    load: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(load)
    for table, by, label, scores in (
        (load.reviews(), "review", "label", ("score_lr", "score_cnb")),
        (load.er_magellan(), "dataset", "label", ("lr", "rf", "gnb", "tfidf_word")),
        (load.er_marchant(), "pool", "labels", ("probs",)),
    ):
        for name, part in table.groupby(by):
            for score in scores:
                yield _world(f"{name} {score}", part[score], part[label])
    runs, judged = load.clef_tar()
    amc = runs[runs.run == "AMC/amc.run.res"].merge(judged[["doc", "rel"]], on="doc")
    yield _world("CLEF TAR 2017 amc", amc.score, amc.rel)


def _world(name: str, score: Any, label: Any) -> World:  # noqa: ANN401  (columns of a table)
    return World(name, score.to_numpy(np.float64), 0.5, label.to_numpy(np.int64))


def segments(world: World, budget: int, reps: int, rng: np.random.Generator) -> list[float]:
    """Return the mean width of each measure from two segments, each with half of the labels."""
    above = world.score >= world.threshold
    parts = []
    N = [int(above.sum()), int((~above).sum())]
    n1 = max(min(N[0], budget // 2), budget - N[1])
    for mine, size, n in zip((above, ~above), N, (n1, budget - n1), strict=True):
        R = int(world.label[mine].sum())
        r = rng.hypergeometric(R, size - R, min(n, size), reps)
        parts.append(Strata.of(np.full(reps, size), min(n, size), r))
    found = (batch.recall(*parts), batch.fbeta(*parts), batch.share(parts[0]))
    return [float(np.mean(high - low)) for low, high in found]


def tried(world: World, asked: Namespace) -> list[tuple[float, float]]:
    """Return coverage and width of each measure by the default."""
    names = [str(i) for i in range(len(world.label))]
    units = pa.table({"id": names, "s": world.score})
    scored: dict[str, str | tuple[str, float]] = {"s": ("s", world.threshold)}
    frame = aq.Frame.from_table(units, id="id", scored=scored, labels="0,1")
    truth = {name: str(y) for name, y in zip(names, world.label.tolist(), strict=True)}
    rows = aq.simulate(
        frame,
        truth=truth,
        designs=[asked.design],
        budget=asked.budget,
        measures=list(MEASURES),
        interval=asked.interval,
        reps=asked.reps,
        rng=1,
    )
    found = {row.measure: (row.coverage or 0.0, row.width or 0.0) for row in rows}
    return [found[name] for name in MEASURES]


def main() -> None:
    """Print a line a list."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--budget", type=int, default=500)
    parser.add_argument("--reps", type=int, default=200)
    parser.add_argument("--only", default="")
    parser.add_argument("--design", default="default")
    parser.add_argument("--interval", default="default")
    asked = parser.parse_args()
    if asked.data is None:
        print("nothing to measure: give --data DIR, a folder with published labels")
        return
    print(f"{'list':44}{'units':>8}{'pos':>6}" + "".join(f"{m:>24}" for m in MEASURES))
    print(" " * 58 + f"{'coverage  width  two seg':>24}" * len(MEASURES))
    total = []
    for world in worlds(asked.data):
        kept = bool((world.score >= world.threshold).any()) and not np.isnan(world.score).any()
        if asked.only not in world.name or len(world.label) < 2 * asked.budget or not kept:
            continue
        ours, theirs = tried(world, asked), segments(world, asked.budget, asked.reps, generator(1))
        total.append([(c, w, t) for (c, w), t in zip(ours, theirs, strict=True)])
        cells = "".join(f"{c:10.3f}{w:7.3f}{t:7.3f}" for c, w, t in total[-1])
        print(f"{world.name:44}{len(world.label):8d}{world.label.sum():6d}{cells}", flush=True)
    mean = np.mean(total, axis=0)
    cells = "".join(f"{c:10.3f}{w:7.3f}{t:7.3f}" for c, w, t in mean)
    print(f"{'mean of ' + str(len(total)):58}{cells}")
    low = np.min(total, axis=0)[:, 0]
    print(f"{'least coverage':58}" + "".join(f"{c:10.3f}{'':14}" for c in low))


if __name__ == "__main__":
    main()
