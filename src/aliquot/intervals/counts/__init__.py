"""Intervals from counts: N units, n sampled, r positive, in one or many strata."""
