"""Whole precision functions: query strategies, envelopes, and curves with a guarantee."""
