"""The command line: find the command, import it alone, run it, and turn errors into one line."""

from __future__ import annotations

import importlib
import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from types import ModuleType
from typing import NoReturn, final

import aliquot
from aliquot.cli import out
from aliquot.errors import AliquotError, UsageError

COMMANDS = {
    "init": "make a study from runs or a table of units",
    "plan": "say how many labels a width needs, or what width a budget buys",
    "draw": "choose the units to judge next, with known probabilities",
    "queue": "list what waits for a judgment, in order",
    "record": "record judgments from a file",
    "estimate": "estimate every measure of every system, with intervals",
    "compare": "compare two systems, or every two",
    "curve": "give precision at every rank of a system, and thresholds that are sure",
    "report": "write one file to read, print and mail",
    "export": "write judgments out, with their probabilities",
    "add-system": "add a system that did not exist when labels were drawn",
    "doctor": "say what a study or a file can and can't support",
    "simulate": "try designs on what is labelled already, before money is spent",
    "interval": "calculate an interval from counts, without a study",
    "reproduce": "run a published table or figure again, beside what the paper prints",
    "demo": "tell the whole story on built-in data, in under a minute",
}
USAGE = 64


@final
class Parser(ArgumentParser):
    """A parser whose errors are ours: one line, what to do, exit code 64."""

    def error(self, message: str) -> NoReturn:
        """Turn a parsing error into a usage error."""
        raise UsageError(message, do=f"See {self.prog} --help")


def entry() -> NoReturn:
    """Run the command line and exit."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # the caller closed it
            stream = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  (until the end)
            setattr(sys, name, stream)
    if isinstance(sys.stdout, TextIOWrapper):  # a path may hold bytes that are no text
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))


def main(argv: Sequence[str]) -> int:
    """Run one command; return its exit code."""
    try:
        code = _run(argv)
        sys.stdout.flush()
    except AliquotError as error:
        return _fail(str(error), error.exit_code)
    except BrokenPipeError:  # the reader of our output has had enough
        out.nowhere(sys.stdout)
        return 0
    except KeyboardInterrupt:
        return _fail("stopped; what was recorded before is kept", 130)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}. Check the path and the disk.", 1)
    except UnicodeEncodeError:
        return _fail("the name of a file or directory is not UTF-8. Rename it.", 1)
    except MemoryError:
        return _fail("out of memory. Use a smaller file or a machine with more memory.", 1)
    return code


def _fail(text: str, code: int) -> int:
    try:
        sys.stdout.flush()
    except OSError:  # it may be the output itself that failed
        out.nowhere(sys.stdout)
    out.error(f"aliquot: {out.plain(text)}")
    return code


def _run(argv: Sequence[str]) -> int:
    if not argv or argv[0] in ("-h", "--help", "help"):
        sys.stdout.write(overview())
        return 0
    if argv[0] == "--version":
        sys.stdout.write(f"aliquot {aliquot.__version__}\n")
        return 0
    name, rest = argv[0], argv[1:]
    if name not in COMMANDS:
        raise UsageError(f"'{name}' is not a command", do=f"Commands are {', '.join(COMMANDS)}")
    module = load(name)
    arguments = parser(name, module).parse_args(rest)
    return int(module.run(arguments))


def load(name: str) -> ModuleType:
    """Import the module of one command."""
    return importlib.import_module(f"aliquot.cli.{name.replace('-', '_')}")


def parser(name: str, module: ModuleType) -> ArgumentParser:
    """Build the parser of one command."""
    made = Parser(
        prog=f"aliquot {name}",
        description=module.__doc__,
        epilog=module.EXAMPLE,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.options(made)
    made.add_argument("--json", action="store_true", help="write one JSON object to stdout")
    return made


def overview() -> str:
    """Return the text of `aliquot --help`."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name.ljust(width)}  {text}" for name, text in COMMANDS.items()]
    return "\n".join(
        [
            "aliquot: measure rankings, classifiers, extractors and generators on a budget of",
            "human labels, and say how wrong the result may be.",
            "",
            "usage: aliquot COMMAND STUDY [options]",
            "",
            *lines,
            "",
            "Start with: aliquot demo            Help for a command: aliquot COMMAND --help",
            "",
        ]
    )


def given(arguments: Namespace, name: str) -> list[str]:
    """Return a list option, empty if it was not given."""
    return list(getattr(arguments, name) or [])
