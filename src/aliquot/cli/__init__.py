"""The command line: one file a command, and each command calls one use case."""
