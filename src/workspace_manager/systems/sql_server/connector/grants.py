"""The connector of uses of a database. Members read its data, or read and write them, and never
change its tables; a program creates tables in its one database.

See docs/explanation/permissions.md#project-roles.
"""

from collections.abc import Sequence
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
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.systems.sql_server.client import (
    CALLS,
    DEFINE,
    READ,
    SYSTEM,
    WRITE,
    Client,
    Grant,
    Session,
)
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.names import (
    GRANT_KIND,
    MACHINE,
    is_database_name,
    is_technical,
    is_user_name,
    technical,
)

MAY = {READ: "may_read", WRITE: "may_read_and_write", DEFINE: "may_define"}
"""Message keys of each use."""


class GrantConnector:
    """The connector of one account's use of one database. Target: {"database", "user"}; state:
    {"use": "read"}, {"use": "write"} or None, and for a machine key's account also {"use":
    "define"}. Older plans have {"use": true}, which means "write".

    It makes neither the account nor the database: a grant on a deleted database would open the next
    one with its name.
    """

    kind: ClassVar[str] = GRANT_KIND
    calls: ClassVar[CallPolicy] = CALLS

    def __init__(self, client: Client) -> None:
        self._client = client

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the grants. `before`: {"use": "read", "write" or "define"}; {"use": false} if the
        account has other rights there.
        """
        doing = message("looking_at_grant")
        with self._client.session(doing=doing, kind=GRANT_KIND) as session:
            found = self._grants(session, target, doing)
        before: Facts | None = None
        if found:
            use = _use(found)
            # On PostgreSQL, the database's owner has the same use, which we must not change.
            others = use == DEFINE and not target["user"].startswith(MACHINE)
            before = {"use": False if others or not use else use}
        after = None if want is None else {"use": _wanted_use(want)}
        return Change(kind=GRANT_KIND, subject="", target=dict(target), before=before, after=after)

    def apply(self, change: Change) -> Outcome:
        """Let the account use the database. Raises NotFound if one of the two is missing, Conflict
        for the database's owner.

        A smaller use ends the account's sessions there, because an open session keeps its rights.
        That comes before the grant, so that an interrupted attempt is visibly unfinished.
        """
        doing = message("granting_use")
        target, wished = change.target, _wanted_use(change.after)
        program = target["user"].startswith(MACHINE)
        if wished == DEFINE and not program:
            raise Invalid(message("not_a_use"), kind=GRANT_KIND, doing=doing)
        with self._client.session(doing=doing, kind=GRANT_KIND) as session:
            found = self._grants(session, target, doing)
            if _use(found) == wished:
                return ALREADY
            if any(grant.everything for grant in found) and not program:
                raise Conflict(
                    message("has_every_right", user=target["user"], database=target["database"]),
                    kind=GRANT_KIND,
                    doing=doing,
                    advice=message("find_whose_database"),
                )
            if not session.database_exists(target["database"]):
                raise NotFound(
                    message("no_database_named", database=target["database"]),
                    kind=GRANT_KIND,
                    doing=doing,
                    advice=message("dropped_meanwhile"),
                )
            _revoke(session, found)
            if wished == READ or (wished == WRITE and program):
                session.end_sessions_in(target["database"], [target["user"]])
            session.grant_use(target["database"], target["user"], wished)
        return CHANGED

    def remove(self, change: Change) -> Outcome:
        """Revoke every right of the account on this database, and end its sessions there, which
        would continue.
        """
        doing = message("revoking_use")
        target = change.target
        with self._client.session(doing=doing, kind=GRANT_KIND) as session:
            found = self._grants(session, target, doing)
            _revoke(session, found)
            ended = session.end_sessions_in(target["database"], [target["user"]])
        return CHANGED if found or ended else ALREADY

    def verify(self, change: Change) -> Evidence | None:
        """Look again at every grant of the account on the database."""
        fresh = self.plan(change.target, change.after)
        database, user = change.target["database"], change.target["user"]
        asked = self._client.flavour.words.grants
        if fresh.after is None:
            if fresh.before is not None:
                return None
            return Evidence.now(SYSTEM, asked, message("no_grant", user=user, database=database))
        if fresh.before != fresh.after:
            return None
        may = MAY[_wanted_use(fresh.after)]
        return Evidence.now(SYSTEM, asked, message(may, user=user, database=database))

    def _grants(self, session: Session, target: Target, doing: Message) -> list[Grant]:
        """Return every grant of exactly this account on exactly this database, in any spelling and
        for any host.
        """
        database, user = target["database"], target["user"]
        flavour = self._client.settings.flavour
        if is_technical(user, flavour) or user == self._client.settings.admin_username:
            raise technical(user, doing=doing)
        if not is_database_name(database, flavour) or not is_user_name(user, flavour):
            raise Invalid(
                message("names_would_reach_another"),
                kind=GRANT_KIND,
                doing=doing,
                advice=message("correct_name"),
            )
        return [grant for grant in session.grants_on(database) if grant.user == user]


def _use(found: Sequence[Grant]) -> str:
    """Return the account's use of the database, if there is one grant and it is exactly one of
    ours; else "".
    """
    return found[0].use if len(found) == 1 else ""


def _wanted_use(want: Facts | None) -> str:
    """Return the wanted use. Raises Invalid."""
    use = (want or {}).get("use")
    if use is True:
        return WRITE
    if use not in (READ, WRITE, DEFINE):
        raise Invalid(message("not_a_use"), kind=GRANT_KIND, doing=message("granting_use"))
    return str(use)


def _revoke(session: Session, grants: list[Grant]) -> None:
    for grant in grants:
        try:
            session.revoke(grant)
        except NotFound:
            continue
