"""Results: rows of frozen values that turn into any kind of table."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Generic, Protocol, TypeVar, final

import numpy as np

from aliquot.core.columns import Array
from aliquot.core.estimate import Estimate, Interval
from aliquot.errors import MissingExtraError
from aliquot.report.table import card, html, text
from aliquot.study.compare import Difference
from aliquot.study.cover import cover as covered


class Rowlike(Protocol):
    """Anything that says what its row is."""

    def to_dict(self) -> dict[str, Any]:
        """Return the row."""


T = TypeVar("T", bound=Rowlike)


@final
@dataclass(frozen=True)
class Row:
    """A plain row of a result."""

    values: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  (whatever the column holds)
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(name) from None

    def to_dict(self) -> dict[str, Any]:
        """Return the row."""
        return dict(self.values)


@final
@dataclass(frozen=True)
class EstimateRow:
    """An estimate with its interval; ask for another level and get another interval."""

    value: Estimate
    interval: Interval
    asked: str = "default"

    @property
    def system(self) -> str:
        """The system's name."""
        return self.value.system

    @property
    def measure(self) -> str:
        """The measure's spelling."""
        return self.value.measure

    @property
    def estimate(self) -> float:
        """The estimate."""
        return self.value.estimate

    @property
    def stderr(self) -> float:
        """Its standard error."""
        return self.value.stderr

    @property
    def low(self) -> float:
        """The lower end of its interval."""
        return self.interval.low

    @property
    def high(self) -> float:
        """The upper end of its interval."""
        return self.interval.high

    @property
    def effective_n(self) -> float:
        """The judged units that bear on it, as if all weighed the same."""
        return self.value.effective_n

    @property
    def guarantee(self) -> str:
        """What is promised of it."""
        return self.value.guarantee

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to know before it is used."""
        return self.value.warnings

    def confidence_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return (low, high) at a level."""
        found = cover(self.value, self.asked, level).interval
        return found.low, found.high

    def to_dict(self) -> dict[str, Any]:
        """Return the row as the interface promises it; what is not defined is None."""
        v = self.value
        return {
            "system": v.system or None,
            "measure": v.measure,
            "estimate": _finite(v.estimate),
            "stderr": _finite(v.stderr),
            "low": self.interval.low,
            "high": self.interval.high,
            "level": self.interval.level,
            "judged": v.judged,
            "effective_n": v.effective_n,
            "estimator": v.estimator,
            "interval": self.interval.method,
            "assisted": v.assisted,
            "guarantee": v.guarantee,
            "sampling_variance": None if v.judging is None else _sampling(v, v.judging),
            "judging_variance": v.judging,
            "warnings": list(v.warnings),
        }

    def _repr_html_(self) -> str:
        return card(self.to_dict())


def _sampling(value: Estimate, judging: float) -> float | None:
    """Return what the choice of units adds to the variance, beside the judges."""
    return _finite(max(value.stderr**2 - judging, 0.0))


def cover(value: Estimate, asked: str, level: float) -> EstimateRow:
    """Give an estimate its interval."""
    return EstimateRow(value, covered(value, asked, level), asked)


@final
@dataclass(frozen=True)
class Results(Generic[T]):
    """Rows of values, in order. Arrow, pandas and polars can read it as a table."""

    rows: tuple[T, ...]
    kind: str = ""

    def __iter__(self) -> Iterator[T]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> T:
        return self.rows[place]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dicts."""
        return [row.to_dict() for row in self.rows]

    def to_dict(self) -> dict[str, Any]:
        """Return the rows as the commands write them with --json."""
        return {"rows": self.to_dicts()}

    def to_arrow(self) -> Any:  # noqa: ANN401  (pyarrow has no types)
        """Return an Arrow table."""
        import pyarrow as pa

        return pa.Table.from_pylist(self.to_dicts())

    def to_pandas(self) -> Any:  # noqa: ANN401  (pandas is optional)
        """Return a pandas frame."""
        _library("pandas")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:  # noqa: ANN401  (polars is optional)
        """Return a polars frame."""
        return _library("polars").from_arrow(self.to_arrow())

    @property
    def frame(self) -> Any:  # noqa: ANN401  (whatever the caller brought)
        """The rows in the kind of table that the caller brought: pandas, polars or Arrow."""
        made = {"pandas": self.to_pandas, "polars": self.to_polars}
        return made.get(self.kind, self.to_arrow)()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return text(self.to_dicts())

    def _repr_html_(self) -> str:
        return html(self.to_dicts())


def _library(name: str) -> Any:  # noqa: ANN401  (a module)
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingExtraError(
            f"{name} is not installed", do=f"pip install 'aliquot[{name}]'"
        ) from None


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def defined(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row in which what is not defined is None."""
    return {k: _finite(value) if isinstance(value, float) else value for k, value in row.items()}


def plain(column: Array) -> list[Any]:
    """List a column in Python's own kinds; what is missing is None."""
    if column.dtype == "datetime64[ns]":  # so fine that Python has no date for it
        column = column.astype("datetime64[us]")
    return [_cell(value) for value in column.tolist()]


def _cell(value: Any) -> Any:  # noqa: ANN401  (whatever a column holds)
    if isinstance(value, np.ndarray):  # a list in a column of lists
        return value.tolist()
    return _finite(value) if isinstance(value, float) else value


@final
@dataclass(frozen=True)
class Comparison:
    """Differences between systems, and tiers of systems that can't be told apart."""

    rows: tuple[Difference, ...]
    tiers: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as the interface promises it."""
        return {
            "rows": [defined(asdict(row)) for row in self.rows],
            "tiers": [{"measure": m, "tiers": [list(t) for t in found]} for m, found in self.tiers],
        }

    def __repr__(self) -> str:
        return text(self.to_dict()["rows"])

    def _repr_html_(self) -> str:
        return html(self.to_dict()["rows"])
