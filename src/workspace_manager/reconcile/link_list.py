"""Relinking by a list, for a directory that gave many people new ids: each row names a person and
their present account. Each row is checked first, and linked like a single one
(`unlinked_sign_ins.relink`).

A list proves nothing. Its rows choose among accounts that the last comparison found or that tried
to sign in, and their other fields must agree. Administrators are left out: linking them needs more
proof (docs/decisions/0037-an-unconfirmed-address-is-nobodys.md).
"""

import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.db.models import QuerySet

from workspace_manager.access.administrators import refuse_former
from workspace_manager.audit.note import note
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.core.address_owners import Address, fold_address
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.core.states import state_of
from workspace_manager.people import linking_proof, names_free, unlinked_sign_ins
from workspace_manager.people.unlinked_sign_ins import KIND, PROVIDER, RefusalReason
from workspace_manager.reconcile.items import open_items
from workspace_manager.reconcile.messages import message
from workspace_manager.records.models import Account, Person, ReconcileItem, UnapprovedSignIn

Outcome = Literal["found", "linked", "already", "left_out", "later"]
MOST: Final = 1000
LONGEST_S: Final = 20
"""A REST client waits for the answer, and sends the remaining rows again."""
DIFFERENCES: Final = (
    ReconcileItem.Difference.IDENTITY_RECREATED,
    ReconcileItem.Difference.UNKNOWN_ACCOUNT,
)


@dataclass(frozen=True)
class Row:
    """One line: the person, and the id or address of their present account."""

    line: int
    username: str
    account: str


@dataclass(frozen=True)
class ProviderAccount:
    """An account of the identity provider, as last seen."""

    sub: str
    name: str
    address: Address
    refused_by: str = ""


@dataclass(frozen=True)
class Result:
    """The result of a row, and its reason."""

    row: Row
    outcome: Outcome
    text: Message
    known: ProviderAccount | None = None


class ListChanged(Refused):
    """The list would do something else than was shown."""


def look(rows: Sequence[Row]) -> list[Result]:
    """Return the result that each row would have. Writes nothing."""
    return _Compared(rows).all_of()


def digest(results: Sequence[Result]) -> str:
    """Return the digest of the results, to confirm them."""
    shown = [
        (one.row.username, one.row.account, one.outcome, one.known.sub if one.known else "")
        for one in results
    ]
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]


def link(
    rows: Sequence[Row],
    *,
    shown: str,
    actor: str,
    systems: ConnectedSystems,
    longest_s: float = LONGEST_S,
) -> list[Result]:
    """Link every row with a match, as it was `shown` (a digest). Each link is one transaction;
    repeating the list links nobody twice. Raises ListChanged.
    """
    seen = look(rows)
    if digest(seen) != shown:
        raise ListChanged(message("link_list.changed"))
    until, results = time.monotonic() + longest_s, list[Result]()
    try:
        for one in seen:
            if one.outcome == "found" and time.monotonic() >= until:
                one = replace(one, outcome="later", text=message("link_list.later"))
            results.append(_linked(one, actor, systems) if one.outcome == "found" else one)
    finally:
        counts = Counter(str(one.outcome) for one in results)
        note("people:relinked", "", actor=actor, rows=len(rows), **counts)
    return results


def _linked(one: Result, actor: str, systems: ConnectedSystems) -> Result:
    known = one.known
    assert known
    try:
        with transaction.atomic():
            refuse_former(actor)
            # The person is locked before the sign-in (records/lock_order.py).
            people = Person.objects.select_for_update().filter(username=one.row.username)
            list(people.values_list("id"))
            (door,) = _at_the_door([known])
            stranger = unlinked_sign_ins.lock_stranger(
                sub=known.sub,
                username=known.name,
                address=known.address,
                why=RefusalReason(door.why),
            )
            person = unlinked_sign_ins.relink(
                stranger.id, actor=actor, systems=systems, meant=one.row.username
            )
            _items().filter(name=known.sub).update(ended_at=database_now())
    except (Refused, Forbidden) as no:
        return replace(one, outcome="left_out", text=no.message)
    said = message("link_list.linked", person=Named(person=person.username), sub=known.sub)
    return replace(one, outcome="linked", text=said)


class _Compared:
    """The people and accounts that a list can name, loaded once for all rows."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        names = {row.username for row in rows}
        self._people = {one.username: one for one in Person.objects.filter(username__in=names)}
        self._names = Counter(row.username for row in rows)
        self._accounts = Counter(fold_address(row.account) for row in rows)
        self._known: dict[str, ProviderAccount] = {}
        self._at: dict[str, list[ProviderAccount]] = defaultdict(list)
        for known in _known():
            self._known[known.sub.lower()] = known
        for known in self._known.values():
            if known.address.email:
                self._at[fold_address(known.address.email)].append(known)
        links = SocialAccount.objects.filter(provider=PROVIDER)
        self._links = dict(links.values_list("uid", "user__username"))
        recorded = Account.objects.filter(kind=KIND, gone_at=None).exclude(person=None)
        self._recorded = dict(recorded.values_list("name", "person__username"))
        self._left = set(names_free.standing_tombstones().values_list("sub", flat=True)) - {""}
        meant = {one.sub: one for row in rows for one in self._meant(row.account)}
        doors = _at_the_door(meant.values())
        whose = unlinked_sign_ins.people_for(doors)
        self._whose = {one.sub: whose[one.id] for one in doors}
        """The people that each account may be linked to."""
        self._more = linking_proof.needed_for(self._people.values())

    def all_of(self) -> list[Result]:
        return [self._of(row) for row in self._rows]

    def _of(self, row: Row) -> Result:
        def left_out(key: str, **said: str | int) -> Result:
            return Result(row, "left_out", message(key, **said))

        person = self._people.get(row.username)
        if person is None:
            return left_out("link_list.nobody", name=row.username)
        if self._names[row.username] > 1 or self._accounts[fold_address(row.account)] > 1:
            return left_out("link_list.twice")
        named = Named(person=person.username)
        accounts = self._meant(row.account)
        owners = {self._links.get(one.sub) for one in accounts} | {self._links.get(row.account)}
        if person.username in owners:
            return Result(row, "already", message("link_list.already", person=named))
        by_id = row.account.lower() in self._known
        confirmed = [one for one in accounts if by_id or one.address.confirmed]
        if not accounts and row.account in self._links:
            owner = Named(person=self._links[row.account])
            return Result(row, "left_out", message("link_list.anothers", person=owner))
        if not accounts:
            return left_out("link_list.not_found", account=row.account)
        if not confirmed:
            return left_out("link_list.unconfirmed", account=row.account)
        if len(confirmed) > 1:
            return left_out("link_list.several", account=row.account, count=len(confirmed))
        (known,) = confirmed
        why = self._against(person, known)
        if why is not None:
            return Result(row, "left_out", why, known)
        text = message("link_list.found", person=named, sub=known.sub, name=known.name)
        return Result(row, "found", text, known)

    def _meant(self, account: str) -> list[ProviderAccount]:
        """Return the account with this id, or those with this address."""
        by_id = self._known.get(account.lower())
        return [by_id] if by_id else self._at.get(fold_address(account), [])

    def _against(self, person: Person, known: ProviderAccount) -> Message | None:
        """Return why an account may not be linked to a person; None if it may."""
        named = Named(person=person.username)
        owner = self._links.get(known.sub) or self._recorded.get(known.sub)
        if owner and owner != person.username:
            return message("link_list.anothers", person=Named(person=owner))
        if known.sub in self._left:
            return message("link_list.of_removed")
        if known.refused_by:
            return message("link_list.refused", by=known.refused_by)
        if self._whose[known.sub] != person:
            return message("link_list.other_name", name=known.name, person=named)
        if person.pk in self._more:
            return message("link_list.administrator", person=named)
        if person.state != Person.State.ACTIVE:
            return message("link_list.not_active", person=named, state=state_of(person.state))
        return None


def _at_the_door(known: Iterable[ProviderAccount]) -> list[UnapprovedSignIn]:
    """Build unapproved sign-ins of these accounts without saving them."""
    seen = list(known)
    named = Person.objects.filter(username__in=[one.name for one in seen])
    names = set(named.values_list("username", flat=True))
    return [
        UnapprovedSignIn(
            sub=one.sub,
            username=one.name,
            email=one.address.email,
            email_confirmed=one.address.confirmed,
            why=RefusalReason.OTHER_SUB if one.name in names else RefusalReason.SAME_EMAIL,
        )
        for one in seen
    ]


def _items() -> QuerySet[ReconcileItem]:
    return open_items(ignored=True).filter(kind=KIND, difference__in=DIFFERENCES)


def _known() -> list[ProviderAccount]:
    """Return refused sign-ins, then found users: the comparison covers the whole realm."""
    door = UnapprovedSignIn.objects.order_by("last_seen")
    found = [
        ProviderAccount(
            one.sub,
            one.username,
            Address(one.email, one.email_confirmed),
            one.decided_by if one.state == UnapprovedSignIn.State.REFUSED else "",
        )
        for one in door
    ]
    refused = {one.sub: one.refused_by for one in found}
    return found + [
        ProviderAccount(
            one.sub or one.name,
            one.login_name,
            Address(one.email, one.email_confirmed),
            refused.get(one.sub or one.name, ""),
        )
        for one in _items().order_by("n")
    ]
