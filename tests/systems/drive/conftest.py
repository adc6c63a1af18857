"""A drive stand-in, a minimal issuer of tokens for it, and the drive's system connected to it."""

import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import httpx
import pytest
from aiohttp import web
from joserfc import jwt
from joserfc.jwk import RSAKey

from workspace_manager.contract.connector import Evidence
from workspace_manager.contract.containers import ContainerState, ExecResult, Names
from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.realm import RealmNeeds
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.client import PROCESS_REFUSALS, DriveClient
from workspace_manager.systems.drive.connector import Drive, connect
from workspace_manager.systems.drive.realm import drive_client
from workspace_manager.systems.drive.settings import Settings
from workspace_manager.systems.identity_provider.realm.wants import RealmWants
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.drive import DriveStandIn

DRIVE_CLIENT = "https://drive.example.org"
MANAGER_CLIENT = "https://manager.example.org"
ADMIN_PASSWORD = "Adm1n-Canary-Pw"
ADMIN_APP_PASSWORD = "AppCanary" * 8
PATH = "/realms/workspace"
SUB = "11111111-2222-4333-8444-555555555555"
KEY = RSAKey.generate_key(2048, parameters={"kid": "k1", "use": "sig", "alg": "RS256"})


class Issuer(StandIn):
    """Discovery, keys, and an authorization endpoint that signs in whoever `user` names at once."""

    name = "issuer"
    product = "issuer"

    def __init__(self) -> None:
        super().__init__()
        self.user = {"sub": SUB, "preferred_username": "maria", "email": "maria@example.org"}
        self.codes: dict[str, dict[str, Any]] = {}
        self.key = KEY
        self.no_client = ""
        """Why it takes no client, as its pages say it to people."""

    def seed(self) -> dict[str, Any]:
        return {}

    @property
    def address(self) -> str:
        """Of the realm."""
        return f"{self.url}{PATH}"

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(f"{PATH}/.well-known/openid-configuration", self._discovery)
        app.router.add_get(f"{PATH}/keys", self._keys)
        app.router.add_get(f"{PATH}/auth", self._auth)
        app.router.add_post(f"{PATH}/token", self._token)

    async def _discovery(self, _request: web.Request) -> web.Response:
        return web.json_response(
            {
                "issuer": self.address,
                "jwks_uri": f"{self.address}/keys",
                "authorization_endpoint": f"{self.address}/auth",
                "token_endpoint": f"{self.address}/token",
                "end_session_endpoint": f"{self.address}/logout",
                "code_challenge_methods_supported": ["S256"],
            }
        )

    async def _keys(self, _request: web.Request) -> web.Response:
        return web.json_response({"keys": [self.key.as_dict(private=False)]})

    async def _auth(self, request: web.Request) -> web.Response:
        if self.no_client:
            said = f'<div id="kc-error-message"><p class="instruction">{self.no_client}</p></div>'
            return web.Response(text=said, content_type="text/html", status=400)
        self.codes["c1"] = dict(request.query)
        query = urllib.parse.urlencode({"state": request.query["state"], "code": "c1"})
        return web.Response(
            status=302, headers={"Location": f"{request.query['redirect_uri']}?{query}"}
        )

    async def _token(self, request: web.Request) -> web.Response:
        form = await request.post()
        wrong_secret = form["client_secret"] != "client-secret"
        if self.no_client or form["client_id"] != DRIVE_CLIENT or wrong_secret:
            wrong = "Invalid client or Invalid client credentials"
            said = {"error": "unauthorized_client", "error_description": wrong}
            return web.json_response(said, status=401)
        asked = self.codes.pop(str(form["code"]), None)
        if asked is None:
            said = {"error": "invalid_grant", "error_description": "Code not valid"}
            return web.json_response(said, status=400)
        token = self.mint(aud=DRIVE_CLIENT, azp=DRIVE_CLIENT, nonce=asked["nonce"], sid="sid-1")
        return web.json_response({"id_token": token, "access_token": "x"})

    def mint(self, *, key: Any = None, **changed: Any) -> str:
        now = int(time.time())
        claims = {
            "iss": self.address,
            "aud": [MANAGER_CLIENT, DRIVE_CLIENT],
            "azp": MANAGER_CLIENT,
            "iat": now,
            "exp": now + 300,
            **self.user,
            **changed,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode({"alg": "RS256", "kid": "k1"}, claims, key or self.key)


class FakeEngine:
    """A container engine with one container, in which the drive stand-in's command-line
    tool runs.
    """

    def __init__(self, drive: DriveStandIn) -> None:
        self.drive = drive
        self.status = "running"
        self.prints: str | None = None
        """What the tool prints instead of the truth."""
        self.commands: list[tuple[list[str], str]] = []

    def inspect(self, name: str) -> ContainerState:
        if name != "nextcloud-app":
            raise NotFound(
                quote_words("no such container"),
                kind="container_manager.container",
                doing=quote_words("looking"),
            )
        pid = 7 if self.status == "running" else 0
        return ContainerState(
            id="c" * 64, name=name, image="nextcloud", status=self.status, pid=pid
        )

    def list_names(self, prefix: str = "") -> list[str]:
        return ["nextcloud-app"]

    def volume_names(self, prefix: str) -> list[str]:
        return []

    def each_name(self, prefix: str = "") -> Names:
        return Names()

    def each_volume_name(self, prefix: str) -> Names:
        return Names()

    def require_everything(self) -> None:
        return None

    def has_volume(self, name: str) -> bool:
        return False

    def stop(self, container_id: str, *, grace_s: int = 10) -> bool:
        return True

    def execute(
        self,
        container_id: str,
        command: Any,
        *,
        user: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> ExecResult:
        self.commands.append((list(command), user))
        code, output = self.drive.occ(command, user=user, environment=environment)
        if self.prints is not None:
            code, output = int(self.prints.startswith("Console")), self.prints
        return ExecResult(exit_code=code, stdout=output, stderr="")

    def prove_credential(self) -> None:
        return None

    def prove_rights(self) -> Evidence:
        return Evidence(system="container_manager", method="", at="", text="")


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Issuer, DriveStandIn]]:
    issuer = Issuer()
    with running(issuer):
        drive = DriveStandIn(
            issuer_url=issuer.address,
            client_id=DRIVE_CLIENT,
            client_secret="client-secret",
            admin_password=ADMIN_PASSWORD,
            admin_app_password=ADMIN_APP_PASSWORD,
            users={"alice": "Al1ce-Pw", "bob": "B0b-Pw"},
        )
        with running(drive):
            yield issuer, drive


@pytest.fixture
def issuer(servers: tuple[Issuer, DriveStandIn]) -> Issuer:
    issuer = servers[0]
    issuer.user = {"sub": SUB, "preferred_username": "maria", "email": "maria@example.org"}
    issuer.faults.waiting.clear()
    issuer.no_client = ""
    return issuer


@pytest.fixture
def stand_in(servers: tuple[Issuer, DriveStandIn]) -> Iterator[DriveStandIn]:
    drive = servers[1]
    httpx.post(f"{drive.control_url}/reset")
    PROCESS_REFUSALS.forget()
    yield drive
    PROCESS_REFUSALS.forget()


@pytest.fixture
def switch(stand_in: DriveStandIn) -> Callable[..., None]:
    """Set options of the stand-in."""

    def set_options(**options: Any) -> None:
        answer = httpx.post(f"{stand_in.control_url}/settings", json=options)
        assert answer.status_code == 200, answer.text

    return set_options


@pytest.fixture
def wire(stand_in: DriveStandIn) -> Iterator[httpx.Client]:
    """A bare client with a cookie jar, as a careless program would have."""
    with httpx.Client(base_url=stand_in.url) as client:
        yield client


@pytest.fixture
def engine(stand_in: DriveStandIn) -> FakeEngine:
    return FakeEngine(stand_in)


def wants(issuer: str, client_id: str = DRIVE_CLIENT) -> RealmWants:
    """The realm as the manager's settings describe it."""
    clients = (drive_client("http://of.no.matter", client_id),)
    return RealmWants(issuer.rpartition("/")[2], clients=clients, issuer=issuer)


Vault = dict[str, Secret]
Exists = Callable[[], dict[str, dict[str, Any]]]
MakeDrive = Callable[..., Drive]
Switch = Callable[..., None]


@pytest.fixture
def vault() -> Vault:
    return {}


@pytest.fixture
def make_drive(
    stand_in: DriveStandIn, issuer: Issuer, engine: FakeEngine, vault: Vault
) -> Callable[..., Drive]:
    """Connect the drive; settings may be changed."""

    def resolve(ref: str) -> Secret:
        if ref not in vault:
            raise NotFound(
                quote_words("no such secret"), kind="vault", doing=quote_words("reading")
            )
        return vault[ref]

    def make(*, containers: bool = True, realm: RealmNeeds | None = None, **changed: Any) -> Drive:
        values: dict[str, Any] = {
            "base_url": stand_in.url,
            "admin_username": "admin",
            "admin_password": Secret(ADMIN_APP_PASSWORD, name="admin password"),
            "container_name": "nextcloud-app",
            **changed,
        }
        engines = engine if containers else None
        return connect(Settings(**values), resolve, engines, realm or wants(issuer.address))

    return make


@pytest.fixture
def drive(make_drive: Callable[..., Drive]) -> Drive:
    return make_drive()


@pytest.fixture
def client(drive: Drive) -> DriveClient:
    return drive._client


@pytest.fixture
def bearer(issuer: Issuer) -> Secret:
    return Secret(issuer.mint(), name="token")


def accounts(stand_in: DriveStandIn) -> dict[str, dict[str, Any]]:
    state = httpx.get(f"{stand_in.control_url}/state").json()
    return {account["id"]: account for account in state["accounts"]}


@pytest.fixture
def exists(stand_in: DriveStandIn) -> Callable[[], dict[str, dict[str, Any]]]:
    """What exists in the stand-in now, by account id."""
    return lambda: accounts(stand_in)
