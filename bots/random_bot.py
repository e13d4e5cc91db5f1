"""A bot that plays any legal action, each as likely: `python -m bots.random_bot`."""

from random import Random

from protocol.bot import Answer, run
from protocol.messages import Act, Start


def decide(act: Act, start: Start) -> Answer:
    """One legal action. The same question with the same seed gets the same answer."""
    legal = act.legal or ()
    action = Random(f"{start.seed}/{act.id}").choice(legal)
    return Answer([action], note=f"one of {len(legal)}")


if __name__ == "__main__":
    run(decide, name="random", version="1.0")
