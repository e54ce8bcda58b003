"""Writing a report: where it goes, what is refused, and what is claimed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from aliquot.cli.main import main
from aliquot.errors import InputError, SpellingError, UsageError
from aliquot.report.facts import Facts, summary
from aliquot.wiring.frame import Frame
from aliquot.wiring.reporting import facts
from aliquot.wiring.study import Study


def test_the_command_writes_a_new_file(
    plain: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "r.html"
    assert main(["report", str(plain.path), "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"report written to {out}\n"
    assert main(["report", str(plain.path), "--out", str(tmp_path / "r.md"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    size = (tmp_path / "r.md").stat().st_size
    assert said == {
        "schema": "aliquot.report/1", "file": str(tmp_path / "r.md"), "bytes": size,
    }  # fmt: skip


def test_a_file_is_overwritten_only_when_asked(
    plain: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "r.html"
    out.write_text("mine", "utf-8")
    assert main(["report", str(plain.path), "--out", str(out)]) == 1
    assert capsys.readouterr().err == (
        f"aliquot: {out}: there is a file already. Name another file, or overwrite it: "
        "--force (in Python overwrite=True).\n"
    )
    assert out.read_text("utf-8") == "mine"
    assert main(["report", str(plain.path), "--out", str(out), "--force"]) == 0
    assert out.read_text("utf-8").startswith("<!doctype html>")


def test_a_name_without_a_format_is_refused(plain: Study, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        plain.report(tmp_path / "report.pdf")
    assert str(caught.value) == (
        f"{tmp_path / 'report.pdf'}: the name of the report does not tell its format. "
        "Name it like report.html or report.md."
    )


def test_a_place_that_is_not_there_is_refused(plain: Study, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        plain.report(tmp_path / "no" / "report.md")
    assert str(caught.value) == (
        f"{tmp_path / 'no' / 'report.md'}: there is no such directory. Make the directory first."
    )


def test_a_level_that_is_none_is_refused_before_anything_is_written(
    plain: Study, tmp_path: Path
) -> None:
    with pytest.raises(SpellingError) as caught:
        plain.report(tmp_path / "report.md", level=95)
    assert str(caught.value) == "level 95 is not between 0 and 1. Use one such as 0.95."
    assert not (tmp_path / "report.md").exists()


def test_two_reports_differ_in_nothing_but_the_time(plain: Study) -> None:
    first, second = (facts(plain, level=0.95, over="these") for _ in range(2))
    assert replace(first, made="") == replace(second, made="")


def test_a_study_without_labels_has_a_report_that_says_so(tmp_path: Path) -> None:
    frame = Frame.from_table([{"id": i} for i in range(9)], id="id")
    with Study.in_memory(frame) as study:
        study.report(tmp_path / "a.md")
        study.draw(3)
        study.report(tmp_path / "b.html")
    first, second = (tmp_path / name for name in ("a.md", "b.html"))
    assert "There are no estimates yet: nothing was drawn yet." in first.read_text("utf-8")
    assert "There are no estimates yet: nothing was judged yet." in second.read_text("utf-8")


def test_a_census_is_claimed_exactly(tmp_path: Path) -> None:
    frame = Frame.from_table([{"id": i} for i in range(4)], id="id")
    with Study.in_memory(frame) as study:
        study.record(dict(zip(study.draw(4).new, ("yes", "no", "no", "no"), strict=True)))
        assert summary(facts(study, level=0.95, over="these")) == ["Mean is 0.25, exactly."]


def claim(found: Facts) -> str:
    return summary(found)[0].replace("\N{NO-BREAK SPACE}", " ")


def test_the_best_is_claimed_better_only_than_those_that_it_is_told_apart_from(
    plain: Study,
) -> None:
    found = facts(plain, level=0.95, over="these")
    row, *others = found.of("Precision")
    best = {**row, "system": "a", "estimate": 0.9, "low": 0.8, "high": 1.0, "least": 0.82}
    rest = {**others[0], "system": "b", "estimate": 0.5, "stderr": 0.05, "low": 0.4, "high": 0.6}
    pair = {**found.differences[0], "measure": "Precision", "a": "b", "b": "a"}
    made = replace(found, rows=({**best, "stderr": 0.05}, rest))
    near = replace(made, differences=({**pair, "p_adjusted": 0.2},))
    far = replace(made, differences=({**pair, "p_adjusted": 0.01},))
    head = "a has the highest Precision: 0.900, 95 % interval 0.800 to 1.000. "
    least = "It is at least 0.820 with 95 % confidence. "
    assert claim(near) == f"{head}{least}It can't be told apart yet from b."
    assert claim(far) == f"{head}{least}The difference to each of the others is sure at this level."


def test_at_least_is_one_sided(plain: Study) -> None:
    found = facts(plain, level=0.95, over="these")
    rows = plain.estimate(level=0.95).rows
    for row, said in zip(rows, found.rows, strict=True):
        assert said["least"] == row.confidence_interval(0.9)[0] > row.interval.low
