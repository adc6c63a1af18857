"""Owners of containers, by evidence.

See docs/systems/notebook-hub.md#whose-a-container-is.
"""

from enum import StrEnum
from typing import Final

from workspace_manager.contract.containers import ContainerState
from workspace_manager.systems.notebook_hub.names import hub_user
from workspace_manager.systems.notebook_hub.settings import Settings

USER_LABEL: Final = "hub.user"
"""A label with the owner, which an installation can let its spawner set."""


class Ownership(StrEnum):
    """The evidence for a container's owner."""

    THEIRS = "theirs"
    UNPROVEN = "unproven"
    """Only a name or a variable says so, which anybody can write: it is shown, and never
    stopped.
    """
    OTHERS = "others"


def ownership_of(
    found: ContainerState, user: str, settings: Settings, *, named_by_hub: bool = False
) -> Ownership:
    """Return whether a container with a name of this user is this user's. Anybody who makes
    containers can write the variable with the owner: it counts if the hub names the container, or
    the spawner made it by all evidence.
    """
    said = claimed_user(found)
    if said and hub_user(said) != hub_user(user):
        return Ownership.OTHERS
    if found.component:
        return Ownership.UNPROVEN
    if named_by_hub or (said and looks_spawned(found, settings)):
        return Ownership.THEIRS
    return Ownership.UNPROVEN


def claimed_user(found: ContainerState) -> str:
    """Return the owner that a container names; "" if it names none."""
    return found.hub_user or found.labels.get(USER_LABEL, "")


def looks_spawned(found: ContainerState, settings: Settings) -> bool:
    """Return whether its image or one of its networks is the spawner's, according to the
    settings.
    """
    image = found.image.lower()
    return any(word in image for word in settings.image_words) or bool(
        {*found.networks} & {*settings.network_names}
    )
