"""The interface of every flavour of SQL server; connectors use it and no product."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, Protocol

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Denied
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.settings import Settings

SYSTEM: Final = "sql_server"
CALLS: Final = CallPolicy(connect_s=5, answer_s=30)


@dataclass(frozen=True)
class OwnAccount:
    """Our account and the server. `shown`: the account as people write it there, like `admin@%`."""

    name: str
    shown: str
    version: str


def contents(password: Secret) -> dict[str, int]:
    """Return the length of a password and its characters of each kind, which policies count."""
    text = password.reveal()
    return {
        "length": len(text),
        "digits": sum(one.isdigit() for one in text),
        "lower": sum(one.islower() for one in text),
        "upper": sum(one.isupper() for one in text),
        "signs": sum(not one.isalnum() for one in text),
    }


@dataclass(frozen=True)
class Account:
    """One account of a person."""

    user: str
    ours: bool
    """Whether it is where we make accounts; MariaDB may have the same name on other hosts, too."""
    shown: str
    server_wide: bool
    """Whether it has rights on the whole server; no account made by us has."""
    host: str = ""


@dataclass(frozen=True)
class KnownAccount:
    """A name that the server knows, on any hosts. `may_enter`: on at least one of them."""

    user: str
    may_enter: bool
    server_wide: bool
    has_members: bool
    """PostgreSQL: other roles are members of it, so it is a group."""


@dataclass(frozen=True)
class KnownDatabase:
    """A database of ours, with the level of each grantee, ordered by name."""

    name: str
    holders: Mapping[str, str]


@dataclass(frozen=True)
class Grant:
    """One account's use of one database."""

    user: str
    shown: str
    """The account's name, with the differences if the grant is not one of ours, so that it equals
    no wanted one.
    """
    right: bool
    """Whether it is exactly our grant of everything, without passing it on."""
    everything: bool
    """Whether nothing is missing for that."""
    use: str
    """`read`, `write` or `define` if it is exactly our grant of reading the data, of reading and
    writing them, or of defining tables, too; else "".
    """


@dataclass(frozen=True)
class MissingRight:
    """A privilege that our account lacks, and the statement that grants it."""

    what: Message
    remedy: str


READ: Final = "read"
WRITE: Final = "write"
"""Uses of a shared database; writing includes reading."""
DEFINE: Final = "define"
"""A program's use of its one database: it also creates and alters its tables, and passes no rights
on.
"""


class SignIn(StrEnum):
    """The server's answer to a sign-in."""

    ACCEPTED = "accepted"
    LOCKED = "locked"
    """The password is right: the server checks the lock after it (observed on MariaDB 10.11 and
    PostgreSQL 15).
    """
    REFUSED = "refused"


@dataclass(frozen=True)
class FlavourWords:
    """Words for evidence, and whether accounts have hosts."""

    rights: str
    accounts: str
    accounts_and_sessions: str
    databases: str
    grants: str
    on_any_host: bool
    """Whether one name may have accounts on several hosts."""


class Session(Protocol):
    """One connection as the administrator, for one piece of work. Honest: a missing thing raises
    NotFound.

    Every method also raises Unavailable, Denied or Invalid.
    """

    def own_account(self) -> OwnAccount: ...

    def missing_rights(self) -> list[MissingRight]:
        """Return the privileges that our account lacks for accounts, databases and their proof."""

    def is_encrypted(self) -> bool:
        """Return whether the connection is encrypted."""

    def accounts(self, user: str) -> list[Account]:
        """Return every account with exactly this name."""

    def count_accounts(self) -> int: ...

    def accounts_after(self, after: str, most: int) -> list[KnownAccount]:
        """Return up to `most` names after this one, in byte order, without the server's own names,
        which begin with pg_.
        """

    def databases_after(self, after: str, before: str, most: int) -> list[KnownDatabase]:
        """Return up to `most` databases between these two names, in byte order."""

    def variables(self) -> Mapping[str, str]:
        """Return the server's variables by name, as far as they are shown to us."""

    def is_locked(self, user: str) -> bool:
        """Return whether every account with this name is locked."""

    def create_account(self, user: str, password: Secret) -> None:
        """Create an account; an existing one keeps its password."""

    def set_password(self, user: str, password: Secret) -> None:
        """Set a password. Open sessions continue."""

    def lock(self, account: Account, *, on: bool) -> None:
        """Lock or unlock an account. Open sessions continue."""

    def release(self, user: str) -> None:
        """Remove what prevents the account from being dropped, without losing data."""

    def drop_account(self, account: Account) -> None:
        """Drop an account. Its open sessions continue."""

    def end_sessions(self, user: str) -> int:
        """End every session with this name; return their number."""

    def count_sessions(self, user: str) -> int:
        """Return the number of sessions that can still act, with this name or of a dropped
        account.
        """

    def left_by_hand(self, user: str) -> Sequence[Message]:
        """Return the manual work that dropping this account leaves; call it before."""

    def database_exists(self, name: str) -> bool: ...

    def grants_on(self, name: str) -> Sequence[Grant]:
        """Return every grant on exactly this database, including remains of a deleted one."""

    def grants_too_wide(self) -> list[str]:
        """Return, in words, each grant that opens more of our databases than it should. This reads
        every grant.
        """

    def create_database(self, name: str) -> None:
        """Create a database that nobody can use, unless it exists."""

    def drop_database(self, name: str) -> None:
        """Drop a database with its content."""

    def grant(self, name: str, user: str) -> None:
        """Grant an account everything in exactly this database. Raises NotFound without such an
        account.
        """

    def grant_use(self, name: str, user: str, use: str) -> None:
        """Grant an account reading (`READ`), or reading and writing (`WRITE`), of the data of
        exactly this database, or creating tables, too (`DEFINE`). Raises NotFound without such an
        account.
        """

    def revoke(self, grant: Grant) -> None:
        """Revoke one grant of `grants_on`. A session in that database continues there."""

    def end_sessions_in(self, database: str, users: Sequence[str] | None = None) -> int:
        """End the sessions in this database, of these users or of all except ourselves; return
        their number.
        """


class SignInRefused(Denied):
    """A person's sign-in was refused, not ours, so the system is not paused."""


class SignInLocked(Denied):
    """A person's account is locked."""


class Flavour(ABC):
    """One product: what connectors need of it besides its sessions."""

    words: ClassVar[FlavourWords]

    @abstractmethod
    def session(
        self, settings: Settings, policy: CallPolicy, *, kind: str, doing: Message
    ) -> AbstractContextManager[Session]:
        """Sign in as the administrator. Raises Denied, Unavailable or Invalid."""

    @abstractmethod
    def enter(
        self,
        settings: Settings,
        policy: CallPolicy,
        user: str,
        password: Secret,
        *,
        kind: str,
        doing: Message,
    ) -> None:
        """Sign in as a person and out again. Raises SignInRefused, SignInLocked, Unavailable or
        Invalid.
        """

    def sign_in(
        self,
        settings: Settings,
        policy: CallPolicy,
        user: str,
        password: Secret,
        *,
        kind: str,
        doing: Message,
    ) -> SignIn:
        """Try a person's password. Raises Unavailable or Invalid."""
        try:
            self.enter(settings, policy, user, password, kind=kind, doing=doing)
        except SignInRefused:
            return SignIn.REFUSED
        except SignInLocked:
            return SignIn.LOCKED
        return SignIn.ACCEPTED
