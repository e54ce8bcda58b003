"""One cell of a table as text, and text as one cell of a spreadsheet."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal

import numpy as np

from aliquot.errors import InputError
from aliquot.io.place import Place

TOPIC_NAMES = ("topic", "query", "qid", "query_id")
DOC_NAMES = ("doc", "docno", "docid", "doc_id")

_MISSING = ("NAType", "NaTType")  # the missing values of pandas, known without importing it
_EXACT = 2.0**53  # a larger float does not say which whole number was meant
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_KEPT = re.compile(r"'+[=+\-@\t\r]")


def cell_text(value: object, place: Place, row: int, column: str = "") -> str:
    """Return a cell as text: "" if it is missing, "1" for 1.0, "true" for True."""
    if isinstance(value, str):
        return str(value)
    plain = value.item() if isinstance(value, np.generic) else value
    if plain is None or type(plain).__name__ in _MISSING:
        return ""
    if isinstance(plain, bool):
        return "true" if plain else "false"
    if isinstance(plain, float):
        return _float_text(plain)
    if isinstance(plain, int):
        return str(plain)
    if isinstance(plain, Decimal):
        whole = plain.is_finite() and plain == plain.to_integral_value()
        return str(int(plain)) if whole else str(plain)
    if isinstance(plain, datetime.datetime | datetime.date | datetime.time):
        return plain.isoformat()
    kind = type(plain).__name__
    where = place.at(row, column=column)
    raise InputError(f"a {kind} is not text", where=where, do="Write one text or number there")


def _float_text(value: float) -> str:
    if value != value:  # noqa: PLR0124  (only NaN differs from itself)
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < _EXACT else repr(value)


def shielded(text: str) -> str:
    """Return the text so that no spreadsheet runs it as a formula.

    An apostrophe goes before = + - @ tab and carriage return, unless the whole text is a number.
    It also goes before a text that begins with apostrophes and one of these, so that `unshielded`
    gives every text back.
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def unshielded(text: str) -> str:
    """Return what `shielded` was given."""
    return text[1:] if _KEPT.match(text) else text
