"""Bring the stand-in of WebProtégé into the state before a recorded exchange."""

import itertools
import re
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import ClassVar
from urllib.parse import parse_qs, quote, unquote, urlsplit

from tests.recorded.expected_meaning import Table
from tests.recorded.expected_meaning_ontology_editor import TABLE
from tests.recorded.issuer import Issuer
from tests.recorded.placeholders import SHORTEST
from tests.recorded.prior_state import NEVER_S, SHORT_S, State
from tests.recorded.reading import Exchange
from tests.recorded.sending import Request, request_of, send
from workspace_sandbox.server import StandIn, now_ms, running
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn
from workspace_sandbox.stand_ins.openid import discovery_address

CALLER, OWNER = "svc-manager", "alice"
CLIENT = "webprotege"
ID = re.compile(r"/data/projects/([0-9a-f]{8}-[0-9a-f-]{27})(?:/|$)")
MANAGE, EDIT, VIEW = "CAN_MANAGE", "CAN_EDIT", "CAN_VIEW"


@dataclass(frozen=True)
class PriorState:
    """One state before: who calls, what the project is to them, which build answers, and how the
    database does.
    """

    caller: str
    project: str
    build: str
    database: str

    def __str__(self) -> str:
        return (
            f"the caller is {self.caller}; the project: {self.project}; {self.build} build; "
            f"database {self.database}"
        )


class OntologyEditorStage:
    """WebProtégé's stand-in, with a small identity provider for sign-in."""

    table: ClassVar[Table] = TABLE
    free: ClassVar[frozenset[str]] = frozenset()

    def __init__(self) -> None:
        self.issuer = Issuer()
        self.stand_in = OntologyEditorStandIn(
            issuer_url="http://issuer", client_id=CLIENT, client_secret="secret"
        )
        self.sign_in = self.stand_in.sign_in
        assert self.sign_in is not None

    @property
    def server(self) -> StandIn:
        return self.stand_in

    def running(self) -> AbstractContextManager[None]:
        return running(self.issuer, self.stand_in)

    def reset(self) -> None:
        assert self.sign_in is not None
        self.sign_in._address = discovery_address(self.issuer.url)
        self.sign_in._sessions.clear()
        self.stand_in.state = self.stand_in.seed()
        self.stand_in.state["roles"] = {}
        self.stand_in.sign_in = self.sign_in

    def states(self, exchange: Exchange) -> Iterator[State]:
        choices = (_builds(exchange), _databases(exchange), _callers(exchange), _projects(exchange))
        for build, database, caller, project in itertools.product(*choices):
            before = PriorState(caller, project, build, database)
            yield State(str(before), partial(self._arrange, exchange, before))

    # --- arranging --------------------------------------------------------------------------------

    def _arrange(self, exchange: Exchange, before: PriorState) -> Request:
        self.stand_in.flavour = before.build.partition(" ")[0]
        if before.build.endswith("without sign-in"):
            self.stand_in.sign_in = None
        self.stand_in.database = before.database if before.database != "frozen" else "down"
        self.stand_in.database_wait_s = NEVER_S if before.database == "frozen" else 0
        if before.build.endswith("is away"):
            assert self.sign_in is not None
            self.sign_in._address = discovery_address("http://127.0.0.1:9")
        self._caller(exchange, before.caller)
        self._projects(exchange, before.project)
        request = _whole(request_of(exchange, self.stand_in.url), exchange)
        if before.database == "frozen":
            return request.with_(answer_s=SHORT_S)
        if exchange.path == "/webprotege/oidc/callback" and exchange.claims:
            return self._callback(exchange, request, before.caller)
        return request

    def _caller(self, exchange: Exchange, how: str) -> None:
        state = self.stand_in.state
        if how == "one of several without e-mail":
            state["users"]["somebody"] = {"email": ""}
        if how in {"nobody", "unknown"}:
            return
        state["users"].setdefault(CALLER, {"email": "svc@example.org"})
        role = {"who may create": "ProjectCreator", "a system administrator": "SystemAdmin"}
        state["roles"][CALLER] = [role[how]] if how in role else []
        scheme, _, key = exchange.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "apikey":
            self.stand_in.add_key(key.strip(), CALLER)
        found = re.search(r"JSESSIONID=(\w+)", exchange.headers.get("cookie", ""))
        if found and self.sign_in is not None:
            self.sign_in._sessions[found[1]] = {"user": CALLER}

    def _projects(self, exchange: Exchange, how: str) -> None:
        if how == "absent":
            return
        owner = CALLER if how == "the caller's own" else OWNER
        named = re.search(r"/collaborators/([^/?]+)", exchange.path)
        if named and "project owner" in exchange.text:
            owner = unquote(named[1])
        roles = {"managed": [MANAGE], "a guest's": [MANAGE], "edited": [EDIT], "seen": [VIEW]}.get(
            how, []
        )
        for name in _ids(exchange):
            self.stand_in.state["projects"][name] = {
                "displayName": "Pottery",
                "description": "",
                "owner": owner if how != "a guest's" else "guest",
                "lang": "en",
                "inTrash": False,
                "createdAt": now_ms(),
                "modifiedAt": now_ms(),
                "modifiedBy": owner,
                "roles": {CALLER: [*roles, "PROJECT_DOWNLOADER"]} if roles else {},
            }

    def _callback(self, exchange: Exchange, request: Request, caller: str) -> Request:
        """Begin a sign-in, and let the provider say what it said then; the nonce is right unless it
        was made up.
        """
        begun = send(Request(self.stand_in.url, "GET", "/webprotege/oidc/login", {}, b""))
        asked = {
            k: v[0] for k, v in parse_qs(urlsplit(begun.header("location") or "").query).items()
        }
        ((_, claims),) = exchange.claims.items()
        said = {"aud": CLIENT, **claims}
        if len(str(claims.get("nonce", ""))) >= SHORTEST:
            said["nonce"] = asked["nonce"]
        if "exp" in claims:
            then = exchange.answered_at({"iat": int(claims["exp"]) - 300, **claims})
            said["exp"] = int(claims["exp"] - then + time.time())
        self.issuer.claims = said
        right = caller != "nobody"
        query = f"code=a-code&state={quote(asked['state']) if right else 'x'}"
        cookie = "; ".join(f"{name}={value}" for name, value in begun.cookies().items())
        return request.with_(target=f"{exchange.path}?{query}").header("cookie", cookie)


def _whole(request: Request, exchange: Exchange) -> Request:
    """A request whose recorded body was cut, in a text inside it: filled up to its length."""
    length = exchange.headers.get("content-length", "")
    if exchange.sent_part is None or not length.isdigit():
        return request
    body = exchange.sent_part.encode()
    return request.with_(body=body + body[-1:] * (int(length) - len(body) - 2) + b'"}')


def _builds(exchange: Exchange) -> list[str]:
    if exchange.path == "/webprotege/oidc/login":
        return ["patched", "patched without sign-in", "patched with a provider that is away"]
    if "JSESSIONID" in exchange.headers.get("cookie", ""):
        return ["patched"]
    return ["patched", "upstream"]


def _databases(exchange: Exchange) -> list[str]:
    if exchange.status is None:
        return ["frozen"]
    return ["up", "down", "gone"] if exchange.status == 500 else ["up"]


def _callers(exchange: Exchange) -> list[str]:
    if exchange.claims:
        return ["somebody", "one of several without e-mail", "nobody"]
    if exchange.status == 401:
        return ["nobody"]
    if exchange.path == "/data/projects" and exchange.method == "POST":
        return ["who may create", "somebody"]
    return ["somebody", "a system administrator"]


def _projects(exchange: Exchange) -> list[str]:
    if not _ids(exchange):
        return ["absent"]
    if exchange.status == 404:
        return ["absent", "managed"]
    if exchange.status == 403:
        return ["somebody else's", "seen", "absent"]
    return ["managed", "edited", "seen", "the caller's own", "somebody else's", "a guest's"]


def _ids(exchange: Exchange) -> list[str]:
    """The projects that are addressed, or that came back in the list."""
    found = ID.match(exchange.path)
    if found:
        return [found[1]]
    listed = exchange.json()
    return [str(one["projectId"]) for one in listed] if isinstance(listed, list) else []
