"""The systems as the stories see them: ready ones, their settings, and which are not configured."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, cast

from workspace_manager.contract.connector import Connector, System
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.core.messages import message

LABELS = {
    "identity_provider": "identity provider",
    "drive": "drive",
    "sql_server": "SQL server",
    "triplestore": "triplestore",
    "ontology_editor": "ontology editor",
    "notebook_hub": "notebook hub",
    "container_manager": "container manager",
    "records": "records",
}
"""What people call them."""


class Tokens(Protocol):
    """What a refresh gives: new tokens, and how many seconds the access token is good."""

    @property
    def access(self) -> Secret: ...

    @property
    def refresh(self) -> Secret: ...

    @property
    def seconds(self) -> float: ...


class IdentityProvider(System, Protocol):
    """What the stories ask of the identity provider besides its connectors."""

    def read_attribute(self, sub: str, name: str) -> Secret:
        """Raises NotFound when it is not set."""
        ...

    def token_lifespan(self) -> int:
        """Seconds the longest access token may live."""
        ...

    def refresh(self, token: Secret) -> Tokens:
        """New tokens for a person's refresh token. Raises Denied when that session has ended."""
        ...


class Drive(System, Protocol):
    """What the stories ask of the drive besides its connectors: a person's own way to it (specification, section 3.4)."""

    def account_ids(self, sub: str) -> tuple[str, ...]:
        """The login names that are this person's."""
        ...

    def ensure_app_password(self, bearer: Secret, sub: str) -> tuple[str, Secret]:
        """Login name and app password, made with the person's token. Raises Denied for a rejected token."""
        ...

    def start_login_flow(self) -> tuple[str, Secret]:
        """The address the person opens, and the handle to poll with."""
        ...

    def poll_login_flow(self, handle: Secret) -> tuple[str, Secret] | None:
        """Login name and app password once the person granted access. Raises NotFound when the flow has expired."""
        ...

    def credentials_work(self, login_name: str, app_password: Secret, sub: str) -> bool:
        """False only on the drive's definite no. Raises Conflict when they sign in somebody else."""
        ...

    def revoke_app_password(self, login_name: str, app_password: Secret) -> bool:
        """Whether it was alive."""
        ...


@dataclass(frozen=True)
class ConnectedSystems:
    """What `wiring.py` hands to a story. A name missing in `ready` is not configured; `settings` has every system."""

    ready: Mapping[str, System]
    settings: Mapping[str, SystemSettings] = field(repr=False)

    def connector(self, kind: str) -> Connector | None:
        """The connector of one kind of thing; None when its system is not configured."""
        system = self.ready.get(kind.partition(".")[0])
        return system.connectors.get(kind) if system else None

    def configured(self, name: str) -> bool:
        return name in self.ready

    def identity_provider(self) -> IdentityProvider:
        """Raises Unavailable when it is not configured."""
        system = self.ready.get("identity_provider")
        if system is None:
            raise Unavailable(
                message("no_identity_provider"),
                kind="identity_provider",
                doing=message("finding_system"),
                advice=message("set_identity_provider"),
            )
        return cast(IdentityProvider, system)
