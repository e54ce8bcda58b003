"""How units of a set count: all alike, by a weight of the user's, or each group the same.

p_i of Chaganty et al. (2017): uniform over a system's output, macro over entities or relations, or
any weight. A macro average gives unit u of a system `1 / (G n_g)`, n_g the units of u's group in
the system's output and G the groups in it; both are known, so the measure stays a total.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import GROUP, WEIGHT, Block, Floats

KINDS = {"weight": WEIGHT, "macro": GROUP}


@final
@dataclass(frozen=True)
class By:
    """By which column units count: `weight` or `macro`; nothing, where all count alike."""

    kind: str = ""
    column: str = ""

    def __bool__(self) -> bool:
        return bool(self.kind)

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """The option as it is spelled.

        >>> By("macro", "relation").options, By().options
        ((('macro', 'relation'),), ())
        """
        return ((self.kind, self.column),) if self.kind else ()

    @property
    def stored(self) -> str:
        """The frame's name of the column."""
        return f"{KINDS[self.kind]}{self.column}" if self.kind else ""

    def weights(self, block: Block, shares: Floats) -> Floats:
        """Return the weight of each unit; `shares` is that of a unit of each group."""
        values = block.data[self.stored]
        if self.kind == "macro":
            found: Floats = shares[values.astype(np.int64)]
            return found
        return values.astype(np.float64)


ALIKE = By()


def group_shares(counts: NDArray[np.int64]) -> Floats:
    """Return 1 / (G n_g) of each group, from how many units of it are in the output.

    >>> group_shares(np.array([2, 0, 1])).tolist()
    [0.25, 0.0, 0.5]
    """
    some = counts > 0
    return np.divide(1.0, counts * max(int(some.sum()), 1), out=np.zeros(len(counts)), where=some)
