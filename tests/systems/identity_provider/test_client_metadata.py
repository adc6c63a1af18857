"""The realm's metadata: asked for rarely, by one at a time, used meanwhile."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.systems.identity_provider.client import metadata
from workspace_manager.systems.identity_provider.client.metadata import (
    MetadataCache,
    ProviderMetadata,
)
from workspace_sandbox.patience import PATIENCE_S, eventually


class Realm:
    """One that is asked; `keys` and `silent` may change, and so may the time."""

    def __init__(self) -> None:
        self.asked, self.now = 0, 1000.0
        self.keys, self.silent = ["a"], False
        self.hold: Callable[[], Any] = lambda: None

    def read(self) -> ProviderMetadata:
        self.asked += 1
        self.hold()
        if self.silent:
            raise Unavailable(quote_words("nothing came"), kind="x", doing=quote_words("asking"))
        return ProviderMetadata("issuer", {key: {} for key in self.keys}, {})


@pytest.fixture
def realm(monkeypatch: pytest.MonkeyPatch) -> Realm:
    realm = Realm()
    monkeypatch.setattr(metadata, "moment", lambda: realm.now)
    return realm


def test_it_is_asked_for_once_in_ten_minutes(realm: Realm) -> None:
    kept = MetadataCache(realm.read)
    for _ in range(40):
        assert kept.read_metadata("a").issuer == "issuer"
        assert kept.read_metadata().issuer == "issuer"
    assert realm.asked == 1
    realm.now += metadata.GOOD_S + 1
    kept.read_metadata()
    assert realm.asked == 2


def test_an_unknown_key_has_it_read_again_and_made_up_ones_do_not(realm: Realm) -> None:
    kept = MetadataCache(realm.read)
    kept.read_metadata("a")
    realm.keys, realm.now = ["b"], realm.now + metadata.AGAIN_S + 1
    assert "b" in kept.read_metadata("b").keys
    for n in range(40):
        assert "b" in kept.read_metadata(f"made up {n}").keys
    assert realm.asked == 2


def test_a_silent_one_is_not_asked_by_everybody_and_what_is_kept_is_used(realm: Realm) -> None:
    kept = MetadataCache(realm.read)
    kept.read_metadata("a")
    realm.silent, realm.now = True, realm.now + metadata.GOOD_S + 1
    for _ in range(40):
        assert kept.read_metadata("a").issuer == "issuer"
    assert realm.asked == 2
    with pytest.raises(Unavailable):
        kept.read_metadata("b")
    realm.now += metadata.END_S
    for _ in range(40):
        with pytest.raises(Unavailable):
            kept.read_metadata("a")
    assert realm.asked == 3
    realm.silent, realm.now = False, realm.now + metadata.SILENT_S + 1
    assert kept.read_metadata("a").issuer == "issuer"


def test_forty_who_come_to_a_slow_one_hold_up_one(realm: Realm) -> None:
    """Nothing is kept yet: one asks; the others are told to come again, and do not wait for it."""
    kept, go = MetadataCache(realm.read), threading.Event()
    realm.hold = lambda: go.wait(PATIENCE_S)
    said: list[str] = []

    def come() -> None:
        try:
            said.append(kept.read_metadata().issuer)
        except Unavailable as busy:
            said.append(str(busy))

    threads = [threading.Thread(target=come) for _ in range(40)]
    for one in threads:
        one.start()
    eventually("all but one are told", lambda: len(said) == 39)
    assert all("already running" in one for one in said)
    go.set()
    for one in threads:
        one.join(PATIENCE_S)
    assert said[-1] == "issuer"
    assert realm.asked == 1


def test_who_comes_while_an_old_one_is_read_again_takes_the_old_one(realm: Realm) -> None:
    kept, go, begun = MetadataCache(realm.read), threading.Event(), threading.Event()
    kept.read_metadata()
    realm.now += metadata.GOOD_S + 1

    def hold() -> None:
        begun.set()
        go.wait(PATIENCE_S)

    realm.hold = hold
    asker = threading.Thread(target=kept.read_metadata)
    asker.start()
    assert begun.wait(PATIENCE_S)
    assert kept.read_metadata("a").issuer == "issuer"
    go.set()
    asker.join(PATIENCE_S)
    assert realm.asked == 2
