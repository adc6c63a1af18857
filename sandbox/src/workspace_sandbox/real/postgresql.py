"""A real PostgreSQL on loopback, private to one run and temporary: made and started in about a
second.

It refuses to run as root; then it runs as the account that its packages bring
(docs/systems/sql-server.md#a-private-instance-for-tests).
"""

import os
import pwd
import re
import secrets
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from workspace_manager.contract.secret import Secret
from workspace_sandbox import children
from workspace_sandbox.patience import START_S
from workspace_sandbox.real import one_process
from workspace_sandbox.real.one_process import HOST, OneProcess, first_bytes

NAME = "postgresql"
ADMIN = "admin"
ACCOUNT = "postgres"
"""The machine's account it runs as when we are root."""
PROGRAMS = ("initdb", "postgres")


SETTINGS = {
    "listen_addresses": "127.0.0.1",
    # A private server whose data nobody keeps needs to survive no power cut.
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    # Killed, it leaves nothing outside its folder.
    "dynamic_shared_memory_type": "mmap",
    "shared_buffers": "32MB",
    "max_connections": "250",
    "lc_messages": "C",
    "log_statement": "none",
}


class PostgreSQLFailed(RuntimeError):
    """It could not be made or started; the text names the reason or the end of its log."""


class Address(one_process.Address):
    """Where a running PostgreSQL is and who may administer it."""

    def url(self, database: str) -> str:
        """The address of a database with its password, as `WORKSPACE_DATABASE_URL` and
        `WORKSPACE_QUEUE_URL` take it.
        """
        who = f"{self.admin_username}:{self.admin_password.reveal()}"
        return f"postgresql://{who}@{self.host}:{self.port}/{database}"


def why_not() -> str | None:
    """Return why a real PostgreSQL cannot run here; None if it can."""
    missing = [name for name in PROGRAMS if not _program(name)]
    if missing:
        return f"{' and '.join(missing)} not found (Debian: postgresql)"
    if os.geteuid() == 0:
        try:
            pwd.getpwnam(ACCOUNT)
        except KeyError:
            return (
                f"it refuses to run as root, and this machine has no account {ACCOUNT} "
                f"(Debian: postgresql)"
            )
    return None


def version() -> str:
    """Its version, like "15.18"; "" when it cannot be told."""
    program = _program("postgres")
    if not program:
        return ""
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"(\d+(?:\.\d+)+)", told.stdout)
    return found[1] if found else ""


class PostgreSQL(OneProcess):
    """One running PostgreSQL. `settings`: of the server, beside and before SETTINGS."""

    name = NAME
    product = "PostgreSQL"
    failed = PostgreSQLFailed
    start_limit_s = START_S
    # Asked by SIGTERM it would wait until the last client goes.
    asks_by = signal.SIGINT

    def __init__(
        self,
        *,
        port: int = 0,
        admin_username: str = ADMIN,
        admin_password: Secret | None = None,
        settings: dict[str, str] | None = None,
    ) -> None:
        super().__init__(port=port)
        self.admin_username = admin_username
        self.admin_password = admin_password or Secret(
            secrets.token_urlsafe(24), name="PostgreSQL's administrator"
        )
        self.settings = {**SETTINGS, **(settings or {})}
        self.address: Address | None = None

    def start(self) -> Address:
        """Make and start it; first clear away what a killed run left behind. Raises
        PostgreSQLFailed.
        """
        if reason := why_not():
            raise PostgreSQLFailed(reason)
        children.remove_leftovers(NAME)
        home = Path(tempfile.mkdtemp(prefix="workspace-postgresql-"))
        port = self._bring_up(home, self._make)
        self.address = Address(HOST, port, self.admin_username, self.admin_password)
        return self.address

    def stop(self) -> None:
        """Stop it and remove what it kept. Harmless when it does not run."""
        super().stop()
        self.address = None

    def _make(self, home: Path) -> None:
        first = home / "administrator"
        first.touch(mode=0o600)
        first.write_text(self.admin_password.reveal())
        if children.as_user(_account()):
            for path in (home, first):
                shutil.chown(path, _account())
        command = [
            _program("initdb"),
            f"--pgdata={home / 'data'}",
            f"--username={self.admin_username}",
            f"--pwfile={first}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--no-locale",
            "--no-sync",
            "--no-instructions",
        ]
        try:
            done = subprocess.run(
                command,
                cwd=home,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=START_S,
                check=False,
                **children.as_user(_account()),
            )
        except subprocess.TimeoutExpired as late:
            raise PostgreSQLFailed(f"making it took over {START_S} s") from late
        first.unlink()
        if done.returncode:
            raise PostgreSQLFailed(f"making it ended with {done.returncode}: {done.stderr[-500:]}")

    def _launch(self, home: Path, port: int) -> "subprocess.Popen[bytes]":
        settings = [f"{name}={value}" for name, value in self.settings.items()]
        command = [_program("postgres"), "-D", str(home / "data"), "-p", str(port), "-k", str(home)]
        command += [part for setting in settings for part in ("-c", setting)]
        return children.start(
            command,
            name=NAME,
            cwd=home,
            log=home / "postgresql.log",
            environment={},
            temporary=home,
            user=_account(),
            asks_by=self.asks_by,
        )

    def _answers(self, port: int) -> bool:
        """It asks somebody who signs in for a password; while it starts it listens already, but
        answers with an error.
        """
        names = b"user\0nobody\0database\0postgres\0\0"
        hello = (8 + len(names)).to_bytes(4) + (3 << 16).to_bytes(4) + names
        return first_bytes(port, hello, 1) == b"R"


def _account() -> str:
    """Return the account it runs as: "" (ourselves) unless we are root."""
    return ACCOUNT if os.geteuid() == 0 else ""


def _program(name: str) -> str:
    """Where the newest one is: Debian keeps each version's programs out of the path."""
    versions = Path("/usr/lib/postgresql").glob("[0-9]*/bin")
    newest = sorted(versions, key=lambda path: float(path.parent.name), reverse=True)
    path = os.pathsep.join([*map(str, newest), os.environ.get("PATH", os.defpath)])
    return shutil.which(name, path=path) or ""
