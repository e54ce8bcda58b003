"""The interval from counts: a beta-binomial posterior in each cell of a stratified sample."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.estimate import Cells, Estimate
from aliquot.core.frame import Floats
from aliquot.errors import UsageError
from aliquot.intervals import posterior
from aliquot.intervals.base import Method
from aliquot.intervals.betabin import Strata

DOUBT = 0.5  # both parameters of the prior in the largest cell: Jeffreys'
SEEN = 3.0  # how much must have been seen for a prior to count where few positives are bad
LEAST = 1e-6  # of a parameter
MEANS = ((0.02, 0.98), (0.25, 0.75))  # of what is not retrieved, and of what is


@final
class BetaBin(Method):
    """Posterior quantiles of recall, F or a share, from what was counted in each cell.

    What was not judged of a cell is beta-binomial (Webber 2013, Eqs. 16 and 17), and cells add up.
    The largest cell, of the retrieved and of the others, has Jeffreys' prior Beta(1/2, 1/2): it is
    where the doubt is. Each other one has a prior of mass one whose mean is what scores expect
    there, never below .02 nor above .98, and .25 to .75 for the retrieved: Beta(1/2, 1/2) in each
    of many strata would add up to positives that nobody saw. No prior pulls an end back past the
    share that was seen: a score that labels contradict widens. At the upper end of recall few
    positives among the others are the bad case, and a prior may not make up what was not seen: its
    first parameter is multiplied by `s / (s + 3 w)`, w what one more positive of the cell would
    stand for, s the positives that were seen in the other cells, estimated.
    **Units were drawn at random within their strata. Priors decide little where labels are many;
    a score that is wrong costs width, and in small samples some coverage.**
    """

    name: ClassVar[str] = "betabin"
    counts: ClassVar[bool] = True

    def ends(self, estimate: Estimate, level: float) -> tuple[float, float]:
        """Both quantiles; they hold the estimate."""
        cells = estimate.cells
        if cells is None:
            raise UsageError(
                f"{self.name} needs counts in strata, and {estimate.measure} has none here",
                do="Draw with headtail, stratified or uniform, or leave the interval out",
            )
        held, one = cells.retrieved, 1.0 - (1.0 - level) / 2.0
        below, above = (_strata(cells, held, MEANS[1], more=more) for more in (False, True))
        few, many = (_strata(cells, ~held, MEANS[0], more=more) for more in (False, True))
        few = _fewer(few)
        if np.isinf(cells.beta):
            low = posterior.recall(below, many, level=one, side="lower")[0]
            high = posterior.recall(above, few, level=one, side="upper")[1]
        elif cells.beta > 0:
            low = posterior.fbeta(below, many, weight=cells.beta, level=one, side="lower")[0]
            high = posterior.fbeta(above, few, weight=cells.beta, level=one, side="upper")[1]
        else:
            least, most = (below, above) if held.any() else (few, many)
            low = posterior.share(least, level=one, side="lower")[0]
            high = posterior.share(most, level=one, side="upper")[1]
        return min(low, estimate.estimate), max(high, estimate.estimate)


def _strata(
    cells: Cells, mine: NDArray[np.bool_], means: tuple[float, float], *, more: bool
) -> Strata:
    """Return some of the cells with their priors, for the end where many positives are bad or few.

    There a prior does not pull to the other side of what was seen.
    """
    N, n, r = cells.N[mine], cells.n[mine], cells.r[mine]
    mean: Floats = np.clip(cells.expected[mine], *means)
    seen = np.divide(r, n, out=mean.copy(), where=n > 0)
    mean = np.maximum(mean, seen) if more else np.minimum(mean, seen)
    a, b = np.maximum(mean, LEAST), np.maximum(1.0 - mean, LEAST)
    if len(N):
        a[_largest(N, n)] = b[_largest(N, n)] = DOUBT
    return Strata(N, n, r, a, b)


def _fewer(strata: Strata) -> Strata:
    """Return strata whose priors hold no more positives than the labels bear out."""
    sampled = np.maximum(strata.n, 1.0)
    found = strata.N * strata.r / sampled
    elsewhere = found.sum() - found
    doubt = SEEN * strata.left / sampled
    share = np.divide(elsewhere, elsewhere + doubt, out=np.ones(len(found)), where=doubt > 0)
    return replace(strata, alpha=np.maximum(strata.alpha * share, LEAST))


def _largest(N: Floats, n: Floats) -> int:
    return int(np.argmax(N - n))
