"""From a sample to an estimate: one file, one formula; the only room that divides by pi."""
