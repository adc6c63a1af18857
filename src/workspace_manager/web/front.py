"""The front of the web server: whoever waits for a system keeps nobody's page waiting, and whether
the process lives is answered before everything else.

A server thread is given to each request. Only so many of them work at once, as many as the machine
can use; a thread that calls a system lets another one work meanwhile (`contract.places`). Whoever
comes when too many are inside is told so at once, so that a thread is always free.
"""

import contextlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias
from weakref import WeakSet

from django.db import connections

from workspace_manager.contract import places

WORKING: Final = 8
THREADS: Final = 96
SPARE: Final = 16
"""So many threads are left for those who are told to come again, and for /health/live."""
RETRY_S: Final = 5
PATIENCE: Final = places.Patience(seconds=3, threads=40)

Environ: TypeAlias = dict[str, Any]
StartResponse: TypeAlias = Callable[..., Any]
Application: TypeAlias = Callable[[Environ, StartResponse], Iterable[bytes]]

_HEADERS: Final = [
    ("Cache-Control", "no-store, private"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"),
]


class _Keeper:
    """A thread that keeps its connection to the database."""


class Front:
    """Stands before the application."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._lock = threading.Lock()
        self._inside = 0
        self._working = threading.Semaphore(WORKING)
        self._keepers: WeakSet[_Keeper] = WeakSet()
        self._own = threading.local()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if environ.get("PATH_INFO") == "/health/live" and _only_looks(environ):
            return _answer(start_response, "200 OK", "application/json", {"status": "live"})
        with self._lock:
            full = self._inside >= THREADS - SPARE
            self._inside += not full
        if full:
            return _come_again(start_response)
        try:
            with self._working, places.meanwhile(self._others_work):
                return self._application(environ, start_response)
        finally:
            self._keep_or_close()
            with self._lock:
                self._inside -= 1

    @contextlib.contextmanager
    def _others_work(self) -> Iterator[None]:
        self._working.release()
        try:
            yield
        finally:
            self._working.acquire()

    def _keep_or_close(self) -> None:
        """As many threads keep a connection to the database as work at once; a server of it has no
        place for one of each.
        """
        if getattr(self._own, "keeper", None) is not None:
            return
        with self._lock:
            if len(self._keepers) < WORKING:
                self._own.keeper = _Keeper()
                self._keepers.add(self._own.keeper)
                return
        connections.close_all()


def _only_looks(environ: Environ) -> bool:
    return environ.get("REQUEST_METHOD") in {"GET", "HEAD"}


def _come_again(start_response: StartResponse) -> Iterable[bytes]:
    """Not in the reader's language: nothing is read of the request."""
    return _answer(
        start_response,
        "503 Service Unavailable",
        "application/problem+json",
        {
            "type": "about:blank",
            "title": "Service Unavailable",
            "status": 503,
            "detail": f"Too many requests are being answered. Try again in {RETRY_S} seconds.",
        },
        ("Retry-After", str(RETRY_S)),
    )


def _answer(
    start_response: StartResponse,
    status: str,
    kind: str,
    document: dict[str, Any],
    *more: tuple[str, str],
) -> Iterable[bytes]:
    body = json.dumps(document).encode()
    size = ("Content-Length", str(len(body)))
    start_response(status, [("Content-Type", kind), size, *more, *_HEADERS])
    return [body]
