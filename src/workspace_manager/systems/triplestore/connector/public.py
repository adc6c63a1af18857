"""The connector of public read access to a repository: one switch, checked from outside.

OpenGDB has it for each repository. GraphDB has free access for all of them together, which is
refused here with an explanation (docs/systems/triplestore.md#opengdb-what-everybody-may-read).
"""

from dataclasses import dataclass
from typing import ClassVar

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Target,
)
from workspace_manager.contract.errors import ConnectorError, Invalid, NotFound
from workspace_manager.systems.triplestore.client.calls import CALLS, TriplestoreClient
from workspace_manager.systems.triplestore.client.public import PUBLIC, PublicClient
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.refusals import GRAPHDB


@dataclass(frozen=True)
class Extent:
    """The amount of public data; None if it could not be counted."""

    statements: int | None
    graphs: int | None


class PublicConnector:
    """The connector of reading a repository without a sign-in. Target: {"repository"}; state:
    {"read": true} or {"read": false}. Public writing is never enabled.
    """

    kind: ClassVar[str] = PUBLIC
    calls: ClassVar[CallPolicy] = CALLS

    def __init__(self, client: TriplestoreClient) -> None:
        self._client = client
        self._public = PublicClient(client)

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the switch. `before`: {"read": …}; None without the repository, unless it must
        not be public, which is then fulfilled.
        """
        self._refuse_where_all_or_none(want)
        read = self._read_switch(target["repository"])
        if read is None and not _wants(want):
            read = False
        before: Facts | None = None if read is None else {"read": read}
        return Change(kind=PUBLIC, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Switch it. Raises NotFound for a missing repository that has to become public, Invalid if
        the store opens all or none.
        """
        repository_id, wanted = change.target["repository"], _wants(change.after)
        self._refuse_where_all_or_none(change.after)
        read = self._read_switch(repository_id)
        if read is None and wanted:
            raise NotFound(
                message("no_such_repository"),
                kind=PUBLIC,
                doing=message("opening_to_everybody"),
                advice=message("deleted_meanwhile"),
            )
        if read is None or read is wanted:
            return ALREADY
        self._public.let_everybody_read(repository_id, on=wanted)
        return CHANGED

    def remove(self, change: Change) -> Outcome:
        """End public read access."""
        return self.apply(change.model_copy(update={"after": {"read": False}}))

    def verify(self, change: Change) -> Evidence | None:
        """Look like anybody, without signing in."""
        repository_id, wanted = change.target["repository"], _wants(change.after)
        self._refuse_where_all_or_none(change.after)
        switched = self._read_switch(repository_id)
        if bool(switched) is not wanted or self._public.anybody_reads(repository_id) is not wanted:
            return None
        code = "anybody_reads" if wanted else "nobody_reads"
        found = message(code, repository_id=repository_id)
        return Evidence.now("triplestore", message("read_as_anybody"), found)

    def extent(self, repository_id: str) -> Extent:
        """Return how much everybody would read. Raises Invalid if the store opens all or none."""
        self._refuse_where_all_or_none({"read": True})
        try:
            statements = self._public.statements(repository_id)
            return Extent(statements, self._public.graphs(repository_id))
        except ConnectorError:
            return Extent(None, None)

    def _read_switch(self, repository_id: str) -> bool | None:
        """Return the listed switch; None for a repository that is not listed."""
        if self._client.flavour() == GRAPHDB:
            return False
        found = [one for one in self._client.repositories() if one.id == repository_id]
        return any(one.public_read for one in found) if found else None

    def _refuse_where_all_or_none(self, want: Facts | None) -> None:
        if _wants(want) and self._client.flavour() == GRAPHDB:
            raise Invalid(
                message("all_or_none"),
                kind=PUBLIC,
                doing=message("opening_to_everybody"),
                advice=message("all_or_none_advice"),
            )


def _wants(want: Facts | None) -> bool:
    return (want or {}).get("read") is True
