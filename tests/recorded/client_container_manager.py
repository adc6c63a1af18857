"""The meaning of recorded answers for the container manager's client."""

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from tests.recorded.comparing import is_cut
from tests.recorded.expected_meaning import Meaning
from tests.recorded.expected_meaning_container_manager import TABLE
from tests.recorded.feeding import answer_of, meaning_of, played
from tests.recorded.reading import Exchange
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.client.answers import Thing, meaning
from workspace_manager.systems.container_manager.client.connection import CALLS, SYSTEM
from workspace_manager.systems.container_manager.client.containers import Client
from workspace_manager.systems.container_manager.settings import Settings

Call: TypeAlias = Callable[[Client, Exchange], Any]
FULL_ID = "53e3a78f4306c13a0159ebc4aa9d8e513c41fdc86094566c3611e411e0864234"
PATHS: tuple[tuple[str, str, Call], ...] = (
    ("GET", "/containers/json", lambda client, _: client.list_names()),
    ("GET", "/containers/{container}/json", lambda client, said: client.inspect(_name(said))),
    ("POST", "/containers/{container}/start", lambda client, _: client.start(FULL_ID)),
    ("POST", "/containers/{container}/stop", lambda client, _: client.stop(FULL_ID, grace_s=1)),
    ("DELETE", "/containers/{container}", lambda client, _: client.remove(FULL_ID)),
    (
        "POST",
        "/containers/{container}/exec",
        lambda client, _: client.create_command(FULL_ID, ["true"], user="", environment={}),
    ),
    ("POST", "/exec/{exec}/start", lambda client, _: client.start_command(FULL_ID)),
    ("GET", "/exec/{exec}/json", lambda client, _: client.inspect_command(FULL_ID)),
    ("GET", "/volumes", lambda client, _: client.project_volumes("ws-alice")),
    ("DELETE", "/volumes/{volume}", lambda client, _: client.remove_volume("ws-alice_data")),
    ("GET", "/networks", lambda client, _: client.networks_of("ws-alice")),
    ("DELETE", "/networks/{network}", lambda client, _: client.remove_network("ws-net")),
    ("GET", "/version", lambda client, _: client.engine_version()),
    ("GET", "/api/status", lambda client, _: client.status()),
    ("GET", "/api/users/me", lambda client, _: client.me()),
    ("GET", "/api/endpoints/{environment}", lambda client, _: client.environment()),
    ("GET", "/api/stacks", lambda client, _: client.list_stacks()),
    ("GET", "/api/stacks/{stack}", lambda client, _: client.get_stack(1)),
    ("GET", "/api/stacks/{stack}/file", lambda client, _: client.stack_file(1)),
    ("DELETE", "/api/stacks/{stack}", lambda client, _: client.delete_stack(1)),
    (
        "POST",
        "/api/stacks/create/standalone/string",
        lambda client, _: client.create_stack("ws-alice", "services: {}", {}),
    ),
)
"""What the client's methods ask, as paths of Portainer or of the engine; who answers does not
matter to the latter.
"""

THINGS: tuple[tuple[str, Thing], ...] = (
    ("/containers/{container}", "container"),
    ("/exec/{exec}", "exec"),
    ("/volumes/{volume}", "volume"),
    ("/networks/{network}", "network"),
    ("/images/{image}", "image"),
    ("/api/stacks/{stack}", "stack"),
)


def classify(exchange: Exchange) -> Meaning:
    """By the client's own method where it makes this call, else by the one function that knows what
    answers mean.
    """
    call = _call(exchange)
    if call is None or is_cut(exchange):
        return meaning_of(lambda: _understand(exchange))
    number = re.match(r"/api/endpoints/(\d+)", exchange.path)
    settings = Settings(
        url="http://recorded", api_key=Secret("key"), environment_id=int(number[1]) if number else 1
    )
    client = Client(settings)
    looked_for: tuple[str, int, Any] = (f"{client.connection.prefix}/containers/json", 200, [])
    wire = played(exchange, *([looked_for] if "/create/" in exchange.path else []))
    client.connection._http = HttpClient(
        "http://recorded", system=SYSTEM, policy=CALLS, transport=wire
    )
    return meaning_of(lambda: call(client, exchange))


def _call(exchange: Exchange) -> Call | None:
    path = re.sub(r"^(/api/endpoints/[^/]+/docker)?(/v1\.\d+)?(?=/)", "", exchange.path)
    for method, wanted, call in PATHS:
        pattern = re.sub(
            r"\{\w+\}", "[^/]+", re.escape(wanted).replace(r"\{", "{").replace(r"\}", "}")
        )
        if exchange.method == method and re.fullmatch(pattern, path):
            return call
    return None


def _understand(exchange: Exchange) -> None:
    answer = answer_of(exchange, kind="container_manager.container")
    route = TABLE.route(exchange.path)
    thing = next((thing for part, thing in THINGS if part in route), "")
    error = meaning(answer, thing).error(answer)  # type: ignore[arg-type]
    if error is not None:
        raise error


def _name(exchange: Exchange) -> str:
    """The name that the answer gives, as whoever asked for it knew it."""
    found = exchange.json()
    name = str(found.get("Name", "")) if isinstance(found, dict) else ""
    return name.removeprefix("/") or "jupyter-alice"
