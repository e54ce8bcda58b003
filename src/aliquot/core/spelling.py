"""Spellings: every value with options is written so that it parses back.

`pps(size=influence, floor=0.1)`, `P(rel=2)@10`, `grades(0..3)`. Law: `parse(str(x)) == x`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from aliquot.errors import SpellingError

Value = "int | float | str | Spelling"

_TOKEN = re.compile(
    r"\s*(?:(?P<range>-?\d+(?:\.\d+)?\.\.-?\d+(?:\.\d+)?)"
    r"|(?P<number>[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?(?![\w.]))"
    r"|(?P<name>[^\W\d][\w.+-]*|\d[\w.+-]*)"
    r"|(?P<quoted>'(?:[^'\\]|\\.)*')"
    r"|(?P<mark>[(),=@:]))"
)


@final
@dataclass(frozen=True)
class Spelling:
    """A name, its positional and named arguments, and a rank cutoff."""

    name: str
    args: tuple[int | float | str | Spelling, ...] = ()
    options: tuple[tuple[str, int | float | str | Spelling], ...] = ()
    cutoff: int | None = None

    def __str__(self) -> str:
        parts = [_show(arg) for arg in self.args]
        parts += [f"{name}={_show(value)}" for name, value in self.options]
        inside = f"({', '.join(parts)})" if parts else ""
        return f"{self.name}{inside}" + ("" if self.cutoff is None else f"@{self.cutoff}")


def parse(text: str) -> Spelling:
    """Read one spelling.

    >>> str(parse("P( rel = 2 )@10"))
    'P(rel=2)@10'
    """
    reader = _Reader(text)
    found = reader.spelling()
    reader.end()
    return found


def _show(value: int | float | str | Spelling) -> str:
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str) and not _plain(value):
        escaped = value.replace("\\", "\\\\").replace("'", "\\'")
        return f"'{escaped}'"
    return str(value)


def _plain(value: str) -> bool:
    match = _TOKEN.match(value)
    return (
        bool(match and match.end() == len(value) and match.lastgroup in ("name", "range"))
        and not value[:1].isspace()
    )


@final
class _Reader:
    """A hand-written parser: four rules, and every error says where it stopped."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str, int]] = list(self._scan())
        self.at = 0

    def _scan(self) -> Iterator[tuple[str, str, int]]:
        position, end = 0, len(self.text.rstrip())
        while position < end:
            match = _TOKEN.match(self.text, position)
            if match is None:
                raise self._error(position)
            kind = match.lastgroup or ""
            yield kind, match.group(kind), match.start(kind)
            position = match.end()

    def _error(self, position: int) -> SpellingError:
        rest = self.text[position:].strip()
        found = f"'{rest}'" if rest else "the end"
        return SpellingError(
            f"'{self.text}' can't be read at {found}",
            do="Spell it like name, name(option=value) or name(option=value)@10",
        )

    def _peek(self) -> tuple[str, str, int]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("", "", len(self.text))

    def _take(self, *marks: str) -> str | None:
        _, text, _ = self._peek()
        if text in marks:
            self.at += 1
            return text
        return None

    def spelling(self) -> Spelling:
        kind, name, position = self._peek()
        if kind != "name":
            raise self._error(position)
        self.at += 1
        args, options = self._inside() if self._take("(") else ((), ())
        return Spelling(name, args, options, self._cutoff())

    def _cutoff(self) -> int | None:
        if not self._take("@"):
            return None
        kind, text, position = self._peek()
        if kind != "number" or not text.isdecimal() or int(text) < 1:
            raise self._error(position)
        self.at += 1
        return int(text)

    def _inside(
        self,
    ) -> tuple[
        tuple[int | float | str | Spelling, ...],
        tuple[tuple[str, int | float | str | Spelling], ...],
    ]:
        args: list[int | float | str | Spelling] = []
        options: list[tuple[str, int | float | str | Spelling]] = []
        while not self._take(")"):
            start = self._peek()[2]
            value = self._value()
            if self._take("="):
                if not isinstance(value, str) or value in dict(options):
                    raise self._error(start)
                options.append((value, self._value()))
            elif options:
                raise self._error(start)
            else:
                args.append(value)
            if not self._take(",") and self._peek()[1] != ")":
                raise self._error(self._peek()[2])
        return tuple(args), tuple(options)

    def _value(self) -> int | float | str | Spelling:
        kind, text, position = self._peek()
        if kind == "number":
            self.at += 1
            return int(text) if re.fullmatch(r"[-+]?\d+", text) else float(text)
        if kind == "quoted":
            self.at += 1
            return re.sub(r"\\(.)", r"\1", text[1:-1])
        if kind == "range":
            self.at += 1
            return text
        if kind == "name":
            found = self.spelling()
            bare = not found.args and not found.options and found.cutoff is None
            return found.name if bare else found
        raise self._error(position)

    def end(self) -> None:
        if self.at < len(self.tokens):
            raise self._error(self._peek()[2])
