"""Proposed owners of existing accounts, each with its evidence, or with the reason why there is
none.

The user id that a system reports identifies an owner. A name or address does so only if the
identity provider confirmed the address, the account belongs to nobody, and no other person fits.
Names that only look alike are never proposed. Service accounts, administrators' accounts and shared
accounts are left out by the comparison.

See docs/howto/take-over.md.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from typing import Final

from django.db.models import Q, QuerySet

from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.contract.system import Holder
from workspace_manager.core.account_link import account_name as name_of
from workspace_manager.core.address_owners import fold_address, is_same_address
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems, is_own
from workspace_manager.core.lists import ListQuery, Member
from workspace_manager.people import names_free
from workspace_manager.people.unlinked_sign_ins import KIND
from workspace_manager.reconcile.by_id import Key, known_ids, made_of_ids
from workspace_manager.reconcile.candidates import (
    UNKNOWN,
    Candidate,
    Candidates,
    FormerNames,
    holding_accounts,
)
from workspace_manager.reconcile.items import open_items
from workspace_manager.reconcile.listings import PROPOSALS
from workspace_manager.reconcile.look_alikes import looks_like, mixes_scripts
from workspace_manager.reconcile.messages import message
from workspace_manager.records.models import Person, ReconcileItem, UnapprovedSignIn
from workspace_manager.systems import registry
from workspace_manager.systems.identity_provider.names import account_name, is_usable

FRESH: Final = timedelta(days=1)
"""An older comparison cannot be confirmed and has to be repeated."""
MOST: Final = 20_000
"""The most that are computed together; the rest follows when these are decided."""
USERS: Final = "users"
"""The filter of a file of people: numbers of users. No door has it."""
_REQUESTED: Final = replace(
    PROPOSALS,
    members=(*PROPOSALS.members, Member(USERS, filter=lambda n: Q(kind=KIND, n__in=n))),
)


@dataclass(frozen=True)
class Proposal:
    """The proposal for one account. `username`: the owner; "" if nobody is proposed. `why`: the
    evidence, or the reason against.
    """

    item: ReconcileItem
    username: str
    why: Message
    new: bool = False
    """The owner becomes a new person."""
    by_sub: bool = False

    @property
    def line(self) -> str:
        """The proposal as the digest contains it."""
        item = self.item
        return f"{item.n}\t{item.kind}\t{item.name}\t{self.username}\t{int(self.new)}"


def account_items(*, ignored: bool = False) -> QuerySet[ReconcileItem]:
    """Return accounts that belong to nobody; `ignored` includes those that somebody put off.
    Accounts in systems that know people by name alone follow their person without a proposal.
    """
    kinds = [
        kind.kind
        for spec in registry().specs.values()
        for kind in spec.kinds
        if kind.holds_account and not spec.keeps_by_name
    ]
    return open_items(ignored=ignored).filter(difference=UNKNOWN, kind__in=kinds)


def proposals(systems: ConnectedSystems, asked: ListQuery) -> list[Proposal]:
    """Return all requested proposals in order, with or without an owner."""
    judge = OwnerMatcher(systems)
    judge.expect(account_items().filter(kind=KIND))
    rows = _REQUESTED.found(account_items(), asked)[:MOST]
    return [judge.of(item) for item in rows]


def left_out(asked: ListQuery) -> int:
    """Count the requested ones beyond `MOST`."""
    return max(0, _REQUESTED.found(account_items(), asked).count() - MOST)


def digest(found: Iterable[Proposal]) -> str:
    """Return the digest of what was shown, which the confirmation echoes."""
    lines = sorted(one.line for one in found if one.username)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


class OwnerMatcher:
    """Matches accounts with owners, from one reading of the records."""

    def __init__(self, systems: ConnectedSystems) -> None:
        self.systems = systems
        self.now = database_now()
        self.names = names_free.TakenNames(systems.settings)
        self.candidates = Candidates()
        self._ids: dict[str, dict[Key, str]] = {}
        self.left, self.holding = FormerNames(), holding_accounts()
        refused = UnapprovedSignIn.objects.filter(state=UnapprovedSignIn.State.REFUSED)
        self.refused = dict(refused.values_list("sub", "decided_by"))

    def expect(self, users: Iterable[ReconcileItem]) -> None:
        """Allow proposals for users that are themselves proposed."""
        for item in users:
            found = self._user(item)
            if found.new:
                self.candidates.add(
                    Candidate(
                        username=found.username,
                        sub=item.name,
                        email=item.email,
                        confirmed=item.email_confirmed,
                        state=Person.State.ACTIVE,
                        here=False,
                    )
                )

    def of(self, item: ReconcileItem) -> Proposal:
        """Return the proposal for one account. Of several accounts of a kind that fit a person by
        less than an id, none is proposed.
        """
        if self.now - item.last_seen > FRESH:
            return self._no(item, "seen_long_ago", at=item.last_seen)
        if item.kind == KIND:
            return self._user(item)
        found = self._account(item)
        if found.username and not found.by_sub and self._fitting[item.kind, found.username] > 1:
            return self._no(item, "several_accounts", person=Named(person=found.username))
        return found

    @cached_property
    def _fitting(self) -> Counter[tuple[str, str]]:
        """Return how many accounts of a kind fit each person, over all accounts without owner,
        whatever was requested. Streams the rows and keeps counts.
        """
        rows = account_items(ignored=True).filter(sub="").exclude(kind=KIND).order_by()
        rows = rows.only("system", "kind", "name", "sub", "login_name", "email")
        found = (self._account(item) for item in rows.iterator())
        return Counter(
            (one.item.kind, one.username) for one in found if one.username and not one.by_sub
        )

    def _user(self, item: ReconcileItem) -> Proposal:
        sub, name = item.name, account_name(item.login_name)
        theirs = self.candidates.by_sub.get(sub)
        if theirs and theirs.here:
            return self._theirs(item, theirs, "same_sub", by_sub=True)
        if sub in self.left.subs:
            return self._no(item, "of_removed")
        if sub in self.refused:
            return self._no(item, "refused_for_good", by=Named(person=self.refused[sub]))
        if not is_usable(name):
            return self._no(item, "unusable", name=item.login_name)
        why = (
            self.names.why_not(name, sub=sub)
            or self._looks_like_another(item, name)
            or self._email_of_another(item)
        )
        if why:
            return Proposal(item, "", why)
        key = "new_person" if item.email and item.email_confirmed else "new_person_unconfirmed"
        more = {"email": item.email} if key == "new_person" else {}
        evidence = message(key, username=item.login_name, **more)
        return Proposal(item, name, evidence, new=True, by_sub=True)

    def _looks_like_another(self, item: ReconcileItem, name: str) -> Message | None:
        """Return why a person decides by hand: a name looks like another, or was a former
        member's.
        """
        twins = self.candidates.users[looks_like(name)]
        if len(twins) > 1:
            other = next((one for one in twins if one != item.login_name), item.login_name)
            return message("twins", name=item.login_name, other=other)
        if mixes_scripts(name):
            return message("two_scripts", name=item.login_name)
        here = self.candidates.here_like(name)
        if here:
            person = Named(person=here)
            return message("written_otherwise", name=item.login_name, person=person)
        return message("had_before", name=item.login_name) if self.left.had(name) else None

    def _email_of_another(self, item: ReconcileItem) -> Message | None:
        """Return why not, if somebody already has the address: a second account would go
        unnoticed.
        """
        here = [one for one in self.candidates.at(item.email) if one.here]
        if here:
            return message("email_here", person=Named(person=here[0].username))
        same = self.candidates.emails.get(fold_address(item.email), []) if item.email else []
        others = [one for one in same if one != item.login_name]
        return message("email_twice", other=others[0]) if others else None

    def _account(self, item: ReconcileItem) -> Proposal:
        sub = item.sub or self._made_of(item.system).get((item.kind, item.name), "")
        if sub:
            theirs = self.candidates.by_sub.get(sub)
            if theirs is None:
                return self._no(item, "sub_of_nobody", sub=sub)
            return self._theirs(item, theirs, "same_sub", by_sub=True)
        if is_own(item.kind, item.login_name or item.name, self.systems):
            return self._no(item, "own_name")
        return self._by_name_or_email(item)

    def _made_of(self, system: str) -> dict[Key, str]:
        """Return the user ids that a system's account names are derived from, loaded on first
        use.
        """
        if system not in self._ids:
            spec, settings = registry().specs[system], self.systems.settings.get(system)
            try:
                self._ids[system] = dict(made_of_ids(spec, settings, known_ids()))
            except ConnectorError:
                # A system that fails to tell gets no proposals by id.
                self._ids[system] = {}
        return self._ids[system]

    def _by_name_or_email(self, item: ReconcileItem) -> Proposal:
        name = item.login_name or item.name
        alike, at = self.candidates.called(name), self.candidates.at(item.email)
        found = {one.username: one for one in (*alike, *at)}
        if not found:
            return self._no(item, "nobody")
        if len(found) > 1:
            return self._no(item, "several", names=", ".join(sorted(found)))
        (one,) = found.values()
        person = Named(person=one.username)
        if alike and not self._is_called(item, one):
            return self._no(item, "written_otherwise", name=name, person=person)
        if item.email and not is_same_address(item.email, one.email):
            return self._no(item, "another_email", person=person, email=item.email)
        if not (one.email and one.confirmed):
            return self._no(item, "not_confirmed", person=person)
        if self.left.had(one.username) or self.left.had_account(item.kind, item.name):
            return self._no(item, "of_who_had_the_name", person=person)
        if (item.kind, one.username) in self.holding:
            return self._no(item, "take_over.has_one", person=person)
        if not (alike or item.email_confirmed):
            return self._no(item, "written_there", person=person, email=item.email)
        return self._theirs(item, one, "same_name" if alike else "same_email", email=one.email)

    def _is_called(self, item: ReconcileItem, one: Candidate) -> bool:
        """Return whether the account has the person's name, or the system's form of it."""
        if (item.login_name or item.name) == one.username:
            return True
        spec = registry().specs[item.system]
        settings = self.systems.settings.get(item.system)
        if settings is None:
            return False
        try:
            wishes = spec.accounts(settings, Holder(one.username, one.sub))
        except ConnectorError:
            return False
        return item.name in {name_of(w.kind, w.target) for w in wishes if w.kind == item.kind}

    def _theirs(
        self, item: ReconcileItem, one: Candidate, key: str, *, by_sub: bool = False, **more: str
    ) -> Proposal:
        person = Named(person=one.username)
        if one.state != Person.State.ACTIVE:
            return self._no(item, "not_active", person=person)
        return Proposal(item, one.username, message(key, person=person, **more), by_sub=by_sub)

    @staticmethod
    def _no(item: ReconcileItem, key: str, **more: object) -> Proposal:
        return Proposal(item, "", message(key, **more))  # type: ignore[arg-type]
