"""Operating points: precision, recall and F1 at any rank of a curve, and thresholds chosen on it.

The limits hold at every rank at once, so they hold at a rank that was chosen after a look at the
curve. With T the number of positives down to a rank, recall is `T(r) / T(n)` and F1 is
`2 T(r) / (r + T(n))`: both grow with T(r) and fall with T(n), so their limits follow from those of
T(r) and T(n), with `T(n) - T(r)` between 0 and n - r.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from aliquot.core.frame import Floats
from aliquot.curves.points import Curve, Ranks
from aliquot.errors import UsageError


@final
@dataclass(frozen=True)
class Operating:
    """What a cut after one rank gives. `threshold` is the score, or the depth, that cuts there."""

    rank: int
    threshold: float | None
    precision: float
    precision_low: float
    precision_high: float
    recall: float
    recall_low: float
    recall_high: float
    f1: float
    f1_low: float
    f1_high: float

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as a dict."""
        return asdict(self)


def operating(curve: Curve, ranks: ArrayLike, thresholds: Floats | None = None) -> list[Operating]:
    """Return the operating points at some ranks."""
    asked = np.asarray(ranks, dtype=np.int64)
    found, whole = curve.values(asked), curve.at(curve.n)
    depth: Floats = asked.astype(np.float64)
    counts = [depth * column for column in found]
    total, low, high = (curve.n * end for end in whole[1:])
    left = curve.n - depth
    most = np.minimum(high, counts[1] + left)  # of T(n), where T(r) is least
    least = np.maximum(low, counts[2])  # and the least of it, where T(r) is most
    pairs = zip(counts, (np.maximum(total, counts[0]), most, least), strict=True)
    shares = [(_share(t, n), _share(2.0 * t, depth + n)) for t, n in pairs]
    recall, f1 = zip(*shares, strict=True)
    columns = np.stack([*found, *recall, *f1], axis=1).tolist()
    cuts = [None] * len(asked) if thresholds is None else np.asarray(thresholds).tolist()
    return [
        Operating(rank, cut, *row)
        for rank, cut, row in zip(asked.tolist(), cuts, columns, strict=True)
    ]


def deepest(curve: Curve, precision: float, cuts: Ranks | None = None) -> int | None:
    """Return the deepest rank with at least this precision, as sure as the curve's level.

    `cuts` are the ranks after which a threshold can cut; none given: every rank. None: no rank is
    sure to have it.

    >>> low = np.array([1.0, 0.5])
    >>> curve = Curve("", 10, 2, 4, np.array([1, 10]), low, low, low, guarantee="any-curve")
    >>> deepest(curve, 0.6), deepest(curve, 0.6, np.array([2, 8]))
    (3, 2)
    """
    if not 0.0 < precision <= 1.0:
        raise UsageError(
            f"a precision of {precision:g} is not between 0 and 1", do="Ask for one such as 0.9"
        )
    if cuts is not None:
        sure = np.flatnonzero(curve.values(cuts).low >= precision * (1.0 - 1e-12))
        return int(cuts[sure[-1]]) if len(sure) else None
    spare = curve.ranks * (curve.lows - precision * (1.0 - 1e-12))
    sure = np.flatnonzero(spare >= 0.0)
    if not len(sure):
        return None
    i = int(sure[-1])
    if i + 1 == len(spare):
        return curve.n
    gap = int(curve.ranks[i + 1] - curve.ranks[i])
    return int(curve.ranks[i]) + int(gap * spare[i] / (spare[i] - spare[i + 1]))


def _share(part: Floats, whole: Floats) -> Floats:
    found: Floats = np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
    return np.clip(found, 0.0, 1.0)
