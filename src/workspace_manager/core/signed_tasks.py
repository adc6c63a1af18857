"""A task as the queue keeps it: JSON that is signed. Whoever can write a row of the queue, and has
no key of ours, makes no task of it (docs/decisions/0041-a-queue-of-signed-json.md).

What Huey brings for this unpickles what it finds: `Serializer` whatever is there,
`SignedSerializer` what somebody with a key of ours, or of earlier, has signed.
"""

import hashlib
import hmac
import json
from datetime import datetime
from typing import Any

from django.conf import settings
from huey.registry import Message

from workspace_manager.contract import secret_keys


class ForeignTask(ValueError):
    """No key of ours signed it: it is not read, and nothing of it is done."""


class SignedTasks:
    """A serializer for Huey. A task is an id, a name, arguments of JSON, and when."""

    def serialize(self, message: Any) -> bytes:
        if not isinstance(message, Message):
            raise TypeError(f"the queue keeps tasks, and no {type(message).__name__}")
        eta = message.eta and message.eta.isoformat()
        members = {"id": message.id, "name": message.name, "arguments": message.args, "eta": eta}
        told = json.dumps(members, separators=(",", ":")).encode()
        if _read(told) != message:
            raise TypeError(
                f"{message.name}: the queue keeps arguments by position that JSON gives back as "
                "they were, and an eta; no tries, priorities or what comes after"
            )
        return _signature(_keys()[0], told) + b":" + told

    def deserialize(self, data: Any) -> Any:
        """The task, of nothing but bytes that verify. Raises NotOurs."""
        # SQLite keeps a value of any type, whatever its column says.
        signature, _, told = data.partition(b":") if isinstance(data, bytes) else (b"", b"", b"")
        if not any(hmac.compare_digest(_signature(key, told), signature) for key in _keys()):
            raise ForeignTask
        return _read(told)


def _read(told: bytes) -> Any:
    found = json.loads(told)
    return Message(
        id=found["id"],
        name=found["name"],
        eta=found["eta"] and datetime.fromisoformat(found["eta"]),
        retries=0,
        retry_delay=0,
        retry_backoff=0,
        args=tuple(found["arguments"]),
        kwargs={},
    )


def _signature(key: bytes, told: bytes) -> bytes:
    return hmac.new(key, told, hashlib.sha256).hexdigest().encode()


def _keys() -> list[bytes]:
    return [secret_keys.queueing(key) for key in settings.SECRET_KEYS]
