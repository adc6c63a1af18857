"""A fresh realm: its settings, roles, built-in clients and user profile, as `POST /admin/realms`
leaves it.
"""

from typing import Any

from workspace_sandbox.stand_ins.identity_provider.answers import Doc
from workspace_sandbox.stand_ins.identity_provider.default_scopes import (
    DEFAULT,
    EVERYWHERE,
    OPTIONAL,
    default_scopes,
    mapper,
)
from workspace_sandbox.stand_ins.identity_provider.default_settings import default_profile, settings
from workspace_sandbox.stand_ins.identity_provider.keys import new_keys
from workspace_sandbox.stand_ins.identity_provider.realm import MASTER, Realm, new_id

MANAGEMENT = (
    "create-client", "view-realm", "view-users", "view-clients", "view-events",
    "view-identity-providers",
    "view-authorization", "manage-realm", "manage-users", "manage-clients", "manage-events",
    "manage-identity-providers", "manage-authorization", "query-users", "query-clients",
    "query-realms", "query-groups",
    "impersonation", "manage-organizations", "view-organizations", "query-organizations",
)  # fmt: skip
COMPOSED = {
    "view-users": ("query-users", "query-groups"),
    "view-clients": ("query-clients",),
    "view-organizations": ("query-organizations",),
}
ACCOUNT = (
    "view-profile", "manage-account", "manage-account-links", "view-applications", "view-consent",
    "manage-consent",
    "delete-account", "view-groups",
)  # fmt: skip


def new_realm(name: str, nth: int, realm_id: str | None = None) -> Realm:
    """Return a complete fresh realm; `nth` chooses its signing key."""
    given_id = realm_id or new_id()
    scopes = default_scopes()
    by_name = {scope["name"]: scope["id"] for scope in scopes.values()}
    realm = Realm(
        {
            "settings": settings(name, given_id),
            "keys": new_keys(name, nth),
            **{part: {} for part in ("users", "groups", "clients", "roles", "sessions", "offline")},
            "scopes": scopes,
            "default_scopes": [by_name[scope] for scope in DEFAULT],
            "optional_scopes": [by_name[scope] for scope in OPTIONAL],
            "profile": default_profile(),
            **{part: {} for part in ("failures", "logins", "codes", "logouts")},
        }
    )
    _built_in_clients(realm)
    _realm_roles(realm)
    return realm


def add_role(
    realm: Realm, name: str, container: str | None = None, description: str | None = None
) -> Doc:
    role: Doc = {"id": new_id(), "name": name}
    if description:
        role["description"] = description
    role |= {
        "composites": [],
        "clientRole": container is not None,
        "containerId": container or realm.id,
        "attributes": {},
    }
    realm.roles[role["id"]] = role
    return role


def management_client(realm: Realm, client_id: str, name: str) -> Doc:
    """The client that holds the administration roles: `realm-management`, or `<realm>-realm` in
    master.
    """
    client = _client(realm, client_id, bearerOnly=True, name=name)
    made = {
        role: add_role(realm, role, client["id"], f"${{role_{role}}}")["id"] for role in MANAGEMENT
    }
    for role, parts in COMPOSED.items():
        realm.roles[made[role]]["composites"] = [made[part] for part in parts]
    if client_id == "realm-management":
        everything = add_role(realm, "realm-admin", client["id"], "${role_realm-admin}")
        everything["composites"] = list(made.values())
    elif (admin := realm.role_named("admin")) is not None:
        admin["composites"].extend(made.values())
    return client


def _client(realm: Realm, client_id: str, **members: Any) -> Doc:
    bearer = bool(members.get("bearerOnly"))
    client: Doc = {
        "id": new_id(),
        "clientId": client_id,
        "name": f"${{client_{client_id}}}",
        "surrogateAuthRequired": False,
        "enabled": True,
        "alwaysDisplayInConsole": False,
        "clientAuthenticatorType": "client-secret",
        "redirectUris": [],
        "webOrigins": [],
        "notBefore": 0,
        "bearerOnly": bearer,
        "consentRequired": False,
        "standardFlowEnabled": True,
        "implicitFlowEnabled": False,
        "directAccessGrantsEnabled": False,
        "serviceAccountsEnabled": False,
        "publicClient": not bearer,
        "frontchannelLogout": False,
        "protocol": "openid-connect",
        "authenticationFlowBindingOverrides": {},
        "fullScopeAllowed": False,
        "nodeReRegistrationTimeout": 0,
        "defaultClientScopes": ["web-origins", "acr", "roles", "profile", "basic", "email"],
        "optionalClientScopes": [
            "address",
            "phone",
            "organization",
            "offline_access",
            "microprofile-jwt",
        ],
    } | members
    client["attributes"] = {"realm_client": "true" if bearer else "false"} | members.get(
        "attributes", {}
    )
    realm.clients[client["id"]] = client
    return client


def _built_in_clients(realm: Realm) -> None:
    name = realm.name
    logout, pkce = {"post.logout.redirect.uris": "+"}, {"pkce.code.challenge.method": "S256"}
    light = {"client.use.lightweight.access.token.enabled": "true"}
    account = {
        "rootUrl": "${authBaseUrl}",
        "baseUrl": f"/realms/{name}/account/",
        "redirectUris": [f"/realms/{name}/account/*"],
    }
    made = _client(realm, "account", **account, attributes=logout)
    roles = {role: add_role(realm, role, made["id"], f"${{role_{role}}}") for role in ACCOUNT}
    roles["manage-account"]["composites"] = [roles["manage-account-links"]["id"]]
    roles["manage-consent"]["composites"] = [roles["view-consent"]["id"]]
    resolve = mapper("audience resolve", "oidc-audience-resolve-mapper")
    _client(
        realm, "account-console", **account, attributes=logout | pkce, protocolMappers=[resolve]
    )
    _client(
        realm, "admin-cli", standardFlowEnabled=False, directAccessGrantsEnabled=True,
        fullScopeAllowed=True, attributes=light,
    )  # fmt: skip
    broker = _client(realm, "broker", bearerOnly=True)
    add_role(realm, "read-token", broker["id"], "${role_read-token}")
    locale = mapper(
        "locale", "oidc-usermodel-attribute-mapper", EVERYWHERE,
        user__attribute="locale", claim__name="locale", jsonType__label="String",
    )  # fmt: skip
    _client(
        realm, "security-admin-console", rootUrl="${authAdminUrl}",
        baseUrl=f"/admin/{name}/console/",
        redirectUris=[f"/admin/{name}/console/*"], webOrigins=["+"], fullScopeAllowed=True,
        attributes=light | logout | pkce, protocolMappers=[locale],
    )  # fmt: skip


def _realm_roles(realm: Realm) -> None:
    default = add_role(realm, f"default-roles-{realm.name}", description="${role_default-roles}")
    parts = [
        add_role(realm, "offline_access", description="${role_offline-access}")["id"],
        add_role(realm, "uma_authorization", description="${role_uma_authorization}")["id"],
    ]
    account = realm.client_named("account")
    assert account is not None
    for name in ("view-profile", "manage-account"):
        role = realm.role_named(name, account["id"])
        assert role is not None
        parts.append(role["id"])
    default["composites"] = parts
    realm.data["default_role"] = default["id"]
    if realm.name == MASTER:
        add_role(realm, "admin", description="${role_admin}")
        add_role(realm, "create-realm", description="${role_create-realm}")
        realm.settings |= {
            "displayName": "Keycloak",
            "displayNameHtml": '<div class="kc-logo-text"><span>Keycloak</span></div>',
            "accessTokenLifespan": 60,
            "enabled": True,
        }
        management_client(realm, "master-realm", "master Realm")
        admin = realm.role_named("admin")
        creating = realm.role_named("create-realm")
        assert admin is not None
        assert creating is not None
        admin["composites"].append(creating["id"])
    else:
        management_client(realm, "realm-management", "${client_realm-management}")
