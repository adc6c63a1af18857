"""A cache in the database whose values are JSON and signed: whoever can write a row of it, and has
no key of ours, makes no value of it (docs/decisions/0040-a-cache-of-signed-json.md).

Django's own unpickles what it finds there, and whoever wrote it runs code as the manager. What does
not verify is a miss: changed, under another key, after its end, or from an earlier version.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

from django.conf import settings
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import BaseDatabaseCache
from django.db import DatabaseError, transaction
from django.utils import timezone

from workspace_manager.contract import secret_keys
from workspace_manager.records.cache import CachedValue

NEVER: Final = datetime(9999, 12, 31, tzinfo=UTC)
_MISSING: Final = object()


class SignedCache(BaseDatabaseCache):
    """Values that JSON knows, each signed with its key and its end. Without a key of ours nothing
    is kept.
    """

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return self.get_many([key], version).get(key, default)

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        names = {self.make_and_validate_key(key, version=version): key for key in keys}
        found = {}
        for row in CachedValue.objects.filter(pk__in=names):
            value = _opened(row)
            if value is not _MISSING:
                found[names[row.pk]] = value
        return found

    def has_key(self, key: str, version: int | None = None) -> bool:
        return self.get(key, _MISSING, version) is not _MISSING

    def set(
        self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        row = self._row(key, value, timeout, version)
        if row is None:
            return
        try:
            with transaction.atomic():
                self._make_room()
                CachedValue.objects.bulk_create(
                    [row],
                    update_conflicts=True,
                    unique_fields=["key"],
                    update_fields=["value", "expires"],
                )
        except DatabaseError:
            return  # as Django's own: what is not kept is a miss

    def add(
        self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        row = self._row(key, value, timeout, version)
        if row is None:
            return False
        try:
            with transaction.atomic():
                self._make_room()
                found = CachedValue.objects.filter(pk=row.pk).first()
                if found is None:
                    row.save(force_insert=True)
                    return True
                if _opened(found) is not _MISSING:
                    return False
                same = CachedValue.objects.filter(pk=row.pk, value=found.value)
                return bool(same.update(value=row.value, expires=row.expires))
        except DatabaseError:
            return False  # somebody else added it

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        value = self.get(key, _MISSING, version)
        if value is _MISSING:
            return False
        self.set(key, value, timeout, version)
        return True

    def delete(self, key: str, version: int | None = None) -> bool:
        name = self.make_and_validate_key(key, version=version)
        return bool(CachedValue.objects.filter(pk=name).delete()[0])

    def clear(self) -> None:
        CachedValue.objects.all().delete()

    def forget_unsigned(self) -> None:
        """Delete what is no value of ours, whoever wrote it: an earlier version, too. Without a key
        nobody knows which that is.
        """
        if not settings.SECRET_KEYS:
            return
        for row in CachedValue.objects.iterator():
            if _opened(row) is _MISSING:
                CachedValue.objects.filter(pk=row.pk, value=row.value).delete()

    def _row(self, key: str, value: Any, timeout: Any, version: int | None) -> CachedValue | None:
        name = self.make_and_validate_key(key, version=version)
        seconds = self.get_backend_timeout(timeout)
        expires = NEVER if seconds is None else datetime.fromtimestamp(seconds, tz=UTC)
        told = json.dumps([expires.isoformat(), value], separators=(",", ":"))
        keys = _keys()
        if not keys:
            return None
        signed = f"{_signature(keys[0], name, told)}:{told}"
        return CachedValue(key=name, value=signed, expires=expires)

    def _make_room(self) -> None:
        """Delete entries that have ended, then those that end next."""
        if CachedValue.objects.count() < self._max_entries:
            return
        CachedValue.objects.filter(expires__lte=timezone.now()).delete()
        more = CachedValue.objects.count() - self._max_entries + 1
        if more > 0:
            first = CachedValue.objects.order_by("expires", "pk").values_list("pk", flat=True)
            CachedValue.objects.filter(pk__in=list(first[:more])).delete()


def _opened(row: CachedValue) -> Any:
    """The value of a row; `_MISSING` where it is none of ours or has ended."""
    signature, _, told = row.value.partition(":")
    if not any(hmac.compare_digest(_signature(key, row.pk, told), signature) for key in _keys()):
        return _MISSING
    expires, value = json.loads(told)
    return value if datetime.fromisoformat(expires) > timezone.now() else _MISSING


def _signature(key: bytes, name: str, told: str) -> str:
    text = f"{len(name)}:{name}:{told}"
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def _keys() -> list[bytes]:
    return [secret_keys.caching(key) for key in settings.SECRET_KEYS]
