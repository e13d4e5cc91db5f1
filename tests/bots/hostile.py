#!/usr/bin/env python3
"""Broken and hostile bots: `hostile.py MODE [WORDS…]` plays well until it does what MODE says.

A mode is a function below; its name or docstring says what it does.
"""

import contextlib
import json
import os
import signal
import sys
import time

from speaking import (  # type: ignore[import-not-found]  # run as a program: its folder is on the path
    STDERR,
    STDIN,
    STDOUT,
    asked,
    children,
    fall_silent,
    good,
    hang,
    hear,
    left_s,
    line,
    play_on,
    say,
    say_once,
    shake_hands,
    spin,
)

WORDS = sys.argv[2:]
PROGRAM = os.path.abspath(__file__)


# Starting


def play_well() -> None:
    shake_hands()
    play_on()


def exit_at_once() -> None:
    sys.exit(3)


def banner() -> None:
    say(b"Welcome to SuperBot 3000!\n")
    play_well()


def slow_start() -> None:
    time.sleep(float(WORDS[0]))
    play_well()


def never_ready() -> None:
    fall_silent()


def other_protocol() -> None:
    shake_hands(protocol=2)
    play_on()


def other_game() -> None:
    shake_hands(games=["chess"])
    play_on()


# Time


def never_answer() -> None:
    asked()
    fall_silent()


def answer_before() -> None:
    """Answers WORDS[0] seconds before the limit; after it if that is negative."""
    shake_hands()
    while True:
        act = hear("act")
        time.sleep(left_s(act) - float(WORDS[0]))
        say(good(act))


def compute_before() -> None:
    """The same, after that much computing, however long it takes."""
    shake_hands()
    while True:
        act = hear("act")
        end = time.process_time() + left_s(act) - float(WORDS[0])
        while time.process_time() < end:
            pass
        say(good(act))


def dribble() -> None:
    asked()
    while True:
        say(b"x")
        time.sleep(0.005)


def stop_itself() -> None:
    asked()
    os.kill(os.getpid(), signal.SIGSTOP)


def ponder() -> None:
    """Answers at once, and computes while others are to move."""
    shake_hands()
    children(1, spin)
    play_on()


def starve() -> None:
    """Has busy children make itself and the referee wait, and answers late."""
    shake_hands()
    children(8, spin)
    while True:
        act = hear("act")
        time.sleep(left_s(act) + float(WORDS[0]))
        say(good(act))


def read_slowly() -> None:
    """Takes its time to read each byte of the question."""
    shake_hands()
    while True:
        os.read(STDIN, 1)
        time.sleep(0.005)


def slow_on_move_40() -> None:
    shake_hands()
    for _ in range(39):
        say(good(hear("act")))
    act = hear("act")
    time.sleep(act["time"]["bank_ms"] / 1000 + float(WORDS[0]))
    say(good(act))
    play_on()


# Framing


def partial_then_hang() -> None:
    say_once(b'{"type":"action","id":1')


def partial_then_exit() -> None:
    asked()
    say(b'{"type":"action","id":1')


def answer_then_exit() -> None:
    """The whole answer, its end only if WORDS say so, and gone."""
    act = asked()
    say(json.dumps(good(act)).encode() + b"\n" * len(WORDS))


def crlf() -> None:
    hear("hello")
    say(b'{"type":"ready","protocol":1}\r\n')
    while True:
        say(json.dumps(good(hear("act"))).encode() + b"\r\n")


def say_bytes() -> None:
    """Says WORDS[0], an escaped text of bytes, in place of an answer."""
    say_once(WORDS[0].encode().decode("unicode_escape").encode("latin-1"))


def endless_line() -> None:
    asked()
    while True:
        say(b"x" * 65536)


def long_line() -> None:
    """A line of 100 MB, proper JSON."""
    act = asked()
    say(json.dumps(good(act) | {"note": ""}).encode()[:-2])
    for _ in range(1600):
        say(b"x" * 65536)
    say(b'"}\n')
    fall_silent()


def flood() -> None:
    """Answer after answer, whoever is asked."""
    act = asked()
    lines = json.dumps(good(act)).encode() + b"\n"
    while True:
        say(lines * 1000)


def stderr_flood() -> None:
    act = asked()
    for _ in range(1600):
        os.write(STDERR, b"x" * 65535 + b"\n")
    say(good(act))
    play_on()


def stderr_bytes() -> None:
    act = asked()
    os.write(STDERR, b"\xff\xfe caf\xe9 \x1b[2J\n")
    say(good(act))
    play_on()


def never_read() -> None:
    hear("hello")
    say({"type": "ready", "protocol": 1})
    hang()


def close_stdin() -> None:
    act = asked()
    os.close(STDIN)
    say(good(act))
    hang()


def close_stdout() -> None:
    asked()
    os.close(STDOUT)
    hang()


def child_holds_stdout() -> None:
    asked()
    children(1, hang)
    sys.exit(0)


# Content


def answer_twice() -> None:
    shake_hands()
    while True:
        answer = json.dumps(good(hear("act"))).encode() + b"\n"
        say(answer + answer)  # at once: both are there before the next question


def answer_early() -> None:
    """Says `ready` and its first answer at once."""
    hear("hello")
    say(b'{"type":"ready","protocol":1}\n{"type":"action","id":1,"actions":["one"]}\n')
    fall_silent()


def wrong_id() -> None:
    """An id that is WORDS[0] off."""
    act = asked()
    say(good(act) | {"id": act["id"] + int(WORDS[0])})
    fall_silent()


def unknown_fields() -> None:
    shake_hands(elo=3000, engine={"deep": [1, None]})
    while True:
        say(good(hear("act")) | {"pv": ["a", 1], "nodes": 2**70, "nan": 1})


def deep() -> None:
    """Nested WORDS[0] deep in a field that nobody asked for."""
    depth = int(WORDS[0])
    say_once(b'{"type":"action","id":1,"x":' + b"[" * depth + b"]" * depth + b"}\n")


def act_as() -> None:
    """Plays WORDS as its actions."""
    act = asked()
    say(good(act) | {"actions": WORDS})
    fall_silent()


def claim_a_name() -> None:
    shake_hands(name=WORDS[0])
    play_on()


# Resources


def memory() -> None:
    """Takes memory until there is none."""
    asked()
    held = []
    while True:
        held.append(bytearray(os.urandom(4096)) * 1024)


def memory_of_children() -> None:
    """Takes memory in 6 processes, each less than the limit."""
    asked()
    children(6, lambda: (bytearray(b"x") * (int(WORDS[0]) << 20), hang()))
    hang()


def shared_memory() -> None:
    """Has much memory, and children who share it."""
    held = os.urandom(1024) * (int(WORDS[0]) << 10)
    act = asked()
    children(4, hang)
    time.sleep(0.2)
    say(good(act) | {"note": str(len(held))})
    play_on()


def eat_when_idle() -> None:
    """Takes memory after the handshake, out of turn."""
    shake_hands()
    held = os.urandom(1024) * (int(WORDS[0]) << 10)
    play_on(str(len(held)))


def burn() -> None:
    asked()
    spin()


def forks() -> None:
    """As many processes as it can get, but 2,000 at most: where nothing holds it, it ends."""
    asked()
    end = time.monotonic() + 10
    for _ in range(2000):
        with contextlib.suppress(OSError):
            if os.fork() == 0:
                time.sleep(max(0.0, end - time.monotonic()))
                os._exit(0)
    hang()


def fill_the_disk() -> None:
    """Writes 8 files of 16 MiB or less, where it may not; the note tells how much it wrote."""
    act = asked()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    written = 0
    with contextlib.suppress(OSError):
        for number in range(8):
            with open(f"file{number}", "wb") as file:
                for _ in range(16):
                    written += file.write(b"x" * (1 << 20))
                    file.flush()
    say(good(act) | {"note": str(written >> 20)})
    play_on()


def long_file() -> None:
    asked()
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    with open("file", "wb") as file:
        while True:
            file.write(b"x" * (1 << 20))
            file.flush()


def daemon() -> None:
    """Leaves two daemons that start each other anew; WORDS[0] marks them."""
    shake_hands()
    detach()
    play_on()


def bare_daemon() -> None:
    """The same, without the environment that it was given."""
    shake_hands()
    detach(env={"ARENA_BOT": "somebody else"})
    play_on()


def detach(env: dict[str, str] | None = None) -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            arguments = [sys.executable, "-S", "-E", PROGRAM, "respawn", *WORDS]
            os.execve(sys.executable, arguments, os.environ if env is None else env)
        os._exit(0)
    os.wait()


def respawn() -> None:
    """Two processes that start each other anew."""
    for number in range(3):
        os.close(number)
    while True:
        other = os.fork()
        if other:
            os.waitpid(other, 0)
        else:
            time.sleep(0.05)
            if os.fork():
                os._exit(0)
            os.setsid()


def ignore_sigterm() -> None:
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    shake_hands()
    while True:
        say(good(hear("act", leave=False)))


def note() -> None:
    """Plays well, with WORDS[0] (escaped) as its note and its name, and on stderr."""
    text = WORDS[0].encode().decode("unicode_escape")
    shake_hands(name=text, version=text)
    os.write(STDERR, text.encode() + b"\n")
    play_on(text)


def tell_what_comes() -> None:
    """Faults once asked, repeats on stderr the two lines that it is told afterwards, and leaves."""
    asked()
    say(b"nonsense\n")
    for _ in range(2):
        os.write(STDERR, line() + b"\n")


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        globals()[sys.argv[1] if sys.argv[1:] else "play_well"]()
