"""Draw: choose the units to judge next, and write down with which probability each was chosen."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from aliquot.core import prn
from aliquot.core.records import DrawRow, DrawUnits
from aliquot.designs.base import Design, Drawn, check_budget
from aliquot.designs.goal import curved
from aliquot.designs.headtail import HeadTail
from aliquot.designs.registry import design
from aliquot.designs.size import Size, fitted, recorded
from aliquot.errors import DesignError
from aliquot.measures.sets import F, Recall
from aliquot.study.book import Book
from aliquot.study.pools import chunks, pool

ENOUGH = 50  # labels of a first draw that heads and tails need
WHOLE = 20_000_000  # units that are cut into strata in memory
LABELS, LEAST, MOST = 100, 3, 30  # labels for a stratum more, and how many strata there may be
LARGE = 5_000  # labels of a first draw


def draw(book: Book, budget: int, *, goal: str = "each", spelling: str = "default") -> DrawRow:
    """Draw `budget` units that were not drawn before, record the draw, and return it."""
    row = prepare(book, budget, goal=goal, spelling=spelling)
    book.ledger.add_draw(row)
    return row


def prepare(book: Book, budget: int, *, goal: str, spelling: str) -> DrawRow:
    """Make the draw without recording it."""
    check_budget(budget, budget)  # less than one unit has no probabilities
    earlier = book.ledger.draws()
    made = _usual(book, goal, earlier, budget) if spelling == "default" else design(spelling)
    row = make(book, made, budget, goal, earlier)
    params = json.loads(row.params) | {"judged": len(book.ledger.judgments())}
    return replace(row, params=_json(params))


def make(book: Book, made: Design, budget: int, goal: str, earlier: Sequence[DrawRow]) -> DrawRow:
    """Make the draw that comes after some earlier ones: the same again whenever it is asked."""
    _mixed(made, earlier)
    same = all(
        (d.design, d.goal, d.frame_hash) == (str(made), goal, book.frame.hash) for d in earlier
    )
    size = _size(book, made, goal, earlier[-1] if earlier and same else None)
    source = pool(book, chunks(book, made, goal, size), earlier, same=same)
    drawn = made.draw(source, budget)
    if not same and any(design(d.design).kind == "strata" for d in earlier):
        drawn = replace(drawn, pi=drawn.conditional)  # thresholds of small strata scatter too much
    batch = len(earlier) + 1
    params = {
        "replacement": made.replacement,
        "support": sum(int(((c.size > 0) | (c.before > 0)).sum()) for c in source.chunks()),
        "design": drawn.params,
        "size": size.constants(),
    }
    return DrawRow(
        batch,
        str(made),
        goal,
        book.header.seed,
        book.version.version,
        book.frame.hash,
        budget,
        _json(params),
        book.clock(),
        _units(book, drawn, batch),
    )


def drawable(book: Book, most: int) -> int:
    """Return how many units a first draw can choose from, counted up to `most`."""
    made, found = _usual(book, "each", (), 0), 0
    try:
        size = _size(book, made, "each", None)
    except DesignError:  # no unit bears on what is measured
        return 0
    for chunk in chunks(book, made, "each", size)():
        found += int((chunk.size > 0).sum())
        if found >= most:
            return most
    return found


def _json(params: Mapping[str, Any]) -> str:
    return json.dumps(params, sort_keys=True, separators=(",", ":"))


def _usual(book: Book, goal: str, earlier: Sequence[DrawRow], budget: int) -> Design:
    """Return the default design for a goal.

    A curve gets many thin strata along the ranking, which only a first draw, or the next of the
    same, can cut; after another draw it gets the same chances from one sample.
    """
    if not curved(goal):
        first = design(earlier[0].design) if earlier else usual(book, budget, goal)
        same = all(
            (d.design, d.goal, d.frame_hash) == (str(first), goal, book.frame.hash) for d in earlier
        )
        return first if isinstance(first, HeadTail) and same else usual(book)
    strata = design("stratified(strata=1000, size=shape, floor=0)")
    same = all((d.design, d.goal) == (str(strata), goal) for d in earlier)
    return strata if same else design("pps(size=shape, floor=0)")


def usual(book: Book, budget: int = 0, goal: str = "each") -> Design:
    """Return the default design.

    A score may be blind to some positives. Recall and F of retrieved sets get a head and a tail,
    if a first draw is large enough for them; other ratios over a table of units get a floor of
    35 %; totals, and pools of rankings, get 10 %. With nothing to go by every unit is alike.
    """
    frame = book.frame
    single = goal == "each" or goal in {system.name for system in frame.systems}
    if budget >= ENOUGH and len(frame) <= WHOLE and single and _sets(book):
        strata = min(max(budget // LABELS, LEAST), MOST)
        hidden = 0.1 if budget < LARGE else 0.03  # a large sample of the tail finds what is hidden
        return design(f"headtail(strata={strata}, hidden={hidden})")
    if not frame.systems:  # a mean: a judge helps the estimate more than the choice of units
        return design("uniform")
    ratio = any(not family.measure.linear for family in book.families())
    floor = 0.35 if ratio and not frame.topics else 0.1
    return design(f"pps(size=influence, floor={floor})")


def _sets(book: Book) -> bool:
    """Whether recall or F of retrieved sets is measured, with two labels, and no other ratio."""
    found = [family.measure for family in book.families()]
    if any(one.weighing for one in found):
        return False
    ratios = [one for one in found if not one.linear]
    plain = [isinstance(one, Recall | F) and one.pool == 1.0 for one in ratios]
    return bool(plain) and all(plain) and not book.frame.topics and book.scale.kind == "labels"


def _size(book: Book, made: Design, goal: str, last: DrawRow | None) -> Size:
    if last is not None:  # the same design goes on: nothing is learned anew
        constants = json.loads(last.params)["size"]
        return recorded(made.sized, book.frame, book.scale, goal, constants)

    def fit() -> Size:
        return fitted(*made.sized, book.families(), book.frame, goal=goal)

    return book.whole.once(fit, "size", made.sized, book.header.measures, goal)


def _mixed(made: Design, earlier: Sequence[DrawRow]) -> None:
    if earlier and json.loads(earlier[-1].params)["replacement"] != made.replacement:
        how = "without" if made.replacement else "with"
        raise DesignError(
            f"{made} can't follow a draw {how} replacement in one study",
            do=f"Draw with {earlier[-1].design}, or start another study",
        )


def _units(book: Book, drawn: Drawn, batch: int) -> DrawUnits:
    """Put new units first, in the random order of their queue, then those drawn before."""
    r = prn.uniform(drawn.keys, f"{book.header.seed}:queue:{batch}")
    order = np.lexsort((drawn.keys, r, ~drawn.new))
    new = drawn.new[order]
    place = np.where(new, np.arange(1, len(order) + 1), 0)
    return DrawUnits(
        book.frame.names(drawn.rows[order]),
        drawn.keys[order],
        drawn.pi[order],
        np.maximum(drawn.conditional[order], np.finfo(float).tiny),
        drawn.before[order],
        drawn.stratum[order],
        drawn.count[order],
        place,
        new,
    )
