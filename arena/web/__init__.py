"""The pages in the browser: leaderboards, matches, replays, and play against bots."""
