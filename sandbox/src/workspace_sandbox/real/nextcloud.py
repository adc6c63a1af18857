"""A real Nextcloud on loopback with its OpenID Connect app: installed once, then copied and started
in a second or two.

No registry has it: its archive lies in the folder of parts (docs/howto/real-parts.md). What is slow
is kept in a cache outside the repository: the code and an installed state, 250 MB. It has a MariaDB
of its own, behind a socket. Everything runs as whoever starts it.
"""

import secrets
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from workspace_manager.contract.secret import Secret
from workspace_sandbox import children
from workspace_sandbox.real import cache, parts_folder
from workspace_sandbox.real import nextcloud_files as files
from workspace_sandbox.real.nextcloud_inside import Inside, NextcloudFailed, Provider
from workspace_sandbox.real.nextcloud_processes import Database, Php, Web
from workspace_sandbox.real.one_process import HOST

__all__ = ["Address", "Inside", "Nextcloud", "NextcloudFailed", "Provider"]

NAME = "nextcloud"
PART = "Nextcloud"
ADMIN = "admin"
RELEASED, HEAD = "8.10.1", "HEAD"
"""Versions of user_oidc: the newest released one, which gives no app password for a token, and what
comes after it, which does.
"""
PACKAGES = "php8.2-fpm and PHP's modules, nginx, mariadb-server-core"

_INSTALLED = "installed"
_READY = "ready"
"""A file in a home that was started before."""
_PREFIX = "workspace-nextcloud-"
_SYSTEM = {
    "htaccess.IgnoreFrontController": ("boolean", "true"),
    "has_internet_connection": ("boolean", "false"),
    "allow_local_remote_servers": ("boolean", "true"),
    "hide_login_form": ("boolean", "true"),
    "lost_password_link": ("string", "disabled"),
}
_VALIDATION = {"oidc_provider_bearer_validation": "true", "bearer_validation_azp_check": "false"}
_OF_THE_APP = {
    "id4me_enabled": "0",
    "allow_multiple_user_backends": "0",
    "allow_insecure_http": "1",
}
"""Plain http: on loopback only."""


@dataclass(frozen=True)
class Address:
    """Where a running Nextcloud is and who may administer it."""

    url: str
    port: int
    admin_username: str
    admin_password: Secret


def why_not() -> str | None:
    """Return why a real Nextcloud cannot run here; None if it can."""
    if reason := parts_folder.why_not(PART):
        return reason
    missing = files.missing()
    return f"{' and '.join(missing)} not found (Debian: {PACKAGES})" if missing else None


def version() -> str:
    """Its version, as its archive tells it; "" where it is not there."""
    return parts_folder.version(PART)


def cache_directory() -> Path:
    """Where its code and its installed state are kept, one for each archive."""
    return parts_folder.cache_directory(PART)


def prepare() -> Path:
    """Unpack and install it once, in half a minute; gives the cache directory. Raises
    NextcloudFailed.
    """
    if reason := why_not():
        raise NextcloudFailed(reason)
    try:
        return cache.make_once(cache_directory(), _make)
    except (cache.CommandFailed, parts_folder.NotThere) as failed:
        raise NextcloudFailed(str(failed)) from failed


class Nextcloud:
    """One running Nextcloud.

    `directory`: keeps everything there, so that it comes back as it was; without it everything is
    temporary. `port`: 0 takes a free one. `user_oidc`: the version of the app that a new one begins
    with. Start it from a thread that lives as long as it shall run: the kernel ends it together
    with that thread.
    """

    def __init__(
        self,
        *,
        directory: Path | None = None,
        port: int = 0,
        admin_password: Secret | None = None,
        user_oidc: str = RELEASED,
    ) -> None:
        self.directory = directory
        self.port = port
        self.admin_password = admin_password or Secret(
            secrets.token_urlsafe(24), name="Nextcloud's administrator"
        )
        self.user_oidc = user_oidc
        self.address: Address | None = None
        self.begun_again = 0
        self._inside: Inside | None = None
        self._home: Path | None = None
        self._parts: list[Database | Php | Web] = []

    @property
    def inside(self) -> Inside:
        """Return what can be done to it from within. Raises NextcloudFailed if it does not run."""
        if not self._inside:
            raise NextcloudFailed("Nextcloud is not running")
        return self._inside

    def start(self, provider: Provider | None = None) -> Address:
        """Start it; first clear away what a killed run left behind. Raises NextcloudFailed."""
        installed = prepare() / _INSTALLED
        children.remove_leftovers(NAME)
        self._home = Path(tempfile.mkdtemp(prefix=_PREFIX))
        home = self.directory or self._home / "home"
        try:
            if fresh := not (home / _READY).exists():
                shutil.rmtree(home, ignore_errors=True)
                shutil.copytree(installed, home, symlinks=True)
            self._inside = _laid_out(_code(), home, self._home)
            self.address = self._bring_up(self._inside)
            if fresh:
                self._first_time(self._inside, self.address)
            if provider:
                self._inside.configure(provider, self.address.url)
            (home / _READY).touch()
        except BaseException:
            self.stop()
            raise
        return self.address

    def _bring_up(self, inside: Inside) -> Address:
        port = 0
        for part in (Database, Php, Web):
            begun = part(inside, self._home, port=self.port if part is Web else 0)
            port = begun.start()
            self._parts.append(begun)
        return Address(f"http://{HOST}:{port}", port, ADMIN, self.admin_password)

    def _first_time(self, inside: Inside, address: Address) -> None:
        """Write what differs from run to run."""
        inside.set_password(ADMIN, self.admin_password)
        inside.told("config:system:set", "overwrite.cli.url", f"--value={address.url}")
        inside.use_user_oidc(self.user_oidc)

    def has_ended(self) -> bool:
        """Return whether one of its programs has ended although nobody stopped it."""
        return any(part.has_ended() for part in self._parts)

    def answers(self) -> bool:
        """Return whether all of it is ready, or becomes ready within the time limit of a start."""
        return bool(self._parts) and all(part.answers() for part in self._parts)

    def start_again(self) -> None:
        """Start each of its programs that is gone or hangs. Raises NextcloudFailed."""
        self.begun_again += 1
        for part in self._parts:
            if part.has_ended() or not part.answers():
                part.start_again()

    def stop(self) -> None:
        """Stop it and remove what was temporary. Harmless when it does not run."""
        self.address = self._inside = None
        while self._parts:
            self._parts.pop().stop()
        folder, self._home = self._home, None
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


# --- the cache ------------------------------------------------------------------------------------


def _code() -> Path:
    return cache_directory() / parts_folder.ARCHIVES[PART]


def _laid_out(code: Path, home: Path, temporary: Path) -> Inside:
    run = temporary / "run"
    run.mkdir(mode=0o700)
    files.lay_out(code, home, run)
    files.of_php(code, home)
    return Inside(code, home, run / "db.sock")


def _make(draft: Path) -> None:
    code = parts_folder.unpack(PART, draft)
    home = draft / _INSTALLED
    home.mkdir(mode=0o700)
    temporary = Path(tempfile.mkdtemp(prefix=_PREFIX))
    inside = _laid_out(code, home, temporary)
    files.choose_app(code, home, RELEASED)
    files.install_database(home / "db", draft)
    database = Database(inside, temporary)
    try:
        database.start()
        _install(inside)
    finally:
        database.stop()
        shutil.rmtree(temporary, ignore_errors=True)
    (home / "data" / "nextcloud.log").unlink(missing_ok=True)


def _install(inside: Inside) -> None:
    name = files.DATABASE
    inside.ask(
        f"CREATE DATABASE {name} CHARACTER SET utf8mb4",
        f"CREATE USER {name}@localhost IDENTIFIED BY '{name}'",
        f"GRANT ALL ON {name}.* TO {name}@localhost",
        database="",
    )
    inside.told(
        "maintenance:install", "--database=mysql", f"--database-name={name}",
        f"--database-user={name}", f"--database-pass={name}",
        f"--database-host=localhost:{inside.database}", f"--admin-user={ADMIN}",
        f"--admin-pass={secrets.token_urlsafe(24)}", f"--data-dir={inside.home / 'data'}",
    )  # fmt: skip
    for option, (kind, value) in _SYSTEM.items():
        inside.told("config:system:set", option, f"--type={kind}", f"--value={value}")
    for option, value in _VALIDATION.items():
        inside.told("config:system:set", "user_oidc", option, "--type=boolean", f"--value={value}")
    inside.told("background:cron")
    inside.told("app:enable", "user_oidc")
    for option, value in _OF_THE_APP.items():
        inside.told("config:app:set", "user_oidc", option, f"--value={value}")
