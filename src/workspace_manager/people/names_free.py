"""What still bears a name somewhere: whoever got the name now would inherit it (specification, section 6, step 1).

Notebook containers and volumes are kept on purpose when somebody leaves, and the ontology editor cannot change whose a project is.
Both know people by name alone, so the name is not given away while something is there.
"""

from typing import Protocol, cast

from workspace_manager.contract.connector import System
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import listed
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.engine import pause
from workspace_manager.people.messages import message
from workspace_manager.records.models import Tombstone

KEEPERS = ("notebook_hub", "ontology_editor")
"""Systems in which a name alone says whose a thing is."""


class Keeper(System, Protocol):
    """A system that can say what it keeps under a name."""

    def left_of(self, username: str) -> tuple[Message, ...]:
        """What is there; nothing for a name it could not know. Raises the five errors."""
        ...


def refuse(username: str, systems: ConnectedSystems) -> None:
    """Raise Refused while something of this name is there.

    A system that cannot be asked is believed to keep nothing of a name that nobody had here; of one that somebody had, its error is
    raised: the name waits until it can be asked.
    """
    had = Tombstone.objects.filter(username=username).exists()
    found: list[Message] = []
    for name in KEEPERS:
        if name not in systems.ready:
            continue
        try:
            pause.refuse_paused(name)
            found += cast(Keeper, systems.ready[name]).left_of(username)
        except ConnectorError:
            if had:
                raise
    if found:
        raise Refused(message("leftovers", name=username, things=listed(found)))
