"""The picture of a curve, and its section in a report."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import aliquot as aq
from aliquot.report.curve import Panel, promised, svg
from aliquot.wiring.frame import Frame
from aliquot.wiring.study import Study

LINE = [(1.0, 1.0), (10.0, 0.8), (100.0, 0.5)]
PANEL = Panel("rank <&>", LINE, [(x, y / 2) for x, y in LINE], LINE, [(10.0, 0.8)], log=True)


def polygon(picture: str) -> list[tuple[float, float]]:
    found = re.search(r'class="band" points="([^"]*)"', picture)
    assert found is not None
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in found[1].split())]


def test_the_picture_is_well_formed_and_escapes_names() -> None:
    picture = svg([PANEL, PANEL], title="<b>&", style=".a{}")
    root = ET.fromstring(picture)  # noqa: S314  (our own)
    assert root.attrib["aria-label"] == "<b>&"
    assert "<b>" not in picture
    assert len(polygon(picture)) == 6


def test_ranks_lie_on_a_log_scale_and_precision_grows_upwards() -> None:
    corners = polygon(svg([PANEL], title="t"))
    (x1, y1), (x10, y10), (x100, _) = corners[:3]
    assert x10 - x1 == x100 - x10 > 0
    assert y1 < y10


def test_query_points_and_operating_points_are_told_apart_and_named() -> None:
    shown = replace(PANEL, queries=[(1.0, 1.0), (100.0, 0.5)])
    picture = svg([shown], title="t")
    assert picture.count('class="query"') == 3  # and one in the key
    assert picture.count('class="other"') == 2
    assert "query points" in picture
    assert "operating points" in picture
    assert "query points" not in svg([PANEL], title="t")


def test_a_picture_says_what_its_ends_promise() -> None:
    falls = "the band holds at every rank at once, 0.9, if precision falls"
    assert promised("weak-monotone", 0.9) == promised("approximate-monotone", 0.9) == falls
    assert promised("exact", 0.9) == "known at every rank"
    assert (
        promised("strong-monotone", 1.0)
        == "the band holds at every rank at once, if precision falls"
    )


def test_a_curve_from_an_oracle_is_drawn_with_its_query_points(tmp_path: Path) -> None:
    curve = aq.curve.precision(lambda ranks: ranks % 3 > 0, 100_000, p_min=0.6, rng=1)
    aq.curve.save(curve, tmp_path / "c.svg")
    picture = (tmp_path / "c.svg").read_text("utf-8")
    assert picture.count('class="query"') == 2 * curve.queries + 1
    assert "if precision falls" in picture
    aq.curve.save(curve, tmp_path / "c.png")
    assert (tmp_path / "c.png").read_bytes()[:4] == b"\x89PNG"
    axes = aq.curve.plot(curve)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["query points"]


def test_a_report_shows_the_thresholds_of_systems_that_score(plain: Study, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    plain.report(path)
    page = path.read_text("utf-8")
    body = page[page.index("<h2>Thresholds") : page.index("<h2>Labels")]
    assert body.count("<h3>") == body.count("<svg ") == 2
    last = plain.curve("left").operating()[-1]
    assert f"{last.precision:.3f}" in body


def test_a_report_without_scores_has_no_thresholds(tmp_path: Path) -> None:
    frame = Frame.from_table({"id": ["a", "b"], "p": ["no", "yes"]}, id="id", predicted={"n": "p"})
    with Study.create(tmp_path / "s", frame, measures=["Accuracy"], rng=7) as study:
        study.draw(2)
        study.record({"a": "no", "b": "yes"})
        study.report(tmp_path / "r.html")
        study.report(tmp_path / "r.md")
    assert "Thresholds" not in (tmp_path / "r.html").read_text("utf-8")
    assert "Thresholds" not in (tmp_path / "r.md").read_text("utf-8")
