"""The clients and mappers each connected system needs in the realm: what `setup identity-provider` is made from.

One function per client. Client ids are the services' addresses unless said otherwise (specification, section 5.2).
"""

from workspace_manager.contract.secret import SecretRef
from workspace_manager.systems.identity_provider.realm.clients import (
    ATTRIBUTE_MAPPER,
    AUDIENCE_MAPPER,
)
from workspace_manager.systems.identity_provider.realm.wants import ClientWants, MapperWants

LEAST_ROLES = ("manage-users", "query-users", "view-clients", "view-realm", "view-users")
"""What the manager needs of the realm day by day; changing the realm itself, as the set-up does, is not among it."""
CALLBACK_PATH = "/accounts/oidc/identity_provider/login/callback/"


def manager_client(
    base_url: str, client_id: str = "", *, drive_client_id: str = "", secret_ref: SecretRef = ""
) -> ClientWants:
    """The manager itself. With a drive, its access tokens carry the drive's client id and its own (specification, 5.3 and 5.7)."""
    client_id = client_id or base_url
    mappers = [
        audience_mapper("audience-drive", drive_client_id),
        audience_mapper("audience-manager", client_id, id_token=False),
    ]
    return ClientWants(
        client_id,
        redirect_uris=(f"{base_url}{CALLBACK_PATH}",),
        post_logout_uris=(f"{base_url}/",),
        pkce=True,
        secret_ref=secret_ref,
        mappers=tuple(mappers) if drive_client_id else (),
    )


def drive_client(
    base_url: str, client_id: str = "", *, provider_name: str = "", secret_ref: SecretRef = ""
) -> ClientWants:
    """The drive. `provider_name`: what its OIDC app calls the identity provider; with it, a sign-out here reaches the drive
    (facts on Keycloak, A8). The post-logout address needs its wildcard (specification, 5.4)."""
    backchannel = f"{base_url}/apps/user_oidc/backchannel-logout/{provider_name}"
    return ClientWants(
        client_id or base_url,
        redirect_uris=(
            f"{base_url}/apps/user_oidc/code",
            f"{base_url}/index.php/apps/user_oidc/code",
        ),
        post_logout_uris=(f"{base_url}/*",),
        backchannel_logout_url=backchannel if provider_name else "",
        secret_ref=secret_ref,
    )


def hub_client(
    url: str,
    client_id: str = "",
    *,
    login_name_attribute: str = "filesvc_login_name",
    app_password_attribute: str = "filesvc_app_password",  # noqa: S107  the name of an attribute
    secret_ref: SecretRef = "",
) -> ClientWants:
    """The notebook hub. It reads both drive attributes from userinfo, where they are live; they never enter a token
    (specification, section 1)."""
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


def ontology_editor_client(
    host: str, client_id: str = "", *, secret_ref: SecretRef = ""
) -> ClientWants:
    """The ontology editor, whose users sign in as everybody does (specification, section 1)."""
    return ClientWants(
        client_id or host,
        redirect_uris=(f"{host}/webprotege/oidc/callback",),
        post_logout_uris=(f"{host}/",),
        secret_ref=secret_ref,
    )


def sql_tool_client(
    url: str,
    client_id: str = "",
    *,
    password_attribute: str = "sql_password",  # noqa: S107  the name of an attribute
    redirect_uri: str = "",
    secret_ref: SecretRef = "",
) -> ClientWants:
    """The SQL admin web tool. It reads the SQL password from *the token* (specification, section 2.3), so the claim is on this one
    client and nowhere else. `redirect_uri`: that of the sign-in proxy before the tool; default `/_oauth`, as traefik-forward-auth has it.
    """
    return ClientWants(
        client_id or url,
        redirect_uris=(redirect_uri or f"{url}/_oauth",),
        post_logout_uris=(f"{url}/",),
        secret_ref=secret_ref,
        mappers=(attribute_mapper("sql-password", password_attribute, token=True),),
    )


def service_account(client_id: str, *, secret_ref: SecretRef = "") -> ClientWants:
    """A client of which the manager uses the service account in place of the master administrator (specification, section 4.2)."""
    return ClientWants(
        client_id, redirect_uris=(), secret_ref=secret_ref, service_roles=LEAST_ROLES
    )


def audience_mapper(name: str, audience: str, *, id_token: bool = True) -> MapperWants:
    """Put a client id into the audience of the tokens. Taken verbatim by the server: a typo shows as 401 at the drive alone."""
    return MapperWants(
        name,
        AUDIENCE_MAPPER,
        {
            "included.client.audience": audience,
            "access.token.claim": "true",
            "id.token.claim": _flag(id_token),
            "introspection.token.claim": "true",
        },
    )


def attribute_mapper(
    name: str, attribute: str, *, userinfo: bool = False, token: bool = False
) -> MapperWants:
    """Give a user's attribute to one client as the claim of the same name: in its userinfo, or in its ID and access tokens."""
    return MapperWants(
        name,
        ATTRIBUTE_MAPPER,
        {
            "user.attribute": attribute,
            "claim.name": attribute,
            "jsonType.label": "String",
            "userinfo.token.claim": _flag(userinfo),
            "id.token.claim": _flag(token),
            "access.token.claim": _flag(token),
            "introspection.token.claim": "false",
        },
    )


def _flag(value: bool) -> str:
    return "true" if value else "false"
