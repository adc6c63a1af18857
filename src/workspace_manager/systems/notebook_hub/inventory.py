"""What the hub holds, as the container engine shows it: containers and volumes that are named as
the hub names its own.

A container of such a name whose image is no notebook's, and that does not say whose it is, is
nobody's business here. The hub's own list of users is not asked: what a person has there is the
container. Each page is a part of the engine's whole list, in the order of names, so that nothing
moves when something goes meanwhile.
"""

from typing import Final, cast

from workspace_manager.contract.connector import System
from workspace_manager.contract.containers import ContainerEngine, ContainerState
from workspace_manager.contract.errors import Invalid, NotFound
from workspace_manager.contract.inventory import Listed, Page, in_order, in_parts
from workspace_manager.contract.message import Message
from workspace_manager.systems.notebook_hub.connector import (
    NotebookHub,
    looks_like_notebook,
    whose,
)
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import (
    KIND,
    VOLUME_KIND,
    fits,
    hub_user,
    listed_container,
    user_in,
    volume_target,
)
from workspace_manager.systems.notebook_hub.settings import Settings

CONTAINERS: Final = 50
"""Each is looked at by a call of its own."""
VOLUMES: Final = 500


def inventory(system: System, cursor: str) -> Page:
    """Read the page that begins at the cursor: containers, then volumes."""
    hub = cast(NotebookHub, system)
    engine = _engine(hub)
    engine.require_everything()
    parts = {
        "containers": lambda after: _containers(hub.settings, engine, after),
        "volumes": lambda after: _volumes(hub.settings, engine, after),
    }
    return in_parts(parts, cursor)


def _engine(hub: NotebookHub) -> ContainerEngine:
    if hub.containers is None:
        raise Invalid(
            message("nothing_can_be_known"),
            kind=KIND,
            doing=message("listing_notebooks"),
            advice=message("configure_then_retry"),
        )
    return hub.containers


def _containers(settings: Settings, engine: ContainerEngine, after: str) -> Page:
    every = engine.list_names(settings.container_name_prefix)
    names, following = in_order(every, after, CONTAINERS)
    listed: list[Listed] = []
    for name in names:
        try:
            found = engine.inspect(name)
        except NotFound:
            continue  # It went meanwhile.
        if whose(found) or looks_like_notebook(found, settings.image_words):
            listed.append(_container(settings, name, found))
    return Page(tuple(listed), following)


def _container(settings: Settings, name: str, found: ContainerState) -> Listed:
    """A container says whose it is; its name proves nothing, and is said to be no more."""
    said = whose(found)
    derived = user_in(
        name, prefix=settings.container_name_prefix, escape=settings.container_name_escape
    )
    return Listed(
        kind=KIND,
        target=listed_container(name, said or derived),
        name=name,
        seen=_seen(name, found.status, said, derived),
        username=hub_user(said),
        open=not found.stopped,
        kept=None if said or derived else message("kept_of_nobody"),
    )


def _seen(name: str, status: str, said: str, derived: str) -> Message:
    if said:
        return message("seen_container", name=name, status=status, user=said)
    if derived:
        return message("seen_container_by_name", name=name, status=status, user=derived)
    return message("seen_container_of_nobody", name=name, status=status)


def _volumes(settings: Settings, engine: ContainerEngine, after: str) -> Page:
    """Of a hub whose volumes have no prefix none can be told from strangers'."""
    prefix, escape = settings.volume_name_prefix, settings.container_name_escape
    found = engine.volume_names(prefix) if prefix else ()
    theirs = (one for one in found if one != prefix and fits(one, prefix=prefix, escape=escape))
    page, following = in_order(theirs, after, VOLUMES)
    return Page(tuple(_volume(settings, name) for name in page), following)


def _volume(settings: Settings, name: str) -> Listed:
    """Its holder is the container of the same person: both names have the same escape."""
    tail = name.removeprefix(settings.volume_name_prefix)
    return Listed(
        kind=VOLUME_KIND,
        target=volume_target(name),
        name=name,
        seen=message("seen_volume", name=name),
        kept=message("kept_volume"),
        holders=(settings.container_name_prefix + tail,),
    )
