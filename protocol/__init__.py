"""The line protocol: messages, codec, record, and the loop of a Python bot. Pure."""
