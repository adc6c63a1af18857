"""Names that the ontology editor uses itself, and the effects of a suspension: people have no
visible account there, only memberships.
"""

from workspace_manager.contract.message import Message
from workspace_manager.contract.system import DesiredState, Holder, OwnNames
from workspace_manager.systems.ontology_editor.messages import message
from workspace_manager.systems.ontology_editor.names import GUEST
from workspace_manager.systems.ontology_editor.settings import Settings

MEMBERSHIP = "ontology_editor.membership"
GUESTS = frozenset(GUEST[start:] for start in range(len(GUEST)))
"""Guests: the editor treats a name as a guest's if "guest" ends with it."""


SERVICE_PREFIX = "svc-"
"""The usual prefix of service accounts; reserved even if ours is not known."""


def shut(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Return the ends of all memberships: a person who is still signed in finds only their own
    projects.
    """
    return tuple(DesiredState(one.kind, one.target) for one in _memberships(holder))


def reopen(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    return _memberships(holder)


def _memberships(holder: Holder) -> tuple[DesiredState, ...]:
    return tuple(one for one in holder.shared if one.kind == MEMBERSHIP)


def goes_on(_settings: Settings, holder: Holder) -> tuple[Message, ...]:
    return (message("goes_on"),) if _memberships(holder) else ()


def own_names(settings: Settings) -> OwnNames:
    """Return its guests, and the account of our key: a person with that name would get its rights,
    and ending their membership would remove ours.
    """
    return OwnNames(GUESTS | {settings.service_account} - {""}, (SERVICE_PREFIX,))
