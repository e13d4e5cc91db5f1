"""A bot's log: bounded, and fit to be shown."""

from arena.referee.log import KEPT, BotLog


def test_what_was_written_is_shown() -> None:
    log = BotLog()
    log.write(b"one\n")
    log.note("two")
    assert log.text() == "one\n[referee] two\n"


def test_only_the_first_and_the_last_64_kib_are_kept() -> None:
    log = BotLog()
    for number in range(20_000):
        log.write(b"%09d\n" % number)
    text = log.text()
    left_out = 200_000 - 2 * KEPT
    assert text.startswith("000000000\n000000001\n")
    assert text.endswith("000019998\n000019999\n")
    assert f"\n[{left_out} bytes left out]\n" in text
    assert len(text) == 2 * KEPT + len(f"\n[{left_out} bytes left out]\n")


def test_a_flood_in_one_piece_is_bounded_too() -> None:
    log = BotLog()
    log.write(b"x" * 10_000_000)
    assert log.text().count("x") == 2 * KEPT
    assert f"[{10_000_000 - 2 * KEPT} bytes left out]" in log.text()


def test_bytes_that_are_no_text_and_control_characters_are_escaped() -> None:
    log = BotLog()
    log.write(b"\xff\x1b[31mred\x1b[0m\ttab\x00\r\n\xe2\x80\xae")
    assert log.text() == "\\xff\\x1b[31mred\\x1b[0m\ttab\\x00\\r\n\\u202e"


def test_the_last_words_are_the_last_line_with_something_on_it() -> None:
    log = BotLog()
    assert log.last_line() == ""
    log.write(b"first\nValueError: no\n\n  \n")
    assert log.last_line() == "ValueError: no"


def test_a_cleared_log_is_empty() -> None:
    log = BotLog()
    log.write(b"x" * 1_000_000)
    log.clear()
    assert log.text() == ""
