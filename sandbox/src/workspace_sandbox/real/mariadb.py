"""A real MariaDB on loopback, private to one run: installed once, then copied and started in a
quarter of a second.

What is slow is kept in a cache outside the repository (`cache_directory()`): a freshly installed
data directory, 26 MB. It holds no account that can be used over the network; each run makes its own
administrator as the server starts.
"""

import os
import re
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from workspace_manager.contract.secret import Secret
from workspace_sandbox import children
from workspace_sandbox.patience import START_S
from workspace_sandbox.real import cache
from workspace_sandbox.real.one_process import HOST, Address, OneProcess, first_bytes

NAME = "mariadb"
ADMIN = "admin"
PLUGINS = "WORKSPACE_MARIADB_PLUGINS"
"""The variable that names the folder of its plugins, where that is not its own
(docs/howto/real-parts.md).
"""


class MariaDBFailed(RuntimeError):
    """It could not be installed or started; the text names the reason or the end of its log."""


def why_not() -> str | None:
    """Return why a real MariaDB cannot run here; None if it can."""
    missing = [name for name in ("mariadbd", "mariadb-install-db") if not _program(name)]
    if not missing:
        return None
    return f"{' and '.join(missing)} not found (Debian: mariadb-server)"


def version() -> str:
    """Return its version, like "10.11.19"; "" if unknown."""
    program = _program("mariadbd")
    if not program:
        return ""
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"Ver (\d+(?:\.\d+)+)", told.stdout)
    return found[1] if found else ""


def cache_directory() -> Path:
    """Where the installed data directory is kept, one for each version and user of the machine."""
    return cache.directory(f"mariadb-{version()}")


def prepare() -> Path:
    """Install the data directory once; gives where it is. Raises MariaDBFailed."""
    if reason := why_not():
        raise MariaDBFailed(reason)
    try:
        return cache.make_once(cache_directory(), _install)
    except cache.CommandFailed as failed:
        raise MariaDBFailed(str(failed)) from failed


class MariaDB(OneProcess):
    """One running MariaDB.

    `directory`: keeps its data there, so that it comes back as it was; without it everything is
    temporary. `port`: 0 takes a free one. `options`: of the server, beside and before ours.
    """

    name = NAME
    product = "MariaDB"
    failed = MariaDBFailed
    start_limit_s = START_S

    def __init__(
        self,
        *,
        directory: Path | None = None,
        port: int = 0,
        admin_username: str = ADMIN,
        admin_password: Secret | None = None,
        options: Sequence[str] = (),
    ) -> None:
        super().__init__(directory=directory, port=port)
        self.options = options
        self.admin_username = admin_username
        self.admin_password = admin_password or Secret(
            secrets.token_urlsafe(24), name="MariaDB's administrator"
        )
        self.address: Address | None = None
        self._socket_home: Path | None = None

    def start(self) -> Address:
        """Start it; first clear away what a killed run left behind. Raises MariaDBFailed."""
        installed = prepare()
        children.remove_leftovers(NAME)
        home = self.directory or Path(tempfile.mkdtemp(prefix="workspace-mariadb-"))
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not (home / "data").exists():
            shutil.copytree(installed, home / "data.draft", dirs_exist_ok=True)
            (home / "data.draft").rename(home / "data")
        port = self._bring_up(home)
        self.address = Address(HOST, port, self.admin_username, self.admin_password)
        return self.address

    def stop(self) -> None:
        """Stop it and remove what was temporary. Harmless when it does not run."""
        super().stop()
        self.address = None
        folder, self._socket_home = self._socket_home, None
        if folder:
            shutil.rmtree(folder, ignore_errors=True)

    def _launch(self, home: Path, port: int) -> "subprocess.Popen[bytes]":
        accounts = home / "administrator.sql"
        accounts.touch(mode=0o600)
        accounts.write_text(self._accounts())
        # The socket's path may be 107 bytes long at most; a data directory may lie deeper than
        # that.
        socket_home = self._socket_home if self.directory else home
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
            *([f"--plugin-dir={plugins}"] if (plugins := os.environ.get(PLUGINS)) else []),
            *self.options,
        ]
        return children.start(
            command,
            name=NAME,
            cwd=home,
            log=home / "mariadb.log",
            environment={},
            temporary=socket_home,
        )

    def _answers(self, port: int) -> bool:
        """It listens only after the accounts are made, and greets whoever connects."""
        return b"MariaDB" in first_bytes(port, b"", 100)

    def _accounts(self) -> str:
        """The statements run at each start: our administrator, and no other that could sign in over
        the network.
        """
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
    cache.run(command, draft, doing="installing it", limit_s=START_S)
