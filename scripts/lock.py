"""Write constraints.txt: one exact version of everything that the project and its tools bring.

The oldest supported Python is resolved first, and its versions are offered to the next ones. A
version that a newer Python can't use is replaced there, and both lines get a marker. Only names
and versions are written: where they come from is the installer's own setting.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
HEADER = """\
# Written by `make lock`. What CI and `make` install; not what users are held to (pyproject.toml).
"""

Versions = dict[str, str]


def main() -> None:
    """Resolve every Python and write the file."""
    wanted = requirements(ROOT / "pyproject.toml")
    solved = {PYTHONS[0]: solve(PYTHONS[0], wanted, {})}
    for python in PYTHONS[1:]:
        known = solved[PYTHONS[0]]
        try:
            solved[python] = solve(python, wanted, known)
        except subprocess.CalledProcessError:
            solved[python] = solve(python, wanted, {})
    (ROOT / "constraints.txt").write_text(HEADER + "\n".join(lines(solved)) + "\n", "utf-8")


def requirements(pyproject: Path) -> list[str]:
    """Collect the dependencies of the project and of every extra, leaving out itself."""
    project = tomllib.loads(pyproject.read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    every = [*project["dependencies"], *(item for extra in extras for item in extra)]
    return [item for item in every if not item.startswith(project["name"] + "[")]


def solve(python: str, wanted: list[str], known: Versions) -> Versions:
    """Ask pip what it would install for one Python, holding it to the versions known already."""
    with tempfile.TemporaryDirectory() as folder:
        held = Path(folder) / "held.txt"
        held.write_text("".join(f"{name}=={known[name]}\n" for name in known), "utf-8")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run"]
        command += ["--ignore-installed", "--only-binary", ":all:", "--python-version", python]
        command += ["--target", folder, "--constraint", str(held), "--report", "-", *wanted]
        answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found = (item["metadata"] for item in json.loads(answer.stdout)["install"])
    return {item["name"].lower().replace("_", "-"): item["version"] for item in found}


def lines(solved: dict[str, Versions]) -> list[str]:
    """One line a package where all Pythons agree, otherwise one line a package and Python."""
    out = []
    for name in sorted({name for versions in solved.values() for name in versions}):
        found = {python: versions.get(name) for python, versions in solved.items()}
        distinct = {version for version in found.values() if version}
        if len(distinct) == 1:
            out.append(f"{name}=={distinct.pop()}")
            continue
        out += [f'{name}=={v} ; python_version == "{p}"' for p, v in found.items() if v]
    return out


if __name__ == "__main__":
    main()
