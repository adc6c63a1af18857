"""The score of a password costs so much and no more, whatever is typed; and it is scored in one
way, while it is typed and when it is sent.
"""

import random
import string
from typing import Any, Final

import pytest
from zxcvbn import matching

from workspace_manager.people import passwords

LONGEST: Final = 128
SIGNS: Final = "4@8({[<369!1|/7$5+0%2"
"""What is taken for letters."""
ALPHABETS: Final = [
    SIGNS,
    SIGNS + string.ascii_lowercase,
    string.digits,
    string.digits + "/-.",
    "01",
    "a",
    "1|!7",
    string.printable,
    "äßİ🐦 \0",
]
TIMES_LOOKED_UP: Final = 3
"""Forwards, backwards, and what repeats once more."""


def typed() -> list[str]:
    chance = random.Random(20261126)
    found = ["".join(chance.choice(one) for _ in range(LONGEST)) for one in ALPHABETS * 4]
    return [*found, SIGNS * 6, ("p4$$w0rd1!7({|+2" * 8)[:LONGEST], "correcthorse" * 10]


@pytest.mark.parametrize("password", typed())
def test_so_much_is_looked_up_and_no_more(password: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = 0
    look_up = matching.dictionary_match

    def counted(text: str, _ranked_dictionaries: Any) -> Any:
        nonlocal pieces
        pieces += len(text) * (len(text) + 1) // 2
        return look_up(text, _ranked_dictionaries)

    monkeypatch.setattr(matching, "dictionary_match", counted)
    passwords.score(password, about=[password[:100]])
    assert 0 < pieces <= TIMES_LOOKED_UP * passwords.MOST_WORK


@pytest.mark.parametrize(
    ("password", "is_taken"),
    [
        ("p4$$w0rd", False),
        ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", False),
        ("correct horse battery staple", True),
        ("@({[<1!|$+7", True),
        (SIGNS * 3, True),
        ("8-24-17-93-55-06-71", True),
    ],
)
def test_what_is_scored_decides_at_both_places(password: str, is_taken: bool) -> None:
    assert (passwords.complaint(password, about=["anna"]) is None) is is_taken
    assert (passwords.score(password, about=["anna"]) >= passwords.WEAKEST_SCORE) is is_taken
