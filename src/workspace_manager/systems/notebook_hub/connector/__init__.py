"""The notebook hub as one system: its connector, its check, and what it keeps under a name."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from workspace_manager.contract.connector import CallPolicy, Connector, Evidence, Finding, Target
from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.errors import Denied, NotFound
from workspace_manager.contract.known_people import KnownPeople, no_people
from workspace_manager.contract.message import Message
from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.secret import SecretResolver
from workspace_manager.contract.sign_in_walk import SignInStart
from workspace_manager.systems.notebook_hub import checks, checks_sign_in
from workspace_manager.systems.notebook_hub.checks_servers import SEEING, unfiltered_scopes
from workspace_manager.systems.notebook_hub.client.calls import CALLS, SYSTEM, Client
from workspace_manager.systems.notebook_hub.connector.container import (
    ContainerConnector,
    not_configured,
)
from workspace_manager.systems.notebook_hub.connector.notebooks import can_be_addressed
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import (
    KIND,
    begins_named_servers,
    container_target,
    volume_name,
)
from workspace_manager.systems.notebook_hub.ownership import Ownership, ownership_of
from workspace_manager.systems.notebook_hub.settings import Settings


@dataclass(frozen=True)
class NotebookHub:
    """The connected notebook hub."""

    settings: Settings
    containers: ContainerEngine | None
    connectors: Mapping[str, Connector]
    people: KnownPeople = no_people
    calls: CallPolicy = CALLS
    name: str = SYSTEM

    def check(self) -> Sequence[Finding]:
        return checks.check(self.settings, self.client(), self.containers, self.people)

    def left_of(self, username: str) -> tuple[Message, ...]:
        """Return what engine and hub keep under a name: the next holder would get the containers
        and the volume, and the tokens that the hub keeps would open their servers. Raises the five
        errors; parts that are not configured are skipped.
        """
        settings = self.settings
        escape = settings.container_name_escape
        try:
            target = container_target(
                username, prefix=settings.container_name_prefix, escape=escape
            )
        except NameImpossible:
            return ()  # No notebook can have this name.
        found: list[Message] = []
        if self.containers is not None:
            found += self._containers_left(self.containers, target)
            volume = volume_name(username, prefix=settings.volume_name_prefix, escape=escape)
            if self.containers.has_volume(volume):
                found.append(message("volume_left", volume=volume))
        user = target["hub_user"]
        if settings.asks_hub and can_be_addressed(user):
            with contextlib.suppress(NotFound):
                self.client().servers(user)
                found.append(message("user_left", user=user))
        return tuple(found)

    def _containers_left(self, engine: ContainerEngine, target: Target) -> Iterator[Message]:
        """Yield the container of the name and those of its named servers. A container with the mark
        of a server in its name, and with another owner, does not count.
        """
        own, user = target["container"], target["hub_user"]
        named = engine.list_names(begins_named_servers(user, self.settings.spawner_names))
        for name in (own, *named):
            with contextlib.suppress(NotFound):
                state = engine.inspect(name)
                if name == own or ownership_of(state, user, self.settings) is not Ownership.OTHERS:
                    yield message("container_left", container=name)

    def client(self) -> Client:
        """Return the client of the hub's API, by the settings."""
        return Client(self.settings.hub_api, self.settings.api_token, policy=self.calls)

    def sign_in_start(self) -> SignInStart:
        """Return where sign-ins at the hub begin."""
        address = f"{self.settings.url}/hub/oauth_login"
        return SignInStart(address=address, name=checks_sign_in.NAME)

    def try_again(self) -> None:
        """Do nothing: no refusal is remembered."""

    def prove_credential(self) -> None:
        """Prove the hub's token, if there is one, and the engine's key: both stop notebooks."""
        if self.settings.asks_hub:
            self.client().prove_token()
        if self.containers is not None:
            self.containers.prove_credential()

    def prove_rights(self) -> Evidence:
        """Prove our rights at the engine, which makes "no such container" an absence; without an
        engine, that the hub's token may see everybody's servers.
        """
        doing = message("proving_rights")
        if self.containers is not None:
            return self.containers.prove_rights()
        if not self.settings.asks_hub:
            raise not_configured(doing, message("no_container_manager"))
        if not unfiltered_scopes(self.client().me().get("scopes")) & SEEING:
            raise Denied(message("servers_not_shown"), kind=KIND, doing=doing)
        return Evidence.now(SYSTEM, "GET user", message("hub_shows_servers"))


def connect(
    settings: Settings,
    secrets: SecretResolver,  # noqa: ARG001
    containers: ContainerEngine | None,
    people: KnownPeople = no_people,
    *,
    calls: CallPolicy = CALLS,
) -> NotebookHub:
    """Return the system with these settings; no call is made. `secrets` is not needed, because no
    change of a notebook has one. `calls`: other time limits, for tests.
    """
    hub = Client(settings.hub_api, settings.api_token, policy=calls) if settings.asks_hub else None
    connector = ContainerConnector(containers, hub, settings)
    return NotebookHub(settings, containers, {connector.kind: connector}, people, calls)
