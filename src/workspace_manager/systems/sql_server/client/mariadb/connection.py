"""One connection: opened for one piece of work, limited in time, with failures as the five
errors.
"""

import contextlib
import ssl
import struct
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import pymysql
from pymysql.cursors import Cursor, DictCursor

from workspace_manager.contract import wait_hooks
from workspace_manager.contract import wire as lines
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.deadline import moment, seconds_left, time_limit
from workspace_manager.contract.errors import ConnectorError, Unavailable
from workspace_manager.contract.http import MAX_ANSWER_BYTES
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.client import encryption
from workspace_manager.systems.sql_server.client.encryption import (
    EncryptionMode,
    Fault,
    encryption_mode,
)
from workspace_manager.systems.sql_server.client.mariadb import answers, dialect
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.settings import Settings

_GARBLED = (
    *(struct.error, IndexError, KeyError, ValueError, TypeError, AssertionError, AttributeError),
    # RuntimeError: the answer asks for a file of this machine.
    *(UnicodeError, NotImplementedError, RuntimeError),
)
"""PyMySQL's exceptions if another or a broken product answers."""


_TLS = pymysql.constants.CLIENT.SSL
_PROOFS = {b"mysql_native_password", b"client_ed25519"}
"""Methods that prove the password. Others (mysql_clear_password, dialog, the sha2 ones with a key
of the server, mysql_old_password) reveal it to any server.
"""


class _Unsafe(pymysql.OperationalError):
    """The connection is not safe; its argument is the reason."""


class _Wire(pymysql.connections.Connection):
    """The driver's connection. The driver itself would read all certificates of the machine for
    each connection without using them, which takes 16 ms.
    """

    received: int = 0
    """Bytes of the present answer."""

    def __init__(self, encrypted: ssl.SSLContext | None, **options: Any) -> None:
        self._must_encrypt = encrypted is not None
        super().__init__(ssl=encrypted, **options)

    def _request_authentication(self) -> None:
        if self._must_encrypt and not self.server_capabilities & _TLS:  # type: ignore[attr-defined]
            # Somebody in between may have removed it from the greeting; not every version of the
            # driver then refuses to go on.
            self._force_close()  # type: ignore[attr-defined]
            raise _Unsafe(Fault.NONE_OFFERED)
        # The server's greeting may ask for the clear password. The client offers a proof first; the
        # server may then ask for another one.
        if self._auth_plugin_name.encode() not in _PROOFS:  # type: ignore[has-type]
            self._auth_plugin_name = "mysql_native_password"
        super()._request_authentication()  # type: ignore[misc]

    def _process_auth(self, plugin_name: bytes, *packet: Any) -> Any:
        if plugin_name not in _PROOFS:
            self._force_close()  # type: ignore[attr-defined]
            raise pymysql.OperationalError(answers.WOULD_SHOW)
        try:
            return super()._process_auth(plugin_name, *packet)  # type: ignore[misc]
        except RuntimeError:
            self._force_close()  # type: ignore[attr-defined]
            raise pymysql.OperationalError(answers.NEEDS_LIBRARY) from None

    def _read_bytes(self, num_bytes: int) -> bytes:
        # The server announces the size, so the answer is refused before it is read.
        self.received += num_bytes
        if self.received > MAX_ANSWER_BYTES:
            self._force_close()  # type: ignore[attr-defined]
            raise pymysql.OperationalError(answers.TOO_LARGE)
        data: bytes = super()._read_bytes(num_bytes)  # type: ignore[misc]
        return data

    def _create_ssl_ctx(self, options: object) -> ssl.SSLContext:
        chosen = options if isinstance(options, ssl.SSLContext) else encryption.unverifying()
        return lines.in_time(chosen)


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
    ) -> None:
        self.kind = kind
        self.doing = doing
        answer_s = seconds_left(policy.answer_s, kind=kind, doing=doing)
        policy = policy.model_copy(update={"answer_s": answer_s})
        self._last_start = moment() + answer_s / 2
        self._policy = policy
        # A server may send its greeting or an answer a byte a second, so the whole is timed.
        with time_limit(answer_s / 2):
            wire, code = _open(
                settings,
                policy,
                user or settings.admin_username,
                password if user else settings.admin_password,
            )
        if wire is None:
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
        if self._wire.open:
            with contextlib.suppress(pymysql.MySQLError, OSError), time_limit(1):
                self._wire.close()

    def rows(self, statement: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        """Return every row of a query."""
        cursor = self._execute(statement, values, None, Cursor)
        return [tuple(row) for row in cursor.fetchall()]

    def records(self, statement: str, *values: Any) -> Sequence[dict[str, Any]]:
        """Return every row of a query by its column names."""
        cursor = self._execute(statement, values, None, DictCursor)
        return [dict(row) for row in cursor.fetchall()]

    def do(self, statement: str, *values: Any, meaning: answers.Meaning | None = None) -> int:
        """Execute a statement and return the number of affected rows. `meaning`: the errors of its
        codes.
        """
        return self._execute(statement, values, meaning, Cursor).rowcount

    def error(self, code: int | Fault, meaning: answers.Meaning | None = None) -> ConnectorError:
        if isinstance(code, Fault):
            return encryption.error_of(code, kind=self.kind, doing=self.doing)
        return answers.error_of(code, kind=self.kind, doing=self.doing, meaning=meaning)

    def _execute(
        self,
        statement: str,
        values: Sequence[Any],
        meaning: answers.Meaning | None,
        cursor_kind: type[Cursor],
    ) -> Cursor:
        wait_hooks.begin()
        seconds_left(self._policy.answer_s, kind=self.kind, doing=self.doing)
        if moment() > self._last_start:
            raise Unavailable(
                message("took_seconds", seconds=f"{self._policy.answer_s / 2:.3g}"),
                kind=self.kind,
                doing=self.doing,
                advice=message("goes_on"),
            )
        self._wire.received = 0
        cursor = self._wire.cursor(cursor_kind)
        try:
            with time_limit(self._policy.answer_s / 2):
                cursor.execute(statement, tuple(values))
        except (pymysql.MySQLError, *_GARBLED) as failed:
            code = _code(failed)
        else:
            return cursor
        # Raised outside the handler: the driver's error may quote the statement, and would be shown
        # as the context.
        raise self.error(code, meaning)


def _open(
    settings: Settings, policy: CallPolicy, user: str, password: Secret | None
) -> tuple[_Wire | None, int | Fault]:
    """Connect; return the connection, or None and the reason."""
    way = encryption_mode(settings)
    try:
        encrypted = _encryption_context(way, settings)
    except (OSError, ValueError):
        return None, Fault.NO_AUTHORITY
    try:
        wire = _Wire(
            encrypted,
            ssl_disabled=way is EncryptionMode.CLEAR,
            host=settings.host,
            port=settings.port,
            user=user,
            password=password.reveal() if password else "",
            charset="utf8mb4",
            sql_mode=dialect.SQL_MODE,
            init_command=dialect.LIMIT_WAITS.format(seconds=max(1, int(policy.answer_s / 3))),
            autocommit=True,
            read_timeout=policy.answer_s / 2,
            write_timeout=policy.answer_s / 2,
            defer_connect=True,
        )
        wire.connect(lines.connect(settings.host, settings.port, within=policy.connect_s))
    except (pymysql.MySQLError, OSError, *_GARBLED) as failed:
        return None, _code(failed)
    return wire, 0


def _encryption_context(way: EncryptionMode, settings: Settings) -> ssl.SSLContext | None:
    """Return the encryption; None if none is needed. Raises OSError or ValueError if the file of
    authorities cannot be used.
    """
    if way is EncryptionMode.VERIFIED:
        return encryption.verifying(settings.certificate_authority)
    return encryption.unverifying() if way is EncryptionMode.UNVERIFIED else None


def _code(failed: Exception) -> int | Fault:
    """Return the server's or driver's code, or our own for an answer in another protocol."""
    if isinstance(failed, _Unsafe):
        fault: Fault = failed.args[0]
        return fault
    # The driver wraps errors of connecting.
    cause = getattr(failed, "original_exception", failed)
    if isinstance(cause, ssl.SSLCertVerificationError):
        return Fault.OTHER_NAME if cause.verify_code in _OTHER_NAME else Fault.UNTRUSTED
    if isinstance(cause, ssl.SSLError) and not isinstance(cause, ssl.SSLEOFError):
        return Fault.NOT_AGREED
    if isinstance(failed, OSError) and not isinstance(failed, pymysql.MySQLError):
        return 2003
    code = failed.args[0] if isinstance(failed, pymysql.MySQLError) and failed.args else None
    return code if isinstance(code, int) else answers.NOT_UNDERSTOOD


_OTHER_NAME = {62, 64}
"""X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH."""
