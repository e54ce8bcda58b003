"""Judge some topics whole."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core import prn
from aliquot.core.columns import BLOCK
from aliquot.core.estimate import Estimate
from aliquot.core.frame import TOPIC, Block, Floats, Frame
from aliquot.errors import DesignError
from aliquot.estimators.jackknife import stderr
from aliquot.measures.pairs import PairMeasure
from aliquot.measures.targets import Family
from aliquot.study.baseline import Baseline
from aliquot.study.cover import cover
from aliquot.study.labelled import Labelled, values
from aliquot.study.replay import Key, Row, Setting, Tried


@final
@dataclass(frozen=True)
class Deep(Baseline):
    """Judge the pools of some topics whole: as many topics as the budget pays for on average.

    The topics are a simple random sample: **unbiased for means over topics**, and imprecise where
    topics differ. At least one topic is judged, whatever it costs. (The DEEP of Schnabel et al.)
    """

    name: ClassVar[str] = "deep"
    what: ClassVar[str] = "judge the pools of random topics whole; needs runs"
    why: ClassVar[str] = "it judges whole topics, so that a budget can't be kept"
    covers: ClassVar[bool] = True

    def replay(self, world: Labelled, setting: Setting, seed: int) -> Tried:
        """Choose topics, and take the mean over them with its standard error."""
        frame = world.book.frame
        if not frame.topics:
            raise DesignError("deep judges whole topics, and there are none", do="Give --runs")
        many = len(frame.topics)
        sizes = world.book.whole.once(lambda: np.bincount(_topics(frame), minlength=many), "topics")
        count = min(many, ceil(setting.budget * many / len(frame)))
        order = np.argsort(prn.uniform(np.arange(many, dtype=np.uint64), seed))
        chosen = np.sort(order[:count])
        found = Tried(int(sizes[chosen].sum()))
        for family in world.families:
            found.rows.update(self._rows(world, family, chosen, setting))
        return found

    def _rows(
        self, world: Labelled, family: Family, chosen: NDArray[np.int64], setting: Setting
    ) -> dict[Key, Row]:
        whole = world.book.whole
        totals = whole.once(lambda: _by_topic(world, family), "by topic", str(family.measure))
        many, m, known = totals.shape[2], len(chosen), world.known(family)
        mean = values(family, _over(family, totals, chosen), known)
        left_out = [
            values(family, _over(family, totals, np.delete(chosen, g)), known) for g in range(m)
        ]
        error = stderr(np.stack(left_out), m / many) if m > 1 else np.full(len(mean), np.nan)
        rows = {}
        for s, name in enumerate(family.names):
            one = self._estimate(world, family, (name, float(mean[s]), float(error[s])), m)
            exact = replace(one, guarantee="exact") if m == many else one
            interval = cover(exact, "t", setting.level)
            key = (self.name, "t", name, str(family.measure))
            rows[key] = Row(one.estimate, interval.low, interval.high, interval.method)
        return rows

    def _estimate(
        self, world: Labelled, family: Family, found: tuple[str, float, float], topics: int
    ) -> Estimate:
        name, value, error = found
        scale = world.book.scale
        return Estimate(
            name,
            str(family.measure),
            value,
            error if topics > 1 else float("inf"),
            topics,
            float(topics),
            self.name,
            "design-consistent",
            family.measure.bounds(scale.low, scale.high),
            df=max(topics - 1.0, 1.0),
        )


def _topics(frame: Frame) -> NDArray[np.int64]:
    found: NDArray[np.int64] = frame.columns.whole(TOPIC).astype(np.int64)
    return found


def _by_topic(world: Labelled, family: Family) -> Floats:
    """Sum up the contributions of every unit, topic by topic: shape (S, J, topics)."""
    frame = world.book.frame
    total: Floats = np.zeros(1)
    size = max(len(frame), 1) if family.measure.pairs else BLOCK
    for block in frame.blocks(family.systems, size=size):
        total = total + _split(family, block, world.labels)
    return total


def _split(family: Family, block: Block, labels: Floats) -> Floats:
    measure, y, parts = family.measure, labels[block.rows], []
    for items in family.items(block):
        if isinstance(measure, PairMeasure):
            c = measure.shares(items, y)
        else:
            c = measure.contributions(items, y)
        many = items.topic_count
        parts.append([np.bincount(items.topics, weights=row, minlength=many) for row in c])
    found: Floats = np.array(parts)
    return found


def _over(family: Family, totals: Floats, chosen: NDArray[np.int64]) -> list[Floats]:
    """Return the totals that the topics judged stand for."""
    if family.measure.by_topic:
        kept = np.zeros_like(totals)
        kept[:, :, chosen] = totals[:, :, chosen]
        return list(kept)
    scale = totals.shape[2] / max(len(chosen), 1)
    return list(scale * totals[:, :, chosen].sum(axis=2))
