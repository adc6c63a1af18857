"""A search for a request, a plan or a step in the log finds each of its lines."""

import json
import logging
import os
import secrets
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from tests.engine.test_refused_is_answered import Refusing, tried_twice
from workspace_manager import worker
from workspace_manager.contract import log_ids
from workspace_manager.contract.errors import Invalid
from workspace_manager.engine import run as engine
from workspace_manager.log_lines import JsonLine
from workspace_sandbox.children import free_port
from workspace_sandbox.patience import START_S, eventually

PLAN = "7f9c4a9e-0000-4000-8000-000000000001"


class Lines(logging.Handler):
    """Keeps every line as a collector of logs would read it."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonLine())
        self.read: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.read.append(json.loads(self.format(record)))


@pytest.fixture
def lines() -> Iterator[list[dict[str, Any]]]:
    handler = Lines()
    logging.getLogger().addHandler(handler)
    yield handler.read
    logging.getLogger().removeHandler(handler)


@pytest.mark.django_db
def test_a_request_is_found_by_the_header_of_its_answer(
    client: Client, lines: list[dict[str, Any]]
) -> None:
    ids = [client.get(f"/nowhere/{n}").headers["X-Request-ID"] for n in range(2)]
    assert len(set(ids)) == 2
    found = [(line["request"], line["message"]) for line in lines if "nowhere" in line["message"]]
    assert found == [(ids[n], f"Not Found: /nowhere/{n}") for n in range(2)]
    assert "request" not in log_ids.current_ids(), "what is done next belongs to no request"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("proxies", "given", "is_taken"),
    [
        (["127.0.0.1"], "edge-7.a_B", True),
        (["127.0.0.1"], "a b", False),
        (["127.0.0.1"], "x" * 65, False),
        ([], "edge-7.a_B", False),
    ],
)
def test_the_id_of_a_trusted_proxy_is_taken(
    client: Client, settings: LazySettings, proxies: list[str], given: str, is_taken: bool
) -> None:
    settings.TRUSTED_PROXIES = proxies
    answer = client.get("/nowhere", headers={"X-Request-ID": given})
    assert (answer.headers["X-Request-ID"] == given) == is_taken


@pytest.mark.django_db(transaction=True)
def test_what_a_system_refused_is_found_by_plan_and_step(lines: list[dict[str, Any]]) -> None:
    step = tried_twice(Refusing(Invalid))
    [line] = [line for line in lines if line["logger"] == "workspace_manager.engine.change"]
    told = (line["plan"], line["step"], line["step_name"])
    assert told == (str(step.plan_id), "1", "delete_record")
    assert "the password policy" in line["message"]


def test_a_plan_that_crashed_is_found_where_the_queue_says_so(
    monkeypatch: pytest.MonkeyPatch, lines: list[dict[str, Any]]
) -> None:
    monkeypatch.setattr(engine, "run", lambda *_, **__: 1 / 0)
    monkeypatch.setattr(worker, "connected_systems", lambda: None)
    worker.queue.execute(worker.run_plan.s(PLAN))
    [line] = [line for line in lines if line["level"] == "ERROR"]
    assert (line["task"], line["plan"]) == ("run_plan", PLAN)
    assert "ZeroDivisionError" in line["traceback"]


@pytest.mark.thorough
def test_every_line_of_a_web_server_is_json(tmp_path: Path) -> None:
    port = free_port()
    environment = {
        **{name: v for name, v in os.environ.items() if not name.startswith("WORKSPACE_")},
        "PYTHONPATH": os.pathsep.join(sys.path),
        "WORKSPACE_BASE_URL": f"http://127.0.0.1:{port}",
        "WORKSPACE_DATABASE_URL": f"sqlite:///{tmp_path / 'w.sqlite3'}",
        "WORKSPACE_QUEUE_URL": f"sqlite:///{tmp_path / 'q.sqlite3'}",
        "WORKSPACE_SECRET_KEYS": secrets.token_urlsafe(48),
        "WORKSPACE_LOG_FORMAT": "json",
    }
    command = [sys.executable, "-m", "workspace_manager.cli"]
    subprocess.run([*command, "migrate"], env=environment, cwd=tmp_path, check=True)
    with (
        (tmp_path / "log").open("w") as log,
        subprocess.Popen(
            [*command, "serve", "--port", str(port)],
            env=environment, cwd=tmp_path, stdout=log, stderr=log,
        ) as server,
    ):  # fmt: skip
        try:
            request_id = eventually("an answer", lambda: read_request_id(port))
        finally:
            server.terminate()
            server.wait(START_S)
    read = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert {line["logger"].partition(".")[0] for line in read} >= {"_granian", "django"}
    [found] = [line for line in read if line["message"] == "Not Found: /nowhere"]
    assert found["request"] == request_id


def read_request_id(port: int) -> str:
    """The id of a request for what is not there; "" while nobody answers."""
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/nowhere")
    except urllib.error.HTTPError as answer:
        return str(answer.headers["X-Request-ID"])
    except OSError:
        pass
    return ""
