"""Settings of the container manager.

See docs/explanation/settings.md#what-each-system-has-to-be-told.
"""

from dataclasses import dataclass
from typing import Final

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting
from workspace_manager.systems.container_manager.messages import message

SNAPSHOT_IMAGE: Final = "docker.io/library/debian:stable-slim"
"""A small, well-known image with GNU tar."""


@dataclass(frozen=True)
class Settings(SystemSettings):
    """Settings of the container manager. An engine without Portainer needs no key and has no
    environments.
    """

    url: str = setting(
        message("setting_url"),
        kind="url",
        required=True,
        help=message("setting_url_help"),
    )
    api_key: Secret | None = setting(  # noqa: RUF009
        message("setting_api_key"),
        kind="secret",
        required=True,
        help=message("setting_api_key_help"),
    )
    environment_id: int = setting(
        message("setting_environment_id"),
        kind="number",
        default=1,
        help=message("setting_environment_id_help"),
    )
    stack_address: str = setting(
        message("setting_stack_address"),
        default="",
        help=message("setting_stack_address_help"),
    )
    stack_ports: str = setting(
        message("setting_stack_ports"),
        default="20000-20999",
        named=True,
        help=message("setting_stack_ports_help"),
    )
    snapshot_image: str = setting(
        message("setting_snapshot_image"),
        default=SNAPSHOT_IMAGE,
        named=True,
        help=message("setting_snapshot_image_help"),
    )
    allow_privileged_stacks: bool = setting(
        message("setting_allow_privileged_stacks"),
        kind="boolean",
        default=False,
        help=message("setting_allow_privileged_stacks_help"),
    )

    @property
    def direct(self) -> bool:
        """Return whether the address is an engine's own: no Portainer routes, no key."""
        return self.url.startswith(("docker://", "unix://"))

    @property
    def missing(self) -> list[str]:
        """Return missing settings; an engine without Portainer needs no key."""
        return [name for name in super().missing if name != "api_key" or not self.direct]
