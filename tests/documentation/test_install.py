"""The installation guide, followed word for word in a folder that stands for the host: its blocks
run as they are, with that folder in front of every path and free ports for 80, 443 and 8000.

Accounts and the service manager are imitated (imitated.py); the environments, the wheel, the
settings, both services, the proxy, the set-up of the realm, backup and removal are real.
"""

import hashlib
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.documentation.imitated import COMMANDS, nginx_runs
from tests.documentation.page import DOCS, shell_blocks
from tools import set_up
from workspace_manager.contract.secret_keys import MAKE_ONE
from workspace_sandbox import children
from workspace_sandbox.patience import START_S
from workspace_sandbox.real.cache import directory, make_once
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

ROOT = DOCS.parent
PAGE = DOCS / "howto" / "install.md"
TEXT = PAGE.read_text()
BLOCKS = [
    (section.splitlines()[0], block)
    for section in TEXT.split("\n## ")[1:]
    for block in shell_blocks(section)
]
OF_THE_HOST = ("/etc/", "/opt/", "/var/", "/usr/")
HARMLESS = "/usr/sbin/nologin"
"""A path that is only named."""
REAL = ("cat", "chmod", "curl", "date", "env", "sed", "sh", "sqlite3")
NEEDED = (*REAL, "bash", "openssl")


def cached(requirements: Path) -> str:
    """An environment with what a file of requirements pins, made once for all runs."""

    def fill(draft: Path) -> None:
        place = draft / "environment"
        assert set_up.make_environment(place)
        assert set_up.install(place, set_up.hashed(requirements))

    digest = hashlib.sha256(requirements.read_bytes() + sys.version.encode()).hexdigest()[:12]
    return str(make_once(directory(f"{requirements.stem}-{digest}"), fill) / "environment")


class Host:
    """A folder that stands for the root of a host, and who types there."""

    def __init__(self, root: Path, identity_provider: str) -> None:
        self.root, self.bin = root, root / "bin"
        self.ports = {port: str(children.free_port()) for port in ("80", "443", "8000")}
        self.names = {
            "https://idp.example.org": identity_provider,
            "127.0.0.1:8000": f"127.0.0.1:{self.ports['8000']}",
            "--port 8000": f"--port {self.ports['8000']}",
            "listen 80;": f"listen 127.0.0.1:{self.ports['80']};",
            "listen 443 ssl;": f"listen 127.0.0.1:{self.ports['443']} ssl;",
        }
        for folder in ("bin", "etc/systemd/system", "etc/nginx/conf.d", "etc/ssl", "usr/local/bin",
                       "opt", "var/lib", "var/backups"):  # fmt: skip
            (root / folder).mkdir(parents=True)
        for name in REAL:
            (self.bin / name).symlink_to(shutil.which(name) or name)
        for name in COMMANDS:
            self._imitate(name)
        packages = {
            "build": cached(ROOT / "requirements" / "build.txt"),
            "environment": cached(ROOT / "requirements" / "runtime.txt"),
        }
        (root / "packages.json").write_text(json.dumps(packages))
        self._certificate()

    def _imitate(self, name: str) -> None:
        program = shlex.join([sys.executable, "-m", "tests.documentation.imitated", name])
        script = self.bin / name
        path = shlex.quote(os.pathsep.join(str(ROOT / part) for part in ("", "src", "sandbox/src")))
        root = shlex.quote(str(self.root))
        script.write_text(f'#!/bin/sh\nexec env PYTHONPATH={path} {program} {root} "$@"\n')
        script.chmod(0o755)

    def _certificate(self) -> None:
        made = self.root / "etc/ssl/workspace.example.org"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
             "-subj", "/CN=workspace.example.org", "-keyout", f"{made}.key", "-out", f"{made}.crt"],
            check=True, capture_output=True,
        )  # fmt: skip

    def here(self, block: str) -> str:
        """A block as it is typed on this host. Nothing of it names the machine the test runs on."""
        for told, mine in self.names.items():
            block = block.replace(told, mine)
        for top in OF_THE_HOST:
            outside = rf"(?<![\w.-]){re.escape(top)}(?!sbin/nologin)"
            block = re.sub(outside, f"{self.root}{top}", block)
        left = block.replace(str(self.root), "").replace(HARMLESS, "")
        # Behind what was replaced the host's own folders stand, and nowhere else.
        assert len(re.findall("|".join(OF_THE_HOST), left)) == block.count(f"{self.root}/")
        return block

    def type(self, block: str, answer: str = "") -> str:
        """Run a block; gives what it printed."""
        kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        path = f"{self.bin}{os.pathsep}{self.root / 'usr/local/bin'}"
        done = subprocess.run(
            [shutil.which("bash") or "bash", "-euc", self.here(block)],
            cwd=ROOT,
            env={
                **kept,
                "PATH": path,
                "HOME": str(self.root),
                "LANG": "C.UTF-8",
                "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            },
            input=answer,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=START_S,
        )
        logs = "".join(f"\n{log}:\n{log.read_text()[-2000:]}" for log in self.root.glob("*.log"))
        assert done.returncode == 0, f"{block}\nended with {done.returncode}:\n{done.stdout}{logs}"
        return done.stdout

    def section(self, title: str, answer: str = "") -> str:
        """Run every block of one section."""
        blocks = [block for section, block in BLOCKS if section == title]
        assert blocks, title
        return "".join(self.type(block, answer) for block in blocks)

    def end(self) -> None:
        """End what a failed run left: each process by its own file."""
        for unit in ("workspace-manager-web", "workspace-manager-worker"):
            self.type(f"systemctl stop {unit}")
        if nginx_runs(self.root):
            self.type("nginx -s quit")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        pytest.skip(f"not on this machine: {', '.join(missing)}")
    identity_provider = IdentityProviderStandIn(admin_password="of the realm")
    with running(identity_provider):
        found = Host(tmp_path, identity_provider.url)
        yield found
        found.end()


@pytest.mark.everything  # `make bare-wheel` installs, migrates and serves
def test_the_guide_installs_runs_saves_and_removes(host: Host) -> None:
    host.section("1. Account and folders")
    assert "workspace-manager " in host.section("2. The package")
    assert "up to date" in host.section("3. Settings")
    host.section("4. Services")
    host.section("5. Reverse proxy")
    behind_the_proxy(host)
    said = host.section("6. First system", answer="of the realm\n")
    assert "changes made, each looked at afresh" in said
    assert "✗" not in said
    only_what_it_needs(host)
    only_its_owner_reads(host)
    host.section("Backup")
    (saved,) = (host.root / "var/backups/workspace-manager").iterdir()
    with closing(sqlite3.connect(saved)) as database:
        count = "SELECT count(*) FROM records_storedsetting"
        assert database.execute(count).fetchone()[0] >= 6
    rebuilt = next(block for section, block in BLOCKS if section == "2. The package")
    host.type("rm -r /opt/workspace-manager/wheel")
    host.type(rebuilt)
    assert "up to date" in host.section("Upgrade")
    host.section("Remove it again")
    left = {path.name for path in host.root.rglob("*workspace-manager*")}
    assert {name for name in left if not name.endswith(".log")} == {"workspace-manager"}
    assert (host.root / "var/backups/workspace-manager").exists()


def behind_the_proxy(host: Host) -> None:
    """People reach the manager through nginx, where there is one, and only as encrypted."""
    if shutil.which("nginx", path="/usr/sbin:/usr/bin") is None:
        return
    named = {"Host": "workspace.example.org"}
    plain = httpx.get(f"http://127.0.0.1:{host.ports['80']}/", headers=named, trust_env=False)
    assert plain.headers["location"] == "https://workspace.example.org/"
    with httpx.Client(verify=False, trust_env=False, headers=named) as browser:
        page = browser.get(f"https://127.0.0.1:{host.ports['443']}/")
        assert page.status_code == 200
        assert "Strict-Transport-Security" in page.headers
        lied = {"X-Forwarded-Proto": "http", "X-Forwarded-For": "198.51.100.7"}
        assert browser.get(page.url, headers=lied).status_code == 200


def only_what_it_needs(host: Host) -> None:
    environment = host.root / "opt/workspace-manager/environment"
    look = "import importlib.util as u; print([n for n in {} if u.find_spec(n)])"
    names = ("workspace_sandbox", "aiohttp", "pytest", "hatchling")
    done = subprocess.run(
        [environment / "bin/python", "-c", look.format(names)],
        cwd=host.root, env={}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "[]\n"


def only_its_owner_reads(host: Host) -> None:
    for file in (host.root / "var/lib/workspace-manager").iterdir():
        assert not file.stat().st_mode & 0o077, file
    assert not (host.root / "etc/workspace-manager/environment").stat().st_mode & 0o007


def test_its_key_is_made_by_the_command_that_is_named_where_one_is_missing() -> None:
    assert f"WORKSPACE_SECRET_KEYS=$({MAKE_ONE})" in TEXT


def test_its_variables_are_those_of_the_reference() -> None:
    known = (DOCS / "reference" / "settings.md").read_text()
    named = set(re.findall(r"WORKSPACE_[A-Z_]+[A-Z]", TEXT))
    assert len(named) > 8
    assert {name for name in named if name not in known} == set()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_its_units_are_understood_by_systemd(tmp_path: Path) -> None:
    block = next(block for section, block in BLOCKS if section == "4. Services")
    unit = block.partition("<< 'END'\n")[2].partition("\nEND\n")[0]
    # Only the program and its account are not on this machine.
    unit = re.sub(r"ExecStart=.*", "ExecStart=/bin/true", unit)
    unit = unit.replace("=workspace-manager", "=root")
    file = tmp_path / "workspace-manager-web.service"
    file.write_text(unit + "\n")
    done = subprocess.run(
        ["systemd-analyze", "verify", str(file)], capture_output=True, text=True, check=False
    )
    about_it = [line for line in done.stderr.splitlines() if file.name in line]
    assert about_it == []
