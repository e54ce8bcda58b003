"""Sources: draws with replacement, told apart by the distribution that each came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Floats


@final
@dataclass(frozen=True, eq=False)
class Sources:
    """Source j made `draws[j]` draws, i.i.d. from a distribution p_j that was known beforehand.

    `chance[j, u]` is p_j(u) and `count[j, u]` how often source j drew unit u. The units are those
    of a sample, or of a whole population where no draw is needed.
    """

    names: tuple[str, ...]
    draws: Floats  # (J,)
    chance: Floats  # (J, n)
    count: Floats  # (J, n)

    def __len__(self) -> int:
        return len(self.names)

    def mixture(self, mix: Floats) -> Floats:
        """Return q(u) = sum_j w_j p_j(u), for one w (J,) or several (T, J)."""
        found: Floats = mix @ self.chance
        return found

    def per_draw(self, mix: Floats) -> Floats:
        """Return w_j / n_j, and 0 where a source made no draw."""
        return np.divide(mix, self.draws, out=np.zeros(mix.shape), where=self.draws > 0)
