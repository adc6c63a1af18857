"""Settings of the notebook hub (specification, section 2.5)."""

from dataclasses import dataclass

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting


@dataclass(frozen=True)
class Settings(SystemSettings):
    """Where the hub is, how it names containers, and optionally how to ask it itself."""

    url: str = setting(
        "Address",
        kind="url",
        required=True,
        help="The hub's public address, where people sign in.",
    )
    api_url: str = setting(
        "API address",
        kind="url",
        help="JupyterHub's API as this machine reaches it, like http://hub:8081/hub/api. Without it the public address with "
        "/hub/api is used, if there is an API token.",
    )
    api_token: Secret | None = setting(  # noqa: RUF009
        "API token",
        kind="secret",
        help="Token of a JupyterHub service with the scopes read:users:name, read:servers and delete:servers. With it the hub is "
        "asked to stop a server too; without it the container alone is stopped.",
    )
    container_name_prefix: str = setting(
        "Container name prefix",
        default="jupyter-",
        help="What stands before the escaped user name: DockerSpawner's prefix and a dash.",
    )
    container_name_escape: str = setting(
        "Container name escape",
        kind="choice",
        default="dockerspawner",
        choices=("dockerspawner", "legacy", "none"),
        help="How user names become container names: dockerspawner (its default since version 12), legacy "
        "(c.DockerSpawner.escape = 'legacy'), or none. A wrong rule leaves notebooks of removed people running.",
    )

    volume_name_prefix: str = setting(
        "Volume name prefix",
        default="jupyterhub-user-",
        help="What stands before the escaped user name in the names of notebook volumes. Volumes stay when somebody leaves; a name "
        "whose volume is there is not given to anybody else.",
    )

    @property
    def asks_hub(self) -> bool:
        """Whether the hub's own API is used beside the container engine."""
        return bool(self.api_token)

    @property
    def hub_api(self) -> str:
        return self.api_url or self.url + "/hub/api"
