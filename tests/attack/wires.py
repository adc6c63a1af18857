"""Attacks by whoever can name an address, or answers at one: for secrets and for memory."""

import base64
import contextlib
import os
import socket
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tests.attack.scene import Scene
from tests.listening import serving
from tests.systems.sql_server.test_bounds import message, packet
from tests.systems.sql_server.test_password_in_clear import ASKS, greeting

ADDRESSES: Final = {
    "identity_provider": "url",
    "drive": "base_url",
    "triplestore": "url",
    "ontology_editor": "api_base_url",
    "notebook_hub": "api_url",
    "container_manager": "url",
}
TYPED: Final = "canary-that-an-administrator-types"
ELSEWHERE: Final = "0.0.0.0"
"""Leads to this machine, and is not called a name of it."""
ZEROS: Final = 400_000_000
MOST_MB: Final = 150


def a_stored_secret_goes_nowhere_else(scene: Scene) -> None:
    """Another address with the stored secret: tested and stored, of every system."""
    stored = [
        str(value)
        for system in scene.workspace.told["systems"].values()
        for name, value in system.items()
        if value and any(word in name for word in ("password", "key", "token"))
    ]
    assert len(stored) >= 5
    refused = []
    with _listening() as (port, heard):
        places = {
            name: {setting: f"http://127.0.0.1:{port}"} for name, setting in ADDRESSES.items()
        }
        places["sql_server"] = {"port": str(port)}
        for system, changed in places.items():
            tested = scene.workspace.api.post(f"/systems/{system}/test", json={"settings": changed})
            if tested.status_code == 422:
                kept = scene.workspace.api.patch(f"/systems/{system}", json={"settings": changed})
                assert kept.status_code == 422, f"{system}: {kept.text}"
                refused.append(system)
    assert len(refused) >= 6, refused
    everything = b"".join(heard)
    for secret in stored:
        assert secret.encode() not in everything
        assert base64.b64encode(secret.encode()).rstrip(b"=")[:-2] not in everything


def a_sql_server_that_asks_is_told_no_password(scene: Scene) -> None:
    """It asks for the password as it is, offers no encryption, or shows nobody's certificate."""
    heard: list[bytes] = []
    talks = [_asking(plugin, heard) for plugin in ASKS]
    for talk in talks:
        with serving(talk) as port:
            _try(scene, "mariadb", "127.0.0.1", port)
    for asked in (struct.pack("!I", 3), struct.pack("!I", 5) + b"salt"):
        with serving(_asking_postgresql(asked, heard)) as port:
            _try(scene, "postgresql", "127.0.0.1", port)
    assert heard, "it was asked"
    assert TYPED.encode() not in b"".join(heard)
    told: list[bytes] = []
    for flavour, talk in (
        ("mariadb", _asking(b"mysql_native_password", told)),
        ("postgresql", _asking_postgresql(struct.pack("!I", 3), told)),
    ):
        with serving(talk) as port:
            _try(scene, flavour, ELSEWHERE, port)
    assert not any(b"eve" in one for one in told), "not even who would sign in"


def an_answer_that_unpacks_fills_no_memory(scene: Scene) -> None:
    """Little on the way, packed twice, and much of it in memory."""
    bomb = _packed(_packed(b"\0" * 1_000_000, times=ZEROS // 1_000_000))
    assert len(bomb) < 10_000
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: %s\r\n"
    web = int(scene.workspace.told["processes"]["web"])
    before = _most_mb(web)
    for encoding in (b"gzip, gzip", b"gzip"):
        answer = head % encoding + b"Content-Length: %d\r\n\r\n" % len(bomb) + bomb

        def talk(line: socket.socket, answer: bytes = answer) -> None:
            line.recv(65_536)
            line.sendall(answer)

        with serving(talk) as port:
            typed = {"url": f"http://127.0.0.1:{port}", "admin_password": TYPED}
            tested = scene.workspace.api.post("/systems/triplestore/test", json={"settings": typed})
            assert tested.status_code == 200, tested.text
            assert tested.json()["failing"]
    assert _most_mb(web) - before < MOST_MB


def _try(scene: Scene, flavour: str, host: str, port: int) -> None:
    settings = {
        "flavour": flavour, "host": host, "port": str(port), "admin_username": "eve",
        "admin_password": TYPED,
    }  # fmt: skip
    answer = scene.workspace.api.post("/systems/sql_server/test", json={"settings": settings})
    assert answer.status_code == 200, answer.text
    assert answer.json()["failing"]


def _asking(plugin: bytes, heard: list[bytes]) -> Callable[[socket.socket], None]:
    def talk(line: socket.socket) -> None:
        line.sendall(greeting(b"mysql_native_password"))
        heard.append(line.recv(4096))
        line.sendall(packet(2, b"\xfe" + plugin + b"\0\4Password: "))
        heard.append(line.recv(4096))

    return talk


def _asking_postgresql(asked: bytes, heard: list[bytes]) -> Callable[[socket.socket], None]:
    def talk(line: socket.socket) -> None:
        if line.recv(4096)[4:8] == struct.pack("!I", 80877103):
            line.sendall(b"N")
            heard.append(line.recv(4096))
        line.sendall(message(b"R", asked))
        heard.append(line.recv(4096))

    return talk


@contextlib.contextmanager
def _listening() -> Iterator[tuple[int, list[bytes]]]:
    """Somebody who writes down what is said, and answers that it is not known."""
    heard: list[bytes] = []
    lock = threading.Lock()

    def talk(line: socket.socket) -> None:
        said = line.recv(65_536)
        with lock:
            heard.append(said)
        line.sendall(b"HTTP/1.1 401 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    with serving(talk) as port:
        yield port, heard


def _packed(piece: bytes, *, times: int = 1) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    return b"".join([*(packer.compress(piece) for _ in range(times)), packer.flush()])


def _most_mb(process: int) -> float:
    """The most memory that a process and its children ever had."""
    found = 0.0
    for place in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):
            lines = dict(line.split(":", 1) for line in place.read_text().splitlines())
            if process in {int(lines["Pid"]), int(lines["PPid"])} and "VmHWM" in lines:
                found = max(found, int(lines["VmHWM"].split()[0]) / 1024)
    assert found or not os.path.exists("/proc/self/status")
    return found
