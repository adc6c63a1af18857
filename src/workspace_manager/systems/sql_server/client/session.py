"""What can be asked of the server and done there: one method for each statement, honest about what it met."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.client import dialect
from workspace_manager.systems.sql_server.client.connection import Connection
from workspace_manager.systems.sql_server.client.privileges import (
    GRANT_OPTION,
    Privilege,
    read_grant,
)

ANY_HOST: Final = "%"
"""The host of the accounts we make: people connect from notebooks and tools on other machines."""


@dataclass(frozen=True)
class Account:
    """One account: a name *and* a host."""

    user: str
    host: str
    server_wide: bool
    """Whether it may do something on the whole server; no account that we made may."""


@dataclass(frozen=True)
class Grant:
    """What one account may do on one database, as the server keeps it."""

    user: str
    host: str
    pattern: str
    complete: bool
    """Whether every privilege of databases is in it."""
    names: frozenset[str]
    """The privileges, as the columns of mysql.db name them."""
    may_grant: bool


@dataclass(frozen=True)
class RunningAs:
    """A view, routine, trigger or event that runs with the rights of its definer, even of a later one of the same name (facts 5.3)."""

    database: str
    name: str
    what: str


class Session:
    """Statements over one connection as the administrator. Every method raises the five errors of its connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    # --- ourselves and the server ----------------------------------------------------------------------------------------

    def who(self) -> tuple[str, str]:
        """Our account, like `admin@%`, and the server's version."""
        [(account, version)] = self._connection.rows(dialect.WHO)
        return _text(account), _text(version)

    def own_privileges(self) -> list[Privilege]:
        """What we may do. The server prints our password's hash beside it: it goes no further than this line."""
        lines = [_text(row[0]) for row in self._connection.rows(dialect.OWN_GRANTS)]
        return [privilege for line in lines if (privilege := read_grant(line))]

    def encrypted(self) -> bool:
        """Whether nobody on the way can read what we send."""
        return any(_text(value) for _name, value in self._rows(dialect.CIPHER))

    # --- accounts --------------------------------------------------------------------------------------------------------

    def accounts(self, user: str) -> list[Account]:
        """Every account of exactly this name, on whatever host."""
        rows = self._connection.rows(dialect.ACCOUNTS, user)
        return [Account(user, _text(host), bool(server_wide)) for host, server_wide in rows]

    def count_accounts(self) -> int:
        [(count,)] = self._connection.rows(dialect.COUNT_ACCOUNTS)
        return int(count)

    def anonymous_hosts(self) -> list[str]:
        """Hosts from which anybody may sign in with any name that has no account there."""
        return [_text(host) for (host,) in self._connection.rows(dialect.ANONYMOUS)]

    def locked(self, user: str) -> bool:
        """Whether every account of this name is locked."""
        locks = [_text(lock) for (lock,) in self._connection.rows(dialect.LOCKS, user)]
        return bool(locks) and all(lock in {"1", "true"} for lock in locks)

    def create_account(self, user: str, host: str, password: Secret) -> None:
        """Create it where it is not there; one that is there keeps its password (facts 5.1)."""
        self._connection.do(dialect.CREATE_ACCOUNT, user, host, password.reveal())

    def set_password(self, user: str, host: str, password: Secret) -> None:
        """Open sessions go on. Raises NotFound."""
        self._connection.do(dialect.SET_PASSWORD, user, host, password.reveal())

    def lock(self, user: str, host: str, *, on: bool) -> None:
        """Let nobody sign in any more, or again; open sessions go on. Raises NotFound."""
        self._connection.do(dialect.LOCK if on else dialect.UNLOCK, user, host)

    def drop_account(self, user: str, host: str) -> None:
        """Drop it; its open sessions go on. Raises NotFound."""
        self._connection.do(dialect.DROP_ACCOUNT, user, host)

    def end_sessions(self, user: str) -> int:
        """End every session of this name, from whatever host; gives how many there were."""
        return self._connection.do(dialect.KILL_USER, user)

    def count_sessions(self, user: str) -> int:
        """Sessions of this name that can still do something."""
        [(count,)] = self._connection.rows(dialect.SESSIONS, user)
        return int(count)

    def running_as(self, user: str) -> list[RunningAs]:
        """What runs with this name's rights, in databases on which somebody else has rights too."""
        shared = {_unescaped(_text(db)) for (db,) in self._rows(dialect.OTHERS_GRANTS, user)}
        rows = self._rows(dialect.RUNNING_AS, user, user, user, user)
        found = [RunningAs(_text(db), _text(name), _text(what)) for db, name, what in rows]
        return sorted(
            (f for f in found if f.database in shared), key=lambda f: (f.database, f.name)
        )

    # --- databases -------------------------------------------------------------------------------------------------------

    def database_exists(self, name: str) -> bool:
        [(count,)] = self._connection.rows(dialect.DATABASE, name)
        return int(count) > 0

    def grants_on(self, name: str) -> list[Grant]:
        """Every grant on exactly this database, in whatever spelling; also of a database that is gone."""
        return [_grant(row) for row in self._connection.records(dialect.GRANTS_ON, "\\", name)]

    def grant_patterns(self) -> list[str]:
        """The database of every grant there is, as it is spelled."""
        return [_text(db) for (db,) in self._rows(dialect.ALL_GRANTS)]

    def create_database(self, name: str) -> None:
        self._connection.do(dialect.create_database(name))

    def drop_database(self, name: str) -> None:
        """Drop it with everything in it; its grants stay. Raises NotFound."""
        self._connection.do(dialect.drop_database(name))

    def grant(self, name: str, user: str) -> None:
        """Let an account do everything in exactly this database. Raises NotFound when there is no such account."""
        pattern = dialect.as_pattern(name)
        # Servers answer 1133; with NO_AUTO_CREATE_USER some say 1410 instead.
        self._connection.do(dialect.grant(pattern), user, ANY_HOST, meaning={1410: NotFound})

    def grant_use(self, name: str, user: str) -> None:
        """Let an account read and write the data of exactly this database. Raises NotFound when there is no such account."""
        statement = dialect.grant_use(dialect.as_pattern(name))
        self._connection.do(statement, user, ANY_HOST, meaning={1410: NotFound})

    def revoke(self, grant: Grant) -> None:
        """Take one grant away, in its own spelling. Raises NotFound. A session that is in that database goes on there (facts 5.3)."""
        role = not grant.host
        who = (grant.user,) if role else (grant.user, grant.host)
        self._connection.do(dialect.revoke(grant.pattern, role=role), *who)
        if grant.may_grant:
            self._connection.do(dialect.revoke_grant_option(grant.pattern, role=role), *who)

    def end_sessions_in(self, database: str, users: Sequence[str] | None = None) -> int:
        """End the sessions that are in this database, of these users or of all but ourselves; gives how many."""
        ended = 0
        for number, user in self._rows(dialect.SESSIONS_IN, database):
            if users is None or _text(user) in users:
                try:
                    self._connection.do(dialect.KILL, int(number), meaning={1094: NotFound})
                except NotFound:
                    continue
                ended += 1
        return ended

    def _rows(self, statement: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        return self._connection.rows(statement, *values)


def _grant(row: dict[str, Any]) -> Grant:
    """Understand a row of mysql.db; newer servers have more columns of privileges, and "all" means them too."""
    columns = {name.lower(): _text(value) for name, value in row.items()}
    option = f"{GRANT_OPTION.partition(' ')[0].lower()}_priv"
    privileges = {name: value for name, value in columns.items() if name.endswith("_priv")}
    may_grant = privileges.pop(option, "N") == "Y"
    complete = bool(privileges) and all(value == "Y" for value in privileges.values())
    held = frozenset(
        name.removesuffix("_priv") for name, value in privileges.items() if value == "Y"
    )
    return Grant(columns["user"], columns["host"], columns["db"], complete, held, may_grant)


def _unescaped(pattern: str) -> str:
    return pattern.replace("\\", "")


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)
