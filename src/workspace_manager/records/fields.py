"""Columns for secrets, encrypted at rest, and for messages, stored as code and parameters.

A secret is a `Secret` in memory, and never text in between. MultiFernet over
`WORKSPACE_SECRET_KEYS`: the first key encrypts and the others still decrypt, so that keys rotate
without downtime.
"""

from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import models

from workspace_manager.contract import secret_keys
from workspace_manager.contract.message import Message, Words, quote_words
from workspace_manager.contract.secret import Secret

UNREADABLE = (
    "A stored secret cannot be read with any key of WORKSPACE_SECRET_KEYS. Put the key "
    "that was in use when the database was written "
    "there too, after the others, and start again."
)


@lru_cache(maxsize=8)
def _cipher(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(secret_keys.encrypting(key)) for key in keys])


def cipher() -> MultiFernet:
    """Return the cipher of the configured keys. Raises ImproperlyConfigured without a key."""
    keys = tuple(settings.SECRET_KEYS)
    if not keys:
        raise ImproperlyConfigured("WORKSPACE_SECRET_KEYS is not set: secrets cannot be stored")
    return _cipher(keys)


class SecretField(models.BinaryField):  # type: ignore[type-arg]
    """Stores a `Secret` encrypted; None stays NULL."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("null", True)
        kwargs.setdefault("editable", False)
        super().__init__(*args, **kwargs)

    def get_prep_value(self, value: Any) -> Any:
        if value is None:
            return None
        if not isinstance(value, Secret):
            raise TypeError(f"{self.name} takes a Secret, not {type(value).__name__}")
        return cipher().encrypt(value.reveal().encode())

    def from_db_value(self, value: Any, _expression: Any, _connection: Any) -> Secret | None:
        if value is None:
            return None
        try:
            clear = cipher().decrypt(bytes(value)).decode()
        except InvalidToken as unreadable:
            raise ImproperlyConfigured(UNREADABLE) from unreadable
        return Secret(clear, name=self.name)


class MessageField(models.JSONField):
    """Stores one `Message` as JSON; None and "" are NULL. Plain text is a foreign text and is read
    as a quotation.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("null", True)
        kwargs.setdefault("blank", True)
        super().__init__(*args, **kwargs)

    def get_prep_value(self, value: Any) -> Any:
        if isinstance(value, Message | str):
            return _json_of_words(value) if value else None
        return super().get_prep_value(value)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        return super().get_db_prep_save(None if value == "" else value, connection)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Message | None:
        kept = super().from_db_value(value, expression, connection)
        return None if kept is None else Message.model_validate(kept)


class MessagesField(models.JSONField):
    """Stores a list of messages as JSON; empty by default."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("default", list)
        super().__init__(*args, **kwargs)

    def get_prep_value(self, value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [_json_of_words(each) for each in value]
        return super().get_prep_value(value)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> list[Message]:
        kept = super().from_db_value(value, expression, connection)
        return [Message.model_validate(each) for each in kept or ()]


def _json_of_words(words: Words) -> dict[str, Any]:
    return quote_words(words).model_dump(mode="json")
