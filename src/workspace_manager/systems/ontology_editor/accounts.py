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
"""The editor takes everybody for a guest with whose name "guest" ends."""


SERVICE_PREFIX = "svc-"
"""The usual prefix of service accounts; reserved even if ours is not known."""


def shut(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """End every membership: a person who is still signed in finds only their own projects."""
    return tuple(DesiredState(one.kind, one.target) for one in _memberships(holder))


def reopen(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    return _memberships(holder)


def _memberships(holder: Holder) -> tuple[DesiredState, ...]:
    return tuple(one for one in holder.shared if one.kind == MEMBERSHIP)


def goes_on(_settings: Settings, holder: Holder) -> tuple[Message, ...]:
    return (message("goes_on"),) if _memberships(holder) else ()


def own_names(settings: Settings) -> OwnNames:
    """Return its guests, and the account of our key: a person who signs in with that name would get
    its rights, and remove ours with the next membership that ends.
    """
    return OwnNames(GUESTS | {settings.service_account} - {""}, (SERVICE_PREFIX,))
