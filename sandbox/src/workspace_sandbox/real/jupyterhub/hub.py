"""Start and stop a real JupyterHub and its proxy on loopback."""

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from workspace_manager.contract.secret import Secret
from workspace_sandbox import children
from workspace_sandbox.patience import START_S
from workspace_sandbox.real import cache, lent, podman
from workspace_sandbox.real.jupyterhub import environment

NAME = "jupyterhub"
PROXY_NAME = "jupyterhub-proxy"

TRIES = 3
"""Another process may take a free port between its choice and its use."""

_PREFIX = "workspace-jupyterhub-"
_CONFIG = Path(__file__).with_name("loopback_config.py")
_FOLDER = "/notebooks"


class JupyterHubFailed(RuntimeError):
    """The hub could not be installed or started; the text has the reason or the end of its log."""


@dataclass(frozen=True)
class Address:
    """Where a running hub is, and the token the manager may use there."""

    url: str
    api_url: str
    api_token: Secret


@dataclass(frozen=True)
class Client:
    """Whom the hub asks who somebody is. `client_id` "": the hub's own address, as `setup
    identity-provider` names it.
    """

    issuer_url: str
    secret: Secret
    client_id: str = ""


def administrator(token: Secret) -> str:
    """Return the token of the hub's administrator in a sandbox, derived from the manager's."""
    return hashlib.sha256(f"{token.reveal()}/administrator".encode()).hexdigest()


def why_not() -> str | None:
    """Return why a real JupyterHub cannot run here; None if it can. It spawns on podman, so it
    needs that, too.
    """
    reason = environment.why_not()
    if reason:
        return f"JupyterHub {environment.version()} cannot run: {reason}".replace("  ", " ")
    reason = podman.why_not()
    return f"it needs podman to spawn on: {reason}" if reason else None


def prepare() -> Path:
    """Install it once, in about a minute; gives the cache directory. Raises JupyterHubFailed."""
    if reason := why_not():
        raise JupyterHubFailed(reason)
    try:
        return environment.prepare()
    except cache.CommandFailed as failed:
        raise JupyterHubFailed(str(failed)) from failed


class JupyterHub:
    """One running hub that spawns notebooks on a container engine (`docker_url`, like
    docker://127.0.0.1:1234).

    `directory`: keeps its users and sessions there, so that it comes back as it was; without it
    everything is temporary. `port`: 0 takes a free one. `changed`: what an operator set otherwise
    than our configuration, by class and trait. Start it from a thread that lives as long as it
    shall run: the kernel ends it together with that thread.
    """

    def __init__(
        self,
        *,
        docker_url: str,
        client: Client,
        api_token: Secret | None = None,
        drive_url: str = "",
        directory: Path | None = None,
        port: int = 0,
        changed: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self.docker_url = docker_url
        self.client = client
        self.api_token = api_token or Secret(secrets.token_hex(16), name="the hub's API token")
        self.drive_url = drive_url
        self.directory = directory
        self.port = port
        self.changed = changed or {}
        self.address: Address | None = None
        self._home: Path | None = None
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> Address:
        """Start it, after clearing what a killed run left. Raises JupyterHubFailed."""
        made = prepare()
        for name in (NAME, PROXY_NAME):
            children.remove_leftovers(name)
        home = self._home = self.directory or Path(tempfile.mkdtemp(prefix=_PREFIX))
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            for attempt in range(1, TRIES + 1):
                port, hub_port, proxy_port = children.free_ports(3)
                url = f"http://127.0.0.1:{self.port or port}"
                self._launch(made, home, url, hub_port, proxy_port)
                if self._answers(url):
                    break
                self._end()
                if attempt == TRIES:
                    logs = [home / f"{name}.log" for name in (PROXY_NAME, NAME)]
                    end = children.end_of_log(*logs)
                    raise JupyterHubFailed(f"JupyterHub did not start; {end}")
        except BaseException:
            self.stop()
            raise
        self.address = Address(url, f"http://127.0.0.1:{hub_port}/hub/api", self.api_token)
        return self.address

    def stop(self) -> None:
        """Stop it and remove what was temporary; its notebooks are the engine's to end. Harmless
        when it does not run.
        """
        self._end()
        home, self._home, self.address = self._home, None, None
        if home and not self.directory:
            shutil.rmtree(home, ignore_errors=True)

    def log(self) -> str:
        """Return its log so far."""
        return (self._home / "jupyterhub.log").read_text(errors="replace") if self._home else ""

    def _launch(self, made: Path, home: Path, url: str, hub_port: int, proxy_port: int) -> None:
        """Start proxy and hub as children of ours, each: a hub that is killed would leave a proxy
        of its own behind.
        """
        proxy_token = secrets.token_hex(32)
        facts = {
            "configuration": str(environment.CONFIGURATION),
            "url": url,
            "hub_url": f"http://127.0.0.1:{hub_port}",
            "proxy_url": f"http://127.0.0.1:{proxy_port}",
            "home": str(home),
            "engine": self.docker_url.replace("docker://", "tcp://"),
            "start_s": START_S,
            "sandbox": str(Path(children.__file__).parents[1]),
            "lent": lent.folders(str(made)),
            "python": str(environment.python(made)),
            "folder": _FOLDER,
            "administrator": administrator(self.api_token),
            "changed": self.changed,
        }
        facts_file = home / "sandbox.json"
        facts_file.unlink(missing_ok=True)
        _write_secret(facts_file, json.dumps(facts))
        with contextlib.suppress(FileExistsError):
            _write_secret(home / "crypt-key", secrets.token_hex(32))
        command = ["node", str(environment.proxy(made)), "--ip", "127.0.0.1"]
        command += ["--port", str(httpx.URL(url).port), "--api-ip", "127.0.0.1"]
        command += [
            "--api-port",
            str(proxy_port),
            "--error-target",
            f"{facts['hub_url']}/hub/error",
        ]
        self._child(PROXY_NAME, command, home, {"CONFIGPROXY_AUTH_TOKEN": proxy_token})
        command = [str(environment.python(made)), "-m", "jupyterhub", "-f", str(_CONFIG)]
        known = {
            "SANDBOX_HUB": str(home / "sandbox.json"),
            "CONFIGPROXY_AUTH_TOKEN": proxy_token,
            "HUB_URL": url,
            "OIDC_ISSUER": self.client.issuer_url,
            "OIDC_CLIENT_ID": self.client.client_id or url,
            "OIDC_CLIENT_SECRET": self.client.secret.reveal(),
            "JUPYTERHUB_CRYPT_KEY_FILE": str(home / "crypt-key"),
            "WORKSPACE_MANAGER_TOKEN": self.api_token.reveal(),
            "DRIVE_URL": self.drive_url,
            "NOTEBOOK_IMAGE": podman.IMAGE,
            "NOTEBOOK_DIR": _FOLDER,
        }
        self._child(NAME, command, home, known)

    def _child(self, name: str, command: list[str], home: Path, known: dict[str, str]) -> None:
        self._processes[name] = children.start(
            command,
            name=name,
            cwd=home,
            log=home / f"{name}.log",
            environment=known,
            temporary=None if self.directory else home,
        )

    def _answers(self, url: str) -> bool:
        """Wait until the hub tells its version through its proxy; False when one of them ended, or
        it took too long.
        """
        deadline = time.monotonic() + START_S
        with httpx.Client(timeout=10, trust_env=False) as client:
            while time.monotonic() < deadline and self._run():
                with contextlib.suppress(httpx.HTTPError):
                    answer = client.get(f"{url}/hub/api/")
                    if answer.status_code == 200 and "version" in answer.text:
                        return self._run()
                time.sleep(0.1)
        return False

    def _run(self) -> bool:
        return all(process.poll() is None for process in self._processes.values())

    def _end(self) -> None:
        for name, process in reversed(self._processes.items()):
            children.end(process, name=name)
        self._processes = {}


def _write_secret(file: Path, text: str) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(text)
