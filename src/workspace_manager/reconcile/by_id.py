"""Accounts whose name is derived from a user id without showing it: the drive hashes a long one.
The name proves whose account it is.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from allauth.socialaccount.models import SocialAccount

from workspace_manager.contract.inventory import InventoryEntry
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.contract.system import Holder, SystemSpec
from workspace_manager.core.account_link import PROVIDER, account_name
from workspace_manager.people.unlinked_sign_ins import KIND
from workspace_manager.reconcile.items import open_items
from workspace_manager.records.models import Account

Key = tuple[str, str]
SOMEBODY: Final = "somebody"


def known_ids() -> Iterator[str]:
    """Yield every known user id: of people who signed in, were approved, or were found. Streams one
    query.
    """
    approved = Account.objects.filter(kind=KIND, gone_at=None).order_by().values_list("name")
    found = open_items(ignored=True).filter(kind=KIND).order_by().values_list("name")
    linked = SocialAccount.objects.filter(provider=PROVIDER).order_by().values_list("uid")
    return (uid for (uid,) in linked.union(approved, found).iterator())


def made_of_ids(
    spec: SystemSpec[Any], settings: SystemSettings | None, subs: Iterable[str]
) -> Iterator[tuple[Key, str]]:
    """Yield each account (kind, name) that these ids give in a system, with the id. Accounts
    derived from names are left out, since a name proves nothing.
    """
    if settings is None:
        return
    by_name = set(_accounts(spec, settings, ""))
    if by_name == set(_accounts(spec, settings, SOMEBODY)):
        return
    for sub in subs:
        for key in _accounts(spec, settings, sub):
            if key not in by_name:
                yield key, sub


def _accounts(spec: SystemSpec[Any], settings: SystemSettings, sub: str) -> Iterator[Key]:
    for wish in spec.accounts(settings, Holder(SOMEBODY, sub)):
        yield wish.kind, account_name(wish.kind, wish.target)


def with_ids(
    spec: SystemSpec[Any], settings: SystemSettings | None, page: Sequence[InventoryEntry]
) -> Sequence[InventoryEntry]:
    """Add the user id to each account of the page that was derived from one."""
    kinds = {kind.kind for kind in spec.kinds if kind.holds_account}
    silent = {
        (one.kind, one.name)
        for one in page
        if one.kind in kinds and not one.sub and one.kept is None
    }
    if not silent:
        return page
    found = {key: sub for key, sub in made_of_ids(spec, settings, known_ids()) if key in silent}
    return [
        replace(one, sub=found[one.kind, one.name]) if (one.kind, one.name) in found else one
        for one in page
    ]
