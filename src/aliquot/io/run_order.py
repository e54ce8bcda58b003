"""The order of the documents in a run: what the file says, and whether it agrees with itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray

from aliquot.errors import InputError, UsageError
from aliquot.io.place import Place

Order = Literal["check", "score", "column"]
Ints = NDArray[np.int64]

_SINGLE = float(np.finfo(np.float32).max)


@final
@dataclass(frozen=True, eq=False)
class Run:
    """One system's ranking of each topic, the best document first.

    The rows of a topic stand together, in the order of `rank`; `topic` holds places in `topics`.
    """

    name: str
    topics: tuple[str, ...]
    topic: NDArray[np.int32]
    doc: NDArray[np.object_]
    rank: NDArray[np.int32]
    score: NDArray[np.float64]
    notes: tuple[str, ...] = ()
    cut: int = 0  # the rank after which documents were left out; 0: none were

    def __len__(self) -> int:
        return len(self.doc)


@final
@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a run as they were given; `rank` is None where nobody needs it."""

    place: Place
    topics: tuple[str, ...]
    topic: NDArray[np.int32]
    doc: NDArray[np.object_]
    rank: Ints | None
    score: NDArray[np.float64] | None

    def advice(self, *orders: Literal["score", "column"]) -> str:
        """Say how to mend the rows, or in what other order to read them."""
        words = {"score": "order by score as trec_eval does", "column": "trust the rank column"}
        spelled = "--ranks {}" if self.place.noun == "line" else 'order="{}"'
        ways = [f"{spelled.format(order)} to {words[order]}" for order in orders]
        kind = "file" if self.place.noun == "line" else "table"
        return f"Correct the {kind}, or pass {', or '.join(ways)}"


def arrange(rows: Rows, name: str, order: Order, depth: int | None) -> Run:
    """Put the rows of each topic in order, number them from 1 and cut them at `depth`."""
    check_options(order, depth)
    _refuse_twice(rows)
    by_rank = order == "column" or (order == "check" and rows.rank is not None)
    ordered, notes = _by_rank(rows, order) if by_rank else _by_score(rows)
    topic = rows.topic[ordered]
    starts = np.flatnonzero(np.r_[True, topic[1:] != topic[:-1]])
    lengths = np.diff(np.r_[starts, len(topic)])
    rank = (np.arange(len(topic)) - np.repeat(starts, lengths) + 1).astype(np.int32)
    score = np.negative(rows.rank) if rows.score is None and rows.rank is not None else rows.score
    run = Run(
        name,
        rows.topics,
        topic,
        rows.doc[ordered],
        rank,
        np.asarray(score, dtype=np.float64)[ordered],
        notes,
    )
    return run if depth is None else cut(run, depth)


def check_options(order: str, depth: int | None) -> None:
    """Refuse an order that there is not, and a depth that keeps nothing."""
    if order not in ("check", "score", "column"):
        raise UsageError(f"there is no order '{order}'", do="Use check, score or column")
    if depth is not None and depth < 1:
        raise UsageError(f"depth {depth} keeps no document", do="Use 1 or more")


def cut(run: Run, depth: int) -> Run:
    """Keep the first documents of each topic, and say whether there were more."""
    kept = run.rank <= depth
    return (
        run
        if kept.all()
        else replace(
            run,
            topic=run.topic[kept],
            doc=run.doc[kept],
            rank=run.rank[kept],
            score=run.score[kept],
            cut=depth,
        )
    )


def _refuse_twice(rows: Rows) -> None:
    """Refuse a document that a topic holds twice."""
    pairs = list(zip(rows.topic.tolist(), rows.doc.tolist(), strict=True))
    if len(set(pairs)) == len(pairs):
        return
    seen: dict[tuple[int, Any], int] = {}
    for row, pair in enumerate(pairs):
        first = seen.setdefault(pair, row)
        if first != row:
            raise InputError(
                f"document {pair[1]} appears twice in topic {rows.topics[pair[0]]}",
                where=rows.place.at(first, row),
                do="Keep one of the two",
            )


def _by_score(rows: Rows) -> tuple[Ints, tuple[str, ...]]:
    """Order by score, ties by document id from z to a, as trec_eval does.

    trec_eval holds a score as a 32-bit float, so scores that differ only beyond that tie.
    """
    if rows.score is None:
        raise InputError(
            "there is no score to order by", where=rows.place.name, do=rows.advice("column")
        )
    falling = -np.clip(rows.score, -_SINGLE, _SINGLE).astype(np.float32)
    ordered = np.lexsort((falling, rows.topic))
    before, after = ordered[:-1], ordered[1:]
    ties = (rows.topic[before] == rows.topic[after]) & (falling[before] == falling[after])
    if not ties.any():
        return ordered, ()
    tied = np.union1d(before[ties], after[ties])
    names = sorted(set(rows.doc[tied].tolist()), reverse=True)
    places = {name: place for place, name in enumerate(names)}
    place = np.zeros(len(falling), dtype=np.int64)
    place[tied] = [places[name] for name in rows.doc[tied].tolist()]
    note = f"{len(tied)} documents share their score with another and are ordered by document id"
    return np.lexsort((place, falling, rows.topic)), (note,)


def _by_rank(rows: Rows, order: Order) -> tuple[Ints, tuple[str, ...]]:
    """Order by the rank column; with "check" it must be whole and agree with the score."""
    rank, score = rows.rank, rows.score
    if rank is None:
        raise InputError("there is no rank column", where=rows.place.name, do=rows.advice("score"))
    ordered = np.lexsort((rank, rows.topic))
    _refuse_repeated(rows, rank, ordered, order)
    if order == "check":
        _refuse_gap(rows, rank, ordered)
    if score is None:
        return ordered, ()
    before, after = ordered[:-1], ordered[1:]
    inside = rows.topic[before] == rows.topic[after]
    rises = inside & (score[after] > score[before])
    if order == "column":
        return ordered, _notes(int(rises.sum()), "a higher score than the one ranked before")
    if rises.any():
        at = int(np.argmax(rises))
        first, second = int(before[at]), int(after[at])
        raise InputError(
            f"rank and score contradict each other in topic {rows.topics[rows.topic[second]]}: "
            f"rank {rank[second]} has score {score[second]}, more than {score[first]} at rank "
            f"{rank[first]}",
            where=rows.place.at(second),
            do=rows.advice("score", "column"),
        )
    ties = inside & (score[after] == score[before])
    return ordered, _notes(int(ties.sum()), "the score of the one ranked before")


def _notes(count: int, what: str) -> tuple[str, ...]:
    has = "document has" if count == 1 else "documents have"
    return (f"{count} {has} {what}",) if count else ()


def _refuse_repeated(rows: Rows, rank: Ints, ordered: Ints, order: Order) -> None:
    before, after = ordered[:-1], ordered[1:]
    repeated = (rows.topic[before] == rows.topic[after]) & (rank[before] == rank[after])
    if not repeated.any():
        return
    at = int(np.argmax(repeated))
    first, second = int(before[at]), int(after[at])
    raise InputError(
        f"rank {rank[first]} appears twice in topic {rows.topics[rows.topic[first]]}",
        where=rows.place.at(first, second),
        do=rows.advice("score") if order == "column" else rows.advice("score", "column"),
    )


def _refuse_gap(rows: Rows, rank: Ints, ordered: Ints) -> None:
    """Refuse ranks of a topic that do not start at 0 or 1, or that leave a gap."""
    sorted_rank, topic = rank[ordered], rows.topic[ordered]
    starts = np.r_[True, topic[1:] != topic[:-1]]
    late = starts & ((sorted_rank < 0) | (sorted_rank > 1))
    gaps = ~starts & (np.diff(sorted_rank, prepend=0) > 1)
    wrong = np.flatnonzero(late | gaps)
    if len(wrong) == 0:
        return
    at = int(wrong[0])
    what = f"start at {sorted_rank[at]}, not at 0 or 1"
    if gaps[at]:
        what = f"leave a gap: {sorted_rank[at]} comes after {sorted_rank[at - 1]}"
    raise InputError(
        f"the ranks of topic {rows.topics[topic[at]]} {what}",
        where=rows.place.at(int(ordered[at])),
        do=rows.advice("score", "column"),
    )
