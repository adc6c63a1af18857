"""The identity provider's wire: what the realm says of itself to everybody, kept in this process.

Whoever signs in needs it, and it changes once in months. One asks at a time; meanwhile, and while
no answer comes, what is kept is used up to its end.
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
"""How long it is used without asking again."""
END_S = 3600.0
"""How long it is used while no answer comes."""
AGAIN_S = 10.0
"""Somebody who makes up names of keys makes us ask no oftener than this."""
SILENT_S = 5.0
"""How long one that gave no answer is not asked again."""


@dataclass(frozen=True)
class ProviderMetadata:
    """What the realm says of itself to everybody: its name as issuer, its keys by name, and where
    what is done.
    """

    issuer: str
    keys: Mapping[str, Mapping[str, Any]]
    endpoints: Mapping[str, str]


class MetadataCache:
    """What `read` gave, kept for as long as it is good."""

    def __init__(self, read: Callable[[], ProviderMetadata]) -> None:
        self._read = read
        self._kept: tuple[float, ProviderMetadata] | None = None
        self._silent: tuple[float, ConnectorError] | None = None
        self._asking = Bulkhead(1)

    def read_metadata(self, key: str = "") -> ProviderMetadata:
        """As it is kept; read again where it is old, or where `key` names one that is not among its
        keys, since keys are exchanged. Raises what the reading raises.
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
        """What needs no asking: a key that was not there moments ago is not there."""
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
        """Ask. One that did not answer is not asked again at once, whoever wants it."""
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
