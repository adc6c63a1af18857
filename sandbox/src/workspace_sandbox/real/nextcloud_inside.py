"""A running Nextcloud from within, as the people see it who run it: its command-line tool, its
database, its maintenance.

Needs to know only where it lives, so that a process that did not start it can use it too.
"""

import os
import socket
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pymysql

from workspace_manager.contract.secret import Secret
from workspace_sandbox.patience import PATIENCE_S
from workspace_sandbox.real import nextcloud_files as files
from workspace_sandbox.real.one_process import HOST

PROVIDER = "keycloak"
"""What the app calls the identity provider."""

Row: TypeAlias = tuple[object, ...]


class NextcloudFailed(RuntimeError):
    """It could not be unpacked, installed, started or told something; the text names the reason or
    the end of a log.
    """


@dataclass(frozen=True)
class Provider:
    """The identity provider people sign in with."""

    issuer: str
    client_id: str
    client_secret: Secret


@dataclass(frozen=True)
class Inside:
    """`code`: its programs; `home`: its configuration and data; `database`: the socket that leads
    to its database.
    """

    code: Path
    home: Path
    database: Path

    def told_of(self) -> dict[str, str]:
        """Return what another process needs to reach it: `Inside.at(**this)`."""
        return {name: str(getattr(self, name)) for name in ("code", "home", "database")}

    @classmethod
    def at(cls, **told: str) -> "Inside":
        return cls(**{name: Path(path) for name, path in told.items()})

    # --- the command-line tool -------------------------------------------------------------------

    def occ(self, *argv: str, environment: Mapping[str, str] | None = None) -> tuple[int, str]:
        """Run it (arguments after `occ`); gives exit code and output. Raises NextcloudFailed when
        it does not end.
        """
        command = [
            files.php()[0], "-c", str(self.home / "run" / "php.ini"),
            str(self.code / "www" / "occ"), *argv,
        ]  # fmt: skip
        own = {"NEXTCLOUD_CONFIG_DIR": str(self.home / "config")}
        try:
            ended = subprocess.run(
                command,
                cwd=self.code / "www",
                env={**os.environ, **own, **(environment or {})},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=PATIENCE_S,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            raise NextcloudFailed(f"occ {argv[0]} took over {PATIENCE_S} s") from late
        return ended.returncode, ended.stdout + ended.stderr

    def told(self, *argv: str, environment: Mapping[str, str] | None = None) -> str:
        """Run it and give what it says. Raises NextcloudFailed when it fails."""
        status, text = self.occ(*argv, environment=environment)
        if status:
            raise NextcloudFailed(f"occ {argv[0]} ended with {status}: {text[:1500]}")
        return text

    def set_password(self, account: str, password: Secret) -> None:
        command = ("user:resetpassword", "--password-from-env", account)
        self.told(*command, environment={"OC_PASS": password.reveal()})

    def app_password(self, account: str) -> str:
        """Make an app password for an account."""
        return self.told("user:add-app-password", "-n", "--no-warnings", "--", account).split()[-1]

    def configure(self, provider: Provider, own_url: str) -> None:
        """Have people sign in with an identity provider, as a deployment does."""
        self.provider(
            f"--clientid={provider.client_id}",
            f"--clientsecret={provider.client_secret.reveal()}",
            f"--discoveryuri={provider.issuer}/.well-known/openid-configuration",
            f"--postlogouturi={own_url}/", "--send-id-token-hint=1", "--check-bearer=1",
            "--bearer-provisioning=1", "--mapping-display-name=preferred_username",
            "--unique-uid=0",
        )  # fmt: skip

    def provider(self, *options: str) -> None:
        """Change what the app knows of the identity provider; the rest stays."""
        self.told("user_oidc:provider", PROVIDER, *options)

    def maintenance(self, *, on: bool) -> None:
        """Put it into maintenance, or end that."""
        self.told("maintenance:mode", "--on" if on else "--off")

    # --- the database ----------------------------------------------------------------------------

    def ask(self, *statements: str, database: str = files.DATABASE) -> list[Row]:
        """Run statements as its administrator; gives the rows of the last. Raises pymysql.Error."""
        with (
            pymysql.connect(
                unix_socket=str(self.database), user="root", database=database or None,
                autocommit=True, connect_timeout=PATIENCE_S,
            ) as connection,
            connection.cursor() as cursor,
        ):  # fmt: skip
            for statement in statements:
                cursor.execute(statement)
            return list(cursor.fetchall())

    def tokens(self, account: str) -> list[str]:
        """The names of what opens an account: app passwords and sessions."""
        rows = self.ask("SELECT uid, name FROM oc_authtoken ORDER BY id")
        return [str(name) for uid, name in rows if uid == account]

    def forget_attempts(self) -> None:
        """Forget every failed sign-in, from whatever address."""
        self.ask("DELETE FROM oc_bruteforce_attempts")

    def attempts(self) -> int:
        """Return how many failed sign-ins it remembers."""
        return len(self.ask("SELECT id FROM oc_bruteforce_attempts"))

    def block(self, address: str = HOST) -> None:
        """Have an address be blocked, as by eleven failed sign-ins a moment ago."""
        row = f"('login', UNIX_TIMESTAMP(), '{address}', '{address}/32', '[]')"
        columns = "(action, occurred, ip, subnet, metadata)"
        rows = ", ".join([row] * 11)
        self.ask(f"INSERT INTO oc_bruteforce_attempts {columns} VALUES {rows}")

    # --- its files -------------------------------------------------------------------------------

    def use_user_oidc(self, version: str) -> None:
        """Swap the OpenID Connect app for another version of it; its data stay."""
        files.choose_app(self.code, self.home, version)
        # Until the number it knows is that of the app, it answers that an upgrade is needed.
        number = files.app_number(self.code, version)
        self.ask(
            f"UPDATE oc_appconfig SET configvalue='{number}'"
            " WHERE appid='user_oidc' AND configkey='installed_version'"
        )

    def answer(self, port: int, *, on: bool) -> None:
        """Have nothing answer at this port, as after a crash of the web server, or answer again."""
        conf = files.of_nginx(self.code, self.home, port=port if on else 0)
        command = [files.program("nginx"), "-e", "stderr", "-c", str(conf), "-s", "reload"]
        subprocess.run(command, check=True, capture_output=True)
        deadline = time.monotonic() + PATIENCE_S
        while _listens(port) is not on:
            if time.monotonic() > deadline:
                raise NextcloudFailed("its web server did not take its configuration")
            time.sleep(0.02)


def _listens(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=5).close()
    except OSError:
        return False
    return True
