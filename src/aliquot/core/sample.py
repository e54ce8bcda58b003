"""A sample: the judged units, with the probabilities that they came in with."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.columns import Rows
from aliquot.core.frame import Floats
from aliquot.core.sources import Sources

Kind = Literal["simple", "strata", "order", "poisson", "replacement"]


@final
@dataclass(frozen=True, eq=False)
class Sample:
    """Judged units and their labels. A unit may have several labels, one an annotator.

    `pi` and `conditional` are the probabilities of being drawn *and* judged. `stratum` tells the
    strata apart; it is 0 throughout where there are none. `expected` is how many judged units the
    design expected. `count` is how often a unit was drawn, as far as those draws are judged: a
    fraction where a later batch, not judged in full, drew units that had a label already.
    """

    kind: Kind
    rows: Rows
    pi: Floats
    conditional: Floats
    count: NDArray[np.int64] | Floats
    stratum: NDArray[np.int64]
    labels: Floats
    owner: NDArray[np.int64]  # labels[i] is of unit owner[i]
    units: int  # the units that could have been drawn
    expected: float
    design: str = ""
    warnings: tuple[str, ...] = field(default=())
    drawn: int = 0  # the units drawn, judged or not; 0 where all of them were judged
    passed: float = 0.0  # the share of the units looked at that got no label: skipped, unsure
    led: bool = False  # whether labels said where later ones were drawn
    sources: Sources | None = None  # with replacement: the draws told apart, if somebody asked

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def census(self) -> bool:
        """Whether every unit of the frame was judged."""
        return self.kind != "replacement" and len(self) == self.units and bool(np.all(self.pi >= 1))

    @cached_property
    def votes(self) -> NDArray[np.int64]:
        """How many labels each unit has."""
        return np.bincount(self.owner, minlength=len(self.rows))

    def averaged(self, values: Floats) -> Floats:
        """Average values given label by label, shape (J, labels), into units, shape (J, units)."""
        if len(self.owner) == len(self.rows) and np.array_equal(
            self.owner, np.arange(len(self.rows))
        ):
            return values
        sums = [np.bincount(self.owner, weights=row, minlength=len(self.rows)) for row in values]
        averaged: Floats = np.stack(sums) / self.votes
        return averaged
