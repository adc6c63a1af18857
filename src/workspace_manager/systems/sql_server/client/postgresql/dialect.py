"""The statements, each in one place.

Values are bound (`%s`) if the server binds them. Names of accounts and databases, which it never
binds, are quoted by the driver's own `Identifier`. A name is compared as text: as a `name` the
server would first cut it to 63 bytes and find somebody else
(docs/systems/sql-server.md#postgresql).
"""

from collections.abc import Iterator, Sequence
from typing import Final

from psycopg.sql import SQL, Composed, Identifier, Literal

WHO: Final = SQL("SELECT session_user::text, current_setting('server_version')")
OWN_RIGHTS: Final = SQL(
    "SELECT rolsuper, rolcreaterole, rolcreatedb, pg_has_role(session_user, "
    "'pg_signal_backend', 'USAGE')"
    " FROM pg_roles WHERE rolname = session_user"
)
VARIABLES: Final = SQL("SELECT name, coalesce(setting, '') FROM pg_settings")

ACCOUNT: Final = SQL(
    "SELECT r.rolcanlogin, r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR "
    "r.rolreplication OR r.rolbypassrls OR EXISTS"
    " (SELECT FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid WHERE m.member "
    "= r.oid AND g.rolname ~ '^pg_')"
    " FROM pg_roles r WHERE r.rolname::text = %s"
)
COUNT_ACCOUNTS: Final = SQL("SELECT count(*) FROM pg_roles WHERE rolname !~ '^pg_'")

_SESSIONS = (
    "FROM pg_stat_activity a WHERE a.pid <> pg_backend_pid() AND a.usesysid IS NOT NULL"
    " AND CASE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname::text = %(user)s)"
    " THEN a.usename::text = %(user)s ELSE NOT EXISTS (SELECT FROM pg_roles r WHERE "
    "r.oid = a.usesysid) END"
)
COUNT_SESSIONS: Final = SQL(f"SELECT count(*) {_SESSIONS}")
"""Sessions of dropped accounts go on without a name: it is unknown whose they were, but they belong
to no existing account.
"""
END_SESSIONS: Final = SQL(f"SELECT a.pid, pg_terminate_backend(a.pid) {_SESSIONS}")
END_SESSIONS_IN: Final = SQL(
    "SELECT a.pid, pg_terminate_backend(a.pid) FROM pg_stat_activity a WHERE a.pid <> "
    "pg_backend_pid()"
    " AND a.usesysid IS NOT NULL AND a.datname::text = %(database)s"
    " AND (%(users)s::text[] IS NULL OR a.usename::text = ANY (%(users)s::text[]))"
)
STILL_THERE: Final = SQL("SELECT count(*) FROM pg_stat_activity WHERE pid = ANY (%s::int[])")

DATABASE: Final = SQL("SELECT datallowconn FROM pg_database WHERE datname::text = %s")
MEMBERS: Final = SQL(
    "SELECT g.rolname::text, m.rolname::text, bool_or(a.admin_option) FROM "
    "pg_auth_members a JOIN pg_roles g ON g.oid = a.roleid"
    " JOIN pg_roles m ON m.oid = a.member WHERE g.rolname::text = ANY (%s) AND m.rolname "
    "<> session_user"
    " GROUP BY 1, 2 ORDER BY 2, 1"
)
RIGHTS_ON: Final = SQL(
    "SELECT coalesce(r.rolname::text, ''), array_agg(a.privilege_type), bool_or(a.is_grantable)"
    " FROM pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a "
    "LEFT JOIN pg_roles r ON r.oid = a.grantee"
    " WHERE d.datname::text = %s AND a.grantee <> d.datdba GROUP BY 1 ORDER BY 1"
)
"""Rights on a database besides its owner's; "" is everybody. An empty list, as in a new database,
means the defaults.
"""
OPEN_TO_ALL: Final = SQL(
    "SELECT DISTINCT d.datname::text FROM pg_database d, aclexplode(coalesce(d.datacl, "
    "acldefault('d', d.datdba))) a"
    " WHERE a.grantee = 0 AND starts_with(d.datname::text, %s) AND d.datallowconn ORDER BY 1"
)

OWNED: Final = SQL(
    "SELECT coalesce(d.datname::text, ''), bool_or(s.deptype = 'o') FROM pg_shdepend s "
    "LEFT JOIN pg_database d ON d.oid = s.dbid"
    " WHERE s.refclassid = 'pg_authid'::regclass AND s.refobjid = (SELECT oid FROM "
    "pg_roles WHERE rolname::text = %s)"
    " GROUP BY 1 ORDER BY 1"
)
"""Databases with objects that belong to an account or name it in their rights, and whether any
belongs to it; "": the server.
"""
OWNED_DATABASES: Final = SQL(
    "SELECT datname::text FROM pg_database WHERE datdba = (SELECT oid FROM pg_roles "
    "WHERE rolname::text = %s) ORDER BY 1"
)

MADE_BY: Final = SQL(
    "WITH who AS (SELECT oid FROM pg_roles WHERE rolname::text = %s)"
    " SELECT n.nspname::text, '' FROM pg_namespace n JOIN who ON who.oid = n.nspowner"
    " UNION ALL SELECT n.nspname::text, c.relname::text FROM pg_class c"
    " JOIN who ON who.oid = c.relowner JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f', 'S') AND n.nspname !~ '^pg_' ORDER BY 1, 2"
)
"""The schemas of a role in this database (table ""), and its tables, views and sequences."""


def create_account(user: str, proof: str) -> Composed:
    return SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(Identifier(user), Literal(proof))


def set_password(user: str, proof: str) -> Composed:
    return SQL("ALTER ROLE {} PASSWORD {}").format(Identifier(user), Literal(proof))


def lock(user: str, *, on: bool) -> Composed:
    return SQL("ALTER ROLE {} {}").format(Identifier(user), SQL("NOLOGIN" if on else "LOGIN"))


def create_role(name: str) -> Composed:
    return SQL("CREATE ROLE {} NOLOGIN").format(Identifier(name))


def drop_role(name: str) -> Composed:
    return SQL("DROP ROLE {}").format(Identifier(name))


def join_role(role: str) -> Composed:
    """Return the statement that joins a role: only a superuser can manage a role's objects without
    being a member.
    """
    return SQL("GRANT {} TO CURRENT_USER").format(Identifier(role))


def reassign(user: str, heir: str) -> Composed:
    return SQL("REASSIGN OWNED BY {} TO {}").format(Identifier(user), Identifier(heir))


def drop_owned(user: str) -> Composed:
    """Return the statement that removes an account's rights; after REASSIGN OWNED, nothing belongs
    to it.
    """
    return SQL("DROP OWNED BY {}").format(Identifier(user))


def create_database(name: str) -> Composed:
    """Return the statement for a closed database: everybody may connect to a new one, so nobody may
    until that right is revoked.
    """
    return SQL(
        "CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8' ALLOW_CONNECTIONS false"
    ).format(Identifier(name))


def close_and_admit(name: str, users: str) -> tuple[Composed, ...]:
    """Return the statements that revoke a database's rights from everybody, and from its members
    while it is not ready, and then allow connections.
    """
    return (
        close_to(name, ""),
        close_to(name, name),
        close_to(name, users),
        SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(Identifier(name)),
    )


def furnish_inside(role: str, users: str) -> tuple[Composed, ...]:
    """Return the statements, inside the database, that reserve its default schema for members and
    let users use what they make.
    """
    ahead = SQL("ALTER DEFAULT PRIVILEGES FOR ROLE {} ").format(Identifier(role))
    to_users = SQL(" TO {}").format(Identifier(users))
    return (
        SQL("REVOKE ALL ON SCHEMA public FROM PUBLIC").format(),
        SQL("GRANT ALL ON SCHEMA public TO {}").format(Identifier(role)),
        SQL("GRANT USAGE ON SCHEMA public") + to_users,
        ahead + SQL("GRANT USAGE ON SCHEMAS") + to_users,
        ahead + SQL("GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES") + to_users,
        ahead + SQL("GRANT USAGE, SELECT ON SEQUENCES") + to_users,
    )


def furnish_for_readers(role: str, readers: str) -> tuple[Composed, ...]:
    """Return the statements, inside the database, that let readers read what members make in
    future.
    """
    ahead = SQL("ALTER DEFAULT PRIVILEGES FOR ROLE {} ").format(Identifier(role))
    to_readers = SQL(" TO {}").format(Identifier(readers))
    return (
        SQL("GRANT USAGE ON SCHEMA public") + to_readers,
        ahead + SQL("GRANT USAGE ON SCHEMAS") + to_readers,
        ahead + SQL("GRANT SELECT ON TABLES") + to_readers,
        ahead + SQL("GRANT SELECT ON SEQUENCES") + to_readers,
    )


def let_read(made: Sequence[tuple[str, str]], readers: str) -> Iterator[Composed]:
    """Yield the statements that let readers read what members have already made (`MADE_BY`). A
    sequence is granted like a table.
    """
    to_readers = SQL(" TO {}").format(Identifier(readers))
    schemas = [Identifier(schema) for schema, table in made if not table]
    tables = [Identifier(schema, table) for schema, table in made if table]
    if schemas:
        yield SQL("GRANT USAGE ON SCHEMA {}").format(SQL(", ").join(schemas)) + to_readers
    if tables:
        yield SQL("GRANT SELECT ON TABLE {}").format(SQL(", ").join(tables)) + to_readers


def open_to_readers(name: str, readers: str) -> Composed:
    """Return the statement that opens the database to readers, without WITH GRANT OPTION and
    without temporary tables.
    """
    return SQL("GRANT CONNECT ON DATABASE {} TO {}").format(Identifier(name), Identifier(readers))


def open_to_members(name: str, users: str) -> tuple[Composed, ...]:
    """Return the statements that open the database to members, without WITH GRANT OPTION."""
    database = Identifier(name)
    return (
        SQL("GRANT CONNECT, TEMPORARY ON DATABASE {} TO {}").format(database, Identifier(users)),
        SQL("GRANT ALL ON DATABASE {} TO {}").format(database, Identifier(name)),
    )


def drop_database(name: str) -> Composed:
    return SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name))


def act_as_members(name: str, user: str) -> Composed:
    """Return the statement that lets all members own a member's new objects in that database, so
    that they stay when one leaves.
    """
    return SQL("ALTER ROLE {} IN DATABASE {} SET role = {}").format(
        Identifier(user), Identifier(name), Literal(name)
    )


def act_as_oneself(name: str, user: str) -> Composed:
    return SQL("ALTER ROLE {} IN DATABASE {} RESET role").format(Identifier(user), Identifier(name))


def join(name: str, user: str) -> Composed:
    return SQL("GRANT {} TO {}").format(Identifier(name), Identifier(user))


def leave(name: str, user: str) -> Composed:
    return SQL("REVOKE {} FROM {} CASCADE").format(Identifier(name), Identifier(user))


def close_to(name: str, user: str) -> Composed:
    """Return the statement that revokes all rights. `user` "": everybody's."""
    who = Identifier(user) if user else SQL("PUBLIC")
    return SQL("REVOKE ALL ON DATABASE {} FROM {} CASCADE").format(Identifier(name), who)
