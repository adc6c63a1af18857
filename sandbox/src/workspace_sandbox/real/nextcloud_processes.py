"""The three programs of a Nextcloud: its database, which only a socket leads to, PHP, and the web
server on loopback.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import httpx
import pymysql

from workspace_sandbox import children
from workspace_sandbox.patience import START_S
from workspace_sandbox.real import keep_running
from workspace_sandbox.real import nextcloud_files as files
from workspace_sandbox.real.nextcloud_inside import Inside, NextcloudFailed
from workspace_sandbox.real.one_process import HOST, OneProcess


class _Part(OneProcess):
    """One of the three, in a home that is removed by whoever made it."""

    failed = NextcloudFailed
    start_limit_s = START_S

    def __init__(self, inside: Inside, temporary: Path | None, *, port: int = 0) -> None:
        super().__init__(directory=inside.home, port=port)
        self.inside = inside
        self.temporary = temporary

    def start(self) -> int:
        """Start it; gives its port, which only the web server has. Raises NextcloudFailed."""
        return self._bring_up(self.inside.home)

    def _child(self, command: list[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        home = self.inside.home
        return children.start(
            command, name=self.name, cwd=home, log=home / f"{self.name}.log",
            environment=environment, temporary=self.temporary,
        )  # fmt: skip


class Database(_Part):
    """MariaDB without a network, for one Nextcloud."""

    name = "nextcloud-database"
    product = "Nextcloud's MariaDB"

    def _launch(self, home: Path, port: int) -> subprocess.Popen[bytes]:  # noqa: ARG002 - a socket
        command = [
            files.program("mariadbd"), "--no-defaults", f"--datadir={home / 'db'}",
            f"--socket={self.inside.database}", f"--pid-file={home / 'run' / 'mariadb.pid'}",
            "--skip-networking", "--skip-log-bin", "--transaction-isolation=READ-COMMITTED",
            "--innodb-buffer-pool-size=128M", "--innodb-log-file-size=8M",
            "--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0",
        ]  # fmt: skip
        command += ["--user=root"] if os.geteuid() == 0 else []
        return self._child([sys.executable, keep_running.__file__, *command], {})

    def _answers(self, port: int) -> bool:  # noqa: ARG002 - a socket
        try:
            self.inside.ask("SELECT 1", database="")
        except pymysql.Error:
            return False
        return True


class Php(_Part):
    """PHP's server, behind a socket."""

    name = "nextcloud-php"
    product = "Nextcloud's PHP"

    def _launch(self, home: Path, port: int) -> subprocess.Popen[bytes]:  # noqa: ARG002 - a socket
        files.php_socket(home).unlink(missing_ok=True)
        as_root = ["-R"] if os.geteuid() == 0 else []
        ini, conf = home / "run" / "php.ini", files.of_fpm(home)
        command = [files.php()[1], *as_root, "-c", str(ini), "-y", str(conf)]
        return self._child(command, {"NEXTCLOUD_CONFIG_DIR": str(home / "config")})

    def _answers(self, port: int) -> bool:  # noqa: ARG002 - a socket
        return files.php_socket(self.inside.home).exists()


class Web(_Part):
    """nginx on a loopback port."""

    name = "nextcloud-web"
    product = "Nextcloud"

    def _launch(self, home: Path, port: int) -> subprocess.Popen[bytes]:
        conf = files.of_nginx(self.inside.code, home, port=port)
        return self._child([files.program("nginx"), "-e", "stderr", "-c", str(conf)], {})

    def _answers(self, port: int) -> bool:
        try:
            url = f"http://{HOST}:{port}/status.php"
            told = httpx.get(url, timeout=10, trust_env=False).json()
        except (httpx.HTTPError, ValueError):
            return False
        return isinstance(told, dict) and "productname" in told
