"""A real phpMyAdmin on loopback: Debian's, copied, before one SQL server, and signed in to by the
identity provider alone (`phpmyadmin_signon.php`).
"""

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import httpx

from workspace_manager.contract.secret import Secret
from workspace_sandbox import children
from workspace_sandbox.real.one_process import HOST, OneProcess

INSTALLED = Path("/usr/share/phpmyadmin")
SIGN_ON = Path(__file__).with_name("phpmyadmin_signon.php")
MODULES = frozenset({"mysqli", "mbstring", "curl", "session", "xml"})
CONFIG = """<?php
$cfg['blowfish_secret'] = '{secret}';
$cfg['Servers'][1] = [
    'host' => '{host}', 'port' => '{port}',
    'auth_type' => 'signon', 'SignonSession' => 'SignonSession', 'SignonURL' => 'signon.php',
];
$cfg['PmaNoRelation_DisableWarning'] = true;
"""


class PhpMyAdminFailed(RuntimeError):
    """It could not be started; the text has the end of its log."""


@dataclass(frozen=True)
class SignIn:
    """The client that people sign in through."""

    issuer: str
    client_id: str
    client_secret: Secret


def why_not() -> str | None:
    """Say in words why it cannot run here, or None when it can."""
    if not (INSTALLED / "index.php").is_file():
        return "phpMyAdmin is not installed (Debian: phpmyadmin dbconfig-no-thanks)"
    php = shutil.which("php")
    if not php:
        return "php not found (Debian: php-cli)"
    told = subprocess.run([php, "-m"], capture_output=True, text=True, check=False)
    lacking = MODULES - set(told.stdout.lower().split())
    return f"php lacks {', '.join(sorted(lacking))}" if lacking else None


def version() -> str:
    """Its version, like "5.2.1"; "" when it cannot be told."""
    file = INSTALLED / "libraries" / "classes" / "Version.php"
    found = re.search(r"VERSION = '([\d.]+)", file.read_text()) if file.is_file() else None
    return found[1] if found else ""


class PhpMyAdmin(OneProcess):
    """One running phpMyAdmin on `port`, before the SQL server at `sql_port`."""

    name = "phpmyadmin"
    product = "phpMyAdmin"
    failed = PhpMyAdminFailed
    start_limit_s = 30

    def __init__(self, *, port: int, sql_port: int, sign_in: SignIn) -> None:
        super().__init__(port=port)
        self.sql_port = sql_port
        self.sign_in = sign_in
        self.url = f"http://{HOST}:{port}"

    def start(self) -> None:
        """Raises PhpMyAdminFailed."""
        children.remove_leftovers(self.name)
        self._bring_up(Path(tempfile.mkdtemp(prefix="workspace-phpmyadmin-")), self._lay_out)

    def _lay_out(self, home: Path) -> None:
        """A copy that reads its own settings: Debian's are the machine's."""
        pages = home / "pages"
        for folder in ("temporary", "sessions"):
            (home / folder).mkdir(mode=0o700)
        left_out = shutil.ignore_patterns("doc", "locale", "themes")
        shutil.copytree(INSTALLED, pages, symlinks=True, ignore=left_out)
        (pages / "themes").symlink_to(INSTALLED / "themes")
        shutil.copy(SIGN_ON, pages / "signon.php")
        values = {"secret": os.urandom(16).hex(), "host": HOST, "port": self.sql_port}
        (home / "config.inc.php").write_text(CONFIG.format(**values))
        vendor = pages / "libraries" / "vendor_config.php"
        text = vendor.read_text().replace(
            "/etc/phpmyadmin/config.inc.php", f"{home}/config.inc.php"
        )
        vendor.write_text(text.replace("/var/lib/phpmyadmin/tmp/", f"{home}/temporary/"))

    def _launch(self, home: Path, port: int) -> "subprocess.Popen[bytes]":
        environment = {
            "SIGNON_URL": f"{self.url}/signon.php",
            "OIDC_ISSUER": self.sign_in.issuer,
            "OIDC_CLIENT_ID": self.sign_in.client_id,
            "OIDC_CLIENT_SECRET": self.sign_in.client_secret.reveal(),
        }
        command = ["php", "-d", f"session.save_path={home}/sessions", "-S", f"{HOST}:{port}"]
        log = home / f"{self.name}.log"
        return children.start(
            [*command, "-t", str(home / "pages")],
            name=self.name,
            cwd=home / "pages",
            log=log,
            environment=environment,
            temporary=home,
        )

    def _answers(self, port: int) -> bool:
        try:
            return httpx.get(f"http://{HOST}:{port}/robots.txt").status_code == 200
        except httpx.HTTPError:
            return False
