"""The curve of a system in a study: asked for ranks and thresholds, shown, and written."""

from __future__ import annotations

import importlib
import math
import sys
from base64 import b64encode
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, final

import numpy as np

from aliquot.core.order import Order
from aliquot.curves.operating import Operating, deepest, operating
from aliquot.curves.points import Curve, Point, Ranks
from aliquot.errors import MissingExtraError, UsageError
from aliquot.io.atomic import refuse_existing, replacing, text_sink
from aliquot.io.export import write_rows
from aliquot.report.curve import Panel, Shown, svg
from aliquot.report.style import PICTURE
from aliquot.report.table import html, text

SHOWN = ("rank", "threshold", "precision", "precision_low", "precision_high")
COLUMNS = (*SHOWN, "recall", "recall_low", "recall_high", "f1")
DEEP = 400  # points of a picture


@final
@dataclass(frozen=True, eq=False)
class StudyCurve:
    """Precision at every rank, with a band; thresholds chosen on it are covered."""

    curve: Curve
    order: Order

    @property
    def system(self) -> str:
        """The system's name."""
        return self.curve.system

    @property
    def points(self) -> tuple[Point, ...]:
        """Points that suffice for every rank: between two of them counts lie on a line."""
        return self.curve.points

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to bear in mind."""
        return self.curve.warnings

    def at(self, rank: int) -> Operating:
        """Return precision, recall and F1 of the first `rank` units."""
        return self.operating([rank])[0]

    def above(self, threshold: float) -> Operating:
        """Return what a threshold gives: on the score, or on the depth of a ranking."""
        if math.isnan(threshold) or not self.order.kept(threshold):
            what = "score" if self.order.scored else "depth"
            raise UsageError(
                f"a threshold of {threshold:g} on the {what} keeps no unit",
                do=f"{self.system} goes from {self.order.at[0]:g} to {self.order.at[-1]:g}",
            )
        return self.at(self.order.kept(threshold))

    def at_least(self, precision: float) -> Operating | None:
        """Return the deepest threshold with this precision, as sure as the curve's level.

        None where no threshold is sure to have it.
        """
        rank = deepest(self.curve, precision, self.order.cuts)
        return None if rank is None else self.at(rank)

    def operating(self, ranks: list[int] | Ranks | None = None) -> list[Operating]:
        """Return operating points: at some ranks, or at round ones where a threshold can cut."""
        asked = self._round() if ranks is None else np.asarray(ranks, dtype=np.int64)
        self.curve.values(asked)  # refuses ranks that there are not
        return operating(self.curve, asked, self.order.at[asked - 1])

    def _round(self) -> Ranks:
        """Return cuts near 1, 2, 5, 10, ... and the last one."""
        n, cuts = self.curve.n, self.order.cuts
        wanted = [m * 10**i for i in range(len(str(n))) for m in (1, 2, 5) if m * 10**i < n]
        near = cuts[np.minimum(np.searchsorted(cuts, [*wanted, n]), len(cuts) - 1)]
        return np.unique(near)

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as the interface promises it, with operating points."""
        found = self.curve.to_dict()
        return found | {"operating": [one.to_dict() for one in self.operating()]}

    def svg(self) -> str:
        """Return the picture as SVG."""
        return svg(self._panels(), title=self._title, style=PICTURE, level=self.curve.level)

    def plot(self, ax: Any = None) -> Any:  # noqa: ANN401  (matplotlib's axes)
        """Draw precision and its band along the ranking with matplotlib; return the axes."""
        pyplot = _pyplot()
        axes = pyplot.subplots()[1] if ax is None else ax
        panel = self._panels()[0]
        (ranks, middle), (_, low), (_, high) = (
            np.array(side).T for side in (panel.line, panel.low, panel.high)
        )
        axes.fill_between(ranks, low, high, alpha=0.25, linewidth=0)
        axes.plot(ranks, middle)
        axes.set(xscale="log", ylim=(0, 1), xlabel=panel.axis, ylabel="precision")
        axes.set_title(self._title)
        return axes

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
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
                sink.write(self.svg())
            return
        if not overwrite:
            refuse_existing(target)
        drawn, figure = BytesIO(), self.plot().figure
        figure.savefig(drawn, format="png", dpi=150)
        _pyplot().close(figure)
        with replacing(target) as (stream, _):
            stream.write(drawn.getvalue())

    def write(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the points to a new CSV file."""
        rows = [
            point._asdict() | {"threshold": float(self.order.at[point.rank - 1])}
            for point in self.points
        ]
        columns = ("rank", "threshold", "precision", "low", "high")
        write_rows(rows, columns, fmt="csv", out=Path(path), stdout=sys.stdout, overwrite=overwrite)

    def shown(self) -> Shown:
        """Return what a report shows."""
        rows = [one.to_dict() for one in self.operating()]
        return Shown(self.system, self._panels(), rows)

    @property
    def _title(self) -> str:
        return f"Precision of {self.system}"

    def _panels(self) -> list[Panel]:
        """Return precision by rank and by recall, at ranks that are even on a log scale."""
        n = self.curve.n
        ranks = np.unique(np.geomspace(1, n, DEEP).astype(np.int64)) if n > 1 else np.array([1])
        found = operating(self.curve, ranks)
        marks = [(one.rank, one.precision) for one in self.operating() if one.rank > 1]
        return [
            Panel(
                "rank",
                [(one.rank, one.precision) for one in found],
                [(one.rank, one.precision_low) for one in found],
                [(one.rank, one.precision_high) for one in found],
                marks,
                log=True,
            ),
            Panel(
                "recall",
                [(one.recall, one.precision) for one in found],
                [(one.recall_low, one.precision_low) for one in found],
                [(one.recall_high, one.precision_high) for one in found],
            ),
        ]

    def __repr__(self) -> str:
        return text([one.to_dict() for one in self.operating()], COLUMNS)

    def _repr_html_(self) -> str:
        picture = b64encode(self.svg().encode()).decode()
        rows = html([one.to_dict() for one in self.operating()], COLUMNS)
        source = f"data:image/svg+xml;base64,{picture}"
        return f'<img alt="precision along the ranking" src="{source}">{rows}'


def _pyplot() -> Any:  # noqa: ANN401  (a module)
    try:
        return importlib.import_module("matplotlib.pyplot")
    except ImportError:
        raise MissingExtraError(
            "matplotlib is not installed", do="pip install 'aliquot[plot]'"
        ) from None
