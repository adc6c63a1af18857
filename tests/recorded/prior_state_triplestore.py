"""Bring the stand-in of OpenGDB into the state before a recorded exchange."""

import base64
import binascii
import itertools
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar
from urllib.parse import parse_qs, unquote

import pyoxigraph

from tests.recorded.expected_meaning import Table
from tests.recorded.expected_meaning_triplestore import TABLE
from tests.recorded.prior_state import State
from tests.recorded.reading import Exchange, as_json
from tests.recorded.sending import Request, request_of
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.triplestore import PROXY_PAGES, TriplestoreStandIn, accounts

HOLDER = "holder of the token"
ADMINISTRATOR = "administrator"
DATA = """<http://ex.org/a> <http://ex.org/p> "default graph" .
<http://ex.org/a> <http://ex.org/p> "in g1" <http://ex.org/g1> .
<http://ex.org/b> <http://ex.org/p> "gr\\u00FC\\u00DFe"@de <http://ex.org/g2> .
_:b0 <http://ex.org/p> "12"^^<http://www.w3.org/2001/XMLSchema#integer> <http://ex.org/g2> .
<http://ex.org/c> <http://ex.org/p> "g3" <http://ex.org/g3> .
<http://ex.org/a> <http://ex.org/p> "2" <http://ex.org/g> .
"""
DOWN = ("RDF4J is down", "RDF4J accepts connections but does not answer")
BROKEN = 500
LARGE = 105 * 1024 * 1024


@dataclass(frozen=True)
class PriorState:
    """One state before, in words: who calls, what the addressed account and repository are, and
    what is up.
    """

    caller: str
    account: str
    repository: str
    up: str

    def __str__(self) -> str:
        return (
            f"the caller is {self.caller}; account {self.account}; repository "
            f"{self.repository}; {self.up}"
        )


class TriplestoreStage:
    """OpenGDB's stand-in with an RDF4J behind it, in this process."""

    table: ClassVar[Table] = TABLE
    free: ClassVar[frozenset[str]] = frozenset()

    def __init__(self) -> None:
        self.stand_in = TriplestoreStandIn(admin_username=ADMINISTRATOR)

    @property
    def server(self) -> StandIn:
        return self.stand_in

    def running(self) -> AbstractContextManager[None]:
        return running(self.stand_in)

    def reset(self) -> None:
        self.stand_in.state = self.stand_in.seed()
        self.stand_in.local.down = False
        self.stand_in.proxy_status = 0

    def states(self, exchange: Exchange) -> Iterator[State]:
        choices = (_up(exchange), _repositories(exchange), _accounts(exchange), _callers(exchange))
        for up, repository, account, caller in itertools.product(*choices):
            before = PriorState(caller, account, repository, up)
            yield State(str(before), partial(self._arrange, exchange, before))

    # --- arranging --------------------------------------------------------------------------------

    def _arrange(self, exchange: Exchange, before: PriorState) -> Request:
        names = _repository_names(exchange) if before.repository != "absent" else []
        for name in names:
            self._repository(name, before.repository, filled=_wants_data(exchange))
        for name in _named_in_rights(exchange):
            if name not in names and exchange.status != BROKEN:
                self._repository(name, "there")
        self._account(exchange, before.account)
        self._caller(exchange, before.caller, names)
        self.stand_in.local.down = before.up == "RDF4J is down"
        if before.up == "only the proxy is up":
            self.stand_in.proxy_status = exchange.status or 0
        return _whole(request_of(exchange, self.stand_in.url), exchange)

    def _repository(self, name: str, how: str, *, filled: bool = False) -> None:
        row = {
            "id": name,
            "title": name,
            "publicRead": False,
            "publicWrite": False,
            "codename": name,
        }
        if how == "public":
            row |= {"publicRead": True, "publicWrite": True}
        rows = {"stored only": 0, "twice": 2}.get(how, 1)
        self.stand_in.state["repositories"] += [dict(row) for _ in range(rows)]
        if how not in {"listed only", "twice"}:
            self.stand_in.state["stored"][name] = {"title": name, "nquads": ""}
            if filled:
                store = self.stand_in.local.statements(name).store
                store.load(DATA, format=pyoxigraph.RdfFormat.N_QUADS)

    def _account(self, exchange: Exchange, how: str) -> None:
        name = _account_name(exchange)
        if not name or how == "absent":
            return
        account = accounts.new_account("a password" if how != "half-made" else None)
        if how == "an administrator by role":
            account["role"] = "ROLE_ADMIN"
        self.stand_in.state["users"][name] = account

    def _caller(self, exchange: Exchange, how: str, repositories: list[str]) -> None:
        users = self.stand_in.state["users"]
        if exchange.path == "/api-token-auth/":
            form = parse_qs(exchange.body, keep_blank_values=True)
            name, password = (form.get(field, [""])[0] for field in ("username", "password"))
            if how != "nobody":
                users[name.strip() if how != "known with its blanks" else name] = (
                    accounts.new_account(password)
                )
        shown = _credential(exchange)
        if shown is None or how in {"nobody", "anonymous"}:
            return
        scheme, name, secret = shown
        if name == HOLDER and how == "the account itself":
            name = _account_name(exchange)
        account = users.get(name) or accounts.new_account(superuser=how == "superuser")
        account["superuser"] = how == "superuser"
        if scheme == "basic":
            account["password"] = accounts.hashed(secret)
        else:
            account["token"] = secret
        if how == "member":
            account["rights"] = [f"{v}_REPO_{r}" for r in repositories for v in ("READ", "WRITE")]
        users[name] = account


def _whole(request: Request, exchange: Exchange) -> Request:
    """A request whose recorded body was cut: it was too large, so something too large is sent."""
    if exchange.sent_part is None:
        return request
    line = request.body.split(b"\n", 1)[0] + b"\n"
    return request.with_(body=line * (LARGE // len(line)))


def _up(exchange: Exchange) -> list[str]:
    if exchange.status in PROXY_PAGES:
        return ["only the proxy is up", "RDF4J is down"]
    if exchange.given.startswith(DOWN):
        return ["RDF4J is down"]
    return (
        ["everything is up", "RDF4J is down"] if exchange.status == BROKEN else ["everything is up"]
    )


def _repositories(exchange: Exchange) -> list[str]:
    """What may be known of the repository that is addressed: its row, its data, both, neither, or
    its row twice.
    """
    if not _repository_names(exchange):
        return ["absent"]
    if exchange.method in {"POST", "PUT"} and exchange.path.endswith("repositories"):
        return ["absent", "there", "stored only", "listed only"]
    if exchange.status == 404:
        return ["there", "absent", "listed only", "stored only"]
    return (
        ["there", "public", "listed only", "twice"]
        if exchange.status != BROKEN
        else ["there", "listed only", "twice"]
    )


def _accounts(exchange: Exchange) -> list[str]:
    if not _account_name(exchange):
        return ["absent"]
    if exchange.method == "POST":
        return ["absent", "there"]
    if exchange.status == 404:
        return ["absent", "there"]
    return ["there", "absent", "an administrator by role"]


def _callers(exchange: Exchange) -> list[str]:
    if exchange.path == "/api-token-auth/":
        return ["known", "nobody", "known with its blanks"]
    if _credential(exchange) is None:
        return ["anonymous"]
    if exchange.status == 401:
        return ["nobody", "superuser"]
    if exchange.status in {302, 404}:
        return ["superuser", "a stranger", "member"]
    return ["superuser", "the account itself", "member", "a stranger"]


# --- what an exchange says ------------------------------------------------------------------------


def _credential(exchange: Exchange) -> tuple[str, str, str] | None:
    """Scheme, user name and secret; the name stands for nobody in particular when a token
    is shown.
    """
    scheme, _, value = exchange.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "basic":
        try:
            name, _, secret = base64.b64decode(value, validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return None
        return "basic", name, secret
    return ("token", HOLDER, value.strip()) if scheme.lower() == "token" else None


def _account_name(exchange: Exchange) -> str:
    prefix = "/rest/security/users/"
    return unquote(exchange.path.removeprefix(prefix)) if exchange.path.startswith(prefix) else ""


def _repository_names(exchange: Exchange) -> list[str]:
    """The repositories that were there if any was: by the path, by the body of a creation, or in
    the list that came back.
    """
    parts = exchange.path.removeprefix("/rest").split("/")
    if parts[1:2] != ["repositories"]:
        return []
    if len(parts) > 2 and parts[2]:
        return [unquote(parts[2])]
    if exchange.method == "POST":
        sent = as_json(exchange.body)
        return [str(sent["id"])] if isinstance(sent, dict) and sent.get("id") else []
    return _listed(exchange)


def _listed(exchange: Exchange) -> list[str]:
    found = exchange.json()
    if isinstance(found, list):
        return [str(one["id"]) for one in found]
    if isinstance(found, dict) and "results" in found:
        return [one["id"]["value"] for one in found["results"]["bindings"] if "id" in one]
    return ["listed"] if exchange.text.count("\n") else []


def _named_in_rights(exchange: Exchange) -> list[str]:
    """Repositories that a change of an account gives rights on."""
    sent = as_json(exchange.body)
    rights = sent.get("grantedAuthorities") if isinstance(sent, dict) else None
    found = [str(right).partition("_REPO_")[2] for right in rights or () if "_REPO_" in str(right)]
    return [name for name in dict.fromkeys(found) if name != "*"]


def _wants_data(exchange: Exchange) -> bool:
    """Whether there was something in the repository: the answer shows some of it."""
    found: Any = exchange.json()
    if isinstance(found, dict) and "boolean" in found:
        return bool(found["boolean"]) and "%7B%7D" not in exchange.target
    if isinstance(found, dict) and "results" in found:
        return bool(found["results"]["bindings"])
    return bool(exchange.text.strip())
