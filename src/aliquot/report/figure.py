"""Intervals as a picture: SVG made by hand, without a script, a font or a colour of its own.

Colours come from classes: the page around it, or a style inside it, says what they are.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from aliquot.report.table import number

WIDE, LEFT, RIGHT = 720, 160, 24  # of the picture, and what names and the edge take
STEP, THIN, TOP, FOOT = 30, 14, 10, 34
NAME = 18  # letters of a name


@final
@dataclass(frozen=True)
class Bar:
    """One interval and its estimate; `kind` is the class that colours it."""

    low: float
    high: float
    at: float | None
    kind: str = "human"


@final
@dataclass(frozen=True)
class Lane:
    """What is shown of one system. `truth` is known in demonstrations only."""

    name: str
    bars: tuple[Bar, ...]
    truth: float | None = None

    @property
    def tall(self) -> int:
        """How much room it takes."""
        return STEP + THIN * (len(self.bars) - 1)


def svg(
    lanes: Sequence[Lane],
    *,
    title: str,
    axis: str,
    legend: Sequence[tuple[str, str]] = (),
    style: str = "",
) -> str:
    """Draw intervals below each other on one scale; a legend is pairs of a kind and what it is."""
    top = TOP + 24 * bool(legend)
    height = top + sum(lane.tall for lane in lanes) + FOOT
    low, high, step = scale([x for lane in lanes for x in _finite(lane)])
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {height}" '
        f'width="{WIDE}" height="{height}" role="img" aria-label="{html.escape(title)}">'
        f"<title>{html.escape(title)}</title>"
    )
    back = f'<style>{style}</style><rect class="paper" width="{WIDE}" height="{height}"/>'
    view = _View(low, high)
    parts = [head, back if style else "", _legend(legend), _grid(view, step, (top, height), axis)]
    y = top
    for lane in lanes:
        parts.append(_lane(lane, view, y))
        y += lane.tall
    return "".join([*parts, "</svg>\n" if style else "</svg>"])


def _legend(legend: Sequence[tuple[str, str]]) -> str:
    parts, x = [], 12
    for kind, text in legend:
        ends = f'x1="{x}" x2="{x}" y1="10" y2="24"' if kind == "truth" else ""
        line = ends or f'x1="{x}" x2="{x + 24}" y1="17" y2="17"'
        gap = 8 if kind == "truth" else 32
        parts.append(f'<line class="{html.escape(kind)}" {line}/>')
        parts.append(f'<text class="key" x="{x + gap}" y="21">{html.escape(text)}</text>')
        x += gap + 7 * len(text) + 24
    return "".join(parts)


def scale(values: Sequence[float]) -> tuple[float, float, float]:
    """Return two round ends around some values, and the step between marks.

    >>> scale([0.31, 0.52])
    (0.3, 0.55, 0.05)
    >>> scale([3.0, 3.0])
    (2.5, 3.5, 0.2)
    """
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if high <= low:
        low, high = low - 0.5, high + 0.5
    raw = (high - low) / 5.0
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(unit * m for m in (1, 2, 5, 10) if unit * m >= raw * 0.999)
    if len(set(values)) > 1:
        low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    return round(low, 12), round(high, 12), step


@final
@dataclass(frozen=True)
class _View:
    low: float
    high: float

    def x(self, value: float) -> float:
        """Return where a value lies, kept within the picture."""
        share = (value - self.low) / (self.high - self.low)
        return round(LEFT + (WIDE - LEFT - RIGHT) * min(max(share, 0.0), 1.0), 1)


def _finite(lane: Lane) -> list[float]:
    found = [x for bar in lane.bars for x in (bar.low, bar.high, bar.at) if x is not None]
    if lane.truth is not None:
        found.append(lane.truth)
    return [x for x in found if math.isfinite(x)]


def _grid(view: _View, step: float, ends: tuple[int, int], axis: str) -> str:
    top, height = ends
    bottom = height - FOOT + 4
    parts = []
    for i in range(round((view.high - view.low) / step) + 1):
        value = view.low + i * step
        x = view.x(value)
        text = number(round(value, 12))
        parts.append(f'<line class="grid" x1="{x}" y1="{top}" x2="{x}" y2="{bottom}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{bottom + 14}">{text}</text>')
    name = html.escape(axis)
    parts.append(f'<text class="axis" x="{WIDE - RIGHT}" y="{height - 3}">{name}</text>')
    return "".join(parts)


def _lane(lane: Lane, view: _View, top: int) -> str:
    short = lane.name if len(lane.name) <= NAME else f"{lane.name[: NAME - 1]}…"
    middle = top + lane.tall / 2
    label = f"{html.escape(short)}<title>{html.escape(lane.name)}</title>"
    parts = [f'<text class="name" x="{LEFT - 12}" y="{middle + 4:g}">{label}</text>']
    for i, bar in enumerate(lane.bars):
        parts.append(_bar(bar, view, top + STEP // 2 + THIN * i))
    if lane.truth is not None:
        x = view.x(lane.truth)
        parts.append(
            f'<line class="truth" x1="{x}" y1="{top + 5}" x2="{x}" y2="{top + lane.tall - 5}"/>'
        )
    return "".join(parts)


def _bar(bar: Bar, view: _View, y: int) -> str:
    low, high = view.x(bar.low), view.x(bar.high)
    kind = html.escape(bar.kind)
    ends = "".join(
        f'<line class="{kind}" x1="{x}" y1="{y - 4}" x2="{x}" y2="{y + 4}"/>' for x in (low, high)
    )
    line = f'<line class="{kind}" x1="{low}" y1="{y}" x2="{high}" y2="{y}"/>'
    if bar.at is None or not math.isfinite(bar.at):
        return line + ends
    return f'{line}{ends}<circle class="{kind}" cx="{view.x(bar.at)}" cy="{y}" r="4"/>'
