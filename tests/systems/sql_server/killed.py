"""`python -m tests.systems.sql_server.killed`: restore half of a snapshot, say so, and wait to be
killed. The settings and the parts come as JSON on standard input.
"""

import base64
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.connector import connect
from workspace_manager.systems.sql_server.settings import Settings
from workspace_manager.systems.sql_server.snapshots import snapshots


@dataclass
class Half:
    """Gives each part but the one that is named; of that one half, and then nothing."""

    parts: dict[str, bytes]
    of: str

    def sizes(self) -> dict[str, int]:
        return {name: len(data) for name, data in self.parts.items()}

    def read_part(self, name: str) -> Iterator[bytes]:
        return self._pieces(name, self.parts[name])

    def _pieces(self, name: str, data: bytes) -> Iterator[bytes]:
        if name != self.of or self._only_asked(data):
            yield data
            return
        yield data[: len(data) // 2]
        print("half", flush=True)
        time.sleep(3600)

    def _only_asked(self, data: bytes) -> bool:
        """An archive is read twice: what is in it is asked first."""
        first = data.startswith(b"PGDMP") and not self.__dict__.setdefault("asked", False)
        self.__dict__["asked"] = True
        return first


def main() -> None:
    given: dict[str, Any] = json.load(sys.stdin)
    settings = given["settings"]
    settings["admin_password"] = Secret(settings["admin_password"])
    parts = {name: base64.b64decode(data) for name, data in given["parts"].items()}
    server = connect(Settings(**settings), lambda _: Secret(""))
    snapshots(server).restore(given["address"], Half(parts, given["of"]))


if __name__ == "__main__":
    main()
