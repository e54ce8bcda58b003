"""`aliquot demo`: what it prints, what it leaves, and how it refuses."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest

from aliquot.cli.main import main
from aliquot.errors import StudyError, StudyExistsError
from aliquot.wiring.demo import Story, tell

Tour = tuple[Path, Story]
FILES = {
    "README.txt", "answers-truth.csv", "answers.csv", "documents-truth.csv", "documents.csv",
    "queries.tsv", "runs", "sheet.csv", "study", "truth.qrels",
}  # fmt: skip


def test_it_tells_the_same_story_every_time_and_leaves_nothing(
    tour: Tour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert main(["demo", "--json"]) == 0
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert told.pop("schema") == "aliquot.demo/1"
    assert told.pop("out") is None
    assert told == json.loads(json.dumps(tour[1].to_dict()))
    assert printed.err == ""
    assert list(tmp_path.iterdir()) == []


def test_it_leaves_the_files_that_its_readme_names(tour: Tour) -> None:
    out, _ = tour
    assert {path.name for path in out.iterdir()} == FILES
    readme = (out / "README.txt").read_text("utf-8")
    assert {name for name in FILES if name not in readme} == {"README.txt"}
    assert [path.name for path in out.parent.iterdir()] == ["tour"]


def test_a_place_that_is_taken_is_refused(tour: Tour, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = tour
    with pytest.raises(StudyExistsError) as caught:
        tell(out)
    text = f"{out}: this place is taken. Choose the name of a new directory."
    assert str(caught.value) == text
    assert main(["demo", "--out", str(out)]) == 1
    assert capsys.readouterr().err == f"aliquot: {text}\n"


def test_a_place_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(StudyError) as caught:
        tell(tmp_path / "file" / "tour")
    place = tmp_path / "file" / "tour"
    assert str(caught.value) == f"{place}: a part of this path is a file. Choose another place."


def test_who_stops_it_finds_nothing_half_done(tmp_path: Path) -> None:
    def stop(what: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tell(tmp_path / "tour", progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_progress_is_for_terminals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from aliquot.cli.progress import show

    show("drawing", 1, 3)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    show("drawing", 1, 3)
    show("", 3, 3)
    assert capsys.readouterr().err == "\r\x1b[Kdrawing: 1/3\r\x1b[K"


def test_the_picture_shows_this_story(tour: Tour) -> None:
    from scripts.picture import PLACE, picture

    drawn = picture(tour[1])
    assert PLACE.read_text("utf-8") == drawn, "draw it anew: python scripts/picture.py"
    assert len(drawn) < 10_000
