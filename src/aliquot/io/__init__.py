"""Files in, files out, no arithmetic."""
