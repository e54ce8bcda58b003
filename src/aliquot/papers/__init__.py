"""The published experiments, run again: one module a paper's table or figure."""
