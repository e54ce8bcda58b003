"""The one design rule: the size of a unit is the root of its expected squared influence.

`s(u) = sqrt(sum_t omega_t E_prior[psi_t(u, Y)^2] / cost(u))`, and
`size = (1 - floor) s / sum(s) + floor * shape / sum(shape)`, the shape being the influence without
the prior (STATISTICS D; 001 Eq. 5 to 15 are special cases). omega weighs measures so that each is
worth the same; within a measure every system weighs 1.

Sizes are rounded to 24 bits: a last-bit difference between two machines' logarithms then can't
change a draw. The sums are taken once, recorded with the draw, and never taken again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from aliquot.core.frame import Block, Floats, Frame, System
from aliquot.core.scale import Scale
from aliquot.designs import goal as goals
from aliquot.designs.along import Along, along
from aliquot.designs.importance import Importance, importance, linear
from aliquot.designs.prior import Prior, chances, fit
from aliquot.designs.robust import NAME as ROBUST
from aliquot.designs.robust import Hidden, moderate, variance, weighed
from aliquot.designs.target import Target
from aliquot.errors import DesignError
from aliquot.measures.registry import measure
from aliquot.measures.targets import Family, family, levels

KINDS = ("influence", "shape", "sqrt_p", "p", "uniform")


@final
@dataclass(frozen=True, eq=False)
class Size:
    """A fitted size: call it on a block. `constants()` is what a draw records of it."""

    kind: str
    floor: float
    targets: tuple[Target | Along, ...]
    prior: Prior
    systems: tuple[System, ...]
    scale: Scale
    cost: str = ""
    sums: tuple[float, float] = (1.0, 1.0)
    units: int = 0  # the units there were when it was fitted; later ones have size 0
    hidden: Hidden | None = None  # of a robust size

    @property
    def more(self) -> tuple[str, ...]:
        """The frame's columns that it reads, besides the systems'."""
        judges = tuple(column for _, column in self.prior.judges)
        return judges + ((self.cost,) if self.cost else ())

    def __call__(self, block: Block) -> Floats:
        """Return the size of each unit of a block."""
        if self.kind == "uniform":
            return np.where(block.rows < self.units, 1.0, 0.0)
        s, shape = self.parts(block)
        mixed = (1.0 - self.floor) * s / self.sums[0] + self.floor * shape / self.sums[1]
        rounded = mixed.astype(np.float32).astype(np.float64)
        return np.where(block.rows < self.units, rounded, 0.0)

    def parts(self, block: Block) -> tuple[Floats, Floats]:
        """Return s and the shape, both without their sums."""
        paper = importance(self.kind)
        if paper is not None:
            return self._importance(paper, block)
        weighed = self.chances(block)
        root = np.sqrt(block.data[self.cost].astype(np.float64)) if self.cost else 1.0
        if self.kind == ROBUST:
            own = (t.omega * variance(t, block, weighed).sum(axis=0) for t in self.measured)
            s = np.sqrt(sum(own, start=np.zeros(len(block.rows)))) / root
            return s, s
        expected, largest = np.zeros(len(block.rows)), np.zeros(len(block.rows))
        for target in self.targets:
            at = [(chance, target.squares(block, y).sum(axis=0)) for y, chance in weighed]
            inner = target.inner(block)
            if inner is not None:
                at.append((np.full(len(block.rows), 0.5), inner.sum(axis=0)))
            expected += target.omega * sum(chance * square for chance, square in at)
            largest += target.omega * np.max([square for _, square in at], axis=0)
        shape = np.sqrt(largest)
        if self.kind == "influence":
            s = np.sqrt(expected)
        else:
            p = self.prior(block, self.systems)
            s = shape * {"shape": np.ones(len(p)), "p": p, "sqrt_p": np.sqrt(p)}[self.kind]
        return s / root, shape / root

    def _importance(self, paper: Importance, block: Block) -> tuple[Floats, Floats]:
        """Return both parts of a published importance distribution; it knows no costs."""
        ends = levels(self.scale)
        weights = [np.sqrt(t.omega * np.max(t.every(block, ends), axis=0)) for t in self.targets]
        guess = np.ones(len(block.rows))
        if paper.prior == "uP":
            own = paper.u == "linear"
            guess = linear(block, self.served) if own else self.prior(block, self.systems)
        return paper.parts(np.concatenate(weights), guess)

    @property
    def served(self) -> tuple[System, ...]:
        """The systems that the goal is about."""
        served = (system for target in self.targets for system in target.served)
        return tuple({system.name: system for system in served}.values())

    def chances(self, block: Block) -> list[tuple[float, Floats]]:
        """Return label levels with the prior's chance of each."""
        if self.hidden is not None and self.scale.kind != "classes":
            return self.hidden.chances(self.prior, block, self.systems, self.scale)
        return chances(self.prior, block, self.systems, self.scale)

    def blocks(self, frame: Frame) -> Iterator[tuple[Block, Floats]]:
        """Yield the frame block by block, each with its sizes."""
        for block in frame.blocks(self.systems, self.more):
            yield block, self(block)

    @property
    def measured(self) -> tuple[Target, ...]:
        """The targets that are measures; a curve is none."""
        return tuple(target for target in self.targets if isinstance(target, Target))

    def constants(self) -> dict[str, Any]:
        """Return what was learned from the frame, as JSON."""
        learned = self.measured
        return {
            "units": self.units,
            "systems": [system.name for system in self.systems],
            "sums": list(self.sums),
            "omega": [target.omega for target in learned],
            "measures": [str(target.family.measure) for target in learned],
            "gradients": [[g.tolist() for g in t.gradients] for t in learned],
            "prior": {name: list(centre) for name, centre in self.prior.centres.items()},
            "judges": [list(judge) for judge in self.prior.judges],
        } | ({} if self.hidden is None else {"mean": self.hidden.mean})


def fitted(
    kind: str, floor: float, families: tuple[Family, ...], frame: Frame, *, goal: str
) -> Size:
    """Fit a size to a frame: prior, gradients at the prior's guess, weights of measures, sums."""
    goals.check(goal, tuple(system.name for system in frame.systems))
    scale = families[0].scale
    prior = fit(frame, frame.systems, scale.high)
    used = [f for f in families if f.measure.name != "Judged"] or list(families)
    bare = Size(kind, floor, (), prior, frame.systems, scale, frame.cost, units=len(frame))
    if kind == "uniform":
        return bare
    if kind == ROBUST:
        bare = replace(bare, hidden=Hidden.of(floor, prior, frame, (frame.systems, bare.more)))
    sized = replace(bare, targets=_targets(tuple(used), frame, goal, bare))
    sums = np.zeros(2)
    for block in frame.blocks(sized.systems, sized.more):
        sums += [np.cumsum(part)[-1] for part in sized.parts(block)]
    if sums[1] <= 0:
        raise DesignError(
            f"no unit of the frame bears on the goal '{goal}'", do="Name another goal or measure"
        )
    return replace(sized, sums=(float(sums[0]) or 1.0, float(sums[1])))


def _targets(
    used: tuple[Family, ...], frame: Frame, goal: str, bare: Size
) -> tuple[Target | Along, ...]:
    """Return what the goal wants of each measure; a curve is a goal of its own."""
    if goals.curved(goal):
        return (along(frame, bare.scale, goals.curved(goal), len(frame)),)
    contrasts = [(f, goals.contrasts(goal, f.names)) for f in used]
    targets = tuple(
        Target(f, contrast, _gradients(f, frame, bare))
        for f, contrast in contrasts
        if len(contrast)
    )
    if not targets:
        raise DesignError(f"no measure of this study bears on the goal '{goal}'", do="Name another")
    return _weighed(targets, frame, bare)


def recorded(
    design: tuple[str, float], frame: Frame, scale: Scale, goal: str, constants: dict[str, Any]
) -> Size:
    """Rebuild the size of an earlier draw from what the draw recorded, on a frame that has grown.

    Nothing is learned again: systems that came later do not count, and units that came later have
    size 0.
    """
    systems = tuple(frame.system(name) for name in constants["systems"])
    prior = Prior(
        {name: (c[0], c[1]) for name, c in constants["prior"].items()},
        tuple((name, column) for name, column in constants["judges"]),
        scale.high,
    )
    targets: list[Target | Along] = []
    if goals.curved(goal):
        targets.append(along(frame, scale, goals.curved(goal), constants["units"]))
    for spelled, rows, omega in zip(
        constants["measures"], constants["gradients"], constants["omega"], strict=True
    ):
        kept = replace(frame, systems=systems)
        found = family(measure(spelled), kept, scale)
        gradients = [np.array(row, dtype=np.float64) for row in rows]
        targets.append(Target(found, goals.contrasts(goal, found.names), gradients, omega))
    return Size(
        *design,
        tuple(targets),
        prior,
        systems,
        scale,
        frame.cost,
        (constants["sums"][0], constants["sums"][1]),
        constants["units"],
        Hidden(design[1], constants["mean"]) if "mean" in constants else None,
    )


def _gradients(family: Family, frame: Frame, bare: Size) -> list[Floats]:
    """Take dg/dL at the totals that the prior expects, one gradient a system."""
    known = family.known(frame)
    sums = [np.zeros(1) for _ in family.names]
    for block in frame.blocks(bare.systems, bare.more):
        for y, chance in bare.chances(block):
            part = family.totals(block, np.array(y), chance)
            sums = [a + b for a, b in zip(sums, part, strict=True)]
    if bare.hidden is not None:
        sums = [moderate(family.measure, total, k) for total, k in zip(sums, known, strict=True)]
    return [family.measure.gradient(total, k) for total, k in zip(sums, known, strict=True)]


def _weighed(targets: tuple[Target, ...], frame: Frame, bare: Size) -> tuple[Target, ...]:
    """Give each measure the weight that makes their best attainable variances equal."""
    if len(targets) == 1:
        return targets
    if bare.hidden is not None:
        blocks = frame.blocks(bare.systems, bare.more)
        return weighed(targets, ((block, bare.chances(block)) for block in blocks))
    roots = [np.zeros(len(target.contrast)) for target in targets]
    for block in frame.blocks(bare.systems, bare.more):
        for i, target in enumerate(targets):
            expected = sum(
                (chance * target.squares(block, y) for y, chance in bare.chances(block)),
                start=np.zeros(1),
            )
            roots[i] += np.cumsum(np.sqrt(expected), axis=1)[:, -1]
    means = [float(np.mean(root**2)) for root in roots]
    return tuple(
        replace(target, omega=1.0 / mean if mean > 0 else 0.0)
        for target, mean in zip(targets, means, strict=True)
    )
