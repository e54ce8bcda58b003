"""JSON lines: one object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator

from aliquot.errors import InputError
from aliquot.io.text import AnyPath, iter_lines

Object = dict[str, object]

_DO = 'Write one object a line, such as {"unit": "d7", "label": "yes"}'


def iter_objects(path: AnyPath) -> Iterator[tuple[int, Object]]:
    """Yield each object with its line; blank lines are skipped."""
    for number, line in iter_lines(path):
        if line and not line.isspace():
            where = f"{path}, line {number}"
            found = parsed(line, where, _DO)
            if not isinstance(found, dict):
                raise InputError("this is JSON, but not an object", where=where, do=_DO)
            yield number, found


def parsed(line: str, where: str, do: str) -> object:
    """Return what a text says in JSON; what is not JSON is an error that says what to do."""
    found: object
    try:
        found = json.loads(line, object_pairs_hook=_unique)
        if "\\u" in line:  # an escape may write half a character, which no file can hold
            json.dumps(found, ensure_ascii=False).encode()
    except _TwiceError as error:
        raise InputError(
            "the object names this column twice",
            where=f"{where}, column {error}",
            do="Rename or remove one of the two",
        ) from error
    except UnicodeEncodeError as error:
        raise InputError("an escape stands for half a character", where=where, do=do) from error
    except (ValueError, RecursionError) as error:
        reason = getattr(error, "msg", "nested too deeply or too long a number")
        raise InputError(f"this is not JSON ({reason})", where=where, do=do) from error
    return found


class _TwiceError(Exception):
    """An object with two values of one name."""


def _unique(pairs: list[tuple[str, object]]) -> Object:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return found
