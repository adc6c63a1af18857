"""Where the triplestore is and who drives it (specification, section 2.5)."""

from dataclasses import dataclass

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting

FLAVOURS = ("auto", "opengdb", "graphdb")


@dataclass(frozen=True)
class Settings(SystemSettings):
    """What `connect` needs. `flavour` "auto" asks the server once which of the two it is."""

    url: str = setting(
        "Address",
        kind="url",
        default="",
        required=True,
        help="Base address of OpenGDB or GraphDB, as the manager and the knowledge stacks reach it, without /repositories.",
    )
    flavour: str = setting(
        "Product",
        kind="choice",
        choices=FLAVOURS,
        default="auto",
        help="auto asks the server; set it when a proxy hides /rest/security.",
    )
    admin_username: str = setting(
        "Administrator",
        default="",
        required=True,
        help="OpenGDB: a Django superuser; the role ROLE_ADMIN is not enough there. GraphDB: a user with ROLE_ADMIN.",
    )
    admin_password: Secret | None = setting(  # noqa: RUF009
        "Administrator's password", kind="secret", default=None, required=True
    )
