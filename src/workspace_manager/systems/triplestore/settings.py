"""Settings of the triplestore: its address and administrator.

See docs/explanation/settings.md#what-each-system-has-to-be-told.
"""

from dataclasses import dataclass

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting
from workspace_manager.systems.triplestore.messages import message

FLAVOURS = ("auto", "opengdb", "graphdb")


@dataclass(frozen=True)
class Settings(SystemSettings):
    """Settings of the triplestore. `flavour` "auto" asks the server once for its product."""

    url: str = setting(
        message("setting_url"),
        kind="url",
        default="",
        required=True,
        help=message("setting_url_help"),
    )
    flavour: str = setting(
        message("setting_flavour"),
        kind="choice",
        choices=FLAVOURS,
        default="auto",
        help=message("setting_flavour_help"),
    )
    admin_username: str = setting(
        message("setting_admin_username"),
        default="",
        required=True,
        help=message("setting_admin_username_help"),
        credential=True,
    )
    admin_password: Secret | None = setting(  # noqa: RUF009
        message("setting_admin_password"), kind="secret", default=None, required=True
    )
