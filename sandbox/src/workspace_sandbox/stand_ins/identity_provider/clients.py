"""Make and change a client, with what the real server fills in and refuses."""

import re
import secrets
from urllib.parse import urlsplit

from workspace_sandbox.stand_ins.identity_provider.answers import (
    Doc,
    Refusal,
    admin_error,
    framework_error,
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.mappers import KNOWN, origin_of
from workspace_sandbox.stand_ins.identity_provider.people import bare_user
from workspace_sandbox.stand_ins.identity_provider.realm import Realm, new_id
from workspace_sandbox.stand_ins.identity_provider.sessions import seconds

# What the real server writes into the configuration of a mapper by itself.
ADDED = {"oidc-group-membership-mapper": {"multivalued": "true"}}
ILLEGAL = {"javascript", "data", "vbscript"}


def new_secret() -> str:
    return secrets.token_urlsafe(64)


def create(realm: Realm, given: Doc) -> Doc:
    """Make a client, or raise Refusal: 409 for a taken client id, 400 `invalid_input` for an
    address that is none.
    """
    client_id = given.get("clientId")
    if client_id and realm.client_named(client_id):
        raise admin_error(409, f"Client {client_id} already exists")
    check(given)
    client: Doc = {"id": given.get("id") or new_id()}
    client["clientId"] = client_id or client["id"]
    for name in ("name", "description", "type", "rootUrl", "adminUrl", "baseUrl"):
        if name in given:
            client[name] = given[name]
    client |= _defaults(given)
    attributes: Doc = {"realm_client": "false"}
    if given.get("secret"):
        client["secret"] = given["secret"]
    elif not client["publicClient"]:
        client["secret"] = new_secret()
        attributes["client.secret.creation.time"] = str(seconds())
    if "webOrigins" not in given:
        client["webOrigins"] = _origins(client["redirectUris"])
    client["attributes"] = attributes | given.get("attributes", {})
    mappers = [new_mapper(mapper) for mapper in given.get("protocolMappers", [])]
    if mappers:
        client["protocolMappers"] = mappers
    _set_scopes(realm, client, given)
    realm.clients[client["id"]] = client
    if client["serviceAccountsEnabled"]:
        enable_service_account(realm, client)
    return client


def _defaults(given: Doc) -> Doc:
    flags = {
        "surrogateAuthRequired": False,
        "enabled": True,
        "alwaysDisplayInConsole": False,
        "bearerOnly": False,
        "consentRequired": False,
        "standardFlowEnabled": True,
        "implicitFlowEnabled": False,
        "directAccessGrantsEnabled": False,
        "serviceAccountsEnabled": False,
        "publicClient": False,
        "frontchannelLogout": False,
        "fullScopeAllowed": True,
    }
    document: Doc = {name: given.get(name, default) for name, default in flags.items()}
    return document | {
        "clientAuthenticatorType": given.get("clientAuthenticatorType", "client-secret"),
        "redirectUris": given.get("redirectUris", []),
        "webOrigins": given.get("webOrigins", []),
        "notBefore": given.get("notBefore", 0),
        "protocol": given.get("protocol", "openid-connect"),
        "authenticationFlowBindingOverrides": given.get("authenticationFlowBindingOverrides", {}),
        "nodeReRegistrationTimeout": given.get("nodeReRegistrationTimeout", -1),
    }


def _origins(addresses: list[str]) -> list[str]:
    return list(dict.fromkeys(origin_of(uri) for uri in addresses if origin_of(uri)))


def _set_scopes(realm: Realm, client: Doc, given: Doc) -> None:
    """The scopes that are named, or the realm's defaults where nothing was said. Unknown names are
    dropped.
    """
    for member, part in (
        ("defaultClientScopes", "default_scopes"),
        ("optionalClientScopes", "optional_scopes"),
    ):
        names = given.get(member)
        if names is None:
            chosen = [realm.scopes[scope] for scope in realm.data[part] if scope in realm.scopes]
            names = [scope["name"] for scope in chosen if scope["protocol"] == client["protocol"]]
        client[member] = [name for name in names if realm.scope_named(name)]


def check(given: Doc) -> None:
    """Raises Refusal 400 `invalid_input` for addresses a client must not have."""
    for name, value in (("Root URL", given.get("rootUrl")), ("Base URL", given.get("baseUrl"))):
        if value and not value.startswith("${"):
            _check_address(name, value, relative=True, kind="URL")
    for value in given.get("redirectUris", []):
        if value:
            _check_address("A redirect URI", value, relative=True, kind="URI")
    if given.get("protocol", "openid-connect") not in {"openid-connect", "saml"}:
        raise framework_error(400, "invalid_input", f"Invalid protocol: {given['protocol']}")


def _check_address(name: str, value: str, *, relative: bool, kind: str) -> None:
    if urlsplit(value).scheme.lower() in ILLEGAL:
        raise framework_error(400, "invalid_input", f"{name} uses an illegal scheme")
    if "#" in value:
        raise framework_error(400, "invalid_input", f"{name} must not contain an URL fragment")
    if re.search(r"\s", value) or (not relative and not urlsplit(value).scheme):
        raise framework_error(400, "invalid_input", f"{name} is not a valid {kind}")


def update(realm: Realm, client: Doc, given: Doc) -> None:
    """PUT: members that are there replace, attributes are merged; protocol mappers and scopes have
    their own routes.
    """
    client_id = str(given.get("clientId", client["clientId"]))
    other = realm.client_named(client_id)
    if other is not None and other is not client:
        raise framework_error(409, "conflict", "Duplicate resource error")
    check(given)
    untouched = {
        "id", "protocolMappers", "defaultClientScopes", "optionalClientScopes", "attributes",
        "access",
        "authorizationSettings", "registeredNodes", "registrationAccessToken", "origin",
    }  # fmt: skip
    client |= {name: value for name, value in given.items() if name not in untouched}
    if "redirectUris" in given and "webOrigins" not in given:
        client["webOrigins"] = _origins(given["redirectUris"])
    client["attributes"] |= given.get("attributes", {})
    if client["serviceAccountsEnabled"]:
        enable_service_account(realm, client)
    if not client["publicClient"] and not client["bearerOnly"]:
        client.setdefault("secret", new_secret())


def render_client(client: Doc, *, configure: bool, manage: bool) -> Doc:
    document = {name: value for name, value in client.items() if not name.startswith("_")}
    return document | {"access": {"view": True, "configure": configure, "manage": manage}}


# --- protocol mappers -----------------------------------------------------------------------------


def new_mapper(given: Doc) -> Doc:
    if given.get("protocol") != "saml" and given.get("protocolMapper") not in KNOWN:
        raise not_found("ProtocolMapper provider not found")
    return {
        "id": given.get("id") or new_id(),
        "name": given.get("name"),
        "protocol": given.get("protocol", "openid-connect"),
        "protocolMapper": given.get("protocolMapper"),
        "consentRequired": given.get("consentRequired", False),
        "config": given.get("config", {}) | ADDED.get(given.get("protocolMapper", ""), {}),
    }


def add_mapper(holder: Doc, given: Doc) -> Doc:
    """Add a mapper to a client or a client scope; names are unique in each."""
    mappers: list[Doc] = holder.get("protocolMappers") or []
    if not given.get("name") or not given.get("protocol"):
        raise framework_error(409, "conflict", "Duplicate resource error")
    if any(mapper["name"] == given["name"] for mapper in mappers):
        raise admin_error(409, "Protocol mapper exists with same name")
    mapper = new_mapper({name: value for name, value in given.items() if name != "id"})
    if "access.token.claim" in mapper["config"]:
        access = mapper["config"]["access.token.claim"]
        mapper["config"].setdefault("introspection.token.claim", access)
    holder["protocolMappers"] = [*mappers, mapper]
    return mapper


# --- service accounts -----------------------------------------------------------------------------


def enable_service_account(realm: Realm, client: Doc) -> None:
    """The user that stands for a client, and the scope that says so in its tokens."""
    if service_account(realm, client) is None:
        name = f"service-account-{client['clientId']}".lower()
        user = bare_user(realm, name, enabled=True, serviceAccountClientId=client["id"])
        realm.users[user["id"]] = user
    scopes: list[str] = client["defaultClientScopes"]
    if "service_account" not in scopes and realm.scope_named("service_account"):
        client["defaultClientScopes"] = [*scopes, "service_account"]


def service_account(realm: Realm, client: Doc) -> Doc | None:
    for user in realm.users.values():
        if user.get("serviceAccountClientId") == client["id"]:
            return user
    return None


def drop(realm: Realm, client: Doc) -> None:
    """Remove a client with its roles and its service account; sessions lose it."""
    for role in realm.roles_in(client["id"]):
        del realm.roles[role["id"]]
    left = set(realm.roles)
    for holder in realm.users.values():
        holder["roles"] = [held for held in holder["roles"] if held in left]
    for role in realm.roles.values():
        role["composites"] = [part for part in role["composites"] if part in left]
    account = service_account(realm, client)
    if account:
        del realm.users[account["id"]]
    for session in (*realm.sessions.values(), *realm.offline.values()):
        session["clients"].pop(client["id"], None)
    del realm.clients[client["id"]]


def refuse_built_in(client: Doc) -> None:
    """Raises Refusal for the clients every realm must keep."""
    if client["attributes"].get("realm_client") == "true":
        raise Refusal(403, {"error": "HTTP 403 Forbidden"})
    if client["clientId"] in {"account", "account-console", "admin-cli", "security-admin-console"}:
        raise framework_error(400, "invalid_request", "Could not delete client")
