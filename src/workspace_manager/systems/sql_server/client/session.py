"""The interface of every flavour of SQL server: connectors use it, and no product."""

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
    """Our account, and the server. `shown`: the account as people write it there, like
    `admin@%`.
    """

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
    """Whether it is where we make accounts; MariaDB may know the same name on other hosts too."""
    shown: str
    server_wide: bool
    """Whether it may do something on the whole server; no account that we made may."""
    host: str = ""


@dataclass(frozen=True)
class KnownAccount:
    """One name that the server knows, on whatever hosts. `may_enter`: on at least one of them."""

    user: str
    may_enter: bool
    server_wide: bool
    has_members: bool
    """PostgreSQL: others act as it, so that it is a group."""


@dataclass(frozen=True)
class KnownDatabase:
    """One database of ours, and who has been granted how much on it, in the order of names."""

    name: str
    holders: Mapping[str, str]


@dataclass(frozen=True)
class Grant:
    """The use that one account has of one database."""

    user: str
    shown: str
    """The account's name; with what differs when the grant is not as we make it, so that it equals
    no wish.
    """
    right: bool
    """Whether it is exactly what we give its grantees: everything, and nothing to hand on."""
    everything: bool
    """Whether nothing is missing to that."""
    use: str
    """`read`, `write` or `define` where it is exactly what we give somebody who reads the data,
    reads and writes it, or shapes it too; else "".
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
"""A program's use of its one database: it also makes and alters its tables, and passes no rights
on.
"""


class SignIn(StrEnum):
    """The server's answer to a sign-in."""

    ACCEPTED = "accepted"
    LOCKED = "locked"
    """The password is right: the lock is looked at after it (observed, MariaDB 10.11 and PostgreSQL
    15).
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
    """One connection as the administrator, for one piece of work. Honest: what is not there raises
    NotFound.

    Every method raises Unavailable, Denied or Invalid besides.
    """

    def own_account(self) -> OwnAccount: ...

    def missing_rights(self) -> list[MissingRight]:
        """Return the privileges that our account lacks for accounts, databases and their proof."""

    def is_encrypted(self) -> bool:
        """Return whether nobody on the way can read what we send."""

    def accounts(self, user: str) -> list[Account]:
        """Every account of exactly this name."""

    def count_accounts(self) -> int: ...

    def accounts_after(self, after: str, most: int) -> list[KnownAccount]:
        """Up to `most` names that come after this one, in the order of their bytes; the server's
        own, which begin with pg_, left out.
        """

    def databases_after(self, after: str, before: str, most: int) -> list[KnownDatabase]:
        """Up to `most` databases between these two names, in the order of their bytes."""

    def variables(self) -> Mapping[str, str]:
        """The server's variables, by name, as far as they are shown to us."""

    def is_locked(self, user: str) -> bool:
        """Return whether every account of this name is locked."""

    def create_account(self, user: str, password: Secret) -> None:
        """Create it where it is not there; one that is there keeps its password."""

    def set_password(self, user: str, password: Secret) -> None:
        """Open sessions go on."""

    def lock(self, account: Account, *, on: bool) -> None:
        """Let nobody sign in any more, or again; open sessions go on."""

    def release(self, user: str) -> None:
        """Take from an account what would keep it from being dropped, losing no data."""

    def drop_account(self, account: Account) -> None:
        """Drop it; its open sessions go on."""

    def end_sessions(self, user: str) -> int:
        """End every session of this name; gives how many there were."""

    def count_sessions(self, user: str) -> int:
        """Sessions of this name, or of nobody any more, that can still do something."""

    def left_by_hand(self, user: str) -> Sequence[Message]:
        """Return the manual work when this account is dropped; call before it is."""

    def database_exists(self, name: str) -> bool: ...

    def grants_on(self, name: str) -> Sequence[Grant]:
        """Return every grant on exactly this database, also remains of a deleted one."""

    def grants_too_wide(self) -> list[str]:
        """Return, in words, each grant that opens more of our databases than it should. Reads every
        grant.
        """

    def create_database(self, name: str) -> None:
        """Create it where it is not there; open to nobody."""

    def drop_database(self, name: str) -> None:
        """Drop it with everything in it."""

    def grant(self, name: str, user: str) -> None:
        """Let an account do everything in exactly this database. Raises NotFound when there is no
        such account.
        """

    def grant_use(self, name: str, user: str, use: str) -> None:
        """Let an account read (`READ`), or read and write (`WRITE`), the data of exactly this
        database, or make its tables too (`DEFINE`). Raises NotFound when there is no such account.
        """

    def revoke(self, grant: Grant) -> None:
        """Take one grant away, as `grants_on` gave it. A session that is in that database goes on
        there.
        """

    def end_sessions_in(self, database: str, users: Sequence[str] | None = None) -> int:
        """End the sessions that are in this database, of these users or of all but ourselves; gives
        how many.
        """


class SignInRefused(Denied):
    """A person's sign-in was refused, not ours: no reason to pause the system."""


class SignInLocked(Denied):
    """A person's account is locked."""


class Flavour(ABC):
    """One product. What the connectors need to know of it beside its sessions."""

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
        """Sign in as a person and out again. Raises Refused, Locked, Unavailable or Invalid."""

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
