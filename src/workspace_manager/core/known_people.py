"""Everybody the manager knows, as checks of systems are told (`contract/known_people.py`)."""

from collections import defaultdict
from uuid import UUID

from workspace_manager.contract.known_people import KnownPerson
from workspace_manager.core.account_link import subs_of
from workspace_manager.records.models import Account, Person, Registration


def known_people() -> tuple[KnownPerson, ...]:
    """Those who are in, and those who were approved and may have signed in elsewhere first."""
    people = list(Person.objects.order_by("username"))
    subs, accounts = subs_of(people), _recorded()
    known = {
        one.username: KnownPerson(
            one.username,
            one.email,
            f"{one.first_name} {one.last_name}".strip(),
            subs.get(one.pk, ""),
            one.state == Person.State.LEAVING,
            accounts.get(one.pk, {}),
        )
        for one in people
    }
    approved = Registration.objects.filter(status=Registration.Status.APPROVED)
    for username, email in approved.order_by("username").values_list("username", "email"):
        known.setdefault(username, KnownPerson(username, email))
    return tuple(known.values())


def _recorded() -> dict[UUID, dict[str, tuple[str, ...]]]:
    """The names of accounts that are there, by person and kind."""
    found: dict[UUID, dict[str, tuple[str, ...]]] = defaultdict(dict)
    there = Account.objects.filter(gone_at=None).exclude(person=None)
    for person, kind, name in there.values_list("person_id", "kind", "name"):
        found[person][kind] = (*found[person].get(kind, ()), name)
    return found
