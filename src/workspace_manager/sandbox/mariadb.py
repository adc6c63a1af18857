"""A real MariaDB on loopback, private to one run: installed once, then copied and started in a quarter of a second.

What is slow is kept in a cache outside the repository (`cache_directory()`): a freshly installed data directory, 26 MB. It holds no
account that can be used over the network; each run makes its own administrator as the server starts.
"""

import contextlib
import fcntl
import os
import re
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workspace_manager.contract.secret import Secret
from workspace_manager.sandbox import children

NAME = "mariadb"
ADMIN = "admin"

INSTALL_LIMIT_S = 120
START_LIMIT_S = 60
TRIES = 3
"""Another process may take the free port between its choice and its use."""


class MariaDBFailed(RuntimeError):
    """It could not be installed or started; the text names the reason or the end of its log."""


@dataclass(frozen=True)
class Address:
    """Where a running MariaDB is and who may administer it."""

    host: str
    port: int
    admin_username: str
    admin_password: Secret


def why_not() -> str | None:
    """Say in words why a real MariaDB cannot run here, or None when it can."""
    missing = [name for name in ("mariadbd", "mariadb-install-db") if not _program(name)]
    if not missing:
        return None
    return f"{' and '.join(missing)} not found (Debian: mariadb-server)"


def version() -> str:
    """Its version, like "10.11.19"; "" when it cannot be told."""
    program = _program("mariadbd")
    if not program:
        return ""
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"Ver (\d+(?:\.\d+)+)", told.stdout)
    return found[1] if found else ""


def cache_directory() -> Path:
    """Where the installed data directory is kept (XDG base directories), one for each version and user of the machine."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "workspace-manager" / f"mariadb-{version()}"


def prepare() -> Path:
    """Install the data directory once; gives where it is. Raises MariaDBFailed.

    A lock keeps two runs from installing at once; a killed installation leaves no half-made cache, because it gets its name only
    when it is complete.
    """
    if reason := why_not():
        raise MariaDBFailed(reason)
    cache = cache_directory()
    cache.parent.mkdir(parents=True, exist_ok=True)
    with _locked(cache.with_name(f"{cache.name}.lock")):
        if not cache.exists():
            draft = cache.with_name(f"{cache.name}.draft")
            shutil.rmtree(draft, ignore_errors=True)
            _install(draft)
            draft.rename(cache)
    return cache


class MariaDB:
    """One running MariaDB.

    `directory`: keeps its data there, so that it comes back as it was; without it everything is temporary. `port`: 0 takes a free
    one. Start it from a thread that lives as long as it shall run: the kernel ends it together with that thread.
    """

    def __init__(
        self,
        *,
        directory: Path | None = None,
        port: int = 0,
        admin_username: str = ADMIN,
        admin_password: Secret | None = None,
    ) -> None:
        self.directory = directory
        self.port = port
        self.admin_username = admin_username
        self.admin_password = admin_password or Secret(
            secrets.token_urlsafe(24), name="MariaDB's administrator"
        )
        self.address: Address | None = None
        self._home: Path | None = None
        self._socket_home: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Address:
        """Start it; first clear away what a killed run left behind. Raises MariaDBFailed."""
        cache = prepare()
        children.remove_leftovers(NAME)
        temporary = None if self.directory else Path(tempfile.mkdtemp(prefix="workspace-mariadb-"))
        home = self._home = self.directory or temporary or cache
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not (home / "data").exists():
            shutil.copytree(cache, home / "data.draft", dirs_exist_ok=True)
            (home / "data.draft").rename(home / "data")
        try:
            for attempt in range(1, TRIES + 1):
                port = self.port or children.free_port()
                self._process = self._launch(home, port, temporary)
                if _answers(port, self._process):
                    break
                self._end()
                if attempt == TRIES or self.port:
                    raise MariaDBFailed(f"MariaDB did not start; {_end_of_log(home)}")
        except BaseException:
            self.stop()
            raise
        self.address = Address("127.0.0.1", port, self.admin_username, self.admin_password)
        return self.address

    def stop(self) -> None:
        """Stop it and remove what was temporary. Harmless when it does not run."""
        self._end()
        passing = [self._socket_home, None if self.directory else self._home]
        self._home = self._socket_home = None
        for folder in filter(None, passing):
            shutil.rmtree(folder, ignore_errors=True)

    def _end(self) -> None:
        process, self._process, self.address = self._process, None, None
        if process:
            children.end(process, name=NAME)

    def _launch(self, home: Path, port: int, temporary: Path | None) -> "subprocess.Popen[bytes]":
        accounts = home / "administrator.sql"
        accounts.touch(mode=0o600)
        accounts.write_text(self._accounts())
        # The socket's path may be 107 bytes long at most; a data directory may lie deeper than that.
        socket_home = temporary or self._socket_home
        if socket_home is None:
            socket_home = self._socket_home = Path(tempfile.mkdtemp(prefix="workspace-mariadb-"))
        command = [
            _program("mariadbd"),
            "--no-defaults",
            f"--datadir={home / 'data'}",
            "--bind-address=127.0.0.1",
            f"--port={port}",
            f"--socket={socket_home / 'socket'}",
            f"--pid-file={home / 'pid'}",
            f"--init-file={accounts}",
            "--skip-name-resolve",
            "--skip-log-bin",
            "--performance-schema=OFF",
            "--innodb-buffer-pool-size=32M",
            "--innodb-log-file-size=8M",
            "--innodb-flush-log-at-trx-commit=0",
            "--character-set-server=utf8mb4",
            *(["--user=root"] if os.geteuid() == 0 else []),
        ]
        return children.start(
            command,
            name=NAME,
            cwd=home,
            log=home / "mariadb.log",
            environment={},
            temporary=socket_home,
        )

    def _accounts(self) -> str:
        """The statements run at each start: our administrator, and no other that could sign in over the network."""
        name, password = _literal(self.admin_username), _literal(self.admin_password.reveal())
        closed = _literal(secrets.token_urlsafe(24))
        admin = f"{name}@'%'"
        hosts = ("127.0.0.1", "::1", "localhost", socket.gethostname())
        others = [f"''@{_literal(host)}" for host in hosts]
        others += [f"'root'@{_literal(host)}" for host in hosts if host != "localhost"]
        lines = [
            f"CREATE USER IF NOT EXISTS {admin} IDENTIFIED BY {password}",
            f"ALTER USER {admin} IDENTIFIED BY {password}",
            f"GRANT ALL PRIVILEGES ON *.* TO {admin} WITH GRANT OPTION",
            f"ALTER USER IF EXISTS 'root'@'localhost' IDENTIFIED BY {closed}",
            f"DROP USER IF EXISTS {', '.join(others)}",
        ]
        return "".join(f"{line};\n" for line in lines)


def _program(name: str) -> str:
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])
    return shutil.which(name, path=path) or ""


def _literal(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _install(draft: Path) -> None:
    command = [
        _program("mariadb-install-db"),
        "--no-defaults",
        f"--datadir={draft}",
        "--auth-root-authentication-method=normal",
        "--skip-test-db",
        "--skip-name-resolve",
        "--force",
        *(["--user=root"] if os.geteuid() == 0 else []),
    ]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=INSTALL_LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise MariaDBFailed(f"installing took over {INSTALL_LIMIT_S} s") from late
    if done.returncode:
        raise MariaDBFailed(f"installing ended with {done.returncode}: {done.stderr[-500:]}")


def _answers(port: int, process: "subprocess.Popen[bytes]") -> bool:
    """Wait until it greets somebody who connects; False when it ended or took too long.

    It listens only after the accounts are made, and a stranger on the port would not send a greeting of this protocol.
    """
    deadline = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline and process.poll() is None:
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", port), timeout=5) as probe,
        ):
            if b"MariaDB" in probe.recv(100):
                return process.poll() is None
        time.sleep(0.02)
    return False


def _end_of_log(home: Path) -> str:
    log = home / "mariadb.log"
    text = log.read_text(errors="replace")[-2000:] if log.exists() else "there is no log"
    return f"the end of its log:\n{text}"
