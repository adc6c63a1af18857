"""The records about one page; the number of queries does not grow with the page."""

import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from allauth.socialaccount.models import SocialAccount
from django.db.models import Q

from workspace_manager.contract.inventory import InventoryEntry
from workspace_manager.core.account_link import PROVIDER
from workspace_manager.records.models import Account, Person, Tombstone


class RecordedAccount(NamedTuple):
    """A recorded account."""

    id: int
    person: uuid.UUID | None
    username: str
    state: str | None
    machine: bool
    locked: bool


class PresentPerson(NamedTuple):
    """A person who is here."""

    id: uuid.UUID
    username: str
    state: str


@dataclass
class PageRecords:
    """The records about a page's accounts, and about their possible people."""

    accounts: dict[tuple[str, str], RecordedAccount] = field(default_factory=dict)
    by_sub: dict[str, PresentPerson] = field(default_factory=dict)
    by_name: dict[str, PresentPerson] = field(default_factory=dict)
    subs: dict[uuid.UUID, set[str]] = field(default_factory=lambda: defaultdict(set))
    left: dict[str, datetime] = field(default_factory=dict)
    """When the person of this `sub` or name left."""

    def left_at(self, one: InventoryEntry) -> datetime | None:
        """Return when the account's former owner left; None if nobody with that name or `sub`
        did.
        """
        for name in (one.sub, one.username, "" if one.sub else one.name):
            if name and name in self.left:
                return self.left[name]
        return None


def known_of(page: Sequence[InventoryEntry]) -> PageRecords:
    """Load the records about these entries."""
    found = PageRecords()
    _read_accounts(found, page)
    _read_people(found, page)
    strange = [one for one in page if (one.kind, one.name) not in found.accounts]
    if strange:
        _read_left(found, strange)
    return found


def _read_accounts(found: PageRecords, page: Sequence[InventoryEntry]) -> None:
    kinds, names = {one.kind for one in page}, {one.name for one in page}
    rows = Account.objects.filter(kind__in=kinds, name__in=names, gone_at=None).values_list(
        "kind",
        "name",
        "id",
        "person_id",
        "username",
        "person__username",
        "person__state",
        "machine",
        "locked_by_us",
    )
    for kind, name, id_, person, noted, username, state, machine, locked in rows.order_by():
        found.accounts[kind, name] = RecordedAccount(
            id_, person, username or noted, state, machine, locked
        )


def _read_people(found: PageRecords, page: Sequence[InventoryEntry]) -> None:
    subs = {one.sub for one in page if one.sub}
    names = {one.username for one in page if one.username}
    _read_links(found, Q(uid__in=subs))
    # Usually everybody was loaded by then, and no query is left to make.
    owners = {row.person for row in found.accounts.values() if row.person} - found.subs.keys()
    names -= found.by_name.keys()
    if owners or names:
        _read_links(found, Q(user__in=owners) | Q(user__username__in=names))
    names -= found.by_name.keys()
    if names:
        rows = Person.objects.filter(username__in=names).order_by()
        for row in rows.values_list("id", "username", "state"):
            found.by_name[row[1]] = PresentPerson(*row)


def _read_links(found: PageRecords, whose: Q) -> None:
    links = SocialAccount.objects.filter(whose, provider=PROVIDER).order_by()
    for uid, *who in links.values_list("uid", "user_id", "user__username", "user__state"):
        somebody = PresentPerson(*who)
        found.by_sub[uid] = somebody
        found.by_name[somebody.username] = somebody
        found.subs[somebody.id].add(uid)


def _read_left(found: PageRecords, strange: Sequence[InventoryEntry]) -> None:
    subs = {one.sub for one in strange if one.sub}
    names = {one.username for one in strange} | {one.name for one in strange}
    rows = Tombstone.objects.filter(Q(sub__in=subs) | Q(username__in=names - {""}))
    for sub, username, at in rows.order_by("created_at").values_list(
        "sub", "username", "created_at"
    ):
        found.left |= {name: at for name in (sub, username) if name}
