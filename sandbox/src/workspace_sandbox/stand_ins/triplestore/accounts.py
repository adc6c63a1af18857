"""OpenGDB's accounts: who somebody is, what they may, and how a body changes an account, defects
included.

The order in which a body is read matters: rights are stored at once, role and password only at the
end. That is why a failed creation leaves an account without a password, and why a refused change
may still take rights away.
"""

import base64
import binascii
import hashlib
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any

from workspace_sandbox.stand_ins.triplestore.wire import Reply, detail

ROLES = ("ROLE_ADMIN", "ROLE_REPO_MANAGER", "ROLE_USER")
APP_SETTINGS = {
    "DEFAULT_INFERENCE": True,
    "DEFAULT_SAMEAS": True,
    "DEFAULT_VIS_GRAPH_SCHEMA": True,
    "EXECUTE_COUNT": True,
    "IGNORE_SHARED_QUERIES": False,
}
WILDCARDS = ("READ_REPO_*", "WRITE_REPO_*")
UNKNOWN_AUTHORITY = (
    "Unknown authority. One of ROLE_ADMIN, ROLE_REPO_MANAGER, ROLE_USER, WRITE_REPO_xxx, "
    "READ_REPO_xxx is required."
)


class CallRefusal(Exception):
    """A call that gets this reply instead."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.status)
        self.reply = reply


class UnknownKey(ValueError):
    """A member nobody knows: 400."""


class UnknownAuthority(ValueError):
    """A right nobody knows: 500."""


class Broken(ValueError):
    """A case that the real one does not foresee: a 500 page."""


def new_account(password: str | None = None, *, superuser: bool = False) -> dict[str, Any]:
    """Make an account as the database stores it. None: it cannot sign in."""
    return {
        "password": None if password is None else hashed(password),
        "role": "ROLE_USER",
        "rights": [],
        "appSettings": dict(APP_SETTINGS),
        "dateCreated": int(time.time()),
        "superuser": superuser,
        "token": None,
    }


def hashed(password: str) -> str:
    """A quick hash will do: the real one takes a second for it, which no test should wait for."""
    salt = secrets.token_hex(8)
    return f"{salt}${hashlib.sha256(f'{salt}{password}'.encode()).hexdigest()}"


def matches(stored: str | None, password: str) -> bool:
    if stored is None:
        return False
    salt, _, digest = stored.partition("$")
    return secrets.compare_digest(digest, hashlib.sha256(f"{salt}{password}".encode()).hexdigest())


def render_account(name: str, account: Mapping[str, Any]) -> dict[str, Any]:
    """Give an account as the interface lists it: rights only for the plain role."""
    rights = account["rights"] if account["role"] == "ROLE_USER" else []
    return {
        "username": name,
        "password": "",
        "grantedAuthorities": [account["role"], *rights],
        "appSettings": account["appSettings"],
        "dateCreated": account["dateCreated"],
    }


def may(account: Mapping[str, Any] | None, right: str) -> bool:
    """Return whether an account holds a right; `*` is accepted as a name but opens nothing."""
    if account is None:
        return False
    return (
        account["superuser"]
        or account["role"] in {"ROLE_ADMIN", "ROLE_REPO_MANAGER"}
        or right in account["rights"]
    )


def authenticate(users: dict[str, Any], header: str | None) -> tuple[str, dict[str, Any]] | None:
    """Find who sends a call. None: nobody, an unknown scheme included. Raises CallRefusal for wrong
    credentials.
    """
    scheme, _, value = (header or "").partition(" ")
    if scheme.lower() == "token":
        return _by_token(users, value)
    if scheme.lower() == "basic":
        return _by_password(users, value)
    return None


def _by_token(users: dict[str, Any], value: str) -> tuple[str, dict[str, Any]]:
    if not value.strip():
        raise _unauthenticated("Invalid token header. No credentials provided.")
    if len(value.split()) > 1:
        raise _unauthenticated("Invalid token header. Token string should not contain spaces.")
    for name, account in users.items():
        if account["token"] is not None and secrets.compare_digest(
            account["token"].encode(), value.strip().encode()
        ):
            return name, account
    raise _unauthenticated("Invalid token.")


def _by_password(users: dict[str, Any], value: str) -> tuple[str, dict[str, Any]]:
    if not value.strip():
        raise _unauthenticated("Invalid basic header. No credentials provided.")
    if len(value.split()) > 1:
        raise _unauthenticated(
            "Invalid basic header. Credentials string should not contain spaces."
        )
    try:
        name, colon, password = base64.b64decode(value, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        colon = ""
    if not colon:
        raise _unauthenticated("Invalid basic header. Credentials not correctly base64 encoded.")
    account = users.get(name)
    if account is None or not matches(account["password"], password):
        raise _unauthenticated("Invalid username/password.")
    return name, account


def _unauthenticated(said: str) -> CallRefusal:
    reply = detail(said, status=401)
    reply.headers["WWW-Authenticate"] = "Token"
    return CallRefusal(reply)


def apply_settings(
    account: dict[str, Any], settings: Any, known_rights: list[str], changed: Callable[[], None]
) -> None:
    """Change an account as its body says, member by member. Raises UnknownKey, UnknownAuthority,
    Broken.

    `draft` is what the real one holds in memory until the end: it is lost when a member is refused.
    """
    if not isinstance(settings, dict):
        raise Broken
    draft = {"password": account["password"], "role": account["role"]}
    for key, value in settings.items():
        if key == "password":
            if value is not None and not isinstance(value, str):
                raise Broken
            draft["password"] = None if value is None else hashed(value)
        elif key == "appSettings":
            apply_app_settings(account, value)
            account.update(draft)
            changed()
        elif key == "grantedAuthorities":
            _apply_authorities(account, draft, value, known_rights, changed)
        elif key not in {"username", "dateCreated"}:
            raise UnknownKey(f"Unknown settings key {key}")
    account.update(draft)
    changed()


def apply_app_settings(account: dict[str, Any], settings: Any) -> None:
    """Raises UnknownKey, Broken."""
    if not isinstance(settings, dict):
        raise Broken
    found = dict(account["appSettings"])
    for key, value in settings.items():
        if key not in APP_SETTINGS:
            raise UnknownKey(f"Unknown appSettings key {key}")
        if not isinstance(value, bool):
            raise Broken
        found[key] = value
    account["appSettings"] = found


def _apply_authorities(
    account: dict[str, Any],
    draft: dict[str, Any],
    authorities: Any,
    known_rights: list[str],
    changed: Callable[[], None],
) -> None:
    """Read the rights from left to right: they are added and stored at once, and reading stops at
    the first high role.
    """
    if not isinstance(authorities, list | str | dict):
        raise Broken
    for authority in authorities:
        if authority in ROLES:
            draft["role"] = authority
            if authority != "ROLE_USER":
                account["rights"] = []
                changed()
                return
        elif authority in known_rights or authority in WILDCARDS:
            if authority not in account["rights"]:
                account["rights"].append(authority)
                changed()
        else:
            raise UnknownAuthority(UNKNOWN_AUTHORITY)
