"""A real WebProtégé with the deployment's project interface on loopback, from the archive in the
folder of parts: the server on Tomcat and the stand-in of MongoDB that comes with it.

A first start takes six seconds: accounts and keys are written by the program `Account` of the
archive, as WebProtégé's own command line does it on a terminal.
"""

import contextlib
import json
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

from workspace_manager.contract.secret import Secret
from workspace_sandbox import children
from workspace_sandbox.patience import PATIENCE_S, START_S
from workspace_sandbox.real import parts_folder
from workspace_sandbox.real.one_process import HOST, OneProcess

NAME, STORE = "webprotege", "store-of-webprotege"
PART = "WebProtégé"
SERVICE_ACCOUNT = "svc-manager"

_PREFIX = "workspace-webprotege-"
_JAVA: Final = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
_OPENED: Final = tuple(
    f"--add-opens={name}=ALL-UNNAMED"
    for name in (
        "java.base/java.lang",
        "java.base/java.io",
        "java.base/java.util",
        "java.base/java.util.concurrent",
        "java.rmi/sun.rmi.transport",
    )
)
"""The packages that its libraries reach into, and that Java closes from version 16 on."""


class WebProtegeFailed(RuntimeError):
    """It is missing or could not be started; the text has the reason or the end of its log."""


@dataclass(frozen=True)
class Address:
    """Where a running WebProtégé is, the key of the manager's service account, and the port of its
    database: the interface shows no members, and the database does.
    """

    url: str
    api_key: Secret
    database_port: int


def why_not() -> str | None:
    """Return why a real WebProtégé cannot run here; None if it can."""
    if reason := parts_folder.why_not(PART):
        return reason
    return None if shutil.which("java") else "java (Debian: default-jre-headless) not found"


def version() -> str:
    """Return the beginning of its archive's digest, because it has no version numbers."""
    return parts_folder.version(PART)


class _Store(OneProcess):
    """The stand-in of MongoDB, which keeps its data in one file."""

    name = STORE
    product = "WebProtégé's database"
    failed = WebProtegeFailed
    start_limit_s = START_S
    pause_s = 0.3

    @property
    def at(self) -> int:
        """Return the port it listens at."""
        return self._at

    def start(self) -> int:
        assert self.directory
        self.directory.mkdir(exist_ok=True, mode=0o700)
        return self._bring_up(self.directory)

    def _launch(self, home: Path, port: int) -> "subprocess.Popen[bytes]":
        made = parts_folder.prepare(PART) / "mongo"
        command = [*_JAVA, "-Xmx256m", "-cp", f"{made}:{made}/*", "Store"]
        return children.start(
            [*command, str(home / "mongo.db"), str(port)],
            name=STORE,
            cwd=home,
            log=home / f"{STORE}.log",
            environment={},
        )

    def _answers(self, port: int) -> bool:
        with contextlib.suppress(OSError), socket.create_connection((HOST, port), timeout=10):
            return True
        return False


class WebProtege(OneProcess):
    """One running WebProtégé.

    `directory`: keeps its data there, so that it comes back as it was, with the same key; without
    it everything is temporary. `port`: 0 takes a free one.
    """

    name = NAME
    product = PART
    failed = WebProtegeFailed
    start_limit_s = START_S
    pause_s = 0.3

    def __init__(self, *, directory: Path | None = None, port: int = 0) -> None:
        super().__init__(directory=directory, port=port)
        self.address: Address | None = None
        self._store: _Store | None = None

    def start(self) -> Address:
        """Start it, after clearing what a killed run left. Raises WebProtegeFailed."""
        if reason := why_not():
            raise WebProtegeFailed(f"WebProtégé cannot run: {reason}")
        for name in (NAME, STORE):
            children.remove_leftovers(name)
        home = self.directory or Path(tempfile.mkdtemp(prefix=_PREFIX))
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        port = self._bring_up(home, self._fill)
        self.address = Address(f"http://{HOST}:{port}", _kept(home), self._database_port())
        return self.address

    def stop(self) -> None:
        """Stop it, then its database, and remove temporary files. Harmless if it does not run."""
        self._end()
        if self._store:
            self._store.stop()
        super().stop()
        self.address = self._store = None

    def start_again(self) -> None:
        """Start it again, its database first: without one, WebProtégé answers 500 until it is
        restarted.
        """
        if self._store and not self._store.answers():
            self._store.start_again()
        super().start_again()

    def key_of(self, username: str, *roles: str) -> Secret:
        """Make a further key for any name, with application roles (`PROJECT_CREATOR`,
        `SYSTEM_ADMIN`), or without one: such a key lists nothing. Raises WebProtegeFailed.
        """
        return self._account(username, "", "-", *roles)

    def _database_port(self) -> int:
        if self._store is None:
            raise WebProtegeFailed("WebProtégé does not run")
        return self._store.at

    def _fill(self, home: Path) -> None:
        self._store = _Store(directory=home / "store")
        self._store.start()
        if not (home / "key.json").exists():
            key = self._account(
                SERVICE_ACCOUNT, "svc-manager@example.org", "loopback", "PROJECT_CREATOR"
            )
            (home / "key.json").touch(mode=0o600)
            (home / "key.json").write_text(json.dumps(key.reveal()))

    def _account(self, *arguments: str) -> Secret:
        made = parts_folder.prepare(PART)
        classes = f"{made}/setup:{made}/tomcat/webapps/ROOT/WEB-INF/lib/*"
        command = [
            *_JAVA,
            *_OPENED,
            "-cp",
            classes,
            "Account",
            str(self._database_port()),
            *arguments,
        ]
        return Secret(_output(command), name="WebProtégé's API key")

    def _launch(self, home: Path, port: int) -> "subprocess.Popen[bytes]":
        tomcat = parts_folder.prepare(PART) / "tomcat"
        base = home / "tomcat"
        for folder in ("logs", "temp", "work"):
            (base / folder).mkdir(parents=True, exist_ok=True)
        for shared in ("conf", "webapps", "lib"):
            if not (base / shared).exists():
                (base / shared).symlink_to(tomcat / shared)
        (home / "projects").mkdir(exist_ok=True)
        known = {
            "http.port": port,
            "catalina.home": tomcat,
            "catalina.base": base,
            "java.io.tmpdir": base / "temp",
            "java.awt.headless": "true",
            "java.util.logging.config.file": tomcat / "conf" / "logging.properties",
            "java.util.logging.manager": "org.apache.juli.ClassLoaderLogManager",
            "webprotege.data.directory": home / "projects",
            "webprotege.mongodb.host": HOST,
            "webprotege.mongodb.port": self._database_port(),
            "logs.directory": base / "logs",
        }
        command = [
            *_JAVA,
            "-Xmx1g",
            *_OPENED,
            *(f"-D{name}={value}" for name, value in known.items()),
        ]
        command += ["-cp", f"{tomcat}/bin/bootstrap.jar:{tomcat}/bin/tomcat-juli.jar"]
        return children.start(
            [*command, "org.apache.catalina.startup.Bootstrap", "start"],
            name=NAME,
            cwd=home,
            log=home / f"{NAME}.log",
            environment={},
            temporary=None if self.directory else home,
        )

    def _answers(self, port: int) -> bool:
        """Return whether it lists something for a key: the port accepts before the application
        answers.
        """
        assert self._home
        headers = {"Authorization": f"apikey {_kept(self._home).reveal()}"}
        with contextlib.suppress(httpx.HTTPError):
            url = f"http://{HOST}:{port}/data/projects"
            return httpx.get(url, headers=headers, timeout=60, trust_env=False).is_success
        return False


def _kept(home: Path) -> Secret:
    return Secret(json.loads((home / "key.json").read_text()), name="WebProtégé's API key")


def _output(command: Sequence[str]) -> str:
    done = subprocess.run(
        list(command), capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    if done.returncode or not done.stdout.strip():
        raise WebProtegeFailed(f"its account was not made: {done.stderr[-500:]}")
    return done.stdout.split()[-1]
