"""Who is an administrator. The role cannot be taken from yourself or from the last active
administrator.
"""

from django.db import transaction

from workspace_manager.contract.message import Message
from workspace_manager.core import audit
from workspace_manager.core.administrators import (
    PREFIX,
    forget_announcement,
    lock_administrators,
    refuse_former,
)
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.people.messages import message
from workspace_manager.records.models import Person, StoredSetting
from workspace_manager.systems.identity_provider.names import account_name, is_usable


def announced() -> list[str]:
    """Names that become administrators at their first sign-in."""
    rows = StoredSetting.objects.filter(system="manager", name__startswith=PREFIX)
    return sorted(row.name.removeprefix(PREFIX) for row in rows)


def make_administrator(username: str, *, actor: str) -> str:
    """Give the role now, or announce it for the first sign-in; gives the name as it is known. Again
    changes nothing.

    Raises Refused for somebody who is leaving, and BadInput for what cannot be a user name.
    """
    username = _name(username)
    with transaction.atomic():
        lock_administrators()
        refuse_former(actor)
        person = Person.objects.select_for_update().filter(username=username).first()
        if person and person.state == Person.State.LEAVING:
            raise Refused(message("leaving", name=username))
        new = person is None or person.role != Person.Role.ADMINISTRATOR
        if person:
            person.role = Person.Role.ADMINISTRATOR
            person.save(update_fields=["role"])
        else:
            _, new = StoredSetting.objects.get_or_create(system="manager", name=PREFIX + username)
        if new:
            audit.note("administrator:added", username, actor=actor)
    return username


def _name(text: str) -> str:
    """A user name as the identity provider would tell it; names that were made there may break our
    rules for new ones.
    """
    name = text if Person.objects.filter(username=text).exists() else account_name(text.strip())
    if not is_usable(name):
        raise BadInput({"username": message("usable_name")})
    return name


def make_user(username: str, *, actor: str) -> Message:
    """Take the role. Raises Refused for oneself and for the last active administrator,
    Person.DoesNotExist where there is no role to take.
    """
    with transaction.atomic():
        lock_administrators()
        if username == actor:
            raise Refused(message("not_your_role"))
        refuse_former(actor)
        announcement = forget_announcement(username)
        person = Person.objects.filter(username=username, role=Person.Role.ADMINISTRATOR).first()
        if not announcement and person is None:
            raise Person.DoesNotExist
        others = Person.objects.active_administrators().exclude(username=username)
        if person and not others.exists():
            raise Refused(of_core("last_administrator", name=username))
        if person:
            Person.objects.filter(id=person.id).update(role=Person.Role.USER)
        audit.note("administrator:removed", username, actor=actor)
    return message("no_administrator", name=username)
