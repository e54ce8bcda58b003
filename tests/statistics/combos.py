"""Every design with every estimator that fits it, and the toys that they are tried on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from aliquot.designs.base import Design
from aliquot.designs.registry import DESIGNS
from aliquot.estimators.base import Estimator
from aliquot.estimators.registry import ESTIMATORS
from aliquot.testing import toys
from aliquot.testing.toys import Toy


@dataclass(frozen=True)
class Combo:
    """A design and an estimator that has a formula for its samples."""

    design: Design
    estimator: Estimator

    def __str__(self) -> str:
        return f"{self.design.name}-{self.estimator.name}"


COMBOS = tuple(
    Combo(design(), estimator())
    for design in DESIGNS
    for estimator in ESTIMATORS
    if design.kind in estimator.kinds
)
COUNT = 48  # 6 designs without replacement with 6 estimators each, wr and ubis with 6

every_combo = pytest.mark.parametrize("combo", COMBOS, ids=str)
every_design = pytest.mark.parametrize(
    "design", [design() for design in DESIGNS], ids=lambda design: design.name
)

TOYS: dict[str, Callable[[], Toy]] = {
    "rankings": toys.rankings,
    "scored": toys.scored,
    "predicted": toys.predicted,
    "graded": toys.graded,
}
every_toy = pytest.mark.parametrize("toy", [make() for make in TOYS.values()], ids=list(TOYS))
