"""A failure without a mistake of ours is answered in one way by pages and REST, wherever in a
request it happened.
"""

import errno
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client

from tests.fake_world.people import make_person
from tests.visitors import BACKEND
from workspace_manager.access import session_store
from workspace_manager.contract.errors import Denied, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.slots import Busy
from workspace_manager.web.pages import projects

BUSY, AWAY, NO_SPACE = "is busy or does not answer", "database does not answer", "is full"
DRIVE, DOING = "drive.account", quote_words("asking")


def wrapped(cause: Exception) -> Exception:
    """As Django raises it."""
    error = (InterfaceError if isinstance(cause, psycopg.InterfaceError) else OperationalError)()
    error.__cause__ = cause
    return error


def lock_database(folder: Path) -> Exception:
    one, other = (sqlite3.connect(folder / "locked", timeout=0) for _ in range(2))
    one.execute("BEGIN EXCLUSIVE")
    return catch_error(other, "BEGIN IMMEDIATE")


def full(folder: Path) -> Exception:
    small = sqlite3.connect(folder / "full")
    small.execute("CREATE TABLE t (x)")
    small.execute("PRAGMA max_page_count = 2")
    return catch_error(small, "INSERT INTO t VALUES (zeroblob(100000))")


def nowhere(folder: Path) -> Exception:
    with pytest.raises(sqlite3.OperationalError) as caught:
        sqlite3.connect(folder / "none" / "such").execute("SELECT 1")
    return wrapped(caught.value)


def no_server(_folder: Path) -> Exception:
    with pytest.raises(psycopg.OperationalError) as caught:
        psycopg.connect("postgresql://127.0.0.1:1/none?connect_timeout=30")
    return wrapped(caught.value)


def catch_error(connection: sqlite3.Connection, statement: str) -> Exception:
    with pytest.raises(sqlite3.OperationalError) as caught:
        connection.execute(statement)
    return wrapped(caught.value)


def make_failure(error: Exception) -> Callable[[Path], Exception]:
    return lambda _folder: error


FAILURES: list[Any] = [
    pytest.param(lock_database, 503, BUSY, id="locked"),
    pytest.param(full, 503, NO_SPACE, id="full"),
    pytest.param(nowhere, 503, AWAY, id="no file"),
    pytest.param(no_server, 503, AWAY, id="no server"),
    pytest.param(make_failure(wrapped(psycopg.errors.DiskFull())), 503, NO_SPACE, id="its disk"),
    pytest.param(
        make_failure(wrapped(psycopg.errors.TooManyConnections())), 503, BUSY, id="connections"
    ),
    pytest.param(
        make_failure(wrapped(psycopg.errors.DeadlockDetected())), 503, BUSY, id="deadlock"
    ),
    pytest.param(make_failure(wrapped(psycopg.errors.AdminShutdown())), 503, AWAY, id="shut down"),
    pytest.param(make_failure(wrapped(psycopg.InterfaceError())), 503, AWAY, id="closed"),
    pytest.param(make_failure(OSError(errno.ENOSPC, "no space")), 503, NO_SPACE, id="our disk"),
    pytest.param(
        make_failure(OSError(errno.EACCES, "not ours")), 500, "", id="another of the disk"
    ),
    pytest.param(
        make_failure(wrapped(sqlite3.OperationalError("no such table"))), 503, BUSY, id="no code"
    ),
    pytest.param(
        make_failure(Busy(quote_words("no place"), retry_after=5, kind=DRIVE, doing=DOING)),
        503,
        "no place",
        id="place",
    ),
    pytest.param(
        make_failure(Unavailable(quote_words("no answer"), kind=DRIVE, doing=DOING)),
        503,
        "no answer",
        id="silent",
    ),
    pytest.param(
        make_failure(Denied(quote_words("no right"), kind=DRIVE, doing=DOING)),
        502,
        "no right",
        id="denied",
    ),
    pytest.param(make_failure(ZeroDivisionError("canary")), 500, "", id="our mistake"),
]


@pytest.fixture
def client(db: None) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(make_person("anna"), backend=BACKEND)
    return client


def raising(error: Exception) -> Callable[..., Any]:
    def broken(*_: object, **__: object) -> None:
        raise error

    return broken


@pytest.mark.parametrize(("happens", "status", "words"), FAILURES)
def test_pages_and_rest_answer_alike(
    happens: Callable[[Path], Exception], status: int, words: str, client: Client,
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    error = happens(tmp_path)
    monkeypatch.setattr(projects, "render", raising(error))
    monkeypatch.setattr("workspace_manager.web.api.me.view_person", raising(error))
    page, rest = client.get("/projects"), client.get("/api/v1/me")
    assert (page.status_code, rest.status_code) == (status, status)
    assert page.headers.get("Retry-After") == rest.headers.get("Retry-After")
    assert (status == 503) is ("Retry-After" in page.headers)
    assert rest.headers["Content-Type"] == "application/problem+json"
    assert words in page.content.decode()
    assert words in rest.json()["detail"]
    assert "canary" not in page.content.decode() + rest.content.decode()


@pytest.mark.parametrize("address", ["/projects", "/api/v1/me"])
def test_before_any_view_is_asked_too(
    address: str, client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_store.SessionStore, "load", raising(full(tmp_path)))
    answer = client.get(address)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
    assert NO_SPACE in answer.content.decode()
