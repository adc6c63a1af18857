"""Account ids and targets of the drive, as its OpenID Connect app itself derives them.

See docs/systems/drive.md#account-ids.
"""

import hashlib
import re

from workspace_manager.systems.drive.settings import Settings

HASH = re.compile(r"[0-9a-f]{64}")
LONGEST_ID = 64
"""The longest id; the app replaces a longer one by its SHA-256 in hexadecimal."""


def account_id(sub: str, prefix: str = "") -> str:
    """Return the drive's id for a subject: the prefix and the raw subject, hashed if it is longer
    than 64 characters.
    """
    raw = prefix + sub
    return hashlib.sha256(raw.encode()).hexdigest() if len(raw) > LONGEST_ID else raw


def account_ids(settings: Settings, sub: str) -> tuple[str, ...]:
    """Return every id under which this person may have an account: the configured form first, then
    the legacy form.
    """
    if not sub:
        return ()
    now = account_id(sub, settings.oidc_username_prefix)
    legacy = account_id(sub, settings.legacy_prefix)
    return (now,) if legacy == now else (now, legacy)


def sub_of(settings: Settings, account: str) -> str:
    """Return the subject of an id of the OpenID Connect app; "" for a hash, and for a prefix that
    is not configured. The longer prefix is tried first, because the other may be empty.
    """
    if HASH.fullmatch(account):
        return ""
    prefixes = {settings.oidc_username_prefix, settings.legacy_prefix}
    for prefix in sorted(prefixes, key=len, reverse=True):
        sub = account.removeprefix(prefix)
        if account.startswith(prefix) and account in account_ids(settings, sub):
            return sub
    return ""


def account_target(account: str, sub: str) -> dict[str, str]:
    """Return the target of an account. `account`: the recorded id; it is deleted only if it is
    derived from `sub` or owned by the OIDC back-end.
    """
    return {"account_id": account, "sub": sub}


def app_password_target(login_name: str, sub: str, app_password_ref: str) -> dict[str, str]:
    """Return the target of a stored app password: its login name and the reference of the
    secret.
    """
    return {"login_name": login_name, "sub": sub, "app_password_ref": app_password_ref}
