"""Sessions of the manager itself: ended, and cleared away."""

from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from workspace_manager.records.models import Person, Session, SignIn

MOST: Final = 2_000
"""So many old rows go at once: whoever waits to write waits no longer than that takes."""


def end_sessions(person: Person) -> None:
    """End every session of a person here, with the tokens of its sign-in. In two statements,
    however many sessions there are.
    """
    SignIn.objects.filter(person=person).delete()
    Session.objects.filter(person=person.id).delete()


def forget_old(*, most: int = MOST) -> None:
    """Delete sessions that have ended by their age, and sign-ins whose sessions have; of each at
    most so many, since this comes again soon.
    """
    now = timezone.now()
    oldest = now - timedelta(seconds=settings.SESSION_COOKIE_AGE)
    _delete(Session.objects.filter(expire_date__lt=now).order_by("expire_date"), most)
    _delete(SignIn.objects.filter(begun_at__lt=oldest).order_by("begun_at"), most)


def _delete(old: QuerySet[Session] | QuerySet[SignIn], most: int) -> None:
    # Looked for first: where there is nothing, nothing is written.
    names: list[Any] = list(old.values_list("pk", flat=True)[:most])
    if names:
        old.model.objects.filter(pk__in=names).delete()
