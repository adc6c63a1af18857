"""User names that every system accepts, and the targets of this system.

See docs/systems/usernames.md#the-rule.
"""

import re
import unicodedata

from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.secret import SecretRef
from workspace_manager.systems.identity_provider.messages import message

MARK_ATTRIBUTE = "workspace_registration"
"""The admin-only attribute that identifies a user made by us: a random id stored with the
registration.
"""

GROUP_MARK = "workspace_component"
"""The attribute that identifies a group of ours: the component it was made for."""
CLIENT_MARK = "workspace.component"
"""The mark of a client, whose attributes are named with dots."""

MASTER = "master"
"""The realm whose administrators have a role of the realm itself, and roles of one client per
realm.
"""
MANAGEMENT = "realm-management"
"""The client that has a realm's administrative roles."""

BUILT_IN_CLIENTS = frozenset(
    {"account", "account-console", "admin-cli", "broker", "realm-management"}
    | {"security-admin-console"}
)
"""Clients of every new realm. Their relative redirect addresses and admin-cli's direct grants are
left alone.
"""

LOCALE_ATTRIBUTE = "locale"
TIMEZONE_ATTRIBUTE = "timezone"
LANGUAGES = ("de", "en")
"""Languages of the manager's own pages."""

SERVICE_ACCOUNT_PREFIX = "service-account-"
"""The prefix of the users behind service accounts; Keycloak lets nobody else have such a name."""

SHAPE = re.compile(r"[a-z0-9](?:[a-z0-9._-]{1,30})[a-z0-9]")
"""User names that every connected system accepts: 3 to 32 characters (MySQL's limit), no
punctuation at the ends.
"""

TOO_SHORT = message("name_too_short")
TOO_LONG = message("name_too_long")
BAD_EDGE = message("name_bad_edge")
BAD_CHARACTER = message("name_bad_character")
SENTENCES = (TOO_SHORT, TOO_LONG, BAD_EDGE, BAD_CHARACTER)
"""All messages of `check_username`."""


def account_name(username: str) -> str:
    """Return the name as the identity provider stores it: composed (NFC) and in lower case. The
    name is not checked.
    """
    return unicodedata.normalize("NFC", username).lower()


def is_usable(name: str) -> bool:
    """Return whether a person can have this name here that was given at the identity provider:
    addresses of pages contain the name.
    """
    return 0 < len(name) <= 255 and name.isprintable() and "/" not in name and bool(name.strip("."))


def check_username(text: str) -> str:
    """Return the account name for a requested name. Raises NameImpossible with one of SENTENCES.

    One rule holds for all systems, so that a name means the same person everywhere: the ontology
    editor and the SQL tool do not rewrite such a name, so no two people get one account there
    (docs/systems/usernames.md#the-rule).
    """
    name = account_name(text)
    if len(name) < 3:
        raise NameImpossible(TOO_SHORT)
    if len(name) > 32:
        raise NameImpossible(TOO_LONG)
    if not re.fullmatch(r"[a-z0-9._-]+", name):
        raise NameImpossible(BAD_CHARACTER)
    if not SHAPE.fullmatch(name):
        raise NameImpossible(BAD_EDGE)
    return name


# --- targets --------------------------------------------------------------------------------------


def new_user_target(username: str, mark: str) -> dict[str, str]:
    """Return the target of a user to make, or of one made by us and known only by its mark."""
    return {"username": account_name(username), "mark": mark}


def user_target(sub: str, username: str, mark: str = "") -> dict[str, str]:
    """Return the target of a user with a known `sub`. With `mark`, only a user with this mark is
    removed.
    """
    target = {"sub": sub, "username": account_name(username)}
    return {**target, "mark": mark} if mark else target


def attributes_target(sub: str, username: str) -> dict[str, str]:
    """Return the target of the attributes of a user with a known `sub`."""
    return {"sub": sub, "username": account_name(username)}


def attribute_ref(sub: str, name: str) -> SecretRef:
    """Return the reference of a secret attribute; `read_attribute(sub, name)` resolves it."""
    return f"identity_provider.attributes/{sub}/{name}"


STACK = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,60})")
"""Names of knowledge stacks; a slash would make the paths of their groups ambiguous."""


def stack_groups(name: str) -> tuple[str, str]:
    """Return the groups of a knowledge stack: its administrators, and its users. Raises
    NameImpossible for a name that no stack can have.
    """
    if not STACK.fullmatch(name):
        raise NameImpossible(message("no_stack_name", name=name))
    return f"{name}-admin", f"{name}-user"


def stack_of_group(group: str) -> str:
    """Return the knowledge stack of a group's name; "" for a group that no stack has."""
    stack, _, role = group.rpartition("-")
    return stack if role in {"admin", "user"} and STACK.fullmatch(stack) else ""


def stack_client_id(name: str) -> str:
    """Return the client id of a knowledge stack, which is the stack's name. Raises NameImpossible
    for a name that no stack can have.
    """
    if not STACK.fullmatch(name):
        raise NameImpossible(message("no_stack_name", name=name))
    return name


def group_target(group: str, mark: str) -> dict[str, str]:
    """Return the target of a group. `mark`: the component it is for."""
    return {"group": group, "mark": mark}


def stack_client_target(client_id: str, mark: str) -> dict[str, str]:
    """Return the target of a knowledge stack's client. `mark`: the component it is for."""
    return {"client_id": client_id, "mark": mark}


def profile_target(realm: str) -> dict[str, str]:
    """Return the target of the realm's user profile."""
    return {"realm": realm, "part": "profile"}


def settings_target(realm: str) -> dict[str, str]:
    """Return the target of the realm's own settings that the workspace needs."""
    return {"realm": realm, "part": "settings"}


def client_target(realm: str, client_id: str) -> dict[str, str]:
    """Return the target of a client, by its client id (often a URL)."""
    return {"realm": realm, "part": f"client:{client_id}"}


def mapper_target(realm: str, client_id: str, name: str) -> dict[str, str]:
    """Return the target of a protocol mapper of a client. The name contains no colon; the client id
    may.
    """
    return {"realm": realm, "part": f"mapper:{client_id}:{name}"}


def roles_target(realm: str, client_id: str) -> dict[str, str]:
    """Return the target of the administrative roles of a client's service account."""
    return {"realm": realm, "part": f"roles:{client_id}"}


def split_part(part: str) -> tuple[str, str, str]:
    """Split a part into `("profile" | "settings" | "client" | "mapper" | "roles", client id, mapper
    name)`. Raises NameImpossible for anything else.
    """
    kind, _, rest = part.partition(":")
    if part in {"profile", "settings"}:
        return kind, "", ""
    if kind in {"client", "roles"} and rest:
        return kind, rest, ""
    client_id, _, name = rest.rpartition(":")
    if kind == "mapper" and client_id and name:
        return kind, client_id, name
    raise NameImpossible(message("no_such_part", part=part))
