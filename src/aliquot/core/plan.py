"""A plan: what a number of labels would buy."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, final


@final
@dataclass(frozen=True)
class Plan:
    """So many labels, drawn by a design, are expected to give intervals of a mean width.

    >>> Plan("uniform", "Mean", "ht", "normal", 300, 0.1).to_dict()["labels"]
    300
    """

    design: str
    measure: str
    estimator: str
    interval: str
    labels: int
    width: float

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as a dict."""
        return asdict(self)
