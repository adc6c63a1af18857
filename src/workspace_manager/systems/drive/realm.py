"""Requirements of the drive on the realm: its client, and two attributes for a person's connection
to it.
"""

from collections.abc import Mapping
from urllib.parse import quote

from workspace_manager.contract.realm import ClientWants, RealmAttribute
from workspace_manager.contract.secret import SecretRef
from workspace_manager.systems.drive.settings import Settings

PROVIDER_NAME = "keycloak"
"""The app's name of the identity provider, unless a setting or the drive says otherwise. It is part
of the back-channel logout address.
"""
LOGIN_NAME, APP_PASSWORD = "drive_login_name", "drive_app_password"
TAKES_BACK = "/apps/user_oidc/code"


def client(settings: Settings, _attributes: Mapping[str, str]) -> ClientWants | None:
    name = settings.provider_name or PROVIDER_NAME
    return drive_client(settings.base_url, provider_name=name) if settings.base_url else None


def attributes(settings: Settings) -> tuple[RealmAttribute, ...]:
    return (
        RealmAttribute(LOGIN_NAME, settings.login_name_attribute),
        RealmAttribute(APP_PASSWORD, settings.app_password_attribute, secret=True),
    )


def is_drive(client: ClientWants) -> bool:
    """Return whether this is the client of a drive, by the callback address of its app."""
    return any(uri.endswith(TAKES_BACK) for uri in client.redirect_uris)


def drive_client(
    base_url: str, client_id: str = "", *, provider_name: str = "", secret_ref: SecretRef = ""
) -> ClientWants:
    """Return the client of the drive. `provider_name`: the app's name of the identity provider;
    with it, a sign-out here reaches the drive.

    The post-logout address needs its wildcard.
    """
    named = quote(provider_name, safe="")
    backchannel = f"{base_url}/apps/user_oidc/backchannel-logout/{named}"
    return ClientWants(
        client_id or base_url,
        redirect_uris=(
            f"{base_url}{TAKES_BACK}",
            f"{base_url}/index.php{TAKES_BACK}",
        ),
        post_logout_uris=(f"{base_url}/*",),
        backchannel_logout_url=backchannel if provider_name else "",
        secret_ref=secret_ref,
        takes_our_tokens=True,
    )
