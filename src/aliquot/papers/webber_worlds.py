"""The three scenarios of Webber (2013), Tables V to VIII, with their misprints mended.

Where the sample sizes print `max(10, ...)` they mean `min`, where the bounds on precision print
`min(0.1, ...)` they mean `max`; R1 is `N1 Prec`; the legal mean of N is 10.75 million.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

SCENARIOS = ("neutral", "legal", "small")


class World(NamedTuple):
    """One realisation: two segments with R positives among N units, n of them to be sampled."""

    N1: int
    R1: int
    n1: int
    N0: int
    R0: int
    n0: int

    @property
    def recall(self) -> float:
        """What is to be covered."""
        return self.R1 / (self.R1 + self.R0)


def world(scenario: str, rng: np.random.Generator) -> World:
    """Draw a realisation."""
    maker: Callable[[np.random.Generator], World] = {
        "neutral": neutral,
        "legal": legal,
        "small": small,
    }[scenario]
    return maker(rng)


def neutral(rng: np.random.Generator) -> World:
    """Table VI: many retrieval and classification tasks."""
    N = 1_000 * 2 ** rng.uniform(0, 12)
    prevalence = 0.02 * rng.uniform(1, 6) ** 2
    recall = rng.uniform(0.1, 1.0)
    R1 = N * prevalence * recall
    precision = rng.uniform(max(0.1, 0.95 * prevalence, 1.05 * R1 / N), 1.0)
    made = _sizes(N, prevalence, recall, precision)
    return _sampled(made, (_doubled(10, 10, made.N1, rng), _doubled(10, 10, made.N0, rng)))


def legal(rng: np.random.Generator) -> World:
    """Table VII: e-discovery, as in the TREC Legal Track."""
    N = 5e5 * 10 ** rng.uniform(0, 2)
    prevalence = 2e-3 * 1.5 ** rng.uniform(1, 10)
    recall = 2.5e-3 * rng.uniform(1, 34) ** 1.65
    R1 = N * prevalence * recall
    precision = rng.uniform(max(0.025, 2 * R1 / N), 0.92)
    made = _sizes(N, prevalence, recall, precision)
    return _sampled(made, (_doubled(20, 8, made.N1, rng), _doubled(100, 7, made.N0, rng)))


def small(rng: np.random.Generator) -> World:
    """Table VIII: small populations, of which much is sampled."""
    N = 1_000 * 10 ** rng.uniform(0, 1)
    prevalence = 0.02 * 1.5 ** rng.uniform(0, 6)
    recall = rng.uniform(0.1, 1.0)
    R1 = N * prevalence * recall
    precision = rng.uniform(max(0.025, 2 * R1 / N), 0.92)
    made = _sizes(N, prevalence, recall, precision)
    return _sampled(made, (made.N1 * rng.uniform(0.2, 0.5), made.N0 * rng.uniform(0.05, 0.3)))


def _sizes(N: float, prevalence: float, recall: float, precision: float) -> World:
    whole, R = round(N), max(round(N * prevalence), 1)
    R1 = max(round(R * recall), 1)
    N1 = min(max(round(R1 / precision), R1), whole - (R - R1))
    return World(N1, R1, 0, whole - N1, R - R1, 0)


def _sampled(made: World, sizes: tuple[float, float]) -> World:
    n1, n0 = (min(max(round(n), 1), N) for n, N in zip(sizes, (made.N1, made.N0), strict=True))
    return made._replace(n1=n1, n0=n0)


def _doubled(least: int, most: int, N: int, rng: np.random.Generator) -> float:
    """`least 2^U(0, min(most, floor(log2(N / least))))`."""
    power = math.floor(math.log2(max(N, 1) / least))
    return float(least * 2 ** rng.uniform(0, min(most, max(power, 0))))
