"""Every command explains itself, and the examples it gives are ones that work."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from aliquot.cli.main import COMMANDS, load
from aliquot.designs.registry import DESIGNS
from aliquot.estimators.registry import ESTIMATORS
from aliquot.intervals.registry import INTERVALS
from tests.cli.door import call, csv_text, put, run_text, spam

NAMED = {name: load(name) for name in COMMANDS}
SPAM_ROWS: list[dict[str, object]] = [
    {"id": n, "subject": f"s{n}", "score": n / 600, "new": 1 - n / 600, "spam": n % 2}
    for n in range(600)
]


def examples(name: str) -> list[str]:
    """The lines of a command's example that call aliquot, with continued lines joined."""
    text = str(NAMED[name].EXAMPLE).replace("\\\n", " ")
    return [line.strip() for line in text.splitlines() if line.strip().startswith("aliquot ")]


def story() -> list[str]:
    """Every example of every command, in the order of the commands."""
    return [line for name in COMMANDS if name != "demo" for line in examples(name)]


def make_files() -> None:
    """Write the files that the examples speak of."""
    topics = tuple(f"t{n}" for n in range(100))
    put("bm25.run", run_text("bm25", "123456789", topics))
    put("dense.run.gz", run_text("dense", "987654321", topics))
    put("new.run", run_text("new", "135", topics))
    put("items.csv", csv_text(SPAM_ROWS))
    put("new.csv", csv_text(SPAM_ROWS))
    put("strata.csv", "stratum,N,n,r,tar\n1,90,30,9,1\n2,900,90,9,0\n")
    done = {"data": {"id": "7"}, "annotations": [{"result": [{"value": {"choices": ["no"]}}]}]}
    put("export.json", json.dumps([done]))
    put("trec8.qrels", "".join(f"{t} 0 d{d} {d % 2}\n" for t in topics for d in range(1, 10)))


def run(line: str) -> int:
    """Run an example, with what a shell would do to its output."""
    words = shlex.split(line)
    target = ""
    if ">" in words:
        words, target = words[: words.index(">")], words[-1]
    answer = call(*words[1:])
    if target:
        Path(target).write_text(answer.out, encoding="utf-8")
        if target == "sheet.csv":  # a person fills it in
            lines = answer.out.splitlines()
            Path(target).write_text("\n".join([lines[0], *(f"{x}0" for x in lines[1:])]) + "\n")
    return answer.code


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    answer = call(name, "--help")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"usage: aliquot {name} ")
    assert "--json" in answer.out
    assert examples(name)
    assert all(line.startswith(f"aliquot {name}") for line in examples(name))
    assert str(NAMED[name].EXAMPLE) in answer.out


def test_help_names_all_that_can_be_spelled() -> None:
    listed = " ".join(str(NAMED["estimate"].EXAMPLE).split())
    estimators = ", ".join(["default", *(kind.name for kind in ESTIMATORS)])
    intervals = ", ".join(["default", *(kind.name for kind in INTERVALS)])
    assert f"estimators: {estimators} intervals: {intervals} --over" in listed
    designs = ", ".join(["default", *(kind.name for kind in DESIGNS)])
    assert f"designs: {designs};" in str(NAMED["draw"].EXAMPLE)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_names_it(name: str) -> None:
    assert f"\n  {name} " in call("--help").out


def test_the_examples_work_one_after_the_other() -> None:
    make_files()
    wanted = dict.fromkeys(story(), 0)
    wanted |= {line: 2 for line in wanted if "--at-least" in line}  # nothing is relevant there
    codes = {line: run(line) for line in story()}
    assert codes == wanted


def test_an_example_that_does_not_work_is_found() -> None:
    spam()
    assert run("aliquot estimate spam --measure nDCG@10") == 64
