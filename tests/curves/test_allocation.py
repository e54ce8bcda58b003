"""The smallest number of labels that keeps every bound."""

from __future__ import annotations

import numpy as np
import pytest

from aliquot.curves.allocation import least


def test_one_bound_gives_neymans_allocation() -> None:
    a, b = np.array([1.0, 9.0, 4.0]), np.array([np.inf, np.inf, 2.0])
    assert least(a, b).tolist() == pytest.approx([3.0, 9.0, 6.0])  # sqrt(a) * (1 + 3 + 2) / 2


def test_every_bound_is_kept_and_no_other_allocation_is_smaller() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        a, b = rng.random(12) + 0.01, np.cumsum(rng.random(12)) ** 2 + 0.01
        n = least(a, b)
        used = np.cumsum(a / n)
        assert np.all(used <= b * (1 + 1e-9))
        for _ in range(40):
            other = n * np.exp(0.3 * rng.standard_normal(12))
            other *= np.max(np.cumsum(a / other) / b)  # as small as its shape can be
            assert other.sum() >= n.sum() * (1 - 1e-12)


def test_constant_precision_asks_for_a_density_of_one_over_the_rank() -> None:
    r = 10.0 * np.arange(1, 200).astype(np.float64)
    n = least(np.full(199, 100.0 * 0.25), 0.001 * (0.5 * r) ** 2)
    density = n[50:] * r[50:]
    assert density.max() / density.min() < 1.02
