"""An estimate and its interval, with everything needed to judge them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray

Shape = Literal["known", "share", "mean", "total", "ratio"]
Guarantee = Literal["exact", "design-unbiased", "design-consistent", "anytime", "model-based"]


@final
@dataclass(frozen=True)
class Interval:
    """A confidence interval. Another level is another interval.

    >>> Interval(0.4, 0.6, 0.95, "logit")
    Interval(low=0.4, high=0.6, level=0.95, method='logit')
    """

    low: float
    high: float
    level: float
    method: str

    @property
    def width(self) -> float:
        """high - low."""
        return self.high - self.low

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as a dict."""
        return asdict(self)


@final
@dataclass(frozen=True, eq=False)
class Terms:
    """Draws that an estimate is the plain mean of, in random order, each between `low` and `high`.

    `population` is how many units there are when they were drawn without replacement, else 0.
    """

    values: NDArray[np.float64]
    low: float
    high: float
    population: int = 0

    @classmethod
    def of(cls, values: Sequence[float], low: float = 0.0, high: float = 1.0) -> Terms:
        """Return draws with replacement.

        >>> Terms.of([0.0, 0.5], high=2.0).span
        2.0
        """
        return cls(np.array(values, dtype=np.float64), low, high)

    @property
    def span(self) -> float:
        """How far two draws can lie apart."""
        return self.high - self.low


@final
@dataclass(frozen=True, eq=False)
class Cells:
    """Units that are alike to a sample and to a system: N of them, n judged, r of these positive.

    A cell is what a system retrieves of a stratum, or what it does not. `expected` is the share of
    positives that scores expect in it. `beta` is that of F; 0 is a share of the retrieved, and
    infinity is recall.
    """

    retrieved: NDArray[np.bool_]
    N: NDArray[np.float64]
    n: NDArray[np.float64]
    r: NDArray[np.float64]
    expected: NDArray[np.float64]
    beta: float

    def within(self, low: float, high: float, estimate: float) -> tuple[float, float]:
        """Keep the ends of a share to what the units not judged can still make of it.

        >>> one = Cells(*(np.array([x]) for x in (True, 84.0, 81.0, 0.0, 0.5)), beta=0.0)
        >>> one.within(0.0, 0.0453, 0.0)
        (0.0, 0.03571428571428571)
        """
        if self.beta != 0.0:
            return low, high
        mine = self.retrieved if self.retrieved.any() else np.ones(len(self.N), dtype=np.bool_)
        N, n, r = self.N[mine].sum(), self.n[mine].sum(), self.r[mine].sum()
        least, most = min(float(r / N), estimate), max(float((r + N - n) / N), estimate)
        return max(low, least), min(high, most)


@final
@dataclass(frozen=True)
class Estimate:
    """One measure of one system, estimated.

    `effective_n` counts the judged units that bear on it, as if all weighed the same; `df` are
    effective degrees of freedom. A unit that was drawn stands for `weight` in the estimate on
    average, and for no more than `reach`. `shape` says what it is: known (but for
    units that no draw could see), a share or a mean of units that all weigh alike, another total,
    or a ratio. `slack` widens every interval: what units that no draw could
    have chosen could take away or add. `terms` are the draws, where it is their plain mean, and
    `cells` the counts, where units were drawn at random within strata.
    `judging` is the part of the variance that comes from judges who differ about a unit, None where
    no unit has two judgments.
    """

    system: str
    measure: str
    estimate: float
    stderr: float
    judged: int
    effective_n: float
    estimator: str
    guarantee: Guarantee
    bounds: tuple[float, float] = (0.0, 1.0)
    assisted: bool = False
    df: float = float("inf")
    weight: float = 0.0
    reach: float = 0.0
    shape: Shape = "total"
    slack: tuple[float, float] = (0.0, 0.0)
    warnings: tuple[str, ...] = ()
    judging: float | None = None
    terms: Terms | None = field(default=None, compare=False, repr=False)
    cells: Cells | None = field(default=None, compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as a dict, without the single draws and the counts."""
        found = asdict(replace(self, terms=None, cells=None))
        del found["terms"], found["cells"]
        return found
