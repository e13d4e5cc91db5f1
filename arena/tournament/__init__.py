"""Many matches: who plays whom on which deal, where they run, what becomes of them."""
