"""Messages: a code with parameters, put into words when it is shown."""

import json
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from workspace_manager.contract.message import (
    Catalogue,
    Message,
    Person,
    catalogues,
    in_words,
    quote_words,
)

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def message(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Catalogue:
    monkeypatch.setattr("workspace_manager.contract.message._catalogues", dict(catalogues()))
    monkeypatch.setattr("workspace_manager.contract.message._moved", {})
    return Catalogue(
        "test",
        str(tmp_path / "messages.py"),
        {
            "late": "no answer within {seconds} seconds",
            "found": ("one thing of {whose}", "{n} things of {whose}"),
            "until": "open until {end}",
            "of": "The look failed: {why}",
        },
    )


def test_a_message_is_its_code_and_its_parameters(message: Catalogue) -> None:
    made = message("late", seconds=30)
    assert (made.code, made.params, str(made)) == (
        "test.late",
        {"seconds": 30},
        "no answer within 30 seconds",
    )
    assert made == Message(code="test.late", params={"seconds": 30}, english="said otherwise")
    assert made != message("late", seconds=31)


def test_a_sentence_that_moved_keeps_its_code(message: Catalogue, tmp_path: Path) -> None:
    late = "no answer in {seconds} s"
    moved = Catalogue("new", str(tmp_path / "new.py"), {"late": late}, codes={"late": "test.late"})
    del message.english["late"]
    made = moved("late", seconds=30)
    assert (made.code, str(made)) == ("test.late", "no answer in 30 s")
    stored = Message(code="test.late", params={"seconds": 5}, english="said otherwise")
    assert in_words(stored) == "no answer in 5 s"


def test_it_survives_json_with_every_kind_of_parameter(message: Catalogue) -> None:
    end = datetime(2026, 11, 22, 23, 30, tzinfo=UTC)
    for made in (
        message("found", n=2, whose=Person(person="alice")),
        message("until", end=end),
        message("of", why=message("late", seconds=1)),
    ):
        again = Message.model_validate(json.loads(made.model_dump_json()))
        assert again == made
        assert in_words(again) == str(made)


def test_numbers_choose_the_form_and_times_the_readers_zone(message: Catalogue) -> None:
    assert in_words(message("found", n=1, whose="alice")) == "one thing of alice"
    assert in_words(message("found", n=3, whose="alice")) == "3 things of alice"
    end = message("until", end=datetime(2026, 11, 22, 23, 30, tzinfo=UTC))
    assert in_words(end) == "open until 22 Nov 2026, 23:30"
    assert in_words(end, "de", BERLIN) == "open until 23. Nov. 2026, 00:30"


def test_a_code_nobody_knows_any_more_is_said_as_it_was(message: Catalogue) -> None:
    gone = Message(code="printer.jammed", params={"tray": 2}, english="tray 2 is jammed")
    assert in_words(gone, "de") == "tray 2 is jammed"
    older = Message(code="test.late", params={"hours": 2}, english="no answer within 2 hours")
    assert in_words(older) == "no answer within 2 hours"


def test_other_peoples_words_are_quoted_as_they_are() -> None:
    assert in_words(quote_words("Zugriff {verweigert}"), "en") == "Zugriff {verweigert}"


def test_a_wrong_parameter_is_named_where_the_message_is_made(message: Catalogue) -> None:
    with pytest.raises(ValueError, match=r"test\.late takes \['seconds'\], not \[\]"):
        message("late")
    with pytest.raises(KeyError):
        message("never")
