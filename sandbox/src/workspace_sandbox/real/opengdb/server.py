"""Start and stop a real OpenGDB on loopback."""

import os
import secrets
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import httpx

from workspace_manager.contract.secret import Secret
from workspace_sandbox import children
from workspace_sandbox.patience import PATIENCE_S, START_S
from workspace_sandbox.real import cache, parts_folder
from workspace_sandbox.real.one_process import HOST, OneProcess
from workspace_sandbox.real.opengdb import environment

NAME = "opengdb"
ADMIN = "admin"


_PREFIX = "workspace-opengdb-"


class OpenGDBFailed(RuntimeError):
    """It could not be installed or started; the text names the reason or the end of its log."""


@dataclass(frozen=True)
class Address:
    """Where a running OpenGDB is and who may administer it."""

    url: str
    admin_username: str
    admin_password: Secret


def why_not() -> str | None:
    """Return why a real OpenGDB cannot run here; None if it can."""
    return environment.why_not()


def prepare() -> Path:
    """Install it once; gives the cache directory. Raises OpenGDBFailed."""
    if reason := why_not():
        raise OpenGDBFailed(f"OpenGDB is {reason}")
    try:
        return environment.prepare()
    except (cache.CommandFailed, parts_folder.NotThere) as failed:
        raise OpenGDBFailed(str(failed)) from failed


class OpenGDB(OneProcess):
    """One running OpenGDB before a running RDF4J (`rdf4j_url`, like
    http://127.0.0.1:1234/rdf4j-server).

    Two processes of two threads each, as its own container has them: four calls that hang on RDF4J
    keep everybody else waiting. `directory`: keeps its data there, so that it comes back as it was;
    without it everything is temporary. `port`: 0 takes a free one.
    """

    name = NAME
    product = "OpenGDB"
    failed = OpenGDBFailed
    start_limit_s = START_S
    pause_s = 0.3

    def __init__(
        self,
        *,
        rdf4j_url: str,
        directory: Path | None = None,
        port: int = 0,
        admin_password: Secret | None = None,
    ) -> None:
        super().__init__(directory=directory, port=port)
        self.rdf4j_url = rdf4j_url
        self.admin_password = admin_password or Secret(
            secrets.token_urlsafe(24), name="OpenGDB's administrator"
        )
        self.address: Address | None = None

    def start(self) -> Address:
        """Start it; first clear away what a killed run left behind. Raises OpenGDBFailed."""
        prepare()
        children.remove_leftovers(NAME)
        home = self.directory or Path(tempfile.mkdtemp(prefix=_PREFIX))
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        port = self._bring_up(home, self._fill)
        self.address = Address(f"http://{HOST}:{port}", ADMIN, self.admin_password)
        return self.address

    def stop(self) -> None:
        """Stop it and remove what was temporary. Harmless when it does not run."""
        super().stop()
        self.address = None

    def _fill(self, home: Path) -> None:
        """Give a new home its database and administrator; bring that of a kept one up to date."""
        if (home / environment.DATABASE).exists():
            self._command(home, "migrate", "--no-input", "--verbosity", "0")
            return
        draft = home / f"{environment.DATABASE}.draft"
        shutil.copy(environment.directory() / environment.DATABASE, draft)
        draft.rename(home / environment.DATABASE)
        self._command(
            home, "createsuperuser", "--no-input", "--username", ADMIN, "--email", "a@example.org"
        )

    def _command(self, home: Path, *arguments: str) -> None:
        command = [str(environment.python(environment.directory())), "-m", "django", *arguments]
        password = {"DJANGO_SUPERUSER_PASSWORD": self.admin_password.reveal()}
        done = subprocess.run(
            command,
            cwd=home,
            env={**os.environ, **self._known(home), **password},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        if done.returncode:
            raise OpenGDBFailed(f"its {arguments[0]} ended with {done.returncode}: {done.stderr}")

    def _known(self, home: Path) -> dict[str, str]:
        key = home / "secret-key"
        if not key.exists():
            key.touch(mode=0o600)
            key.write_text(secrets.token_urlsafe(40))
        made = environment.directory()
        return {
            **environment.build_variables(
                made, home, rdf4j_url=self.rdf4j_url, secret_key=key.read_text()
            )
        }

    def _launch(self, home: Path, port: int) -> "subprocess.Popen[bytes]":
        command = [str(environment.python(environment.directory())), "-m", "gunicorn"]
        command += ["--workers", "2", "--threads", "2", "--bind", f"{HOST}:{port}"]
        command += ["--graceful-timeout", "2", "authproxy.wsgi"]
        return children.start(
            command,
            name=NAME,
            cwd=home,
            log=home / f"{NAME}.log",
            environment=self._known(home),
            temporary=None if self.directory else home,
        )

    def _answers(self, port: int) -> bool:
        """Return whether it lists repositories to anybody."""
        try:
            answer = httpx.get(
                f"http://{HOST}:{port}/rest/repositories", timeout=10, trust_env=False
            )
        except httpx.HTTPError:
            return False
        return answer.status_code == 200 and answer.text.startswith("[")
