"""Access to our databases, read from the members of roles and the list of rights."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from workspace_manager.systems.sql_server.client.session import DEFINE, READ, WRITE, Grant
from workspace_manager.systems.sql_server.names import TO_READ, TO_USE

EVERYTHING: Final = frozenset({"CONNECT", "CREATE", "TEMPORARY"})
USE: Final = frozenset({"CONNECT", "TEMPORARY"})
LOOK: Final = frozenset({"CONNECT"})


class AccessKind(Enum):
    """The source of somebody's access, which decides how to revoke it."""

    MEMBER = "member"
    DIRECT = "direct"
    ROLES_LEFT = "roles left"


@dataclass(frozen=True)
class Entry(Grant):
    """A person's access. `user` "": everybody. `role`: the role of the membership."""

    database: str
    how: AccessKind
    role: str = ""


def users_of(database: str) -> str:
    """Return the role of people who read and write the data of a database."""
    return database + TO_USE


def readers_of(database: str) -> str:
    """Return the role of people who only read the data of a database; it is made for the first of
    them.
    """
    return database + TO_READ


def roles_of(database: str) -> list[str]:
    """Return every role that a database of ours may have."""
    return [database, users_of(database), readers_of(database)]


def uses_by_role(database: str) -> dict[str, str]:
    """Return the use of each role's members. Members of the first one share the objects that they
    make.
    """
    return dict(zip(roles_of(database), (DEFINE, WRITE, READ), strict=True))


def readers_right(database: str, rights: Sequence[tuple[Any, ...]]) -> bool:
    """Return whether the role of readers has its right on the database, which is granted last, and
    so everything.
    """
    held = [one for one in rights if one[0] == readers_of(database)]
    return [(set(privileges), bool(on)) for _, privileges, on in held] == [(set(LOOK), False)]


def role_faults(database: str, *, open_: bool, rights: Sequence[tuple[Any, ...]]) -> list[str]:
    """Return the differences of a database's roles from ours; [] if there are none."""
    held = {role: (set(privileges), may_hand_on) for role, privileges, may_hand_on in rights}
    found = [held.get(role, (set(), False)) for role in (database, users_of(database))]
    differs = []
    if not open_ or any(
        privileges != needed
        for (privileges, _), needed in zip(found, (EVERYTHING, USE), strict=True)
    ):
        differs.append("not everything")
    if any(may_hand_on for _, may_hand_on in found):
        differs.append("may hand it on")
    return differs


def entries(
    database: str,
    *,
    open_: bool,
    members: Sequence[tuple[Any, ...]],
    rights: Sequence[tuple[Any, ...]],
    roles_left: bool,
) -> Iterator[Entry]:
    """Yield the access that was found. `members`: (role, name, may grant); `rights`: (name,
    privileges, may grant).

    Remaining roles of a deleted database come last: their members have to leave before they can be
    dropped.
    """
    general = [] if roles_left else role_faults(database, open_=open_, rights=rights)
    for role, name, may_hand_on in members:
        differs = dict.fromkeys([*general, *(["may hand it on"] if may_hand_on else [])])
        use = uses_by_role(database)[str(role)]
        if use != DEFINE:
            differs = {"not everything": None, **differs}
        as_given = not may_hand_on and not general
        if use == READ and not readers_right(database, rights):
            as_given = False
        yield Entry(
            str(name),
            f"{name} ({', '.join(differs)})" if differs else str(name),
            right=not differs,
            everything=use == DEFINE and "not everything" not in differs,
            use=use if as_given else "",
            database=database,
            how=AccessKind.MEMBER,
            role=str(role),
        )
    for name, _privileges, _may_hand_on in rights:
        if name not in roles_of(database):
            shown = f"{name} (without being a member)" if name else "everybody"
            yield _other(str(name), shown, database, AccessKind.DIRECT)
    if roles_left:
        yield _other(database, "the roles of its members", database, AccessKind.ROLES_LEFT)


def _other(user: str, shown: str, database: str, how: AccessKind) -> Entry:
    return Entry(user, shown, right=False, everything=False, use="", database=database, how=how)
