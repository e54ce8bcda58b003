"""The pool that a draw is made from, and the chances that earlier draws gave to every unit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.columns import BLOCK
from aliquot.core.frame import TOPIC, Block, Floats, Frame, System
from aliquot.core.order import order
from aliquot.core.records import DrawRow, DrawUnits
from aliquot.curves.staged import Staged
from aliquot.designs.base import Chunk, Design, Pool
from aliquot.designs.goal import curved
from aliquot.designs.headtail import HeadTail
from aliquot.designs.size import Size, recorded
from aliquot.designs.stratified import Stratified
from aliquot.errors import DesignError
from aliquot.study.book import Book
from aliquot.study.spelled import chosen

KEPT = 4_194_304  # units up to which sizes are computed once and kept for the later passes
Chunks = Callable[[], Iterable[Chunk]]


@final
@dataclass(frozen=True, eq=False)
class Layer:
    """One earlier draw, able to say again what chance it gave to each unit."""

    design: Design
    chunks: Chunks
    params: dict[str, Any]

    def chances(self, chunk: Chunk, *, alone: bool) -> Floats:
        """Return the inclusion probability (with replacement: expected draws) of each unit.

        In a union with other designs the thresholds that were met count, not their expectation.
        """
        ask = self.design.level if alone else self.design.threshold
        return ask(chunk, self.params)


def layers(book: Book, draws: Sequence[DrawRow]) -> tuple[Layer, ...]:
    """Rebuild the draws that matter.

    Of draws with one design, goal and frame the last one holds all the others, unless they are with
    replacement, where each adds its own.
    """
    last = {
        (d.batch if json.loads(d.params)["replacement"] else 0, d.design, d.goal, d.frame_hash): d
        for d in draws
    }
    return tuple(_layer(book, draw) for draw in last.values())


def _layer(book: Book, draw: DrawRow) -> Layer:
    params, made = json.loads(draw.params), chosen(draw.design)
    size = recorded(made.sized, book.frame, book.scale, draw.goal, params["size"])
    return Layer(made, chunks(book, made, draw.goal, size), params["design"])


def chunks(book: Book, made: Design, goal: str, size: Size) -> Chunks:
    """Return the frame as a design sees it before any draw: sizes and strata, block by block."""
    frame, spelled = book.frame, json.dumps(size.constants(), sort_keys=True)
    place = _places(book, made, goal, size)

    def fresh() -> Iterator[Chunk]:
        if place is not None:
            yield from ranked(frame, place)
            return
        for block in frame.blocks(frame.systems, columns(frame), size=BLOCK):
            zero, codes = np.zeros(len(block.rows)), strata(made, block, frame, size.served)
            yield Chunk(block.rows, block.keys, size(block), zero, codes)

    return lambda: book.whole.parts(
        fresh, "chunks", str(made), goal, spelled, entries=5 * len(frame)
    )


def _places(book: Book, made: Design, goal: str, size: Size) -> NDArray[np.int64] | None:
    """Return the place of each unit in a ranking, if that is all that a design goes by."""
    if not isinstance(made, Staged):
        return None
    system, units = curved(goal), size.units
    return book.whole.once(
        lambda: order(book.frame, system, units=units).place, "place", system, units
    )


def ranked(frame: Frame, place: NDArray[np.int64]) -> Iterator[Chunk]:
    """Yield the units as a strategy for curves sees them: the place of each is its stratum."""
    for block in frame.blocks((), (), size=BLOCK):
        at = place[block.rows]
        yield Chunk(block.rows, block.keys, (at > 0).astype(float), np.zeros(len(at)), at)


def columns(frame: Frame, design_: Design | None = None) -> tuple[str, ...]:
    """Name the columns that sizes and strata are made from, besides the systems'."""
    more = tuple(column for _, column in frame.judges)
    more += (frame.cost,) if frame.cost else ()
    wants = design_ is None or (isinstance(design_, Stratified) and design_.by == "stratum")
    return more + ((frame.stratum,) if frame.stratum and wants else ())


def strata(
    made: Design, block: Block, frame: Frame, served: tuple[System, ...]
) -> NDArray[np.int64]:
    """Return the stratum code of each unit under a design; 0 where it has none.

    Head and tail ask who is retrieved (0), and who is not (1), by any system that the goal serves.
    """
    if isinstance(made, HeadTail):
        found = [system.output(block).retrieved for system in served]
        some = [one.astype(np.bool_) for one in found if one is not None]
        return np.where(np.any(some, axis=0), 0, 1) if some else np.ones(len(block.rows), np.int64)
    if not isinstance(made, Stratified) or made.by == "size":
        return np.zeros(len(block.rows), dtype=np.int64)
    if made.by == "topic" and TOPIC in block.data:
        return block.topics
    if made.by == "stratum" and frame.stratum:
        return block.data[frame.stratum].astype(np.int64)
    raise DesignError(
        f"{made} needs a {made.by} for each unit, and the frame has none",
        do="Give --stratum COLUMN at init" if made.by == "stratum" else "Use by=size",
    )


def combined(layers_: Sequence[Layer], parts: Sequence[Chunk], *, alone: bool) -> Floats:
    """Return the chance of each unit under all draws together; `alone` says that one design drew.

    `parts` are the same units as each draw saw them. The same random number decides in every draw
    without replacement, so the largest chance counts; with replacement the expected draws add up.
    """
    found = np.zeros(len(parts[0].rows))
    for layer, chunk in zip(layers_, parts, strict=True):
        chances = layer.chances(chunk, alone=alone)
        found = found + chances if layer.design.replacement else np.maximum(found, chances)
    return found


def pool(book: Book, own: Chunks, draws: Sequence[DrawRow], *, same: bool) -> Pool:
    """Build the pool of a new draw."""
    seed = book.header.seed
    if not draws:
        return Pool(_held(book, own), seed)
    held = draws[-1].units
    before = Before(layers(book, draws), same, held)
    order = np.argsort(held.key)
    return Pool(
        _held(book, lambda: before.added(own)),
        seed,
        held.key[order],
        held.conditional[order],
        held.count[order],
        same,
        json.loads(draws[-1].params)["design"] if same else {},
    )


@final
@dataclass(frozen=True, eq=False)
class Before:
    """What earlier draws mean for a new one."""

    layers: tuple[Layer, ...]
    same: bool
    held: DrawUnits

    def added(self, own: Chunks) -> Iterator[Chunk]:
        """Add to each chunk the chances that its units had so far."""
        for chunk, *parts in zip(own(), *(layer.chunks() for layer in self.layers), strict=True):
            yield replace(chunk, before=self.chances(chunk, parts))

    def chances(self, chunk: Chunk, parts: Sequence[Chunk]) -> Floats:
        """Return the chance of each unit so far; in a union, what a unit held was drawn with."""
        found = combined(self.layers, parts, alone=self.same)
        if any(layer.design.kind == "strata" for layer in self.layers) and not self.same:
            order = np.argsort(self.held.key)
            keys = self.held.key[order]
            place = np.minimum(np.searchsorted(keys, chunk.keys), len(keys) - 1)
            mine = keys[place] == chunk.keys
            found[mine] = self.held.conditional[order][place[mine]]
        return found


def _held(book: Book, fresh: Chunks) -> Callable[[], Iterator[Chunk]]:
    """Hold the chunks for the passes of a draw, unless the frame is long."""
    if len(book.frame) > KEPT:
        return lambda: iter(fresh())
    kept = list(fresh())
    return lambda: iter(kept)
