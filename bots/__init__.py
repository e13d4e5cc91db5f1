"""The bots that come with the arena, each a program: python -m bots.greedy."""
