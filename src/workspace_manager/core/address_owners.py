"""The owners of e-mail addresses: nothing else in the manager says whose one is.

Anybody may write any address into their own account. An address that the identity provider does not
call confirmed is therefore nobody's, on either side: neither does it name a person to whoever comes
with it, nor does a person have it who wrote it there.

See docs/decisions/0037-an-unconfirmed-address-is-nobodys.md.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Any, Final

from django.db.models import Exists, Q, QuerySet
from django.db.models.functions import Lower

from workspace_manager.records.models import Person

SMALL: Final = str.maketrans(ascii_uppercase, ascii_lowercase)
"""Letters of ASCII alone: other letters that become the same in lower case are another mailbox."""


@dataclass(frozen=True)
class Address:
    """An address that somebody comes with. `confirmed`: the identity provider calls it so."""

    email: str
    confirmed: bool


def find_owners(address: Address) -> list[Person]:
    """Everybody who has this address confirmed; nobody where it is not."""
    return whose_each([address])[address]


def whose_each(addresses: Iterable[Address]) -> dict[Address, list[Person]]:
    """The owner of each of several addresses, with as many queries as for one."""
    asked = list(addresses)
    found = Q(pk=None)
    for email in {fold_address(one.email) for one in asked if one.confirmed and one.email}:
        found |= Q(email__iexact=email)
    people = list(Person.objects.filter(found, email_confirmed=True))
    return {
        one: [
            person
            for person in people
            if one.confirmed and is_same_address(person.email, one.email)
        ]
        for one in asked
    }


def having_one_of(emails: QuerySet[Any]) -> QuerySet[Person]:
    """Everybody who has one of these addresses confirmed; the addresses are `folded`."""
    return Person.objects.annotate(folded=Lower("email")).filter(
        email_confirmed=True, folded__in=emails
    )


def others_have_address_of(person: Person) -> Exists:
    """Return whether somebody else has this person's address confirmed too; to be asked with a
    query.
    """
    others = Person.objects.exclude(id=person.id)
    return Exists(others.filter(email_confirmed=True, email__iexact=person.email))


def is_confirmed_of(person: Person, email: str) -> bool:
    """Return whether this is the confirmed address of this person."""
    return person.email_confirmed and is_same_address(person.email, email)


def is_same_address(one: str, other: str) -> bool:
    """Return whether two texts are one address. This alone says nothing of whose it is."""
    return bool(one) and fold_address(one) == fold_address(other)


def fold_address(email: str) -> str:
    """An address as it is compared."""
    return email.strip().translate(SMALL)
