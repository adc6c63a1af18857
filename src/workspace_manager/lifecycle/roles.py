"""Who is an administrator: nobody takes the role from himself or from the last active one."""

from django.db import transaction

from workspace_manager.lifecycle import history
from workspace_manager.lifecycle.refusal import Refused
from workspace_manager.records.models import Person, StoredSetting

PREFIX = "administrator:"


def announced() -> list[str]:
    """Names that become administrators at their first sign-in."""
    rows = StoredSetting.objects.filter(system="manager", name__startswith=PREFIX)
    return sorted(row.name.removeprefix(PREFIX) for row in rows)


def make_administrator(username: str, *, actor: str) -> str:
    """Give the role now, or announce it for the first sign-in; says which."""
    with transaction.atomic():
        changed = Person.objects.filter(username=username).update(role=Person.Role.ADMINISTRATOR)
        history.note("administrator:added", username, actor=actor)
        if changed:
            return f"{username} is an administrator."
        StoredSetting.objects.get_or_create(system="manager", name=PREFIX + username)
    return f"Nobody called {username} has signed in yet; {username} becomes an administrator at the first sign-in."


def make_user(username: str, *, actor: str) -> str:
    """Take the role. Raises Refused for oneself and for the last active administrator."""
    with transaction.atomic():
        # All administrators are locked, so that two removing each other leave one.
        others = list(
            Person.objects.active_administrators().select_for_update().exclude(username=username)
        )
        if username == actor:
            raise Refused("Nobody takes the role from himself. Ask another administrator.")
        StoredSetting.objects.filter(system="manager", name=PREFIX + username).delete()
        person = Person.objects.filter(username=username, role=Person.Role.ADMINISTRATOR).first()
        if person and not others:
            raise Refused(
                f"{username} is the last active administrator. Make somebody else one first."
            )
        Person.objects.filter(username=username).update(role=Person.Role.USER)
        history.note("administrator:removed", username, actor=actor)
    return f"{username} is not an administrator."
