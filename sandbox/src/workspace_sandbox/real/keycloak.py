"""A real Keycloak on loopback: fetched and built once, then copied and started in ten to twenty
seconds.

What is slow is kept in a cache outside the repository (`cache_directory()`): the distribution
(fetched by Maven, 177 MB), its augmented build, and a database that has been initialised once. A
run copies the database only, about 1 MB.
"""

import contextlib
import fcntl
import os
import secrets
import shutil
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from workspace_manager.contract.secret import Secret
from workspace_sandbox import children
from workspace_sandbox.patience import PATIENCE_S, START_S

NAME = "keycloak"
VERSION = "26.7.3"
ARTIFACT = f"org.keycloak:keycloak-quarkus-dist:{VERSION}:zip"
ADMIN = "admin"

SHARED_FOLDERS = ("lib", "providers", "conf", "themes")


class KeycloakFailed(RuntimeError):
    """Keycloak could not be fetched, built or started; the text names the log to read."""


@dataclass(frozen=True)
class Address:
    """Where a running Keycloak is and who may administer it."""

    url: str
    admin_username: str
    admin_password: Secret


def cache_directory() -> Path:
    """Return the folder of the built distribution (XDG base directories)."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "workspace-manager" / f"keycloak-{VERSION}"


def why_not() -> str | None:
    """Return why a real Keycloak cannot run here; None if it can. Only the first run needs
    Maven.
    """
    missing = [] if shutil.which("java") else ["java (Debian: openjdk-17-jre-headless)"]
    if not _built(cache_directory()) and not shutil.which("mvn"):
        missing.append("mvn, to fetch it once (Debian: maven)")
    if not missing:
        return None
    return f"Keycloak {VERSION} cannot run: {' and '.join(missing)} not found"


def prepare() -> Path:
    """Fetch, build and initialise it once; gives the cache directory. Raises KeycloakFailed.

    30 to 90 seconds the first time, nothing after. A lock keeps two runs from building at once; a
    killed build leaves no half-made cache, because it gets its name only when it is complete.
    """
    cache = cache_directory()
    cache.parent.mkdir(parents=True, exist_ok=True)
    with _locked(_beside(cache, "lock")):
        if _built(cache):
            return cache
        if reason := why_not():
            raise KeycloakFailed(reason)
        draft = _beside(cache, "draft")
        for leftover in (draft, cache):
            shutil.rmtree(leftover, ignore_errors=True)
        draft.mkdir(mode=0o700)
        _fetch(draft)
        _build(draft)
        _initialise(draft)
        draft.rename(cache)
    return cache


class Keycloak:
    """One running Keycloak.

    `directory`: keeps its database there, so that it comes back as it was; without it everything is
    temporary. `port`: 0 takes a free one. Start it from a thread that lives as long as it shall
    run: the kernel ends it together with that thread.
    """

    def __init__(self, *, directory: Path | None = None, port: int = 0) -> None:
        self.directory = directory
        self.port = port
        self.address: Address | None = None
        self.begun_again = 0
        self._home: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *realms: Mapping[str, Any]) -> Address:
        """Start it and create the given realms (realm representations) where they are not there
        yet. Raises KeycloakFailed.
        """
        cache = prepare()
        children.remove_leftovers(NAME)
        temporary = None if self.directory else Path(tempfile.mkdtemp(prefix="workspace-keycloak-"))
        self._home = self.directory or temporary or cache
        _lay_out(cache, self._home)
        port = self.port or children.free_port()
        self._process = _launch(self._home, port, temporary=temporary)
        password = Secret(_password_file(self._home).read_text(), name="Keycloak's administrator")
        self.address = Address(f"http://127.0.0.1:{port}", ADMIN, password)
        try:
            _wait_until_ready(self.address.url, self._process, self._home)
            for realm in realms:
                self.create_realm(realm)
        except BaseException:
            self.stop()
            raise
        return self.address

    def has_ended(self) -> bool:
        """Return whether its process has ended although nobody stopped it."""
        return self._process is not None and self._process.poll() is not None

    def answers(self) -> bool:
        """Return whether it is ready, or becomes ready within the time limit of a start."""
        if not (self.address and self._process and self._home):
            return False
        try:
            _wait_until_ready(self.address.url, self._process, self._home)
        except KeycloakFailed:
            return False
        return True

    def start_again(self) -> None:
        """Start it at the same address, with what it kept, after it ended or while it hangs. Raises
        KeycloakFailed.
        """
        if not (self.address and self._process and self._home):
            raise KeycloakFailed("Keycloak was not started yet")
        self.begun_again += 1
        children.clear(self._process, name=NAME)
        self._process.wait()
        port = int(self.address.url.rpartition(":")[2])
        temporary = None if self.directory else self._home
        self._process = _launch(self._home, port, temporary=temporary)
        _wait_until_ready(self.address.url, self._process, self._home)

    def create_realm(self, realm: Mapping[str, Any]) -> None:
        """Create a realm; one of that name that is there already is left as it is. Raises
        KeycloakFailed.
        """
        with self._administrator() as admin:
            answer = admin.post("/admin/realms", json=dict(realm))
        if answer.status_code not in {201, 409}:
            raise KeycloakFailed(
                f"the realm was not created: HTTP {answer.status_code} {answer.text[:200]}"
            )

    def delete_realm(self, name: str) -> None:
        """Delete a realm with everything in it; one that is not there is no fault. Raises
        KeycloakFailed.
        """
        with self._administrator() as admin:
            answer = admin.delete(f"/admin/realms/{name}")
        if answer.status_code not in {204, 404}:
            raise KeycloakFailed(f"the realm was not deleted: HTTP {answer.status_code}")

    def stop(self) -> None:
        """Stop it and remove what was temporary. Harmless when it does not run."""
        process, self._process, self.address = self._process, None, None
        if process:
            children.end(process, name=NAME)
        if self._home and not self.directory:
            shutil.rmtree(self._home, ignore_errors=True)

    @contextlib.contextmanager
    def _administrator(self) -> Iterator[httpx.Client]:
        if not self.address:
            raise KeycloakFailed("Keycloak is not running")
        with httpx.Client(base_url=self.address.url, timeout=PATIENCE_S, trust_env=False) as client:
            grant = client.post(
                "/realms/master/protocol/openid-connect/token",
                data={
                    "grant_type": "password",
                    "client_id": "admin-cli",
                    "username": ADMIN,
                    "password": self.address.admin_password.reveal(),
                },
            )
            if grant.status_code != 200:
                raise KeycloakFailed(f"its administrator cannot sign in: HTTP {grant.status_code}")
            client.headers["Authorization"] = f"Bearer {grant.json()['access_token']}"
            yield client


# --- the cache ------------------------------------------------------------------------------------


def _beside(cache: Path, what: str) -> Path:
    return cache.with_name(f"{cache.name}.{what}")


def _built(cache: Path) -> bool:
    return _password_file(cache).exists() and (cache / "dist" / "bin" / "kc.sh").exists()


def _password_file(place: Path) -> Path:
    """The last file of a build or a home to be made: its being there says that the rest is."""
    return place / "administrator"


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _fetch(draft: Path) -> None:
    """Let Maven fetch and verify (`-C`: a wrong checksum fails) the distribution, and unpack it."""
    command = ["mvn", "-B", "-q", "-C", "dependency:copy", f"-Dartifact={ARTIFACT}"]
    _run([*command, f"-DoutputDirectory={draft}"], draft, "fetching it with Maven")
    archive = next(draft.glob("*.zip"))
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(draft)
    archive.unlink()
    (draft / f"keycloak-{VERSION}").rename(draft / "dist")
    (draft / "dist" / "bin" / "kc.sh").chmod(0o755)


def _build(draft: Path) -> None:
    script = draft / "dist" / "bin" / "kc.sh"
    _run([str(script), "build", "--db=dev-file", "--cache=local"], draft, "building it")


def _initialise(draft: Path) -> None:
    """Start it once, so that the database has its tables and its administrator, and stop
    it again.
    """
    password = secrets.token_urlsafe(24)
    first = {"KC_BOOTSTRAP_ADMIN_USERNAME": ADMIN, "KC_BOOTSTRAP_ADMIN_PASSWORD": password}
    home = draft / "dist"
    port = children.free_port()
    process = _launch(home, port, environment=first)
    try:
        _wait_until_ready(f"http://127.0.0.1:{port}", process, home)
    finally:
        children.end(process, name=NAME)
    file = _password_file(draft)
    file.touch(mode=0o600)
    file.write_text(password)


def _run(command: Sequence[str], draft: Path, doing: str) -> None:
    log = draft.with_suffix(".log")
    with log.open("ab") as output:
        try:
            ended = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=START_S,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            raise KeycloakFailed(f"{doing} took over {START_S} s; read {log}") from late
    if ended.returncode:
        raise KeycloakFailed(f"{doing} ended with exit code {ended.returncode}; read {log}")


# --- one run --------------------------------------------------------------------------------------


def _lay_out(cache: Path, home: Path) -> None:
    """Make a home of its own: the large, read-only folders linked, the scripts and the initialised
    database copied.

    The scripts must be copies: Keycloak finds its home from where they really are. The
    administrator's password stays with the database it is in, so that a kept home outlives its
    cache.
    """
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    for folder in SHARED_FOLDERS:
        link = home / folder
        link.unlink(missing_ok=True)
        link.symlink_to(cache / "dist" / folder, target_is_directory=True)
    shutil.copytree(cache / "dist" / "bin", home / "bin", dirs_exist_ok=True)
    if not _password_file(home).exists():
        shutil.copytree(cache / "dist" / "data", home / "data", dirs_exist_ok=True)
        shutil.copy(_password_file(cache), _password_file(home))


def _launch(
    home: Path,
    port: int,
    *,
    temporary: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> "subprocess.Popen[bytes]":
    return children.start(
        [
            str(home / "bin" / "kc.sh"),
            "start",
            "--optimized",
            # Clustered, it looks for others on whatever network it sees first, and does not start
            # when that one (podman's, of a stack) goes at this moment.
            "--cache=local",
            "--http-enabled=true",
            "--hostname-strict=false",
            "--http-host=127.0.0.1",
            f"--http-port={port}",
        ],
        name=NAME,
        cwd=home,
        log=home / "keycloak.log",
        environment={
            "JAVA_OPTS_KC_HEAP": "-Xms64m -Xmx512m",
            "JAVA_OPTS_APPEND": "-XX:TieredStopAtLevel=1",
            **(environment or {}),
        },
        temporary=temporary,
    )


def _wait_until_ready(url: str, process: "subprocess.Popen[bytes]", home: Path) -> None:
    deadline = time.monotonic() + START_S
    with httpx.Client(timeout=10, trust_env=False) as client:
        while time.monotonic() < deadline and process.poll() is None:
            with contextlib.suppress(httpx.HTTPError):
                if client.get(f"{url}/realms/master").status_code == 200:
                    return
            time.sleep(0.3)
    log = (home / "keycloak.log").read_text(errors="replace")[-2000:]
    raise KeycloakFailed(f"Keycloak did not start; the end of its log:\n{log}")
