"""A real MariaDB in a container of a stack: it starts on volumes that were brought back, with its
rows. The server is this machine's own, by read-only mounts.
"""

import uuid
from collections.abc import Iterator

import httpx
import pytest

from tests.systems.sql_server.chest import Chest
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.connector import connect
from workspace_manager.systems.container_manager.names import (
    MARK_LABEL,
    PROJECT_LABEL,
    VOLUME_LABEL,
    content_address,
)
from workspace_manager.systems.container_manager.settings import Settings
from workspace_manager.systems.container_manager.snapshots import snapshots
from workspace_sandbox.patience import eventually
from workspace_sandbox.real import mariadb, podman, tar_image

pytestmark = pytest.mark.real

USER = "999"
MACHINE = ("/usr:/usr:ro", "/lib:/lib:ro", "/lib64:/lib64:ro")
SOCKET = "--socket=/data/server.sock"
SERVER = (
    *("/usr/sbin/mariadbd", "--no-defaults", "--datadir=/data", "--tmpdir=/data", SOCKET),
    *(
        "--skip-networking",
        "--innodb-buffer-pool-size=32M",
        "--innodb-log-file-size=8M",
        "--skip-grant-tables",
    ),
)
INSTALL = (
    "mariadb-install-db --no-defaults --datadir=/data --skip-test-db --skip-name-resolve --force "
    "--auth-root-authentication-method=normal > /dev/null"
)


def no_secrets(reference: str) -> Secret:
    raise AssertionError(f"asked for {reference}")


class Server:
    """One stack with a database server in it."""

    def __init__(self, real: podman.Podman, image: str) -> None:
        self.real, self.image, self.mark = real, image, str(uuid.uuid4())
        self.name = f"ws-database-{self.mark[:8]}"
        self.volume, self.container = f"{self.name}_data", f"{self.name}-server-1"

    @property
    def address(self) -> str:
        return content_address(self.name, self.mark)

    def make(self) -> None:
        self.real.command("volume", "create", *self._labels(VOLUME_LABEL, "data"), self.volume)
        words = self._words("--rm", "--entrypoint", "/usr/bin/sh")
        owner = f"chown {USER}:{USER} /data && chmod 700 /data"
        self.real.command("run", "--user", "0", *words, self.image, "-c", owner)
        self.real.command("run", "--user", USER, *words, self.image, "-c", INSTALL)

    def start(self) -> None:
        words = self._words("--detach", "--name", self.container, "--user", USER)
        labels = self._labels("com.docker.compose.service", "server")
        program, *options = SERVER
        self.real.command("run", *words, *labels, "--entrypoint", program, self.image, *options)

    def ask(self, statement: str) -> str:
        client = ("/usr/bin/mariadb", "--no-defaults", SOCKET, "--batch", "-N", "-e", statement)
        return self.real.command("exec", self.container, *client)

    def answers(self) -> bool:
        try:
            return self.ask("SELECT 1").strip() == "1"
        except podman.PodmanFailed:
            return False

    def _words(self, *more: str) -> list[str]:
        mounts = [word for one in MACHINE for word in ("-v", one)]
        path = ("-e", "PATH=/usr/bin:/usr/sbin:/bin", "--tmpfs", "/tmp:mode=1777")
        return ["--network", "none", *path, *mounts, "-v", f"{self.volume}:/data", *more]

    def _labels(self, name: str, value: str) -> list[str]:
        labels = {MARK_LABEL: self.mark, PROJECT_LABEL: self.name, name: value}
        return [word for key, text in labels.items() for word in ("--label", f"{key}={text}")]


@pytest.fixture
def image(real_podman: podman.Podman) -> Iterator[str]:
    if reason := mariadb.why_not():
        pytest.skip(reason)
    assert real_podman.url
    yield tar_image.make(real_podman.url)
    real_podman.command("rm", "--all", "--force", "--time", "0", limit_s=120)


def test_a_database_starts_on_what_was_brought_back(real_podman: podman.Podman, image: str) -> None:
    assert real_podman.url
    settings = Settings(url=real_podman.url, api_key=None, snapshot_image=image)
    source = snapshots(connect(settings, no_secrets))
    server, again = Server(real_podman, image), Server(real_podman, image)
    server.make()
    server.start()
    eventually("the server answers", server.answers)
    server.ask(
        "CREATE DATABASE ferns; CREATE TABLE ferns.herbs (id INT PRIMARY KEY, name VARCHAR(40)) "
        "CHARACTER SET utf8mb4; INSERT INTO ferns.herbs VALUES (1, 'sage'), (2, 'thyme')"
    )
    chest = Chest()
    facts = source.capture(server.address, chest)
    eventually("the server answers", server.answers)
    server.ask("DROP DATABASE ferns")

    source.restore(again.address, chest)
    assert source.facts(again.address) == facts
    again.start()
    eventually("the server answers again", again.answers)
    assert again.ask("SELECT name FROM ferns.herbs ORDER BY id").split() == ["sage", "thyme"]
    base = real_podman.url.replace("docker:", "http:") + "/v1.41"
    found = httpx.get(f"{base}/volumes/{again.volume}").json()
    assert found["Labels"][MARK_LABEL] == again.mark
