"""End dates of people: after the last day the person is suspended, once. Administrators are told
two weeks before. Nothing is removed automatically.

See docs/explanation/end-dates.md.
"""

from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from workspace_manager.access.administrators import (
    lock_administrators,
    refuse_former,
    refuse_self_and_last,
)
from workspace_manager.audit.note import MANAGER, note
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.deadlocks import retry_after_deadlock
from workspace_manager.core.housekeeping_failures import attempt, due_rows
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.states import state_of
from workspace_manager.letters import access_letters
from workspace_manager.people.messages import message
from workspace_manager.people.suspend import suspend
from workspace_manager.people.suspension_terms import FURTHEST, NEVER, Terms
from workspace_manager.records.models import Person

WARNING: Final = timedelta(days=14)
"""How long before the last day the letter is sent."""
SHOWN: Final = timedelta(days=30)
"""How long before it the person sees it."""
AT_ONCE: Final = 100
"""The most people suspended in one round."""


def today() -> date:
    """Return today in UTC, which end dates use."""
    return timezone.now().astimezone(UTC).date()


def near_end_date(person: Person) -> date | None:
    """Return the person's last day if it is near enough to show."""
    day = today()
    return person.ends_at if person.ends_at and day <= person.ends_at <= day + SHOWN else None


def people_ending(within: timedelta, day: date | None = None) -> QuerySet[Person]:
    """Return present people whose last day is within this time of a day, or of today."""
    day = day or today()
    rows = Person.objects.filter(state=Person.State.ACTIVE)
    return rows.filter(ends_at__gte=day, ends_at__lte=day + within)


def read_day(text: str) -> date | None:
    """Return the day of a text; None for "never". Raises BadInput."""
    if text.strip().casefold() == NEVER:
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError as wrong:
        raise BadInput({"until": message("end_format")}) from wrong


def refuse_day(until: date | None) -> None:
    """Raise BadInput for a day that is past, or too far away."""
    if until is not None and not today() <= until <= today() + FURTHEST:
        raise BadInput({"until": message("end_in_future")})


def find_obstacle(person: Person, actor: str) -> Refused | None:
    """Return why this person cannot get an end date now."""
    if person.username == actor:
        return Refused(message("not_end_yourself"))
    if person.state == Person.State.LEAVING:
        return Refused(message("not_here", name=person.username, state=state_of(person.state)))
    try:
        refuse_self_and_last(person, actor)
    except Refused as no:
        return no
    return None


def set_end(username: str, until: date | None, *, actor: str) -> Person:
    """Set a person's last day, or none; the same day changes nothing. Raises BadInput, Refused, and
    Person.DoesNotExist.
    """
    refuse_day(until)
    with transaction.atomic():
        lock_administrators()
        refuse_former(actor)
        person = Person.objects.select_for_update().get(username=username)
        if person.ends_at == until:
            return person
        if until is not None and (no := find_obstacle(person, actor)):
            raise no
        person.ends_at, person.end_set_by = until, actor if until else ""
        person.end_reminded_at = person.end_done_at = None
        person.save(update_fields=["ends_at", "end_set_by", "end_reminded_at", "end_done_at"])
        day = until.isoformat() if until else None
        note("person:end_date", username, actor=actor, until=day)
    return person


def end_due(systems: ConnectedSystems, now: datetime | None = None) -> int:
    """Announce near last days, and suspend people after theirs; return the number of
    suspensions.
    """
    now = now or database_now()
    day = now.astimezone(UTC).date()
    for person in due_rows(
        "remind_of_end_dates", people_ending(WARNING, day).filter(end_reminded_at=None)
    ):
        with attempt("remind_of_end_dates", person.pk):
            _remind(person, now)
    active = Person.objects.filter(state=Person.State.ACTIVE)
    over = active.filter(ends_at__lt=day, end_done_at=None).order_by("ends_at", "username")
    count = 0
    for person in islice(due_rows("end_people", over), AT_ONCE):
        with attempt("end_people", person.pk):
            count += _end(person, systems, now)
    return count


def _remind(person: Person, now: datetime) -> None:
    with transaction.atomic():
        waiting = Person.objects.filter(id=person.id, ends_at=person.ends_at, end_reminded_at=None)
        if waiting.update(end_reminded_at=now):
            access_letters.access_ends(person)


@retry_after_deadlock
def _end(person: Person, systems: ConnectedSystems, now: datetime) -> int:
    """Suspend a person, unless the end date changed, or they are suspended or leaving. The last
    administrator stays and is tried again.
    """
    why = Terms(reason=message("end_reached", day=str(person.ends_at)).english)
    try:
        with transaction.atomic():
            lock_administrators()
            due = Person.objects.select_for_update().filter(
                id=person.id, ends_at=person.ends_at, end_done_at=None
            )
            if not due.exists():
                return 0
            suspend(person.username, actor=MANAGER, systems=systems, terms=why)
            Person.objects.filter(id=person.id).update(end_done_at=now)
    except (Refused, Person.DoesNotExist):
        return 0
    return 1
