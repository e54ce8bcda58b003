"""Frozen values, the array gate, permanent random numbers and spellings; numpy only."""
