"""Inventory of the drive: all accounts, whoever made them.

It needs the administrator of the settings. Its pages are counted, so that a deletion moves the
rest. Only the id shows an owner, if the OpenID Connect app derived it from a subject; addresses
there are unconfirmed.
"""

import hashlib
from dataclasses import dataclass
from typing import Final, cast

from workspace_manager.contract.connector import System
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.inventory import InventoryEntry, Page, offset
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message as of_contract
from workspace_manager.systems.drive.accounts import ACCOUNT, own_names
from workspace_manager.systems.drive.client import Account, DescribedAccount
from workspace_manager.systems.drive.connector import Drive
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.names import account_target, sub_of
from workspace_manager.systems.drive.settings import Settings

OIDC_BACKEND: Final = "user_oidc"
ADMINISTRATORS: Final = "admin"
"""The group of the drive's administrators."""
MOST: Final = 100
"""The most accounts of a page: the drive reads each separately, with its used space."""


def inventory(system: System, cursor: str) -> Page:
    """Return the page from the cursor. The first page checks our rights, because a group's
    administrator sees only its members, without a warning.
    """
    drive = cast(Drive, system)
    place = _Cursor.parse(cursor)
    if not cursor:
        drive.prove_rights()
    accounts = drive.described_users(limit=MOST, offset=place.first)
    following = place.next_cursor(drive, [one.account.id for one in accounts])
    listed = tuple(_list_entry(drive.settings, one) for one in accounts)
    return Page(listed, following, unsure=frozenset({ACCOUNT}))


@dataclass(frozen=True)
class _Cursor:
    """The position in the list of accounts. A page may be short or empty with others after it,
    because a directory counts entries that it can no longer show.

    `count`: the number of accounts when it was asked; -1 before. `last`: a digest of the page
    before.
    """

    first: int = 0
    count: int = -1
    last: str = ""

    @classmethod
    def parse(cls, cursor: str) -> "_Cursor":
        """Return the position of a cursor; one of an older version has only the start of the
        page.
        """
        first, _, rest = cursor.partition(" ")
        count, _, last = rest.partition(" ")
        return cls(offset(first), offset(count) if count else -1, last)

    def next_cursor(self, drive: Drive, ids: list[str]) -> str:
        """Return the start of the next page; "" at an empty page after all counted accounts. Raises
        Invalid for a page without new accounts, and beyond the possible number.
        """
        page = hashlib.sha256("\0".join(ids).encode()).hexdigest()[:16] if ids else ""
        if page and page == self.last:
            raise _unending(of_contract("nothing_new", first=self.first))
        count = self.count
        if count < 0 or (not ids and self.first < count) or self.first > _most(count):
            count = drive.count_users()
        if self.first > _most(count):
            raise _unending(of_contract("no_end", n=_most(count)))
        if not ids and self.first >= count:
            return ""
        return f"{self.first + MOST} {count} {page or self.last}"


def _most(count: int) -> int:
    """Return the most accounts to read; people may be added during the reading."""
    return count + count // 10 + 2 * MOST


def _unending(why: Message) -> Invalid:
    doing, advice = message("listing_accounts"), of_contract("paging_advice")
    return Invalid(why, kind=ACCOUNT, doing=doing, advice=advice)


def _list_entry(settings: Settings, one: DescribedAccount) -> InventoryEntry:
    account = one.account
    sub = sub_of(settings, account.id) if account.backend == OIDC_BACKEND else ""
    return InventoryEntry(
        kind=ACCOUNT,
        target=account_target(account.id, sub),
        name=account.id,
        seen=_description(account),
        sub=sub,
        email=one.email,
        full_name=one.full_name,
        open=account.enabled,
        kept=_kept_reason(settings, account),
        unread=not account.backend,
    )


def _description(account: Account) -> Message:
    if not account.backend:
        return message("seen_account_without_backend", account_id=account.id)
    key = "seen_disabled_account" if account.enabled is False else "seen_account"
    return message(key, account_id=account.id, backend=account.backend)


def _kept_reason(settings: Settings, account: Account) -> Message | None:
    """Return why an account stays. The prefixes among the drive's own names are of people's
    accounts.
    """
    exact = {name.lower() for name in own_names(settings).exact}
    if ADMINISTRATORS in account.groups or account.id.lower() in exact:
        return message("kept_administrator")
    return None if account.backend == OIDC_BACKEND else message("kept_other_backend")
