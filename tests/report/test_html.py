"""The HTML report is one whole file: it parses, runs nothing, asks for nothing, and says it all."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from aliquot.wiring.study import Study
from tests.report.conftest import HOSTILE

EMPTY = {"meta", "line", "circle", "rect", "br"}
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "main", "header", "h1", "h2", "h3", "p", "dl",
    "dt", "dd", "div", "table", "thead", "tbody", "tr", "th", "td", "ul", "ol", "li", "pre",
    "strong", "svg", "line", "text", "circle", "polygon", "polyline",
}  # fmt: skip


class Strict(HTMLParser):
    """A reader that insists on closed tags, and keeps tags, attributes and text apart."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.texts: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(page: str) -> Strict:
    parser = Strict()
    parser.feed(page)
    parser.close()
    parser.faults += [f"<{tag}> is never closed" for tag in parser.open]
    return parser


def text(page: str) -> str:
    return re.sub(r"\s+", " ", " ".join(read(page).texts))


def report(study: Study, tmp_path: Path) -> str:
    path = tmp_path / "report.html"
    study.report(path)
    return path.read_text("utf-8")


def test_it_is_well_formed_and_has_nothing_that_runs(plain: Study, tmp_path: Path) -> None:
    found = read(report(plain, tmp_path))
    assert found.faults == []
    assert found.tags - ALLOWED == set()
    assert not {name for name in found.names if name.startswith("on")}
    assert found.names & {"src", "href", "style", "action", "srcdoc"} == set()


@pytest.mark.parametrize("page", ["<p>a", "<p><b>a</p></b>", "</p>"])
def test_a_page_that_is_not_well_formed_is_found(page: str) -> None:
    assert read(page).faults != []


def test_it_asks_nothing_of_the_network(plain: Study, tmp_path: Path) -> None:
    page = report(plain, tmp_path)
    assert re.findall(r"https?:(?!//www\.w3\.org/2000/svg)|url\(|@import", page) == []


def test_its_policy_allows_its_own_style_and_nothing_else(plain: Study, tmp_path: Path) -> None:
    page = report(plain, tmp_path)
    [style] = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )


def test_hostile_texts_are_shown_as_they_are(hostile: Study, tmp_path: Path) -> None:
    page = report(hostile, tmp_path)
    found = read(page)
    assert found.faults == []
    assert found.tags - ALLOWED == set()
    shown = "".join(found.texts)
    for part in (HOSTILE, f"judge {HOSTILE}", f"yes {HOSTILE}", f"{HOSTILE} (80)", "a <b> study"):
        assert part in shown


def test_it_says_all_that_the_numbers_rest_on(plain: Study, tmp_path: Path) -> None:
    shown = text(report(plain, tmp_path))
    for part in (
        "What is the Precision and Recall of each of these systems, and how sure is that?",
        "units 400",
        "left (score), right (score)",
        "labels(no, yes)",
        "150 new units, headtail(strata=3, hidden=0.1), goal each",
        "seed 7",
        f"version 1, {plain.book.frame.hash}",
        "drawn 150",
        "judged 115",
        "skipped or unsure 5",
        "waiting 30",
        "ann (120)",
        "every estimate : 5 drawn units (4.2% of those looked at) were skipped or unsure",
        "Design-consistent: the estimate goes to the truth as labels are added",
        "[Neyman 1934] J. Neyman. On the two different aspects",
        "aliquot doctor plain",
        "batch 1: redrawn from seed 7, bit for bit",
    ):
        assert part in shown, part


def test_every_estimate_and_every_difference_is_there(plain: Study, tmp_path: Path) -> None:
    page = report(plain, tmp_path)
    count = len(plain.estimate().rows)
    assert page.count('<circle class="human"') == count == 4
    assert page.count("<h3>Tiers by") == 2
    body = page[page.index("<h2>Comparison") : page.index("<h2>Thresholds")]
    assert body.count("<tr><td") == 2


def test_it_is_dark_where_the_reader_is_and_light_on_paper(plain: Study, tmp_path: Path) -> None:
    page = report(plain, tmp_path)
    assert "@media (prefers-color-scheme:dark)" in page
    assert "@media print{:root{--paper:#fff" in page
    assert '<html lang="en">' in page
    assert 'role="img" aria-label="95' in page
