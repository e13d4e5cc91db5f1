"""Ratings: pure functions on match results.

`leaderboard` makes the tables, `sequential` the history of a chart, `sprt` the verdict on a new
version; `results` is what they read. What is computed, and why, stands in docs/ratings.md.
"""

import os

# The matrices here are small, and OpenBLAS has its threads wait for each other in a spin: beside
# a running tournament a leaderboard would take a second instead of 50 ms. Numpy reads this when
# it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class RatingError(ValueError):
    """Ratings cannot be computed as asked; the message says what to change."""
