"""A message is stored by code and parameters, and comes back as it was."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection

from workspace_manager.contract.message import Message, quote_words
from workspace_manager.records.fields import MessageField, MessagesField

SAID = Message(
    code="tests.waits",
    params={
        "name": Message(code="tests.inner", english="the drive"),
        "n": 2,
        "text": "2",
        "until": datetime(2026, 3, 1, 9, 30, tzinfo=UTC),
    },
    english="Waits for 2.",
)


@pytest.fixture
def there_and_back(db: None) -> Callable[[Any, Any], Any]:
    """Send a value through a field as the database would: stored, and read again."""

    def through(field: Any, value: Any) -> Any:
        stored = field.get_db_prep_save(value, connection)
        if hasattr(stored, "dumps"):  # psycopg's wrapper
            stored = stored.dumps(stored.obj)
        return field.from_db_value(stored, None, connection)

    return through


@pytest.mark.parametrize("nothing", [None, ""])
def test_nothing_said_is_nothing(there_and_back: Any, nothing: str | None) -> None:
    assert there_and_back(MessageField(), nothing) is None


def test_a_message_comes_back_the_same(there_and_back: Any) -> None:
    back = there_and_back(MessageField(), SAID)
    assert back == SAID
    assert back.english == SAID.english
    assert type(back.params["text"]) is str


def test_somebody_elses_words_come_back_quoted(there_and_back: Any) -> None:
    assert there_and_back(MessageField(), "disk full") == quote_words("disk full")


def test_several_come_back_in_order(there_and_back: Any) -> None:
    assert there_and_back(MessagesField(), [SAID, "left by hand"]) == [
        SAID,
        quote_words("left by hand"),
    ]
    assert there_and_back(MessagesField(), []) == []
