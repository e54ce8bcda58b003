"""The default design: what a draw is made with if nobody says."""

from __future__ import annotations

from collections.abc import Sequence

from aliquot.core.records import DrawRow
from aliquot.designs.base import Design
from aliquot.designs.goal import curved
from aliquot.designs.headtail import HeadTail
from aliquot.designs.registry import design
from aliquot.measures.sets import F, Recall
from aliquot.study.book import Book
from aliquot.study.spelled import chosen

ENOUGH = 50  # labels of a first draw that heads and tails need
WHOLE = 20_000_000  # units that are cut into strata in memory
LABELS, LEAST, MOST = 100, 3, 16  # labels for a stratum more, and how many strata there may be
LARGE = 5_000  # labels of a first draw


def following(book: Book, goal: str, earlier: Sequence[DrawRow], budget: int) -> Design:
    """Return the default design for a goal, after some draws or none.

    A curve gets many thin strata along the ranking, which only a first draw, or the next of the
    same, can cut; after another draw it gets the same chances from one sample.
    """
    if not curved(goal):
        first = chosen(earlier[0].design) if earlier else usual(book, budget, goal)
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
