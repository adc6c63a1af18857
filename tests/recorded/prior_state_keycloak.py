"""Bring the stand-in of Keycloak into the state before a recorded exchange."""

import copy
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlencode

from tests.recorded.expected_meaning import Table
from tests.recorded.expected_meaning_keycloak import TABLE
from tests.recorded.prior_state import State
from tests.recorded.prior_state_keycloak_caller import Prepare
from tests.recorded.prior_state_keycloak_clients import clients_before
from tests.recorded.prior_state_keycloak_groups import groups_before
from tests.recorded.prior_state_keycloak_people import people_before
from tests.recorded.prior_state_keycloak_realm import (
    RealmBefore,
    realm_of,
)
from tests.recorded.prior_state_keycloak_sign_in import sign_ins
from tests.recorded.reading import Exchange
from tests.recorded.sending import Request, request_of, send
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn, realms

REALM, MASTER = "workspace", "master"
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

    # --- arranging --------------------------------------------------------------------------------

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
        before.service_account("with-few-rights", "", "query-users")
        before.service_account("without-rights", "")
        password = {"client_id": "admin-cli", "username": "admin", "password": "a long password"}
        self.tokens["an administrator"] = self._token(MASTER, grant_type="password", **password)
        for client in ("with-rights", "with-few-rights", "without-rights"):
            shown = {"client_id": client, "client_secret": "s"}
            who = f"a service account {client.replace('-', ' ')}"
            self.tokens[who] = self._token(REALM, grant_type="client_credentials", **shown)

    def _token(self, realm: str, **grant: str) -> str:
        path = f"/realms/{realm}/protocol/openid-connect/token"
        headers = {"content-type": "application/x-www-form-urlencoded"}
        body = urlencode(grant).encode()
        reply = send(Request(self.stand_in.url, "POST", path, headers, body))
        return str(reply.json()["access_token"])

    def _arrange(self, exchange: Exchange, caller: str, prepare: Prepare) -> Request:
        request = request_of(exchange, self.stand_in.url)
        if caller in self.tokens:
            request = request.header("authorization", f"Bearer {self.tokens[caller]}")
        name = realm_of(exchange)
        if name not in self.stand_in.store.realms and not _no_such_realm(exchange):
            self._have_realm(name)
        if name not in self.stand_in.store.realms:
            return request
        return prepare(RealmBefore(self.stand_in, name), request)

    def _have_realm(self, name: str) -> None:
        realms.create(self.stand_in.store.realms, {"realm": name, "enabled": True})


def _no_such_realm(exchange: Exchange) -> bool:
    return exchange.status == 404 and "ealm" in exchange.text


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
    return [
        "an administrator",
        "a service account with rights",
        "a service account with few rights",
    ]


def _things(exchange: Exchange) -> Iterator[tuple[str, Prepare]]:
    """What the administrator's call may have met, likely things first."""
    tail = exchange.path.removeprefix(f"/admin/realms/{realm_of(exchange)}")
    if tail.startswith("/users/profile"):
        yield from _profiles(exchange)
    elif "/groups" in tail:
        yield from groups_before(exchange, tail)
    elif tail.startswith("/users"):
        yield from people_before(exchange, tail)
    elif tail.startswith("/clients"):
        yield from clients_before(exchange, tail)
    else:
        yield "nothing in particular", _nothing


def _nothing(before: RealmBefore, request: Request) -> Request:
    return request


def _profiles(exchange: Exchange) -> Iterator[tuple[str, Prepare]]:
    def bare(before: RealmBefore, request: Request) -> Request:
        del before.realm.data["profile"]["attributes"][4:]
        return request

    yield "the profile as it comes", bare
    yield "the profile as it was set up", _nothing
