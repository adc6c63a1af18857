"""Where the ontology editor is and with which key it is called (specification, section 2.5)."""

from dataclasses import dataclass

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting


@dataclass(frozen=True)
class Settings(SystemSettings):
    """What `connect` needs. Calls go to `api_base_url`, or to `host` when that is empty; people are sent to `host`."""

    host: str = setting(
        "Host",
        kind="url",
        default="",
        required=True,
        help="Public address of the editor, as people open it in the browser.",
    )
    api_base_url: str = setting(
        "API base URL",
        kind="url",
        default="",
        help="Internal address for our calls; the part before /data/projects. Empty: the host.",
    )
    api_key: Secret | None = setting(  # noqa: RUF009
        "API key",
        kind="secret",
        default=None,
        required=True,
        help="Key of a service account with the role ProjectCreator (permission CREATE_EMPTY_PROJECT).",
    )
    perspective_id: str = setting(
        "Perspective",
        default="",
        help="Id of the perspective that links to a project open. Empty: the editor's own choice.",
    )
