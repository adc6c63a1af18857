"""Import people with existing accounts, many at once, and undo it as long as they did nothing.

Whether a person may be made is decided before (`names_free`; reconcile/proposals.py). Everybody
comes in as a user, whatever was announced: roles are given at a sign-in
(docs/decisions/0018-a-role-is-never-given-by-name.md).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.hashers import make_password
from django.db.models import Q, QuerySet

from workspace_manager.audit.note import note
from workspace_manager.core.account_link import PROVIDER
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.people.unlinked_sign_ins import KIND
from workspace_manager.records.models import Account, Person, Plan, TakeOver, Tile, UnapprovedSignIn
from workspace_manager.work import projects

SURELY_SEEN: Final = timedelta(seconds=2)
"""Added to the moment of recording, so that the account counts as seen and can be missed."""
NOTHING_MADE: Final = (Account, SocialAccount, Tile)
"""Rows that the import itself makes: people with nothing else can be undone."""


@dataclass(frozen=True)
class ProviderUser:
    """A user as the identity provider reports it."""

    sub: str
    username: str
    email: str = ""
    email_confirmed: bool = False
    full_name: str = ""


@dataclass(frozen=True)
class ImportedAccount:
    """An existing account and its new owner."""

    system: str
    kind: str
    name: str
    person: Person


def take_in(found: Sequence[ProviderUser], by: TakeOver) -> list[Person]:
    """Make a person with an account link for each, in the caller's transaction. Raises
    IntegrityError if a name or account was given to somebody at this moment.
    """
    people = Person.objects.bulk_create(_person(one) for one in found)
    SocialAccount.objects.bulk_create(
        SocialAccount(user=person, provider=PROVIDER, uid=one.sub, extra_data={})
        for person, one in zip(people, found, strict=True)
    )
    Tile.objects.bulk_create(
        Tile(owner=person, kind=kind) for person in people for kind in Tile.Kind.values
    )
    UnapprovedSignIn.objects.filter(
        sub__in=[one.sub for one in found], state=UnapprovedSignIn.State.OPEN
    ).update(state=UnapprovedSignIn.State.ADOPTED, decided_by=by.confirmed_by)
    for person, one in zip(people, found, strict=True):
        note(
            "person:taken_over",
            person.username,
            actor=by.confirmed_by,
            sub=one.sub,
            take_over=str(by.id),
        )
    give(
        [
            ImportedAccount(PROVIDER, KIND, one.sub, person)
            for person, one in zip(people, found, strict=True)
        ],
        by,
        noted=False,
    )
    return people


def _person(one: ProviderUser) -> Person:
    """Build a person. The name is asked for again at each sign-in."""
    first, _, last = one.full_name.rpartition(" ")
    return Person(
        username=one.username,
        email=one.email[:254],
        email_confirmed=one.email_confirmed and len(one.email) <= 254,
        first_name=(first or last)[:255],
        last_name=(last if first else "")[:255],
        password=make_password(None),
    )


def adopt_account(one: ImportedAccount, now: datetime, *, by: TakeOver | None = None) -> Account:
    """Build the record of an existing account."""
    return Account(
        created_at=now,
        seen_at=now + SURELY_SEEN,
        system=one.system,
        kind=one.kind,
        name=one.name,
        person=one.person,
        username=one.person.username,
        adopted=True,
        taken_over=by,
    )


def give(accounts: Sequence[ImportedAccount], by: TakeOver, *, noted: bool = True) -> None:
    """Record the owners of these accounts, in the caller's transaction. Raises IntegrityError if
    one was given to somebody at this moment.
    """
    now = database_now()
    Account.objects.bulk_create(adopt_account(one, now, by=by) for one in accounts)
    for one in accounts if noted else ():
        note(
            "account:taken_over",
            one.person.username,
            actor=by.confirmed_by,
            kind=one.kind,
            name=one.name,
            take_over=str(by.id),
        )


def first_time(person: Person, systems: ConnectedSystems) -> bool:
    """Return whether an imported person signs in for the first time; then make what first sign-ins
    make.

    The first project is made here and not at the import, since its ontology project would be
    useless to people who never come.
    """
    if person.last_sign_in is not None:
        return False
    taken = Account.objects.filter(person=person, kind=KIND, adopted=True, gone_at=None)
    if not taken.exists():
        return False
    if not person.projects.filter(default=True).exists():
        projects.make_default(person, systems)
    return True


def undo_import(by: TakeOver, people: Collection[UUID]) -> tuple[int, set[str]]:
    """Undo one confirmation for these people, in the caller's transaction; return the number of
    accounts, and the people who keep everything because something happened since.
    """
    rows = Person.objects.select_for_update().filter(id__in=people).order_by("id")
    found = {person.id: person for person in rows}
    made = set(
        Account.objects.filter(taken_over=by, kind=KIND, person__in=found)
        .filter(person__created_at__gte=by.confirmed_at)
        .values_list("person_id", flat=True)
    )
    kept = _busy(found.values(), by) | _grown(made, by)
    back = [person for id_, person in found.items() if id_ not in kept]
    accounts = Account.objects.filter(taken_over=by, person__in=back)
    count = accounts.count()
    for person in back:
        note(
            "person:take_over_undone",
            person.username,
            actor=by.undone_by,
            take_over=str(by.id),
        )
    accounts.delete()
    gone = Person.objects.filter(id__in=[person.id for person in back if person.id in made])
    links = SocialAccount.objects.filter(user__in=gone)
    # Refused sign-ins of these people are open again.
    UnapprovedSignIn.objects.filter(
        sub__in=list(links.values_list("uid", flat=True)),
        state=UnapprovedSignIn.State.ADOPTED,
        decided_by=by.confirmed_by,
    ).update(state=UnapprovedSignIn.State.OPEN, decided_by="")
    links.delete()
    gone.delete()
    return count, {found[id_].username for id_ in kept}


def _busy(people: Collection[Person], by: TakeOver) -> set[UUID]:
    """Return people who signed in since, have another state, or have an open plan."""
    subjects = {str(person.id): person.id for person in people}
    plans = Plan.objects.filter(subject__in=subjects, state__in=Plan.OPEN)
    busy = {subjects[one] for one in plans.values_list("subject", flat=True)}
    return busy | {
        person.id
        for person in people
        if person.state != Person.State.ACTIVE
        or (person.last_sign_in is not None and person.last_sign_in >= by.confirmed_at)
    }


def _grown(made: set[UUID], by: TakeOver) -> set[UUID]:
    """Return imported people who have more: a role, an end date, a thing, an account."""
    plain = Q(role=Person.Role.USER, ends_at=None)
    grown = set(_ids(Person.objects.filter(id__in=made).exclude(plain), "id"))
    others = Account.objects.filter(person__in=made, gone_at=None).exclude(taken_over=by)
    grown |= set(_ids(others, "person_id"))
    for relation in Person._meta.related_objects:
        model, field = relation.related_model, relation.field
        if relation.many_to_many or model in NOTHING_MADE:
            continue
        rows = model._default_manager.filter(**{f"{field.name}__in": made})
        grown |= set(_ids(rows, field.attname))
    return grown


def _ids(rows: QuerySet, column: str) -> list[UUID]:  # type: ignore[type-arg]
    return list(rows.values_list(column, flat=True))
