"""The command as a process: exit codes, the two streams, pipes that close, and Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.door import PYTHON, do, news, shell, spam, waiting


def test_exit_codes_are_the_shell_s() -> None:
    spam(budget=3)
    lines = {
        "aliquot queue spam": 0,
        "aliquot --help": 0,
        "aliquot draw --help": 0,
        "aliquot": 0,
        "aliquot estimate spam": 1,
        "aliquot doctor spam/frame-0001-units.parquet": 0,
        "aliquot doctor spam/study.db": 2,
        "aliquot estimate": 64,
        "aliquot nothing": 64,
    }
    tail = "; ".join(f"{line} >/dev/null 2>&1; echo $?" for line in lines)
    assert shell(tail).stdout.decode().split() == [str(code) for code in lines.values()]


def test_data_and_notes_go_to_different_streams() -> None:
    spam(budget=3)
    done = shell("aliquot record spam truth.csv --json")
    assert json.loads(done.stdout)["added"] == 3
    assert done.stderr.decode() == (
        "note: 9 labels of units that were not drawn: left out, because only drawn units can enter "
        "a design-based estimate\n"
    )
    done = shell("aliquot estimate nowhere")
    assert done.stdout == b""
    assert done.stderr.startswith(b"aliquot: nowhere: ")


def test_the_whole_story_in_one_script() -> None:
    news()
    done = shell(
        "set -e\n"
        "aliquot draw news --budget 12 > said.txt\n"
        "aliquot queue news > sheet.csv\n"
        "cut -d, -f1-3 sheet.csv | head -1 | grep -q '^unit,topic,doc$'\n"
        "aliquot record news all.qrels\n"
        "aliquot estimate news --json > estimates.json\n"
        "aliquot export news --to prels | wc -l\n"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == b"12"
    assert {row["guarantee"] for row in json.loads(Path("estimates.json").read_text())["rows"]} == {
        "exact"
    }


def test_a_sheet_goes_through_a_pipe() -> None:
    spam(budget=4)
    done = shell(
        "aliquot queue spam | sed '2,$s/$/no/' > filled.csv; "
        "aliquot record spam /dev/stdin --as csv --json < filled.csv"
    )
    assert json.loads(done.stdout)["added"] == 4


@pytest.mark.parametrize("line", ["export spam", "queue spam --to jsonl", "estimate spam --json"])
def test_a_reader_that_has_had_enough_is_no_error(line: str) -> None:
    spam(budget=6)
    do("record spam truth.csv")
    do("draw spam --budget 6")
    with subprocess.Popen(
        [*PYTHON, *line.split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert (process.stderr.read(), process.wait(60)) == (b"", 0)


def test_a_large_sheet_is_cut_by_head_without_a_word() -> None:
    Path("big.csv").write_text("id\n" + "".join(f"unit-{n:06d}\n" for n in range(20_000)))
    do("init big --units big.csv --id id")
    do("draw big --budget 20000")
    done = shell("aliquot queue big | head -2")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.splitlines()[0] == b"unit,label"


def test_a_closed_output_is_no_error() -> None:
    spam(budget=3)
    done = shell("aliquot queue spam >&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("there", ["2>&-", "2> /dev/full"])
def test_notes_that_nobody_can_read_are_no_error(there: str) -> None:
    spam(budget=6)
    do("record spam truth.csv")
    for line, code in (("estimate spam --json", 0), ("estimate nowhere", 1), ("draw spam", 64)):
        done = shell(f"aliquot {line} {there}")
        assert (done.returncode, done.stderr) == (code, b"")
        assert bool(done.stdout) == (code == 0)


def test_ctrl_c_stops_in_one_line_and_keeps_what_was_there() -> None:
    spam(budget=4)
    before = waiting("spam")
    os.mkfifo("slow.csv")
    with subprocess.Popen(
        [*PYTHON, "record", "spam", "slow.csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        # Opening it waits until the other side reads, so the signal comes in the middle.
        with Path("slow.csv").open("w", encoding="utf-8") as pipe:
            pipe.write("unit,label\n")
            pipe.flush()
            process.send_signal(signal.SIGINT)
            assert process.stdout is not None
            assert process.stderr is not None
            out, err = process.stdout.read(), process.stderr.read()
        assert process.wait(60) == 130
    assert (out, err) == (b"", b"aliquot: stopped; what was recorded before is kept\n")
    assert waiting("spam") == before
    assert do("doctor spam").code == 0


def test_a_name_that_is_no_text_is_refused_in_words() -> None:
    spam()
    done = shell(
        "export LC_ALL=C.UTF-8\n"
        "aliquot estimate $'y\\xff'; cp -r spam $'x\\xff'; aliquot draw $'x\\xff' --budget 2"
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().splitlines() == [
        "aliquot: y\\udcff: there is no such study. Check the path, or make a study: init.",
        "aliquot: the name of a file or directory is not UTF-8. Rename it.",
    ]


def test_two_processes_may_record_at_once() -> None:
    spam(budget=12)
    lines = Path("truth.csv").read_text().splitlines()
    for n in range(4):
        Path(f"part{n}.csv").write_text("\n".join([lines[0], *lines[1 + 3 * n : 4 + 3 * n]]) + "\n")
    done = shell("for n in 0 1 2 3; do aliquot record spam part$n.csv >/dev/null & done; wait")
    assert done.stderr == b""
    assert len(do("export spam --json").rows) == 12
