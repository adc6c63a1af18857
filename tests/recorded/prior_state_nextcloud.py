"""Bring the stand-in of Nextcloud into the state before a recorded exchange, or the run of a
command.
"""

import copy
import itertools
import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, ClassVar, TypeAlias
from urllib.parse import parse_qs, unquote

from tests.recorded.comparing import masked, unlike
from tests.recorded.expected_meaning import Table
from tests.recorded.expected_meaning_nextcloud import APP_PASSWORD as IN_OUTPUT
from tests.recorded.expected_meaning_nextcloud import TABLE
from tests.recorded.issuer import Issuer
from tests.recorded.prior_state import Impossible, State, Unlike
from tests.recorded.prior_state_nextcloud_server import (
    APP_PASSWORD,
    Deployment,
    DriveBefore,
    addressed,
    basic,
    deployments,
    form,
    homes_of,
    list_accounts,
    provider_number,
)
from tests.recorded.reading import Exchange, Run, as_json
from tests.recorded.sending import Request, request_of
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.drive import DriveStandIn
from workspace_sandbox.stand_ins.drive.occ import COMMANDS
from workspace_sandbox.stand_ins.drive.sign_in import SESSION
from workspace_sandbox.stand_ins.drive.world import SESSION_COOKIE, Flow

ADMIN, CLIENT = "admin", "https://drive.example.org"
KEY = "a-session"
Prepare: TypeAlias = Callable[[DriveBefore, Request], Request]


class NextcloudStage:
    """Nextcloud's stand-in with an identity provider of its own."""

    table: ClassVar[Table] = TABLE
    free: ClassVar[frozenset[str]] = frozenset({"settings"})

    def __init__(self) -> None:
        self.issuer = Issuer()
        self.stand_in: DriveStandIn | None = None
        self.kept: dict[str, Any] = {}

    @contextmanager
    def _running(self) -> Iterator[None]:
        with running(self.issuer):
            self.stand_in = DriveStandIn(
                issuer_url=self.issuer.url,
                client_id=CLIENT,
                client_secret="secret",
                users={"alice": "a password", "bob": "another password"},
            )
            with running(self.stand_in):
                self.kept = copy.deepcopy(self.stand_in.state)
                yield

    @property
    def server(self) -> StandIn:
        return self.drive

    def running(self) -> AbstractContextManager[None]:
        return self._running()

    @property
    def drive(self) -> DriveStandIn:
        assert self.stand_in is not None
        return self.stand_in

    def reset(self) -> None:
        self.drive.state = copy.deepcopy(self.kept)
        self.drive.world.sessions.clear()
        self.drive.world.flows.clear()
        self.drive.world.oidc.forget_keys()

    def states(self, exchange: Exchange) -> Iterator[State]:
        choices = (
            list(deployments(exchange)),
            list(_credentials(exchange)),
            list(_things(exchange)),
        )
        for deployment, (who, show), (what, prepare) in itertools.product(*choices):
            said = f"the drive: {deployment.what}; {who}; {what}"
            yield State(said, partial(self._arrange, exchange, deployment, show, prepare))

    def _arrange(
        self, exchange: Exchange, deployment: Deployment, show: Prepare, prepare: Prepare
    ) -> Request:
        before = DriveBefore(self.drive, self.issuer)
        request = request_of(exchange, self.drive.url).header("cookie", None)
        request = request.with_(
            body=request.body.replace(
                b"http://127.0.0.1:18090/realms/scs", self.issuer.url.encode()
            )
        )
        for name in ("alice", "bob", ADMIN):
            before.person(name)
        request = before.signed(exchange, show(before, prepare(before, request)))
        before.deploy(deployment, provider_number(exchange))
        before.as_shown(exchange)
        return request

    # --- runs -------------------------------------------------------------------------------------

    def serves_run(self, run: Run) -> bool:
        """Whether somebody runs this command here."""
        return shlex.split(run.command)[1] in COMMANDS

    def replay_run(self, run: Run) -> None:
        """Run the command as recorded. Raises Unlike when exit code or output differ in kind."""
        words = shlex.split(run.command)
        for what in ("as it should be", "no provider"):
            self.reset()
            if what == "no provider":
                self.drive.state["providers"].clear()
            before = DriveBefore(self.drive, self.issuer)
            before.app_password("alice", "alice", "x" * APP_PASSWORD)
            code, output = self.drive.occ(["php", "occ", *words[1:]])
            if code == run.exit_code and _same_output(run, output):
                return
        raise Unlike(
            f"{run}: {run.command}: exit {run.exit_code} recorded, {code} answered; "
            f"output {output[:200]!r}"
        )


def _same_output(run: Run, output: str) -> bool:
    """Whether an output says the same: documents of one shape, one table's columns, an app
    password, or the same words.
    """
    recorded, answered = as_json(run.stdout), as_json(output)
    if recorded is not None and answered is not None:
        return not unlike(recorded, answered)
    if IN_OUTPUT.search(run.stdout):
        return bool(IN_OUTPUT.search(output))
    if run.stdout.startswith("+--"):
        return (
            output.startswith("+--")
            and output.splitlines()[1].split() == run.stdout.splitlines()[1].split()
        )
    said = masked(f"{run.stdout} {run.stderr}")
    return all(masked(line) in said for line in output.splitlines() if line.strip())


# --- credentials ----------------------------------------------------------------------------------


def _as_it_is(before: DriveBefore, request: Request) -> Request:
    return request


def _credentials(exchange: Exchange) -> Iterator[tuple[str, Prepare]]:
    """Whose the shown credential was, likely ones first."""
    shown = exchange.headers.get("authorization", "")
    if pair := basic(exchange):
        ways = (
            ("right", "disabled", "wrong")
            if exchange.status != 401
            else ("wrong", "somebody else's", "stale", "disabled")
        )
        for way in ways:
            yield f"the password is {way}", partial(_password, pair, way)
    elif shown.lower().startswith("bearer") and shown.partition(" ")[2] in exchange.claims:
        ways = ("genuine", "forged", "of somebody known", "of somebody disabled")
        for way in ways:
            yield f"the token is {way}", partial(_token, exchange, way)
    elif shown.lower().startswith("bearer") and exchange.status != 401:
        yield "the token is an app password", partial(_app_password, shown.partition(" ")[2])
    if "cookie" in exchange.headers:
        for uid in ("alice", ADMIN, "bob"):
            yield f"{uid} has signed in", partial(_session, exchange, uid)
    if not shown or exchange.status == 401:
        yield "nobody has signed in", _as_it_is


def _password(pair: tuple[str, str], way: str, before: DriveBefore, request: Request) -> Request:
    name, password = pair
    of_an_app = len(password) == APP_PASSWORD
    if way == "wrong":
        return request
    known = before.world.accounts.find(name)
    backend = "user_oidc" if of_an_app and known is None else "Database"
    account = before.person(name, backend=backend, password="" if of_an_app else password)
    if way == "disabled":
        account["enabled"] = False
    if of_an_app:
        login_name = "somebody" if way == "somebody else's" else name
        before.app_password(account["id"], login_name, password, stale=way == "stale")
    return request


def _token(exchange: Exchange, way: str, before: DriveBefore, request: Request) -> Request:
    claims = exchange.claims[exchange.headers["authorization"].partition(" ")[2]]
    if way.startswith("of somebody"):
        account = before.person(str(claims.get("sub")), backend="user_oidc")
        account["email"] = "x@example.org"
        account["enabled"] = way != "of somebody disabled"
    return before.bearer(exchange, request, way)


def _app_password(text: str, before: DriveBefore, request: Request) -> Request:
    before.app_password("alice", "alice", text)
    return request


def _session(exchange: Exchange, uid: str, before: DriveBefore, request: Request) -> Request:
    """A browser in which somebody signed in."""
    session = before.world.sessions.setdefault(KEY, {"key": KEY})
    session |= {"uid": uid, "by": SESSION, "login_name": uid}
    return request.header("cookie", f"{SESSION_COOKIE}={KEY}")


# --- things ---------------------------------------------------------------------------------------


def _things(exchange: Exchange) -> Iterator[tuple[str, Prepare]]:
    """What was there of what is addressed, likely things first."""
    path = exchange.path.removeprefix("/index.php") or "/"
    if name := addressed(exchange):
        for what in ("user_oidc", "Database"):
            yield f"account of {what}", partial(_account, name, what)
        yield "no such account", _as_it_is
    elif path.endswith("/cloud/users"):
        yield from _collections(exchange)
    elif homes := homes_of(exchange):
        for name in homes:
            yield f"the home of {name} is there", partial(_account, name, "user_oidc")
        for what in ("file", "folder", "folder around it"):
            yield f"the home, and the {what} in it", partial(_in_home, exchange.path, what)
        yield "no such home", _as_it_is
    elif path.startswith("/login/v2"):
        yield from _flows(exchange, path)
    elif path.startswith("/apps/user_oidc"):
        yield from _sign_ins(exchange, path)
    elif path == "/login" and exchange.method == "POST":
        yield "the password is right", partial(_form, form(exchange))
        yield "the password is wrong", partial(_form, {})
    else:
        yield "nothing in particular", _as_it_is


def _account(name: str, backend: str, before: DriveBefore, request: Request) -> Request:
    before.person(name, backend=backend)
    return request


def _in_home(path: str, what: str, before: DriveBefore, request: Request) -> Request:
    """A home with what is addressed in it, or with the folders around that alone."""
    uid, _, inside = unquote(path.removeprefix("/remote.php/dav/files/")).strip("/").partition("/")
    if not inside:
        raise Impossible
    before.person(uid, backend="user_oidc")
    files = before.world.accounts.home(uid)
    *around, _ = inside.split("/")
    for at in range(len(around)):
        files["/".join(around[: at + 1])] = {"data": None, "modified": 0}
    if what != "folder around it":
        files[inside] = {"data": "aGVsbG8=" if what == "file" else None, "modified": 0}
    return request


def _collections(exchange: Exchange) -> Iterator[tuple[str, Prepare]]:
    wanted = form(exchange).get("userid", "")
    search = parse_qs(exchange.query).get("search", [""])[0]

    def found(before: DriveBefore, request: Request) -> Request:
        for name in list_accounts(exchange):
            account = before.person(name)
            account["email"] = search if "@" in search else None
            account["display_name"] = search or name
        return request

    def absent(before: DriveBefore, request: Request) -> Request:
        if known := before.world.accounts.find(wanted):
            before.world.accounts.delete(known)
        return request

    if exchange.method == "POST":
        yield "nobody of this name", absent
        yield "somebody of this name", partial(_account, wanted, "Database")
    else:
        yield "the accounts that came back", found


def _form(typed: dict[str, str], before: DriveBefore, request: Request) -> Request:
    """The sign-in form; its request token is one of the page, which any will do for."""
    if typed.get("user"):
        name = str(typed["user"])
        known = before.world.accounts.by_login(name)
        before.person(known["id"] if known else name, password=typed.get("password", ""))
    body = re.sub(rb"requesttoken=[^&]*", b"requesttoken=a%3Ab", request.body)
    return request.with_(body=body)


def _flows(exchange: Exchange, path: str) -> Iterator[tuple[str, Prepare]]:
    """A login flow: waiting, granted, or over; with the browser in which somebody grants it."""
    if path == "/login/v2":
        yield "nothing in particular", _as_it_is
        return
    for what in ("waits", "was granted", "is over"):
        for uid in ("", "alice"):
            who = f", {uid} has signed in" if uid else ""
            yield f"the flow {what}{who}", partial(_flow, exchange, what, uid)


def _flow(
    exchange: Exchange, what: str, uid: str, before: DriveBefore, request: Request
) -> Request:
    asked = {**{k: v[0] for k, v in parse_qs(exchange.query).items()}, **form(exchange)}
    landing = re.match(r"/login/v2/flow/(\w+)", exchange.path)
    world = before.world
    login_token = landing[1] if landing else "a" * 128
    if what != "is over":
        flow = Flow(
            poll_token=asked.get("token", "p" * 128),
            login_token=login_token,
            client_name="a client",
            server=request.url,
            until=world.now() + 600,
        )
        flow.granted = ("alice", "x" * APP_PASSWORD) if what == "was granted" else None
        world.flows.append(flow)
    session = {"key": KEY, "flow": login_token, "state_token": asked.get("stateToken", "")}
    if uid:
        session |= {"uid": uid, "by": SESSION, "login_name": uid}
    world.sessions[KEY] = session
    return request.header("cookie", f"{SESSION_COOKIE}={KEY}")


def _sign_ins(exchange: Exchange, path: str) -> Iterator[tuple[str, Prepare]]:
    """Signing in and out through the identity provider."""
    if path.startswith("/apps/user_oidc/code"):
        yield "a sign-in is under way", partial(_under_way, exchange)
    if path.startswith("/apps/user_oidc/sls") and "cookie" in exchange.headers:
        yield "somebody signed in by the provider", partial(_by_provider, 1)
        yield "somebody signed in by a provider that is gone", partial(_by_provider, 99)
    yield "nobody has signed in", _as_it_is


def _under_way(exchange: Exchange, before: DriveBefore, request: Request) -> Request:
    """Somebody comes back from the identity provider with a code."""
    asked = {k: v[0] for k, v in parse_qs(exchange.query).items()}
    nonce = "n" * 32
    kept = {"state": asked.get("state", ""), "nonce": nonce, "verifier": "v" * 64, "provider": 1}
    redirect = (
        f"{request.url}/login/v2/grant"
        if "/login/v2" in (exchange.answer_header("location") or "")
        else ""
    )
    before.world.sessions[KEY] = {"key": KEY, "oidc": {**kept, "redirect": redirect}}
    before.issuer.claims = {
        "aud": CLIENT,
        "azp": CLIENT,
        "sub": "66660001",
        "nonce": nonce,
        "email": "w@example.org",
    }
    return request.header("cookie", f"{SESSION_COOKIE}={KEY}")


def _by_provider(number: int, before: DriveBefore, request: Request) -> Request:
    token = before.issuer.sign({"aud": CLIENT, "sub": "66660001"})
    before.person("66660001", backend="user_oidc")
    session = {"key": KEY, "uid": "66660001", "by": SESSION, "login_name": "66660001"}
    before.world.sessions[KEY] = {
        **session,
        "provider": number,
        "id_token": token,
        "sub": "66660001",
    }
    return request.header("cookie", f"{SESSION_COOKIE}={KEY}")
