"""The one door for randomness that is not a permanent random number."""

from __future__ import annotations

import numpy as np


def generator(seed: int, *path: int) -> np.random.Generator:
    """Return the Generator of a seed; `path` numbers its independent children.

    A repetition with its own path draws the same whatever the number of processes.

    >>> generator(7).random() == generator(7).random() != generator(7, 1).random()
    True
    """
    return np.random.default_rng([seed, *path])
