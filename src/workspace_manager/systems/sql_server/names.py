"""Names of SQL accounts and databases.

A name that the server would confuse with another one is refused here, before the first write.

See docs/systems/sql-server.md#mariadb-names, docs/systems/sql-server.md#grants-name-a-pattern,
docs/systems/usernames.md.
"""

import hashlib
import re
import unicodedata
from typing import Final

from workspace_manager.contract.connector import Target
from workspace_manager.contract.errors import Conflict
from workspace_manager.contract.message import Message
from workspace_manager.contract.names import NameImpossible
from workspace_manager.systems.sql_server.messages import message

USER_KIND: Final = "sql_server.user"
DATABASE_KIND: Final = "sql_server.database"
GRANT_KIND: Final = "sql_server.grant"

PREFIX: Final = "ws_"
"""The prefix of our databases, to which the administrator's rights may be limited."""
LEFT: Final = "ws-left"
"""PostgreSQL: the role that gets a person's objects in databases that are not ours. It has no
rights, so nothing gains any by it.
"""

ASIDE: Final = f"{PREFIX}switch_"
"""The prefix of databases that hold something while a database is replaced."""

TRIAL: Final = "workspace_trial"
"""The account that tries whether the server accepts our passwords. It is dropped at once, and no
person can have its name.
"""

SNAPSHOT: Final = "workspace-snapshot-"
"""The prefix of accounts that read a database for a snapshot or load one into it. Each is dropped
afterwards, and no person can have its name.
"""

TECHNICAL_USERS: Final = frozenset(
    {
        *("root", "mysql", "mariadb.sys", "mysql.sys", "mysql.session", "mysql.infoschema"),
        *("admin", "pma", "phpmyadmin", "healthcheck", "debian-sys-maint", "public", "none"),
        *("postgres", LEFT, TRIAL),
    }
)
"""Accounts of the server itself and of its tools; nobody's personal account."""
TECHNICAL_PREFIXES: Final = ("pg_", PREFIX, SNAPSHOT)
"""Prefixes of PostgreSQL's own names and of our databases' roles."""

MACHINE: Final = "wm_"
"""The prefix of machine keys' accounts, which no person may have."""

RENEWED: Final = {"password": "renewed"}
"""The wanted state of a password that replaces another one: the old one is refused, and its
sessions have ended.
"""

TO_USE: Final = "+use"
"""PostgreSQL: the suffix of the role of people who use a database's data and do not define its
tables.
"""
TO_READ: Final = "+ro"
"""PostgreSQL: the suffix of the role of people who only read the data. It is no longer than the
other one, which decides how long a name may be.
"""
DATABASE_LENGTH: Final = 63 - len(TO_USE)
"""The longest name of a database. PostgreSQL cuts names of roles after 63 bytes, so that two long
ones would be the same; MariaDB accepts 64 characters.

See docs/systems/sql-server.md#mariadb-names and docs/systems/sql-server.md#postgresql.
"""
USER_LENGTH: Final = 32
"""The longest name that every server accepts; MariaDB would accept 128, PostgreSQL 63 bytes.

See docs/systems/sql-server.md#mariadb-names and docs/systems/sql-server.md#postgresql.
"""
LONGEST_KNOWN_USER: Final = 128
LONGEST_ROLE: Final = 63
"""The most bytes of a role's name; PostgreSQL cuts a longer one without an error."""
MACHINE_PART: Final = 20
"""Characters of the user name in a machine key's account."""

_DATABASE = re.compile(r"ws_[a-z0-9_]{1,61}")
_ID_PART = re.compile(r"[a-z0-9]{4,32}")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def user_name(username: str) -> str:
    """Return the SQL account of a person: exactly the identity provider's `preferred_username`.

    The SQL web tool signs in with that claim, which the identity provider stores in lower case, and
    account names are case-sensitive here (docs/systems/sql-server.md#the-sql-admin-tool). Raises
    NameImpossible for a name the server would confuse with another, and for a technical one.
    """
    name = unicodedata.normalize("NFC", username).lower()
    everywhere = is_user_name(name) and is_user_name(name, "postgresql")
    if not everywhere or len(name) > USER_LENGTH:
        raise NameImpossible(
            message("impossible_account", longest=USER_LENGTH, bytes=LONGEST_ROLE),
            advice=message("needs_other_name"),
        )
    if name in TECHNICAL_USERS or name.startswith((*TECHNICAL_PREFIXES, MACHINE)):
        no = technical(name, doing=message("naming_account"))
        raise NameImpossible(no.message, advice=no.advice_message)
    return name


def machine_name(username: str, component: str, id_part: str) -> str:
    """Return the account of a machine key: `wm_<owner>_<database>_<id part>`, at most 63 characters
    of [a-z0-9_], which every server accepts.

    `component`: the name of the database. Two accounts differ because their id parts do: the last
    `_` separates it, and it contains none. Raises NameImpossible for another id part.
    """
    if not _ID_PART.fullmatch(id_part):
        raise NameImpossible(message("impossible_id_part"))
    whose = _reduce(username)[:MACHINE_PART].strip("_")
    room = LONGEST_ROLE - len(MACHINE) - len(whose) - len(id_part) - 2
    what = _reduce(component.removeprefix(PREFIX))[:room].strip("_")
    return MACHINE + "_".join(part for part in (whose, what, id_part) if part)


def _reduce(text: str) -> str:
    """Return the recognisable part of a text, in [a-z0-9_]."""
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", ascii_only).strip("_")


def is_technical(name: str, flavour: str = "mariadb") -> bool:
    """Return whether the name belongs to the server, its tools or a database of ours, so that it is
    nobody's account.
    """
    return (
        name in TECHNICAL_USERS
        or name.startswith(SNAPSHOT)
        or (flavour == "postgresql" and name.startswith(TECHNICAL_PREFIXES))
    )


def is_user_name(name: str, flavour: str = "mariadb") -> bool:
    """Return whether exactly this account can be addressed.

    MariaDB ignores trailing blanks, which reach the namesake without them, and stores a character
    above U+FFFF as "?", so that all such names are one (docs/systems/sql-server.md#mariadb-names).
    PostgreSQL cuts what is longer than 63 bytes, so that such names are one
    (docs/systems/sql-server.md#postgresql). A backslash is legal and stored faithfully.
    """
    return (
        0 < len(name) <= LONGEST_KNOWN_USER
        and (flavour != "postgresql" or len(name.encode(errors="replace")) <= LONGEST_ROLE)
        and name == name.strip()
        and all(ord(c) <= 0xFFFF and not 0xD800 <= ord(c) <= 0xDFFF for c in name)
        and not any(unicodedata.category(c) == "Cc" for c in name)
    )


def database_name(label: str, id_part: str) -> str:
    """Return the name of a database: `ws_<what a person recognises>_<id part>`, at most 59
    characters.

    `label`: a component's label or a user name; everything except letters and digits becomes `_`,
    and it is cut if it is too long. `id_part`: the component's UUID, or 4 to 32 of [a-z0-9]. Two
    databases differ because their id parts do: the last `_` separates it, and it contains none.
    Raises NameImpossible for another id part.
    """
    part = id_part.replace("-", "") if _UUID.fullmatch(id_part) else id_part
    if not _ID_PART.fullmatch(part):
        raise NameImpossible(message("impossible_id_part"))
    readable = _reduce(label)[: DATABASE_LENGTH - len(PREFIX) - 1 - len(part)].strip("_")
    return f"{PREFIX}{readable}_{part}" if readable else f"{PREFIX}{part}"


def snapshot_account(database: str, purpose: str) -> str:
    """Return the account of a snapshot. It is always the same for one database and purpose, so that
    the account of a killed process is found.
    """
    part = hashlib.sha256(f"{purpose} {database}".encode()).hexdigest()
    return SNAPSHOT + part[: USER_LENGTH - len(SNAPSHOT)]


def set_aside(database: str, purpose: str) -> str:
    """Return the name of a database that exists only while this one is replaced."""
    part = hashlib.sha256(f"{purpose} {database}".encode()).hexdigest()
    return f"{ASIDE}{part[:24]}"


def is_database_name(name: str, flavour: str = "mariadb") -> bool:
    """Return whether this is a database of ours: with the prefix, and without anything that a
    server could fold, pad, cut or treat as a pattern, except `_`.
    """
    longest = DATABASE_LENGTH if flavour == "postgresql" else 64
    return _DATABASE.fullmatch(name) is not None and len(name) <= longest


def user_target(user: str) -> Target:
    """Return the target of a person's account, on all hosts."""
    return {"user": user}


def database_target(database: str) -> Target:
    """Return the target of a database with this exact name."""
    return {"database": database}


def database_of(address: str) -> str:
    """Return the database of an address made by `address`."""
    return address.rpartition("/")[2]


def grant_target(database: str, user: str) -> Target:
    """Return the target of one account's use of one database."""
    return {"database": database, "user": user}


def address(host: str, port: int, database: str, flavour: str = "mariadb") -> str:
    """Return the address for people: `mysql://host:port/database` or
    `postgresql://host:port/database`.
    """
    shown = f"[{host}]" if ":" in host else host
    scheme = "postgresql" if flavour == "postgresql" else "mysql"
    return f"{scheme}://{shown}:{port}/{database}"


def technical(name: str, *, doing: Message) -> Conflict:
    """Return the refusal of an account that belongs to the server, its tools or ourselves."""
    return Conflict(
        message("technical_account", name=name),
        kind=USER_KIND,
        doing=doing,
        advice=message("correct_record"),
    )
