"""A session on a PostgreSQL, with one method for each statement."""

import contextlib
import time
from collections.abc import Sequence
from typing import Any, Final

from workspace_manager.contract import wait_hooks
from workspace_manager.contract.errors import Conflict, NotFound, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.client.postgresql import dialect, listing
from workspace_manager.systems.sql_server.client.postgresql.access import (
    AccessKind,
    Entry,
    entries,
    readers_of,
    readers_right,
    role_faults,
    roles_of,
    users_of,
)
from workspace_manager.systems.sql_server.client.postgresql.connection import (
    MAINTENANCE,
    Connection,
)
from workspace_manager.systems.sql_server.client.postgresql.wire import Row
from workspace_manager.systems.sql_server.client.session import (
    DEFINE,
    READ,
    Account,
    Grant,
    KnownAccount,
    KnownDatabase,
    MissingRight,
    OwnAccount,
)
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.names import LEFT, PREFIX, is_database_name

SESSION_ENDS_S: Final = 5
"""Seconds to wait: a session ends when it next checks. The following look finds one that has not
ended by then.
"""


class PostgreSQLSession:
    """Statements over one connection as the administrator. Every method raises the five errors of
    its connection.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._superuser: bool | None = None

    # --- own account and server -------------------------------------------------------------------

    def own_account(self) -> OwnAccount:
        [(account, version)] = self._rows(dialect.WHO)
        return OwnAccount(str(account), str(account), str(version))

    def missing_rights(self) -> list[MissingRight]:
        [(superuser, may_create_roles, may_create_databases, may_end)] = self._rows(
            dialect.OWN_RIGHTS
        )
        who = '"' + self.own_account().name.replace('"', '""') + '"'
        needs = (
            (
                may_create_roles,
                message("lack_accounts", privilege="CREATEROLE"),
                f"ALTER ROLE {who} CREATEROLE;",
            ),
            (
                may_create_databases,
                message("lack_create_databases", privilege="CREATEDB"),
                f"ALTER ROLE {who} CREATEDB;",
            ),
            (
                may_end,
                message("lack_ending_sessions", privilege="pg_signal_backend"),
                f"GRANT pg_signal_backend TO {who};",
            ),
        )
        return [
            MissingRight(what, remedy) for has, what, remedy in needs if not has and not superuser
        ]

    def is_encrypted(self) -> bool:
        return self._connection.is_encrypted

    def variables(self) -> dict[str, str]:
        """Return all settings; only some accounts see the loaded libraries."""
        return {str(name): str(value) for name, value in self._rows(dialect.VARIABLES)}

    # --- accounts ---------------------------------------------------------------------------------

    def accounts(self, user: str) -> list[Account]:
        """Return one account or none: accounts have no host here."""
        rows = self._rows(dialect.ACCOUNT, user)
        return [Account(user, True, user, bool(server_wide)) for _login, server_wide in rows]

    def count_accounts(self) -> int:
        [(count,)] = self._rows(dialect.COUNT_ACCOUNTS)
        return int(count)

    def accounts_after(self, after: str, most: int) -> list[KnownAccount]:
        return listing.accounts_after(self._connection, after, most, ours=PREFIX)

    def databases_after(self, after: str, before: str, most: int) -> list[KnownDatabase]:
        return listing.databases_after(self._connection, after, before, most)

    def is_locked(self, user: str) -> bool:
        rows = self._rows(dialect.ACCOUNT, user)
        return bool(rows) and not rows[0][0]

    def create_account(self, user: str, password: Secret) -> None:
        proof = self._connection.proof_of(password, user)
        with contextlib.suppress(Conflict):
            # Conflict: it exists and keeps its password.
            self._connection.do(dialect.create_account(user, proof))

    def set_password(self, user: str, password: Secret) -> None:
        proof = self._connection.proof_of(password, user)
        self._connection.do(dialect.set_password(user, proof))

    def lock(self, account: Account, *, on: bool) -> None:
        self._connection.do(dialect.lock(account.user, on=on))

    def release(self, user: str) -> None:
        """In every database, transfer the account's objects to the database's members, or to nobody
        if it is not ours, and revoke its rights. The current database comes first, which also
        transfers whole databases that it owns.
        """
        owned = {str(name): bool(belongs) for name, belongs in self._rows(dialect.OWNED, user)}
        if not owned:
            return
        self._join_role(user)
        for database in sorted({*owned, ""} - {MAINTENANCE}):
            belongs = owned.get(database, False)
            if not database:
                self._release(
                    self._connection, user, belongs or owned.get(MAINTENANCE, False), LEFT
                )
                continue
            try:
                with self._connection.to_database(database) as there:
                    self._release(there, user, belongs, self._new_owner(database))
            except NotFound:
                continue

    def drop_account(self, account: Account) -> None:
        # It may have got something since its release; the next attempt releases that, too.
        self._connection.do(dialect.drop_role(account.user), meaning={"2BP01": Unavailable})

    def end_sessions(self, user: str) -> int:
        return self._end(self._rows(dialect.END_SESSIONS, user=user))

    def count_sessions(self, user: str) -> int:
        [(count,)] = self._rows(dialect.COUNT_SESSIONS, user=user)
        return int(count)

    def left_by_hand(self, user: str) -> Sequence[Message]:
        """Return its objects in databases that are not ours, and its own databases: nobody can use
        them afterwards.
        """
        owned = [str(name) for name, belongs in self._rows(dialect.OWNED, user) if belongs]
        inside = [
            message("inside_belongs_to", name=name, user=user, left=LEFT)
            for name in owned
            if name and not is_database_name(name)
        ]
        whole = [
            message("database_belongs_to", name=str(name), user=user, left=LEFT)
            for (name,) in self._rows(dialect.OWNED_DATABASES, user)
        ]
        return inside + whole

    # --- databases --------------------------------------------------------------------------------

    def database_exists(self, name: str) -> bool:
        return bool(self._rows(dialect.DATABASE, name))

    def grants_on(self, name: str) -> list[Grant]:
        """Return its members, and others with rights on it; of a deleted database, the members of
        its remaining roles.
        """
        roles = roles_of(name)
        found = entries(
            name,
            open_=self._open(name),
            members=self._rows(dialect.MEMBERS, roles),
            rights=self._rows(dialect.RIGHTS_ON, name),
            roles_left=not self.database_exists(name) and any(map(self._is_of_members, roles)),
        )
        return [*found]

    def grants_too_wide(self) -> list[str]:
        """Return our databases that everybody may use."""
        return [str(name) for (name,) in self._rows(dialect.OPEN_TO_ALL, PREFIX)]

    def create_database(self, name: str) -> None:
        self._make_roles(name)
        with contextlib.suppress(Conflict):
            # Conflict: an earlier attempt succeeded; our own row reserves the name.
            self._connection.do(dialect.create_database(name))
        self._furnish(name)

    def drop_database(self, name: str) -> None:
        self._connection.do(dialect.drop_database(name))
        self._drop_its_roles(name)

    def empty_database(self, name: str) -> None:
        """Drop the content of a database; its users stay."""
        members = self._rows(dialect.MEMBERS, roles_of(name))
        with contextlib.suppress(NotFound):
            self._connection.do(dialect.drop_database(name))
        self.create_database(name)
        for role, user, _ in members:
            if role == name:
                self._connection.do(dialect.act_as_members(name, str(user)))
        if self.accounts(readers_of(name)):
            self._furnish_readers(name)

    def grant(self, name: str, user: str) -> None:
        """Make an account a member; a half-made database is finished first."""
        self._make_roles(name)
        self._furnish(name)
        self._connection.do(dialect.act_as_members(name, user))
        self._connection.do(dialect.join(name, user))

    def grant_use(self, name: str, user: str, use: str) -> None:
        """Make an account a member of the people who define, use or read it."""
        if use == DEFINE:
            self.grant(name, user)
            return
        self._make_roles(name)
        self._furnish(name)
        if use == READ:
            self._furnish_readers(name)
        role = readers_of(name) if use == READ else users_of(name)
        self._connection.do(dialect.join(role, user))

    def revoke(self, grant: Grant) -> None:
        if not isinstance(grant, Entry):
            raise TypeError("a grant is revoked as grants_on gave it")
        name = grant.database
        match grant.how:
            case AccessKind.MEMBER:
                self._connection.do(dialect.leave(grant.role, grant.user))
                if grant.role == name and self.database_exists(name):
                    self._connection.do(dialect.act_as_oneself(name, grant.user))
            case AccessKind.DIRECT:
                self._connection.do(dialect.close_to(name, grant.user))
            case AccessKind.ROLES_LEFT:
                self._drop_its_roles(name)

    def end_sessions_in(self, database: str, users: Sequence[str] | None = None) -> int:
        """End sessions in a database. `users` with "": all sessions, because anybody may use what
        everybody could.
        """
        chosen = None if users is None or "" in users else [*users]
        return self._end(self._rows(dialect.END_SESSIONS_IN, database=database, users=chosen))

    def drop_roles(self, database: str) -> None:
        """Drop the roles of a deleted database with everything that belongs to them."""
        self._drop_its_roles(database)

    def join_roles(self, roles: Sequence[str]) -> None:
        """Become a member of these roles, unless we are a superuser."""
        for role in filter(self.accounts, roles):
            self._join_role(role)

    # --- steps ------------------------------------------------------------------------------------

    def _furnish(self, name: str) -> None:
        """Revoke everybody's rights, allow connections, and give members their rights, in this
        order: the last right proves the rest.
        """
        users, rights = users_of(name), self._rows(dialect.RIGHTS_ON, name)
        if not role_faults(name, open_=self._open(name), rights=rights):
            return
        for statement in dialect.close_and_admit(name, users):
            self._connection.do(statement)
        with self._connection.to_database(name) as there:
            for statement in dialect.furnish_inside(name, users):
                there.do(statement)
        for statement in dialect.open_to_members(name, users):
            self._connection.do(statement)

    def _furnish_readers(self, name: str) -> None:
        """Make the role of readers and let it read present and future objects. The first reader
        makes it, so that older databases get it, too. The last statement proves the rest.
        """
        readers = readers_of(name)
        self._make_role(readers)
        if readers_right(name, self._rows(dialect.RIGHTS_ON, name)):
            return
        self._connection.do(dialect.close_to(name, readers))
        self._join_role(name)
        with self._connection.to_database(name) as there:
            for statement in dialect.furnish_for_readers(name, readers):
                there.do(statement)
            made = [
                (str(schema), str(table)) for schema, table in there.rows(dialect.MADE_BY, name)
            ]
            for statement in dialect.let_read(made, readers):
                there.do(statement)
        self._connection.do(dialect.open_to_readers(name, readers))

    def _open(self, name: str) -> bool:
        """Return whether connections are allowed at all."""
        return any(may_connect for (may_connect,) in self._rows(dialect.DATABASE, name))

    def _is_of_members(self, name: str) -> bool:
        """Return whether the role exists, and is none that signs in or has more rights."""
        return self.is_locked(name) and not any(a.server_wide for a in self.accounts(name))

    def _make_roles(self, database: str) -> None:
        for name in (database, users_of(database)):
            self._make_role(name)

    def _make_role(self, name: str) -> None:
        """Make a role without a sign-in. Raises Conflict if an existing one signs in, or has more
        rights than we ever give.
        """
        try:
            self._connection.do(dialect.create_role(name))
        except Conflict as there:
            if not self._is_of_members(name):
                raise there
        self._join_role(name)

    def _drop_its_roles(self, database: str) -> None:
        """Drop the roles, so that the next database with that name starts without them."""
        for name in filter(self._is_of_members, reversed(roles_of(database))):
            self.release(name)
            self._connection.do(dialect.drop_role(name), meaning={"2BP01": Unavailable})

    def _new_owner(self, database: str) -> str:
        """Return the new owner of a person's objects: the database's members, or nobody if it is
        not ours.
        """
        return database if is_database_name(database) and self.accounts(database) else LEFT

    def _release(self, there: Connection, user: str, belongs: bool, heir: str) -> None:
        if belongs and heir != user:
            if heir == LEFT:
                self._make_role(LEFT)
            else:
                self._join_role(heir)
            there.do(dialect.reassign(user, heir))
        there.do(dialect.drop_owned(user))

    def _join_role(self, role: str) -> None:
        if self._superuser is None:
            [(self._superuser, *_)] = self._rows(dialect.OWN_RIGHTS)
        if not self._superuser:
            self._connection.do(dialect.join_role(role))

    def _end(self, ended: Sequence[Row]) -> int:
        """Wait until the sessions are gone: a session ends shortly after it was told to. Return
        their number.
        """
        pids = [int(pid) for pid, _told in ended]
        deadline = time.monotonic() + SESSION_ENDS_S
        while pids and time.monotonic() < deadline and self._connection.time_left():
            [(left,)] = self._rows(dialect.STILL_THERE, pids)
            if not left:
                break
            wait_hooks.pause(0.01)
        return len(pids)

    def _rows(self, statement: Any, *values: Any, **named: Any) -> Sequence[Row]:
        return self._connection.rows(statement, *values, **named)
