"""The documents of a realm in order, and how each is made wrong, for the tests of its check."""

from dataclasses import replace
from typing import Any

import httpx

from tests.systems.identity_provider.provider_under_test import MANAGER, wants
from tests.systems.identity_provider.wire import CANARY, SETTINGS, Server, says
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.systems.identity_provider.checks import check
from workspace_manager.systems.identity_provider.client.realm import RealmClient
from workspace_manager.systems.identity_provider.client.users import UserClient, Wire
from workspace_manager.systems.identity_provider.realm.clients import changed_client, changed_mapper
from workspace_manager.systems.identity_provider.realm.profile import changed_profile
from workspace_manager.systems.identity_provider.realm.wants import (
    RealmWants,
    client_want,
    mapper_want,
    realm_requirements,
)
from workspace_sandbox.stand_ins.identity_provider.default_scopes import default_scopes

ROOT = "/admin/realms/r"
DISCOVERY = "/realms/r/.well-known/openid-configuration"
ACTIONS, BROKERS = f"{ROOT}/authentication/required-actions", f"{ROOT}/identity-provider/instances"
WANTS = wants("r")
IN_ORDER = replace(SETTINGS, realm="r", client_id=MANAGER)


def documents() -> dict[str, Any]:
    """A realm in which everything is well, by path."""
    clients = []
    for number, want in enumerate(WANTS.clients):
        client = changed_client(None, want.client_id, client_want(want))
        mappers = [changed_mapper(None, m.name, mapper_want(m)) for m in want.mappers]
        client.update(id=str(number), protocolMappers=mappers)
        client["defaultClientScopes"] = ["basic", "profile", "email"]
        client["access"] = {"manage": True}
        clients.append(client)
    builtin = {
        "id": "cli",
        "clientId": "admin-cli",
        "enabled": True,
        "publicClient": True,
        "directAccessGrantsEnabled": True,
    }
    realm = {
        "realm": "r",
        "enabled": True,
        "accessTokenLifespan": 300,
        "ssoSessionMaxLifespan": 36000,
        "internationalizationEnabled": True,
        "bruteForceProtected": True,
        "sslRequired": "external",
    }
    empty = {"attributes": [{"name": "username"}]}
    there = default_scopes().values()
    scopes = [one for name in ("basic", "profile", "email") for one in there if one["name"] == name]
    return {
        "/realms/r/.well-known/openid-configuration": {"issuer": f"{IN_ORDER.url}/realms/r"},
        ROOT: realm,
        f"{ROOT}/users": [{"id": "1", "username": "ada", "access": {"manage": True}}],
        f"{ROOT}/users/profile": changed_profile(empty, realm, realm_requirements(WANTS)[0].want),
        f"{ROOT}/clients": [*clients, builtin],
        f"{ROOT}/groups": [{"id": "g", "name": "stack-user"}],
        f"{ROOT}/client-scopes": scopes,
        f"{ROOT}/clients/0/client-secret": {"value": CANARY},
        ACTIONS: [{"alias": "UPDATE_PASSWORD", "enabled": True}],
        BROKERS: [],
    }


def findings(
    found: dict[str, Any], wanted: RealmWants = WANTS, token: httpx.Response | None = None
) -> dict[str, Finding]:
    """Everything that is not well, by name."""

    def answer(request: httpx.Request) -> httpx.Response:
        document = found.get(request.url.path, says(404, error="HTTP 404 Not Found"))
        if isinstance(document, list) and request.url.params.get("first", "0") != "0":
            document = []
        return (
            document if isinstance(document, httpx.Response) else httpx.Response(200, json=document)
        )

    wire = Wire(IN_ORDER, transport=httpx.MockTransport(Server(answer, token)))
    everything = check(UserClient(wire), RealmClient(wire), wanted)
    assert CANARY not in repr(everything)
    for one in everything:
        assert (one.severity is Severity.OK) == (not one.remedy), one
    return {one.name: one for one in everything if one.severity is not Severity.OK}


def client(found: dict[str, Any], client_id: str) -> dict[str, Any]:
    return next(c for c in found[f"{ROOT}/clients"] if c["clientId"] == client_id)


def drop_mapper(found: dict[str, Any], client_id: str, name: str) -> None:
    mappers = client(found, client_id)["protocolMappers"]
    mappers.remove(next(m for m in mappers if m["name"] == name))


def mapper(found: dict[str, Any], client_id: str, name: str) -> dict[str, Any]:
    mappers = client(found, client_id)["protocolMappers"]
    return dict(next(m for m in mappers if m["name"] == name))


def scope(found: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in found[f"{ROOT}/client-scopes"] if one["name"] == name)


def map_claim(found: dict[str, Any], claim: str, source: str) -> None:
    config = {"claim.name": claim, "user.attribute": source, "userinfo.token.claim": "true"}
    one = {"name": "ours", "protocolMapper": "oidc-usermodel-attribute-mapper", "config": config}
    client(found, MANAGER)["protocolMappers"].append(one)


def attribute(found: dict[str, Any], name: str, value: str) -> None:
    client(found, MANAGER)["attributes"][name] = value


def undeclare(found: dict[str, Any], name: str) -> None:
    attributes = found[f"{ROOT}/users/profile"]["attributes"]
    attributes.remove(next(a for a in attributes if a["name"] == name))


def lock_administrators_out(found: dict[str, Any], name: str) -> None:
    attributes = found[f"{ROOT}/users/profile"]["attributes"]
    next(a for a in attributes if a["name"] == name)["permissions"]["edit"] = ["user"]


def manage_no_client(found: dict[str, Any]) -> None:
    for one in found[f"{ROOT}/clients"]:
        one["access"] = {"manage": False}


def expose(found: dict[str, Any], name: str) -> None:
    attributes = found[f"{ROOT}/users/profile"]["attributes"]
    next(a for a in attributes if a["name"] == name)["permissions"]["edit"].append("user")
