"""The arena: referee, tournaments, ratings, store and command line."""
