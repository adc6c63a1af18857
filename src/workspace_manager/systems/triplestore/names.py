"""Identifiers of triplestore things: targets, account names, repository ids, rights. Pure
functions.

Ids go into paths and directory names of the server, so our own use only ASCII letters, digits, `_`
and `-` (docs/systems/triplestore.md#rdf4j). Account names are the manager's own, which every system
accepts (docs/systems/usernames.md#the-rule).
"""

import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from workspace_manager.contract.names import NameImpossible
from workspace_manager.systems.triplestore.messages import message

ROLE_USER = "ROLE_USER"
ELEVATED_ROLES = frozenset({"ROLE_ADMIN", "ROLE_REPO_MANAGER", "ROLE_MONITORING", "ROLE_CLUSTER"})
REPOSITORY_PREFIX = "ts-"
ASIDE = f"{REPOSITORY_PREFIX}switch-"
"""The prefix of repositories into which a snapshot is loaded before it replaces another one's
content.
"""
MADE_ANEW = "made anew"
"""The outcome for an account that was recreated with a new password."""
RENEWED = {"password": "renewed"}
"""The wanted state of a password that replaces another one: the old one is refused, and its tokens
no longer work.
"""
ENDING = "ending"
"""The member of a wanted state that names repositories which are being deleted: the rights on these
end with them, and are no reason to make an account anew.
"""
MACHINE = "wm_"
"""The prefix of machine keys' accounts, which no person may have."""
LONGEST_MACHINE_NAME = 63
MACHINE_PART = 20
"""Characters of the user name in a machine key's account."""
LONGEST_REPOSITORY_ID = 64
LONGEST_TITLE = 200

_REPOSITORY_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*\Z")
_RIGHT = re.compile(r"(?:READ|WRITE)_REPO_(?P<repository>.+)\Z", re.DOTALL)


def account_name(username: str) -> str:
    """Return the triplestore account of a person: the name itself, because the server keeps case
    and rewrites nothing.

    Raises NameImpossible for a name that could not sign in: Basic cannot send a colon, blanks are
    stripped before a token is issued, and a slash cannot be addressed
    (docs/systems/triplestore.md#opengdb-accounts).
    """
    if (
        not username
        or username != username.strip()
        or username in {".", ".."}
        or any(c in "/\\:" or unicodedata.category(c)[0] == "C" for c in username)
        or len(username) > 150
    ):
        raise NameImpossible(message("impossible_account_name"))
    return username


def machine_name(username: str, component: str, unique: str) -> str:
    """Return the account of a machine key: `wm_<owner>_<repository>_<unique>`, at most 63
    characters of [a-z0-9_].

    `component`: the id of the repository. Two accounts differ in `unique`. Raises NameImpossible
    without one.
    """
    tail = re.sub(r"[^a-z0-9]", "", unique.lower())
    if not tail:
        raise NameImpossible(message("needs_something_unique"))
    whose = _slug(username)[:MACHINE_PART].strip("_")
    room = LONGEST_MACHINE_NAME - len(MACHINE) - len(whose) - len(tail) - 2
    what = _slug(component.removeprefix(REPOSITORY_PREFIX))[: max(room, 0)].strip("_")
    return MACHINE + "_".join(part for part in (whose, what, tail) if part)


def _slug(text: str) -> str:
    """Return the recognisable part of a text, in [a-z0-9_]."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")


def repository(repository_id: str) -> dict[str, str]:
    """Return the target of a repository. Raises NameImpossible for an id outside
    `[A-Za-z0-9_-]`.
    """
    if not _REPOSITORY_ID.match(repository_id) or len(repository_id) > LONGEST_REPOSITORY_ID:
        raise NameImpossible(message("impossible_repository_id"))
    return {"repository": repository_id}


def listed_user(name: str) -> dict[str, str]:
    """Return the target of a listed account, even with a name that we would not give."""
    return {"user": name}


def listed_repository(repository_id: str) -> dict[str, str]:
    """Return the target of a listed repository with any id."""
    return {"repository": repository_id}


def repository_id(label: str, unique: str) -> str:
    """Return the id of a repository, made from its label and something unique (part of our row's
    id).

    The label only helps people who read lists; ids of similar labels differ in `unique`.
    """
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
    tail = re.sub(r"[^A-Za-z0-9_-]", "", unique)
    if not tail:
        raise NameImpossible(message("needs_something_unique"))
    room = LONGEST_REPOSITORY_ID - len(REPOSITORY_PREFIX) - len(tail) - 1
    return f"{REPOSITORY_PREFIX}{slug[: max(room, 0)].strip('-') or 'repository'}-{tail}"


def repository_of_address(address: str) -> str:
    """Return the repository at the end of a SPARQL address; "" without one."""
    path = urlsplit(address).path
    _, found, last = path.rpartition("/repositories/")
    return unquote(last) if found else ""


def repository_beside(repository_id: str) -> str:
    """Return the repository into which a snapshot is loaded before it replaces this one's content;
    the end of an id is its unique part.
    """
    room = LONGEST_REPOSITORY_ID - len(ASIDE)
    return ASIDE + repository_id.removeprefix(REPOSITORY_PREFIX)[-room:]


def title(text: str) -> str:
    """Return a title that the server can store: a quote or a line break in it answers 500.

    See docs/systems/triplestore.md#opengdb-repositories.
    """
    plain = "".join(" " if unicodedata.category(c)[0] == "C" else c for c in text)
    return " ".join(plain.replace('"', "'").replace("\\", "/").split())[:LONGEST_TITLE]


def authorities(*, read: Iterable[str] = (), write: Iterable[str] = ()) -> list[str]:
    """Return the rights of an account in a fixed order, computed from everything it may use.

    Writing includes reading: the server separates them, and an account that may only write cannot
    query.
    """
    writable = set(write)
    readable = set(read) | writable
    rights = [f"READ_REPO_{name}" for name in readable] + [
        f"WRITE_REPO_{name}" for name in writable
    ]
    return [ROLE_USER, *sorted(rights)]


def repository_of(authority: str) -> str | None:
    """Return the repository of a right; None for a role."""
    match = _RIGHT.match(authority)
    return match["repository"] if match else None


def writes(authority: str) -> bool:
    """Return whether a right on repositories is one to write."""
    return authority.startswith("WRITE_")
