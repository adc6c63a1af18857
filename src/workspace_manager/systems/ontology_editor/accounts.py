"""Names the ontology editor uses for itself, and what a suspension takes: people have no account
there that could be looked at, only memberships.
"""

from workspace_manager.contract.message import Message
from workspace_manager.contract.system import DesiredState, Holder, OwnNames
from workspace_manager.systems.ontology_editor.messages import message
from workspace_manager.systems.ontology_editor.names import GUEST
from workspace_manager.systems.ontology_editor.settings import Settings

MEMBERSHIP = "ontology_editor.membership"
GUESTS = frozenset(GUEST[start:] for start in range(len(GUEST)))
"""It takes everybody for a guest in whose name "guest" ends."""


SERVICE_PREFIX = "svc-"
"""How accounts for machines are usually called; reserved also where nobody told us ours."""


def shut(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Every membership ends: who is still signed in there finds nothing but own projects."""
    return tuple(DesiredState(one.kind, one.target) for one in _memberships(holder))


def reopen(_settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    return _memberships(holder)


def _memberships(holder: Holder) -> tuple[DesiredState, ...]:
    return tuple(one for one in holder.shared if one.kind == MEMBERSHIP)


def goes_on(_settings: Settings, holder: Holder) -> tuple[Message, ...]:
    return (message("goes_on"),) if _memberships(holder) else ()


def own_names(settings: Settings) -> OwnNames:
    """Its guests; and the account our key belongs to: whoever signed in by that name would have its
    rights, and lose them for us with the next membership that ends.
    """
    return OwnNames(GUESTS | {settings.service_account} - {""}, (SERVICE_PREFIX,))
