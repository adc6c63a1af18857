"""A person's notebook containers: stopped by a removal or a suspension, never removed."""

import contextlib
from collections.abc import Mapping
from typing import Any

from workspace_manager.contract.connector import Target
from workspace_manager.contract.message import Message
from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.system import CONTAINERS, DesiredState, Holder, OwnNames
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import KIND, container_target, hub_user
from workspace_manager.systems.notebook_hub.settings import Settings


def stops(settings: Settings, holder: Holder) -> tuple[DesiredState, ...]:
    """Return a stop for each container: the one that the spawner would make, and those recorded
    with another name.
    """
    targets: list[Target] = []
    # A name that is impossible there has no notebook.
    with contextlib.suppress(NameImpossible):
        made = container_target(
            holder.username,
            prefix=settings.container_name_prefix,
            escape=settings.container_name_escape,
        )
        targets.append(made)
    derived = [target["container"] for target in targets]
    others = [one for one in holder.known(KIND) if one not in derived]
    targets += [{"container": one, "hub_user": holder.username} for one in others]
    return tuple(DesiredState(KIND, target, {"running": False}) for target in targets)


def goes_on(_settings: Settings, _holder: Holder) -> tuple[Message, ...]:
    return (message("goes_on"),)


def remarks(_settings: Settings, holder: Holder) -> tuple[Message, ...]:
    """Return a warning that the preview names one container; the step finds the others."""
    return (message("all_servers", user=hub_user(holder.username)),)


def lacks(settings: Settings, lent: Mapping[str, Any]) -> Message | None:
    """Return what is missing to stop notebooks: the container engine, or the address of the hub's
    API.
    """
    return None if lent.get(CONTAINERS) or settings.api_url else message("no_engine")


def own_names(_settings: Settings) -> OwnNames:
    return OwnNames(prefixes=("jupyter",))
