"""From the ledger to a sample: who was drawn, who was judged, and with what chance of both."""

from __future__ import annotations

import json
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.core.records import DrawRow, DrawUnits, Judgment
from aliquot.core.sample import Kind, Sample
from aliquot.errors import EstimateError
from aliquot.study.book import Book
from aliquot.study.spelled import STRATEGIES, chosen

FEW = 64  # strata; of thin ones some are always empty for a while


@final
@dataclass(frozen=True)
class Progress:
    """How far the judging is: units drawn, judged, passed over, and still waiting."""

    drawn: int
    judged: int
    skipped: int
    waiting: int


def progress(draws: Sequence[DrawRow], judgments: Sequence[Judgment]) -> Progress:
    """Count what was drawn and what became of it."""
    if not draws:
        return Progress(0, 0, 0, 0)
    labelled = {j.unit for j in judgments if j.state == "label"}
    skipped = {j.unit for j in judgments} - labelled
    drawn = len(draws[-1].units.unit)
    return Progress(drawn, len(labelled), len(skipped), drawn - len(labelled) - len(skipped))


def sample(book: Book) -> Sample:
    """Return the judged units with the probability of being drawn and judged.

    **The queue is in random order, so the judged part of a batch is a random part of it.** Units
    that were skipped count as not judged: what they could change is said in a warning.
    """
    draws, judgments = book.ledger.draws(), book.ledger.judgments()
    if not draws:
        raise EstimateError("nothing was drawn yet", do="Draw first: aliquot draw STUDY --budget N")
    units = draws[-1].units
    labels, owner, judged = _labels(units, judgments)
    if not judged.any():
        raise _nothing(progress(draws, judgments))
    kind = _kind(draws)
    share = _share(kind, units, judged)
    renumbered = np.cumsum(judged) - 1
    return Sample(
        kind,
        book.frame.locate(units.key[judged]),
        (share * units.pi)[judged],
        np.minimum(1.0, share * units.conditional)[judged],
        _counts(kind, draws, judged)[judged],
        units.stratum[judged],
        labels,
        renumbered[owner],
        json.loads(draws[-1].params)["support"],
        sum(draw.budget for draw in draws) * float(judged.mean()),
        " + ".join(dict.fromkeys(f"{d.design} for {d.goal}, frame {d.frame}" for d in draws)),
        (*_warnings(draws, judgments, judged), *_adaptive(draws)),
        len(judged),
        _passed(judgments),
        any(json.loads(draw.params).get("history") for draw in draws),
    )


def _nothing(done: Progress) -> EstimateError:
    """Say that there is no label, and whether one can still come."""
    passed = f": {done.skipped} of {done.drawn} drawn units were skipped or unsure"
    do = "See what waits with aliquot queue STUDY, then aliquot record STUDY FILE"
    if not done.waiting:
        do = "Draw more with aliquot draw STUDY --budget N, or label what was passed over"
    return EstimateError(f"nothing was judged yet{passed if done.skipped else ''}", do=do)


def _labels(
    units: DrawUnits, judgments: Sequence[Judgment]
) -> tuple[Floats, NDArray[np.int64], NDArray[np.bool_]]:
    """Return the labels, the unit that each is of, and which units have one."""
    place = {unit: i for i, unit in enumerate(units.unit)}
    given = [(j.value, place[j.unit]) for j in judgments if j.value is not None]
    given.sort(key=lambda pair: pair[1])
    labels = np.array([value for value, _ in given], dtype=np.float64)
    owner = np.array([at for _, at in given], dtype=np.int64)
    judged = np.zeros(len(units.unit), dtype=np.bool_)
    judged[owner] = True
    return labels, owner, judged


def _kind(draws: Sequence[DrawRow]) -> Kind:
    """One design keeps its own formulas; a union of several is an order sample at heart."""
    first = chosen(draws[0].design)
    if first.replacement:
        return "replacement"
    one = len({(d.design, d.goal, d.frame_hash) for d in draws}) == 1
    kinds: dict[str, Kind] = {"simple": "simple", "strata": "strata", "poisson": "poisson"}
    return kinds.get(first.kind, "order") if one else "order"


def _share(kind: Kind, units: DrawUnits, judged: NDArray[np.bool_]) -> Floats:
    """Return the chance that a drawn unit is judged by now.

    Strata know their own; otherwise what the last batch added to a unit's chance counts with the
    judged share of that batch, and what it had before with the judged share of the earlier ones.
    """
    if kind in ("simple", "strata"):
        drawn = np.bincount(units.stratum)
        rate = np.bincount(units.stratum[judged], minlength=len(drawn)) / np.maximum(drawn, 1)
        return rate[units.stratum]
    early, late = _rates(units, judged)
    share: Floats = (units.before * early + (units.pi - units.before) * late) / units.pi
    return share


def _rates(units: DrawUnits, judged: NDArray[np.bool_]) -> tuple[float, float]:
    """Return the judged share of the units of earlier batches, and of those new in the last."""
    new, old = units.new, ~units.new
    early = float(judged[old].mean()) if old.any() else 1.0
    return early, float(judged[new].mean()) if new.any() else 1.0


def _counts(
    kind: Kind, draws: Sequence[DrawRow], judged: NDArray[np.bool_]
) -> NDArray[np.int64] | Floats:
    """Return how often each unit was drawn, as far as those draws are judged.

    A batch is judged at one rate. Draws of it that hit a unit with a label from before would all
    count, at a rate of 1; they are weighed so that their expectation is that of the others.
    """
    units = draws[-1].units
    early, late = _rates(units, judged)
    if kind != "replacement" or early == late or not early:
        return units.count
    before = dict(zip(draws[-2].units.unit, draws[-2].units.count.tolist(), strict=True))
    earlier = np.array([before.get(unit, 0) for unit in units.unit], dtype=np.float64)
    found: Floats = earlier + (units.count - earlier) * np.where(units.new, 1.0, late / early)
    return found


def _passed(judgments: Sequence[Judgment]) -> float:
    """Return the share of the units looked at that nobody gave a label."""
    looked = {j.unit for j in judgments}
    return 1.0 - len({j.unit for j in judgments if j.state == "label"}) / len(looked)


def _adaptive(draws: Sequence[DrawRow]) -> list[str]:
    """Warn if the design changed once labels were known: they may have guided the choice."""
    changed = any(
        (now.design, now.goal) != (last.design, last.goal) and json.loads(now.params)["judged"]
        for last, now in pairwise(draws)
    )
    text = (
        "a later draw has another design or goal than the one before, and labels were known by "
        "then; if they guided the choice, the estimate is only nearly unbiased"
    )
    led = [d for d in draws if d.design.partition("(")[0] in STRATEGIES]
    strategy = (
        "a strategy for curves chose where to draw by the labels of before, so estimates of other "
        "measures are only nearly unbiased"
    )
    found = [text] if changed else []
    return [*found, strategy] if any(json.loads(d.params)["judged"] for d in led) else found


def _warnings(
    draws: Sequence[DrawRow], judgments: Sequence[Judgment], judged: NDArray[np.bool_]
) -> list[str]:
    found, units = [], draws[-1].units
    seen = {j.unit for j in judgments}
    passed = np.array([u in seen for u in units.unit]) & ~judged
    if passed.any():
        share = _passed(judgments)
        found.append(
            f"{int(passed.sum())} drawn units ({share:.1%} of those looked at) were skipped or "
            "unsure; the estimate takes them to be like the judged ones"
        )
    found += _blank(units, judged)
    gaps = sum(_ahead(draw.units, seen) for draw in draws)
    if gaps:
        found.append(
            f"{gaps} {'unit was' if gaps == 1 else 'units were'} judged ahead of the queue's "
            "order; that is harmless only if the choice had nothing to do with their labels"
        )
    old = ~units.new
    if old.any() and not (judged | passed)[old].all() and (judged | passed)[units.new].any():
        found.append("an earlier batch is not finished; finish it first for the best estimate")
    return found


def _blank(units: DrawUnits, judged: NDArray[np.bool_]) -> list[str]:
    """Say for how many units of the frame nothing speaks, where a design has few strata."""
    drawn, some = np.bincount(units.stratum), np.bincount(units.stratum[judged])
    empty = (drawn > 0) & (np.pad(some, (0, len(drawn) - len(some))) == 0)
    if len(drawn) > FEW or not empty.any():
        return []
    stand = round(float((1.0 / units.pi[empty[units.stratum]]).sum()))
    return [
        (
            f"nothing was judged in strata of {stand} units: the estimate counts their labels "
            "as 0, and intervals from counts leave them open"
        )
    ]


def _ahead(units: DrawUnits, seen: AbstractSet[str]) -> int:
    """Count the units of one batch that were looked at while others stood before them."""
    both = zip(units.unit, units.new.tolist(), strict=True)  # in the order of the queue
    looked = np.array([unit in seen for unit, new in both if new], dtype=np.bool_)
    done = int(looked.sum())
    return done - int(looked[:done].sum())
