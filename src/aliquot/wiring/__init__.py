"""Picks the adapters: the only room that makes a Generator, reads the clock or the environment."""
