"""The picture of a curve: precision by rank and by recall, with band, queries and marks."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from aliquot.curves.operating import Operating, operating
from aliquot.curves.points import Curve
from aliquot.errors import MissingExtraError, UsageError
from aliquot.io.atomic import refuse_existing, replacing, text_sink
from aliquot.report.curve import Panel, promised, svg
from aliquot.report.style import PICTURE

DEEP = 400  # points of a picture
FEW = 60  # query points that the eye can tell apart


def title(curve: Curve) -> str:
    """Return what stands above the picture."""
    name = f"Precision of {curve.system}" if curve.system else "Precision"
    return f"{name}: {promised(curve.guarantee, curve.level)}"


def panels(curve: Curve, marks: Sequence[Operating] = ()) -> list[Panel]:
    """Return precision by rank and by recall, at ranks that are even on a log scale."""
    n = curve.n
    ranks = np.unique(np.geomspace(1, n, DEEP).astype(np.int64)) if n > 1 else np.array([1])
    found = operating(curve, ranks)
    few = 0 < len(curve.queried) <= FEW
    queried = operating(curve, curve.queried) if few else []
    return [
        Panel(
            "rank",
            [(one.rank, one.precision) for one in found],
            [(one.rank, one.precision_low) for one in found],
            [(one.rank, one.precision_high) for one in found],
            [(one.rank, one.precision) for one in marks],
            [(one.rank, one.precision) for one in queried],
            log=True,
        ),
        Panel(
            "recall",
            [(one.recall, one.precision) for one in found],
            [(one.recall_low, one.precision_low) for one in found],
            [(one.recall_high, one.precision_high) for one in found],
            [(one.recall, one.precision) for one in marks],
            [(one.recall, one.precision) for one in queried],
        ),
    ]


def drawn(curve: Curve, marks: Sequence[Operating] = ()) -> str:
    """Return the picture as SVG."""
    return svg(panels(curve, marks), title=title(curve), style=PICTURE)


def plot(curve: Curve, ax: Any = None, marks: Sequence[Operating] = ()) -> Any:  # noqa: ANN401
    """Draw precision along the ranking on matplotlib's axes; return them."""
    axes = _pyplot().subplots(layout="constrained")[1] if ax is None else ax
    _panel(axes, panels(curve, marks)[0])
    axes.set_title(title(curve))
    return axes


def save(
    curve: Curve, path: str | Path, *, marks: Sequence[Operating] = (), overwrite: bool = False
) -> None:
    """Write the picture to a new file, .svg or .png."""
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in (".svg", ".png"):
        raise UsageError(
            "the name of the picture does not tell its format",
            where=str(path),
            do="Name it like curve.svg or curve.png",
        )
    if ending == ".svg":
        with text_sink(target, overwrite=overwrite) as sink:
            sink.write(drawn(curve, marks))
        return
    if not overwrite:
        refuse_existing(target)
    stream = BytesIO()
    figure, sides = _pyplot().subplots(1, 2, figsize=(11, 4.4), layout="constrained")
    for axes, panel in zip(sides, panels(curve, marks), strict=True):
        _panel(axes, panel)
    figure.suptitle(title(curve))
    figure.savefig(stream, format="png", dpi=150)
    _pyplot().close(figure)
    with replacing(target) as (file, _):
        file.write(stream.getvalue())


def _panel(axes: Any, panel: Panel) -> None:  # noqa: ANN401  (matplotlib's axes)
    line, low, high = (np.array(side).T for side in (panel.line, panel.low, panel.high))
    around = np.concatenate([high, low[:, ::-1]], axis=1)
    axes.fill(*around, alpha=0.25, linewidth=0)
    axes.plot(*line, clip_on=False)
    for points, name, style in (
        (panel.queries, "query points", {"markerfacecolor": "white", "color": "C0"}),
        (panel.marks, "operating points", {"color": "C1"}),
    ):
        if points:
            axes.plot(*np.array(points).T, "o", label=name, markersize=5, clip_on=False, **style)
    if panel.queries or panel.marks:
        axes.legend(frameon=False, loc="lower left")
    axes.grid(alpha=0.3)
    axes.set(ylim=(0, 1), xlabel=panel.axis, ylabel="precision")
    axes.set(xscale="log") if panel.log else axes.set(xlim=(0, 1))


def _pyplot() -> Any:  # noqa: ANN401  (a module)
    try:
        return importlib.import_module("matplotlib.pyplot")
    except ImportError:
        raise MissingExtraError(
            "matplotlib is not installed", do="pip install 'aliquot[plot]'"
        ) from None
