"""A real Portainer on loopback before a container engine, from the archive in the folder of parts:
its API with the Compose it calls, and no pages.

A start of a new one takes three seconds: the administrator, the environment that leads to the
engine, and an API key are made through its own interface, as an operator makes them by hand.
"""

import contextlib
import json
import os
import platform
import secrets
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from workspace_manager.contract.secret import Secret
from workspace_sandbox import children
from workspace_sandbox.patience import PATIENCE_S, START_S
from workspace_sandbox.real import parts_folder, podman
from workspace_sandbox.real.one_process import HOST, OneProcess

NAME = "portainer"
PART = "Portainer"
ADMIN = "admin"


_PREFIX = "workspace-portainer-"
_MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}
"""What Linux calls a machine, and what its archives do."""


class PortainerFailed(RuntimeError):
    """It is not there or could not be started; the text names the reason or the end of its log."""


@dataclass(frozen=True)
class Address:
    """Where a running Portainer is, the environment that leads to the engine, and the key the
    manager may use there.
    """

    url: str
    environment_id: int
    api_key: Secret


def why_not() -> str | None:
    """Say in words why a real Portainer cannot run here, or None when it can. It stands before
    podman, so it needs that too.
    """
    if reason := parts_folder.why_not(PART):
        return reason
    name = parts_folder.archive(PART).name
    ours = f"linux-{_MACHINES.get(platform.machine(), platform.machine())}"
    if "-linux-" in name and ours not in name:
        return f"{name} is not for this machine ({ours})"
    reason = podman.why_not()
    return f"it needs podman to stand before: {reason}" if reason else None


def version() -> str:
    """Its version, as its archive tells it."""
    return parts_folder.version(PART)


def prepare() -> Path:
    """Unpack it once; gives the folder of its programs. Raises PortainerFailed."""
    if reason := why_not():
        raise PortainerFailed(f"Portainer cannot run: {reason}")
    try:
        return parts_folder.prepare(PART)
    except parts_folder.NotThere as failed:
        raise PortainerFailed(str(failed)) from failed


class Portainer(OneProcess):
    """One running Portainer before a container engine (`docker_url`, like docker://127.0.0.1:1234).

    `directory`: keeps its data there, so that it comes back as it was, with the same key, before
    whatever engine it is given then; without it everything is temporary. `port`: 0 takes a free
    one.
    """

    name = NAME
    product = "Portainer"
    failed = PortainerFailed
    start_limit_s = START_S
    pause_s = 0.3

    def __init__(self, *, docker_url: str, directory: Path | None = None, port: int = 0) -> None:
        super().__init__(directory=directory, port=port)
        self.engine = docker_url.replace("docker://", "tcp://", 1)
        self.address: Address | None = None

    def start(self) -> Address:
        """Start it; first clear away what a killed run left behind. Raises PortainerFailed."""
        prepare()
        children.remove_leftovers(NAME)
        home = self.directory or Path(tempfile.mkdtemp(prefix=_PREFIX))
        (home / "data").mkdir(parents=True, exist_ok=True, mode=0o700)
        url = f"http://{HOST}:{self._bring_up(home)}"
        try:
            self.address = self._settle(home, url)
        except BaseException:
            self.stop()
            raise
        return self.address

    def stop(self) -> None:
        """Stop it and remove what was temporary. Harmless when it does not run."""
        super().stop()
        self.address = None

    @contextlib.contextmanager
    def administrator(self) -> Iterator[httpx.Client]:
        """A client that its administrator is signed in with, for other hands than ours. Raises
        PortainerFailed.
        """
        if self.address is None or self._home is None:
            raise PortainerFailed("Portainer does not run")
        with _signed_in(self.address.url, _password(self._home)) as client:
            yield client

    def _launch(self, home: Path, port: int) -> "subprocess.Popen[bytes]":
        made = prepare()
        https, tunnel = children.free_ports(2)
        command = [str(made / "portainer"), "--data", str(home / "data"), "--assets", str(made)]
        command += ["--bind", f"{HOST}:{port}", "--http-enabled", "--host", self.engine]
        # Nobody uses these two; it opens them all the same.
        command += ["--bind-https", f"{HOST}:{https}"]
        command += ["--tunnel-addr", HOST, "--tunnel-port", str(tunnel)]
        return children.start(
            command,
            name=NAME,
            cwd=home,
            log=home / f"{NAME}.log",
            # The Compose it calls asks the environment where the engine is, and the home of
            # whoever runs it for further settings.
            environment={"DOCKER_HOST": self.engine, "HOME": str(home)},
            temporary=None if self.directory else home,
        )

    def _answers(self, port: int) -> bool:
        """Return whether it tells its version to anybody."""
        try:
            answer = httpx.get(f"http://{HOST}:{port}/api/status", timeout=10, trust_env=False)
            return answer.status_code == 200 and "Version" in answer.json()
        except (httpx.HTTPError, ValueError):
            return False

    def _settle(self, home: Path, url: str) -> Address:
        """Make administrator and key where they are not kept yet, and lead the environment to the
        engine.
        """
        kept = home / "address.json"
        if not kept.exists():
            password = {"username": ADMIN, "password": _password(home)}
            answer = httpx.post(
                f"{url}/api/users/admin/init", json=password, timeout=PATIENCE_S, trust_env=False
            )
            _expect(answer, "its administrator was not made")
        with _signed_in(url, _password(home)) as client:
            number = _environment(client)
            if kept.exists():
                moved = client.put(f"/endpoints/{number}", json={"URL": self.engine})
                _expect(moved, "its environment was not led to the engine")
            else:
                asked = {"description": "workspace manager", "password": _password(home)}
                made = _expect(client.post("/users/1/tokens", json=asked), "no key was made")
                kept.touch(mode=0o600)
                kept.write_text(json.dumps({"api_key": made["rawAPIKey"]}))
        key = Secret(json.loads(kept.read_text())["api_key"], name="Portainer's API key")
        return Address(url, number, key)


def _password(home: Path) -> str:
    """The administrator's, made up once."""
    file = home / "administrator"
    if not file.exists():
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600), "w") as out:
            out.write(secrets.token_urlsafe(24))
    return file.read_text()


@contextlib.contextmanager
def _signed_in(url: str, password: str) -> Iterator[httpx.Client]:
    """Its session cookie is dropped: beside it, every change would need another token."""
    asked = {"username": ADMIN, "password": password}
    answer = httpx.post(f"{url}/api/auth", json=asked, timeout=PATIENCE_S, trust_env=False)
    token = _expect(answer, "its administrator cannot sign in")["jwt"]
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(
        base_url=f"{url}/api", headers=headers, timeout=PATIENCE_S, trust_env=False
    ) as client:
        yield client


def _environment(client: httpx.Client) -> int:
    """The number of its one environment, which it makes after it began to answer. Raises
    PortainerFailed.
    """
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if found := _expect(client.get("/endpoints"), "its environments cannot be listed"):
            return int(found[0]["Id"])
        time.sleep(0.1)
    raise PortainerFailed("Portainer made no environment for the engine")


def _expect(answer: httpx.Response, sentence: str) -> Any:
    if not answer.is_success:
        raise PortainerFailed(f"{sentence}: HTTP {answer.status_code} {answer.text[:200]}")
    return answer.json()
