"""Draw docs/images/demo.svg: what `aliquot demo` says, as the picture of the README.

Run it when the numbers of the demonstration change: .venv/bin/python scripts/picture.py
"""

from __future__ import annotations

import sys
from pathlib import Path

from aliquot.report.figure import Bar, Lane, svg
from aliquot.report.style import PICTURE
from aliquot.wiring.demo import Line, Story, tell

PLACE = Path(__file__).resolve().parents[1] / "docs" / "images" / "demo.svg"


def picture(story: Story) -> str:
    """Draw every system: its interval, the one of a uniform sample, and the truth."""
    legend = (
        ("human", f"{story.budget} labels, chosen by aliquot"),
        ("other", f"{story.budget} labels, chosen uniformly"),
        ("truth", "the truth"),
    )
    title = f"Five search systems, {story.budget} labels: 95 % intervals beside the truth"
    lanes = [lane(row) for row in story.rows]
    axis = story.rows[0].measure
    return svg(lanes, title=title, axis=axis, legend=legend, style=PICTURE)


def lane(row: Line) -> Lane:
    """Show one system."""
    ours = Bar(row.low, row.high, row.estimate)
    theirs = Bar(row.uniform_low, row.uniform_high, row.uniform_estimate, "other")
    return Lane(row.system, (ours, theirs), row.truth)


def main() -> None:
    """Draw it anew, or with --check say whether it is as drawn."""
    drawn = picture(tell())
    if "--check" in sys.argv:
        sys.exit(PLACE.read_text("utf-8") != drawn)
    PLACE.parent.mkdir(parents=True, exist_ok=True)
    PLACE.write_text(drawn, "utf-8")


if __name__ == "__main__":
    main()
