"""Where a frame larger than memory lives, and the draw pushed down to it."""
