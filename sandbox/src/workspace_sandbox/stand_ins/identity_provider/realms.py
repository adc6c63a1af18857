"""Make a realm, and take over the clients and people it is given at the start."""

from typing import Any

from workspace_sandbox.stand_ins.identity_provider import clients, people
from workspace_sandbox.stand_ins.identity_provider.answers import Doc
from workspace_sandbox.stand_ins.identity_provider.default_realm import (
    management_client,
    new_realm,
)
from workspace_sandbox.stand_ins.identity_provider.default_settings import settings
from workspace_sandbox.stand_ins.identity_provider.realm import MASTER, Realm
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

PARTS = (
    "users", "federatedUsers", "clients", "groups", "roles", "clientScopes",
    "defaultDefaultClientScopes",
    "defaultOptionalClientScopes", "components", "identityProviders", "identityProviderMappers",
    "protocolMappers",
    "defaultRole", "defaultRoles", "defaultGroups", "authenticationFlows", "authenticatorConfig",
    "requiredActions",
    "scopeMappings", "clientScopeMappings", "userFederationProviders", "userFederationMappers",
    "applications",
    "oauthClients", "clientTemplates", "socialProviders", "organizations", "localizationTexts",
    "workflows",
)  # fmt: skip
SINGLE = (
    "displayName", "displayNameHtml", "passwordPolicy", "defaultLocale", "loginTheme",
    "accountTheme", "adminTheme",
    "emailTheme", "keycloakVersion", "privateKey", "publicKey", "certificate", "codeSecret",
    "social",
    "updateProfileOnInitialSocialLogin", "accountTheme", "passwordCredentialGrantAllowed",
    "realmCacheEnabled",
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
    """Make a realm with these settings over the defaults."""
    name = given["realm"]
    realm = new_realm(name, len(realms), given.get("id"))
    attributes = realm.settings["attributes"] | given.get("attributes", {})
    chosen = {n: v for n, v in given.items() if n not in PARTS and n not in {"id", "realm"}}
    realm.settings.update(chosen | {"attributes": attributes})
    realms[name] = realm.data
    if name != MASTER and MASTER in realms:
        management_client(Realm(realms[MASTER]), f"{name}-realm", f"{name} Realm")
    return realm


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
