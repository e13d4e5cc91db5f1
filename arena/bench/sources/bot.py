"""What bot.c is, for machines without a C compiler."""

import json
import sys
from typing import Any

CLOSED = {"A4", "B1", "C3", "D5", "E2"}
CELLS = [cell for a in "ABCDE" for b in "12345" if (cell := a + b) not in CLOSED]

by_state = sys.argv[1:] == ["state"]


def choose(question: dict[str, Any]) -> str:
    """The first legal action, or the first tile of the hand on the first free cell."""
    if not by_state:
        return str(question["legal"][0])
    state = question["state"]
    cell = next(cell for cell in CELLS if cell not in state["board"])
    return f"{state['hand'][0]}@{cell}"


for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello":
            ready = {"type": "ready", "protocol": 1, "name": "bench", "legal": not by_state}
            print(json.dumps(ready), flush=True)  # noqa: T201  # a bot speaks on stdout
        case "act":
            answer = {"type": "action", "id": message["id"], "actions": [choose(message)]}
            print(json.dumps(answer), flush=True)  # noqa: T201  # as above
        case "quit":
            break
