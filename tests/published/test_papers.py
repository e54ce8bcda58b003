"""What papers print comes out; where it can't, the reason is written down."""

from __future__ import annotations

import pytest

from aliquot.errors import UsageError
from aliquot.papers.base import Cell, Reproduction, Settings
from aliquot.papers.registry import PAPERS, entry

COUNT = 42
DISAGREE = {  # name -> words that its note must hold
    "webber.table9": "an n that the text does not define",
    "webber.table10": "an n that the text does not define",
    "schnabel.table9": "can't be derived from the text",
    "chaganty.theorem2": "a ratio of means is only consistent",
    "chaganty.theorem3": "as printed it is too large",
    "chaganty.labels": "whose worlds were not kept",
}


def test_the_list_is_complete() -> None:
    names = [one.name for one in PAPERS]
    assert len(names) == len(set(names)) == COUNT


@pytest.mark.parametrize("name", [one.name for one in PAPERS if not one.data])
def test_a_fast_run_agrees_or_says_why(name: str) -> None:
    found = entry(name).load()(Settings(fast=True))
    assert found.cells
    assert found.agrees is (name not in DISAGREE), found.to_dict()["cells"]
    assert DISAGREE.get(name, "") in found.note


def test_a_number_out_of_tolerance_is_found() -> None:
    assert not Reproduction((Cell("a", "b", 1.0, 1.2, 0.1),), "").agrees
    assert Reproduction((Cell("a", "b", None, 1.2, 0.0),), "").agrees


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^'webber.x' is not a table or figure") as caught:
        entry("webber.x")
    assert "webber.table3" in str(caught.value)


def test_missing_data_is_said(tmp_path: object) -> None:
    with pytest.raises(UsageError, match=r"^this table needs real data\. Name its folder"):
        Settings().folder("trec8")
