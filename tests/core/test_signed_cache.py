"""A row that somebody writes into the cache runs no code, and becomes no value."""

import base64
import pickle
import secrets
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.core.cache import caches
from django.utils import timezone

from tests.pickles import RAN, Attack
from workspace_manager.core.signed_cache import NEVER, SignedCache
from workspace_manager.records.cache import CachedValue

pytestmark = pytest.mark.django_db


@pytest.fixture
def cache() -> SignedCache:
    found = caches["default"]
    assert isinstance(found, SignedCache)
    found.clear()
    return found


def row(cache: SignedCache, key: str) -> CachedValue:
    return CachedValue.objects.get(pk=cache.make_key(key))


def test_what_is_pickled_in_a_row_is_not_unpickled(cache: SignedCache) -> None:
    cache.set("a", "mine")
    attack = base64.b64encode(pickle.dumps(Attack())).decode()
    mark, _, told = row(cache, "a").value.partition(":")
    for value in (attack, f"{mark}:{attack}", f":{attack}", "", ":", mark, f"{'0' * 64}:{told}"):
        CachedValue.objects.update(value=value)
        assert cache.get("a") is None
        assert not cache.has_key("a")
        assert cache.get_many(["a"]) == {}
    assert RAN == []
    assert cache.add("a", "anew"), "it was never there"
    assert cache.get("a") == "anew"


def test_a_value_is_good_under_its_key_and_until_its_end(cache: SignedCache) -> None:
    cache.set("a", [True, "1"], timeout=60)
    cache.set("b", {"b": None})
    CachedValue.objects.filter(pk=cache.make_key("b")).update(value=row(cache, "a").value)
    assert cache.get("b") is None, "the value of another key"
    assert cache.get("a") == [True, "1"]
    CachedValue.objects.filter(pk=cache.make_key("a")).update(expires=NEVER)
    cache.set("c", 1, timeout=-1)
    CachedValue.objects.filter(pk=cache.make_key("c")).update(expires=NEVER)
    assert cache.get("c") is None, "it has ended, whatever the column says"
    assert cache.add("c", 2)
    assert not cache.add("c", 3)
    assert cache.get("c") == 2
    assert cache.touch("c", 60)
    assert not cache.touch("d")
    assert row(cache, "c").expires < timezone.now() + timedelta(minutes=2)
    assert cache.delete("c")
    assert not cache.delete("c")


def test_keys_are_exchanged_without_a_miss(cache: SignedCache, settings: LazySettings) -> None:
    cache.set("a", "kept", timeout=None)
    old = settings.SECRET_KEYS
    settings.SECRET_KEYS = [secrets.token_urlsafe(48), *old]
    assert cache.get("a") == "kept"
    settings.SECRET_KEYS = settings.SECRET_KEYS[:1]
    assert cache.get("a") is None
    settings.SECRET_KEYS = []
    cache.set("a", "x")
    assert cache.get("a") is None
    assert not cache.add("b", "x")


def test_what_json_does_not_know_is_refused(cache: SignedCache) -> None:
    for value in (Attack(), object(), {1, 2}, timezone.now()):
        with pytest.raises(TypeError):
            cache.set("a", value)
        with pytest.raises(TypeError):
            cache.add("a", value)


def test_when_it_is_full_what_never_ends_goes_last(
    cache: SignedCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_max_entries", 3)
    cache.set("refused", True, timeout=None)
    for n in range(5):
        cache.set(f"n{n}", n, timeout=100 + n)
    assert CachedValue.objects.count() == 3
    assert cache.get_many(["refused", "n3", "n4"]) == {"refused": True, "n3": 3, "n4": 4}


def test_what_an_earlier_version_left_goes(cache: SignedCache, settings: LazySettings) -> None:
    cache.set("a", "kept")
    old = base64.b64encode(pickle.dumps("old")).decode()
    CachedValue.objects.create(key=":1:old", value=old, expires=NEVER)
    keys, settings.SECRET_KEYS = settings.SECRET_KEYS, []
    cache.forget_unsigned()
    assert CachedValue.objects.count() == 2
    settings.SECRET_KEYS = keys
    cache.forget_unsigned()
    assert [one.pk for one in CachedValue.objects.all()] == [cache.make_key("a")]
