"""Settings of the kiln."""

from dataclasses import dataclass

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting


@dataclass(frozen=True)
class Settings(SystemSettings):
    """Where it is, and the key of its warden."""

    url: str = setting(
        "Address", kind="url", required=True, help="Where the kiln’s control panel answers."
    )
    key: Secret | None = setting(  # noqa: RUF009
        "Warden’s key",
        kind="secret",
        required=True,
        help="The key that may open and shut accounts.",
    )
    warden: str = setting(
        "Warden", default="warden", named=True, help="The account the key belongs to."
    )
