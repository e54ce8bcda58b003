"""The append-only ledger of a study, kept in SQLite."""
