"""Runs become a frame: the pool of all that they return, and each system's ranks in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from aliquot.core import prn
from aliquot.core.frame import KEY, TOPIC, UNIT, Frame
from aliquot.engine.draft import Draft
from aliquot.engine.manifest import Role, SystemRow
from aliquot.engine.table import SHEET
from aliquot.errors import FrameError

if TYPE_CHECKING:
    import pyarrow as pa


class RunLike(Protocol):
    """A run, as `io` reads it: `topic` holds places in `topics`, a row a document."""

    @property
    def name(self) -> str:
        """What the system is called."""

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics it answers."""

    @property
    def topic(self) -> NDArray[np.int32]:
        """The topic of each row."""

    @property
    def doc(self) -> NDArray[np.object_]:
        """The document of each row."""

    @property
    def rank(self) -> NDArray[np.int32]:
        """Its rank, from 1."""

    @property
    def cut(self) -> int:
        """The rank after which it was cut; 0: it is whole."""


Texts = Mapping[str, str]


def draft(runs: Sequence[RunLike], queries: Texts, documents: pa.Table | None) -> Draft:
    """Pool runs into the first version of a frame."""
    if not runs:
        raise FrameError("there are no runs", do="Give at least one run")
    topics = tuple(sorted({topic for run in runs for topic in run.topics}))
    named = [_units(run) for run in runs]
    pool = sorted(set().union(*named))
    place = {unit: i for i, unit in enumerate(pool)}
    units, payload = _table(pool, topics, queries, documents)
    return Draft(
        (("units", units), ("rankings", _rankings(runs, named, place))),
        tuple(SystemRow(run.name, "ranking", cut=run.cut) for run in runs),
        topics=topics,
        payload=payload,
        notes=_notes(units, topics, queries, documents),
    )


def more(
    frame: Frame, runs: Sequence[RunLike], queries: Texts, documents: pa.Table | None
) -> Draft:
    """Add runs that did not exist when the frame was made, and the units that only they return."""
    new = sorted({topic for run in runs for topic in run.topics} - set(frame.topics))
    if new:
        raise FrameError(
            f"topic {new[0]} is not among the {len(frame.topics)} topics of this study",
            where=next(run.name for run in runs if new[0] in run.topics),
            do="Leave it out, or start a study with all topics",
        )
    named = [_units(run) for run in runs]
    wanted = sorted(set().union(*named))
    rows = frame.find(tuple(wanted)).tolist()
    fresh = [unit for unit, row in zip(wanted, rows, strict=True) if row < 0]
    place = dict(zip(wanted, rows, strict=True))
    place |= {unit: len(frame) + i for i, unit in enumerate(fresh)}
    tables: list[tuple[Role, pa.Table]] = []
    if fresh:
        units, payload = _table(fresh, frame.topics, queries, documents)
        tables.append(("more units", _filled(units, frame.payload, payload)))
    tables.append(("rankings", _rankings(runs, named, place)))
    return Draft(tuple(tables), tuple(SystemRow(run.name, "ranking", cut=run.cut) for run in runs))


def _units(run: RunLike) -> list[str]:
    codes = run.topic.tolist()
    return [f"{run.topics[code]} {doc}" for code, doc in zip(codes, run.doc.tolist(), strict=True)]


def _table(
    pool: Sequence[str], topics: Sequence[str], queries: Texts, documents: pa.Table | None
) -> tuple[pa.Table, tuple[str, ...]]:
    import pyarrow as pa

    code = {topic: i for i, topic in enumerate(topics)}
    topic, doc = zip(*(unit.split(" ", 1) for unit in pool), strict=True)
    keys = prn.keys(pool)
    pair = prn.clash(keys)
    if pair is not None:
        raise FrameError(
            f"units '{pool[pair[0]]}' and '{pool[pair[1]]}' share one 64-bit number",
            do="Rename one of the documents, for example with a prefix",
        )
    columns: dict[str, Any] = {
        UNIT: pa.array(pool, pa.string()),
        KEY: keys,
        TOPIC: np.array([code[t] for t in topic], dtype=np.int32),
        "topic": pa.array(topic, pa.string()),
        "doc": pa.array(doc, pa.string()),
    }
    if queries:
        columns["query"] = pa.array([queries.get(t) for t in topic], pa.string())
    if documents is not None:
        columns |= _joined(documents, doc)
    table = pa.table(columns)
    return table, tuple(name for name in table.column_names if not name.startswith("@"))


def _notes(
    units: pa.Table, topics: Sequence[str], queries: Texts, documents: pa.Table | None
) -> tuple[str, ...]:
    """Say which texts were asked for and are not there."""
    found = []
    missing = [topic for topic in topics if topic not in queries] if queries else []
    if missing:
        found.append(f"{len(missing)} of {len(topics)} topics have no text, such as {missing[0]}")
    if documents is not None:
        names = set(units.column("doc").to_pylist())
        missing = sorted(names - set(documents.column("doc").to_pylist()))
        if missing:
            what = f"{len(missing)} of {len(names)} documents have no text"
            found.append(f"{what}, such as {missing[0]}")
    return tuple(found)


def _joined(documents: pa.Table, doc: Sequence[str]) -> dict[str, Any]:
    """Look the documents up: one row a unit, null where there is none."""
    import pyarrow as pa

    row = {name: i for i, name in enumerate(documents.column("doc").to_pylist())}
    places = pa.array([row.get(name) for name in doc], pa.int64())
    taken = ("doc", "topic", "query", *SHEET)
    names = [name for name in documents.column_names if name not in taken]
    return {name: documents.column(name).take(places) for name in names}


def _filled(table: pa.Table, wanted: Sequence[str], found: Sequence[str]) -> pa.Table:
    """Give a table of later units the payload columns of the first; what it lacks is null."""
    import pyarrow as pa

    for name in wanted:
        if name not in found:
            table = table.append_column(name, pa.nulls(table.num_rows, pa.string()))
    return table.select([UNIT, KEY, TOPIC, *wanted])


def _rankings(
    runs: Sequence[RunLike], named: Sequence[Sequence[str]], place: Mapping[str, int]
) -> pa.Table:
    import pyarrow as pa

    names, rows, ranks = [], [], []
    for run, units in zip(runs, named, strict=True):
        at = np.fromiter((place[unit] for unit in units), dtype=np.int64, count=len(units))
        order = np.argsort(at, kind="stable")
        names += [run.name] * len(at)
        rows.append(at[order])
        ranks.append(run.rank[order].astype(np.int32))
    return pa.table(
        {
            "system": pa.array(names, pa.string()),
            "row": np.concatenate(rows),
            "rank": np.concatenate(ranks),
        }
    )
