"""What the tests of this room share: the full text of an error, and files in one line."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from aliquot.errors import AliquotError, InputError


def refusal(call: Callable[[], object], kind: type[AliquotError] = InputError) -> str:
    """Return the text of the error that a call ends with."""
    with pytest.raises(AliquotError) as caught:
        call()
    assert type(caught.value) is kind
    return str(caught.value)


def put(name: str, content: str | bytes) -> Path:
    """Write a file into the test's directory, packed if its name ends in .gz."""
    data = content.encode() if isinstance(content, str) else content
    path = Path(name)
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def left() -> list[str]:
    """Return the names of all files in the test's directory."""
    return sorted(path.name for path in Path().iterdir())
