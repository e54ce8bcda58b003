"""Results are rows, and rows turn into any kind of table; what a browser shows is escaped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import aliquot as aq
from tests.python.shelf import LABELS, as_duckdb, columns, framed, study

NAMES = [
    *("system", "measure", "estimate", "stderr", "low", "high", "level", "judged", "effective_n"),
    *("estimator", "interval", "assisted", "guarantee"),
    *("sampling_variance", "judging_variance", "warnings"),
]


@pytest.fixture
def judged() -> Iterator[aq.Study]:
    with study(measures=("Precision", "Mean")) as made:
        made.draw(20)
        made.record(LABELS)
        yield made


def test_rows_are_estimates_that_know_their_interval_at_any_level(judged: aq.Study) -> None:
    row = judged.estimate().rows[0]
    assert (row.system, row.measure) == ("svm", "Precision")
    assert row.confidence_interval() == row.confidence_interval(0.95)
    assert row.confidence_interval(0.95) == (row.interval.low, row.interval.high)
    low, high = row.confidence_interval(0.9)
    wide_low, wide_high = row.confidence_interval(0.99)
    assert wide_low <= low <= row.estimate <= high <= wide_high
    assert wide_high - wide_low > high - low > 0
    assert isinstance(row.value, aq.Estimate)
    assert isinstance(row.interval, aq.Interval)


def test_an_interval_that_was_asked_for_is_kept_at_another_level(judged: aq.Study) -> None:
    row = judged.estimate(interval="normal", measure="Mean")[0]
    assert row.interval.method == "normal"
    low, high = row.confidence_interval(0.5)
    assert (low + high) / 2 == pytest.approx(row.estimate)


def test_results_turn_into_every_kind_of_table(judged: aq.Study) -> None:
    found = judged.estimate()
    assert found.to_arrow().column_names == NAMES
    assert isinstance(found.to_arrow(), pa.Table)
    assert isinstance(found.to_pandas(), pd.DataFrame)
    assert isinstance(found.to_polars(), pl.DataFrame)
    assert list(found.to_pandas().columns) == found.to_polars().columns == NAMES
    assert found.to_polars()["estimate"].to_list() == [row.estimate for row in found]
    assert pa.table(found).num_rows == len(found) == 3
    assert [row["system"] for row in found.to_dicts()] == ["svm", "tar", None]


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (pd.DataFrame, pd.DataFrame),
        (pl.DataFrame, pl.DataFrame),
        (pa.table, pa.Table),
        (dict, pa.Table),
        (as_duckdb, pa.Table),
    ],
)
def test_the_caller_s_kind_of_table_comes_back(make: Any, kind: type) -> None:
    with aq.Study.in_memory(framed(make(columns())), measures=["Mean"], rng=1) as made:
        made.draw(5)
        assert isinstance(made.queue().frame, kind)
        made.record(LABELS)
        assert isinstance(made.estimate().frame, kind)


def test_a_queue_is_a_table_too(judged: aq.Study) -> None:
    judged.draw(2)
    queue = judged.queue()
    assert queue.to_pandas().columns.tolist() == ["unit", "text"]
    assert queue[0].text == f"number {queue[0].unit}"
    with pytest.raises(AttributeError):
        _ = queue[0].nothing
    assert len(duckdb.connect().from_arrow(queue.to_arrow()).fetchall()) == 2


def test_the_plain_form_is_a_table(judged: aq.Study) -> None:
    lines = repr(judged.estimate()).splitlines()
    assert lines[0].split() == [name for name in NAMES if name != "warnings"]
    assert len(lines) == 4
    assert repr(judged.estimate(measure="Mean")).splitlines()[1].startswith("-")


EVIL = "<script>alert('x')</script>"


def test_what_a_notebook_shows_is_escaped() -> None:
    found = columns() | {"text": [EVIL] * 40}
    frame = aq.Frame.from_table(
        found, id="id", text="text", retrieved={EVIL: "flag", "<b>": "said"}, scored={"m": "score"}
    )
    with aq.Study.in_memory(frame, measures=["Precision"], rng=1) as made:
        made.draw(20)
        shown = [made.queue()._repr_html_()]
        made.record(LABELS)
        shown += [made.estimate()._repr_html_(), made.compare()._repr_html_()]
    for html in shown:
        assert html.startswith("<table>")
        assert "<script" not in html
        assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;" in html
    assert "<td>&lt;b&gt;</td>" in shown[1]


def test_every_value_shows_itself_in_a_notebook() -> None:
    frame = aq.Frame.from_table(columns() | {"flag": [1] * 40}, id="id", retrieved={EVIL: "flag"})
    with aq.Study.in_memory(frame, measures=["Precision"], rng=1) as made:
        batch = made.draw(20)
        said = made.record(LABELS)
        values: list[Any] = [frame, made, batch, made.estimate()[0]]
        assert frame.to_dict() == {
            "units": 40,
            "systems": [EVIL],
            "judges": [],
            "topics": 0,
            "scale": "labels(no, yes)",
        }
        assert made.to_dict() == {
            "study": None,
            "units": 40,
            "systems": [EVIL],
            "measures": ["Precision"],
            "scale": "labels(no, yes)",
            "seed": 1,
            "drawn": 20,
            "judged": 20 - said.waiting,
            "skipped": 0,
            "waiting": said.waiting,
        }
        assert said.to_dict()["added"] == said.added
        assert made.estimate().to_dict()["rows"] == made.estimate().to_dicts()
        for value in values:
            html = value._repr_html_()
            assert html.startswith("<table>")
            assert "<script" not in html
            assert value.to_dict()
        assert "<td>20</td>" in batch._repr_html_()


def test_what_is_not_defined_is_none_in_a_table() -> None:
    with study(measures=("Recall",)) as made:
        made.draw(5)
        made.record(dict.fromkeys(LABELS, "no"))
        row = made.estimate()[0]
        assert row.estimate != row.estimate  # NaN in Python, where it is a number
        assert row.to_dict()["estimate"] is None
        assert row.confidence_interval(0.9) == (0.0, 1.0)
        assert made.estimate().to_polars()["estimate"].null_count() == 2
        assert made.compare().to_dict()["rows"][0]["difference"] is None
        assert "nan" not in repr(made.compare())


def test_nothing_is_shown_as_nothing() -> None:
    with study() as made:
        assert repr(made.queue()) == "(nothing)"
        assert made.queue()._repr_html_() == "<p>(nothing)</p>"
        assert made.queue().to_arrow().num_rows == 0
        assert made.queue().to_pandas().empty
        assert made.queue().to_polars().is_empty()
