r"""Run the ```console blocks of a page and compare what they print with what the page prints.

A command stands behind `$ `, and goes on in the next line after a backslash. What stands below is
what it prints, standard error included; `...` stands for any text, on one line or many. A command
that fails must be followed by `$ echo $?` and the exit code, so that the reader sees it too.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = ("aliquot", "cat", "cp", "head", "ls", "mkdir", "printf", "python", "tail", "wc")
CODE = "echo $?"


@dataclass(frozen=True)
class Step:
    """One command and the text below it."""

    command: str
    expected: str


class ConsoleError(AssertionError):
    """A command did not do what the page says."""


def steps(block: str) -> list[Step]:
    """Cut a block into commands, each with the text below it."""
    found = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        size = 1
        while lines[size - 1].endswith("\\"):
            size += 1
        found.append(Step("\n".join(lines[:size]), "\n".join(lines[size:])))
    return found


def run(block: str, folder: Path) -> None:
    """Run the commands of a block in a folder, in order."""
    code = 0
    for step in steps(block):
        if step.command == CODE:
            compare(step, str(code))
            code = 0
            continue
        check_success(code, step)
        printed, code = execute(step.command, folder)
        compare(step, printed)
    check_success(code, Step("the end of the block", ""))


def execute(command: str, folder: Path) -> tuple[str, int]:
    """Return what a command prints, and its exit code."""
    program = shlex.split(command)[0]
    if program not in PROGRAMS:
        raise ConsoleError(f"$ {command}\n{program} is not one of {', '.join(PROGRAMS)}")
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout, done.returncode


def environment(folder: Path) -> dict[str, str]:
    """Only what a page may rely on: the programs beside this Python, and a plain wide terminal."""
    return {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.defpath]),
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }


def compare(step: Step, printed: str) -> None:
    """Raise unless the printed text is what the page expects."""
    pattern = re.escape(trimmed(step.expected)).replace(re.escape("..."), ".*?")
    if not re.fullmatch(pattern, trimmed(printed), re.DOTALL):
        raise ConsoleError(
            f"$ {step.command}\n--- the page says\n{step.expected}\n--- it prints\n{printed}"
        )


def trimmed(text: str) -> str:
    """Drop the blanks at line ends and the empty lines around the text."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def check_success(code: int, step: Step) -> None:
    if code:
        raise ConsoleError(f"exit code {code} before: {step.command}; show it with $ {CODE}")
