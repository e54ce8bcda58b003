"""What a version of a frame is made of: files with their hashes, and the systems in them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import Literal, final

from aliquot.core.frame import Kind

Role = Literal["units", "more units", "outputs", "rankings"]


@final
@dataclass(frozen=True)
class Part:
    """One Parquet file of the frame."""

    role: Role
    file: str
    hash: str
    rows: int


@final
@dataclass(frozen=True)
class SystemRow:
    """One system, as the manifest lists it. A ranking is found in the `rankings` parts."""

    name: str
    kind: Kind
    column: str = ""
    threshold: float | None = None
    cut: int = 0  # the rank after which a ranking was cut; 0: it is whole


@final
@dataclass(frozen=True)
class Manifest:
    """The parts and the systems of a frame, in order."""

    parts: tuple[Part, ...] = ()
    systems: tuple[SystemRow, ...] = ()
    judges: tuple[tuple[str, str], ...] = ()
    topics: tuple[str, ...] = ()
    cost: str = ""
    cluster: str = ""
    stratum: str = ""
    payload: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the manifest as JSON, always the same for the same content."""
        found = asdict(self)
        for system in found["systems"]:
            if not system[
                "cut"
            ]:  # unsaid, so that what was written before cuts were keeps its hash
                del system["cut"]
        return json.dumps(found, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @property
    def hash(self) -> str:
        """Return the frame's hash: of the manifest, and so of every file's hash in it."""
        return hashlib.sha256(self.text().encode()).hexdigest()

    @property
    def units(self) -> int:
        """How many units the frame has."""
        return sum(part.rows for part in self.parts if part.role in ("units", "more units"))

    def grown(self, parts: tuple[Part, ...], systems: tuple[SystemRow, ...]) -> Manifest:
        """Return the manifest with more parts and systems."""
        return replace(self, parts=self.parts + parts, systems=self.systems + systems)


def read(text: str) -> Manifest:
    """Read a manifest that `text` wrote."""
    found = json.loads(text)
    return Manifest(
        tuple(Part(**part) for part in found["parts"]),
        tuple(SystemRow(**system) for system in found["systems"]),
        tuple((name, column) for name, column in found["judges"]),
        tuple(found["topics"]),
        found["cost"],
        found["cluster"],
        found["stratum"],
        tuple(found["payload"]),
    )
