"""What the drive holds: its accounts, whoever made them. It needs the administrator of the
settings.

Whose an account is shows in its id alone, where the drive's OpenID Connect app made it of a
subject; an address there was confirmed by nobody.
"""

from typing import Final, cast

from workspace_manager.contract.connector import System
from workspace_manager.contract.inventory import Listed, Page, offset
from workspace_manager.contract.message import Message
from workspace_manager.systems.drive.accounts import ACCOUNT, own_names
from workspace_manager.systems.drive.client import Account, Described
from workspace_manager.systems.drive.connector import Drive
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.names import account_target, sub_of
from workspace_manager.systems.drive.settings import Settings

OIDC_BACKEND: Final = "user_oidc"
ADMINISTRATORS: Final = "admin"
"""The group whose members the drive obeys."""
MOST: Final = 100
"""The drive reads each account of a page by itself, with the space it uses."""


def inventory(system: System, cursor: str) -> Page:
    """Read the page that begins at the cursor. A group's administrator is shown its members alone,
    without a word: so the first page asks who we are.
    """
    drive = cast(Drive, system)
    first = offset(cursor)
    if not first:
        drive.prove_rights()
    accounts = drive.described_users(limit=MOST, offset=first)
    listed = tuple(_listed(drive.settings, one) for one in accounts)
    return Page(listed, str(first + MOST) if len(accounts) >= MOST else "")


def _listed(settings: Settings, one: Described) -> Listed:
    account = one.account
    sub = sub_of(settings, account.id) if account.backend == OIDC_BACKEND else ""
    return Listed(
        kind=ACCOUNT,
        target=account_target(account.id, sub),
        name=account.id,
        seen=_seen(account),
        sub=sub,
        email=one.email,
        full_name=one.full_name,
        open=account.enabled,
        kept=_kept(settings, account),
    )


def _seen(account: Account) -> Message:
    if not account.backend:
        return message("seen_account_without_backend", account_id=account.id)
    key = "seen_disabled_account" if account.enabled is False else "seen_account"
    return message(key, account_id=account.id, backend=account.backend)


def _kept(settings: Settings, account: Account) -> Message | None:
    """The prefixes among the drive's own names are those of people's accounts."""
    exact = {name.lower() for name in own_names(settings).exact}
    if ADMINISTRATORS in account.groups or account.id.lower() in exact:
        return message("kept_administrator")
    return None if account.backend == OIDC_BACKEND else message("kept_other_backend")
