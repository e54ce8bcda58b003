"""Everything that the README and the pages show is run as shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import ROOT, pages, play


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    play(page.read_text("utf-8"), tmp_path, name=str(page))


def test_blocks_share_their_names_and_their_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (
        "```python\nfrom pathlib import Path\nPath('a.txt').write_text('one')\nx = 1\n```\n"
        "```console\n$ cat a.txt\none\n```\n```text\nnot run\n```\n"
        "```python\n>>> x + 1\n2\n```\n"
    )
    assert play(page, tmp_path) == 3


def test_a_wrong_answer_is_found(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"line 4, in page\n(.*\n)*Got:\n    2\n"):
        play("one\n\n```python\n>>> 1 + 1\n3\n```\n", tmp_path)


def test_a_failing_block_names_its_line(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        play("one\n\n```python\nx = 1\nx / 0\n```\n", tmp_path, name="a.md")
    assert [(entry.path, entry.lineno + 1) for entry in caught.traceback[-1:]] == [("a.md", 5)]
