"""A table of strata: N, n, r and a by stratum, and one 0/1 column for each system."""

from __future__ import annotations

import os

from aliquot.errors import InputError
from aliquot.io.csv_rows import Record, read_records
from aliquot.io.text import AnyPath, open_bytes

COUNTS = ("N", "n", "r")
ASSESSABLE = "a"
KNOWN = ("stratum", *COUNTS, ASSESSABLE)

Stratum = tuple[str, tuple[float, ...], dict[str, bool]]  # where, N n r a, which systems have it


def read_strata(path: AnyPath) -> tuple[list[str], list[Stratum]]:
    """Return the systems, and for each stratum where it stands, its counts and who retrieves it."""
    where = os.fspath(path)
    header, records = read_records(open_bytes(path), where)
    names = [name.strip() for name in header]
    missing = [name for name in COUNTS if name not in names]
    if missing:
        what = f"no column {', '.join(missing)}"
        raise InputError(what, where=where, do="Name the columns stratum,N,n,r and one a system")
    if not records:
        raise InputError("there is no stratum", where=where, do="Give each stratum a row")
    systems = [name for name in names if name not in KNOWN]
    return systems, [_stratum(names, record, systems, where) for record in records]


def _stratum(names: list[str], record: Record, systems: list[str], where: str) -> Stratum:
    line, cells = record
    row = dict(zip(names, (cell.strip() for cell in cells), strict=True))
    at = f"{where}, line {line}"
    row.setdefault(ASSESSABLE, row["n"])
    counts = tuple(_count(row[name], f"{at}, column {name}") for name in (*COUNTS, ASSESSABLE))
    return at, counts, {name: _flag(row[name], f"{at}, column {name}") for name in systems}


def _count(text: str, where: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"'{text}' is no number", where=where, do="Use whole numbers") from None


def _flag(text: str, where: str) -> bool:
    if text not in ("0", "1"):
        raise InputError(
            f"'{text}' is neither 0 nor 1",
            where=where,
            do="Give each system one column with 1 where it retrieves the stratum",
        )
    return text == "1"
