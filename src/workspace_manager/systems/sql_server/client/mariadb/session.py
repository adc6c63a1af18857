"""A session on a MariaDB, with one method for each statement."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from workspace_manager.contract import wait_hooks
from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.client.mariadb import dialect, listing
from workspace_manager.systems.sql_server.client.mariadb.connection import Connection
from workspace_manager.systems.sql_server.client.mariadb.privileges import (
    Privilege,
    find_missing_rights,
    read_grant,
    read_privileges,
)
from workspace_manager.systems.sql_server.client.session import (
    Account,
    Grant,
    KnownAccount,
    KnownDatabase,
    MissingRight,
    OwnAccount,
)
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.names import PREFIX

ANY_HOST: Final = "%"
"""The host of the accounts we make: people connect from notebooks and tools on other machines."""
_LOOKS: Final = 20
_PAUSE_S: Final = 0.05
"""The interval between looks at a connecting client; `_LOOKS` is their number."""


@dataclass(frozen=True)
class Entry(Grant):
    """A grant as the server stores it: revoking it needs its spelling."""

    host: str
    pattern: str
    may_grant: bool


class MariaDBSession:
    """Statements over one connection as the administrator. Every method raises the five errors of
    its connection.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    # --- own account and server -------------------------------------------------------------------

    def own_account(self) -> OwnAccount:
        [(account, version)] = self._connection.rows(dialect.WHO)
        shown = _text(account)
        return OwnAccount(shown.rpartition("@")[0], shown, _text(version))

    def missing_rights(self) -> list[MissingRight]:
        return list(find_missing_rights(self.own_privileges(), self.own_account().shown))

    def own_privileges(self) -> list[Privilege]:
        """Return our privileges. The server prints our password's hash beside them, which is not
        passed on.
        """
        lines = [_text(row[0]) for row in self._connection.rows(dialect.OWN_GRANTS)]
        return [privilege for line in lines if (privilege := read_grant(line))]

    def is_encrypted(self) -> bool:
        """Return whether the connection is encrypted."""
        return any(_text(value) for _name, value in self._rows(dialect.CIPHER))

    def variables(self) -> dict[str, str]:
        """Return all variables; those of a plugin exist while it is loaded."""
        return {_text(name): _text(value) for name, value in self._rows(dialect.VARIABLES)}

    # --- accounts ---------------------------------------------------------------------------------

    def accounts(self, user: str) -> list[Account]:
        """Return every account with exactly this name, on any host."""
        rows = self._connection.rows(dialect.ACCOUNTS, user)
        found = [(_text(host), bool(server_wide)) for host, server_wide in rows]
        return [
            Account(user, host == ANY_HOST, f"{user}@{host}", server_wide, host)
            for host, server_wide in found
        ]

    def count_accounts(self) -> int:
        [(count,)] = self._connection.rows(dialect.COUNT_ACCOUNTS)
        return int(count)

    def accounts_after(self, after: str, most: int) -> list[KnownAccount]:
        return listing.accounts_after(self._connection, after, most)

    def databases_after(self, after: str, before: str, most: int) -> list[KnownDatabase]:
        return listing.databases_after(self._connection, after, before, most)

    def anonymous_hosts(self) -> list[str]:
        """Return hosts from which anybody may sign in with a name that has no account there."""
        return [_text(host) for (host,) in self._connection.rows(dialect.ANONYMOUS)]

    def is_locked(self, user: str) -> bool:
        """Return whether every account with this name is locked."""
        locks = [_text(lock) for (lock,) in self._connection.rows(dialect.LOCKS, user)]
        return bool(locks) and all(lock in {"1", "true"} for lock in locks)

    def create_account(self, user: str, password: Secret) -> None:
        """Create an account for every host; an existing one keeps its password.

        See docs/systems/sql-server.md#mariadb-what-statements-answer.
        """
        self._connection.do(dialect.CREATE_ACCOUNT, user, ANY_HOST, password.reveal())

    def set_password(self, user: str, password: Secret) -> None:
        self._connection.do(dialect.SET_PASSWORD, user, ANY_HOST, password.reveal())

    def lock(self, account: Account, *, on: bool) -> None:
        self._connection.do(dialect.LOCK if on else dialect.UNLOCK, account.user, account.host)

    def release(self, user: str) -> None:
        """Do nothing: grants are dropped with the account."""

    def drop_account(self, account: Account) -> None:
        self._connection.do(dialect.DROP_ACCOUNT, account.user, account.host)

    def end_sessions(self, user: str) -> int:
        """End every session with this name, from any host; return their number."""
        return self._connection.do(dialect.KILL_USER, user)

    def count_sessions(self, user: str) -> int:
        """Return the number of sessions with this name that can still act, or are not refused
        within a second.

        The server also lists clients that are connecting with this name, before it has looked for
        the account. A listed client may have come before the account was dropped, and is watched
        until that is decided; later ones find no account. Otherwise a program that keeps signing in
        would prevent the proof of a removal.
        """
        sessions = self._commands(user)
        for _ in range(_LOOKS):
            if dialect.KNOCKING not in sessions.values():
                break
            wait_hooks.pause(_PAUSE_S)
            now = self._commands(user)
            sessions = {number: now[number] for number in sessions if number in now}
        return len(sessions)

    def left_by_hand(self, user: str) -> Sequence[Message]:
        """Return objects that run with this account's rights in databases that others use; a later
        namesake would have the same rights.
        """
        shared = {_unescaped(_text(db)) for (db,) in self._rows(dialect.OTHERS_GRANTS, user)}
        rows = self._rows(dialect.RUNNING_AS, user, user, user, user)
        found = sorted((_text(db), _text(name), _text(what)) for db, name, what in rows)
        return [
            message("runs_with_rights", what=what, name=name, db=db, user=user)
            for db, name, what in found
            if db in shared
        ]

    # --- databases --------------------------------------------------------------------------------

    def database_exists(self, name: str) -> bool:
        [(count,)] = self._connection.rows(dialect.DATABASE, name)
        return int(count) > 0

    def grants_on(self, name: str) -> list[Grant]:
        """Return every grant on exactly this database, in any spelling, even if the database is
        gone.
        """
        rows = self._connection.records(dialect.GRANTS_ON, "\\", name)
        return [_entry(row, name) for row in rows]

    def grants_too_wide(self) -> list[str]:
        """Return spellings in which `_` stands for any character, so that similar names are opened,
        too.
        """
        patterns = {_text(db) for (db,) in self._rows(dialect.ALL_GRANTS)}
        ours = re.compile(rf"{PREFIX.rstrip('_')}\\?_")
        return sorted(p for p in patterns if ours.match(p) and re.search(r"(?<!\\)_", p))

    def create_database(self, name: str) -> None:
        self._connection.do(dialect.create_database(name))

    def drop_database(self, name: str) -> None:
        """Drop a database with its content; its grants stay. Raises NotFound."""
        self._connection.do(dialect.drop_database(name))

    def grant(self, name: str, user: str) -> None:
        """Grant an account everything in exactly this database. Raises NotFound without such an
        account.
        """
        pattern = dialect.as_pattern(name)
        # Servers answer 1133; with NO_AUTO_CREATE_USER, some answer 1410.
        self._connection.do(dialect.grant(pattern), user, ANY_HOST, meaning={1410: NotFound})

    def grant_use(self, name: str, user: str, use: str) -> None:
        """Grant an account reading, or reading and writing, of the data of exactly this database,
        or creating tables, too. Raises NotFound without such an account.
        """
        statement = dialect.grant_use(dialect.as_pattern(name), use)
        self._connection.do(statement, user, ANY_HOST, meaning={1410: NotFound})

    def revoke(self, grant: Grant) -> None:
        """Revoke one grant in its own spelling. A session in that database continues there.

        See docs/systems/sql-server.md#sessions-definers-dropping.
        """
        if not isinstance(grant, Entry):
            raise TypeError("a grant is revoked as grants_on gave it")
        role = not grant.host
        who = (grant.user,) if role else (grant.user, grant.host)
        self._connection.do(dialect.revoke(grant.pattern, role=role), *who)
        if grant.may_grant:
            self._connection.do(dialect.revoke_grant_option(grant.pattern, role=role), *who)

    def end_sessions_in(self, database: str, users: Sequence[str] | None = None) -> int:
        """End the sessions in this database, of these users or of all except ourselves; return
        their number.
        """
        ended = 0
        for number, user in self._rows(dialect.SESSIONS_IN, database):
            if users is None or _text(user) in users:
                try:
                    self._connection.do(dialect.KILL, int(number), meaning={1094: NotFound})
                except NotFound:
                    continue
                ended += 1
        return ended

    def _commands(self, user: str) -> dict[int, str]:
        """Return the command of each session with this name by its number; numbers are never
        reused.
        """
        return {
            int(number): _text(command) for number, command in self._rows(dialect.SESSIONS, user)
        }

    def _rows(self, statement: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        return self._connection.rows(statement, *values)


def _entry(row: dict[str, Any], database: str) -> Entry:
    """Return the grant of a row of mysql.db."""
    columns = {name.lower(): _text(value) for name, value in row.items()}
    user, host, pattern = columns["user"], columns["host"], columns["db"]
    held = read_privileges(columns)
    differs = []
    if pattern != dialect.as_pattern(database):
        differs.append(f"spelled {pattern}")
    if not held.everything:
        differs.append("not everything")
    if held.may_grant:
        differs.append("may hand it on")
    as_we_spell = pattern == dialect.as_pattern(database) and not held.may_grant
    who = user if host == ANY_HOST else f"{user}@{host}"
    shown = f"{who} ({', '.join(differs)})" if differs else who
    return Entry(
        user,
        shown,
        right=not differs and host == ANY_HOST,
        everything=held.everything,
        use=dialect.USING.get(held.names, "") if as_we_spell else "",
        host=host,
        pattern=pattern,
        may_grant=held.may_grant,
    )


def _unescaped(pattern: str) -> str:
    return pattern.replace("\\", "")


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)
