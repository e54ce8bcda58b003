"""What a strategy is: how it chooses ranks to label, and the curve it makes of the labels."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import ClassVar

from aliquot.curves.luck import Luck
from aliquot.curves.steps import Steps
from aliquot.errors import DesignError

SMALLEST = 1e-100  # its square is still a number
LOOSEST = 100.0  # a factor beyond says nothing of a share


@dataclass(frozen=True)
class Strategy(ABC):
    """A way to a precision function. Its options have defaults, and its spelling parses back.

    The curve shall lie within a factor beta (1 + epsilon) of the truth at every rank, with
    confidence 1 - delta.
    """

    name: ClassVar[str]

    epsilon: float = 0.03
    delta: float = 0.05
    beta: float = 1.05

    def __post_init__(self) -> None:
        inside("epsilon", self.epsilon, 0.0, 1.0)
        inside("delta", self.delta, 0.0, 1.0)
        if self.beta > LOOSEST:
            raise DesignError(
                f"beta is {self.beta:g}, a factor that says nothing of a share",
                do="Take a beta such as 1.05",
            )
        if not self.beta > 1.0:
            raise DesignError(
                f"beta is {self.beta:g}, but a sampled query is only right within a factor above 1",
                do="Take a beta such as 1.05",
            )

    @abstractmethod
    def steps(self, n: int, rng: Luck) -> Steps:
        """Return the steps to the curve of n ranks."""

    @property
    def factor(self) -> float:
        """The largest ratio of truth and curve: beta (1 + epsilon)."""
        return self.beta * (1.0 + self.epsilon)

    def __str__(self) -> str:
        parts = [
            f"{one.name}={getattr(self, one.name)}"
            for one in fields(self)
            if getattr(self, one.name) != one.default
        ]
        return f"{self.name}({', '.join(parts)})" if parts else self.name


@dataclass(frozen=True)
class Sampled(Strategy):
    """A strategy whose queries are samples: how many labels one takes.

    `p_min` is a lower bound on precision at every rank queried; 0 asks for an adaptive one. The
    judge errs with probability `eta`, either way: `noise=debiased` estimates p by
    (p~ - eta) / (1 - 2 eta), `noise=printed` by p~ as in (5), which needs eta < beta - 1 and
    1/3 <= p <= (1 + eta) / (1 + 2 eta). `proof=strict` pays for what the printed proof leaves open.
    """

    p_min: float = 0.0
    eta: float = 0.0
    noise: str = "debiased"
    proof: str = "printed"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.p_min != 0.0:
            inside("p_min", self.p_min, 0.0, 1.0)
        if self.eta != 0.0:
            inside("eta", self.eta, 0.0, 0.5)
        among("noise", self.noise, ("debiased", "printed"))
        among("proof", self.proof, ("printed", "strict"))
        if self.noise == "printed" and self.eta >= self.beta - 1.0:
            raise DesignError(
                f"eta is {self.eta:g}, but noise=printed needs it below beta - 1 = "
                f"{self.beta - 1.0:g}",
                do="Take noise=debiased, or a larger beta",
            )

    @property
    def spent(self) -> float:
        """The share of delta that the queries may spend: all, unless p_min costs a tenth."""
        return self.delta if self.p_min else 0.9 * self.delta

    def labels(self, K: int, p_min: float) -> float:
        """Return s, the labels that each of K queries rests on: (5), by Hoeffding (1963).

        `noise=printed`: (1 + eta)^2 / (2 (beta - 1 - eta)^2 p_min^2) ln(2 K / delta).
        `noise=debiased`: 1 / (2 (1 - 2 eta)^2 (beta - 1)^2 p_min^2) ln(2 K / delta).
        `proof=strict`: beta^2 times that, for a factor below is less than one above.
        """
        return needed(self, K, self.beta, p_min)


def needed(asked: Sampled, K: int, factor: float, p_min: float) -> float:
    """Return s for K queries within a factor, see `Sampled.labels`."""
    if asked.noise == "printed":
        margin = (factor - 1.0 - asked.eta) / (1.0 + asked.eta)
    else:
        margin = (factor - 1.0) * (1.0 - 2.0 * asked.eta)
    twice = math.log(2.0 * K / asked.spent)
    strict = factor**2 if asked.proof == "strict" else 1.0
    return strict * twice / (2.0 * margin**2 * p_min**2)


@dataclass(frozen=True)
class Monotone(Sampled):
    """A strategy that relies on (r~, m)-weak monotonicity.

    Every rank up to l~ is labelled: at least `start` (r~) of them. The defaults are those of the
    published experiments.
    """

    m: int = 100
    start: int = 3492

    def __post_init__(self) -> None:
        super().__post_init__()
        count("m", self.m)
        count("start", self.start)


def count(name: str, value: int) -> None:
    """Refuse an option that is no number of ranks."""
    if value < 1:
        raise DesignError(f"{name} is {value}, not a number of ranks", do="Take 1 or more")


def inside(name: str, value: float, low: float, high: float) -> None:
    """Refuse a number outside its open range."""
    if not low < value < high:
        raise DesignError(
            f"{name} is {value:g}, but it must lie between {low:g} and {high:g}",
            do="Leave it out to take the default",
        )
    if 0.0 < value < SMALLEST:
        raise DesignError(
            f"{name} is {value:g}, too small to reckon with", do="Leave it out to take the default"
        )


def among(name: str, value: str, known: tuple[str, ...]) -> None:
    """Refuse a word that the option does not know."""
    if value not in known:
        raise DesignError(f"{name}={value} is not known", do=f"Use one of {', '.join(known)}")
