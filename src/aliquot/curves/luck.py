"""Where chance comes from: a Generator, or the permanent random numbers of a study.

With permanent numbers the ranks of a stratum that are drawn are those with the smallest, and the
next draw goes on from there. Each set of so many ranks is as likely as the next, as from a
Generator; and what a strategy asks for overlaps as much as it can with what any design drew before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.points import Ranks


@final
@dataclass(frozen=True, eq=False)
class Permanent:
    """Two numbers in (0, 1) for each rank, for ever: what is drawn, and what thinning keeps.

    >>> numbers = np.array([0.5, 0.1, 0.9, 0.3])
    >>> Permanent(numbers, numbers).smallest(1, 4, 1, np.array([2])).tolist()
    [4]
    """

    drawn: Floats
    kept: Floats

    def smallest(self, low: int, high: int, count: int, held: Ranks) -> Ranks:
        """Return the `count` ranks in (low, high] with the smallest numbers that are not held."""
        numbers = self.drawn[low:high].copy()
        numbers[held - low - 1] = np.inf
        found = np.argpartition(numbers, count - 1)[:count] if count < len(numbers) else None
        ranks = np.arange(len(numbers)) if found is None else np.sort(found)
        return ranks + low + 1

    def numbers(self, ranks: Ranks) -> Floats:
        """Return the numbers that tell which of these ranks a thinner sample keeps."""
        found: Floats = self.kept[ranks - 1]
        return found


Luck = np.random.Generator | Permanent


def numbers(luck: Luck, ranks: Ranks) -> Floats:
    """Return a number in (0, 1) for each rank."""
    return luck.numbers(ranks) if isinstance(luck, Permanent) else luck.random(len(ranks))
