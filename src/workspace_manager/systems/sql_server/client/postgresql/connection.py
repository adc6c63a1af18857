"""One connection: opened for one piece of work, limited in time, with failures as the five
errors.
"""

import contextlib
import math
import os
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Final, TypeAlias

import psycopg
from psycopg import abc, sql

from workspace_manager.contract import wait_hooks
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.deadline import moment, seconds_left, time_limit
from workspace_manager.contract.errors import ConnectorError, Invalid, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.wire import addresses
from workspace_manager.systems.sql_server.client import encryption
from workspace_manager.systems.sql_server.client.encryption import Fault
from workspace_manager.systems.sql_server.client.postgresql import answers, tls
from workspace_manager.systems.sql_server.client.postgresql.wire import (
    AnswerLate,
    AnswerTooLarge,
    Row,
    Wire,
)
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.settings import Settings

MAINTENANCE: Final = "postgres"
"""The database that every server has; roles and databases can be managed from any."""

Statement: TypeAlias = sql.SQL | sql.Composed


_FAILURES = (psycopg.Error, AnswerLate, AnswerTooLarge, OSError, ValueError, UnicodeError)
"""The driver's exceptions, including those if another or a broken product answers."""


class Connection:
    """A connection as one account, limited to `policy.answer_s` seconds in total; closed at the end
    of its `with` block.

    The worker's lease has to outlive the whole piece of work, so the total is limited instead of
    each statement: none begins in the second half of the time, and each may take half. `kind`,
    `doing`: for the errors. `meaning`: of a refused sign-in. Without `user`, the administrator
    signs in.
    """

    def __init__(
        self,
        settings: Settings,
        policy: CallPolicy,
        *,
        kind: str,
        doing: Message,
        user: str = "",
        password: Secret | None = None,
        meaning: answers.Meaning | None = None,
        database: str = MAINTENANCE,
        last_start: float = 0,
    ) -> None:
        self.kind = kind
        self.doing = doing
        answer_s = seconds_left(policy.answer_s, kind=kind, doing=doing)
        policy = policy.model_copy(update={"answer_s": answer_s})
        self._settings, self._policy = settings, policy
        self._last_start = last_start or moment() + answer_s / 2
        self._in_time()
        with time_limit(self._last_start - moment()):
            wire, code = _open(
                settings,
                policy,
                user or settings.admin_username,
                password if user else settings.admin_password,
                database,
            )
        if wire is None:
            if database == MAINTENANCE:
                # The administrator needs that database; its absence means nothing else.
                meaning = {answers.NO_SUCH_DATABASE: Invalid, **(meaning or {})}
            raise self.error(code, meaning)
        self._wire = wire

    def __enter__(self) -> "Connection":
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(*_FAILURES):
            self._wire.close()

    def to_database(self, database: str) -> "Connection":
        """Return another connection of the same piece of work, to another database. Raises NotFound
        if it is gone.
        """
        return Connection(
            self._settings,
            self._policy,
            kind=self.kind,
            doing=self.doing,
            database=database,
            last_start=self._last_start,
        )

    @property
    def is_encrypted(self) -> bool:
        return bool(self._wire.pgconn.ssl_in_use)

    def proof_of(self, password: Secret, user: str) -> str:
        """Return the server's stored form of a password (SCRAM), so that the password itself is
        neither sent nor logged.
        """
        made = self._wire.pgconn.encrypt_password(
            password.reveal().encode(), user.encode(), b"scram-sha-256"
        )
        return made.decode()

    def rows(self, statement: sql.SQL, *values: Any, **named: Any) -> Sequence[Row]:
        """Return every row of a query. `values` for each `%s`, or `named` for each `%(name)s`."""
        return self._execute(statement, named or values, None).fetchall()

    def ask(self, statement: Statement) -> Sequence[Row]:
        """Run a statement without values; a per cent sign in it, or in a name, stays one."""
        return self._execute(statement, None, None).fetchall()

    def do(self, statement: Statement, *, meaning: answers.Meaning | None = None) -> None:
        """Execute a statement. `meaning`: the errors of its codes."""
        self._execute(statement, None, meaning)

    def error(self, code: str | Fault, meaning: answers.Meaning | None = None) -> ConnectorError:
        if isinstance(code, Fault):
            return encryption.error_of(code, kind=self.kind, doing=self.doing)
        return answers.error_of(code, kind=self.kind, doing=self.doing, meaning=meaning)

    def time_left(self) -> bool:
        """Return whether there is time for another statement."""
        return moment() <= self._last_start

    def _in_time(self) -> None:
        wait_hooks.begin()
        seconds_left(self._policy.answer_s, kind=self.kind, doing=self.doing)
        if not self.time_left():
            raise Unavailable(
                message("took_seconds", seconds=f"{self._policy.answer_s / 2:.3g}"),
                kind=self.kind,
                doing=self.doing,
                advice=message("goes_on"),
            )

    def _execute(
        self, statement: Statement, values: abc.Params | None, meaning: answers.Meaning | None
    ) -> "psycopg.Cursor[Row]":
        self._in_time()
        try:
            return self._wire.execute(statement, values)
        except _FAILURES as failed:
            code = _code(failed)
        # Raised outside the handler: the driver's error may quote the statement, and would be shown
        # as the context.
        raise self.error(code, meaning)


def _open(
    settings: Settings, policy: CallPolicy, user: str, password: Secret | None, database: str
) -> tuple[Wire | None, str | Fault]:
    """Connect; return the connection, or None and the reason."""
    if not settings.host or settings.host[0] in "/@" or "," in settings.host:
        # The client library would treat it as a socket of this machine, or as several servers.
        return None, answers.NOT_UNDERSTOOD
    try:
        encrypted = tls.options(settings)
    except (OSError, ValueError):
        return None, Fault.NO_AUTHORITY
    try:
        # Looked up here: the client library would wait for it without a limit.
        found = list(dict.fromkeys(str(one[-1][0]) for one in addresses(settings.host, 0)))
        wire = Wire.connect(
            **encrypted,
            host=",".join([settings.host] * len(found)),
            hostaddr=",".join(found),
            port=settings.port,
            user=user,
            password=password.reveal() if password else "",
            passfile=os.devnull,
            dbname=database,
            connect_timeout=math.ceil(policy.connect_s),
            gssencmode="disable",
            # A server could ask for the password itself. None: a server that trusts us is sent
            # nothing.
            require_auth="scram-sha-256,none",
            application_name="workspace-manager",
            options=_options(policy),
            autocommit=True,
            prepare_threshold=None,
        )
    except _FAILURES as failed:
        return None, _code(failed)
    wire.set_limit(policy.answer_s / 2)
    return wire, ""


def _options(policy: CallPolicy) -> str:
    """Return the session's options. `search_path`: nothing in a person's database can replace a
    function of the server. The time limits stop statements that wait for a transaction, which would
    otherwise act long after we gave up.
    """
    chosen = {
        "client_encoding": "UTF8",
        "client_min_messages": "error",
        "search_path": "pg_catalog,pg_temp",
        "statement_timeout": f"{math.ceil(policy.answer_s * 500)}",
        "lock_timeout": f"{math.ceil(policy.answer_s * 333)}",
        "standard_conforming_strings": "on",
    }
    return " ".join(f"-c {name}={value}" for name, value in chosen.items())


def _code(failed: Exception) -> str | Fault:
    """Return the server's code, the code for its words after a refused sign-in, or our own for an
    answer in another protocol.
    """
    if isinstance(failed, (ValueError, UnicodeError)):
        return answers.NOT_UNDERSTOOD
    if isinstance(failed, AnswerTooLarge):
        return answers.TOO_LARGE
    if not isinstance(failed, psycopg.Error):
        return answers.CLOSED
    if failed.sqlstate:
        return str(failed.sqlstate)
    if fault := tls.unsafe(str(failed)):
        return fault
    asked = bool(failed.pgconn and failed.pgconn.used_password)
    return answers.code_of_text(str(failed), password_asked=asked)
