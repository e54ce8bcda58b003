"""The curve of a system in a study: asked for ranks and thresholds, shown, and written."""

from __future__ import annotations

import math
import sys
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from aliquot.core.order import Order
from aliquot.curves.operating import Operating, deepest, operating
from aliquot.curves.points import Curve, Point, Ranks
from aliquot.errors import UsageError
from aliquot.io.export import write_rows
from aliquot.report.curve import Shown
from aliquot.report.table import html, text
from aliquot.wiring import picture

SHOWN = ("rank", "threshold", "precision", "precision_low", "precision_high")
COLUMNS = (*SHOWN, "recall", "recall_low", "recall_high", "f1")


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

    def svg(self, marks: Sequence[Operating] = ()) -> str:
        """Return the picture as SVG; `marks` are operating points, by default at round ranks."""
        return picture.drawn(self.curve, self._marks(marks))

    def plot(self, ax: Any = None, marks: Sequence[Operating] = ()) -> Any:  # noqa: ANN401
        """Draw precision and its band along the ranking with matplotlib; return the axes."""
        return picture.plot(self.curve, ax, self._marks(marks))

    def save(
        self, path: str | Path, *, marks: Sequence[Operating] = (), overwrite: bool = False
    ) -> None:
        """Write the picture to a new file, .svg or .png."""
        picture.save(self.curve, path, marks=self._marks(marks), overwrite=overwrite)

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
        return Shown(self.system, picture.panels(self.curve, self._marks(())), rows)

    def _marks(self, marks: Sequence[Operating]) -> Sequence[Operating]:
        return marks or [one for one in self.operating() if one.rank > 1]

    def __repr__(self) -> str:
        return text([one.to_dict() for one in self.operating()], COLUMNS)

    def _repr_html_(self) -> str:
        shown = b64encode(self.svg().encode()).decode()
        rows = html([one.to_dict() for one in self.operating()], COLUMNS)
        source = f"data:image/svg+xml;base64,{shown}"
        return f'<img alt="precision along the ranking" src="{source}">{rows}'
