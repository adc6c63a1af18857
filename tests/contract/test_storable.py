"""Every text that comes from elsewhere can be kept and shown; one odd one spoils nothing."""

import json
from typing import Any

import pytest

from tests.contract.test_http import answer
from workspace_manager.contract.inventory import BOUNDS, LONGEST_NAME, InventoryEntry
from workspace_manager.contract.message import Message, Person, in_words, quote_words
from workspace_manager.contract.storable import storable, storable_json, truncate_text

ODD = ("a\ud800", "a\udcff", "a\x00")


def make_entry(name: str = "anna", **more: Any) -> InventoryEntry:
    target = more.pop("target", {"name": name})
    return InventoryEntry("sql_server.user", target, name, quote_words("seen"), **more)


@pytest.mark.parametrize("odd", ODD)
def test_what_cannot_be_kept_is_the_sign_for_unknown_characters(odd: str) -> None:
    assert storable(odd) == "a�"
    assert storable_json({odd: [odd, 1, None, {"x": odd}]}) == {"a�": ["a�", 1, None, {"x": "a�"}]}


def test_everything_else_stays() -> None:
    assert storable("né 🎈\n\t") == "né 🎈\n\t"


def test_what_is_cut_says_so() -> None:
    assert truncate_text("abcd", 4) == "abcd"
    assert truncate_text("abcde", 4) == "abc…"


@pytest.mark.parametrize("odd", ODD)
def test_a_message_is_made_so_that_it_can_be_stored(odd: str) -> None:
    for made in (
        quote_words(odd),
        Message(code="gone.unknown", params={"who": Person(person=odd)}, english=odd),
        Message.model_validate({"code": "quoted", "params": {"text": odd}, "english": odd}),
    ):
        made.model_dump_json()
        json.dumps(made.model_dump(mode="json"), ensure_ascii=False).encode()
        assert in_words(made) == "a�"


@pytest.mark.parametrize(
    "wire",
    [
        rb'[{"name": "a\ud800", "more": ["b"]}]',
        rb'[{"name": "a\uDCFF", "more": ["b"]}]',
        rb'[{"name": "a\u0000", "more": ["b"]}]',
        b'[{"name": "a\xed\xa0\x80", "more": ["b"]}]',
        '[{"name": "a\ud800", "more": ["b"]}]'.encode("utf-16-le", "surrogatepass"),
    ],
)
def test_what_a_system_says_can_be_kept(wire: bytes) -> None:
    one = answer(content=wire, kind=b"application/json")
    assert one.json() == one.json_or_none() == [{"name": "a�", "more": ["b"]}]


def test_whole_characters_stay_as_they_are() -> None:
    wire = rb'["\ud83c\udf88", "n\u00e9", "\ufffd"]'
    assert answer(content=wire, kind=b"application/json").json() == ["🎈", "né", "�"]


@pytest.mark.parametrize("field", [name for name in BOUNDS if name != "name"])
def test_what_is_listed_fits_a_record(field: str) -> None:
    for odd in (*ODD, "x" * 5000):
        one = make_entry(**{field: odd})
        assert len(getattr(one, field)) <= BOUNDS[field]
        assert storable(getattr(one, field)) == getattr(one, field)
        assert one.kept is None
    assert make_entry(holders=("a\ud800", "b" * 300)).holders == ("a�", "b" * 254 + "…")


def test_what_cannot_be_named_is_kept() -> None:
    for name in (*ODD, "x" * (LONGEST_NAME + 1)):
        one = make_entry(name)
        assert one.kept is not None
        assert one.kept.code == "contract.kept_unnameable"
    assert make_entry(target={"user": "a\x00"}).kept is not None
    assert make_entry("a\x00", kept=quote_words("shared")).kept == quote_words("shared")
    assert make_entry("x" * LONGEST_NAME).kept is None
