"""Quantiles of posteriors of the unsampled part: beta-binomial, and beta."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, final

import numpy as np

from aliquot.intervals import posterior
from aliquot.intervals.betabin import Strata
from aliquot.intervals.counts import mcp
from aliquot.intervals.counts.base import Counted, Ends, Question


class BetaBinomial(Counted):
    """Quantiles of the measure under a posterior in each stratum. Webber (2013), section 3.6.

    The sampled positives are known; the others of a stratum are beta-binomial (Eq. 17).
    **Each stratum is a simple random sample, and its prior is what one would bet on without data.**
    """

    @abstractmethod
    def prior(self, strata: Strata) -> Strata:
        """Return the strata with this method's prior."""

    def ends(self, question: Question) -> Ends:
        """Computed, not drawn."""
        one, other = self.prior(question.retrieved), self.prior(question.unretrieved)
        level, side = question.level, question.side
        if question.measure == "recall":
            return posterior.recall(one, other, level=level, side=side)
        if question.measure == "f1":
            weight = question.weight
            return posterior.fbeta(one, other, weight=weight, level=level, side=side)
        strata = self.prior(question.strata)
        low, high = posterior.total(strata, level=level, side=side)
        scale = 1.0 if question.measure == "yield" else question.strata.size or 1.0
        return low / scale, high / scale

    def drawn(self, question: Question, draws: int, rng: np.random.Generator) -> Ends:
        """As the paper does it: quantiles of so many draws."""
        strata = self.prior(question.retrieved), self.prior(question.unretrieved)
        A, B = (part.draw(draws, rng) for part in strata)
        values = np.array([question.value(a, b) for a, b in zip(A, B, strict=True)])
        ends = np.quantile(np.nan_to_num(values), [question.tail, 1.0 - question.tail])
        return question.around(float(ends[0]), float(ends[1]))


@final
class Half(BetaBinomial):
    """alpha = beta = 1/2: the paper's recommendation, and the default here."""

    name: ClassVar[str] = "betabin-half"
    summary: ClassVar[str] = "prior Beta(1/2, 1/2) in each stratum; nearly nominal on average"

    def prior(self, strata: Strata) -> Strata:
        """Half a positive and half a negative."""
        return strata.with_prior(0.5, 0.5)


@final
class Uniform(BetaBinomial):
    """alpha = beta = 1: each number of positives is as likely."""

    name: ClassVar[str] = "betabin-uniform"
    summary: ClassVar[str] = "prior Beta(1, 1) in each stratum: too heavy where positives are rare"

    def prior(self, strata: Strata) -> Strata:
        """One positive and one negative."""
        return strata.with_prior(1.0, 1.0)


@final
class MostConservative(BetaBinomial):
    """The prior from which the sample is expected to tell most. Webber (2013), Eqs. 18 to 20."""

    name: ClassVar[str] = "betabin-mcp"
    summary: ClassVar[str] = "the prior that the sample moves most; too weak for tiny samples"

    def prior(self, strata: Strata) -> Strata:
        """One for each size of stratum and sample."""
        whole = strata.with_prior(0.5, 0.5)
        each = [mcp.prior(int(N), int(n)) for N, n in zip(whole.N, whole.n, strict=True)]
        return whole.with_prior(np.array(each), np.array(each))


@final
class BetaJeffreys(BetaBinomial):
    """`r + M theta`, theta ~ Beta(1/2 + r, 1/2 + n - r). Webber (2013), section 3.5.

    **It takes the share in the rest for the share in the whole**: it forgets that what is left is
    itself one sample of it, and is too narrow where much of a segment was sampled.
    """

    name: ClassVar[str] = "beta-jeffreys"
    summary: ClassVar[str] = "beta posterior of a share: too narrow where much was sampled"

    def prior(self, strata: Strata) -> Strata:
        """Jeffreys' prior of a binomial share."""
        return strata.with_prior(0.5, 0.5, smooth=True)
