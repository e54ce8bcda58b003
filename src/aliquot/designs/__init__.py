"""How units are chosen: one file a design, and the only room that flips coins."""
