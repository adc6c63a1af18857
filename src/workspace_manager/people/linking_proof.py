"""Proof required to link an account to a person with special rights: its holder is that person from
then on.
"""

from collections.abc import Iterable
from uuid import UUID

from workspace_manager.access import permissions
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.people.messages import message
from workspace_manager.records.models import Permission, Person


def is_needed(person: Person) -> bool:
    """Return whether the person is an administrator or has permissions."""
    return person.pk in needed_for([person])


def needed_for(people: Iterable[Person]) -> set[UUID]:
    """Return the ids of those who are administrators or have permissions."""
    some = list(people)
    given = Permission.objects.filter(permissions.not_ended(), person__in=some)
    administrators = {one.pk for one in some if one.role == Person.Role.ADMINISTRATOR}
    return administrators | set(given.values_list("person_id", flat=True))


def refuse_unproved(person: Person, meant: str, *, proved: bool) -> None:
    """Raise Refused if another person is `meant`, or none is named where it is required; Forbidden
    if the caller did not prove their identity in the last minutes.
    """
    if meant and person.username != meant:
        raise Refused(message("not_meant", name=person.username, meant=meant))
    if not is_needed(person):
        return
    if not meant:
        raise Refused(message("type_whom", name=person.username))
    if not proved:
        raise Forbidden(message("sign_in_to_link", name=person.username))
