"""Labels in two stages: a head and a tail that learn from the first stage, against ones that don't.

For each population: coverage, mean width and bias of recall, F1 and precision at 95 %, from 200
labels and then 300. Three made populations, each also with 15 % of its positives hidden, and with
`--data` the lists of `score_lists.py` that hold 1,000 units and 20 positives, of two scores each.

    python benchmarks/in_stages.py [--data DIR] [--reps 200] [--only TEXT]
"""

from __future__ import annotations

import importlib.util
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import aliquot as aq
from aliquot.core.records import Judgment
from aliquot.study.draw import draw
from aliquot.study.estimate import Question, answer, checked
from aliquot.study.labelled import Labelled
from aliquot.study.replay import Setting, rows, truths
from aliquot.study.sampling import sample
from aliquot.study.scratch import again
from aliquot.study.work import Work
from aliquot.wiring.rng import generator

MEASURES = ("Recall", "F1", "Precision")
STAGES = (200, 300)
MADE = ((100_000, 0.01, 3.6), (20_000, 0.05, 2.5), (20_000, 0.01, 3.0))
SCORES = ("score_lr", "score_cnb", " lr", " gnb")
World = tuple[str, NDArray[np.float64], NDArray[np.int64]]


def made() -> Iterator[World]:
    """Yield normal scores, the chance of a positive by them, and some positives without one."""
    for N, share, d in MADE:
        for hidden in (0.0, 0.15):
            rng = generator(7)
            y = (rng.random(N) < share).astype(np.int64)
            x = rng.normal(size=N) + d * y
            gone = (y == 1) & (rng.random(N) < hidden)
            x[gone] = rng.normal(size=int(gone.sum()))
            logit = d * x - d * d / 2 + np.log(share / (1 - share))
            score = 1.0 / (1.0 + np.exp(-(1.5 if hidden else 1.0) * logit))
            yield f"{N} units, {share:.0%} positive, d={d}, {hidden:.0%} hidden", score, y


def lists(folder: Path) -> Iterator[World]:
    """Yield labelled lists, each with a good and with a poor score."""
    path = Path(__file__).with_name("score_lists.py")
    spec = importlib.util.spec_from_file_location("score_lists", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} can't be read")
    load: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(load)
    for name, score, threshold, label in load.worlds(folder):
        large = len(label) >= 1_000 and label.sum() >= 20 and not np.isnan(score).any()
        if name.endswith(SCORES) and large and (score >= threshold).any():
            yield name, score, label


def known(world: World) -> Labelled:
    """Return a study of a population whose labels are known."""
    _, score, label = world
    units = pa.table({"id": [str(i) for i in range(len(label))], "s": score})
    frame = aq.Frame.from_table(units, id="id", scored={"s": ("s", 0.5)}, labels="0,1")
    study = aq.Study.in_memory(frame, measures=list(MEASURES), rng=1)
    return Labelled(study.book, label.astype(np.float64))


def stages(world: Labelled, setting: Setting, seed: int) -> dict[str, tuple[float, float, float]]:
    """Draw, judge, draw and judge; return each estimate and its interval."""
    book = again(world.book, seed)
    for budget in STAGES:
        units = draw(book, budget, spelling=setting.design).units
        values = world.labels[book.frame.locate(units.key)].tolist()
        new = zip(units.unit, values, units.new.tolist(), strict=True)
        book.ledger.record([Judgment(unit, "", value) for unit, value, own in new if own])
    found = answer(Work(book, sample(book), "these"), (), checked(Question()))
    return {
        key[3]: (row.low or 0.0, row.value, 1.0 if row.high is None else row.high)
        for one in found
        for key, row in rows(one, setting)
    }


def main() -> None:
    """Print two lines a population."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--reps", type=int, default=200)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    print(" " * 10 + "".join(f"{m + ': coverage  width   bias':>36}" for m in MEASURES))
    for world in [*made(), *(lists(asked.data) if asked.data else ())]:
        if asked.only not in world[0]:
            continue
        print(f"{world[0]} ({int(world[2].sum())} of {len(world[2])} positive)")
        labelled = known(world)
        for learn in ("no", "yes"):
            setting = Setting(f"headtail(learn={learn})", sum(STAGES))
            truth = {measure: t for (_, measure), t in truths(labelled, setting).items()}
            runs = [stages(labelled, setting, 70_000 + i) for i in range(asked.reps)]
            line = f"learn={learn:4}"
            for m in MEASURES:
                low, value, high = np.array([run[m] for run in runs]).T
                hit = np.mean((low <= truth[m]) & (truth[m] <= high))
                bias = np.mean(value) - truth[m]
                line += f"{hit:22.3f}{np.mean(high - low):7.3f}{bias:+7.3f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
