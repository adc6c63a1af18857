"""Calls to the engine about things that Compose made: containers, networks and volumes of a
project, with their labels.
"""

import json
from collections.abc import Collection
from functools import partial
from typing import Any, TypeAlias

from workspace_manager.contract.answer import Answer, segment
from workspace_manager.contract.connector import FrozenModel
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.message import Message
from workspace_manager.systems.container_manager.client.answers import (
    Odd,
    as_object,
    labels_of,
    read_entries,
    require_all,
)
from workspace_manager.systems.container_manager.client.connection import Connection
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import MARK_LABEL, PROJECT_LABEL, STACK_KIND

KIND = STACK_KIND
_OF_OURS = {"label": [MARK_LABEL]}
_NO_HEALTH = {"", "none"}


class Part(FrozenModel):
    """A container, network or volume. `state`: of a container, in the engine's words."""

    id: str
    name: str
    labels: dict[str, str]
    state: str = ""


Entries: TypeAlias = tuple[Answer, list[Part | Odd]]
"""A list with its answer."""


class Projects:
    """The client's calls about projects."""

    connection: Connection

    def containers_of(self, project: str) -> list[Part]:
        """Return the containers of a compose project, running or not, whether or not Portainer
        knows the project.
        """
        filters = {"label": [f"{PROJECT_LABEL}={project}"]}
        return [one for one in self._containers(filters) if _belongs(one, project)]

    def networks_of(self, project: str) -> list[Part]:
        """Return the networks of a compose project."""
        filters = {"label": [f"{PROJECT_LABEL}={project}"]}
        return [one for one in self._networks(filters) if _belongs(one, project)]

    def volumes_of(self, project: str) -> list[Part]:
        """Return the volumes of a compose project; they outlive it."""
        filters = {"label": [f"{PROJECT_LABEL}={project}"]}
        return [one for one in self._volumes(filters) if _belongs(one, project)]

    def containers_named(self, begin: str, names: Collection[str]) -> list[Part]:
        """Return containers with one of these names, which share a prefix, whoever owns them."""
        # Docker puts a slash before a name, podman does not; both treat this as a pattern.
        found = self._containers({"name": [f"^/?{begin}"]})
        return [one for one in found if one.name in names]

    def networks_named(self, begin: str, names: Collection[str]) -> list[Part]:
        return [one for one in self._networks({"name": [begin]}) if one.name in names]

    def volumes_named(self, begin: str, names: Collection[str]) -> list[Part]:
        return [one for one in self._volumes({"name": [begin]}) if one.name in names]

    def volumes_beginning(self, prefix: str) -> list[str]:
        """Return the sorted names of all volumes with a prefix, whoever owns them."""
        found = (one.name for one in self._volumes({}))
        return sorted(name for name in found if name.startswith(prefix))

    def each_marked_container(self) -> list[Part | Odd]:
        """Return the containers of all our stacks, running or not, for a comparison."""
        return _keep_marked(self._each_container(_OF_OURS))

    def each_marked_network(self) -> list[Part | Odd]:
        """Return the networks of all our stacks."""
        return _keep_marked(self._each_network(_OF_OURS))

    def each_marked_volume(self) -> list[Part | Odd]:
        """Return the volumes of all our stacks; they outlive them."""
        return _keep_marked(self._each_volume(_OF_OURS))

    def each_volume(self) -> list[Part | Odd]:
        """Return all volumes, whoever owns them, for a comparison."""
        return self._each_volume({})[1]

    def project_containers(self, project: str) -> list[str]:
        """Return the ids of a compose project's containers."""
        return [one.id for one in self.containers_of(project)]

    def project_volumes(self, project: str) -> list[str]:
        """Return the sorted names of a compose project's volumes."""
        return sorted(one.name for one in self.volumes_of(project))

    def remove_network(self, network_id: str) -> None:
        """Remove a network. Raises NotFound without one, and Conflict or Unavailable while a
        container uses it.
        """
        self._remove("/networks", network_id, message("removing_network"), "network")

    def remove_volume(self, name: str) -> None:
        """Remove a volume. Raises NotFound without one, and Conflict while a container uses it."""
        self._remove("/volumes", name, message("removing_volume"), "volume")

    def health(self, container_id: str) -> str:
        """Return the result of a container's own health check; "" without one."""
        doing = message("asking_health")
        path = f"/containers/{segment(container_id, kind=KIND, doing=doing)}/json"
        answer = self.connection.engine("GET", path, doing=doing, kind=KIND, thing="container")
        state = as_object(answer).get("State")
        found = state.get("Health") if isinstance(state, dict) else None
        said = str(found.get("Status") or "") if isinstance(found, dict) else ""
        return "" if said in _NO_HEALTH else said

    def _remove(self, where: str, which: str, doing: Message, thing: str) -> None:
        path = f"{where}/{segment(which, kind=KIND, doing=doing)}"
        self.connection.engine(
            "DELETE", path, doing=doing, kind=KIND, thing=thing, accept=(200, 204)
        )

    def _containers(self, filters: dict[str, list[str]]) -> list[Part]:
        return require_all(*self._each_container(filters))

    def _each_container(self, filters: dict[str, list[str]]) -> Entries:
        answer = self._list(
            "/containers/json", filters, message("listing_projects_containers"), all="1"
        )
        return answer, read_entries(answer, answer.json(), partial(_container, answer))

    def _networks(self, filters: dict[str, list[str]]) -> list[Part]:
        return require_all(*self._each_network(filters))

    def _each_network(self, filters: dict[str, list[str]]) -> Entries:
        answer = self._list("/networks", filters, message("listing_networks"))
        return answer, read_entries(
            answer, answer.json(), partial(_volume_or_network, answer, "Id")
        )

    def _volumes(self, filters: dict[str, list[str]]) -> list[Part]:
        return require_all(*self._each_volume(filters))

    def _each_volume(self, filters: dict[str, list[str]]) -> Entries:
        answer = self._list("/volumes", filters, message("listing_volumes"))
        found = as_object(answer).get("Volumes") or []
        if not isinstance(found, list):
            raise answer.error(Invalid, message("not_a_list_of_volumes", shape=answer.shape))
        return answer, read_entries(answer, found, partial(_volume_or_network, answer, "Name"))

    def _list(
        self, path: str, filters: dict[str, list[str]], doing: Message, **more: str
    ) -> Answer:
        params = {**more, "filters": json.dumps(filters)}
        return self.connection.engine("GET", path, doing=doing, kind=KIND, params=params)


def _belongs(part: Part, project: str) -> bool:
    """Return whether a part belongs to the project: an engine that ignores the filter must not make
    strangers' things ours.
    """
    return part.labels.get(PROJECT_LABEL) == project


def _keep_marked(entries: Entries) -> list[Part | Odd]:
    """Keep entries with our mark, and odd ones, whose owner is unknown."""
    return [one for one in entries[1] if isinstance(one, Odd) or one.labels.get(MARK_LABEL)]


def _container(answer: Answer, one: dict[str, Any]) -> Part:
    names = one.get("Names") or []
    if not isinstance(names, list) or not isinstance(one.get("Id"), str):
        raise answer.error(Invalid, message("names_of_unknown_shape", shape=answer.shape))
    name = str(names[0]).removeprefix("/") if names else ""
    labels, state = labels_of(answer, one), str(one.get("State", ""))
    return Part(id=one["Id"], name=name, labels=labels, state=state)


def _volume_or_network(answer: Answer, id_: str, one: dict[str, Any]) -> Part:
    if not isinstance(one.get(id_), str) or not isinstance(one.get("Name"), str):
        raise answer.error(Invalid, message("names_of_unknown_shape", shape=answer.shape))
    return Part(id=one[id_], name=one["Name"], labels=labels_of(answer, one))
