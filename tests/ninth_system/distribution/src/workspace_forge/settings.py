"""Settings of the forge."""

from dataclasses import dataclass

from workspace_forge.messages import message
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting


@dataclass(frozen=True)
class Settings(SystemSettings):
    """Where it is, and the token of its administrator."""

    url: str = setting(message("address"), kind="url", required=True, help=message("address_help"))
    token: Secret | None = setting(  # noqa: RUF009
        message("token"), kind="secret", required=True, help=message("token_help")
    )
    purge: bool = setting(
        message("purge"), kind="boolean", default=False, help=message("purge_help")
    )
    robot: str = setting(message("robot"), default="robot", named=True)
