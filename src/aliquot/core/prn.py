"""Permanent random numbers: one number in (0, 1) for each unit and seed, for ever.

All designs of a study share these numbers, so their samples overlap as much as they can, labels
are re-used, and the same sample comes out of every engine. The construction (a splitmix64
finaliser on id + word) is frozen: a test pins its known answers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

U64 = NDArray[np.uint64]
MASK = (1 << 64) - 1
FIRST = 0xBF58476D1CE4E5B9
SECOND = 0x94D049BB133111EB


def word(seed: int | str) -> int:
    """Return the 64-bit word that a seed stands for.

    >>> hex(word(0))
    '0xea53d58d3bfcb038'
    """
    digest = hashlib.sha256(f"aliquot:{seed}".encode()).digest()
    return int.from_bytes(digest[:8], "little")


def mix(keys: U64, seed: int | str) -> U64:
    """Return z, 64 well-mixed bits for each key.

    >>> [hex(z) for z in mix(np.array([0, 1], dtype=np.uint64), 0)]
    ['0xa9521b093993acc8', '0xcc3521564e1eb060']
    """
    z = np.asarray(keys, dtype=np.uint64) + np.uint64(word(seed))  # wraps mod 2^64 by definition
    z = (z ^ (z >> np.uint64(30))) * np.uint64(FIRST)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(SECOND)
    return z ^ (z >> np.uint64(31))


def uniform(keys: U64, seed: int | str) -> NDArray[np.float64]:
    """Return r = ((z >> 12) + 0.5) * 2^-52 for each key: never 0, never 1.

    >>> float(uniform(np.array([12345], dtype=np.uint64), 7)[0]).hex()
    '0x1.cbfd2f92f8431p-1'
    """
    return ((mix(keys, seed) >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52


def key(unit: str) -> int:
    """Return the stable 64-bit number of one unit id.

    A plain whole number below 2^64 is its own key, so an id column of integers and the same column
    read as text give the same draw. Anything else gets a keyed hash.

    >>> key("17"), key("017")
    (17, 5521993249375305352)
    """
    if unit.isdecimal() and unit.isascii() and (unit == "0" or unit[0] != "0") and len(unit) <= 20:
        number = int(unit)
        if number <= MASK:
            return number
    digest = hashlib.blake2b(unit.encode(), digest_size=8, key=b"aliquot").digest()
    return int.from_bytes(digest, "little")


def keys(units: Sequence[str]) -> U64:
    """Return the key of each unit id."""
    return np.fromiter((key(unit) for unit in units), dtype=np.uint64, count=len(units))


def clash(found: U64) -> tuple[int, int] | None:
    """Return the places of the first two equal keys, None where all differ.

    >>> clash(np.array([5, 7, 5], dtype=np.uint64))
    (0, 2)
    """
    order = np.argsort(found, kind="stable")
    same = np.flatnonzero(found[order][1:] == found[order][:-1])
    if not len(same):
        return None
    at = same[np.argmin(order[same + 1])]
    return int(order[at]), int(order[at + 1])
