"""Cells: what was counted in each stratum, of what a system retrieves and of what it does not."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from aliquot.core.estimate import Cells, Estimate
from aliquot.core.frame import Floats
from aliquot.core.sample import Sample
from aliquot.designs.base import Design, every
from aliquot.designs.kernel import pick
from aliquot.designs.prior import Prior
from aliquot.designs.size import Size
from aliquot.designs.strata import Strata
from aliquot.designs.uniform import Uniform
from aliquot.measures.mean import Mean
from aliquot.measures.sets import F, Precision, Recall
from aliquot.measures.targets import Family
from aliquot.planner.counts import Counted
from aliquot.study.book import Book
from aliquot.study.pools import chunks, columns, layers
from aliquot.study.spelled import chosen

RULE = 3.0  # the rule of three: ln(1 / .05)
DECIDES, SETTLED = 0.1, 0.05  # of the positives that were seen, estimated
MANY = 64  # strata; in more of them priors add up to more than the labels say
Codes = NDArray[np.int64]


def counted(book: Book, sample: Sample, family: Family, prior: Prior) -> list[Cells] | None:
    """Return the cells of each system; None where units were not drawn alike within few strata.

    A unit is positive or not: a label of two that differ is neither.
    """
    beta, labels = _beta(family), sample.averaged(sample.labels[None, :])[0]
    plain = sample.kind in ("simple", "strata") and book.scale.kind == "labels"
    draws = book.ledger.draws()
    if beta is None or not plain or not draws or not np.isin(labels, book.scale.levels).all():
        return None
    last = draws[-1]
    if not isinstance(chosen(last.design), Strata | Uniform):
        return None  # other designs call what they cut strata as well
    cuts = json.dumps(json.loads(last.params)["design"].get("cuts"))  # 200 + 100 are not 300
    key = ("codes", last.design, last.goal, last.frame_hash, cuts)
    codes = book.whole.once(lambda: _codes(book), *key)
    if codes.max(initial=0) >= MANY:
        return None
    held, expected = _held(book, family, prior)
    return [_cells(sample, codes, (one, expected), labels, beta) for one in held]


def seen(book: Book, made: Design, size: Size, asked: tuple[Family, str]) -> Counted | None:
    """Return what counts of a first draw are expected from; None where none would be taken."""
    (family, goal), frame = asked, book.frame
    beta, served = _beta(family), {"each": family.names}.get(goal, ("", goal))
    single = goal == "each" or goal in {system.name for system in frame.systems}
    plain = book.scale.kind == "labels" and not frame.topics
    if beta is None or not (plain and single and isinstance(made, Strata | Uniform)):
        return None
    if isinstance(made, Uniform) and isinstance(family.measure, Mean):  # Wilson's interval
        return None
    chunk = every(iter(chunks(book, made, goal, size)()))
    held, expected = _held(book, family, size.prior)
    mine = chunk.size > 0
    own = [h[mine] for h, name in zip(held, family.names, strict=True) if name in served]
    return Counted(pick(chunk, mine), own, expected[mine], beta)


def attached(
    rows: tuple[Estimate, ...], work: tuple[Book, Sample, Family], prior: Prior
) -> tuple[Estimate, ...]:
    """Give each estimate its cells, where it has some."""
    found = counted(*work, prior)
    if found is None:
        return rows
    return tuple(
        replace(row, cells=cells, warnings=(*row.warnings, *unseen(cells, row.measure)))
        for row, cells in zip(rows, found, strict=True)
    )


def unseen(cells: Cells, measure: str) -> list[str]:
    """Say so where positives that nobody could have seen decide how low recall or F may be.

    Of N units n were judged and none was positive: about 3 N / n positives can't be excluded.
    """
    rest = ~cells.retrieved
    if cells.beta <= 0 or not rest.any():
        return []
    N, n, r = (column[rest] for column in (cells.N, cells.n, cells.r))
    positives = float((cells.N * cells.r / np.maximum(cells.n, 1.0)).sum())
    h = int(np.argmax(N - n))
    hidden = RULE * (N[h] - n[h]) / max(n[h], 1.0)
    if r[h] > 0 or not hidden > DECIDES * positives > 0:
        return []
    enough = RULE * N[h] / (SETTLED * positives + RULE)  # hidden is then SETTLED of the positives
    more = round((enough - n[h]) * float(cells.n.sum()) / max(n[h], 1.0), -1)
    text = (
        f"none of the {n[h]:.0f} judged of {N[h]:.0f} units outside what is retrieved is positive, "
        f"so about {hidden:.0f} positives among them can't be excluded, which decides how low "
        f"{measure} may be; about {more:.0f} more labels drawn alike would settle it"
    )
    return [text]


def _beta(family: Family) -> float | None:
    """Return what a measure is made of, as cells say it."""
    measure = family.measure
    if measure.weighing:
        return None
    match measure:
        case Recall(rel=1, pool=1.0):
            return float("inf")
        case F(rel=1, pool=1.0, beta=beta):
            return float(beta)
        case Precision(rel=1) | Mean():
            return 0.0
    return None


def _codes(book: Book) -> Codes:
    """Return the stratum of each unit of the frame, -1 where no draw could have chosen it."""
    [layer] = layers(book, book.ledger.draws())
    found = []
    for chunk in layer.chunks():
        if isinstance(layer.design, Strata):
            codes = layer.design.place(chunk, layer.params["cuts"])
        else:
            codes = np.zeros(len(chunk.rows), dtype=np.int64)
        found.append(np.where(layer.chances(chunk, alone=True) > 0, codes, -1))
    return np.concatenate(found)


def _held(book: Book, family: Family, prior: Prior) -> tuple[list[NDArray[np.bool_]], Floats]:
    """Return what each system retrieves, a row of the frame, and what scores expect of each."""
    frame = book.frame

    def gather() -> tuple[list[NDArray[np.bool_]], Floats]:
        parts: list[list[NDArray[np.bool_]]] = [[] for _ in family.names]
        expected = []
        for block in frame.blocks(frame.systems, columns(frame)):
            expected.append(prior.raw(block, frame.systems))
            for part, items in zip(parts, family.items(block), strict=True):
                output = items.output.retrieved
                none = np.zeros(len(items), dtype=np.bool_)
                part.append(none if output is None else output.astype(np.bool_))
        return [np.concatenate(part) for part in parts], np.concatenate(expected)

    return book.whole.once(gather, "held", family.names)


def _cells(
    sample: Sample,
    codes: Codes,
    known: tuple[NDArray[np.bool_], Floats],
    labels: Floats,
    beta: float,
) -> Cells:
    retrieved, expected = known
    seen = codes >= 0
    cell = 2 * codes + retrieved
    count = int(cell.max(initial=1)) + 1
    N = np.bincount(cell[seen], minlength=count).astype(np.float64)
    mean = np.bincount(cell[seen], weights=expected[seen], minlength=count) / np.maximum(N, 1.0)
    mine = cell[sample.rows]
    n = np.bincount(mine, minlength=count).astype(np.float64)
    r = np.bincount(mine, weights=labels > 0, minlength=count).astype(np.float64)
    some = N > 0
    odd = np.arange(count) % 2 == 1
    return Cells(odd[some], N[some], n[some], r[some], mean[some], beta)
