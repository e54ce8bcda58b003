"""Cells as text, and text as cells of a spreadsheet."""

from __future__ import annotations

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aliquot.io.cells import cell_text, shielded, unshielded
from aliquot.io.place import Place
from tests.io.refusal import refusal

ROWS = Place("labels", "row")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1.0", "1.0"),
        (" a ", " a "),
        (np.str_("a"), "a"),
        (1, "1"),
        (10**30, "1" + "0" * 30),
        (1.0, "1"),
        (-0.0, "0"),
        (0.25, "0.25"),
        (1e300, "1e+300"),
        (float("inf"), "inf"),
        (np.float32(2), "2"),
        (np.int64(7), "7"),
        (np.False_, "false"),
        (True, "true"),
        (Decimal("1.00"), "1"),
        (Decimal("1.50"), "1.50"),
        (datetime.date(2024, 2, 29), "2024-02-29"),
        (datetime.datetime(2024, 2, 29, 1, 2, tzinfo=datetime.UTC), "2024-02-29T01:02:00+00:00"),
        (None, ""),
        (float("nan"), ""),
        (np.float64("nan"), ""),
        (pd.NA, ""),
        (pd.NaT, ""),
    ],
)
def test_a_cell_is_text(value: object, text: str) -> None:
    found = cell_text(value, ROWS, 0)
    assert type(found) is str
    assert found == text


@pytest.mark.parametrize("value", [[1], {"a": 1}, b"a", object(), 1j])
def test_what_is_no_text_is_refused(value: object) -> None:
    assert refusal(lambda: cell_text(value, ROWS, 6, "label")) == (
        f"labels, row 7, column label: a {type(value).__name__} is not text. "
        "Write one text or number there."
    )


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("-", "'-"),
        ("'=1", "''=1"),
        ("-1", "-1"),
        ("+0.5e-3", "+0.5e-3"),
        ("a=1", "a=1"),
        ("'a", "'a"),
        ("", ""),
    ],
)
def test_formulas_are_shielded_and_numbers_are_not(text: str, cell: str) -> None:
    assert shielded(text) == cell
    assert unshielded(cell) == text


@given(text=st.text("'=+-@\t\r1ae.", max_size=8))
def test_each_shielded_text_comes_back_and_is_no_formula(text: str) -> None:
    cell = shielded(text)
    assert unshielded(cell) == text
    if cell[:1] in {"=", "+", "-", "@", "\t", "\r"}:
        float(cell)  # only a number may begin so
