"""TREC relevance judgments: qrels in and out, and prels out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TextIO, final

from aliquot.errors import InputError
from aliquot.io.atomic import text_sink
from aliquot.io.text import AnyPath, open_bytes

Qrel = tuple[str, str, str]  # topic, document, relevance
Prel = tuple[str, str, str, int, float]  # and the selection method and inclusion probability

_WHOLE = re.compile(r"[+-]?[0-9]+")
_LINE = "Write each line as topic iter doc rel"


@final
@dataclass(frozen=True)
class Qrels:
    """Judged pairs in the order of their file. `unjudged` counts the rows of negative relevance."""

    topic: list[str]
    doc: list[str]
    rel: list[str]
    lines: list[int]
    unjudged: int


def read_qrels(path: AnyPath) -> Qrels:
    """Read qrels. Negative relevance means unjudged, and such a row is only counted."""
    where = str(path)
    found = Qrels([], [], [], [], 0)
    seen: dict[tuple[str, str], int] = {}
    unjudged = 0
    for line, raw in enumerate(open_bytes(path).split(b"\n"), 1):
        fields = [part.decode() for part in raw.split()]  # split as C does: at ASCII blanks only
        if not fields:
            continue
        topic, doc, rel = _checked(fields, f"{where}, line {line}")
        if int(rel) < 0:
            unjudged += 1
            continue
        first = seen.setdefault((topic, doc), len(found.rel))
        if first == len(found.rel):
            for column, value in zip(_columns(found), (topic, doc, rel), strict=True):
                column.append(value)
            found.lines.append(line)
        elif found.rel[first] != rel:
            raise _two_minds(found, first, rel, f"{where}, lines {found.lines[first]} and {line}")
    return Qrels(found.topic, found.doc, found.rel, found.lines, unjudged)


def _columns(found: Qrels) -> tuple[list[str], list[str], list[str]]:
    return found.topic, found.doc, found.rel


def _checked(fields: list[str], where: str) -> Qrel:
    if len(fields) in (5, 6):
        kind = "prels (topic doc rel alg p)" if len(fields) == 5 else "a run or prels"
        raise InputError(
            f"{len(fields)} fields are {kind}, not judgments (topic iter doc rel)",
            where=where,
            do="Name a qrels file, which has 4 fields a line",
        )
    if len(fields) != 4:
        raise InputError(f"a judgment has 4 fields, not {len(fields)}", where=where, do=_LINE)
    topic, _, doc, rel = fields
    if not _WHOLE.fullmatch(rel):
        raise InputError(f"relevance '{rel}' is not a whole number", where=where, do=_LINE)
    return topic, doc, rel


def _two_minds(found: Qrels, first: int, rel: str, where: str) -> InputError:
    pair = f"document {found.doc[first]} of topic {found.topic[first]}"
    return InputError(
        f"{pair} is judged both {found.rel[first]} and {rel}",
        where=where,
        do="Keep one of the two",
    )


def write_qrels(target: AnyPath | TextIO, rows: Iterable[Qrel], *, overwrite: bool = False) -> None:
    """Write `topic 0 doc rel` lines to a new file or to a stream."""
    with text_sink(target, overwrite=overwrite) as sink:
        for topic, doc, rel in rows:
            sink.write(f"{_id(topic)} 0 {_id(doc)} {_id(rel)}\n")


def write_prels(target: AnyPath | TextIO, rows: Iterable[Prel], *, overwrite: bool = False) -> None:
    """Write `topic doc rel alg p` lines; `p` in the shortest form that reads back exactly."""
    with text_sink(target, overwrite=overwrite) as sink:
        for topic, doc, rel, alg, p in rows:
            if not (math.isfinite(p) and p > 0):
                raise InputError(
                    f"{p!r} is not an inclusion probability",
                    where=f"topic {topic}, document {doc}",
                    do="Write only units that could be drawn",
                )
            sink.write(f"{_id(topic)} {_id(doc)} {_id(rel)} {alg} {float(p)!r}\n")


def _id(text: str) -> str:
    """Refuse an id that would fall into two fields."""
    if len(text.split()) != 1:
        raise InputError(
            f"'{text}' can't be written as one field",
            where="qrels",
            do="Export as csv or jsonl, or rename it without spaces",
        )
    return text
