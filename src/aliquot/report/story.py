"""The demonstration in words: a table, a plot made of letters, and what to make of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
WIDE = 48  # letters of the plot


def told(story: Mapping[str, Any], out: str) -> str:
    """Tell the story; `out` is the folder in which its files were kept, or nothing."""
    return "\n\n".join(
        [_scene(story), _table(story), _plot(story["rows"]), _lessons(story), _next(out)]
    )


def _scene(s: Mapping[str, Any]) -> str:
    return (
        f"Made data: {s['topics']} queries, {len(s['rows'])} search systems, and {s['units']:,} "
        "pairs of a query and a document that some\n"
        f"system returns. Nobody can label them all; you can afford {s['budget']}. aliquot chose "
        "which. Each pair had\n"
        "a chance that is known and written down, larger where its label matters more."
    )


def _table(s: Mapping[str, Any]) -> str:
    budget, measure = s["budget"], s["rows"][0]["measure"]
    left, right = f"{budget} labels, chosen by aliquot", f"{budget} labels, chosen uniformly"
    names = f"{'estimate':>8}  95 % interval"
    lines = [
        f"{'':8}{'truth':>8}   {left:32}{right}",
        f"{measure:8}{'(made)':>8}   {names:32}{names}",
    ]
    for row in s["rows"]:
        ours = _cells(row["estimate"], row["low"], row["high"], held=row["holds"])
        theirs = _cells(
            row["uniform_estimate"],
            row["uniform_low"],
            row["uniform_high"],
            held=row["uniform_holds"],
        )
        lines.append(f"{row['system']:8}{row['truth']:8.2f}   {ours}  {theirs}".rstrip())
    return "\n".join(lines)


def _cells(estimate: float, low: float, high: float, *, held: bool) -> str:
    missed = "" if held else "missed"
    return f"{estimate:8.2f}  {low:5.2f} to {high:5.2f} {missed:6}"


def _plot(rows: Sequence[Row]) -> str:
    """Draw every interval on one scale: `=` ours, `-` uniform, `T` the truth."""
    top = max(row[end] for row in rows for end in ("high", "uniform_high"))
    lines = []
    for row in rows:
        for name, low, high, mark in (
            (row["system"], row["low"], row["high"], "="),
            ("", row["uniform_low"], row["uniform_high"], "-"),
        ):
            bar = _bar(low / top, high / top, row["truth"] / top, mark)
            lines.append(f"  {name:8}{bar}".rstrip())
    scale = f"  {'':8}0{f'{top:.0f}':>{WIDE - 1}}"
    return "\n".join([*lines, f"{scale}   = aliquot  - uniform  T truth"])


def _bar(low: float, high: float, truth: float, mark: str) -> str:
    """Draw one interval; all three are shares of the scale.

    >>> _bar(0.0, 0.1, 0.05, "=")
    '==T==='
    """
    last = WIDE - 1
    cells = [" "] * WIDE
    for i in range(round(low * last), round(high * last) + 1):
        cells[i] = mark
    cells[round(truth * last)] = "T"
    return "".join(cells).rstrip()


def _lessons(s: Mapping[str, Any]) -> str:
    return "\n".join([_covered(s), _narrow(s), _apart(s), _top(s)])


def _covered(s: Mapping[str, Any]) -> str:
    missed, all_ = sum(not row["holds"] for row in s["rows"]), len(s["rows"])
    here = f"{missed} of {all_} miss the truth" if missed else f"all {all_} hold the truth"
    ours, theirs = s["chosen"], s["uniform"]
    return (
        f"Covered?   Here {here}; a 95 % interval may miss one time in twenty. In\n"
        f"           {s['samples']} other samples {ours['hold']} of {ours['intervals']} intervals "
        f"({_share(ours)}) hold it; with uniform samples {_share(theirs)}."
    )


def _narrow(s: Mapping[str, Any]) -> str:
    ours, theirs = s["chosen"]["width"], s["uniform"]["width"]
    return (
        f"Narrow?    {ours:.2f} wide on average, {theirs:.2f} with uniform samples. For "
        f"{ours:.2f}, uniform sampling needs about\n"
        f"           {round(s['same_width'], -1):,} labels (found by simulation on these data, "
        f"{s['searched']} samples a step)."
    )


def _apart(s: Mapping[str, Any]) -> str:
    tiers = " > ".join(" = ".join(tier) for tier in s["tiers"])
    return (
        f"Apart?     {tiers}\n"
        "           (> is sure at 95 %, all pairs allowed for; = can't be told apart yet from the "
        "best)"
    )


def _top(s: Mapping[str, Any]) -> str:
    shares = [row["top_only"] / row["truth"] for row in s["rows"]]
    return (
        f"Top only?  Judging the {s['budget']} pairs nearest the top and taking the rest for "
        "irrelevant gives\n"
        f"           {100 * min(shares):.0f} to {100 * max(shares):.0f} % of the truth, "
        "and no interval says so."
    )


def _share(trials: Mapping[str, Any]) -> str:
    return f"{100 * trials['hold'] / trials['intervals']:.1f} %"


def _next(out: str) -> str:
    if not out:
        return "Next: aliquot demo --out tour     (the same, and keeps the files to go on with)"
    return (
        f"{out} holds the study and its files; {out}/README.txt says what each is.\n"
        f"Next: aliquot estimate {out}/study"
    )
