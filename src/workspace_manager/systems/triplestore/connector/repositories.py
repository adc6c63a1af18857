"""The connector of repositories: looked at in two lists, created once, removed with proof.

The user layer's list has what people can address; the store's own list has what data exist. They
differ if RDF4J was down during a deletion, or if an id was created twice
(docs/systems/triplestore.md#opengdb-repositories).
"""

import threading
from collections import defaultdict
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
from workspace_manager.contract.errors import Conflict, Invalid, NotFound, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.systems.triplestore import names
from workspace_manager.systems.triplestore.client.calls import CALLS, TriplestoreClient
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.refusals import GRAPHDB
from workspace_manager.systems.triplestore.shapes import Repository

_locks: defaultdict[tuple[str, str], threading.Lock] = defaultdict(threading.Lock)
"""One writer per repository: two simultaneous creations of one id leave an id that no call can
repair.

See docs/systems/triplestore.md#opengdb-repositories.
"""


class RepositoryConnector:
    """The connector of repositories. Target: {"repository"}; state: {"title": "..."} or None. Data
    of an existing one are never touched.
    """

    kind: ClassVar[str] = "triplestore.repository"
    calls: ClassVar[CallPolicy] = CALLS

    def __init__(self, client: TriplestoreClient) -> None:
        self._client = client

    def plan(self, target: Target, want: Facts | None) -> Change:
        repository_id = target["repository"]
        listed = self._find_listed(repository_id)
        before: Facts | None = None
        if listed is not None:
            # A half-made one shows no title, so that it equals no wanted state and is completed.
            half_made = want is not None and not self._is_stored(repository_id)
            before = {"half_made": True} if half_made else {"title": listed.title or ""}
        elif want is None and self._is_stored(repository_id):
            before = {"orphan": True}
        elif want is None and self._still_named(repository_id):
            before = {"rights left": True}
        after = None if want is None else {**want, "title": _title(want)}
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=after)

    def apply(self, change: Change) -> Outcome:
        """Create the repository, or change its title. It only creates an id that is neither listed
        nor stored.
        """
        repository_id, title = change.target["repository"], _title(change.after or {})
        with _locks[self._client.url, repository_id]:
            listed, stored = self._find_listed(repository_id), self._is_stored(repository_id)
            if listed is not None and not stored:
                # Only the user layer's half exists; deleting that is safe and makes room for a
                # complete one.
                self._client.delete_repository(repository_id)
                listed = None
            if listed is None and stored:
                raise self._conflict(
                    message("stored_but_not_listed"),
                    message("creating_repository"),
                    message("look_in_rdf4j"),
                )
            if listed is None:
                return self._create(repository_id, title)
            if (listed.title or "") == title:
                return ALREADY
            self._client.retitle_repository(repository_id, title)
            return CHANGED

    def remove(self, change: Change) -> Outcome:
        """Delete the repository and remains of a deletion. It waits while the store is down, which
        would keep the data.
        """
        repository_id = change.target["repository"]
        with _locks[self._client.url, repository_id]:
            listed, stored = self._find_listed(repository_id), self._is_stored(repository_id)
            result = ALREADY
            if listed is not None:
                result = self._delete(repository_id)
                self._require_unlisted(repository_id)
                stored = self._is_stored(repository_id)
            if stored:
                self._delete_orphan(repository_id)
                result = CHANGED
            return CHANGED if self._strip_rights(repository_id) else result

    def verify(self, change: Change) -> Evidence | None:
        repository_id = change.target["repository"]
        listed, stored = self._find_listed(repository_id), self._is_stored(repository_id)
        if change.after is None:
            if listed is not None or stored or self._still_named(repository_id):
                return None
            return _evidence(message("no_repository", repository_id=repository_id))
        if listed is None or not stored or (listed.title or "") != _title(change.after):
            return None
        return _evidence(
            message("repository_there", repository_id=repository_id, title=str(listed.title))
        )

    # --- parts ------------------------------------------------------------------------------------

    def _find_listed(self, repository_id: str) -> Repository | None:
        """Return the repository of the user layer's list; reading it by its id answers 404 or 500
        for an existing one (docs/systems/triplestore.md#opengdb-repositories).
        """
        found = [one for one in self._client.repositories() if one.id == repository_id]
        if len(found) > 1:
            raise self._conflict(
                message("listed_several_times", count=len(found)),
                message("looking_for_repository"),
                message("remove_additional_rows"),
            )
        return found[0] if found else None

    def _is_stored(self, repository_id: str) -> bool:
        return repository_id in self._client.stored_ids()

    def _create(self, repository_id: str, title: str) -> Outcome:
        try:
            self._client.create_repository(repository_id, title)
        except (Unavailable, Conflict):
            # "Not now" does not mean "not done". A row without data is removed before anything is
            # created again.
            if self._find_listed(repository_id) is None:
                raise
            if self._is_stored(repository_id):
                return CHANGED
            self._client.delete_repository(repository_id)
            raise
        return CHANGED

    def _delete(self, repository_id: str) -> Outcome:
        try:
            self._client.delete_repository(repository_id)
        except NotFound as gone:
            if self._find_listed(repository_id) is None:
                return ALREADY
            raise self._conflict(
                message("listed_but_not_there"),
                message("deleting_repository"),
                message("delete_repository_by_hand"),
            ) from gone
        return CHANGED

    def _require_unlisted(self, repository_id: str) -> None:
        """Raise Unavailable for a listed id: creating it again deletes an orphan's data, and breaks
        a listed one for good (docs/systems/triplestore.md#opengdb-repositories).
        """
        if self._find_listed(repository_id) is not None:
            raise Unavailable(
                message("still_listed"),
                kind=self.kind,
                doing=message("deleting_repository"),
                advice=message("tried_again"),
            )

    def _delete_orphan(self, repository_id: str) -> None:
        """Delete data that only the store has, with the only call that reaches them: OpenGDB
        answers 500 to creating the id (from our records) again, and deletes them. A created one
        is deleted (docs/systems/triplestore.md#opengdb-repositories).
        """
        try:
            self._client.create_repository(repository_id, "")
        except Unavailable:
            if self._is_stored(repository_id) and self._find_listed(repository_id) is None:
                raise
        if self._find_listed(repository_id) is not None:
            self._client.delete_repository(repository_id)

    def _strip_rights(self, repository_id: str) -> bool:
        """On GraphDB, take the right on a deleted id from every account, or they could read its
        next owner's data (docs/systems/triplestore.md#graphdb).
        """
        if self._client.flavour() != GRAPHDB:
            return False
        stripped = False
        for account in self._client.accounts():
            kept = [
                right
                for right in account.authorities
                if names.repository_of(right) != repository_id
            ]
            if len(kept) < len(account.authorities):
                self._client.replace_account(account.username, None, kept)
                stripped = True
        return stripped

    def _still_named(self, repository_id: str) -> bool:
        if self._client.flavour() != GRAPHDB:
            return False
        rights = {right for account in self._client.accounts() for right in account.authorities}
        return any(names.repository_of(right) == repository_id for right in rights)

    def _conflict(self, detail: Message, doing: Message, advice: Message) -> Conflict:
        return Conflict(detail, kind=self.kind, doing=doing, advice=advice)


def _title(want: Facts) -> str:
    title = want.get("title")
    if not isinstance(title, str):
        raise Invalid(
            message("needs_title"),
            kind=RepositoryConnector.kind,
            doing=message("reading_wish"),
        )
    return names.title(title)


def _evidence(text: Message) -> Evidence:
    return Evidence.now("triplestore", message("list_both_sides"), text)
