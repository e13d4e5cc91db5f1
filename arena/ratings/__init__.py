"""Ratings: pure functions on match results."""
