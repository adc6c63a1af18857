"""The connector of databases and their users: creating them, granting to exactly these people, and
dropping them.

See docs/explanation/components.md#databases and docs/systems/sql-server.md#grants-name-a-pattern.
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
from workspace_manager.systems.sql_server.client import CALLS, SYSTEM, Client, Grant, Session
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.names import (
    DATABASE_KIND,
    PREFIX,
    is_database_name,
    is_technical,
    is_user_name,
    technical,
)


class DatabaseConnector:
    """The connector of one database with its grants: grants outlive a database and would open the
    next one with its name.
    """

    kind: ClassVar[str] = DATABASE_KIND
    calls: ClassVar[CallPolicy] = CALLS

    def __init__(self, client: Client) -> None:
        self._client = client

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the database. `before`: {"grantees": […]}; a grant that is not ours (other
        spelling, host or extent) is shown with its differences.

        A deleted database with remaining grants is {"exists": false, "grants left": […]}, because
        there is still something to do.
        """
        name = self._database(target, message("looking_at_database"))
        with self._client.session(
            doing=message("looking_at_database"), kind=DATABASE_KIND
        ) as session:
            exists = session.database_exists(name)
            shown = sorted(grant.shown for grant in session.grants_on(name))
        before: Facts | None = None
        if exists:
            before = {"grantees": [*shown]}
        elif shown:
            before = {"exists": False, "grants left": [*shown]}
        return Change(
            kind=DATABASE_KIND,
            subject="",
            target=dict(target),
            before=before,
            after=_sort_grantees(want),
        )

    def apply(self, change: Change) -> Outcome:
        """Revoke surplus grants, create the database, and add missing grants. Raises NotFound if a
        grantee has no account.

        Revoking comes first, so that no former grantee finds the new database open.
        """
        doing = message("setting_up_database")
        name = self._database(change.target, doing)
        wanted = self._grantees(change, doing)
        with self._client.session(doing=doing, kind=DATABASE_KIND) as session:
            grants = session.grants_on(name)
            excess = [g for g in grants if not (g.right and g.user in wanted)]
            _revoke(session, excess)
            # A revocation may remove others' grants, too, like that of the remaining roles of a
            # deleted database.
            kept = session.grants_on(name) if excess else grants
            right = {grant.user for grant in kept if grant.right} & set(wanted)
            losing = sorted({grant.user for grant in excess} - set(wanted))
            if losing:
                session.end_sessions_in(name, losing)
            created = not session.database_exists(name)
            if created:
                session.create_database(name)
            missing = [user for user in wanted if user not in right]
            for user in missing:
                _grant(session, name, user, doing)
        return CHANGED if created or missing or excess else ALREADY

    def remove(self, change: Change) -> Outcome:
        """Revoke every grant on the database, end its sessions, and drop it, in this order, so that
        no step leaves a way in.
        """
        doing = message("dropping_database")
        name = self._database(change.target, doing)
        with self._client.session(doing=doing, kind=DATABASE_KIND) as session:
            grants = session.grants_on(name)
            _revoke(session, grants)
            if not session.database_exists(name):
                return CHANGED if grants else ALREADY
            # A session keeps its rights in the database, and a transaction would delay dropping it.
            session.end_sessions_in(name)
            try:
                session.drop_database(name)
            except NotFound:
                return CHANGED if grants else ALREADY
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        """Look again at the database and every grant on it."""
        fresh = self.plan(change.target, change.after)
        name = change.target["database"]
        asked = self._client.flavour.words.databases
        if fresh.after is None and fresh.before is None:
            return Evidence.now(SYSTEM, asked, message("no_database", name=name))
        if fresh.after is None or not isinstance(fresh.before, dict):
            return None
        if fresh.before.get("grantees") != fresh.after.get("grantees"):
            return None
        users = ", ".join(self._grantees(fresh, message("looking_at_database"))) or "nobody"
        return Evidence.now(SYSTEM, asked, message("database_granted_to", name=name, users=users))

    def _database(self, target: Target, doing: Message) -> str:
        """Return the exact name. Raises Conflict for a database whose name is not one of ours."""
        name = target["database"]
        if not is_database_name(name, self._client.settings.flavour):
            raise Conflict(
                message("not_our_database", name=name, prefix=PREFIX),
                kind=DATABASE_KIND,
                doing=doing,
                advice=message("not_made_by_manager"),
            )
        return name

    def _grantees(self, change: Change, doing: Message) -> list[str]:
        wish = (change.after or {}).get("grantees")
        names = (
            sorted({name for name in wish if isinstance(name, str)})
            if isinstance(wish, list)
            else []
        )
        flavour = self._client.settings.flavour
        for name in names:
            if is_technical(name, flavour) or name == self._client.settings.admin_username:
                raise technical(name, doing=doing)
            if not is_user_name(name, flavour):
                raise Invalid(
                    message("grantee_would_reach_another"),
                    kind=DATABASE_KIND,
                    doing=doing,
                    advice=message("correct_account_name"),
                )
        return names


def _sort_grantees(want: Facts | None) -> Facts | None:
    """Return the wanted state with its grantees in the order of a look, so that both can be
    compared.
    """
    grantees = (want or {}).get("grantees")
    if want is None or not isinstance(grantees, list):
        return want
    return {**want, "grantees": [*sorted({str(name) for name in grantees})]}


def _revoke(session: Session, grants: Sequence[Grant]) -> None:
    for grant in grants:
        try:
            session.revoke(grant)
        except NotFound:
            continue


def _grant(session: Session, name: str, user: str, doing: Message) -> None:
    try:
        session.grant(name, user)
    except NotFound as missing:
        raise NotFound(
            message("no_account_to_grant", user=user, name=name),
            kind=DATABASE_KIND,
            doing=doing,
            advice=message("account_comes_first"),
        ) from missing
