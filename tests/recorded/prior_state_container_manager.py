"""Bring the stand-in of Portainer and its engine into the state before a recorded exchange."""

import copy
import functools
import itertools
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from tests.recorded.expected_meaning import Table
from tests.recorded.expected_meaning_container_manager import TABLE
from tests.recorded.prior_state import SHORT_S, State
from tests.recorded.prior_state_container_engine import ENGINE, Arrange, Engine, things
from tests.recorded.prior_state_container_stacks import stacks
from tests.recorded.reading import Exchange
from tests.recorded.sending import Request, request_of
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn, environments
from workspace_sandbox.stand_ins.container_manager.gate import COOKIE, digest, hashed

ADMINISTRATOR, REGULAR = 1, 3
NOTHING: tuple[str, Arrange] = ("nothing in particular", lambda engine, request: request)
passwords = functools.cache(hashed)


@dataclass(frozen=True)
class PriorState:
    """One state before: who calls, how the world is, and what is there."""

    caller: str
    world: str
    what: str
    arrange: Arrange

    def __str__(self) -> str:
        return f"the caller is {self.caller}; {self.world}; {self.what}"


class ContainerManagerStage:
    """Portainer's stand-in with its engine in memory."""

    table: ClassVar[Table] = TABLE
    free: ClassVar[frozenset[str]] = frozenset(
        {"Labels", "Containers", "DockerSnapshotRaw", "Networks", "Runtimes", "UserAccessPolicies"}
    )

    def __init__(self) -> None:
        self.stand_in = ContainerManagerStandIn(api_key="ptr_seed", admin_password="seed-password")
        self.seed = self.stand_in.seed()

    @property
    def server(self) -> StandIn:
        return self.stand_in

    def running(self) -> AbstractContextManager[None]:
        return running(self.stand_in)

    def reset(self) -> None:
        self.stand_in.state = copy.deepcopy(self.seed)
        # Nobody waits for the grace of a container that ignores SIGTERM.
        vars(self.stand_in._api.containers)["ends_within"] = _at_once

    def states(self, exchange: Exchange) -> Iterator[State]:
        for world, (what, arrange), caller in itertools.product(
            _worlds(exchange), list(_things(exchange)), _callers(exchange)
        ):
            before = PriorState(caller, world, what, arrange)
            yield State(str(before), partial(self._arrange, exchange, before))

    # --- arranging --------------------------------------------------------------------------------

    @property
    def portainer(self) -> dict[str, Any]:
        found: dict[str, Any] = self.stand_in.state["portainer"]
        return found

    def _arrange(self, exchange: Exchange, before: PriorState) -> Request:
        self._environments(exchange, before)
        self._users(exchange, before)
        request = request_of(exchange, self.stand_in.url)
        if "multipart" in exchange.headers.get("content-type", ""):
            request = request.with_(body=self._form(request.body, before.world))
        request = self._credentials(request, before.caller)
        by_portainer = exchange.path.startswith("/api")
        owner = REGULAR if before.caller.startswith("a regular") else ADMINISTRATOR
        if before.caller.endswith("asking for a stranger's"):
            owner = ADMINISTRATOR
        request = before.arrange(Engine(self.stand_in, owner=owner if by_portainer else 0), request)
        self._world(before.world)
        if exchange.status is None:
            del vars(self.stand_in._api.containers)["ends_within"]
        return request.with_(answer_s=SHORT_S) if exchange.status is None else request

    def _world(self, world: str) -> None:
        settings = self.portainer["settings"]
        if world in {"down", "no-socket", "hangs"}:
            settings["engine"] = world
        if world == "locked for want of an administrator":
            settings["init_timeout"] = True
        if world == "sign-in by OAuth":
            settings["authentication_method"] = 3
        if world == "before its first administrator":
            self.portainer.update(users={}, keys=[], environments={})

    def _environments(self, exchange: Exchange, before: PriorState) -> None:
        rows = self.portainer["environments"]
        if before.world in {"without environments", "its engine listens"}:
            rows.clear()
            self.portainer["last"]["environment"] = 0
            return
        for number in _numbers(exchange):
            if str(number) not in rows:
                name, url = f"environment {number}", f"tcp://127.0.0.1:{22000 + number}"
                rows[str(number)] = environments.row(number, name, url)
        if before.caller == "a regular user" or before.caller.startswith("a regular user asking"):
            for row in rows.values():
                row["users"] = {str(REGULAR): {"RoleId": 0}}

    def _users(self, exchange: Exchange, before: PriorState) -> None:
        """Have whoever is named: in the path, or in what is sent."""
        users = self.portainer["users"]
        users[str(REGULAR)] = _user(REGULAR, "the regular user", "another password", 2)
        addressed = re.match(r"/api/users/(\d+)", exchange.path)
        sent = exchange.sent() if isinstance(exchange.sent(), dict) else {}
        sent = {key.lower(): value for key, value in sent.items()}
        name, password = str(sent.get("username", "")), str(sent.get("password", "") or "-")
        if addressed and addressed[1] not in users and before.what != "nobody of this name":
            users[addressed[1]] = _user(int(addressed[1]), "dora", password, 2)
        if exchange.path == "/api/auth" and before.what == "the password is right":
            number = ADMINISTRATOR if name == "admin" else REGULAR
            users[str(number)] = _user(number, name, password, 1 if name == "admin" else 2)
        if exchange.path == "/api/users" and before.what == "the name is taken":
            users[str(REGULAR)] = _user(REGULAR, name, password, 2)
        if (
            addressed
            and exchange.path.endswith("/tokens")
            and before.what == "the password is right"
        ):
            users[addressed[1]]["password"] = passwords(password)

    def _form(self, body: bytes, world: str) -> bytes:
        """A form whose lines end as in a network, and whose engine is one that listens here."""
        if world == "its engine listens":
            ours = urlsplit(self.stand_in.url).port
            body = re.sub(rb"tcp://127\.0\.0\.1:\d+", b"tcp://127.0.0.1:%d" % (ours or 0), body)
        return re.sub(rb"\r?\n", b"\r\n", body)

    def _credentials(self, request: Request, caller: str) -> Request:
        """Put this run's tokens in the place of the recorded ones, and let keys be the caller's."""
        if caller in {"unknown", "nobody"}:
            return request
        addressed = re.match(r"/api/users/(\d+)/tokens", request.target)
        number = REGULAR if caller.startswith("a regular") else ADMINISTRATOR
        if addressed and not request.headers.get("x-api-key"):
            number = int(addressed[1])
        user = self.portainer["users"][str(number)]
        keys = [request.headers.get("x-api-key", "")]
        keys += [
            v
            for k, vs in parse_qs(urlsplit(request.target).query).items()
            if k.lower() == "x-api-key"
            for v in vs
        ]
        for key in filter(None, keys):
            row = {
                "id": 9,
                "userId": number,
                "description": "k",
                "prefix": "p",
                "dateCreated": 0,
                "lastUsed": 0,
            }
            self.portainer["keys"].append({**row, "digest": digest(key)})
        token = self.stand_in._gate.token(user)
        if (shown := request.headers.get("authorization", "")) and not shown.startswith("Basic"):
            scheme = "Bearer " if shown.lower().startswith("bearer ") else ""
            request = request.header("authorization", scheme + token)
        if COOKIE in request.headers.get("cookie", ""):
            request = request.header("cookie", f"{COOKIE}={token}; _gorilla_csrf=x")
            if caller == "signed out":
                self.portainer["logged_out"].append(token)
        if "x-csrf-token" in request.headers:
            request = request.header("x-csrf-token", self.stand_in._gate.csrf(token))
        return request


async def _at_once(_record: dict[str, Any], _seconds: float) -> bool:
    return False


def _user(number: int, name: str, password: str, role: int) -> dict[str, Any]:
    return {"Id": number, "Username": name, "Role": role, "password": passwords(password)}


def _worlds(exchange: Exchange) -> list[str]:
    """How everything around may have been."""
    path, status = exchange.path, exchange.status
    if status is None:
        return ["hangs", "as usual"]
    if status == 303:
        return ["locked for want of an administrator"]
    if path == "/api/auth":
        return ["as usual", "sign-in by OAuth", "before its first administrator"]
    if path.startswith("/api/users/admin"):
        return ["before its first administrator", "as usual"]
    if path == "/api/endpoints":
        first = ["its engine listens", "without environments"] if exchange.method == "POST" else []
        return [*first, "as usual", "without environments"]
    if status in {500, 502}:
        return ["as usual", "down", "no-socket"]
    return ["as usual"]


def _things(exchange: Exchange) -> Iterator[tuple[str, Arrange]]:
    path = exchange.path
    if path == "/api/auth" or path.endswith("/tokens"):
        yield "the password is right", NOTHING[1]
        yield "the password is another", NOTHING[1]
    elif path.startswith("/api/users"):
        yield "nobody of this name" if exchange.status == 404 else "somebody else", NOTHING[1]
        yield "the name is taken", NOTHING[1]
    elif path.startswith("/api/stacks"):
        yield from stacks(exchange)
    elif ENGINE.match(path) and not (path.startswith("/api") and "/docker/" not in path):
        yield from things(exchange)
    else:
        yield NOTHING


def _callers(exchange: Exchange) -> list[str]:
    """Who may have called; a key or a token does not tell."""
    shown = {"x-api-key", "authorization", "cookie"} & exchange.headers.keys()
    if not shown and "x-api-key=" not in exchange.target.lower():
        return ["nobody"]
    if exchange.status == 401:
        return ["unknown", "an administrator", "signed out"]
    regular = [
        "a regular user",
        "a regular user asking for a stranger's",
        "a regular user without access",
    ]
    return ["an administrator", *regular]


def _numbers(exchange: Exchange) -> list[int]:
    """The environments that must have been there for this answer."""
    if (
        "Unable to find an environment" in exchange.text
        or "Unable to find the endpoint" in exchange.text
    ):
        return []
    found = re.findall(r"/api/endpoints/(\d+)|endpointId=(\d+)", exchange.target)
    return [int(number) for pair in found for number in pair if number]
