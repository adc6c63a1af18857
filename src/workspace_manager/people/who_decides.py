"""People who decide on a registration: administrators and holders of the permission; for an
announced administrator, administrators alone.
"""

from workspace_manager.access import permissions
from workspace_manager.core.refusal import Refused
from workspace_manager.people import announcements
from workspace_manager.people.messages import message
from workspace_manager.records.models import Permission, Person, Registration


class NotDeciding(Refused):
    """The actor may not decide, or not any more."""


def refuse_undeciding(actor: str, registration: Registration) -> None:
    """Raise NotDeciding for a person without the right, and for everybody but administrators if an
    administrator is announced under this name.
    """
    acting = Person.objects.filter(username=actor).first()
    if acting is None:
        return
    if not permissions.has(acting, Permission.Name.APPROVE_REGISTRATIONS):
        raise NotDeciding(message("may_not_decide", name=actor))
    name = registration.username
    if announcements.find_announcement(name) and not acting.is_administrator:
        raise NotDeciding(message("announced_decided_by_administrators", name=name))
