"""Sessions of the manager itself."""

from django.contrib.sessions.models import Session
from django.utils import timezone

from workspace_manager.records.models import Person, SignIn


def end_sessions(person: Person) -> None:
    """End every session of a person here, with the tokens of its sign-in. Sessions are few: they
    are read, not indexed by person.
    """
    SignIn.objects.filter(person=person).delete()
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get("_auth_user_id") == str(person.id):
            session.delete()
