"""Clients in Keycloak's realm before an administrator's call."""

import re
from collections.abc import Iterator

from tests.recorded.caller_before import Prepare
from tests.recorded.reading import Exchange
from tests.recorded.realm_before import RealmBefore, sent_document
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
        if "clientId" in shown and "redirectUris" in shown:
            client = before.client_as_shown(shown)
        else:
            client = before.client(name, secret="s", serviceAccountsEnabled=accounts)
        if accounts:
            before.service_account(name, str(shown.get("id", "")))
        listed = exchange.json()
        mapper = {
            "id": "m1",
            "name": sent.get("name", "audience-drive"),
            "protocol": "openid-connect",
            "protocolMapper": "oidc-audience-mapper",
            "config": {},
        }
        if exchange.path.endswith("/models") and isinstance(listed, list):
            client["protocolMappers"] = listed
        elif "/protocol-mappers" in exchange.path and exchange.status in {200, 204, 409}:
            number = re.search(r"/models/([^/]+)", exchange.path)
            client["protocolMappers"] = [{**mapper, "id": number[1] if number else "m1"}]
        return request.with_(target=request.target.replace(found[1], client["id"], 1))

    def taken(before: RealmBefore, request: Request) -> Request:
        before.client(str(sent.get("clientId", SERVICE)), secret="s")
        return request

    def listed(before: RealmBefore, request: Request) -> Request:
        shown = exchange.json()
        for one in shown if isinstance(shown, list) else []:
            if isinstance(one, dict) and "clientId" in one:
                before.client_as_shown(one)
        return request

    if found and "Could not find client" not in exchange.text:
        yield "the client is there", addressed
    if exchange.status == 409:
        yield "the client's name is taken", taken
    yield "the clients that are shown", listed
