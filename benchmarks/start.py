"""How long the command line takes to start, above a bare Python: the median of some runs."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 15
HELP_TARGET = 50  # milliseconds above a bare Python
ALIQUOT = str(Path(sys.executable).parent / "aliquot")


def milliseconds(command: list[str]) -> float:
    """Return the median time of a command."""
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken)


def main() -> None:
    """Print one line a command."""
    bare = milliseconds([sys.executable, "-c", "pass"])
    shown = milliseconds([ALIQUOT, "--help"])
    print(f"python -c pass   {bare:5.0f} ms")
    print(f"aliquot --help   {shown:5.0f} ms, {shown - bare:.0f} above (target {HELP_TARGET})")


if __name__ == "__main__":
    main()
