"""What a frame is on the whole: found in one pass, and kept for the questions that follow.

Sizes, known totals and priors depend on the frame alone, not on who was drawn. Whoever draws many
samples from one frame (a simulation) hands the same `Whole` to each.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar, final

ENTRIES = 1 << 23  # numbers up to which a pass over the frame is kept: 64 MB

T = TypeVar("T")


@final
@dataclass(frozen=True, eq=False)
class Whole:
    """Answers about one frame, each found once.

    >>> whole = Whole()
    >>> whole.once(lambda: 1, "known"), whole.once(lambda: 2, "known")
    (1, 1)
    """

    _kept: dict[Hashable, Any] = field(default_factory=dict)

    def once(self, make: Callable[[], T], *key: Hashable) -> T:
        """Return what `make` made when this key was first asked for."""
        if key not in self._kept:
            self._kept[key] = make()
        found: T = self._kept[key]
        return found

    def parts(self, make: Callable[[], Iterator[T]], *key: Hashable, entries: int) -> Iterable[T]:
        """Return the parts of a pass over the frame; only a pass with few numbers is kept."""
        if entries > ENTRIES:
            return make()
        return self.once(lambda: list(make()), *key)
