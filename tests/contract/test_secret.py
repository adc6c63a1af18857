"""A secret cannot be shown, put into text, stored, copied or compared by accident; it is encrypted
where it is kept.
"""

import copy
import json
import pickle
from collections.abc import Callable

import pytest
from django.conf import LazySettings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from workspace_manager.access import tokens
from workspace_manager.contract.secret import Secret
from workspace_manager.records.fields import cipher
from workspace_manager.records.models import ApiToken, Person, ServiceKey

TEXT = "hunter2-and-more"


@pytest.mark.parametrize(
    "show",
    [
        str,
        "{}".format,
        lambda secret: f"{secret}",
        lambda secret: "%s" % secret,  # noqa: UP031
        json.dumps,
        pickle.dumps,
        copy.deepcopy,
        copy.copy,
        bytes,
    ],
)
def test_it_does_not_come_out(show: Callable[[Secret], object]) -> None:
    with pytest.raises(Exception) as refused:  # noqa: PT011  which one is the language's matter
        show(Secret(TEXT, name="password"))
    assert TEXT not in str(refused.value)


def test_its_picture_shows_its_name_alone() -> None:
    shown = repr([Secret(TEXT, name="password")])
    assert "password" in shown
    assert TEXT not in shown


def test_it_is_kept_encrypted_and_keys_rotate(settings: LazySettings, alice: Person) -> None:
    settings.SECRET_KEYS = ["an old key"]
    key = ServiceKey.objects.create(
        owner=alice, label="t", system="triplestore", account="alice", secret=Secret(TEXT)
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM records_servicekey")
        assert TEXT.encode() not in bytes(cursor.fetchone()[0])
    settings.SECRET_KEYS = ["a new key", "an old key"]
    assert ServiceKey.objects.get(id=key.id).secret.reveal() == TEXT
    settings.SECRET_KEYS = ["a new key"]
    with pytest.raises(ImproperlyConfigured, match="cannot be read with any key"):
        ServiceKey.objects.get(id=key.id)
    settings.SECRET_KEYS = []
    with pytest.raises(ImproperlyConfigured):
        cipher()


def test_two_encryptions_of_one_text_differ(settings: LazySettings) -> None:
    settings.SECRET_KEYS = ["a key"]
    assert cipher().encrypt(TEXT.encode()) != cipher().encrypt(TEXT.encode())


def test_a_token_is_random_and_kept_as_a_hash(alice: Person) -> None:
    clear = [tokens.create(alice, name="t", actor="alice")[1] for _ in range(20)]
    assert len(set(clear)) == 20
    assert all(len(text) >= 43 for text in clear)
    kept = [str(vars(row)) for row in ApiToken.objects.all()]
    assert not [text for text in clear for row in kept if text in row]
