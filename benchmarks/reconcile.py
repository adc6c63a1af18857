"""`python -m benchmarks.reconcile [PEOPLE] [--json]`: what comparing everybody with the records
costs beside reading the list alone, and the memory it takes.

The list is served by a process of its own over HTTP, as an identity provider's is, and read by the
same lister both times. Nobody differs but every thousandth. Each page takes as long as a real one
is seen to take: `PAGE_S`.
"""

import argparse
import importlib
import json
import multiprocessing
import os
import secrets
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import django
from django.core.management import call_command

PAGE = 500
PAGE_S = 0.1
"""What a page of 500 users was seen to take: a Keycloak 26 with 100,000 on the same machine."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("people", nargs="?", type=int, default=100_000)
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead")
    chosen = parser.parse_args()
    found = measure(chosen.people)
    if chosen.json:
        print(json.dumps(found))
        return
    print(f"{found['people']:,} users, {found['differences']} of them nobody's")
    print(f"read alone       {found['alone_s']:8.1f} s")
    print(f"read and compared{found['compared_s']:8.1f} s   {found['ratio']:.2f} times")
    print(
        f"memory           {found['memory_mb']:8.0f} MB  ({found['more_mb']:.0f} MB by comparing)"
    )


def measure(people: int) -> dict[str, Any]:
    """All of it, in a database that is made for this."""
    with tempfile.TemporaryDirectory() as folder, _served(people) as address:
        _set_up(Path(folder))
        # What needs Django set up is imported when it is.
        measured: Any = importlib.import_module("benchmarks.reconcile_measured")
        found: dict[str, Any] = measured.measure(people, address)
        return found


def _set_up(folder: Path) -> None:
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "workspace_manager.settings",
        "WORKSPACE_DATABASE_URL": f"sqlite:///{folder / 'bench.sqlite3'}",
        "WORKSPACE_QUEUE_URL": f"sqlite:///{folder / 'queue.sqlite3'}",
        "WORKSPACE_SECRET_KEYS": secrets.token_urlsafe(48),
    }
    django.setup()
    call_command("migrate", verbosity=0)


@contextmanager
def _served(people: int) -> Iterator[str]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_serve, args=(people, theirs), daemon=True
    )
    process.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}/users"
    finally:
        process.terminate()
        process.join()


def _serve(people: int, connection: Any) -> None:
    class Users(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            first = int(parse_qs(urlsplit(self.path).query)["first"][0])
            time.sleep(PAGE_S)
            body = json.dumps([_user(n) for n in range(first, min(first + PAGE, people))])
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Users)
    connection.send(server.server_address[1])
    server.serve_forever()


def _user(n: int) -> dict[str, Any]:
    return {
        "id": f"00000000-0000-4000-8000-{n:012}",
        "username": f"user{n}",
        "firstName": "Ada",
        "lastName": f"Lovelace {n}",
        "email": f"user{n}@example.org",
        "emailVerified": True,
        "enabled": True,
        "createdTimestamp": 1_700_000_000_000 + n,
        "attributes": {"locale": ["de"], "timezone": ["Europe/Berlin"]},
        "access": {"view": True, "manage": True},
    }


if __name__ == "__main__":
    main()
