"""The joint and the simple estimator of several systems: Chaganty et al. (2017), Theorem 1."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.sample import Kind, Sample
from aliquot.core.sources import Sources
from aliquot.core.spelling import Spelling
from aliquot.errors import EstimateError
from aliquot.estimators.base import Estimator
from aliquot.estimators.mixture import covariance, weigh
from aliquot.estimators.variance import replacement

MIXES = ("heuristic", "balance", "equal", "optimal")


class Mixed(Estimator):
    """A total is `sum_j (w_ij / n_j) sum_{draws of j} c / q_i`, `q_i = sum_j w_ij p_j`.

    `mixes` holds w, shape (systems, sources); `fitted` gives it, once the frame is known. Without
    it, all draws come from one source.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("replacement",)
    mixes: Floats | None

    @abstractmethod
    def fitted(self, mixes: Floats) -> Mixed:
        """Return it with its weights."""

    def weights(self, sample: Sample) -> Floats:
        """omega(u) of each system, shape (S, n); one source: count / pi, shape (n,)."""
        if self.mixes is None:
            single: Floats = sample.count / sample.pi
            return single
        return np.stack([weigh(_sources(sample), mix) for mix in self.mixes])

    def covariance(self, sample: Sample, e: Floats) -> Floats:
        """`sum_j (w_tj w_sj / n_j) C_j`; one source: the sample variance of the draws."""
        if self.mixes is None:
            return replacement(sample, e)
        return covariance(_sources(sample), self.mixes, e)

    def unbiased(self, sample: Sample) -> bool:
        """Always: no label chooses the weights."""
        return True


def _sources(sample: Sample) -> Sources:
    if sample.sources is None:
        raise EstimateError("nobody told the draws apart", do="Use estimator hh")
    return sample.sources


@final
@dataclass(frozen=True, eq=False)
class Joint(Mixed):
    """`L_i = sum_j (w_ij / n_j) sum_draws c / q_i`: every system from the draws of all.

    p_j is what source j drew from, a source being all draws of one design and goal.
    `weights` are `heuristic` (n_j <p_i, p_j>), `balance` (n_j / n, which is `hh`), `equal`, or
    `optimal` (least variance under the prior's guess). **Unbiased for draws with replacement.**

    >>> str(Joint()), str(Joint("balance"))
    ('joint(weights=heuristic)', 'joint(weights=balance)')
    """

    by: str = "heuristic"
    mixes: Floats | None = None
    name: ClassVar[str] = "joint"

    def __str__(self) -> str:
        return str(Spelling("joint", (), (("weights", self.by),)))

    def fitted(self, mixes: Floats) -> Joint:
        """Return it with its weights."""
        return replace(self, mixes=mixes)


@final
@dataclass(frozen=True, eq=False)
class Simple(Mixed):
    """`L_i = (1 / n_i) sum_{own draws} c / p_i`: a system from the draws that had it as their goal.

    What `joint` is compared with: nobody's labels but one's own. **Unbiased for draws with
    replacement that see all of the system's output.**

    >>> str(Simple())
    'simple'
    """

    mixes: Floats | None = None
    name: ClassVar[str] = "simple"

    def fitted(self, mixes: Floats) -> Simple:
        """Return it with its weights."""
        return replace(self, mixes=mixes)
