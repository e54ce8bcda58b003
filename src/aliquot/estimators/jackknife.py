"""The jackknife over groups that were drawn and judged whole."""

from __future__ import annotations

import numpy as np

from aliquot.core.frame import Floats


def stderr(left_out: Floats, share: float) -> Floats:
    """Return the standard error of a statistic from its values with each group left out once.

    `sqrt((1 - m/M) (m - 1)/m sum_g (theta_(g) - mean)^2)` (Tukey 1958), m of M groups drawn at
    random without replacement, `share` = m/M; `left_out` has shape (m, ...). For a mean over groups
    it is the usual standard error. **The groups drawn are a simple random sample.**

    The mean of 1, 2 and 6 without each in turn is 4, 3.5 and 1.5; of three groups in six:

    >>> round(float(stderr(np.array([4.0, 3.5, 1.5]), 0.5)), 4)
    1.0801
    """
    m = len(left_out)
    spread = ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)
    found: Floats = np.sqrt((1.0 - share) * (m - 1) / m * spread)
    return found
