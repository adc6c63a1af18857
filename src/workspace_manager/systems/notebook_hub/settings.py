"""Settings of the notebook hub (docs/explanation/settings.md#what-each-system-has-to-be-told)."""

from dataclasses import dataclass

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import SpawnerNames


@dataclass(frozen=True)
class Settings(SystemSettings):
    """Settings of the notebook hub: its address, its naming of containers, and optional access to
    its API.
    """

    url: str = setting(
        message("setting_url"),
        kind="url",
        required=True,
        help=message("setting_url_help"),
    )
    api_url: str = setting(
        message("setting_api_url"),
        kind="url",
        help=message("setting_api_url_help"),
    )
    api_token: Secret | None = setting(  # noqa: RUF009
        message("setting_api_token"),
        kind="secret",
        help=message("setting_api_token_help"),
    )
    container_name_prefix: str = setting(
        message("setting_container_name_prefix"),
        default="jupyter-",
        help=message("setting_container_name_prefix_help"),
        named=True,
    )
    container_name_escape: str = setting(
        message("setting_container_name_escape"),
        kind="choice",
        default="dockerspawner",
        choices=("dockerspawner", "legacy", "none"),
        help=message("setting_container_name_escape_help"),
    )

    volume_name_prefix: str = setting(
        message("setting_volume_name_prefix"),
        default="jupyterhub-user-",
        help=message("setting_volume_name_prefix_help"),
    )
    notebook_images: str = setting(
        message("setting_notebook_images"),
        default="notebook, singleuser",
        help=message("setting_notebook_images_help"),
        named=True,
    )

    notebook_networks: str = setting(
        message("setting_notebook_networks"),
        default="",
        help=message("setting_notebook_networks_help"),
    )

    @property
    def spawner_names(self) -> SpawnerNames:
        """Return the spawner's naming rule."""
        return SpawnerNames(self.container_name_prefix, self.container_name_escape)

    @property
    def network_names(self) -> tuple[str, ...]:
        """Return the networks that only the spawner's containers are in."""
        names = (one.strip() for one in self.notebook_networks.split(","))
        return tuple(one for one in names if one)

    @property
    def image_words(self) -> tuple[str, ...]:
        """Return words in the image names of notebooks."""
        words = (one.strip().lower() for one in self.notebook_images.split(","))
        return tuple(one for one in words if one)

    @property
    def asks_hub(self) -> bool:
        """Return whether the hub's own API is used besides the container engine."""
        return bool(self.api_token)

    @property
    def hub_api(self) -> str:
        return self.api_url or self.url + "/hub/api"
