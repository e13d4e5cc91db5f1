"""Whether a bot speaks the protocol: scripted conversations, and what to mend."""
