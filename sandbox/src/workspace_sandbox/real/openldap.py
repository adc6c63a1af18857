"""A real OpenLDAP on loopback, private to one run: the directory of an institution's people.

It is made of one file of configuration and one of entries, and starts in no time. Whoever is in it
has the password that was given; only its administrator changes anything.
"""

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workspace_manager.contract.secret import Secret
from workspace_sandbox import children
from workspace_sandbox.patience import START_S
from workspace_sandbox.real.one_process import HOST, OneProcess, first_bytes

NAME = "slapd"
SUFFIX = "dc=example,dc=org"
PEOPLE = f"ou=people,{SUFFIX}"
ADMIN = f"cn=admin,{SUFFIX}"
SCHEMAS = Path("/etc/ldap/schema")
MODULES = Path("/usr/lib/ldap")
PROGRAMS = ("slapd", "slapadd", "ldapmodify")

_ANONYMOUS_BIND = bytes.fromhex("300c020101600702010304008000")
_SUCCESS = bytes.fromhex("61070a0100")


class OpenLDAPFailed(RuntimeError):
    """It could not be started or changed; the text names the reason or the end of its log."""


def why_not() -> str | None:
    """Return why a real OpenLDAP cannot run here; None if it can."""
    missing = [name for name in PROGRAMS if not _program(name)]
    if missing:
        return f"{' and '.join(missing)} not found (Debian: slapd and ldap-utils)"
    if not (SCHEMAS / "inetorgperson.schema").exists():
        return f"its schemas are not in {SCHEMAS} (Debian: slapd)"
    return None


def version() -> str:
    """Its version; "" where it is not there."""
    if not _program("slapd"):
        return ""
    said = subprocess.run(
        [_program("slapd"), "-VV"], capture_output=True, text=True, check=False
    ).stderr
    words = said.split()
    return next((word for word in words if word[:1].isdigit()), "")


@dataclass(frozen=True)
class Address:
    """Where a running directory is, and who may read and change it."""

    url: str
    admin: str
    password: Secret


class OpenLDAP(OneProcess):
    """One running directory, with nobody in it."""

    name = NAME
    product = "OpenLDAP"
    failed = OpenLDAPFailed
    start_limit_s = START_S

    def __init__(self, *, directory: Path | None = None, port: int = 0) -> None:
        super().__init__(directory=directory, port=port)
        self.password = Secret(secrets.token_urlsafe(24), name="OpenLDAP's administrator")
        self.address: Address | None = None

    def start(self) -> Address:
        """Start it; first clear away what a killed run left behind. Raises OpenLDAPFailed."""
        if reason := why_not():
            raise OpenLDAPFailed(reason)
        children.remove_leftovers(NAME)
        home = self.directory or Path(tempfile.mkdtemp(prefix="workspace-slapd-"))
        port = self._bring_up(home, self._make)
        self.address = Address(f"ldap://{HOST}:{port}", ADMIN, self.password)
        return self.address

    def add(self, uid: str, password: str, **attributes: str) -> None:
        """Put a person into the directory."""
        entry = {
            "objectClass": "inetOrgPerson",
            "uid": uid,
            "cn": uid,
            "sn": uid.title(),
            "givenName": uid.title(),
            "mail": f"{uid}@example.org",
            "userPassword": password,
            **attributes,
        }
        self._change("add", uid, entry)

    def delete(self, uid: str) -> None:
        """Take a person out of the directory."""
        self._change("delete", uid, {})

    def _change(self, how: str, uid: str, attributes: Mapping[str, str]) -> None:
        if self.address is None:
            raise OpenLDAPFailed("OpenLDAP is not running")
        lines = [f"dn: uid={uid},{PEOPLE}", f"changetype: {how}"]
        lines += [f"{name}: {value}" for name, value in attributes.items()]
        home = self._home or Path(tempfile.gettempdir())
        command = [_program("ldapmodify"), "-x", "-H", self.address.url, "-D", ADMIN]
        ended = subprocess.run(
            [*command, "-y", str(home / "password")],
            input="\n".join(lines) + "\n",
            capture_output=True,
            text=True,
            timeout=START_S,
            check=False,
        )
        if ended.returncode:
            raise OpenLDAPFailed(f"{how} of {uid}: {ended.stderr.strip()[:300]}")

    def _make(self, home: Path) -> None:
        (home / "data").mkdir(parents=True, exist_ok=True, mode=0o700)
        configuration = home / "slapd.conf"
        for file, text in (
            (configuration, self._configuration(home)),
            # ldapmodify takes the whole file for the password.
            (home / "password", self.password.reveal()),
            (home / "first.ldif", _first_entries()),
        ):
            file.touch(mode=0o600)
            file.write_text(text)
        if any((home / "data").iterdir()):
            return
        command = [_program("slapadd"), "-f", str(configuration), "-l", str(home / "first.ldif")]
        ended = subprocess.run(
            command, capture_output=True, text=True, timeout=START_S, check=False
        )
        if ended.returncode:
            raise OpenLDAPFailed(f"its first entries: {ended.stderr.strip()[-300:]}")

    def _configuration(self, home: Path) -> str:
        schemas = ("core", "cosine", "inetorgperson")
        included = "".join(f"include {SCHEMAS / f'{one}.schema'}\n" for one in schemas)
        return (
            f"{included}modulepath {MODULES}\nmoduleload back_mdb\npidfile {home / 'pid'}\n"
            f'database mdb\nmaxsize 16777216\nsuffix "{SUFFIX}"\nrootdn "{ADMIN}"\n'
            f"rootpw {self.password.reveal()}\ndirectory {home / 'data'}\n"
            "index objectClass,uid,entryUUID eq\n"
        )

    def _launch(self, home: Path, port: int) -> "subprocess.Popen[bytes]":
        address = f"ldap://{HOST}:{port}"
        command = [_program("slapd"), "-h", address, "-f", str(home / "slapd.conf")]
        return children.start(
            # In the foreground.
            [*command, "-d", "0"],
            name=NAME,
            cwd=home,
            log=home / f"{NAME}.log",
            environment={},
            temporary=None if self.directory else home,
        )

    def _answers(self, port: int) -> bool:
        """Return whether it accepts an anonymous bind."""
        return _SUCCESS in first_bytes(port, _ANONYMOUS_BIND, 100)


def _first_entries() -> str:
    return (
        f"dn: {SUFFIX}\nobjectClass: domain\ndc: example\n\n"
        f"dn: {PEOPLE}\nobjectClass: organizationalUnit\nou: people\n"
    )


def _program(name: str) -> str:
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])
    return shutil.which(name, path=path) or ""
