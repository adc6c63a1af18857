"""All notebooks of a hub user: the servers that the hub lists, and the containers that show their
owner.

The hub lists every server, default and named ones. Without the hub, the evidence of a container
decides. See docs/systems/notebook-hub.md#whose-a-container-is.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from workspace_manager.contract.connector import Target
from workspace_manager.contract.containers import ContainerEngine, ContainerState
from workspace_manager.contract.errors import Conflict, ConnectorError, Denied, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.systems.notebook_hub.client.calls import Client, Server
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import (
    KIND,
    SpawnerNames,
    begins_named_servers,
    hub_user,
    server_container,
)
from workspace_manager.systems.notebook_hub.ownership import (
    USER_LABEL,
    Ownership,
    claimed_user,
    looks_spawned,
    ownership_of,
)
from workspace_manager.systems.notebook_hub.settings import Settings


@dataclass
class Notebooks:
    """The notebooks that one look found, and the errors of parts that could not be asked."""

    servers: tuple[Server, ...] = ()
    containers: list[ContainerState] = field(default_factory=list)
    """The user's own containers, running or not."""
    unproven: list[ContainerState] = field(default_factory=list)
    """Running containers that may be the user's."""
    unlisted: bool = False
    """The hub refused to list the servers."""
    unknown: bool = False
    """The hub has no user of this name."""
    troubles: list[ConnectorError] = field(default_factory=list)

    @property
    def running(self) -> list[ContainerState]:
        return [one for one in self.containers if not one.stopped]

    @property
    def active(self) -> list[Server]:
        return [one for one in self.servers if one.active]

    @contextlib.contextmanager
    def noting_trouble(self) -> Iterator[None]:
        """Go on after an error, so that an unreachable part does not keep anything from being
        stopped.
        """
        try:
            yield
        except NotFound:
            pass
        except ConnectorError as trouble:
            self.troubles.append(trouble)

    def require_answers(self) -> None:
        """Raise the first error, if there was one."""
        if self.troubles:
            raise self.troubles[0]


def find_notebooks(
    target: Target,
    engine: ContainerEngine | None,
    hub: Client | None,
    settings: Settings,
    doing: Message,
) -> Notebooks:
    """Look at all notebooks of the target's user. An error of one part is noted and hides no other
    part.
    """
    found, user = Notebooks(), hub_user(target["hub_user"])
    if hub is not None and can_be_addressed(user):
        _list_servers(found, hub, user)
    if engine is not None:
        theirs = found.troubles
        found.troubles = []
        _look_at_containers(found, target, engine, settings, doing)
        found.troubles += theirs
    return found


def container_of(server: Server, user: str, rule: SpawnerNames) -> str:
    """Return the name of a server's container, from the hub or from the settings."""
    return server.container or server_container(user, server.name, rule)


def can_be_addressed(user: str) -> bool:
    """Return whether the hub can have such a user: addresses of its API cannot contain these
    characters.
    """
    return not {"/", "\\"} & {*user}


def _list_servers(found: Notebooks, hub: Client, user: str) -> None:
    try:
        found.servers = hub.servers(user)
    except NotFound:
        found.unknown = True
    except ConnectorError as trouble:
        found.unlisted = isinstance(trouble, Denied)
        found.troubles.append(trouble)


def _look_at_containers(
    found: Notebooks, target: Target, engine: ContainerEngine, settings: Settings, doing: Message
) -> None:
    """Look at the target's container, at those that the hub names, and at those with the names of
    the user's named servers; at no other container of the host.
    """
    user, own = target["hub_user"], target["container"]
    named = {one.container for one in found.servers if one.container}
    with found.noting_trouble():
        _take_own(found, engine.inspect(own), user, settings, doing, named_by_hub=own in named)
    others: list[str] = []
    with found.noting_trouble():
        engine.require_everything()
        others += engine.list_names(begins_named_servers(user, settings.spawner_names))
    for name in sorted({*others, *named} - {own}):
        with found.noting_trouble():
            one = engine.inspect(name)
            proof = ownership_of(one, user, settings, named_by_hub=name in named)
            if proof is Ownership.THEIRS:
                found.containers.append(one)
            elif proof is Ownership.UNPROVEN and not one.stopped:
                found.unproven.append(one)


def _take_own(
    found: Notebooks,
    one: ContainerState,
    user: str,
    settings: Settings,
    doing: Message,
    *,
    named_by_hub: bool,
) -> None:
    """Take the container with the target's own name. Raises Conflict if it runs and is no notebook
    of the user: a person decides.
    """
    silent = not claimed_user(one) and not one.component and looks_spawned(one, settings)
    proof = ownership_of(one, user, settings, named_by_hub=named_by_hub)
    if one.stopped or silent or proof is Ownership.THEIRS:
        found.containers.append(one)
        return
    raise Conflict(
        message("another_container", name=one.name, user=user),
        kind=KIND,
        doing=doing,
        advice=message("another_container.advice", image=one.image, label=USER_LABEL),
    )


def stop_servers(found: Notebooks, hub: Client, user: str) -> None:
    """Let the hub stop every server that it lists as active, or the default one if it refuses to
    list them. A server that is starting is refused, and a later attempt stops it.
    """
    unseen = (Server("", active=True),) if found.unlisted else ()
    for server in (*found.active, *unseen):
        with found.noting_trouble():
            hub.stop_server(user, server.name)


def stop_containers(found: Notebooks, engine: ContainerEngine) -> None:
    """Stop the user's containers that still run."""
    for one in found.running:
        with found.noting_trouble():
            left = engine.inspect(one.id)
            if not left.stopped:
                engine.stop(left.id)
