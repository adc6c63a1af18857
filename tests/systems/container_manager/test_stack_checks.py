"""Checks of stacks, and how a stack is asked whether it is well."""

import http.server
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from workspace_manager.contract.connector import Severity
from workspace_manager.systems.container_manager.client import compose, health
from workspace_manager.systems.container_manager.connector import ContainerManager
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn

Connect = Callable[..., ContainerManager]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"stack_ports": "80-90"}, "stack_ports_unusable"),
        ({"stack_address": "https://one.example"}, "stack_address_unusable"),
        ({"stack_address": "{name}.example"}, "stack_address_unusable"),
        ({}, "stack_address_used"),
        ({}, "stack_ports_usable"),
    ],
)
def test_settings_of_stacks(
    stand_in: ContainerManagerStandIn, connected: Connect, changes: dict[str, str], code: str
) -> None:
    findings = connected(stand_in, **changes).check()
    (found,) = (one for one in findings if one.message and one.message.code.endswith(f".{code}"))
    assert found.severity is (Severity.WARNING if changes else Severity.OK)
    assert bool(found.remedy) is bool(changes)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ((), "no_compose"),
        (("/usr/bin/docker-compose",), "compose_found"),
        (("/bin/docker", "compose"), "compose_found"),
        (("/usr/local/bin/podman-compose",), "compose_without_secrets"),
    ],
)
def test_a_plain_engine_needs_a_compose_command(
    stand_in: ContainerManagerStandIn,
    connected: Connect,
    monkeypatch: pytest.MonkeyPatch,
    program: tuple[str, ...],
    expected: str,
) -> None:
    monkeypatch.setattr(compose, "program", lambda: program)
    direct = connected(stand_in, url=stand_in.url.replace("http:", "docker:"), api_key=None)
    (found,) = (one for one in direct.check() if one.name == "compose command")
    assert found.message
    assert found.message.code == f"container_manager.{expected}"
    assert found.severity is (Severity.OK if expected == "compose_found" else Severity.WARNING)
    assert bool(found.remedy) is (expected != "compose_found")
    assert "compose command" not in [one.name for one in connected(stand_in).check()]


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """Answers that a stack may give."""

    class Answers(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            where = {"/here": "/well?x=1", "/there": "http://127.0.0.2:9/", "/loop": "/loop"}
            said = "all is well" if self.path.startswith("/well") else "no"
            if self.path == "/secret":
                ours = ("Authorization", "Cookie", "X-API-Key")
                said = str([name for name in ours if name in self.headers])
            status = 500 if self.path == "/ill" else 302 if self.path in where else 200
            self.send_response(status)
            self.send_header("Set-Cookie", "kept=1")
            if self.path in where:
                self.send_header("Location", where[self.path])
            body = said.encode() * (500_000 if self.path == "/large" else 1)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            return

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("path", "text", "code"),
    [
        ("/well", "is well", ""),
        ("", "no", ""),
        ("/here", "is well", ""),
        ("/secret", "[]", ""),
        ("/well", "nobody says so", "answers_without_text"),
        ("/ill", "no", "answers_status"),
        ("/there", "", "answers_redirect"),
        ("/loop", "", "answers_status"),
        ("/large", "no", "answers_nothing"),
    ],
)
def test_a_stack_is_asked_itself(site: str, path: str, text: str, code: str) -> None:
    found = health.health_trouble(site + path, text)
    assert (found.code if found else "") == (f"container_manager.{code}" if code else "")


def test_where_nothing_listens() -> None:
    found = health.health_trouble("http://127.0.0.1:9/", "")
    assert found
    assert found.code == "container_manager.answers_nothing"
