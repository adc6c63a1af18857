"""Whether the store takes, gives, lists and deletes: shown with a small object of our own."""

import contextlib
import secrets
from typing import Final

from workspace_manager.contract.errors import ConnectorError, NotFound, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.snapshots.store.failures import KIND
from workspace_manager.snapshots.store.manifest import make_place
from workspace_manager.snapshots.store.messages import message
from workspace_manager.snapshots.store.objects import SnapshotStore

BYTES: Final = 64


def try_store(store: SnapshotStore) -> None:
    """Write, list, read and delete an object below a name that nothing else has. Raises the five
    errors; nothing of it stays.
    """
    place, content = make_place(), secrets.token_bytes(BYTES)
    name = f"{place}/1"
    # First: where nothing may be deleted, nothing is written.
    store.delete(name)
    try:
        try:
            store.put(name, content)
        except NotFound:
            raise _unfit(message("writing"), message("bucket_missing")) from None
        if list(store.names(place)) != [name]:
            raise _unfit(message("listing"), message("not_listed"))
        if _content(store, name) != content:
            raise _unfit(message("reading"), message("not_given_back"))
        store.delete(name)
    except BaseException:
        with contextlib.suppress(ConnectorError):
            store.delete(name)
        raise
    if next(store.names(place), None) is not None:
        raise _unfit(message("deleting"), message("still_there"))


def _content(store: SnapshotStore, name: str) -> bytes:
    try:
        return store.get(name)
    except NotFound:
        return b""


def _unfit(doing: Message, why: Message) -> Unavailable:
    return Unavailable(why, kind=KIND, doing=doing, advice=message("unfit_advice"))
