"""A starter bot in one file of plain Python, for Savanna Ten and Herd at any number of seats.

It plays the legal action that is worth most to it. To make it yours, change `worth_of_placement`
and `worth_of_stone`.
"""

import json
import random
import sys
from typing import Any

Message = dict[str, Any]


def main() -> None:
    """Speak the protocol: one JSON object a line, an answer only to `hello` and `act`."""
    start: Message = {}
    for line in sys.stdin:
        message = json.loads(line)
        kind = message.get("type")
        if kind == "hello":
            say(type="ready", protocol=1, name="python-starter", games=["savanna-ten", "herd"])
        elif kind == "start":
            start = message
        elif kind == "act":
            say(type="action", id=message["id"], actions=[choose(message, start)])
        elif kind == "error":
            print(message["message"], file=sys.stderr)  # to be found in the bot's log
        elif kind == "quit":
            return


def say(**message: Any) -> None:
    """Write a message, at once: an answer in a buffer never arrives."""
    print(json.dumps(message), flush=True)


def choose(act: Message, start: Message) -> str:
    """The legal action that is worth most, any one among equals."""
    worth = {"savanna-ten": worth_of_placement, "herd": worth_of_stone}[start["game"]]
    dice = random.Random(f"{start['seed']}/{act['id']}")
    actions: list[str] = dice.sample(act["legal"], len(act["legal"]))
    return max(actions, key=lambda action: worth(action, act, start))


# Savanna Ten

CLOSED = ["B1", "E2", "C3", "A4", "D5"]
INFLUENCE = {"monkey": 1, "zebra": 2, "giraffe": 3, "elephant": 5, "mouse": 1, "lion": 4}


def find_lines() -> list[list[str]]:
    """The 20 straight lines: every row, column and diagonal of at least 3 cells."""
    lines: dict[tuple[str, int], list[str]] = {}
    for x, column in enumerate("ABCDE"):
        for y, row in enumerate("12345"):
            if column + row not in CLOSED:
                for line in [("row", y), ("column", x), ("falling", x - y), ("rising", x + y)]:
                    lines.setdefault(line, []).append(column + row)
    return [cells for cells in lines.values() if len(cells) >= 3]


LINES = find_lines()


def worth_of_placement(action: str, act: Message, start: Message) -> float:
    """The points it makes, less what it leaves: a line that lacks one tile suits the next seat."""
    tile, _, cell = action.partition("@")
    face = "lion" if tile.endswith("/lion") else tile  # "zebra/lion": a zebra, Lion side up
    teams = start["options"]["teams"]
    own = side_of(act["seat"], teams)
    board = {
        place: (side_of(placed["seat"], teams), placed["side"])
        for place, placed in act["state"]["board"].items()
    }
    board[cell] = (own, face)
    worth = 0.0
    for line in LINES:
        tiles = [board[place] for place in line if place in board]
        if cell in line and len(tiles) == len(line):
            points = judge(tiles, own)
            worth += points.pop(own, 0) - max(points.values(), default=0)
        elif cell in line and len(tiles) == len(line) - 1:
            worth -= 0.5
    return worth


def side_of(seat: int, teams: bool) -> int:
    """Who scores for a seat: itself, or its team (seats 0 and 2 against 1 and 3)."""
    return seat % 2 if teams else seat


def judge(tiles: list[tuple[int, str]], active: int) -> dict[int, int]:
    """The points that a complete line of (side, face) gives to each side that scores."""
    shares: dict[int, int] = {}
    for side, face in tiles:
        shares[side] = shares.get(side, 0) + INFLUENCE[face]
    total = sum(shares.values())
    if total == 10:
        points = {active: 3}
    elif total < 10:
        points = {side: 2 for side in shares if shares[side] == max(shares.values())}
    else:
        points = {side: 1 for side in shares if shares[side] == min(shares.values())}
    for side, face in tiles:
        if face == "mouse" and side in points:
            points[side] += 1
    return points


# Herd

STEPS = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)]


def worth_of_stone(action: str, act: Message, start: Message) -> float:
    """Capture; else stay together; but leave the holes that only we can fill for later."""
    verb, _, cell = action.partition("@")
    board, size, own = act["state"]["board"], start["options"]["size"], act["seat"]
    beside = neighbours(cell, size)
    friends = [other for other in beside if board.get(other) == own]
    if verb == "remove":
        return len(friends)  # an enemy stone that stands among ours
    enemies = [other for other in beside if other in board and other not in friends]
    captured = [
        enemy
        for enemy in enemies
        if all(board.get(other) == own for other in neighbours(enemy, size) if other != cell)
    ]
    is_hole = len(friends) == len(beside)
    return 3 * len(captured) + min(len(friends), 2) - 3 * is_hole


def neighbours(cell: str, size: int) -> list[str]:
    """The cells beside a cell: 6 inside the board, 3 or 4 on its edge."""
    row, number = ord(cell[0]) - ord("A"), int(cell[1:])
    around = [(row + down, number + right) for down, right in STEPS]
    return [chr(ord("A") + y) + str(x) for y, x in around if is_on_board(y, x, size)]


def is_on_board(row: int, number: int, size: int) -> bool:
    """Whether a hexagon with `size` cells on a side has this cell; rows count from 0."""
    r, q = row - (size - 1), number - size
    return max(abs(r), abs(q), abs(r + q)) < size


if __name__ == "__main__":
    main()
