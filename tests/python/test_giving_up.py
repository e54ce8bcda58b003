"""A team of processes that is given up: nobody goes on with work that nobody will read."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from aliquot.wiring.workers import stopping, team

LONGEST = 60.0
SCRIPT = """
from aliquot.wiring.workers import spread

def doubled(number):
    return 2 * number

if __name__ == "__main__":
    print(list(spread(doubled, [1, 2, 3], processes=2)))
"""


def working() -> bool:
    """Work until told to stop; return whether somebody did."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        if stopping():
            return True
        time.sleep(0.01)
    return False


def give_up() -> bool:
    """Start some work, and stop as soon as it has begun."""
    with team(2) as pool:
        assert pool is not None
        begun = pool.submit(working)
        try:
            while not begun.running():
                time.sleep(0.01)
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            begun.add_done_callback(told.append)
            raise


told: list[object] = []


def test_processes_stop_in_the_middle_of_a_task_when_the_first_one_gives_up() -> None:
    with pytest.raises(KeyboardInterrupt):
        give_up()
    assert [future.result() for future in told] == [True]  # type: ignore[attr-defined]


def test_nobody_stops_otherwise() -> None:
    assert not stopping()


def test_a_script_may_share_its_own_functions_among_processes(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "[2, 4, 6]\n"), ran.stderr
