"""Names of SQL accounts and databases.

A name is refused here, before the first write, when the server would take it for another one.

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
"""PostgreSQL: who gets what a person owned in databases that are not ours. It may do nothing, so
nothing gains rights by it.
"""

ASIDE: Final = f"{PREFIX}switch_"
"""What the databases begin with in which something lies while another one takes the place of a
database.
"""

TRIAL: Final = "workspace_trial"
"""The account with which it is tried whether the server takes our passwords: dropped at once, and
nobody's name.
"""

SNAPSHOT: Final = "workspace-snapshot-"
"""What the accounts begin with that read a database for a snapshot or load one into it: each is
dropped when that is over, and nobody's name.
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
"""PostgreSQL: what the name of a database ends in where the role of those is meant who use its data
and do not shape it.
"""
TO_READ: Final = "+ro"
"""PostgreSQL: the same for those who only read its data; no longer than the other, which says how
long a name may be.
"""
DATABASE_LENGTH: Final = 63 - len(TO_USE)
"""PostgreSQL cuts names of roles after 63 bytes, so that two long ones would be one; MariaDB takes
64 characters.

See docs/systems/sql-server.md#mariadb-names and docs/systems/sql-server.md#postgresql.
"""
USER_LENGTH: Final = 32
"""The longest name every server takes; MariaDB alone would take 128, PostgreSQL 63 bytes.

See docs/systems/sql-server.md#mariadb-names and docs/systems/sql-server.md#postgresql.
"""
LONGEST_KNOWN_USER: Final = 128
LONGEST_ROLE: Final = 63
"""Bytes. PostgreSQL cuts a longer name without an error."""
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
    """Return the account of a machine key: `wm_<whose>_<for what>_<id part>`, at most 63 characters
    of [a-z0-9_], which every server takes.

    `component`: what the database is called. Two accounts differ because their id parts do: the
    last `_` separates it and it has none in itself. Raises NameImpossible for another id part.
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
    """Return whether it belongs to the server, its tools or a database of ours, so that it is
    nobody's account.
    """
    return (
        name in TECHNICAL_USERS
        or name.startswith(SNAPSHOT)
        or (flavour == "postgresql" and name.startswith(TECHNICAL_PREFIXES))
    )


def is_user_name(name: str, flavour: str = "mariadb") -> bool:
    """Return whether exactly this account can be addressed.

    MariaDB: blanks at the end are padded away and reach the namesake without them; a character
    above U+FFFF is stored as "?", so that all such names are one
    (docs/systems/sql-server.md#mariadb-names). PostgreSQL: what is longer than 63 bytes is cut, so
    that such names are one (docs/systems/sql-server.md#postgresql). A backslash is legal and stored
    faithfully.
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

    `label`: a component's label or a user name; whatever is not a letter or digit becomes `_`, and
    it is cut where it is too long. `id_part`: the component's UUID, or 4 to 32 of [a-z0-9]. Two
    databases differ because their id parts do: the last `_` separates it and it has none in itself.
    Raises NameImpossible for another id part.
    """
    part = id_part.replace("-", "") if _UUID.fullmatch(id_part) else id_part
    if not _ID_PART.fullmatch(part):
        raise NameImpossible(message("impossible_id_part"))
    readable = _reduce(label)[: DATABASE_LENGTH - len(PREFIX) - 1 - len(part)].strip("_")
    return f"{PREFIX}{readable}_{part}" if readable else f"{PREFIX}{part}"


def snapshot_account(database: str, purpose: str) -> str:
    """Return the account of a snapshot, always the same for one database and purpose: what a killed
    one left is found by it.
    """
    part = hashlib.sha256(f"{purpose} {database}".encode()).hexdigest()
    return SNAPSHOT + part[: USER_LENGTH - len(SNAPSHOT)]


def set_aside(database: str, purpose: str) -> str:
    """Return the name of a database in which something lies only while another one is put in the
    place of this one.
    """
    part = hashlib.sha256(f"{purpose} {database}".encode()).hexdigest()
    return f"{ASIDE}{part[:24]}"


def is_database_name(name: str, flavour: str = "mariadb") -> bool:
    """Return whether this is a database of ours: the prefix, and nothing that a server could fold,
    pad, cut or take for a pattern but `_`.
    """
    longest = DATABASE_LENGTH if flavour == "postgresql" else 64
    return _DATABASE.fullmatch(name) is not None and len(name) <= longest


def user_target(user: str) -> Target:
    """Identify one person's account, on whatever hosts it is known."""
    return {"user": user}


def database_target(database: str) -> Target:
    """Identify one database by its exact name."""
    return {"database": database}


def database_of(address: str) -> str:
    """Return the database that `address` gave this address to."""
    return address.rpartition("/")[2]


def grant_target(database: str, user: str) -> Target:
    """Identify what one account may do in one database."""
    return {"database": database, "user": user}


def address(host: str, port: int, database: str, flavour: str = "mariadb") -> str:
    """Return the address people are shown: `mysql://host:port/database` or
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
