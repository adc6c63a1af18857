"""Inventory of the triplestore: its accounts, its repositories, and public access.

Neither product pages these lists: each is one document, and a page is a part of it, ordered by
name, so that a deletion in between moves nothing. OpenGDB lists repositories to everybody and shows
a superuser as a plain user, so every page begins with the accounts, which only superusers see: that
proves our rights.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, TypeVar, cast

from workspace_manager.contract.connector import System
from workspace_manager.contract.inventory import (
    EVERYBODY,
    OTHER,
    READ,
    WRITE,
    InventoryEntry,
    Page,
    in_order,
    in_parts,
)
from workspace_manager.contract.message import Message
from workspace_manager.contract.names import NameImpossible
from workspace_manager.systems.triplestore import names
from workspace_manager.systems.triplestore.accounts import USER
from workspace_manager.systems.triplestore.client.calls import TriplestoreClient
from workspace_manager.systems.triplestore.client.public import PUBLIC
from workspace_manager.systems.triplestore.connector import Triplestore
from workspace_manager.systems.triplestore.connector.repositories import RepositoryConnector
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.shapes import Account, Odd, Repository

REPOSITORY: Final = RepositoryConnector.kind
ACCOUNTS: Final = 1000
REPOSITORIES: Final = 500
OWN: Final = frozenset({"admin", "rdf4j"})
ANY: Final = "*"
"""GraphDB: a right on every repository."""

T = TypeVar("T")


def inventory(system: System, cursor: str) -> Page:
    """Return the page from the cursor: accounts, then repositories."""
    client = cast(Triplestore, system).client
    parts = {
        "accounts": lambda after: _accounts(client, after),
        "repositories": lambda after: _repositories(client, after),
    }
    return in_parts(parts, cursor)


def _after(found: dict[str, T], after: str, most: int) -> tuple[list[T], str]:
    """Return the items of a page, and the name after which the next one begins."""
    page, following = in_order(found, after, most)
    return [found[name] for name in page], following


# --- accounts -------------------------------------------------------------------------------------


def _accounts(client: TriplestoreClient, after: str) -> Page:
    found: dict[str, Account | Odd] = {
        one.name if isinstance(one, Odd) else one.username: one for one in client.each_account()
    }
    found.pop("", None)
    page, following = _after(found, after, ACCOUNTS)
    return Page(
        tuple(_odd(USER, one) if isinstance(one, Odd) else _account(client, one) for one in page),
        following,
    )


def _odd(kind: str, odd: Odd) -> InventoryEntry:
    """Return the entry of an unreadable item, which is named and left alone."""
    target = names.listed_user(odd.name) if kind == USER else names.listed_repository(odd.name)
    seen, kept = message("seen_odd", name=odd.name), message("kept_odd")
    return InventoryEntry(kind, target, odd.name, seen=seen, kept=kept, unread=True)


def _account(client: TriplestoreClient, one: Account) -> InventoryEntry:
    name, rights = one.username, [r for r in one.authorities if r != names.ROLE_USER]
    kept = _kept_reason(client, one)
    machine = name.startswith(names.MACHINE)
    return InventoryEntry(
        kind=USER,
        target=names.listed_user(name),
        name=name,
        seen=(
            message("seen_account", name=name, n=len(rights))
            if rights
            else message("seen_shut_account", name=name)
        ),
        username="" if kept or machine else name,
        open=bool(rights),
        ours=machine,
        kept=kept,
    )


def _kept_reason(client: TriplestoreClient, one: Account) -> Message | None:
    if one.username in OWN | {client.username}:
        return message("kept_own_name")
    if names.ELEVATED_ROLES & set(one.authorities):
        return message("kept_elevated")
    try:
        names.account_name(one.username)
    except NameImpossible:
        return message("kept_not_addressed")
    return None


# --- repositories ---------------------------------------------------------------------------------


def _repositories(client: TriplestoreClient, after: str) -> Page:
    """Return repositories that people can address, and data that nobody addresses any more."""
    entries, rows = client.each_account(), client.each_repository()
    accounts = [one for one in entries if isinstance(one, Account)]
    all_read = len(accounts) == len(entries)
    known = {one.id: one for one in rows if isinstance(one, Repository) and one.id}
    odd = {one.name: one for one in rows if isinstance(one, Odd)}
    stored = client.stored_ids()
    every = {name: name for name in {*known, *stored, *odd}}
    page, following = _after(every, after, REPOSITORIES)
    holders = _holders(accounts, page)
    listed: list[InventoryEntry] = []
    for name in page:
        if name in odd:
            # It is also unknown whether everybody may use it.
            listed += [_odd(kind, odd[name]) for kind in (REPOSITORY, PUBLIC)]
            continue
        one = known.get(name)
        seen = _description(name, one is not None, name in stored, len(holders[name]))
        repository = _repository(name, seen, holders[name])
        listed.append(replace(repository, holders_unread=not all_read))
        if one is not None and (one.public_read or one.public_write):
            listed.append(_public(one))
    return Page(tuple(listed), following, frozenset() if all_read else frozenset({REPOSITORY}))


def _holders(accounts: Iterable[Account], repositories: list[str]) -> dict[str, dict[str, str]]:
    """Return the readers and writers of each repository in order, with their levels."""
    found: dict[str, dict[str, set[str]]] = {name: defaultdict(set) for name in repositories}
    for account in accounts:
        for right in account.authorities:
            about = names.repository_of(right)
            for name in found if about == ANY else [about or ""]:
                if name in found:
                    found[name][account.username].add(WRITE if names.writes(right) else READ)
    return {
        name: {user: _level(held) for user, held in sorted(users.items())}
        for name, users in found.items()
    }


def _level(held: set[str]) -> str:
    """Return the level. The server separates reading and writing, and we never give writing
    alone.
    """
    return {frozenset({READ}): READ, frozenset({READ, WRITE}): WRITE}.get(frozenset(held), OTHER)


def _description(name: str, is_listed: bool, is_stored: bool, users: int) -> Message:
    if not is_listed:
        return message("seen_orphan", repository=name)
    if not is_stored:
        return message("seen_half_made", repository=name)
    return message("seen_repository", repository=name, n=users)


def _repository(name: str, seen: Message, holders: Mapping[str, str]) -> InventoryEntry:
    return InventoryEntry(
        kind=REPOSITORY,
        target=names.listed_repository(name),
        name=name,
        seen=seen,
        ours=_ours(name),
        kept=_not_ours(name),
        holders=tuple(holders),
        levels=holders,
    )


def _public(one: Repository) -> InventoryEntry:
    return InventoryEntry(
        kind=PUBLIC,
        target=names.listed_repository(one.id),
        name=one.id,
        seen=message("seen_public_write" if one.public_write else "seen_public", repository=one.id),
        ours=_ours(one.id),
        kept=_not_ours(one.id),
        holders=(EVERYBODY,),
        levels={EVERYBODY: WRITE if one.public_write else READ},
    )


def _ours(name: str) -> bool:
    return name.startswith(names.REPOSITORY_PREFIX)


def _not_ours(name: str) -> Message | None:
    if name.startswith(names.ASIDE):
        return message("kept_aside")
    return None if _ours(name) else message("kept_other_id")
