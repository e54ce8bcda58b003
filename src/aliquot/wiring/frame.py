"""`aliquot.Frame`: units and systems from anything tabular."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, final

from aliquot.core import frame as core
from aliquot.core.columns import Columns
from aliquot.core.scale import Scale, named, ranged
from aliquot.engine import pooling, table
from aliquot.engine.arrow import ArrowColumns
from aliquot.engine.draft import Draft, TableSpec
from aliquot.engine.frames import assemble
from aliquot.engine.manifest import SystemRow
from aliquot.errors import UsageError
from aliquot.io.documents import read_documents, read_queries
from aliquot.io.run_order import Run, cut
from aliquot.io.runs import read_run, run_from_table
from aliquot.io.tables import read_table, row_of, table_from
from aliquot.measures.registry import measure
from aliquot.report.table import card

if TYPE_CHECKING:
    import pyarrow as pa

SCALES = ("labels", "classes", "grades", "number")
DEPTH = 100


@final
@dataclass(frozen=True, eq=False)
class Frame:
    """Every unit that could be judged, and what each system says of it. Made once, never changed.

    >>> runs = {"bm25": {"topic": [1, 1], "doc": ["a", "b"], "score": [2.0, 1.0]}}
    >>> Frame.from_runs(runs)
    <Frame 2 units, 1 systems: bm25>
    """

    draft: Draft
    scale: Scale
    id_name: str = "unit"
    kind: str = ""  # what the caller holds its tables in: results come back in the same

    @classmethod
    def from_runs(  # noqa: PLR0913  (one table and named options)
        cls,
        runs: Mapping[str, object],
        *,
        depth: int = DEPTH,
        labels: str | Sequence[str] = "no,yes",
        grades: str = "",
        queries: Mapping[str, str] | None = None,
        documents: object = None,
    ) -> Frame:
        """Pool rankings: `runs` maps a name to a table (topic, doc, score or rank) or a file.

        `depth` is how deep each topic is pooled; no measure may look deeper. A unit is a topic and
        a document, joined by a space. `grades="0..3"` or `labels="no,yes"` is the labels' scale.
        """
        read = cut_runs(runs, depth)
        texts = None if documents is None else table_from(documents)
        made = pooling.draft(read, dict(queries or {}), texts)
        return cls(made, scale(labels=labels, grades=grades), "unit", _kind(*runs.values()))

    @classmethod
    def from_table(  # noqa: PLR0913  (one table and named options)
        cls,
        units: object,
        *,
        id: str,  # noqa: A002  (the word users have for it)
        scored: Mapping[str, str | tuple[str, float]] | None = None,
        predicted: Mapping[str, str] | None = None,
        retrieved: Mapping[str, str] | None = None,
        judges: Mapping[str, str] | None = None,
        text: str | Sequence[str] = (),
        cluster: str = "",
        cost: str = "",
        stratum: str = "",
        weights: str | Sequence[str] = (),
        groups: str | Sequence[str] = (),
        labels: str | Sequence[str] = "no,yes",
        classes: str | Sequence[str] = "",
        grades: str = "",
        number: str = "",
    ) -> Frame:
        """Read a table of units: a pandas, polars or Arrow table, a DuckDB relation, or a path.

        `scored`, `predicted`, `retrieved` and `judges` map a name to its column; a scored system
        may have a threshold at which it retrieves: `scored={"svm": ("score", 0.5)}`. `weights` and
        `groups` are columns by which units count: `Precision(macro=relation)`.
        """
        made = scale(labels=labels, classes=classes, grades=grades, number=number)
        spec = TableSpec(
            id,
            systems(scored or {}, predicted or {}, retrieved or {}),
            tuple((judges or {}).items()),
            _names(text),
            cluster,
            cost,
            stratum,
            made,
            weights=_names(weights),
            groups=_names(groups),
        )
        return cls(table.draft(*read_units(units, spec)), made, id, _kind(units))

    @cached_property
    def value(self) -> core.Frame:
        """The frame as the statistical rooms see it."""
        names = {name: name for name in self.draft.files(1)}
        manifest = self.draft.manifest(names, None)
        parts: dict[str, Columns] = {n: ArrowColumns(t) for n, t in self.draft.files(1).items()}
        return assemble(manifest, parts)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems' names."""
        return tuple(system.name for system in self.draft.systems)

    def __len__(self) -> int:
        return len(self.value)

    def to_dict(self) -> dict[str, Any]:
        """Say what the frame holds."""
        return {
            "units": len(self),
            "systems": list(self.systems),
            "judges": [name for name, _ in self.value.judges],
            "topics": len(self.value.topics),
            "scale": str(self.scale),
        }

    def __repr__(self) -> str:
        return repr(self.value)

    def _repr_html_(self) -> str:
        return card(self.to_dict())


def pooled(runs: Sequence[Run], made: Scale, queries: str | None, documents: str | None) -> Frame:
    """Pool runs that were read already, with texts from files."""
    return Frame(pooling.draft(runs, *texts(runs, queries, documents)), made)


def tabled(path: str, spec: TableSpec) -> Frame:
    """Read a table of units from a file."""
    return Frame(table.draft(*read_units(path, spec)), spec.scale, spec.id)


def texts(
    runs: Sequence[Run], queries: str | None, documents: str | None
) -> tuple[dict[str, str], pa.Table | None]:
    """Read the texts of topics, and of the documents that the runs return."""
    wanted = {doc for run in runs for doc in run.doc.tolist()} if documents else set()
    return (
        read_queries(queries) if queries else {},
        read_documents(documents, wanted) if documents else None,
    )


def systems(
    scored: Mapping[str, str | tuple[str, float]],
    predicted: Mapping[str, str],
    retrieved: Mapping[str, str],
) -> tuple[SystemRow, ...]:
    """List the systems of a table."""
    found = []
    for name, how in scored.items():
        column, threshold = (how, None) if isinstance(how, str) else (how[0], _threshold(name, how))
        found.append(SystemRow(name, "scored", column, threshold))
    found += [SystemRow(name, "predicted", column) for name, column in predicted.items()]
    found += [SystemRow(name, "retrieved", column) for name, column in retrieved.items()]
    names = [system.name for system in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f"two systems are both called {twice[0]}", do="Rename one of them")
    return tuple(found)


def _names(columns: str | Sequence[str]) -> tuple[str, ...]:
    return (columns,) if isinstance(columns, str) else tuple(columns)


def _threshold(name: str, how: tuple[str, float]) -> float:
    with suppress(TypeError, ValueError):
        if math.isfinite(float(how[1])):
            return float(how[1])
    raise UsageError(
        f"the threshold {how[1]!r} of {name} is not a number", do="Use one such as 0.5"
    )


def whole(name: str, value: object) -> int:
    """Return a whole number of Python or numpy."""
    try:
        return operator.index(value)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        raise UsageError(
            f"{name}={value!r} is not a whole number", do="Use one such as 7"
        ) from None


def scale(
    *,
    labels: str | Sequence[str] = "",
    classes: str | Sequence[str] = "",
    grades: str = "",
    number: str = "",
) -> Scale:
    """Build the one scale that is asked for; `labels` gives way to any other."""
    others = [
        name
        for name, given in (("classes", classes), ("grades", grades), ("number", number))
        if given
    ]
    if len(others) > 1:
        raise UsageError(f"a study has one scale, not {' and '.join(others)}", do="Choose one")
    if grades or number:
        return ranged("grades", grades) if grades else ranged("number", number)
    kind, words = ("classes", classes) if classes else ("labels", labels or "no,yes")
    split = words.split(",") if isinstance(words, str) else words
    return named(kind, tuple(word.strip() for word in split))


def cut_runs(runs: Mapping[str, object], depth: int) -> list[Run]:
    """Read runs and cut each topic at a depth."""
    if depth < 1:
        raise UsageError(f"depth {depth} is not at least 1", do="Use one such as 100")
    return [cut(_run(name, run), depth) for name, run in runs.items()]


def deepest(measures: Sequence[str]) -> int:
    """Return how deep rankings are pooled if nobody says: as deep as the deepest measure looks."""
    return max([DEPTH, *(measure(text).depth for text in measures)])


def _run(name: str, source: object) -> Run:
    found: Run
    if isinstance(source, Run):
        found = source
    elif isinstance(source, str | os.PathLike):
        found = replace(read_run(os.fspath(source)), name=name)
    else:
        found = run_from_table(table_from(source), name)
    return found


def read_units(units: object, spec: TableSpec) -> tuple[pa.Table, TableSpec]:
    """Read a table of units, and say how an error names a row of it."""
    if isinstance(units, str | os.PathLike):
        path = os.fspath(units)
        found = read_table(path, text_columns=spec.texts)
        return found, replace(spec, where=path, named=partial(row_of, path))
    return table_from(units), spec


def _kind(*tables: object) -> str:
    """Name the library of the caller's tables."""
    roots = {type(one).__module__.split(".")[0] for one in tables}
    return next((name for name in ("pandas", "polars", "pyarrow") if name in roots), "")
