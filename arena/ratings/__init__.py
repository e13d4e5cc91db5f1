"""Ratings: pure functions on match results.

`leaderboard` makes the tables, `sequential` the history of a chart, `sprt` the verdict on a new
version; `results` is what they read. `luck` prices chance, and `control` frees results from it.
What is computed, and why, stands in docs/ratings.md.
"""


class RatingError(ValueError):
    """Ratings cannot be computed as asked; the message says what to change."""
