"""`python -m aliquot`."""

from __future__ import annotations

from aliquot.cli.main import entry

if __name__ == "__main__":
    entry()
