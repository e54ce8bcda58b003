"""`aliquot.Study.draw` returns a batch: the units that it chose, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from aliquot.core.records import DrawRow
from aliquot.report.table import card


@final
@dataclass(frozen=True)
class Batch:
    """A draw: its units, in the order in which they should be judged."""

    draw: DrawRow

    @property
    def new(self) -> tuple[str, ...]:
        """The units that wait for a judgment, in order."""
        units = self.draw.units
        return tuple(unit for unit, new in zip(units.unit, units.new, strict=True) if new)

    def to_dict(self) -> dict[str, Any]:
        """Return the draw as the interface promises it."""
        draw, units = self.draw, self.draw.units
        new = int(units.new.sum())
        listed = zip(units.unit, units.pi.tolist(), units.order.tolist(), strict=True)
        return {
            "batch": draw.batch,
            "drawn": len(units.unit),
            "new": new,
            "reused": len(units.unit) - new,
            "draws": int(units.count.sum()),
            "design": draw.design,
            "goal": draw.goal,
            "seed": draw.seed,
            "budget": draw.budget,
            "units": [{"unit": u, "pi": p, "order": o or None} for u, p, o in listed],
        }

    def __len__(self) -> int:
        return len(self.new)

    def _repr_html_(self) -> str:
        told = self.to_dict()
        return card({name: told[name] for name in told if name != "units"})

    def __repr__(self) -> str:
        new, held = len(self), len(self.draw.units.unit)
        return f"<Batch {self.draw.batch}: {new} new units of {held} drawn by {self.draw.design}>"
