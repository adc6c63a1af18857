"""Every address a stand-in answers, with who calls it: what nobody calls is not imitated."""

import importlib
import json
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import httpx
import pytest
from aiohttp import web

from workspace_sandbox.routes import NOT_SERVED, OTHERS, Route
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn
from workspace_sandbox.stand_ins.drive import DriveStandIn
from workspace_sandbox.stand_ins.drive.occ import CALLERS, COMMANDS
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn
from workspace_sandbox.stand_ins.notebook_hub import NotebookHubStandIn
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn
from workspace_sandbox.stand_ins.sql_server.statements import SHAPES, Statements
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn

STAND_INS: tuple[type[StandIn], ...] = (
    *(ContainerManagerStandIn, DriveStandIn, IdentityProviderStandIn, NotebookHubStandIn),
    *(OntologyEditorStandIn, SqlServerStandIn, TriplestoreStandIn),
)


def check_callers(callers: Sequence[str]) -> list[str]:
    """What is wrong with the callers of a route."""
    if not callers:
        return ["nobody calls it"]
    missing = [one for one in callers if one not in OTHERS and not _exists(one)]
    return [f"there is no {caller}" for caller in missing]


def _exists(caller: str) -> bool:
    module, colon, name = caller.partition(":")
    if not colon:
        return False
    try:
        at: Any = importlib.import_module(module)
        for part in name.split("."):
            at = getattr(at, part)
    except (ImportError, AttributeError):
        return False
    return True


def _everything() -> Iterator[Any]:
    for stand_in in STAND_INS:
        for route in stand_in.routes:
            name = f"{stand_in.name} {route.method} {route.path}"
            yield pytest.param(route.callers, id=name)
    for shape in SHAPES:
        yield pytest.param(shape.callers, id=f"sql_server: {shape.begin}")
    for command in COMMANDS:
        yield pytest.param(CALLERS[command], id=f"drive: occ {command}")


@pytest.mark.parametrize("callers", _everything())
def test_whatever_is_answered_has_a_caller(callers: tuple[str, ...]) -> None:
    assert check_callers(callers) == []


@pytest.mark.parametrize(
    ("callers", "said"),
    [
        ((), "nobody calls it"),
        (("somebody",), "there is no somebody"),
        (("workspace_sandbox.server:StandIn.nonsense",), "there is no workspace"),
        (("workspace_sandbox.nonsense:StandIn",), "there is no workspace"),
    ],
)
def test_a_caller_that_is_none_is_found(callers: tuple[str, ...], said: str) -> None:
    assert check_callers(callers)[0].startswith(said)


@pytest.mark.parametrize("stand_in", STAND_INS, ids=lambda one: one.name)
def test_a_route_is_declared_once(stand_in: type[StandIn]) -> None:
    declared = [(route.method, route.path) for route in stand_in.routes]
    assert declared
    assert len(declared) == len(set(declared))


def test_each_statement_is_carried_out_by_a_method() -> None:
    assert all(hasattr(Statements, shape.handler) for shape in SHAPES if shape.handler)


class RoomStandIn(StandIn):
    """Has a room that is declared, and one that is not."""

    name: ClassVar[str] = "door"
    product: ClassVar[str] = "a door"
    routes = (Route("GET", "/rooms/{room}", ("demo person",)),)

    def seed(self) -> dict[str, Any]:
        return {"entered": 0}

    def add_routes(self, app: web.Application) -> None:
        app.router.add_route("*", "/{tail:.*}", self._enter)

    async def _enter(self, _request: web.Request) -> web.Response:
        self.state["entered"] += 1
        self.changed()
        return web.Response()


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/rooms/1"), ("GET", "/rooms"), ("GET", "/rooms/1/beds"), ("HEAD", "/rooms/1")],
)
def test_everything_else_is_refused_by_name_and_has_no_effect(method: str, path: str) -> None:
    door = RoomStandIn()
    with running(door):
        answer = httpx.request(method, f"{door.url}{path}?secret=x", content=b"a body")
        assert httpx.get(f"{door.url}/rooms/1").status_code == 200
    assert answer.status_code == 501
    assert answer.headers["content-type"].startswith("application/problem+json")
    if method != "HEAD":
        document = json.loads(answer.content)
        assert (document["type"], document["status"]) == (NOT_SERVED, 501)
        assert document["detail"].startswith(f"{method} {path}: this is a stand-in of a door")
        assert "secret" not in answer.text
    assert door.state["entered"] == 1
    assert [call["effect"] for call in door.ledger.items] == [False, True]
