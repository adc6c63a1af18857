"""Sessions of the manager itself."""

from django.contrib.sessions.models import Session
from django.utils import timezone

from workspace_manager.records.models import Person


def end_sessions(person: Person) -> None:
    """End every session of a person here. Sessions are few: they are read, not indexed
    by person.
    """
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get("_auth_user_id") == str(person.id):
            session.delete()
