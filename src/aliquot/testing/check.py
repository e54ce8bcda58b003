"""Checks for a design of your own: what every other room relies on, tried on a toy frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import numpy as np

from aliquot.core.frame import Floats
from aliquot.designs.base import Chunk, Design, Drawn, Pool
from aliquot.errors import AliquotError
from aliquot.testing.enumeration import enumerate_inclusion
from aliquot.testing.toys import Toy, scored
from aliquot.testing.trial import Trial

EXACT = 1e-9
DRAWS = 2_000
UNLIKELY = 1e-6  # the chance that a right design is called wrong by its frequencies


def check_design(design: Design, *, toy: Toy | None = None, budget: int = 4) -> list[str]:
    """Return what is wrong with a design, one sentence each; nothing, if it can be trusted.

    It lists its samples with probabilities that add up to one and agree with the declared pi;
    draws what it lists, as often as it says; draws the same however the frame is cut into blocks;
    keeps, in a second draw, all that the first one drew; and says the same pi twice.

    >>> from aliquot.designs.uniform import Uniform
    >>> check_design(Uniform())
    []
    """
    trial = Trial(scored(7) if toy is None else toy, design)
    try:
        looks = (_listed, _drawn, _blocks, _second, _frequencies)
        return [fault for look in looks for fault in look(trial, budget)]
    except AliquotError as error:
        return [f"it refused: {error}"]


def _listed(trial: Trial, budget: int) -> Iterator[str]:
    """Compare the samples that it lists with the pi that it declares."""
    found = enumerate_inclusion(trial, budget)
    if abs(found.probability - 1.0) > EXACT:
        yield f"the samples it lists have a probability of {found.probability:.9g} together, not 1"
    gap = float(np.max(np.abs(found.inclusion - found.declared)))
    allowed = 1.0 / budget if trial.design.kind == "order" else EXACT
    if not gap <= allowed:
        yield f"pi is off by {gap:.3g}: it is not how often the listed samples hold a unit"
    unit = _priority(trial, budget)
    if unit is not None and not np.allclose(unit, 1.0, rtol=0.0, atol=EXACT):
        worst = float(unit[np.argmax(np.abs(unit - 1.0))])
        yield f"E[1(drawn) / conditional] is {worst:.9g} for a unit, not 1"


def _priority(trial: Trial, budget: int) -> Floats | None:
    """Return E[1(drawn) / conditional] of each unit; None with replacement."""
    if trial.design.replacement:
        return None
    unit = np.zeros(len(trial.toy))
    for one in trial.design.listed(trial.chunk, budget):
        unit[one.rows] += one.probability / one.conditional
    return unit


def _drawn(trial: Trial, budget: int) -> Iterator[str]:
    """Look at one draw: its size, its probabilities, and `level` saying them again."""
    held = trial.draw(budget, 1)
    drawn = held.drawn
    if trial.design.kind not in ("poisson", "replacement") and len(drawn.rows) != budget:
        yield f"a budget of {budget} drew {len(drawn.rows)} units"
    high = np.inf if trial.design.replacement else 1.0
    for name, p in (("pi", drawn.pi), ("conditional", drawn.conditional)):
        if not bool(np.all((p > 0) & (p <= high))):
            yield f"{name} of a drawn unit is not in (0, 1]"
    if not np.allclose(held.chances[drawn.rows], drawn.pi, rtol=0.0, atol=EXACT):
        yield "level() does not say again the pi that draw() declared"
    if not bool(drawn.new.all()):
        yield "the first draw holds units that are not new"


def _blocks(trial: Trial, budget: int) -> Iterator[str]:
    """Draw from the same frame in blocks of every length."""
    whole = trial.draw(budget, 1).drawn
    for length in range(1, len(trial.toy)):
        cut = [_slice(trial.chunk, at, length) for at in range(0, len(trial.toy), length)]
        again = trial.design.draw(Pool(lambda cut=cut: iter(cut), 1), budget)  # type: ignore[misc]
        if not _alike(whole, again):
            yield f"blocks of {length} units give another draw than one block of all"
            return


def _slice(chunk: Chunk, start: int, length: int) -> Chunk:
    return Chunk(*(getattr(chunk, f.name)[start : start + length] for f in fields(Chunk)))


def _alike(one: Drawn, other: Drawn) -> bool:
    if not np.array_equal(one.rows, other.rows) or not np.array_equal(one.count, other.count):
        return False
    first = np.concatenate([one.pi, one.conditional])
    return np.allclose(first, np.concatenate([other.pi, other.conditional]), rtol=EXACT, atol=0.0)


def _second(trial: Trial, budget: int) -> Iterator[str]:
    """Draw one more, and look for what was held before."""
    first = trial.draw(budget, 1)
    second = trial.draw(1, 1, after=first)
    if not set(first.drawn.keys.tolist()) <= set(second.drawn.keys.tolist()):
        yield "a second draw lost units of the first"
        return
    if bool(np.any(second.chances < first.chances - EXACT)):
        yield "a second draw lowered the pi of a unit"


def _frequencies(trial: Trial, budget: int) -> Iterator[str]:
    """Compare how often `draw` gives each sample with what `enumerate` says (chi-square)."""
    from scipy.special import chdtrc

    chance: dict[tuple[int, ...], float] = {}
    for one in trial.design.listed(trial.chunk, budget):
        sample = tuple(np.repeat(one.rows, one.count).tolist())
        chance[sample] = chance.get(sample, 0.0) + one.probability
    seen = dict.fromkeys(chance, 0)
    for seed in range(DRAWS):
        drawn = _or_empty(trial, budget, seed)
        if drawn not in seen:
            yield f"it draws {drawn}, which is none of the {len(chance)} samples that it lists"
            return
        seen[drawn] += 1
    common = [sample for sample in chance if chance[sample] * DRAWS >= 5.0]
    expected = np.array([chance[sample] * DRAWS for sample in common])
    counts = np.array([seen[sample] for sample in common], dtype=np.float64)
    expected = np.append(expected, max(DRAWS - expected.sum(), 1e-9))
    counts = np.append(counts, DRAWS - counts.sum())
    square = float((((counts - expected) ** 2 / expected)[expected >= 5.0]).sum())
    if chdtrc(len(common), square) < UNLIKELY:
        yield f"it does not draw its samples as often as it lists them (chi-square {square:.0f})"


def _or_empty(trial: Trial, budget: int, seed: int) -> tuple[int, ...]:
    """Return the rows of one draw, each as often as it was drawn."""
    try:
        drawn = trial.draw(budget, seed).drawn
    except AliquotError:
        if trial.design.kind == "poisson":  # it refuses to draw nothing at all
            return ()
        raise
    return tuple(np.repeat(drawn.rows, drawn.count).tolist())
