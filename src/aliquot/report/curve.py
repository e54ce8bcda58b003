"""A precision curve as a picture: precision along the ranking, and against recall, with the band.

SVG made by hand, like `report.figure`: colours come from classes, and there is no script.
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

HIGH, TOP, FOOT, LEFT, WIDE, GAP = 340, 34, 44, 52, 310, 56

Pair = tuple[float, float]


@final
@dataclass(frozen=True)
class Panel:
    """One line with its band; x is shown on a log scale, or from 0 to 1.

    `queries` are where precision was estimated itself, `marks` what somebody asked for.
    """

    axis: str
    line: Sequence[Pair]
    low: Sequence[Pair]
    high: Sequence[Pair]
    marks: Sequence[Pair] = ()
    queries: Sequence[Pair] = ()
    log: bool = False


@final
@dataclass(frozen=True)
class Shown:
    """What a report shows of one system's curve: a picture, and operating points."""

    system: str
    panels: Sequence[Panel]
    rows: Sequence[Mapping[str, Any]]


def promised(guarantee: str, level: float) -> str:
    """Say what the ends of a curve promise.

    >>> promised("approximate", 0.95), promised("none", 1.0)
    ('the band holds at every rank at once, 0.95', 'the ends are no bounds')
    """
    if guarantee in ("exact", "none"):
        return "known at every rank" if guarantee == "exact" else "the ends are no bounds"
    sure = "" if guarantee == "strong-monotone" else f", {level:.4g}"
    falls = ", if precision falls" if guarantee.endswith("monotone") else ""
    return f"the band holds at every rank at once{sure}{falls}"


def svg(panels: Sequence[Panel], *, title: str, style: str = "") -> str:
    """Draw panels side by side; precision is on the y axis of each."""
    width = len(panels) * (LEFT + WIDE) + (len(panels) - 1) * (GAP - LEFT) + 20
    said = html.escape(title)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HIGH}" width="{width}" '
        f'height="{HIGH}" role="img" aria-label="{said}"><title>{said}</title>'
    )
    back = f'<style>{style}</style><rect class="paper" width="{width}" height="{HIGH}"/>'
    name = f'<text class="key" x="{LEFT}" y="18">{said}</text>'
    parts = [_panel(panel, LEFT + i * (WIDE + GAP)) for i, panel in enumerate(panels)]
    name += _key(panels[0], width - 20)
    return "".join([head, back if style else "", name, *parts, "</svg>\n" if style else "</svg>"])


def _panel(panel: Panel, left: int) -> str:
    last = max(x for x, _ in panel.line)
    place = _Place(left, math.log10(max(last, 10.0)) if panel.log else 1.0, panel.log)
    around = [*panel.high, *reversed(panel.low)]
    band = f'<polygon class="band" points="{place.path(around)}"/>'
    line = f'<polyline class="curve" points="{place.path(panel.line)}"/>'
    dots = [(*pair, "query", 3) for pair in panel.queries]
    dots += [(*pair, "other", 4) for pair in panel.marks]
    marks = "".join(
        f'<circle class="{kind}" cx="{place.x(x)}" cy="{place.y(y)}" r="{r}"/>'
        for x, y, kind, r in dots
    )
    return f"{_grid(panel, place)}{band}{line}{marks}"


def _key(panel: Panel, right: int) -> str:
    """Say what the points are, from the right edge on."""
    parts = []
    for points, kind, said in (
        (panel.marks, "other", "operating points"),
        (panel.queries, "query", "query points"),
    ):
        if points:
            parts.append(f'<text class="axis" x="{right}" y="18">{said}</text>')
            right -= 7 * len(said) + 10
            parts.append(f'<circle class="{kind}" cx="{right}" cy="14" r="4"/>')
            right -= 16
    return "".join(parts)


@final
@dataclass(frozen=True)
class _Place:
    left: int
    most: float
    log: bool

    def x(self, value: float) -> float:
        share = (math.log10(max(value, 1.0)) if self.log else value) / self.most
        return round(self.left + WIDE * min(max(share, 0.0), 1.0), 1)

    def y(self, value: float) -> float:
        return round(TOP + (HIGH - TOP - FOOT) * (1.0 - min(max(value, 0.0), 1.0)), 1)

    def path(self, points: Sequence[Pair]) -> str:
        """Join points, leaving out those that the eye can't tell from the one before."""
        shown: list[tuple[float, float]] = []
        for x, y in points:
            at = self.x(x), self.y(y)
            if not shown or abs(at[0] - shown[-1][0]) + abs(at[1] - shown[-1][1]) >= 0.4:
                shown.append(at)
        return " ".join(f"{x:g},{y:g}" for x, y in shown)


def _grid(panel: Panel, place: _Place) -> str:
    parts = []
    bottom, right = HIGH - FOOT, place.left + WIDE
    for i in range(6):
        y = place.y(i / 5)
        parts.append(f'<line class="grid" x1="{place.left}" x2="{right}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text class="axis" x="{place.left - 8}" y="{y + 4:g}">{i / 5:g}</text>')
    marks = (
        [10.0**i for i in range(math.floor(place.most) + 1)]
        if panel.log
        else [i / 5 for i in range(6)]
    )
    for value in marks:
        x = place.x(value)
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP}" y2="{bottom}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{bottom + 18}">{_short(value)}</text>')
    name = html.escape(panel.axis)
    parts.append(f'<text class="axis" x="{right}" y="{HIGH - 6}">{name}</text>')
    return "".join(parts)


def _short(value: float) -> str:
    """Write a round number in little room.

    >>> [_short(x) for x in (0.2, 100.0, 10_000.0, 1e6, 1e9)]
    ['0.2', '100', '10k', '1M', '1000M']
    """
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"
