"""A report as one HTML file: it needs no network, runs no script, and shows every text as text."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from aliquot.report import curve
from aliquot.report.facts import Facts, Row, decimals, summary, when
from aliquot.report.figure import Bar, Lane, svg
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
from aliquot.report.style import PAGE


def page(facts: Facts) -> str:
    """Write the whole file."""
    digest = base64.b64encode(hashlib.sha256(PAGE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    title = escape(f"{facts.name}: {', '.join(facts.measures)}")
    body = "\n".join(part for part in _body(facts) if part)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{PAGE}</style>\n</head>\n<body>\n<main>\n{body}\n"
        "</main>\n</body>\n</html>\n"
    )


def _body(facts: Facts) -> Iterable[str]:
    written = escape(f"Written {when(facts.made)} by aliquot {facts.version}")
    yield f'<header><h1>{escape(facts.name)}</h1>\n<p class="soft">{written}</p></header>'
    yield from (f'<p class="claim">{escape(text)}</p>' for text in summary(facts))
    yield _warnings(facts)
    yield f"<h2>What was asked</h2>\n<p>{escape(asked(facts))}</p>"
    yield _pairs(outline(facts))
    yield _estimates(facts)
    yield _comparison(facts)
    yield _curves(facts)
    yield _labels(facts)
    yield "<h2>What this assumes</h2>"
    yield _list(assumptions(facts))
    text = paragraph(facts)
    yield f"<h2>Methods, to paste</h2>\n<p>{escape(text)}</p>"
    yield _references(text)
    yield _checks(facts)


def _warnings(facts: Facts) -> str:
    if not facts.warned:
        return ""
    parts = [
        f'<p class="warn"><strong>{escape(whom)}</strong>: {escape(text)}</p>'
        for whom, text in facts.warned
    ]
    return "\n".join(["<h2>Warnings</h2>", *parts])


def _estimates(facts: Facts) -> str:
    parts = ["<h2>Estimates</h2>"]
    if facts.missing:
        return f"{parts[0]}\n<p>{escape(facts.missing)}</p>"
    for measure in facts.measured:
        rows = facts.of(measure)
        parts += [f"<h3>{escape(measure)}</h3>", _plot(facts, measure, rows)]
        head, cells, note = estimate_table(facts, rows)
        parts += [_table(head, cells), f'<p class="soft">{escape(note)}</p>' if note else ""]
    return "\n".join(parts)


def _plot(facts: Facts, measure: str, rows: Sequence[Row]) -> str:
    title = f"{facts.percent} intervals for {measure}"
    lanes = [
        Lane(str(one[0]["system"] or measure), tuple(_bar(row) for row in one))
        for one in _systems(rows)
    ]
    key = ""
    if any(row["assisted"] for row in rows):
        key = '<p class="soft">Above: human labels alone. Below: assisted.</p>'
    return f'<div class="wide">{svg(lanes, title=title, axis=measure)}</div>{key}'


def _systems(rows: Sequence[Row]) -> list[list[Row]]:
    """Put the human-only and the assisted estimate of a system together."""
    found: dict[Any, list[Row]] = {}
    for row in rows:
        found.setdefault(row["system"], []).append(row)
    return list(found.values())


def _bar(row: Row) -> Bar:
    kind = "assisted" if row["assisted"] else "human"
    return Bar(float(row["low"]), float(row["high"]), row["estimate"], kind)


def _comparison(facts: Facts) -> str:
    if not facts.differences:
        return ""
    parts = ["<h2>Comparison</h2>"]
    for one in facts.tiers:
        tiers = "".join(f"<li>{escape(', '.join(tier))}</li>" for tier in one["tiers"])
        parts.append(
            f"<h3>Tiers by {escape(one['measure'])}</h3>\n<ol>{tiers}</ol>\n"
            '<p class="soft">Within a tier nobody can be told apart yet from its first.</p>'
        )
    rows, note = shown_differences(facts)
    places = decimals(rows)
    parts.append(_table(DIFFERENCES, [difference_cells(row, places) for row in rows]))
    return "\n".join([*parts, f'<p class="soft">{escape(note)}</p>' if note else ""])


def _curves(facts: Facts) -> str:
    if not facts.curves:
        return ""
    parts = ["<h2>Thresholds</h2>", f'<p class="soft">{escape(curve_note(facts))}</p>']
    for shown in facts.curves:
        picture = curve.svg(shown.panels, title=f"Precision of {shown.system}")
        parts += [f"<h3>{escape(shown.system)}</h3>", f'<div class="wide">{picture}</div>']
        parts.append(_table(THRESHOLDS, [threshold_cells(row) for row in shown.rows]))
    return "\n".join(parts)


def _labels(facts: Facts) -> str:
    head, rows = labels(facts)
    return "\n".join(["<h2>Labels</h2>", _pairs(head), _table(("label", "units"), rows)])


def _references(text: str) -> str:
    return _list(f"[{key}] {entry}" for key, entry in cited(text))


def _checks(facts: Facts) -> str:
    sentence, commands = checks(facts)
    findings = _list(f"{row['topic']}: {row['text']}" for row in facts.findings)
    return "\n".join(
        [
            "<h2>How to check this</h2>",
            f"<p>{escape(sentence)}</p>",
            f"<pre>{escape(commands)}</pre>",
            "<p>When this report was written:</p>" if facts.findings else "",
            findings if facts.findings else "",
        ]
    )


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    inside = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in pairs)
    return f"<dl>{inside}</dl>"


def _list(texts: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(text)}</li>" for text in texts) + "</ul>"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    right = [all(_numeric(row[i]) for row in rows) for i in range(len(head))]
    names = "".join(f"<th{_side(r)}>{escape(n)}</th>" for n, r in zip(head, right, strict=True))
    body = "".join(
        "<tr>"
        + "".join(f"<td{_side(r)}>{escape(c)}</td>" for c, r in zip(row, right, strict=True))
        + "</tr>\n"
        for row in rows
    )
    return (
        f'<div class="wide"><table><thead><tr>{names}</tr></thead>\n<tbody>{body}</tbody></table>'
        "</div>"
    )


def _side(right: bool) -> str:  # noqa: FBT001  (which side a column stands on)
    return ' class="n"' if right else ""


def _numeric(cell: str) -> bool:
    return cell == "-" or cell.lstrip("<-")[:1].isdigit()
