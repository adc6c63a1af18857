"""Clients in Keycloak's realm before an administrator's call."""

import re
from collections.abc import Iterator
from typing import Any

from tests.recorded.prior_state_keycloak_caller import Prepare
from tests.recorded.prior_state_keycloak_realm import RealmBefore, sent_document
from tests.recorded.reading import Exchange
from tests.recorded.sending import Request

SERVICE = "provisioner"
MANAGEMENT = "realm-management"


def clients_before(exchange: Exchange, tail: str) -> Iterator[tuple[str, Prepare]]:
    found = re.match(r"/clients/([^/]+)", tail)
    sent = sent_document(exchange)

    def addressed(before: RealmBefore, request: Request) -> Request:
        assert found is not None
        shown = exchange.json() if isinstance(exchange.json(), dict) else {}
        name = str(shown.get("clientId") or shown.get("serviceAccountClientId") or SERVICE)
        if tail.startswith(f"{found[0]}/roles") and exchange.json():
            name = MANAGEMENT
        if said := re.search(r"for the client '([^']+)'", exchange.text):
            name = said[1]
        accounts = "service-account" in exchange.path and "not enabled" not in exchange.text
        client = before.client(name, secret="s", serviceAccountsEnabled=accounts)
        if accounts:
            before.service_account(name, str(shown.get("id", "")))
        number = re.search(r"/models/([^/]+)", exchange.path)
        if "/protocol-mappers" in exchange.path:
            client["protocolMappers"] = mappers_before(exchange, number[1] if number else "")
        return request.with_(target=request.target.replace(found[1], client["id"], 1))

    def taken(before: RealmBefore, request: Request) -> Request:
        before.client(str(sent.get("clientId", SERVICE)), secret="s")
        return request

    if found and "Could not find client" not in exchange.text:
        yield "the client is there", addressed
    if exchange.status == 409:
        yield "the client's name is taken", taken
    yield "nothing in particular", lambda before, request: request


def mappers_before(exchange: Exchange, number: str) -> list[dict[str, Any]]:
    """The protocol mappers of whom a call addresses: those that came back, the one it is about, or
    the one in its way.
    """
    shown = exchange.json()
    if exchange.method == "GET" and exchange.status == 200:
        return shown if isinstance(shown, list) else [shown]
    if not (number and exchange.status in {200, 204}) and exchange.status != 409:
        return []
    mapper = {
        "id": number or "m1",
        "name": sent_document(exchange).get("name", "audience-drive"),
        "protocol": "openid-connect",
        "protocolMapper": "oidc-audience-mapper",
        "config": {},
    }
    return [mapper]
