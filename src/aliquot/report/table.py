"""Rows to text and HTML tables. Rounding happens here and nowhere below."""

from __future__ import annotations

import html as markup
from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
MANY = 3  # names of a list that are shown


def number(value: object) -> str:
    """Write one cell: numbers with the digits that a reader can use.

    >>> number(0.123456), number(12345.678), number(None), number(True), number(3)
    ('0.1235', '12346', '-', 'yes', '3')
    """
    if value is None or value == "":
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    if isinstance(value, (list, tuple)):
        return "; ".join(str(one) for one in value)
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(value))


def text(rows: Sequence[Row], columns: Sequence[str] = ()) -> str:
    """Lay rows out in columns, numbers to the right.

    >>> print(text([{"a": "x", "b": 1.5}, {"a": "longer", "b": 20.0}]))
    a         b
    x       1.5
    longer   20
    """
    if not rows:
        return "(nothing)"
    names = list(columns) or [name for name in rows[0] if name != "warnings"]
    cells = [[number(row.get(name)) for name in names] for row in rows]
    widths = [max(len(name), *(len(line[i]) for line in cells)) for i, name in enumerate(names)]
    right = [_numeric([row.get(name) for row in rows]) for name in names]
    return "\n".join(_line(line, widths, right) for line in [names, *cells])


def card(value: Mapping[str, Any]) -> str:
    """Lay one value out as an HTML table, a row for each thing that it says; lists are counted.

    >>> card({"units": 3})
    '<table><thead><tr><th>what</th><th></th></tr></thead><tbody><tr><td>units</td><td>3</td>...'
    """
    rows = [{"what": name, "": _brief(one)} for name, one in value.items()]
    return html(rows, ("what", ""))


def _brief(value: object) -> object:
    if isinstance(value, list | tuple) and len(value) > MANY:
        return f"{'; '.join(map(str, value[:MANY]))}; and {len(value) - MANY} more"
    return value


def told_apart(columns: Sequence[str], rows: Sequence[Row]) -> tuple[str, ...]:
    """Add the column `assisted` where human-only and assisted rows stand together.

    >>> told_apart(["low"], [{"assisted": False}]), told_apart(["low"], [{"assisted": True}])
    (('low',), ('low', 'assisted'))
    """
    return (*columns, *(["assisted"] if any(row["assisted"] for row in rows) else []))


def _numeric(column: Sequence[object]) -> bool:
    given = [value for value in column if value is not None]
    return bool(given) and all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in given
    )


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    parts = [
        cell.rjust(width) if to_right else cell.ljust(width)
        for cell, width, to_right in zip(cells, widths, right, strict=True)
    ]
    return "  ".join(parts).rstrip()


def html(rows: Sequence[Row], columns: Sequence[str] = ()) -> str:
    """Lay rows out as an HTML table; every cell is escaped."""
    if not rows:
        return "<p>(nothing)</p>"
    names = list(columns) or [name for name in rows[0] if name != "warnings"]
    head = "".join(f"<th>{markup.escape(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{markup.escape(number(row.get(n)))}</td>" for n in names) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
