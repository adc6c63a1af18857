"""Administrators. Nobody can take the role from themselves or from the last active
administrator.
"""

from django.db import transaction

from workspace_manager.access import tokens
from workspace_manager.access.administrators import (
    forget_announcement,
    lock_administrators,
    refuse_former,
)
from workspace_manager.audit.note import note
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.core.account_link import sub_of
from workspace_manager.core.address_owners import is_confirmed_of
from workspace_manager.core.deadlocks import retry_after_deadlock
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.letters import change_notices
from workspace_manager.letters.messages import message as of_what_happened
from workspace_manager.people import announcements
from workspace_manager.people.messages import message
from workspace_manager.records.models import Announcement, Person
from workspace_manager.systems.identity_provider.names import account_name, is_usable


@retry_after_deadlock
def make_administrator(
    username: str, *, actor: str, sub: str = "", email: str = "", until: str = ""
) -> str:
    """Give the role to a present person, or announce an absent one; return the canonical name. A
    repetition changes nothing: a person who came under an announced name is confirmed, not added.

    `sub`, `email`: the identifier of an announcement; `until`: its end. Raises Refused for a
    leaving person or another account or address, and BadInput for unusable values.
    """
    username = _name(username)
    with transaction.atomic():
        lock_administrators()
        refuse_former(actor)
        person = Person.objects.select_for_update().filter(username=username).first()
        if person is None:
            announcements.announce(username, sub=sub, email=email, until=until, actor=actor)
        else:
            _refuse_leaving(person)
            if (sub and sub != sub_of(person)) or (email and not is_confirmed_of(person, email)):
                raise Refused(message("another_account", name=Named(person=username)))
            if announcements.find_announcement(username) is None:
                announcements.give(person, how="of somebody who is here", actor=actor)
    return username


def confirm(username: str, *, actor: str) -> str:
    """Make the person an administrator who came under an announced name. Raises Refused if the
    announcement ended, nobody came, or it was for somebody else.
    """
    with transaction.atomic():
        lock_administrators()
        refuse_former(actor)
        name = Named(person=username)
        found = announcements.find_announcement(username)
        if found is None:
            raise Refused(message("not_announced", name=name))
        person = Person.objects.select_for_update().filter(username=username).first()
        if person is None:
            raise Refused(message("nobody_came", name=name))
        _refuse_leaving(person)
        if announcements.read_binding(found) is not announcements.Binding.NAME:
            raise Refused(message("announced_for_another", name=name))
        announcements.give(person, how="confirmed", actor=actor)
    return username


def _refuse_leaving(person: Person) -> None:
    if person.state == Person.State.LEAVING:
        raise Refused(message("leaving", name=person.username))


def _name(text: str) -> str:
    """Return a user name as the identity provider writes it; existing names there may break our
    rules for new ones.
    """
    name = text if Person.objects.filter(username=text).exists() else account_name(text.strip())
    if not is_usable(name):
        raise BadInput({"username": message("usable_name")})
    return name


def holds_role(username: str) -> bool:
    """Return whether a name belongs to an administrator, or to an announced one."""
    administrators = Person.objects.filter(username=username, role=Person.Role.ADMINISTRATOR)
    return administrators.exists() or Announcement.objects.filter(username=username).exists()


@retry_after_deadlock
def make_user(username: str, *, actor: str) -> Message:
    """Take the role. Raises Refused for oneself and for the last active administrator;
    Person.DoesNotExist if there is no role to take.
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
            tokens.end_of_role(person)
            what = of_what_happened("administrator_removed", by=change_notices.by_whom(actor))
            change_notices.tell([person], what, about=username, by=actor)
        note("administrator:removed", username, actor=actor)
    return message("no_administrator", name=username)
