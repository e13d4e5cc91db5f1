"""A bot: `python -m game_starter.bot`. It holds at 20, or where that wins."""

from protocol.bot import run
from protocol.messages import Act, Start


def decide(act: Act, start: Start) -> list[str]:
    """From a question, and the start of its match, to actions."""
    state = act.state
    wins = state["scores"][act.seat] + state["gathered"] >= state["goal"]
    enough = wins or state["gathered"] >= 20
    return ["hold" if enough and "hold" in (act.legal or ()) else "roll"]


if __name__ == "__main__":
    run(decide, name="game-starter-bot", version="0.1", games=["game-starter"])
