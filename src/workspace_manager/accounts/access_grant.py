"""Giving people access to what is somebody else's: letting them into a project, putting a component
into one, letting everybody read it.

The owner opens a thing, and members who manage a project open that. A permission over all projects
or components opens none of them: its holder could add himself, or a second account, to each. An
administrator opens them too. The owner is told, and reads why where the administrator gets access.

See docs/explanation/permissions.md#opening-what-is-somebody-elses.
"""

from typing import Final

from workspace_manager.access import policy
from workspace_manager.accounts.messages import message
from workspace_manager.audit.note import note
from workspace_manager.contract.message import Message
from workspace_manager.core.address_owners import Address, find_owners, is_confirmed_of
from workspace_manager.core.refusal import BadInput, Forbidden
from workspace_manager.letters import access_letters
from workspace_manager.records.models import Component, Person, Project, Stack

LONGEST_REASON: Final = 500


def checked_reason(
    by: Person,
    thing: policy.Shared,
    reason: str,
    *,
    username: str = "",
    email: str = "",
    to_self: bool = False,
) -> str:
    """The reason as it is told. `username`, `email`: who gets access; `to_self`: whether `by` does.

    Raises Forbidden for somebody who opens the thing to nobody, and BadInput where a reason is
    needed and missing, or is too long.
    """
    if not policy.may_open(by, thing):
        raise Forbidden(message("owner_opens", name=thing.owner.username))
    reason = " ".join(reason.split())
    if len(reason) > LONGEST_REASON:
        raise BadInput({"reason": message("long_reason", count=LONGEST_REASON)})
    if reason or policy.opens_by_right(by, thing):
        return reason
    if to_self or _is_same(by, username, email):
        raise BadInput({"reason": message("reason_to_open", name=thing.owner.username)})
    return reason


def _is_same(by: Person, username: str, email: str) -> bool:
    """Return whether a name or an address may well be of the same human being: their own, or of
    somebody with their confirmed address or their full name.
    """
    if not (username or email):
        return False
    if username == by.username or is_confirmed_of(by, email):
        return True
    sharing = find_owners(Address(by.email, by.email_confirmed))
    found = (
        Person.objects.filter(username=username) if username else find_owners(Address(email, True))
    )
    return any(one in sharing or _name(one) == _name(by) for one in found)


def _name(person: Person) -> list[str]:
    return person.full_name.casefold().split()


def open_by_move(
    by: Person, thing: Component | Stack, project: Project | None, reason: str
) -> None:
    """Check that somebody may put a thing into this project, whose people use it then, and tell its
    owner. Of the locked thing, before it is moved. Raises as `checked_reason` does.
    """
    if project is None or project.id == thing.project_id:
        return
    reason = checked_reason(by, thing, reason, to_self=policy.shares(by, project))
    told = message("put_into", by=by.username, label=thing.label, project=project.label)
    tell_owner(by, thing, told, reason)


def tell_owner(by: Person, thing: policy.Shared, what: Message, reason: str) -> None:
    """Write down that it was opened by somebody whose it is not, and tell its owner. In the
    transaction that opens it.
    """
    if policy.opens_by_right(by, thing):
        return
    note(
        "access:opened_by_another",
        thing.owner.username,
        actor=by.username,
        id=str(thing.id),
        **({"reason": reason} if reason else {}),
    )
    kind = type(thing).__name__.lower()
    access_letters.announce_opening(thing.owner, what, reason, address=f"/{kind}s/{thing.id}")
