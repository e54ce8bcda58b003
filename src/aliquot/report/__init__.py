"""Numbers to words and pictures: the only room that rounds."""
