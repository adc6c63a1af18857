"""Sessions of the manager itself: ended, and cleared away."""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings

from workspace_manager.core.batch_deletion import clear
from workspace_manager.core.clock import database_now
from workspace_manager.records.models import Person, Session, SignIn

MOST: Final = 2_000


def end_sessions(person: Person) -> None:
    """End every session of a person here, with the tokens of its sign-in. In two statements,
    however many sessions there are.
    """
    SignIn.objects.filter(person=person).delete()
    Session.objects.filter(person=person.id).delete()


def forget_old(now: datetime | None = None, *, most: int = MOST) -> None:
    """Delete sessions that have ended by their age, and sign-ins whose sessions have; of each at
    most so many, since this comes again soon.
    """
    now = now or database_now()
    oldest = now - timedelta(seconds=settings.SESSION_COOKIE_AGE)
    clear(Session.objects.filter(expire_date__lt=now).order_by("expire_date"), most=most)
    clear(SignIn.objects.filter(begun_at__lt=oldest).order_by("begun_at"), most=most)
