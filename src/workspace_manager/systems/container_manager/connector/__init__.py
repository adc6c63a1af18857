"""The container manager as one system: containers, stacks and their volumes, the engine that it
lends to other systems, and its check.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workspace_manager.contract.connector import CallPolicy, Connector, Evidence, Finding
from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.secret import SecretResolver
from workspace_manager.systems.container_manager import checks
from workspace_manager.systems.container_manager.client import Client
from workspace_manager.systems.container_manager.client.connection import CALLS, SYSTEM
from workspace_manager.systems.container_manager.connector.container import ContainerConnector
from workspace_manager.systems.container_manager.connector.engine import Engine
from workspace_manager.systems.container_manager.connector.stack_volumes import (
    StackVolumesConnector,
)
from workspace_manager.systems.container_manager.connector.stacks import StackConnector
from workspace_manager.systems.container_manager.settings import Settings


@dataclass(frozen=True)
class ContainerManager:
    """The connected container manager."""

    settings: Settings
    client: Client
    containers: ContainerEngine
    """Lent to the other systems."""
    connectors: Mapping[str, Connector]
    name: str = SYSTEM

    def check(self) -> Sequence[Finding]:
        return checks.check(self.settings, self.client)

    def try_again(self) -> None:
        """Do nothing: no refusal is remembered."""

    def prove_credential(self) -> None:
        self.containers.prove_credential()

    def prove_rights(self) -> Evidence:
        return self.containers.prove_rights()


def connect(
    settings: Settings,
    secrets: SecretResolver,
    *,
    calls: CallPolicy = CALLS,
) -> ContainerManager:
    """Return the system with these settings; no call is made. `calls`: other time limits, for
    tests.
    """
    client = Client(settings, policy=calls)
    engine = Engine(client)
    connectors: tuple[Connector, ...] = (
        ContainerConnector(engine, client),
        StackConnector(engine, client, settings.url, secrets),
        StackVolumesConnector(client),
    )
    return ContainerManager(settings, client, engine, {one.kind: one for one in connectors})
