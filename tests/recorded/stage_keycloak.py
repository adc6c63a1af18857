"""Bring the stand-in of Keycloak into the state before a recorded exchange."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, ClassVar, TypeAlias
from urllib.parse import unquote, urlencode

from tests.recorded.meaning import Table
from tests.recorded.meanings_keycloak import TABLE
from tests.recorded.reading import Exchange
from tests.recorded.realm_before import (
    LIMITED,
    PASSWORD,
    RealmBefore,
    drop_realm,
    realm_of,
    sent_document,
    shown_people,
)
from tests.recorded.sending import Request, request_of, send
from tests.recorded.sign_in_before import sign_ins
from tests.recorded.stage import State
from workspace_manager.contract.stand_in import StandIn, running
from workspace_manager.systems.identity_provider.emulator import IdentityProviderStandIn

REALM, MASTER = "workspace", "master"
SERVICE = "provisioner"
LONG_S = 100_000
SETTINGS = {
    "internationalizationEnabled": True,
    "supportedLocales": ["en", "de"],
    "defaultLocale": "en",
    "eventsEnabled": True,
    "adminEventsEnabled": True,
    "adminEventsDetailsEnabled": True,
    "passwordPolicy": "length(8) and notUsername(undefined)",
}
Prepare: TypeAlias = Callable[[RealmBefore, Request], Request]


class KeycloakStage:
    """Keycloak's stand-in with a realm `workspace`, as the recordings had."""

    table: ClassVar[Table] = TABLE
    free: ClassVar[frozenset[str]] = frozenset({"clients", "details", "config", "validations"})

    def __init__(self) -> None:
        self.stand_in = IdentityProviderStandIn(
            realm=REALM, admin_password="a long password", realm_settings=SETTINGS
        )
        self.kept: dict[str, Any] = {}
        self.tokens: dict[str, str] = {}

    @contextmanager
    def _running(self) -> Iterator[None]:
        with running(self.stand_in):
            self._sign_in_callers()
            self.kept = copy.deepcopy(self.stand_in.state)
            yield

    @property
    def server(self) -> StandIn:
        return self.stand_in

    def running(self) -> AbstractContextManager[None]:
        return self._running()

    def reset(self) -> None:
        self.stand_in.state = copy.deepcopy(self.kept)

    def states(self, exchange: Exchange) -> Iterator[State]:
        for what, caller, prepare in _befores(exchange):
            said = f"the caller is {caller}; {what}"
            yield State(said, partial(self._arrange, exchange, caller, prepare))

    # --- arranging -------------------------------------------------------------------------------------------------------

    def _sign_in_callers(self) -> None:
        """Sign in once whoever administrates, with tokens that outlast the tests."""
        for name in (MASTER, REALM):
            realm = RealmBefore(self.stand_in, name).realm
            realm.settings.update(
                accessTokenLifespan=LONG_S,
                ssoSessionMaxLifespan=LONG_S,
                ssoSessionIdleTimeout=LONG_S,
            )
        before = RealmBefore(self.stand_in, REALM)
        before.service_account("with-rights", "", "manage-users", "view-users", "query-users")
        before.service_account("without-rights", "")
        grants = {
            "an administrator": (
                MASTER,
                {
                    "grant_type": "password",
                    "client_id": "admin-cli",
                    "username": "admin",
                    "password": "a long password",
                },
            ),
            "a service account with rights": (
                REALM,
                {
                    "grant_type": "client_credentials",
                    "client_id": "with-rights",
                    "client_secret": "s",
                },
            ),
            "a service account without rights": (
                REALM,
                {
                    "grant_type": "client_credentials",
                    "client_id": "without-rights",
                    "client_secret": "s",
                },
            ),
        }
        for who, (realm_name, grant) in grants.items():
            path = f"/realms/{realm_name}/protocol/openid-connect/token"
            headers = {"content-type": "application/x-www-form-urlencoded"}
            reply = send(
                Request(self.stand_in.url, "POST", path, headers, urlencode(grant).encode())
            )
            self.tokens[who] = str(reply.json()["access_token"])

    def _arrange(self, exchange: Exchange, caller: str, prepare: Prepare) -> Request:
        request = request_of(exchange, self.stand_in.url)
        if caller in self.tokens:
            request = request.header("authorization", f"Bearer {self.tokens[caller]}")
        name = realm_of(exchange)
        if name not in self.stand_in.store.realms:
            return request
        return prepare(RealmBefore(self.stand_in, name), request)


def _befores(exchange: Exchange) -> Iterator[tuple[str, str, Prepare]]:
    if not exchange.path.startswith("/admin"):
        for what, prepare in sign_ins(exchange):
            yield what, "as shown", prepare
        return
    for what, prepare in _things(exchange):
        for caller in _callers(exchange):
            yield what, caller, prepare


def _callers(exchange: Exchange) -> list[str]:
    if "authorization" not in exchange.headers or exchange.status == 401:
        return ["nobody we know"]
    if exchange.status == 403:
        return ["a service account without rights"]
    return ["an administrator", "a service account with rights"]


def _things(exchange: Exchange) -> Iterator[tuple[str, Prepare]]:
    """What the administrator's call may have met, likely things first."""
    tail = exchange.path.removeprefix(f"/admin/realms/{REALM}")
    if tail == "/admin/realms":
        yield "no realm of this name", _without_realm(exchange)
        yield "the realm is there", _nothing
    elif tail.startswith("/users/profile"):
        yield from _profiles(exchange)
    elif tail.startswith(("/users", "/attack-detection")):
        yield from _people(exchange, tail)
    elif tail.startswith("/clients"):
        yield from _clients(exchange, tail)
    elif tail.startswith(("/groups", "/group-by-path")):
        yield from _groups(exchange, tail)
    elif tail.startswith("/events"):
        yield "somebody signed in", _somebody_signed_in
        yield "nothing happened", _nothing_happened
    elif tail.startswith("/admin-events"):
        yield "somebody was deleted", _deleted_somebody
        yield "nothing happened", _nothing
    else:
        yield "nothing in particular", _nothing


def _nothing(before: RealmBefore, request: Request) -> Request:
    return request


def _nothing_happened(before: RealmBefore, request: Request) -> Request:
    before.realm.data["events"].clear()
    return request


def _without_realm(exchange: Exchange) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        name = str(sent_document(exchange).get("realm", ""))
        if name in before.stand_in.store.realms and name != MASTER:
            drop_realm(before.stand_in, name)
        return request

    return prepare


def _profiles(exchange: Exchange) -> Iterator[tuple[str, Prepare]]:
    def bare(before: RealmBefore, request: Request) -> Request:
        del before.realm.data["profile"]["attributes"][4:]
        return request

    yield "the profile as it comes", bare
    yield "the profile as it was set up", _nothing


def _somebody_signed_in(before: RealmBefore, request: Request) -> Request:
    before.person({"username": "carol"}, password=PASSWORD)
    grant = {"grant_type": "password", "client_id": "admin-cli", "username": "carol"}
    body = urlencode({**grant, "password": PASSWORD}).encode()
    headers = {"content-type": "application/x-www-form-urlencoded"}
    path = f"/realms/{before.name}/protocol/openid-connect/token"
    send(Request(request.url, "POST", path, headers, body))
    return request


def _deleted_somebody(before: RealmBefore, request: Request) -> Request:
    user = before.person({"id": "00000000-0000-4000-8000-000000000001", "username": "gone"})
    headers = {"authorization": request.headers["authorization"]}
    path = f"/admin/realms/{before.name}/users/{user['id']}"
    send(Request(request.url, "DELETE", path, headers, b""))
    return request


# --- people -----------------------------------------------------------------------------------------------------------------


def _people(exchange: Exchange, tail: str) -> Iterator[tuple[str, Prepare]]:
    """Who is addressed, or who came back; and others whom a change may have run into."""
    found = re.match(r"/(?:users|attack-detection/brute-force/users)/([^/]+)", tail)
    absent = exchange.status == 404 and "User not found" in exchange.text
    if not found or absent:
        yield "the people who are shown", _shown(exchange)
        yield "somebody of this name or e-mail", _taken(exchange)
        return
    number = unquote(found[1])
    for what, more in (
        ("somebody as shown", {}),
        ("somebody of the name that is sent", {"named": "as sent"}),
        ("somebody else has the e-mail", {"named": "as sent", "taken": "email"}),
        ("attributes are limited to 255 characters", {"named": "as sent", "limited": "yes"}),
    ):
        yield what, _person(exchange, number, more)


def _shown(exchange: Exchange) -> Prepare:
    def prepare(before: RealmBefore, request: Request) -> Request:
        for shown in shown_people(exchange):
            before.person(shown)
        return request

    return prepare


def _taken(exchange: Exchange) -> Prepare:
    sent = sent_document(exchange)

    def prepare(before: RealmBefore, request: Request) -> Request:
        email = str(sent.get("email") or "")
        if email and "email" in exchange.text:
            before.person({"username": "other"}, email=email.lower())
        if "username" in exchange.text:
            before.person({"username": str(sent.get("username", "bob")).lower()})
        return request

    return prepare


def _person(exchange: Exchange, number: str, more: dict[str, str]) -> Prepare:
    sent = sent_document(exchange)
    shown = shown_people(exchange)
    one = {**shown[0], "id": number} if shown and exchange.path.endswith(number) else {"id": number}

    def prepare(before: RealmBefore, request: Request) -> Request:
        named = (
            {"username": str(sent["username"])} if more.get("named") and "username" in sent else {}
        )
        user = before.person(one, **named)
        if more.get("taken"):
            before.person({"username": "other"}, email=str(sent.get("email") or "o@example.org"))
        if more.get("limited"):
            for attribute in before.realm.data["profile"]["attributes"]:
                attribute.setdefault("validations", {})["length"] = dict(LIMITED)
        if exchange.path.endswith("/sessions") and exchange.json():
            before.session(user)
        if exchange.path.endswith("/credentials") and exchange.json():
            user["credentials"] = [_credential(exchange.json()[0])]
        return _with_groups(before, user, exchange, _with_roles(before, request, exchange))

    return prepare


def _credential(shown: dict[str, Any]) -> dict[str, Any]:
    secret = json.dumps(
        {"value": "cGxhY2Vob2xkZXI=", "salt": "cGxhY2Vob2xkZXI=", "additionalParameters": {}}
    )
    return {**shown, "secretData": secret}


def _with_groups(
    before: RealmBefore, user: dict[str, Any], exchange: Exchange, request: Request
) -> Request:
    """The group that is joined or left, or the groups that came back."""
    found = re.search(r"/groups/([^/]+)$", exchange.path)
    if found and "Group not found" not in exchange.text:
        user["groups"] = [before.group("wk-admin", found[1])["id"]]
    if exchange.path.endswith("/groups"):
        listed = exchange.json()
        for one in listed if isinstance(listed, list) else []:
            user["groups"].append(before.group(str(one["name"]), str(one["id"]))["id"])
    return request


def _with_roles(before: RealmBefore, request: Request, exchange: Exchange) -> Request:
    """Roles of a client go by numbers that differ here: they are looked up by their names."""
    found = re.search(r"/role-mappings/clients/([^/]+)", exchange.path)
    if not found:
        return request
    holder = before.realm.client_named("realm-management")
    assert holder is not None
    sent = exchange.sent()
    for one in sent if isinstance(sent, list) else []:
        role = before.realm.role_named(str(one["name"]), holder["id"])
        one.update(id=role["id"] if role else one["id"], containerId=holder["id"])
    target = request.target.replace(found[1], holder["id"])
    return request.with_(target=target, body=json.dumps(sent).encode() if sent else request.body)


# --- clients and groups -----------------------------------------------------------------------------------------------------


def _clients(exchange: Exchange, tail: str) -> Iterator[tuple[str, Prepare]]:
    found = re.match(r"/clients/([^/?]+)", tail)
    sent = sent_document(exchange)

    def addressed(before: RealmBefore, request: Request) -> Request:
        assert found is not None
        shown = exchange.json() if isinstance(exchange.json(), dict) else {}
        name = str(shown.get("clientId") or shown.get("serviceAccountClientId") or SERVICE)
        accounts = "service-account" in exchange.path
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


def _groups(exchange: Exchange, tail: str) -> Iterator[tuple[str, Prepare]]:
    found = re.match(r"/groups/([^/?]+)", tail)
    named = tail.removeprefix("/group-by-path/") if "group-by-path" in tail else ""

    def there(before: RealmBefore, request: Request) -> Request:
        shown = exchange.json() if isinstance(exchange.json(), dict) else {}
        name = named or shown.get("name") or sent_document(exchange).get("name") or "wk-admin"
        group = before.group(unquote(str(name)), found[1] if found else "")
        for one in shown_people(exchange):
            before.person(one)["groups"] = [group["id"]]
        return request

    def listed(before: RealmBefore, request: Request) -> Request:
        shown = exchange.json()
        for one in shown if isinstance(shown, list) else []:
            before.group(str(one["name"]), str(one["id"]))
        return request

    if exchange.status != 404 and (found or exchange.status != 201):
        yield "the group is there", there
    yield "the groups that are shown", listed
