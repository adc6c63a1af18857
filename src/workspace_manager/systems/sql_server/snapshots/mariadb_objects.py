"""Making objects that run with a definer's rights, and setting their definer: the loading account
is dropped, and its objects would then have none.

The administrator makes each object again from the server's own statement, changing only the
definer: only the loading account ever runs anything of a dump.
"""

from collections.abc import Sequence

from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    Unavailable,
)
from workspace_manager.contract.message import Message
from workspace_manager.systems.sql_server.client import Grant, Session
from workspace_manager.systems.sql_server.client.login import Login
from workspace_manager.systems.sql_server.client.mariadb import content
from workspace_manager.systems.sql_server.client.mariadb.connection import Connection
from workspace_manager.systems.sql_server.client.mariadb.content import DefinedObject, plain
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.names import DATABASE_KIND
from workspace_manager.systems.sql_server.snapshots.definers import Recorded
from workspace_manager.systems.sql_server.snapshots.mariadb_notes import put_in_order


def make_objects(loading: Connection, recorded: Sequence[Recorded]) -> None:
    """Make the objects as the loading account. One that refers to a missing object is made after
    it.
    """
    waiting = list(recorded)
    while waiting:
        refused: list[tuple[Recorded, ConnectorError]] = []
        for one in waiting:
            try:
                for statement in (*one.settings, one.statement):
                    loading.do(plain(statement))
            except Unavailable:
                raise
            except ConnectorError as error:
                refused.append((one, error))
        if len(refused) == len(waiting):
            raise _object_refused(*refused[0], loading.doing)
        waiting = [one for one, _ in refused]


def _object_refused(one: Recorded, why: ConnectorError, doing: Message) -> Invalid:
    code = str(why.message.params.get("code", ""))
    return Invalid(
        message("object_refused", kind=one.kind or "DATABASE", name=one.name, code=code),
        kind=DATABASE_KIND,
        doing=doing,
        advice=message("look_at_object"),
    )


def give_to_owners(
    admin: Connection, session: Session, login: Login, recorded: Sequence[Recorded]
) -> None:
    """Give the objects of `login` to their former definers, if these may still use the database,
    and else to its owner.
    """
    before = {(one.kind, one.name): one.definer for one in recorded}
    objects = content.read_objects(admin, login.database)
    grants = [one for one in session.grants_on(login.database) if one.user != login.user]
    for one in views_first(put_in_order(objects)):
        named = before.get((one.kind, one.name), "")
        remake(admin, one, choose_definer(session, grants, named, admin))


def choose_definer(session: Session, grants: Sequence[Grant], named: str, admin: Connection) -> str:
    """Return a definer, like `alice@%`. Raises Conflict if there is none."""
    user = named.rpartition("@")[0]
    there = [f"{one.user}@{one.host}" for one in session.accounts(user)] if user else []
    holders = [one for one in grants if one.everything]
    if named in there and (not grants or user in {one.user for one in grants}):
        return named
    if holders:
        return f"{holders[0].user}@%"
    if named:
        # Nobody may use the database yet; its owner is known when it is put into place.
        return named
    raise Conflict(
        message("nobody_to_define"),
        kind=DATABASE_KIND,
        doing=admin.doing,
        advice=message("grant_it_first"),
    )


def views_first(objects: Sequence[DefinedObject]) -> list[DefinedObject]:
    """Return the order in which definers change: a view while its parts still belong to somebody
    who may use them. `objects`: in the order of their creation.
    """
    views = [one for one in objects if one.kind == content.VIEW]
    return [*reversed(views), *(one for one in objects if one.kind != content.VIEW)]


def remake(admin: Connection, one: DefinedObject, definer: str) -> None:
    """Make an object again with this definer, "" for ourselves. The connection uses its
    database.
    """
    for statement in one.settings():
        admin.do(plain(statement))
    try:
        admin.do(plain(one.drop()))
        admin.do(plain(one.made_by(definer) if definer else one.statement))
    except Unavailable:
        raise
    except ConnectorError as error:
        if error.message.params.get("code") == 1227:
            raise Denied(
                message("definer_not_ours_to_name"),
                kind=DATABASE_KIND,
                doing=admin.doing,
                advice=message("grant_set_user"),
            ) from None
        raise
