"""The store: match records and runs in one SQLite file."""
