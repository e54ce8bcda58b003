"""What the tests of this room share: a command as a user gives it, its answer, and small worlds.

The two worlds are small enough to be judged in full, so that their truth is written down.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aliquot.cli.main import main

PYTHON = (sys.executable, "-m", "aliquot")


@dataclass(frozen=True)
class Answer:
    """What a command left behind: its exit code and what it wrote to each stream."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one object on stdout; NaN and Infinity are no JSON."""
        assert self.out.count("\n") == 1
        found = json.loads(self.out, parse_constant=_refuse)
        assert isinstance(found, dict)
        return found

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of that object."""
        return list(self.json["rows"])


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def call(*argv: str) -> Answer:
    """Run a command in this process."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", newline=""), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(argv)
        except SystemExit as end:  # --help
            code = int(end.code or 0)
    out.flush()
    written = out.buffer
    assert isinstance(written, io.BytesIO)
    return Answer(code, written.getvalue().decode(), err.getvalue())


def ask(line: str) -> Answer:
    """Run a command as it stands in a shell."""
    return call(*shlex.split(line))


def do(line: str) -> Answer:
    """Run a command that must succeed."""
    answer = ask(line)
    assert (answer.code, "aliquot:" in answer.err) == (0, False), answer.err
    return answer


def shell(line: str, *, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a line in a real shell, in which `aliquot` is the command."""
    defined = f'aliquot() {{ {shlex.quote(sys.executable)} -m aliquot "$@"; }}\n'
    return subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", defined + line],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
    )


def put(name: str, content: str | bytes) -> Path:
    """Write a file: a text is packed if the name ends in .gz, bytes stay as they are."""
    path, packed = Path(name), name.endswith(".gz") and isinstance(content, str)
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if packed else data)
    return path


def everything() -> dict[str, str]:
    """Every file below the test's directory, hidden ones included, with the hash of its content."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in sorted(Path().rglob("*"))
    }


# --- a world of rankings --------------------------------------------------------------------------

GRADES = {"q1": "301020", "q2": "020013"}  # of d1 to d6; A returns d1 first, B d6


def run_text(tag: str, docs: str, topics: tuple[str, ...] = ("q1", "q2")) -> str:
    """Write a run that returns the same documents for each topic, given by their digits."""
    return "".join(
        f"{topic} Q0 d{doc} {rank} {9 - rank} {tag}\n"
        for topic in topics
        for rank, doc in enumerate(docs, 1)
    )


def rankings() -> None:
    """Write the runs of two systems, and the grades of every document they return."""
    put("a.run", run_text("A", "123456"))
    put("b.run.gz", run_text("B", "654321"))
    put("all.qrels", qrels())


def qrels() -> str:
    return "".join(
        f"{topic} 0 d{place} {grade}\n"
        for topic, grades in GRADES.items()
        for place, grade in enumerate(grades, 1)
    )


NEWS = "init news --runs a.run b.run.gz --grades 0..3 --measure P@2 --measure DCG@2 --measure R@2"
NEWS_TRUTH = {  # R@2: three documents of each topic are relevant
    ("A", "P@2"): 1 / 2,
    ("B", "P@2"): 3 / 4,
    ("A", "DCG@2"): 2.1309297535714575,
    ("B", "DCG@2"): 2.4463946303571863,
    ("A", "R@2"): 1 / 3,
    ("B", "R@2"): 1 / 2,
}


# --- a world of units -----------------------------------------------------------------------------

UNITS = [f"{number:03d}" for number in range(1, 13)]
SCORES = [0.9, 0.8, 0.75, 0.7, 0.6, 0.55, 0.45, 0.4, 0.3, 0.2, 0.1, 0.05]
RELEVANT = ("001", "002", "004", "005", "008")
TRUTH = {unit: "yes" if unit in RELEVANT else "no" for unit in UNITS}


def items() -> list[dict[str, object]]:
    """The rows of a table with every kind of column that `init` can be told of."""
    return [
        {
            "id": unit,
            "subject": f"=text {unit}, of it",
            "svm": score,
            "nb": "yes" if unit in ("001", "002", "003", "008") else "no",
            "tar": int(unit in ("001", "004", "009")),
            "gpt": round(1 - place / 12, 2),
            "patient": f"p{place // 3}",
            "price": 1 + place % 2,
            "site": "AB"[place % 2],
        }
        for place, (unit, score) in enumerate(zip(UNITS, SCORES, strict=True))
    ]


def csv_text(rows: list[dict[str, object]]) -> str:
    lines = [",".join(rows[0])]
    lines += [",".join(f'"{cell}"' for cell in row.values()) for row in rows]
    return "\n".join(lines) + "\n"


def table() -> None:
    """Write the table of units, and the label of every unit."""
    put("items.csv", csv_text(items()))
    put("truth.csv", csv_text([{"unit": u, "label": label} for u, label in TRUTH.items()]))


SYSTEMS = "--score 'svm=svm>=0.5' --predicted nb=nb --retrieved tar=tar"
MORE = "--text subject --judge gpt=gpt --cluster patient --cost price --stratum site"
MEASURES = "--measure Precision --measure Recall --measure F1 --measure Accuracy --measure Mean"
SPAM = f"init spam --units items.csv --id id {SYSTEMS} {MEASURES} --labels no,yes --seed 7"
SPAM_TRUTH = {
    ("svm", "Precision"): 4 / 6,
    ("tar", "Precision"): 2 / 3,
    ("svm", "Recall"): 4 / 5,
    ("tar", "Recall"): 2 / 5,
    ("svm", "F1"): 8 / 11,
    ("tar", "F1"): 1 / 2,
    ("svm", "Accuracy"): 9 / 12,
    ("nb", "Accuracy"): 9 / 12,
    ("tar", "Accuracy"): 8 / 12,
    (None, "Mean"): 5 / 12,
}


def news(*, budget: int = 0) -> None:
    """Make the study of rankings; with a budget, draw from it too."""
    rankings()
    do(NEWS)
    if budget:
        do(f"draw news --budget {budget}")


def spam(*, budget: int = 0, more: str = "") -> None:
    """Make the study of units; with a budget, draw from it too."""
    table()
    do(f"{SPAM} {more}")
    if budget:
        do(f"draw spam --budget {budget}")


def waiting(study: str) -> list[str]:
    """The units that wait for a judgment, in order."""
    return [row["unit"] for row in do(f"queue {study} --json").json["units"]]
