"""One match: processes, seats, clocks, verdicts."""
