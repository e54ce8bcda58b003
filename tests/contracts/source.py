"""The package's own source, as the contracts read it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "aliquot"


@dataclass(frozen=True)
class Module:
    """One file: its name in the package, its text and its syntax tree."""

    name: str  # such as "designs/uniform.py"
    text: str

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.name)

    @property
    def room(self) -> str:
        """The top-level name: "designs" for designs/uniform.py, "errors" for errors.py."""
        return self.name.split("/")[0].removesuffix(".py")


@cache
def modules() -> tuple[Module, ...]:
    """Every file of the package, in order."""
    return tuple(
        Module(path.relative_to(PACKAGE).as_posix(), path.read_text("utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    )


@cache
def documentation() -> str:
    """Every page that a user reads, one after the other."""
    pages = [*ROOT.glob("README.md"), *sorted((ROOT / "docs").rglob("*.md"))]
    return "\n".join(page.read_text("utf-8") for page in pages)
