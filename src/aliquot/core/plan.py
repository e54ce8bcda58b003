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


@final
@dataclass(frozen=True)
class TopUp:
    """So many further labels bring a system's interval to a width, whatever they will be.

    `expected` is the width if labels are as the prior guesses where no draw could see so far.
    `draws` counts draws, which hit some units twice where they are with replacement; `carried` is
    how many judged units bear on the system already, and `unseen` the share of its weight that no
    draw so far could have chosen.

    >>> TopUp("uniform", "P@5", "ht", "t", 30, 0.1, "new", 30, 120, 0.25, 0.1).to_dict()["carried"]
    120
    """

    design: str
    measure: str
    estimator: str
    interval: str
    labels: int
    width: float
    system: str
    draws: int
    carried: int
    unseen: float
    expected: float

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as a dict."""
        return asdict(self)
