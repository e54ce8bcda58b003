"""Recall within 0.05 of a million units, with and without positives that a score does not see.

Two made populations, 0.5 % positive, a miscalibrated score that retrieves 7,400 at a precision of
about .45 and a recall of about .67; in the second a tenth of the positives have the score of any
unit. Coverage and half-width of the default at a quarter of the labels that Webber's two segments
need in their best allocation, and at 1/1.9 of them; then F1 at 3,400 labels.

    python benchmarks/hidden_positives.py [--reps 200] [--labels 11437 23880]
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit, logit

import aliquot as aq
from aliquot.intervals import batch
from aliquot.intervals.betabin import Strata
from aliquot.wiring.rng import generator

N, SHARE, RECALL, PRECISION = 1_000_000, 0.005, 0.68, 0.46
TWO = (0.02, 0.05, 0.1, 0.2, 0.3)  # of the labels among the retrieved
GOAL = 0.05


class World(NamedTuple):
    """Scores, who is retrieved, and who is positive."""

    score: NDArray[np.float64]
    retrieved: NDArray[np.bool_]
    positive: NDArray[np.bool_]


def world(hidden: float) -> World:
    """Make a population: chances are logit-normal, labels drawn from them, scores miscalibrated."""
    rng = generator(1)
    z = np.sort(rng.normal(size=N))[::-1]

    def centre(spread: float) -> float:
        return float(brentq(lambda m: expit(m + spread * z[::10]).mean() - SHARE, -60.0, 5.0))

    def cut(spread: float) -> tuple[int, float]:
        found = np.cumsum(expit(centre(spread) + spread * z))
        k = int(np.searchsorted(found, RECALL * found[-1]))
        return k, float(found[k] / (k + 1) - PRECISION)

    spread = float(brentq(lambda s: cut(s)[1], 1.0, 12.0, xtol=0.01))
    p = expit(centre(spread) + spread * z)
    positive = rng.random(N) < p
    seen, k = logit(p), cut(spread)[0]
    moved = rng.choice(np.flatnonzero(positive), int(positive.sum() * hidden), replace=False)
    end = seen[k]
    seen[moved] = seen[rng.integers(0, N, len(moved))]
    return World(expit(0.8 * seen - 0.65), seen >= end, positive)


def two_segments(made: World, measure: str, reps: int) -> tuple[int, float]:
    """Search the labels that the best share among the retrieved needs."""
    least = (N, 0.0)
    for share in TWO:
        low, high = 500, 120_000
        while high - low > max(20, low // 200):
            middle = (low + high) // 2
            if _half(made, measure, (round(share * middle), middle), reps) <= GOAL:
                high = middle
            else:
                low = middle
        least = min(least, (high, share))
    return least


def _half(made: World, measure: str, labels: tuple[int, int], reps: int) -> float:
    rng, parts = generator(2), []
    wanted = (labels[0], labels[1] - labels[0])
    for mine, n in zip((made.retrieved, ~made.retrieved), wanted, strict=True):
        size, R = int(mine.sum()), int(made.positive[mine].sum())
        r = rng.hypergeometric(R, size - R, min(n, size), reps)
        parts.append(Strata.of(np.full(reps, size), min(n, size), r))
    low, high = (batch.recall if measure == "Recall" else batch.fbeta)(*parts)
    return float(np.mean(high - low)) / 2.0


def ours(made: World, asked: dict[str, object]) -> str:
    """Return the coverage and the half-width of a design."""
    names = pa.array(np.arange(N)).cast(pa.string())
    units = pa.table({"id": names, "s": made.score})
    end = float(made.score[made.retrieved].min())
    frame = aq.Frame.from_table(units, id="id", scored={"s": ("s", end)}, labels="0,1")
    truth = pa.table(
        {"unit": names, "label": pa.array(made.positive.astype(int)).cast(pa.string())}
    )
    [row] = aq.simulate(frame, truth=truth, rng=3, **asked)  # type: ignore[arg-type]
    coverage, half = row.coverage or 0.0, (row.width or 0.0) / 2.0
    return f"{row.design}: {row.labels:,.0f} labels, coverage {coverage:.3f}, half-width {half:.4f}"


def main() -> None:
    """Print what each needs."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--reps", type=int, default=200)
    parser.add_argument("--labels", type=int, nargs=2, default=(0, 0))
    asked = parser.parse_args()
    for hidden, part, given in zip((0.0, 0.1), (4.0, 1.9), asked.labels, strict=True):
        made = world(hidden)
        needed, share = two_segments(made, "Recall", 200)
        print(
            f"hidden {hidden}: two segments need {needed:,} for recall, {share} retrieved",
            flush=True,
        )
        what = {"budget": given or int(needed / part), "measures": "Recall", "reps": asked.reps}
        print("   ", ours(made, what), flush=True)
        if hidden:
            continue
        needed, share = two_segments(made, "F1", 200)
        print(
            f"hidden {hidden}: two segments need {needed:,} for F1, {share} retrieved", flush=True
        )
        what = {"budget": 3_400, "measures": "F1", "reps": asked.reps}
        print("   ", ours(made, what), flush=True)


if __name__ == "__main__":
    main()
