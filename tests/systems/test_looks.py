"""Each system is looked at without a credential by an answer that it alone gives: it is seen where
it is, and nothing else is taken for it.
"""

import socket
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import httpx
import pytest
from aiohttp import web

from tests.listening import serving
from workspace_manager.contract.errors import ConnectorError, Invalid, Unavailable
from workspace_manager.contract.message import in_words
from workspace_manager.contract.system import ObservedState
from workspace_manager.systems import registry
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn
from workspace_sandbox.stand_ins.drive import DriveStandIn
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn
from workspace_sandbox.stand_ins.notebook_hub import NotebookHubStandIn
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn


def look(name: str, **settings: Any) -> ObservedState:
    spec = registry().specs[name]
    looker = spec.looker()
    assert looker is not None
    return looker(spec.settings(**settings))


class LoginPage(StandIn):
    """What answers 200 with a page to everything, as a proxy in front of nothing does."""

    name: ClassVar[str] = "login_page"
    product: ClassVar[str] = "a login page"
    status: ClassVar[int] = 200

    def seed(self) -> dict[str, Any]:
        return {}

    def add_routes(self, app: web.Application) -> None:
        async def page(_request: web.Request) -> web.Response:
            text = "<html>Sign in</html>"
            return web.Response(status=self.status, text=text, content_type="text/html")

        app.router.add_route("*", "/{path:.*}", page)


@pytest.fixture(scope="module")
def login_page() -> Iterator[str]:
    made = LoginPage()
    with running(made):
        yield made.url


WAYS: dict[str, Callable[[str], dict[str, Any]]] = {
    "identity_provider": lambda url: {"url": url, "realm": "lab"},
    "drive": lambda url: {"base_url": url},
    "triplestore": lambda url: {"url": url},
    "ontology_editor": lambda url: {"host": url},
    "notebook_hub": lambda url: {"url": url},
    "container_manager": lambda url: {"url": url},
    "container_manager, directly": lambda url: {"url": url.replace("http:", "docker:")},
}


@pytest.mark.parametrize("way", WAYS)
def test_a_login_page_is_taken_for_none(way: str, login_page: str) -> None:
    with pytest.raises(Invalid) as wrong:
        look(way.partition(",")[0], **WAYS[way](login_page))
    assert "something else" in wrong.value.detail


class Overloaded(LoginPage):
    """What answers "not now" to everything."""

    status: ClassVar[int] = 503


@pytest.mark.parametrize("way", WAYS)
def test_not_now_is_an_answer(way: str) -> None:
    """Something answered: it is never said that it does not."""
    made = Overloaded()
    with running(made), pytest.raises(Unavailable) as away:
        look(way.partition(",")[0], **WAYS[way](made.url))
    assert "answers HTTP 503" in away.value.detail
    assert "not available at the moment" in away.value.detail
    german = in_words(away.value.message, "de")
    assert "antwortet HTTP 503" in german
    assert "nicht verfügbar" in german


@pytest.mark.parametrize("way", WAYS)
def test_nobody_there_is_unavailable(way: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(Unavailable):
        look(way.partition(",")[0], **WAYS[way](f"http://127.0.0.1:{port}"))


STAND_INS: dict[str, Callable[[], StandIn]] = {
    "identity_provider": lambda: IdentityProviderStandIn(realm="lab"),
    "drive": lambda: DriveStandIn(
        issuer_url="http://127.0.0.1:1", client_id="c", client_secret="s", admin_password="p"
    ),
    "triplestore": lambda: TriplestoreStandIn(admin_password="p"),
    "triplestore, GraphDB": lambda: TriplestoreStandIn(admin_password="p", flavour="graphdb"),
    "ontology_editor": OntologyEditorStandIn,
    "notebook_hub": lambda: NotebookHubStandIn(
        issuer_url="http://127.0.0.1:1",
        client_id="c",
        client_secret="s",
        container_url="http://127.0.0.1:1",
        api_key="k",
        environment_id=1,
        api_token="t",
    ),
    "container_manager": lambda: ContainerManagerStandIn(api_key="k"),
    "container_manager, directly": lambda: ContainerManagerStandIn(api_key="k"),
}


@pytest.mark.parametrize("way", STAND_INS)
def test_one_that_is_there_is_seen_without_a_credential(way: str) -> None:
    name = way.partition(",")[0]
    made = STAND_INS[way]()
    with running(made):
        asked = WAYS.get(way, WAYS[name])(made.url)
        assert look(name, **asked) == ObservedState()
        httpx.post(
            f"{made.control_url}/faults",
            json={"method": "GET", "path": ".*", "fault": "status", "status": 503},
        ).raise_for_status()
        with pytest.raises(Unavailable):
            look(name, **asked)


def test_a_drive_in_maintenance_is_seen_and_says_so() -> None:
    made = STAND_INS["drive"]()
    with running(made):
        made.world.options["maintenance"] = True  # type: ignore[attr-defined]
        seen = look("drive", base_url=made.url)
    assert seen.limits is not None
    assert seen.limits.code == "drive.in_maintenance"


def test_another_realm_is_none_of_ours() -> None:
    made = STAND_INS["identity_provider"]()
    with running(made), pytest.raises(Invalid) as wrong:
        look("identity_provider", url=made.url, realm="another")
    assert "another" in wrong.value.detail


GREETING = b"\x0a10.11.6-MariaDB\0" + bytes(30)
TOO_MANY = b"\xff" + (1040).to_bytes(2, "little") + b"Too many connections"


def packet(body: bytes) -> bytes:
    return len(body).to_bytes(3, "little") + b"\0" + body


@pytest.mark.parametrize(
    ("flavour", "said", "expected"),
    [
        ("mariadb", packet(GREETING), None),
        ("mariadb", packet(TOO_MANY), Unavailable),
        ("mariadb", b"SSH-2.0-OpenSSH_9.2\r\n", Invalid),
        ("mariadb", b"", Unavailable),
        ("postgresql", b"N", None),
        ("postgresql", b"S", None),
        ("postgresql", packet(GREETING), Invalid),
        ("postgresql", b"", Unavailable),
    ],
)
def test_a_sql_server_greets(
    flavour: str, said: bytes, expected: type[ConnectorError] | None
) -> None:
    heard: list[bytes] = []

    def talk(line: socket.socket) -> None:
        if flavour == "postgresql":
            heard.append(line.recv(100))
        line.sendall(said)

    with serving(talk) as port:
        settings = {"host": "127.0.0.1", "port": port, "flavour": flavour}
        if expected is None:
            assert look("sql_server", **settings) == ObservedState()
        else:
            with pytest.raises(expected):
                look("sql_server", **settings)
    assert heard in ([], [bytes([0, 0, 0, 8, 4, 210, 22, 47])])


def test_the_stand_in_of_the_sql_server_is_seen() -> None:
    made = SqlServerStandIn(admin_password="p")
    with running(made):
        assert look("sql_server", host=made.host, port=made.sql_port) == ObservedState()


def test_every_system_of_ours_declares_a_look() -> None:
    assert {name for name, spec in registry().specs.items() if spec.look} == {
        way.partition(",")[0] for way in WAYS
    } | {"sql_server"}
