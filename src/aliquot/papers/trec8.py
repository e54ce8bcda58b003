"""TREC-8 as Schnabel et al. (2016, section 3.1) use it: runs whose first 100 are all judged.

The public copy holds 129 runs and the filter leaves 65; the paper counts 64 of 149.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.errors import InputError
from aliquot.papers.base import Settings

DEPTH = 100
Whole = NDArray[np.int64]


@final
@dataclass(frozen=True, eq=False)
class Trec8:
    """Rankings of judged documents: `units` and `labels` have shape (runs, topics, depth).

    A unit is a topic with a document; units are numbered from 0, and `truth` holds their labels.
    """

    names: tuple[str, ...]
    units: Whole
    truth: Floats

    @property
    def labels(self) -> Floats:
        """The label at each rank."""
        return self.truth[self.units]

    def weights(self, discount: Floats) -> Floats:
        """Return the weight of each unit in a mean over topics, shape (runs, units)."""
        runs, topics, depth = self.units.shape
        found = np.zeros((runs, len(self.truth)))
        for run in range(runs):
            found[run, self.units[run].ravel()] = np.tile(discount[:depth], topics) / topics
        return found


def read(settings: Settings) -> Trec8:
    """Read `trec8/trec8_runs.parquet` and `trec8/trec8_qrels.parquet` in the folder of data."""
    return _read(settings.folder("trec8"))


@cache
def _read(folder: Path) -> Trec8:
    runs = _table(folder / "trec8_runs.parquet", ("run", "topic", "rank", "doc"), DEPTH)
    qrels = _table(folder / "trec8_qrels.parquet", ("topic", "doc", "rel"))
    coded = runs.column("run").combine_chunks()
    names, run = coded.dictionary.to_pylist(), _whole(coded.indices)
    topic, rank, doc = (_whole(runs.column(name)) for name in ("topic", "rank", "doc"))
    pair = topic << 32 | doc
    judged = _whole(qrels.column("topic")) << 32 | _whole(qrels.column("doc"))
    by = np.argsort(judged)
    place = np.minimum(np.searchsorted(judged[by], pair), len(by) - 1)
    hit = judged[by][place] == pair
    topics = len(np.unique(topic))
    full = np.bincount(run[hit], minlength=len(names)) == topics * DEPTH
    keep = full[run]
    order = np.lexsort((rank[keep], topic[keep], run[keep]))
    kept, units = np.unique(pair[keep][order], return_inverse=True)
    rel = _whole(qrels.column("rel"))[by]
    truth = rel[np.searchsorted(judged[by], kept)].astype(np.float64)
    shape = (int(full.sum()), topics, DEPTH)
    some = tuple(name for name, all_judged in zip(names, full, strict=True) if all_judged)
    return Trec8(some, units.reshape(shape), truth)


def _table(path: Path, names: tuple[str, ...], depth: int = 0) -> Any:  # noqa: ANN401
    """Read some columns as an Arrow table; with a depth, only ranks down to it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    keep = [("rank", "<=", depth)] if depth else None
    coded = ["run"] if depth else None
    try:
        return pq.read_table(path, columns=list(names), filters=keep, read_dictionary=coded)
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(
            "the file can't be read as Parquet", where=str(path), do="Check --data DIR"
        ) from error


def _whole(column: Any) -> Whole:  # noqa: ANN401  (pyarrow has no types)
    found: Whole = np.asarray(column).astype(np.int64)
    return found
