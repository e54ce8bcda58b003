"""CSV records with the lines that they begin on."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aliquot.io.csv_rows import check_records, read_header, read_records
from tests.io.refusal import refusal

QUOTES = 'Write a quote inside a quoted field twice, as in "5"" disk".'
FIELDS = "Give each row one field a column, and put quotes around a field with commas."


def test_records_know_the_line_that_they_begin_on() -> None:
    data = b'a,b\r\n1,"x\r\ny"\r\n\r\n2,"5"" disk"\n"3\n\n",\n4,z'
    header, records = read_records(data, "a.csv")
    assert header == ["a", "b"]
    assert records == [
        (2, ["1", "x\r\ny"]),
        (5, ["2", '5" disk']),
        (6, ["3\n\n", ""]),
        (9, ["4", "z"]),
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            b'a,b\n1,"x\n2,y\n3,z\n',
            f"a.csv, line 2: the quotes of this row are broken (unexpected end of data). {QUOTES}",
        ),
        (
            b'a,b\n1,"x\ny"\n2,"5" disk"\n',
            f"a.csv, line 4: the quotes of this row are broken (',' expected after '\"'). {QUOTES}",
        ),
        (
            b'a,b\n1,"x\ny"\n2\n',
            f"a.csv, line 4: the header has 2 fields, but this row has 1. {FIELDS}",
        ),
        (b"a,b\n1,2,3\n", f"a.csv, line 2: the header has 2 fields, but this row has 3. {FIELDS}"),
        (
            b"\n\na,b,a\n1,2,3\n",
            (
                "a.csv, line 3, column a: the header names this column twice. "
                "Rename or remove one of the two."
            ),
        ),
        (
            b",b,\n1,2,3\n",
            (
                "a.csv, line 1, column (no name): the header names this column twice. "
                "Rename or remove one of the two."
            ),
        ),
    ],
)
def test_a_broken_record_is_refused_with_its_line(data: bytes, said: str) -> None:
    assert refusal(lambda: check_records(data, "a.csv")) == said
    assert refusal(lambda: read_records(data, "a.csv")) == said


def test_long_cells_are_read_and_the_limit_of_the_process_stays() -> None:
    before = csv.field_size_limit()
    cell = b"x" * (before + 1)
    header, records = read_records(b"a\n" + cell + b"\n", "a.csv")
    assert (header, len(records[0][1][0])) == (["a"], before + 1)
    assert read_header(cell, "a.csv") == [cell.decode()]
    assert csv.field_size_limit() == before


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5)


@given(table=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5))
def test_what_the_csv_module_writes_reads_back(table: list[tuple[str, str]]) -> None:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(("a", "b"))
    writer.writerows(table)
    _, records = read_records(out.getvalue().encode(), "a.csv")
    assert [tuple(cells) for _, cells in records] == table
    lines = [line for line, _ in records]
    assert lines == sorted(set(lines))
    assert lines[0] == 2
