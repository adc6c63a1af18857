"""Lists of all accounts and of our databases, in parts, in byte order.

A role is an account or a group, and nothing tells them apart for sure: a locked account may not
sign in, either. Roles of our databases are left out; entries tell whether a role has members.
"""

from collections import defaultdict
from typing import Final

from psycopg.sql import SQL

from workspace_manager.contract.inventory import LEVELS, OTHER, OWN
from workspace_manager.systems.sql_server.client.postgresql.access import uses_by_role
from workspace_manager.systems.sql_server.client.postgresql.connection import Connection
from workspace_manager.systems.sql_server.client.session import (
    DEFINE,
    KnownAccount,
    KnownDatabase,
)
from workspace_manager.systems.sql_server.names import MACHINE

ACCOUNTS: Final = SQL(
    "SELECT r.rolname::text, r.rolcanlogin AND coalesce(r.rolvaliduntil > now(), true), "
    "r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication OR r.rolbypassrls OR EXISTS"
    " (SELECT FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid WHERE m.member "
    "= r.oid AND g.rolname ~ '^pg_'),"
    " EXISTS (SELECT FROM pg_auth_members m WHERE m.roleid = r.oid AND m.member <> "
    "(SELECT oid FROM pg_roles WHERE rolname = session_user))"
    " FROM pg_roles r WHERE r.rolname::text COLLATE \"C\" > %(after)s AND r.rolname !~ '^pg_'"
    " AND NOT (NOT r.rolcanlogin AND starts_with(r.rolname::text, %(ours)s))"
    ' ORDER BY r.rolname::text COLLATE "C" LIMIT %(most)s'
)
DATABASES: Final = SQL(
    'SELECT datname::text FROM pg_database WHERE datname::text COLLATE "C" > %(after)s'
    ' AND datname::text COLLATE "C" < %(before)s'
    ' ORDER BY datname::text COLLATE "C" LIMIT %(most)s'
)
MEMBERS: Final = SQL(
    "SELECT g.rolname::text, m.rolname::text, a.admin_option FROM pg_auth_members a"
    " JOIN pg_roles g ON g.oid = a.roleid JOIN pg_roles m ON m.oid = a.member"
    " WHERE g.rolname::text = ANY (%s) AND m.rolname <> session_user"
)
RIGHTS: Final = SQL(
    "SELECT d.datname::text, r.rolname::text FROM pg_database d, aclexplode(d.datacl) a"
    " JOIN pg_roles r ON r.oid = a.grantee WHERE d.datname::text = ANY (%s) AND a.grantee "
    "<> d.datdba"
)
"""Direct grants. The list of a new database is empty."""

ORDER: Final = (*LEVELS, OTHER)


def accounts_after(
    connection: Connection, after: str, most: int, *, ours: str
) -> list[KnownAccount]:
    """Return accounts after a name. `ours`: the prefix of the roles of our databases."""
    rows = connection.rows(ACCOUNTS, after=after, most=most, ours=ours)
    return [
        KnownAccount(str(name), bool(may_enter), bool(server_wide), bool(has_members))
        for name, may_enter, server_wide, has_members in rows
    ]


def databases_after(
    connection: Connection, after: str, before: str, most: int
) -> list[KnownDatabase]:
    rows = connection.rows(DATABASES, after=after, before=before, most=most)
    names = [str(name) for (name,) in rows]
    if not names:
        return []
    of_role = {role: (name, use) for name in names for role, use in uses_by_role(name).items()}
    held: dict[str, dict[str, set[str]]] = {name: defaultdict(set) for name in names}
    for role, user, may_hand_on in connection.rows(MEMBERS, [*of_role]):
        name, use = of_role[str(role)]
        held[name][str(user)].add(OTHER if may_hand_on else _level(str(user), use))
    for name, user in connection.rows(RIGHTS, names):
        if user not in of_role:
            held[str(name)][str(user)].add(OTHER)
    return [
        KnownDatabase(
            name,
            {user: max(levels, key=ORDER.index) for user, levels in sorted(held[name].items())},
        )
        for name in names
    ]


def _level(user: str, use: str) -> str:
    """Return the level of a use. A program that creates tables and the owner are members of the
    same role.
    """
    return OWN if use == DEFINE and not user.startswith(MACHINE) else use
