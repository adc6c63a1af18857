"""Settings of the ontology editor: its address and key.

See docs/explanation/settings.md#what-each-system-has-to-be-told.
"""

from dataclasses import dataclass

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting
from workspace_manager.systems.ontology_editor.messages import message


@dataclass(frozen=True)
class Settings(SystemSettings):
    """Settings of the ontology editor. Calls go to `api_base_url`, or to `host` if that is empty;
    people are sent to `host`.
    """

    host: str = setting(
        message("setting_host"),
        kind="url",
        default="",
        required=True,
        help=message("setting_host_help"),
    )
    api_base_url: str = setting(
        message("setting_api_base_url"),
        kind="url",
        default="",
        help=message("setting_api_base_url_help"),
    )
    api_key: Secret | None = setting(  # noqa: RUF009
        message("setting_api_key"),
        kind="secret",
        default=None,
        required=True,
        help=message("setting_api_key_help"),
    )
    service_account: str = setting(
        message("setting_service_account"),
        default="",
        help=message("setting_service_account_help"),
    )
    perspective_id: str = setting(
        message("setting_perspective_id"),
        default="",
        help=message("setting_perspective_id_help"),
    )
