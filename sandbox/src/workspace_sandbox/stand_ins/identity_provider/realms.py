"""Make a realm out of a representation, as `POST /admin/realms` and the start-up import do. Facts: `keycloak.md` A11."""

import json
from typing import Any

from workspace_sandbox.stand_ins.identity_provider import clients, people
from workspace_sandbox.stand_ins.identity_provider.answers import Doc, admin_error
from workspace_sandbox.stand_ins.identity_provider.default_realm import (
    add_role,
    management_client,
    new_realm,
)
from workspace_sandbox.stand_ins.identity_provider.default_settings import settings
from workspace_sandbox.stand_ins.identity_provider.realm import MASTER, Realm, new_id
from workspace_sandbox.stand_ins.identity_provider.representations import (
    ANY,
    CLIENT,
    FLAG,
    NUMBER,
    TEXT,
    USER,
    Kind,
    Representation,
    coerced,
)

PROFILE_PROVIDER = "org.keycloak.userprofile.UserProfileProvider"
PARTS = (
    "users", "federatedUsers", "clients", "groups", "roles", "clientScopes", "defaultDefaultClientScopes",
    "defaultOptionalClientScopes", "components", "identityProviders", "identityProviderMappers", "protocolMappers",
    "defaultRole", "defaultRoles", "defaultGroups", "authenticationFlows", "authenticatorConfig", "requiredActions",
    "scopeMappings", "clientScopeMappings", "userFederationProviders", "userFederationMappers", "applications",
    "oauthClients", "clientTemplates", "socialProviders", "organizations", "localizationTexts", "workflows",
)  # fmt: skip
SINGLE = (
    "displayName", "displayNameHtml", "passwordPolicy", "defaultLocale", "loginTheme", "accountTheme", "adminTheme",
    "emailTheme", "keycloakVersion", "privateKey", "publicKey", "certificate", "codeSecret", "social",
    "updateProfileOnInitialSocialLogin", "accountTheme", "passwordCredentialGrantAllowed", "realmCacheEnabled",
    "userCacheEnabled", "maxSecondaryAuthFailures",
)  # fmt: skip


def _kind(value: Any) -> Kind:
    if isinstance(value, bool):
        return FLAG
    if isinstance(value, int):
        return NUMBER
    return TEXT if isinstance(value, str) else ANY


REALM = Representation(
    "RealmRepresentation",
    {name: _kind(value) for name, value in settings("", "").items()}
    | dict.fromkeys(PARTS, ANY)
    | dict.fromkeys(SINGLE, TEXT)
    | {"eventsExpiration": NUMBER},
)


def create(realms: dict[str, Doc], given: Doc) -> Realm:
    """Make a realm with everything in its representation. Raises Refusal: 400 without a name, 409 when there is one."""
    name = given.get("realm", "")
    if not name.strip():
        raise admin_error(400, "Realm name cannot be empty")
    if name in realms:
        raise admin_error(409, f"Realm {name} already exists")
    realm = new_realm(name, len(realms), given.get("id"))
    attributes = realm.settings["attributes"] | given.get("attributes", {})
    chosen = {n: v for n, v in given.items() if n not in PARTS and n not in {"id", "realm"}}
    realm.settings.update(chosen | {"attributes": attributes})
    realms[name] = realm.data
    if name != MASTER and MASTER in realms:
        management_client(Realm(realms[MASTER]), f"{name}-realm", f"{name} Realm")
    _take_profile(realm, given)
    for scope in given.get("clientScopes") or []:
        document = {"id": new_id(), "protocol": "openid-connect", "attributes": {}} | scope
        realm.scopes[document["id"]] = document
    for role in (given.get("roles") or {}).get("realm", []):
        add_role(realm, role["name"], description=role.get("description"))
    for client in given.get("clients") or []:
        take_client(realm, client)
    for user in given.get("users") or []:
        take_user(realm, user)
    return realm


def _take_profile(realm: Realm, given: Doc) -> None:
    for component in (given.get("components") or {}).get(PROFILE_PROVIDER, []):
        text = (component.get("config") or {}).get("kc.user.profile.config", [])
        if text:
            realm.data["profile"] = json.loads(text[0])


def take_client(realm: Realm, given: Doc) -> Doc:
    """A client of an import: made, or laid over the built-in one of that name."""
    document = coerced(given, CLIENT)
    known = realm.client_named(document.get("clientId", ""))
    if known:
        clients.update(realm, known, document)
        return known
    return clients.create(realm, document)


def take_user(realm: Realm, given: Doc) -> Doc:
    """A user of an import; the one that stands for a client gets the roles named there."""
    document = coerced(given, USER)
    client = realm.client_named(document.get("serviceAccountClientId", ""))
    account = clients.service_account(realm, client) if client else None
    if account:
        account["roles"] = people.named_roles(realm, document)
        return account
    return people.create(realm, document, import_=True)
