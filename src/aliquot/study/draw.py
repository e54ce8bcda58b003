"""Draw: choose the units to judge next, and write down with which probability each was chosen."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from aliquot.core import prn
from aliquot.core.records import DrawRow, DrawUnits
from aliquot.curves.staged import Staged
from aliquot.designs.base import Design, Drawn, check_budget
from aliquot.designs.headtail import HeadTail
from aliquot.designs.size import Size, fitted, recorded
from aliquot.errors import DesignError, UsageError
from aliquot.study.book import Book
from aliquot.study.learn import learned
from aliquot.study.pools import chunks, pool
from aliquot.study.spelled import chosen
from aliquot.study.staged import Told, staged
from aliquot.study.usual import following

KNOWN = ("judged", "history", "rel")  # what a draw records besides what it drew


def draw(
    book: Book,
    budget: int,
    *,
    goal: str = "each",
    spelling: str = "default",
    rel: float | None = None,
) -> DrawRow:
    """Draw `budget` units that were not drawn before, record the draw, and return it.

    A strategy for curves draws what it asks for, and goes by labels: `rel` is the least that is
    positive.
    """
    row = prepare(book, budget, goal=goal, spelling=spelling, rel=rel)
    book.ledger.add_draw(row)
    return row


def prepare(
    book: Book, budget: int, *, goal: str, spelling: str, rel: float | None = None
) -> DrawRow:
    """Make the draw without recording it."""
    check_budget(budget, budget)  # less than one unit has no probabilities
    earlier = book.ledger.draws()
    default = spelling == "default"
    made = following(book, goal, earlier, budget) if default else chosen(spelling)
    known: dict[str, Any] = {"judged": len(book.ledger.judgments())}
    if made.led:
        known |= {"history": len(book.ledger.history())}
    if isinstance(made, Staged):
        known |= {"rel": rel}
    elif rel is not None:
        raise UsageError(
            f"{made} draws without regard to labels, so it needs no rel",
            do="Give it to a strategy for curves, or later to aliquot curve",
        )
    row = make(book, _told(book, made, goal, earlier, known), budget, goal, earlier)
    return replace(row, params=_json(json.loads(row.params) | known))


def again(book: Book, row: DrawRow, earlier: Sequence[DrawRow]) -> DrawRow:
    """Make a recorded draw once more, from what was known when it was made."""
    params = json.loads(row.params)
    known = {name: params[name] for name in KNOWN if name in params}
    made = _told(book, chosen(row.design), row.goal, earlier, known)
    redrawn = make(book, made, row.budget, row.goal, earlier)
    return replace(redrawn, params=_json(json.loads(redrawn.params) | known))


def _told(
    book: Book, made: Design, goal: str, earlier: Sequence[DrawRow], known: Mapping[str, Any]
) -> Design:
    """Tell a strategy, or a design that learns, the judgments of then; others need none."""
    if not made.led:
        return made
    told = Told(tuple(book.ledger.history()[: known["history"]]), known.get("rel"))
    if isinstance(made, Staged):
        return staged(book, made, goal, earlier, told)
    return learned(book, made, goal, earlier, told) if isinstance(made, HeadTail) else made


def make(book: Book, made: Design, budget: int, goal: str, earlier: Sequence[DrawRow]) -> DrawRow:
    """Make the draw that comes after some earlier ones: the same again whenever it is asked."""
    _mixed(made, earlier)
    same = all(
        (d.design, d.goal, d.frame_hash) == (str(made), goal, book.frame.hash) for d in earlier
    )
    size = _size(book, made, goal, earlier[-1] if earlier and same else None)
    source = pool(book, chunks(book, made, goal, size), earlier, same=same)
    drawn = made.draw(source, budget)
    if not same and any(chosen(d.design).kind == "strata" for d in earlier):
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
        int(drawn.new.sum()) if isinstance(made, Staged) else budget,
        _json(params),
        book.clock(),
        _units(book, drawn, batch),
    )


def drawable(book: Book, most: int) -> int:
    """Return how many units a first draw can choose from, counted up to `most`."""
    made, found = following(book, "each", (), 0), 0
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
