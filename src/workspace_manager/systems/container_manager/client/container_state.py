"""The state of a container, as far as other modules need it."""

from typing import Any

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.containers import ContainerState
from workspace_manager.contract.errors import Invalid
from workspace_manager.systems.container_manager.client.answers import (
    as_object,
    labels_of,
    number_in,
)
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import MARK_LABEL, is_full_id

_HUB_USER = "JUPYTERHUB_USER="


def container_state(answer: Answer) -> ContainerState:
    """Return the state from an inspection of a container. Raises Invalid for another shape."""
    found = as_object(answer)
    state, config = found.get("State"), found.get("Config")
    if not (
        isinstance(state, dict) and isinstance(config, dict) and is_full_id(str(found.get("Id")))
    ):
        raise answer.error(Invalid, message("no_container_described", shape=answer.shape))
    labels = labels_of(answer, config)
    return ContainerState(
        id=str(found["Id"]),
        name=str(found.get("Name", "")).removeprefix("/"),
        image=str(config.get("Image", "")),
        status=str(state.get("Status", "")),
        pid=number_in(answer, state, "Pid"),
        labels=labels,
        hub_user=_hub_user(config),
        networks=_networks(found),
        component=labels.get(MARK_LABEL, ""),
    )


def _networks(found: dict[str, Any]) -> tuple[str, ...]:
    """Return the names of its networks; the engine names those that were joined by id, too."""
    settings = found.get("NetworkSettings")
    networks = settings.get("Networks") if isinstance(settings, dict) else None
    return tuple(sorted(map(str, networks))) if isinstance(networks, dict) else ()


def _hub_user(config: dict[str, Any]) -> str:
    """Return the variable that names the notebook's owner; no other variable is read."""
    given = config.get("Env")
    rows = [one for one in given if isinstance(one, str)] if isinstance(given, list) else []
    found = [one for one in rows if one.startswith(_HUB_USER)]
    return found[-1].removeprefix(_HUB_USER) if found else ""
