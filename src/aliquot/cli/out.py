"""What a command says: data to stdout, as text or as one JSON object; notes to stderr."""

from __future__ import annotations

import json
import math
import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping
from typing import Any, TextIO


def emit(arguments: Namespace, verb: str, data: Mapping[str, Any], text: str) -> None:
    """Write a result: the text, or with --json the data and its schema version."""
    if arguments.json:
        whole = _defined({"schema": f"aliquot.{verb}/1", **data})
        written = json.dumps(whole, ensure_ascii=False, allow_nan=False, default=_word)
        sys.stdout.write(written + "\n")
    else:
        sys.stdout.write("\n".join(map(plain, text.rstrip("\n").split("\n"))) + "\n")
    sys.stdout.flush()


def note(lines: Iterable[str]) -> None:
    """Write notes to stderr, each once."""
    for line in dict.fromkeys(lines):
        error(f"note: {plain(line)}")


def error(line: str) -> None:
    """Write a line to stderr. Where nobody can read it, the command still goes on."""
    try:
        sys.stderr.write(line + "\n")
        sys.stderr.flush()
    except OSError:
        nowhere(sys.stderr)


def nowhere(stream: TextIO) -> None:
    """Send what is still to be written nowhere, so that Python does not fail on it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def plain(text: str) -> str:
    """Keep a text on one line, and its control characters away from the terminal."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _defined(value: Any) -> Any:  # noqa: ANN401  (any JSON)
    """Replace what is not a number by null, as JSON has no word for it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _defined(one) for key, one in value.items()}
    return [_defined(one) for one in value] if isinstance(value, list | tuple) else value


def _word(value: Any) -> str:  # noqa: ANN401  (a cell of a table: a date, a decimal number, bytes)
    return str(value.isoformat() if hasattr(value, "isoformat") else value)
