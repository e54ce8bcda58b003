"""The use cases, in the order they happen, and the ports they need."""
