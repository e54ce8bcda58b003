"""The parts of a report that every format shares: rows of text, neither HTML nor Markdown yet."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

from aliquot.report.facts import Facts, Row, decimals, rounded, span, when
from aliquot.report.table import number
from aliquot.report.words import counted

SHOWN = 40  # differences that are shown; --json has all
DIFFERENCES = ("a", "b", "measure", "a - b", "interval", "p", "p, all pairs")
KINDS = {"ranking": "ranking", "scored": "score", "predicted": "label", "retrieved": "set"}


def asked(facts: Facts) -> str:
    """Say what the study was to find out."""
    measures = " and ".join(facts.measures)
    if not facts.systems:
        return f"What is the {measures} of these {facts.units:,} units?"
    those = "each of these systems" if len(facts.systems) > 1 else facts.systems[0][0]
    return f"What is the {measures} of {those}, and how sure is that?"


def outline(facts: Facts) -> list[tuple[str, str]]:
    """List the frame, the design and the seed."""
    found = [("units", f"{facts.units:,}")]
    if facts.topics:
        found.append(("topics", str(facts.topics)))
    if facts.systems:
        named = ", ".join(f"{name} ({KINDS.get(kind, kind)})" for name, kind in facts.systems)
        found.append(("systems", named))
    if facts.judges:
        found.append(("automatic judges", ", ".join(facts.judges)))
    found += [("scale", facts.scale), ("inference", _over(facts))]
    found += [(f"batch {row['batch']}", _batch(row)) for row in facts.draws]
    found += [
        ("seed", str(facts.seed)),
        ("frame", f"version {facts.versions}, {facts.frame_hash}"),
        ("study made", when(facts.created)),
    ]
    return found


def _batch(row: Row) -> str:
    new = counted(row["new"], "new unit")
    return f"{new}, {row['design']}, goal {row['goal']}, {when(row['created'])}"


def _over(facts: Facts) -> str:
    return "these units and topics" if facts.over == "these" else "the population they came from"


def estimate_table(
    facts: Facts, rows: Sequence[Row]
) -> tuple[tuple[str, ...], list[tuple[str, ...]], str]:
    """Return the headings and cells of one measure, and in a sentence what all rows share."""
    places, percent = decimals(rows), facts.percent
    order = list(dict.fromkeys(row["system"] for row in rows))
    rows = sorted(rows, key=lambda row: order.index(row["system"]))  # human-only, then assisted
    interval, least = f"{percent} interval", f"at least ({percent})"
    head = ("system", "estimate", interval, least, "effective n")
    how = [f"{row['estimator']}, {row['interval']}, {row['guarantee']}" for row in rows]
    cells = [_estimate(row, places) for row in rows]
    if len(set(how)) == 1:
        return head, cells, f"Estimator, interval and guarantee: {how[0]}."
    return (*head, "by"), [(*cell, text) for cell, text in zip(cells, how, strict=True)], ""


def _estimate(row: Row, places: int | None) -> tuple[str, ...]:
    name = str(row["system"] or "all units")
    return (
        f"{name} (assisted)" if row["assisted"] else name,
        rounded(row["estimate"], places),
        span(row, places),
        rounded(row.get("least"), places),
        f"{row['effective_n']:.0f}",
    )


THRESHOLDS = ("threshold", "units kept", "precision", "interval", "recall", "interval")


def threshold_cells(row: Row) -> tuple[str, ...]:
    """Write one operating point."""
    return (
        number(row["threshold"]),
        f"{row['rank']:,}",
        *_measured(row, "precision"),
        *_measured(row, "recall"),
    )


def _measured(row: Row, name: str) -> tuple[str, str]:
    return f"{row[name]:.3f}", f"{row[f'{name}_low']:.3f} to {row[f'{name}_high']:.3f}"


def curve_note(facts: Facts) -> str:
    """Say what the ends of a curve promise."""
    return (
        f"All ends of one system hold at once, at every threshold, {facts.percent} of the time: a "
        "threshold may be chosen by looking at them. aliquot curve --at-least 0.9 finds the lowest "
        "one that is sure to have a precision."
    )


def difference_cells(row: Row, places: int | None) -> tuple[str, ...]:
    """Write one difference."""
    return (
        str(row["a"]),
        str(row["b"]),
        str(row["measure"]),
        rounded(row["difference"], places),
        span(row, places),
        chance(row["p_value"]),
        chance(row["p_adjusted"]),
    )


def chance(p: float | None) -> str:
    """Write a p-value.

    >>> chance(0.0123), chance(1e-9), chance(None)
    ('0.0123', '<0.0001', '-')
    """
    if p is None:
        return "-"
    return f"{p:.4f}" if p >= 0.0001 else "<0.0001"


def shown_differences(facts: Facts) -> tuple[list[Row], str]:
    """Return the surest differences, and a word on those left out."""
    rows = sorted(
        facts.differences, key=lambda row: (row["p_value"] is None, row["p_value"] or 0.0)
    )
    left = len(rows) - SHOWN
    note = f"{counted(left, 'more difference')}: aliquot compare --json" if left > 0 else ""
    return rows[:SHOWN], note


def labels(facts: Facts) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return how far the judging is, and how often each label was given."""
    done = facts.progress
    head = [
        ("drawn", str(done["drawn"])),
        ("judged", str(done["judged"])),
        ("skipped or unsure", str(done["skipped"])),
        ("waiting", str(done["waiting"])),
    ]
    if facts.annotators:
        people = ", ".join(f"{name} ({count})" for name, count in facts.annotators)
        head.append(("annotators", people))
    return head, [(label, str(count)) for label, count in facts.labels]


def checks(facts: Facts) -> tuple[str, str]:
    """Say how somebody else checks all this, and the commands."""
    study = quote(facts.name)
    sentence = (
        "With the study's directory and aliquot at hand: doctor compares every file with the hash "
        "that it had when it was written and draws each batch again from the seed; estimate gives "
        "the numbers above; export gives every label with its probability, for a computation of "
        "your own."
    )
    over = "" if facts.over == "these" else f" --over {facts.over}"
    level = "" if facts.level == 0.95 else f" --level {facts.level:g}"
    return sentence, (
        f"aliquot doctor {study}\naliquot estimate {study}{level}{over}\n"
        f"aliquot export {study} --to csv --out labels.csv"
    )
