"""A task in the queue is JSON that a key of ours signed; of anything else nothing is made."""

import json
import pickle
import secrets
from datetime import datetime
from typing import Any

import pytest
from django.conf import LazySettings
from huey.registry import Message
from huey.serializer import Serializer, SignedSerializer

from tests.pickles import RAN, Attack
from workspace_manager.contract import secret_keys
from workspace_manager.core.signed_tasks import ForeignTask, SignedTasks

PLAN = "7f9c4a9e-0000-4000-8000-000000000001"


def message(*arguments: Any, **more: Any) -> Any:
    members = {"id": "1", "name": "a.task", "retries": 0, "retry_delay": 0, "retry_backoff": 0}
    return Message(**{**members, "args": arguments, "kwargs": {}, **more})


def test_a_task_comes_back_as_it_was() -> None:
    when = datetime(2026, 3, 2, 8, 15, 0, 12)  # noqa: DTZ001  as Huey has it
    for task in (message(), message(PLAN), message("drive", "call"), message(PLAN, eta=when)):
        assert SignedTasks().deserialize(SignedTasks().serialize(task)) == task


def test_it_is_a_signature_and_json() -> None:
    signature, _, told = SignedTasks().serialize(message(PLAN)).partition(b":")
    assert len(bytes.fromhex(signature.decode())) == 32
    assert json.loads(told) == {"id": "1", "name": "a.task", "arguments": [PLAN], "eta": None}


def test_what_no_key_of_ours_signed_is_not_read(settings: LazySettings) -> None:
    [key] = settings.SECRET_KEYS
    ours = SignedTasks().serialize(message(PLAN))
    signature, _, told = ours.partition(b":")
    foreign = [
        pickle.dumps(Attack()),
        signature + b":" + pickle.dumps(Attack()),
        Serializer().serialize(message(Attack())),
        SignedSerializer(secret=key).serialize(message(Attack())),
        SignedSerializer(secret=secret_keys.queueing(key)).serialize(message(Attack())),
        signature + b":" + told.replace(b"a.task", b"b.task"),
        b"0" * 64 + b":" + told,
        b":" + told,
        told,
        signature,
        b":",
        b"",
    ]
    # What SQLite may hold in a column for bytes.
    of_sqlite = [ours.decode(), "", 7, 7.5, None]
    for data in (*foreign, *of_sqlite):
        with pytest.raises(ForeignTask):
            SignedTasks().deserialize(data)
    assert RAN == []


def test_keys_are_exchanged_without_a_loss(settings: LazySettings) -> None:
    old = settings.SECRET_KEYS
    data = SignedTasks().serialize(message(PLAN))
    settings.SECRET_KEYS = [secrets.token_urlsafe(48), *old]
    assert SignedTasks().deserialize(data) == message(PLAN)
    new = SignedTasks().serialize(message(PLAN))
    settings.SECRET_KEYS = settings.SECRET_KEYS[:1]
    assert SignedTasks().deserialize(new) == message(PLAN)
    with pytest.raises(ForeignTask):
        SignedTasks().deserialize(data)


def test_a_key_signs_nothing_else() -> None:
    key = "a key of somebody for this test alone"
    made = {
        made_of(key) for made_of in (secret_keys.queueing, secret_keys.caching, secret_keys.sealing)
    }
    assert len(made) == 3


KEPT_BY_NOBODY = {
    "an object": message(object()),
    "a set": message({1, 2}),
    "keys that are numbers": message({1: "a"}),
    "a tuple": message(("a", "b")),
    "bytes": message(b"a"),
    "no number": message(float("nan")),
    "an argument by name": message(kwargs={"why": "call"}),
    "tries": message(retries=1),
    "a priority": message(priority=1),
    "another one after it": message(on_complete=message()),
    "an end": message(expires=60),
    "a result": {"a": "result"},
    "nothing": None,
}


@pytest.mark.parametrize("task", KEPT_BY_NOBODY.values(), ids=KEPT_BY_NOBODY)
def test_what_would_not_come_back_as_it_was_is_refused(task: Any) -> None:
    with pytest.raises(TypeError):
        SignedTasks().serialize(task)
