"""A report as Markdown: the same content, for a wiki, a repository or a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from aliquot.report.facts import Facts, decimals, summary, when
from aliquot.report.methods import assumptions, cited, paragraph
from aliquot.report.sections import (
    DIFFERENCES,
    THRESHOLDS,
    asked,
    checks,
    curve_note,
    difference_cells,
    estimate_table,
    labels,
    outline,
    shown_differences,
    threshold_cells,
)

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~$&!])")


def plain(text: str) -> str:
    r"""Write a text so that Markdown shows it as it is, on one line.

    >>> plain("a|b <script> [x](y)")
    'a\\|b \\<script\\> \\[x\\](y)'
    """
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def page(facts: Facts) -> str:
    """Write the whole file."""
    return "\n\n".join(part for part in _parts(facts) if part) + "\n"


def _parts(facts: Facts) -> Iterable[str]:
    yield f"# {plain(facts.name)}"
    yield f"Written {plain(when(facts.made))} by aliquot {plain(facts.version)}"
    yield "\n\n".join(f"**{plain(text)}**" for text in summary(facts))
    if facts.warned:
        yield "## Warnings"
        yield _list(f"{whom}: {text}" for whom, text in facts.warned)
    yield "## What was asked"
    yield plain(asked(facts))
    yield _table(("what", ""), outline(facts))
    yield from _estimates(facts)
    yield from _comparison(facts)
    yield from _curves(facts)
    head, rows = labels(facts)
    yield "## Labels"
    yield _table(("what", "units"), head)
    yield _table(("label", "units"), rows)
    yield "## What this assumes"
    yield _list(assumptions(facts))
    text = paragraph(facts)
    yield "## Methods, to paste"
    yield plain(text)
    yield _list(f"[{key}] {entry}" for key, entry in cited(text))
    yield from _checks(facts)


def _estimates(facts: Facts) -> Iterable[str]:
    yield "## Estimates"
    if facts.missing:
        yield plain(facts.missing)
    for measure in facts.measured:
        yield f"### {plain(measure)}"
        head, cells, note = estimate_table(facts, facts.of(measure))
        yield _table(head, cells)
        yield plain(note)


def _curves(facts: Facts) -> Iterable[str]:
    if facts.curves:
        yield "## Thresholds"
        yield plain(curve_note(facts))
    for shown in facts.curves:
        yield f"### {plain(shown.system)}"
        yield _table(THRESHOLDS, [threshold_cells(row) for row in shown.rows])


def _comparison(facts: Facts) -> Iterable[str]:
    if not facts.differences:
        return
    yield "## Comparison"
    for one in facts.tiers:
        yield f"### Tiers by {plain(one['measure'])}"
        yield "\n".join(f"{i}. {plain(', '.join(t))}" for i, t in enumerate(one["tiers"], 1))
        yield "Within a tier nobody can be told apart yet from its first."
    rows, note = shown_differences(facts)
    places = decimals(rows)
    yield _table(DIFFERENCES, [difference_cells(row, places) for row in rows])
    yield plain(note)


def _checks(facts: Facts) -> Iterable[str]:
    sentence, commands = checks(facts)
    yield "## How to check this"
    yield plain(sentence)
    yield "\n".join(f"    {line}" for line in commands.splitlines())
    if facts.findings:
        yield "When this report was written:"
        yield _list(f"{row['topic']}: {row['text']}" for row in facts.findings)


def _list(texts: Iterable[str]) -> str:
    return "\n".join(f"- {plain(text)}" for text in texts)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    lines = [head, ["---"] * len(head), *([plain(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
