"""A draw as rows of the ledger and back, bit for bit, refused where a number can't be one."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from aliquot.core.records import DrawRow, DrawUnits
from aliquot.errors import DesignError

EXPECTED_DRAWS = "expected_draws"
PROBABILITY = "probability"

# unit, key, pi, conditional, before, stratum, count, order, new
UnitRow = tuple[str, int, float, float, float, int, int, int, int]


def unit_rows(draw: DrawRow) -> list[UnitRow]:
    """Return one row a unit. The key's 64 bits are kept as a signed number, which SQLite has."""
    units = draw.units
    columns = (
        units.unit,
        np.ascontiguousarray(units.key, dtype=np.uint64).view(np.int64).tolist(),
        *_lists(np.float64, units.pi, units.conditional, units.before),
        *_lists(np.int64, units.stratum, units.count, units.order, units.new),
    )
    if len({len(column) for column in columns}) != 1:
        lengths = ", ".join(str(len(column)) for column in columns)
        raise DesignError(
            f"the draw's columns have different lengths ({lengths})",
            where=_place(draw),
            do="Give every column one entry a unit",
        )
    rows: list[UnitRow] = list(zip(*columns, strict=True))
    _check(draw, rows)
    return rows


def units_of(rows: Iterable[UnitRow]) -> DrawUnits:
    """Return the units that `unit_rows` made the rows from."""
    columns = list(zip(*rows, strict=True)) or [()] * 9
    unit, key, pi, conditional, before, stratum, count, order, new = columns
    return DrawUnits(
        unit=tuple(unit),
        key=np.array(key, dtype=np.int64).view(np.uint64),
        pi=np.array(pi, dtype=np.float64),
        conditional=np.array(conditional, dtype=np.float64),
        before=np.array(before, dtype=np.float64),
        stratum=np.array(stratum, dtype=np.int64),
        count=np.array(count, dtype=np.int64),
        order=np.array(order, dtype=np.int64),
        new=np.array(new, dtype=np.bool_),
    )


def kind_of(draw: DrawRow) -> str:
    """Say what the draw's `pi` are: probabilities, or expected draws with replacement."""
    try:
        params = json.loads(draw.params, parse_constant=_no_constant)
    except ValueError:
        params = None
    if not isinstance(params, dict):
        raise DesignError(
            f"params is not a JSON object: {draw.params!r}",
            where=_place(draw),
            do='Write it as JSON, such as {"replacement": true}; JSON has no NaN and no Infinity',
        )
    return EXPECTED_DRAWS if params.get("replacement") is True else PROBABILITY


def _lists(kind: type[np.generic], *columns: NDArray[np.generic]) -> list[list[Any]]:
    return [np.asarray(column, dtype=kind).tolist() for column in columns]


def _check(draw: DrawRow, rows: list[UnitRow]) -> None:
    """Say in words, and by name, what the tables would refuse."""
    replacement = kind_of(draw) == EXPECTED_DRAWS
    most = sys.float_info.max if replacement else 1.0
    for unit, _, pi, conditional, before, _, count, order, _ in rows:
        if not (0 < pi <= most and 0 < conditional <= most):
            raise _pi_refused(draw, unit, pi if not 0 < pi <= most else conditional)
        if not 0 <= before <= sys.float_info.max or count < 1 or order < 0:
            raise DesignError(
                f"unit {unit!r} has before {before}, count {count} and order {order}, but before "
                "and order are at least 0, and count at least 1",
                where=_place(draw),
                do="Leave out the units that were not drawn",
            )
    if len({row[0] for row in rows}) < len(rows):
        raise DesignError(
            f"unit {_first_twice(rows)!r} is in the draw twice",
            where=_place(draw),
            do="Give each unit one row, and how often it was drawn as its count",
        )


def _pi_refused(draw: DrawRow, unit: str, pi: float) -> DesignError:
    if kind_of(draw) == EXPECTED_DRAWS:
        rule = "an expected number of draws must be positive and finite"
    else:
        rule = "an inclusion probability must lie in (0, 1]"
    return DesignError(
        f"pi of unit {unit!r} is {pi!r}, but {rule}",
        where=_place(draw),
        do="Raise it to a floor such as 0.01, or drop the unit from the frame"
        if pi <= 0
        else "Correct the design that declared it",
    )


def _first_twice(rows: list[UnitRow]) -> str:
    seen: set[str] = set()
    for unit, *_ in rows:
        if unit in seen:
            break
        seen.add(unit)
    return unit


def _place(draw: DrawRow) -> str:
    return f"batch {draw.batch}, design {draw.design}"


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)
