"""The connector of a person's notebooks: it stops every server that the hub lists, and every
container of the spawner that shows its owner.

The wiring lends it the container engine. If the hub's API is configured, the hub is asked first: it
knows its servers, revokes their tokens, and does not think them alive afterwards.

See docs/explanation/removal.md#the-seven-steps.
"""

from collections.abc import Iterator
from typing import ClassVar

from workspace_manager.contract.connector import (
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Result,
    Target,
)
from workspace_manager.contract.containers import ContainerEngine, ContainerState
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import join_messages
from workspace_manager.systems.notebook_hub.client.calls import CALLS, SYSTEM, Client
from workspace_manager.systems.notebook_hub.connector.notebooks import (
    Notebooks,
    can_be_addressed,
    container_of,
    find_notebooks,
    stop_containers,
    stop_servers,
)
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import KIND, hub_user
from workspace_manager.systems.notebook_hub.settings import Settings


class ContainerConnector:
    """The connector of one hub user's notebooks: the container with the target's name, and all
    others that the hub lists or a container shows. It starts and removes nothing.
    """

    kind: ClassVar[str] = KIND
    calls: ClassVar[CallPolicy] = CALLS

    def __init__(
        self, containers: ContainerEngine | None, hub: Client | None, settings: Settings
    ) -> None:
        self._containers = containers
        self._hub = hub
        self._settings = settings

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the notebooks. `before`: whether one of them runs, or may be theirs and runs;
        None without any. Raises Conflict for a running container with the user's own name that is
        no notebook of the user, and the error of a part that could not be asked if nothing is seen
        to run.
        """
        found = self._look(target, message("looking_at_container"))
        running = bool(found.active or found.running or found.unproven)
        if not running:
            found.require_answers()
        there = running or found.containers or found.servers
        before: Facts | None = {"running": running} if there else None
        return Change(kind=KIND, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Stop all of them, through the hub if it is configured, and always through the engine.

        Raises Unavailable while one starts or stops. An unreachable hub or engine does not keep the
        other from stopping; its error is raised afterwards.
        """
        _only_stops(change, message("stopping_notebook"))
        doing, user = message("looking_at_container"), hub_user(change.target["hub_user"])
        found = self._look(change.target, doing)
        stopped = [_say_container_stopped(one.name) for one in found.running]
        # The hub considers a server alive for a while after its container was stopped.
        seen = {one.name for one in found.containers}
        rule = self._settings.spawner_names
        unseen = [one for one in found.active if container_of(one, user, rule) not in seen]
        own = _say_container_stopped(change.target["container"])
        if self._hub is not None and can_be_addressed(user):
            stop_servers(found, self._hub, user)
            stopped += [_say_server_stopped(one.name) for one in found.active if one.name]
        if self._containers is not None:
            stop_containers(found, self._containers)
        found.require_answers()
        return Outcome(
            result=Result.CHANGED if found.running or unseen else Result.ALREADY,
            by_hand=tuple(_say_unproven(one, user) for one in found.unproven),
            also=tuple(one for one in stopped if one != own),
        )

    def remove(self, change: Change) -> Outcome:
        """Raise Invalid: notebooks are only stopped.

        See docs/explanation/removal.md#the-seven-steps.
        """
        raise Invalid(
            message("stopped_not_removed"),
            kind=KIND,
            doing=message("removing_notebook"),
            advice=message("remove_it_there", container=change.target["container"]),
        )

    def verify(self, change: Change) -> Evidence | None:
        """Look again: evidence if the hub lists no running server, and no process is left in any
        container of the user.
        """
        _only_stops(change, message("checking_notebook"))
        found = self._look(change.target, message("checking_notebook"))
        found.require_answers()
        if found.active or found.running:
            return None
        user, asked = hub_user(change.target["hub_user"]), list[str]()
        seen = list[Message]()
        if self._containers is not None:
            asked.append(f"GET containers/{change.target['container']}/json")
            seen += _seen_containers(found, change.target["container"])
            seen += [_say_unproven(one, user) for one in found.unproven]
        if self._hub is not None and can_be_addressed(user):
            asked.append(f"GET users/{user}")
            seen += _seen_servers(found, user)
        return Evidence.now(SYSTEM, ", ".join(asked), join_messages(seen, by="; "))

    def _look(self, target: Target, doing: Message) -> Notebooks:
        """Look at the notebooks. Raises Invalid if neither hub nor engine is configured."""
        if self._containers is None and self._hub is None:
            raise not_configured(doing, message("nothing_can_be_known"))
        return find_notebooks(target, self._containers, self._hub, self._settings, doing)


def _seen_containers(found: Notebooks, own: str) -> Iterator[Message]:
    if own not in {one.name for one in found.containers}:
        yield message("no_container", name=own)
    for one in found.containers:
        yield message("no_process_left", name=one.name, status=one.status)


def _seen_servers(found: Notebooks, user: str) -> Iterator[Message]:
    if found.unknown:
        yield message("hub_knows_no_user", user=user)
        return
    if not found.servers:
        yield message("hub_lists_no_server", user=user)
    for one in found.servers:
        if one.name:
            yield message("server_at_rest", server=one.name, user=user)
        else:
            yield message("default_server_at_rest", user=user)


def _say_container_stopped(name: str) -> Message:
    return message("container_stopped", container=name)


def _say_server_stopped(name: str) -> Message:
    return message("server_stopped", server=name)


def _say_unproven(found: ContainerState, user: str) -> Message:
    return message("container_not_shown_to_be_theirs", name=found.name, user=user)


def not_configured(doing: Message, why: Message) -> Invalid:
    return Invalid(why, kind=KIND, doing=doing, advice=message("configure_then_retry"))


def _only_stops(change: Change, doing: Message) -> None:
    if change.after is None or change.after.get("running") is not False:
        raise Invalid(
            message("only_stopped_here"),
            kind=KIND,
            doing=doing,
            advice=message("started_by_owners"),
        )
