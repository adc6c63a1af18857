"""Stop a person's notebook: the container of exactly the spawner's name, nothing else.

The container engine is lent by the wiring. Where the hub's own API is configured the hub is asked
first: it revokes the server's tokens and does not think the server alive.

See docs/explanation/removal.md#the-seven-steps.
"""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Connector,
    Evidence,
    Facts,
    Finding,
    Outcome,
    Target,
)
from workspace_manager.contract.containers import ContainerEngine, ContainerState
from workspace_manager.contract.errors import Conflict, ConnectorError, Invalid, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.secret import SecretResolver
from workspace_manager.systems.notebook_hub import checks
from workspace_manager.systems.notebook_hub.client import CALLS, SYSTEM, Client
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import (
    KIND,
    container_target,
    hub_user,
    volume_name,
)
from workspace_manager.systems.notebook_hub.settings import Settings

USER_LABEL: Final = "hub.user"
"""What an installation may have its spawner put on containers: whose it is."""


class ContainerConnector:
    """Stop one notebook container. It is never started, removed or searched for by anything but its
    exact name.
    """

    kind: ClassVar[str] = KIND
    calls: ClassVar[CallPolicy] = CALLS

    def __init__(
        self, containers: ContainerEngine | None, hub: Client | None, images: Sequence[str]
    ) -> None:
        """`images`: what the name of a notebook's image may have in it."""
        self._containers = containers
        self._hub = hub
        self._images = images

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the container. `before`: `running`; None when there is no such container. Raises
        Conflict for one that runs and is no notebook of that person.
        """
        state = self._look(target, message("looking_at_container"))
        before: Facts | None = None if state is None else {"running": not state.stopped}
        return Change(kind=KIND, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Stop it, through the hub where that is configured and through the engine in any case.

        Raises Unavailable while it still stops. A hub that is down or refuses us does not keep the
        container alive: the engine is asked all the same, then the hub's error is raised.
        """
        _only_stops(change, message("stopping_notebook"))
        before = self._look(change.target, message("looking_at_container"))
        trouble = self._ask_hub(change.target["hub_user"])
        state = self._look(change.target, message("looking_at_container"))
        acted = before is not None and not before.stopped
        if state is not None and not state.stopped:
            self._engine(message("stopping_notebook")).stop(state.id)
        if trouble is not None:
            raise trouble
        return CHANGED if acted else ALREADY

    def remove(self, change: Change) -> Outcome:
        """Never: stopping is all that is done to notebooks. Raises Invalid.

        See docs/explanation/removal.md#the-seven-steps.
        """
        raise Invalid(
            message("stopped_not_removed"),
            kind=KIND,
            doing=message("removing_notebook"),
            advice=message("remove_it_there", container=change.target["container"]),
        )

    def verify(self, change: Change) -> Evidence | None:
        """Look afresh: evidence when no process is left in the container, or there is no such
        container.
        """
        _only_stops(change, message("checking_notebook"))
        name = change.target["container"]
        state = self._look(change.target, message("checking_notebook"))
        if state is None:
            return _evidence(name, message("no_container", name=name))
        if not state.stopped:
            return None
        return _evidence(name, message("no_process_left", name=name, status=state.status))

    def _ask_hub(self, user: str) -> ConnectorError | None:
        """Let the hub stop the server. A user it does not know, or could never know, has none; one
        who cannot be addressed is stopped by the engine alone.
        """
        if self._hub is None or {"/", "\\"} & {*user}:
            return None
        try:
            self._hub.stop_server(user)
        except NotFound:
            return None
        except ConnectorError as trouble:
            return trouble
        return None

    def _look(self, target: Target, doing: Message) -> ContainerState | None:
        try:
            found = self._engine(doing).inspect(target["container"])
        except NotFound:
            return None
        if not found.stopped and not _is_notebook(found, target["hub_user"], self._images):
            raise Conflict(
                message("another_container", name=found.name, user=target["hub_user"]),
                kind=KIND,
                doing=doing,
                advice=message("another_container.advice", image=found.image, label=USER_LABEL),
            )
        return found

    def _engine(self, doing: Message) -> ContainerEngine:
        if self._containers is None:
            raise Invalid(
                message("nothing_can_be_known"),
                kind=KIND,
                doing=doing,
                advice=message("configure_then_retry"),
            )
        return self._containers


@dataclass(frozen=True)
class NotebookHub:
    """The notebook hub, ready to work."""

    settings: Settings
    containers: ContainerEngine | None
    connectors: Mapping[str, Connector]
    calls: CallPolicy = CALLS
    name: str = SYSTEM

    def check(self) -> Sequence[Finding]:
        client = Client(self.settings.hub_api, self.settings.api_token, policy=self.calls)
        return checks.check(self.settings, client, self.containers)

    def left_of(self, username: str) -> tuple[Message, ...]:
        """Say what the engine keeps under a name: whoever has the name next would find the
        container and the volume. Raises the five errors; without an engine nobody can tell.
        """
        if self.containers is None:
            return ()
        settings = self.settings
        found: list[Message] = []
        escape = settings.container_name_escape
        try:
            target = container_target(
                username, prefix=settings.container_name_prefix, escape=escape
            )
        except NameImpossible:
            return ()  # no notebook can have this name
        with contextlib.suppress(NotFound):
            self.containers.inspect(target["container"])
            found.append(message("container_left", container=target["container"]))
        volume = volume_name(username, prefix=settings.volume_name_prefix, escape=escape)
        if self.containers.has_volume(volume):
            found.append(message("volume_left", volume=volume))
        return tuple(found)

    def try_again(self) -> None:
        """Nothing is remembered of a refusal here."""

    def prove_credential(self) -> None:
        """The hub's token, where there is one, and the engine's key: both stop notebooks."""
        if self.settings.asks_hub:
            settings = self.settings
            Client(settings.hub_api, settings.api_token, policy=self.calls).prove_token()
        if self.containers is not None:
            self.containers.prove_credential()

    def prove_rights(self) -> Evidence:
        """The container engine's: it is the engine that says "no such container"."""
        if self.containers is None:
            raise Invalid(
                message("no_container_manager"),
                kind=KIND,
                doing=message("proving_rights"),
                advice=message("configure_then_retry"),
            )
        return self.containers.prove_rights()


def connect(
    settings: Settings,
    secrets: SecretResolver,  # noqa: ARG001
    containers: ContainerEngine | None,
    *,
    calls: CallPolicy = CALLS,
) -> NotebookHub:
    """Make the system of its settings; no call is made. `secrets` is not needed: no notebook's
    change carries one. `calls`: other times, for tests.
    """
    hub = Client(settings.hub_api, settings.api_token, policy=calls) if settings.asks_hub else None
    connector = ContainerConnector(containers, hub, settings.image_words)
    return NotebookHub(settings, containers, {connector.kind: connector}, calls)


def whose(found: ContainerState) -> str:
    """Whose notebook a container says it is; "" where it does not."""
    return found.hub_user or found.labels.get(USER_LABEL, "")


def looks_like_notebook(found: ContainerState, images: Sequence[str]) -> bool:
    """Whether the name of its image is that of a notebook's."""
    return any(word in found.image.lower() for word in images)


def _is_notebook(found: ContainerState, user: str, images: Sequence[str]) -> bool:
    """Whether a container of the name that this user's has is this user's notebook: a name proves
    nothing. The hub writes into the environment of whatever it starts whose it is; else a label
    says it, or at least the image that it is a notebook at all.

    See docs/systems/notebook-hub.md#what-shows-that-it-is-a-notebook.
    """
    said = whose(found)
    if said:
        return hub_user(said) == hub_user(user)
    return looks_like_notebook(found, images)


def _only_stops(change: Change, doing: Message) -> None:
    if change.after is None or change.after.get("running") is not False:
        raise Invalid(
            message("only_stopped_here"),
            kind=KIND,
            doing=doing,
            advice=message("started_by_owners"),
        )


def _evidence(container: str, text: Message) -> Evidence:
    return Evidence.now(SYSTEM, f"GET containers/{container}/json", text)
