"""Settings of the container manager (specification, section 2.5)."""

from dataclasses import dataclass

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting


@dataclass(frozen=True)
class Settings(SystemSettings):
    """Where containers are managed. An engine that is spoken to directly needs no key and has no environments."""

    url: str = setting(
        "Address",
        kind="url",
        required=True,
        help="Portainer's address without /api, like https://portainer.example.org. docker://host:port and unix:///path.sock "
        "speak to a Docker or podman engine directly; then neither key nor environment is used.",
    )
    api_key: Secret | None = setting(  # noqa: RUF009
        "API key",
        kind="secret",
        required=True,
        help="Access token of a Portainer administrator (My account, Access tokens). A regular user's token sees its own "
        "containers only, so that nothing could be proven with it.",
    )
    environment_id: int = setting(
        "Environment number",
        kind="number",
        default=1,
        help="The number in Portainer's address bar after choosing the environment: …/#!/1/docker/dashboard is number 1.",
    )

    @property
    def direct(self) -> bool:
        """Whether the address is an engine's own: no Portainer routes, no key."""
        return self.url.startswith(("docker://", "unix://"))

    @property
    def missing(self) -> list[str]:
        """As for every system; a direct engine needs no key."""
        return [name for name in super().missing if name != "api_key" or not self.direct]
