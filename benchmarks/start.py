"""How long the command line takes to start, above a bare Python: the least of some runs.

What numpy and Parquet take by themselves is printed beside, as they are most of it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 15
HELP, PARQUET = "target 50", "target 250"  # milliseconds above a bare Python
SCIPY = "no target: scipy.special is most of it"
ALIQUOT = str(Path(sys.executable).parent / "aliquot")


def milliseconds(*command: str) -> float:
    """Return the least time of a command: whatever else runs only adds to it."""
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        taken.append(1000 * (time.perf_counter() - start))
    return min(taken)


def main() -> None:
    """Print one line a command."""
    bare = milliseconds(sys.executable, "-c", "pass")
    print(f"python -c pass                {bare:5.0f} ms")
    for name in ("numpy", "numpy, pyarrow.parquet", "numpy, scipy.special"):
        above = milliseconds(sys.executable, "-c", f"import {name}") - bare
        print(f"import {name:22s} {above:5.0f} ms above")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [ALIQUOT, "demo", "--out", f"{folder}/tour"], check=True, capture_output=True
        )
        study = f"{folder}/tour/study"
        for goal, words in (
            (HELP, ["--help"]),
            (PARQUET, ["queue", study]),
            (PARQUET, ["estimate", study]),
            (SCIPY, ["interval", "proportion", "1000,100,3"]),
        ):
            above = milliseconds(ALIQUOT, *words) - bare
            shown = " ".join(words[:2]).replace(study, "STUDY")
            print(f"aliquot {shown:21s} {above:5.0f} ms above ({goal})")


if __name__ == "__main__":
    main()
