"""What messages quote is one line of printable ASCII, and short."""

import pytest

from engine.words import LONGEST_QUOTE, listed, quoted


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("D2", "'D2'"),
        ("", "''"),
        ("é\n\x1b[31m", r"'\xe9\n\x1b[31m'"),
        (5.5, "5.5"),
        ([True, None], "[True, None]"),
        ("x" * 58, f"'{'x' * 58}'"),
        ("x" * 59, f"'{'x' * 55}...'"),
        ("\U0001f981" * 10_000, f"'{chr(92)}U0001f981" + f"{chr(92)}U0001f981" * 4 + r"\U000...'"),
    ],
)
def test_quoted(value: object, shown: str) -> None:
    assert quoted(value) == shown
    assert len(shown) <= LONGEST_QUOTE
    assert shown.isascii()
    assert shown.isprintable()


@pytest.mark.parametrize(
    ("words", "written"),
    [([], "none"), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_listed(words: list[str], written: str) -> None:
    assert listed(words) == written


def test_listed_takes_another_last_word() -> None:
    assert listed([1, 2, 3], "or") == "1, 2 or 3"
