"""What it takes to link an account to somebody who may more than everybody: whoever has the account
is that person from then on.
"""

from workspace_manager.core import permissions
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.people.messages import message
from workspace_manager.records.models import Person


def is_needed(person: Person) -> bool:
    """Whether this is an administrator, or somebody with permissions."""
    return person.role == Person.Role.ADMINISTRATOR or permissions.in_force(person).exists()


def refuse_unproved(person: Person, meant: str, *, proved: bool) -> None:
    """Raise Refused where another person is `meant`, or nobody was named who has to be; Forbidden
    where the name is typed by whoever did not prove a few minutes ago who they are.
    """
    if meant and person.username != meant:
        raise Refused(message("not_meant", name=person.username, meant=meant))
    if not is_needed(person):
        return
    if not meant:
        raise Refused(message("type_whom", name=person.username))
    if not proved:
        raise Forbidden(message("sign_in_to_link", name=person.username))
