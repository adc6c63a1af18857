"""What the workspace needs of its realm: clients of manager, drive, notebook hub, ontology editor and SQL admin tool, and their mappers.

Used by `setup identity-provider`, by the checks, and by the sandbox, so that all three speak of the same realm (specification,
sections 2.3, 5.2 to 5.4).
"""

from collections.abc import Mapping

from workspace_manager.contract.secret import SecretRef
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.systems.drive.settings import Settings as Drive
from workspace_manager.systems.identity_provider.realm.wants import (
    ClientWants,
    MapperWants,
    RealmWants,
)
from workspace_manager.systems.identity_provider.settings import Settings as IdentityProvider
from workspace_manager.systems.notebook_hub.settings import Settings as NotebookHub
from workspace_manager.systems.ontology_editor.settings import Settings as OntologyEditor
from workspace_manager.systems.sql_server.settings import Settings as SqlServer

CALLBACK = "/accounts/oidc/identity_provider/login/callback/"
DRIVE_PROVIDER = "keycloak"
"""The drive's single fixed provider name (specification, section 5.4): part of its back-channel logout address."""


def wanted_realm(
    settings: Mapping[str, SystemSettings],
    *,
    base_url: str,
    secrets: Mapping[str, SecretRef] | None = None,
) -> RealmWants:
    """The realm as it shall be. `base_url`: the manager's. `secrets`: references to client secrets by system name, where known."""
    idp, drive, sql = settings["identity_provider"], settings["drive"], settings["sql_server"]
    assert isinstance(idp, IdentityProvider)
    assert isinstance(drive, Drive)
    assert isinstance(sql, SqlServer)
    known = secrets or {}
    clients = [_manager(idp, drive, base_url, known.get("manager", ""))]
    if drive.base_url:
        clients.append(_drive(drive, known.get("drive", "")))
    clients += _hub(settings["notebook_hub"], drive, known.get("notebook_hub", ""))
    clients += _editor(settings["ontology_editor"], known.get("ontology_editor", ""))
    if sql.admin_tool_url:
        clients.append(_sql_tool(sql, known.get("sql_admin_tool", "")))
    return RealmWants(
        realm=idp.realm,
        login_name_attribute=drive.login_name_attribute,
        app_password_attribute=drive.app_password_attribute,
        sql_password_attribute=sql.password_attribute,
        clients=tuple(clients),
    )


def _manager(idp: IdentityProvider, drive: Drive, base_url: str, secret: SecretRef) -> ClientWants:
    audiences = [("audience-manager", idp.client_id or base_url)]
    if drive.base_url:
        # The drive takes the manager's token only when it is among its audiences (specification, section 5.3).
        audiences.insert(0, ("audience-drive", drive.base_url))
    return ClientWants(
        client_id=idp.client_id or base_url,
        redirect_uris=(base_url + CALLBACK,),
        post_logout_uris=(f"{base_url}/",),
        pkce=True,
        secret_ref=secret,
        mappers=tuple(_audience(name, client) for name, client in audiences),
    )


def _audience(name: str, client_id: str) -> MapperWants:
    config = {
        "included.client.audience": client_id,
        "access.token.claim": "true",
        "id.token.claim": "true" if name == "audience-drive" else "false",
    }
    return MapperWants(name, "oidc-audience-mapper", config)


def _drive(drive: Drive, secret: SecretRef) -> ClientWants:
    return ClientWants(
        client_id=drive.base_url,
        redirect_uris=(
            f"{drive.base_url}/apps/user_oidc/code",
            f"{drive.base_url}/index.php/apps/user_oidc/code",
        ),
        post_logout_uris=(f"{drive.base_url}/*",),
        backchannel_logout_url=f"{drive.base_url}/apps/user_oidc/backchannel-logout/{DRIVE_PROVIDER}",
        secret_ref=secret,
    )


def _hub(hub: SystemSettings, drive: Drive, secret: SecretRef) -> list[ClientWants]:
    assert isinstance(hub, NotebookHub)
    if not hub.url:
        return []
    # The hub reads the drive credentials from userinfo; a password in an access token would travel to every service.
    mappers = tuple(
        _attribute(name, name, claims={"userinfo"})
        for name in (drive.login_name_attribute, drive.app_password_attribute)
    )
    uris = (f"{hub.url}/hub/oauth_callback",)
    return [ClientWants(hub.url, uris, (f"{hub.url}/*",), secret_ref=secret, mappers=mappers)]


def _editor(editor: SystemSettings, secret: SecretRef) -> list[ClientWants]:
    assert isinstance(editor, OntologyEditor)
    if not editor.host:
        return []
    return [
        ClientWants(
            editor.host,
            (f"{editor.host}/webprotege/oidc/callback",),
            (f"{editor.host}/*",),
            secret_ref=secret,
        )
    ]


def _sql_tool(sql: SqlServer, secret: SecretRef) -> ClientWants:
    url = sql.admin_tool_url
    mapper = _attribute("sql-password", sql.password_attribute, claims={"id", "access"})
    return ClientWants(url, (f"{url}/_oauth",), (f"{url}/*",), secret_ref=secret, mappers=(mapper,))


def _attribute(name: str, attribute: str, *, claims: set[str]) -> MapperWants:
    """Put a user attribute into exactly these answers: userinfo, id (token), access (token)."""
    config = {"user.attribute": attribute, "claim.name": attribute, "jsonType.label": "String"}
    for place in ("userinfo", "id", "access"):
        config[f"{place}.token.claim"] = "true" if place in claims else "false"
    return MapperWants(name, "oidc-usermodel-attribute-mapper", config)
