"""Requirements of the notebook hub on the realm: its client, which reads a person's drive
attributes.
"""

from collections.abc import Mapping

from workspace_manager.contract.realm import ClientWants, attribute_mapper
from workspace_manager.contract.secret import SecretRef
from workspace_manager.systems.notebook_hub.settings import Settings


def client(settings: Settings, attributes: Mapping[str, str]) -> ClientWants | None:
    if not settings.url:
        return None
    return hub_client(
        settings.url,
        login_name_attribute=attributes["drive_login_name"],
        app_password_attribute=attributes["drive_app_password"],
    )


def hub_client(
    url: str,
    client_id: str = "",
    *,
    login_name_attribute: str = "filesvc_login_name",
    app_password_attribute: str = "filesvc_app_password",  # noqa: S107  the name of an attribute
    secret_ref: SecretRef = "",
) -> ClientWants:
    """Return the client of the notebook hub. It reads both drive attributes from userinfo, where
    they are current; they are never in a token.
    """
    return ClientWants(
        client_id or url,
        redirect_uris=(f"{url}/hub/oauth_callback",),
        post_logout_uris=(f"{url}/",),
        secret_ref=secret_ref,
        mappers=(
            attribute_mapper("drive-login", login_name_attribute, userinfo=True),
            attribute_mapper("drive-app-password", app_password_attribute, userinfo=True),
        ),
    )
