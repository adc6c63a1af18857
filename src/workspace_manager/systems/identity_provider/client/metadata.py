"""The realm's public documents, cached in this process.

Every sign-in needs them, and they change rarely. One thread at a time requests them; meanwhile, and
while there is no answer, the cached ones are used until they expire.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from workspace_manager.contract.bulkhead import Bulkhead
from workspace_manager.contract.deadline import moment
from workspace_manager.contract.errors import ConnectorError, Unavailable
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.messages import message

GOOD_S = 600.0
"""Seconds for which they are used without a new request."""
END_S = 3600.0
"""Seconds for which they are used while there is no answer."""
AGAIN_S = 10.0
"""Seconds between requests for unknown keys, which a client may make up."""
SILENT_S = 5.0
"""Seconds between requests to a provider that did not answer."""


@dataclass(frozen=True)
class ProviderMetadata:
    """The realm's public documents: issuer, keys by name, and endpoints."""

    issuer: str
    keys: Mapping[str, Mapping[str, Any]]
    endpoints: Mapping[str, str]


class MetadataCache:
    """The cached result of `read`."""

    def __init__(self, read: Callable[[], ProviderMetadata]) -> None:
        self._read = read
        self._kept: tuple[float, ProviderMetadata] | None = None
        self._silent: tuple[float, ConnectorError] | None = None
        self._asking = Bulkhead(1)

    def read_metadata(self, key: str = "") -> ProviderMetadata:
        """Return the cached documents; read again if they are old, or if `key` is unknown, since
        keys rotate. Raises the errors of reading.
        """
        good = self._fresh_metadata(key)
        if good:
            return good
        old = self._usable_metadata(key)
        with self._asking.slot(wait=old is None) as mine:
            if mine:
                return self._fresh_metadata(key) or self._read_metadata(key)
        if old:
            return old
        raise Unavailable(
            message("being_asked"), kind=SYSTEM, doing=message("reading_keys"), retry_after=1
        )

    def _fresh_metadata(self, key: str) -> ProviderMetadata | None:
        """Return cached documents that need no request: a key that was unknown moments ago still
        is.
        """
        at, kept = self._kept or (0.0, None)
        if kept is None:
            return None
        known = not key or key in kept.keys
        return kept if moment() - at <= (GOOD_S if known else AGAIN_S) else None

    def _usable_metadata(self, key: str) -> ProviderMetadata | None:
        at, kept = self._kept or (0.0, None)
        known = kept is not None and (not key or key in kept.keys)
        return kept if known and moment() - at <= END_S else None

    def _read_metadata(self, key: str) -> ProviderMetadata:
        """Read the documents. A provider that did not answer is not called again at once."""
        at, error = self._silent or (0.0, None)
        if error is None or moment() - at > SILENT_S:
            try:
                found = self._read()
            except ConnectorError as failed:
                self._silent, error = (moment(), failed), failed
            else:
                self._kept, self._silent = (moment(), found), None
                return found
        old = self._usable_metadata(key)
        if old is None:
            raise error
        return old
