"""The picture of intervals: what is drawn lies where the numbers say."""

from __future__ import annotations

import math
from xml.etree import ElementTree as ET

import pytest

from aliquot.report.figure import LEFT, RIGHT, WIDE, Bar, Lane, scale, svg

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*lanes: Lane) -> ET.Element:
    return ET.fromstring(svg(lanes, title="t", axis="P@10"))  # noqa: S314 - our own


def places(root: ET.Element, kind: str, name: str) -> list[float]:
    return [float(e.get(name, "nan")) for e in root.iter(f"{SVG}circle") if e.get("class") == kind]


def test_estimates_lie_on_one_linear_scale() -> None:
    root = drawn(Lane("a", (Bar(0.0, 1.0, 0.25),)), Lane("b", (Bar(0.0, 1.0, 0.5),)))
    inner = WIDE - LEFT - RIGHT
    assert places(root, "human", "cx") == [LEFT + 0.25 * inner, LEFT + 0.5 * inner]


def test_an_estimate_lies_within_its_interval() -> None:
    root = drawn(Lane("a", (Bar(2.5, 6.6, 4.5), Bar(0.5, 6.4, 3.3, "other")), truth=5.6))
    for kind in ("human", "other"):
        ends = [float(e.get(x, "")) for e in root.iter(f"{SVG}line") if e.get("class") == kind
                for x in ("x1", "x2")]  # fmt: skip
        assert min(ends) < places(root, kind, "cx")[0] < max(ends)
    assert len([e for e in root.iter(f"{SVG}line") if e.get("class") == "truth"]) == 1


def test_what_is_not_defined_or_endless_is_kept_in_the_picture() -> None:
    root = drawn(Lane("a", (Bar(0.0, math.inf, None),)), Lane("b", (Bar(1.0, 2.0, 1.5),)))
    for line in root.iter(f"{SVG}line"):
        assert LEFT <= float(line.get("x2", "nan")) <= WIDE - RIGHT
    assert len(places(root, "human", "cx")) == 1


def test_a_long_name_is_cut_and_kept_whole_beside_it() -> None:
    root = drawn(Lane("a & " * 20, (Bar(0.0, 1.0, 0.5),)))
    [name] = [e for e in root.iter(f"{SVG}text") if e.get("class") == "name"]
    assert (name.text or "").endswith("…")
    assert [title.text for title in name] == ["a & " * 20]


def test_nothing_at_all_is_drawn_as_an_empty_scale() -> None:
    assert drawn().tag == f"{SVG}svg"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.12, 0.88], (0.0, 1.0, 0.2)),
        ([2.5, 15.8], (0.0, 20.0, 5.0)),
        ([0.0, 0.0], (-0.5, 0.5, 0.2)),
        ([990.0, 1010.0], (990.0, 1010.0, 5.0)),
    ],
)
def test_the_scale_is_round(values: list[float], expected: tuple[float, float, float]) -> None:
    assert scale(values) == pytest.approx(expected)
