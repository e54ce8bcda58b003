"""Before the money is spent: the width to expect, and the labels that a width needs."""
