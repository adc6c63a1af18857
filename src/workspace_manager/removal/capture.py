"""Capture every identifier of a person before anything is removed, from records and derived names,
never from systems.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from workspace_manager.contract.message import Message, Words
from workspace_manager.contract.message import Person as Named
from workspace_manager.contract.names import NameImpossible
from workspace_manager.core.account_link import standing_accounts, sub_of
from workspace_manager.core.connected_systems import ConnectedSystems, is_own, label_of
from workspace_manager.records.models import Account, Person, Snapshot
from workspace_manager.removal.messages import message

T = TypeVar("T")


@dataclass(frozen=True)
class CapturedPerson:
    """The person who leaves: id, user name, `sub` ("" without account link), and the recorded
    account names of each kind.
    """

    person: Person
    subject: str
    username: str
    sub: str
    accounts: Mapping[str, tuple[str, ...]]
    systems: ConnectedSystems
    adopted: frozenset[tuple[str, str]] = frozenset()
    """Accounts (kind, name) that existed before and that take-over gave to the person."""
    former_names: tuple[str, ...] = ()
    """Other user names that accounts of the person were recorded for."""
    former_subs: tuple[str, ...] = ()
    """Earlier `sub`s of the person, whose user was made again and relinked."""

    @cached_property
    def snapshots(self) -> tuple[Snapshot, ...]:
        """Everything that the person keeps in the store, also of what is gone; the oldest first.
        It is read for a removal alone.
        """
        return tuple(Snapshot.objects.filter(owner=self.person).order_by("created_at"))

    def recorded(self, kind: str) -> tuple[str, ...]:
        return self.accounts.get(kind, ())

    def account_of(self, kind: str, rule: Callable[[str], str]) -> list[str]:
        """Return the account name that the person's name gives; empty if the system or the manager
        uses that name itself.
        """
        found = derive_names(rule, self.username)
        return [one for one in found if not is_own(kind, one, self.systems)]

    def not_configured(self, system: str, *kinds: str) -> Words:
        """Return why a step has nothing to do, if the system is not configured and no account is
        recorded there; else "".
        """
        there = self.systems.configured(system) or self.systems.fails(system)
        if there or any(self.recorded(kind) for kind in kinds):
            return ""
        person = Named(person=self.username)
        return message("not_configured", system=label_of(system), person=person)


def capture(person: Person, systems: ConnectedSystems) -> CapturedPerson:
    accounts: dict[str, tuple[str, ...]] = {}
    standing = list(standing_accounts(person).order_by("kind", "name"))
    for account in standing:
        accounts[account.kind] = (*accounts.get(account.kind, ()), account.name)
    sub = sub_of(person)
    former = Account.objects.filter(person=person, kind="identity_provider.user").exclude(
        gone_at=None
    )
    return CapturedPerson(
        person=person,
        subject=str(person.id),
        username=person.username,
        sub=sub,
        accounts=accounts,
        systems=systems,
        adopted=frozenset((one.kind, one.name) for one in standing if one.adopted),
        former_names=tuple(sorted({one.username for one in standing} - {"", person.username})),
        former_subs=tuple(
            dict.fromkeys(former.exclude(name=sub).order_by("name").values_list("name", flat=True))
        ),
    )


def derive_names(rule: Callable[[str], T], username: str) -> list[T]:
    """Return the person's name in a system; empty if the system cannot take such a name."""
    try:
        return [rule(username)]
    except NameImpossible:
        return []


def no_link(username: str) -> Message:
    """Return why there is no identity to act on: nobody ever signed in with it."""
    return message("no_link", person=Named(person=username))
