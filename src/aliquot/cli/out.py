"""What a command says: data to stdout, as text or as one JSON object; notes to stderr."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping
from typing import Any


def emit(arguments: Namespace, verb: str, data: Mapping[str, Any], text: str) -> None:
    """Write a result: the text, or with --json the data and its schema version."""
    if arguments.json:
        whole = {"schema": f"aliquot.{verb}/1", **data}
        sys.stdout.write(json.dumps(whole, ensure_ascii=False, allow_nan=False) + "\n")
    else:
        sys.stdout.write(text.rstrip("\n") + "\n")
    sys.stdout.flush()


def note(lines: Iterable[str]) -> None:
    """Write notes to stderr, each once."""
    for line in dict.fromkeys(lines):
        sys.stderr.write(f"note: {line}\n")
