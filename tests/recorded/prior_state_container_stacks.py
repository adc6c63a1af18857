"""The state of Portainer before a recorded call about a stack."""

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs

from tests.recorded.prior_state_container_engine import Arrange, Engine, _of_project
from tests.recorded.reading import Exchange
from tests.recorded.sending import Request
from workspace_sandbox.stand_ins.container_manager.rules import STACK

ADDRESSED = re.compile(r"/api/stacks/(\d+)(?:/|$)")
FILE = """services:
  web:
    image: localhost/bb:1
    pull_policy: never
    command: ["/bin/sh", "-c", "trap 'exit 0' TERM; while :; do sleep 1; done"]
    environment:
      A: "${A:-none}"
    volumes:
      - data:/d
volumes:
  data: {}
"""
GIT = {
    "URL": "http://127.0.0.1:22010/ws.git",
    "ReferenceName": "refs/heads/main",
    "ConfigFilePath": "docker-compose.yml",
    "Authentication": None,
    "ConfigHash": "1",
    "TLSSkipVerify": False,
}
ACTIVE, INACTIVE = 1, 2


def stacks(exchange: Exchange) -> Iterator[tuple[str, Arrange]]:
    """What may have been known of the stack that is addressed, made or listed."""
    if found := ADDRESSED.match(exchange.path):
        yield from _addressed(exchange, int(found[1]))
    elif "/create/" in exchange.path or exchange.method == "POST":
        yield from _wanted(exchange)
    elif exchange.method == "DELETE":
        name = exchange.path.rpartition("/")[2]
        yield "nothing of this name", lambda engine, request: request
        yield "a stack of this name", _rows([{"Id": 19, "Name": name}])
    else:
        listed = exchange.json()
        rows = listed if isinstance(listed, list) else _cut_rows(exchange)
        yield "stacks as listed", _rows(rows)
        yield "somebody else's stack", _rows([{"Id": 19, "Name": "ws-old"}], owned=False)


def _cut_rows(exchange: Exchange) -> list[dict[str, Any]]:
    return [{"Id": 19, "Name": "ws-old"}] if exchange.text.startswith("[{") else []


def _addressed(exchange: Exchange, number: int) -> Iterator[tuple[str, Arrange]]:
    absent = "Unable to find a stack" in exchange.text
    if absent:
        yield "no such stack", lambda engine, request: request
        return
    shown = exchange.json() if isinstance(exchange.json(), dict) else {}
    named = re.search(r"name '([\w-]+)'", exchange.text)
    row = {
        "Id": number,
        "Name": shown.get("Name", named[1] if named else "ws-old"),
        "EndpointId": shown.get("EndpointId") or _environment(exchange),
        "Env": shown.get("Env", []),
        "GitConfig": shown.get("GitConfig"),
    }
    git = {**row, "GitConfig": GIT}
    unnamed = {**row, "Name": ""}
    inactive = {**row, "Status": INACTIVE}
    shows = shown.get("Status") == INACTIVE and exchange.method == "GET"
    if shows:
        yield "the stack is inactive", _rows([inactive])
    yield "the stack is active", _rows([row])
    yield "the stack is inactive", _rows([inactive])
    yield "the stack is from git", _rows([git])
    yield "the stack is somebody else's", _rows([row], owned=False)
    yield "the stack's environment is gone", _rows([{**row, "EndpointId": 6}], owned=False)
    yield "the stack has no name", _rows([unnamed])
    elsewhere = {**row, "EndpointId": 1 if row["EndpointId"] != 1 else 2}
    yield "the stack is in another environment", _rows([elsewhere])


def _environment(exchange: Exchange) -> int:
    given = parse_qs(exchange.query).get("endpointId", ["1"])[0]
    return int(given) if given in {"1", "2"} else 1


def _wanted(exchange: Exchange) -> Iterator[tuple[str, Arrange]]:
    sent = (
        {k.lower(): v for k, v in (exchange.sent() or {}).items()}
        if isinstance(exchange.sent(), dict)
        else {}
    )
    found = re.search(r'name="Name"\r?\n\r?\n(.*?)\r?\n', exchange.body)
    name = re.sub(r"[^-_a-z0-9]", "", str(sent.get("name", found[1] if found else "")).lower())
    url, password = str(sent.get("repositoryurl", "")), str(sent.get("repositorypassword", ""))
    known = {"file": FILE, **({"password": password} if password else {})}
    locked = {"file": FILE, "password": "another password"}
    if exchange.status == 409:
        yield "a stack of this name", _rows([{"Id": 19, "Name": name}])
    yield "nothing of this name", _repository(url, known)
    yield "the repository wants another password", _repository(url, locked)
    yield "the repository does not answer", lambda engine, request: request


def _repository(url: str, known: dict[str, str]) -> Arrange:
    def arrange(engine: Engine, request: Request) -> Request:
        settings = engine.stand_in.state["portainer"]["settings"]
        settings["repositories"] = {url: known} if url else {}
        return request

    return arrange


def _rows(rows: list[dict[str, Any]], *, owned: bool = True) -> Arrange:
    def arrange(engine: Engine, request: Request) -> Request:
        for row in rows:
            _row(engine, row, owned=owned)
        return request

    return arrange


def _row(engine: Engine, row: dict[str, Any], *, owned: bool) -> None:
    """Have a stack, with a container and a volume when it is active."""
    environment, name = int(row.get("EndpointId", 1)), str(row["Name"])
    status = int(row.get("Status", ACTIVE))
    portainer = engine.stand_in.state["portainer"]
    portainer["stacks"][str(row["Id"])] = {
        "Id": row["Id"],
        "Name": name,
        "EndpointId": environment,
        "Env": row.get("Env", []),
        "Status": status,
        "CreationDate": 1,
        "CreatedBy": "admin",
        "UpdateDate": 0,
        "UpdatedBy": "",
        "GitConfig": row.get("GitConfig"),
        "FromAppTemplate": False,
        "file": FILE,
    }
    if owned and row.get("ResourceControl", True):
        by_administrators = engine.owner == 1
        engine.owned(f"{environment}_{name}", STACK, by_administrators=by_administrators)
    if status == ACTIVE and name:
        owner, engine.owner = engine.owner, 0
        engine.container(f"{name}-web-1", **_of_project(name))
        engine.volume(f"{name}_data", json.loads(json.dumps({"com.docker.compose.project": name})))
        engine.owner = owner
