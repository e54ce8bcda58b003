"""The runner of console blocks, and that it can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.console import ConsoleError, Step, run, steps


@pytest.mark.parametrize(
    "block",
    [
        "$ printf 'a\\nb\\n'\na\nb\n",
        "$ printf 'a\\nb\\nc\\nd\\n'\na\n...\nd\n",
        "$ printf 'took 0.3 s\\n'\ntook ... s\n",
        "$ printf '%s' \\\n    one\none\n",
        "$ mkdir sub\n$ cp ../in.txt sub\n$ cat sub/in.txt\ngiven\n",
        '$ printf "$NO_COLOR $COLUMNS\\n"\n1 100\n',
        "$ python -c 'import sys; sys.exit(\"no\")'\nno\n$ echo $?\n1\n",
    ],
)
def test_a_true_block_passes(block: str, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("given\n", "utf-8")
    folder = tmp_path / "folder"
    folder.mkdir()
    run(block, folder)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("$ printf 'a\\n'\nb\n", "--- the page says\nb\n--- it prints\na\n"),
        ("$ printf 'a\\nb\\n'\na\n", "--- the page says\na\n--- it prints\na\nb\n"),
        ("$ printf 'a\\n'\n", "--- the page says\n\n--- it prints\na\n"),
        ("$ cat no.txt\n...\n", "exit code 1 before: the end of the block"),
        ("$ cat no.txt\n...\n$ ls\n", "exit code 1 before: ls; show it with $ echo $?"),
        ("$ printf 'a\\n'\na\n$ echo $?\n1\n", "$ echo $?\n--- the page says\n1\n--- it prints\n0"),
        ("$ curl example.org\n", "curl is not one of aliquot, cat,"),
    ],
)
def test_a_false_block_fails(block: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConsoleError) as caught:
        run(block, tmp_path)
    assert message in str(caught.value)


def test_a_block_is_cut_at_its_prompts() -> None:
    block = "$ aliquot draw s \\\n    --budget 3\n3 drawn\n\n$ ls\n"
    assert steps(block) == [
        Step("aliquot draw s \\\n    --budget 3", "3 drawn\n"),
        Step("ls", ""),
    ]
