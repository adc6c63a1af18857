"""A probe of the store with a small object of our own: it takes, gives, lists and deletes."""

import contextlib
import hashlib
import hmac
from typing import Final

from django.conf import settings

from workspace_manager.contract import secret_keys
from workspace_manager.contract.errors import ConnectorError, NotFound, Unavailable
from workspace_manager.snapshots.store.failures import unfit
from workspace_manager.snapshots.store.messages import message
from workspace_manager.snapshots.store.objects import SnapshotStore

CONTENT: Final = b"\0" * 64
TRIES: Final = 3
"""Two at once take each other's object away; what the store itself does wrong lasts."""


def try_store(store: SnapshotStore) -> None:
    """Write, list, read and delete an object. Raises the five errors. What a killed try leaves is
    deleted by the next one.
    """
    names = _names()
    wrong: Unavailable | None = None
    for _ in range(TRIES):
        # First: where nothing may be deleted, nothing is written.
        for name in names:
            store.delete(name)
        try:
            wrong = _try(store, names[0])
        except ConnectorError:
            with contextlib.suppress(ConnectorError):
                store.delete(names[0])
            raise
        if wrong is None:
            return
    assert wrong
    raise wrong


def _try(store: SnapshotStore, name: str) -> Unavailable | None:
    """Return the fault of a store that answers; None where there is none."""
    store.put(name, CONTENT)
    place = name.partition("/")[0]
    if list(store.names(place)) != [name]:
        return unfit(message("listing"), message("not_listed"))
    if _content(store, name) != CONTENT:
        return unfit(message("reading"), message("not_given_back"))
    store.delete(name)
    if next(store.names(place), None) is not None:
        return unfit(message("deleting"), message("still_there"))
    return None


def probe_places() -> frozenset[str]:
    """The places of this object, which are no snapshots."""
    return frozenset(name.partition("/")[0] for name in _names())


def _names() -> list[str]:
    """Return the probe's name, and those by earlier keys: a name that tells nothing, and is the
    same each time.
    """
    keys = [secret_keys.sealing(key) for key in settings.SECRET_KEYS or [settings.SECRET_KEY]]
    places = [hmac.new(key, b"a try of the store", hashlib.sha256).hexdigest() for key in keys]
    return [f"{place[:32]}/1" for place in places]


def _content(store: SnapshotStore, name: str) -> bytes:
    try:
        return store.get(name)
    except NotFound:
        return b""
