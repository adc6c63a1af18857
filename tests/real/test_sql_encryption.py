"""Real SQL servers with certificates made on the spot, on an address that is not loopback: whoever
proves to be certificate was verified is spoken to, and nobody else.
"""

import hashlib
import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import pymysql
import pytest

from tests.certificates import Authority
from tests.real_parts import Part
from tests.systems.sql_server.database_server import DatabaseServer
from tests.systems.sql_server.database_server_postgresql import PostgreSQLServer
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.errors import Invalid, NotFound, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.client import Client, SignIn
from workspace_manager.systems.sql_server.connector import connect
from workspace_manager.systems.sql_server.settings import (
    MARIADB,
    OFF,
    POSTGRESQL,
    UNVERIFIED,
    Settings,
)
from workspace_sandbox.real import mariadb, postgresql

pytestmark = pytest.mark.real

NO_SUCH_LIBRARY = 1126
ANYWHERE = "0.0.0.0"
"""As a name to connect to it leads to this machine, too: one that no certificate here bears."""
RULES = """
host all old 127.0.0.1/32 md5
hostssl all all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
"""
FLAVOURS = (MARIADB, POSTGRESQL)


def own_address() -> str:
    """This machine as its network calls it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(("192.0.2.1", 9))
        address: str = line.getsockname()[0]
        return address


@dataclass
class Servers:
    """Both products, with a certificate for this machine's own address, and without any."""

    authority: Authority
    encrypting: dict[str, Settings]
    plain: dict[str, Settings]

    def trusting(self, flavour: str) -> Settings:
        """The settings of somebody who names the right authority."""
        return replace(self.encrypting[flavour], certificate_authority=str(self.authority.file))


@pytest.fixture(scope="module")
def servers(real_part: Callable[..., Part]) -> Iterator[Servers]:
    real_part("MariaDB", version=mariadb.version(), why_not=mariadb.why_not())
    real_part("PostgreSQL", version=postgresql.version(), why_not=postgresql.why_not())
    running: list[mariadb.MariaDB | postgresql.PostgreSQL] = []
    with tempfile.TemporaryDirectory(prefix="workspace-certificates-") as folder:
        authority = Authority(Path(folder))
        running += both(authority)
        try:
            found = [make_settings(server) for server in running]
            yield Servers(
                authority,
                {one.flavour: one for one in found[:2]},
                {one.flavour: one for one in found[2:]},
            )
        finally:
            for server in running:
                server.stop()


def both(authority: Authority) -> list[mariadb.MariaDB | postgresql.PostgreSQL]:
    """Each product with a certificate, and each without."""
    certificate, key = authority.server(own_address(), "sql.example")
    rules = authority.folder / "pg_hba.conf"
    rules.write_text(RULES)
    if os.geteuid() == 0:
        # Run by root it is another account, which has to own the key.
        for file in (authority.folder, certificate, key, rules):
            shutil.chown(file, postgresql.ACCOUNT)
    anywhere = f"--bind-address={ANYWHERE}"
    reach = {"listen_addresses": ANYWHERE}
    encrypt = {"ssl": "on", "ssl_cert_file": str(certificate), "ssl_key_file": str(key)}
    return [
        mariadb.MariaDB(options=(anywhere, f"--ssl-cert={certificate}", f"--ssl-key={key}")),
        postgresql.PostgreSQL(settings={**reach, **encrypt, "hba_file": str(rules)}),
        mariadb.MariaDB(options=(anywhere, "--skip-ssl")),
        postgresql.PostgreSQL(settings=reach),
    ]


def make_settings(server: mariadb.MariaDB | postgresql.PostgreSQL) -> Settings:
    address = server.start()
    return Settings(
        flavour=MARIADB if isinstance(server, mariadb.MariaDB) else POSTGRESQL,
        host=own_address(),
        port=address.port,
        admin_username=address.admin_username,
        admin_password=address.admin_password,
    )


def ask(settings: Settings) -> str:
    with Client(settings).session(doing=quote_words("asking")) as session:
        return session.own_account().name


def findings(settings: Settings) -> dict[str, Finding]:
    def none(reference: str) -> Secret:
        raise NotFound(quote_words(reference), kind="vault", doing=quote_words("reading"))

    return {one.name: one for one in connect(settings, none).check()}


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_the_server_that_is_meant_is_used(servers: Servers, flavour: str) -> None:
    settings = servers.trusting(flavour)
    assert ask(settings) == settings.admin_username
    found = findings(settings)
    assert found["encryption"].severity is Severity.OK
    assert "certificate was verified" in found["encryption"].text
    wrong = Secret("wrong", name="a wrong password")
    tried = Client(settings).sign_in(settings.admin_username, wrong, doing=quote_words("trying"))
    assert tried is SignIn.REFUSED


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_another_authority_is_refused(servers: Servers, flavour: str, tmp_path: Path) -> None:
    another = str(Authority(tmp_path, "another").file)
    for authority in (another, ""):
        settings = replace(servers.encrypting[flavour], certificate_authority=authority)
        with pytest.raises(Unavailable, match="no authority that the manager trusts"):
            ask(settings)
        assert findings(settings)["reachable"].severity is Severity.FAILING


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_another_name_is_refused(servers: Servers, flavour: str) -> None:
    with pytest.raises(Unavailable, match="for another name"):
        ask(replace(servers.trusting(flavour), host=ANYWHERE))


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_a_server_without_encryption_is_told_nothing(servers: Servers, flavour: str) -> None:
    settings = servers.plain[flavour]
    with pytest.raises(Unavailable, match="offers no encryption"):
        ask(settings)
    with pytest.raises(Unavailable, match="offers no encryption"):
        ask(replace(settings, encryption=UNVERIFIED))
    here = replace(settings, host="127.0.0.1")
    assert ask(here) == here.admin_username


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_less_is_asked_for_by_name_and_is_a_finding(servers: Servers, flavour: str) -> None:
    loose = replace(servers.encrypting[flavour], encryption=UNVERIFIED)
    assert ask(loose) == loose.admin_username
    found = findings(loose)["encryption"]
    assert found.severity is Severity.WARNING
    assert "certificate is not verified" in found.text


def test_none_at_all_is_asked_for_by_name_and_is_a_finding(servers: Servers) -> None:
    clear = replace(servers.plain[MARIADB], encryption=OFF)
    assert ask(clear) == clear.admin_username
    assert findings(clear)["encryption"].severity is Severity.WARNING


def test_a_password_that_is_kept_as_md5_is_not_proved(servers: Servers) -> None:
    """Its hash signs in: whoever is told it needs no password."""
    settings = replace(servers.encrypting[POSTGRESQL], host="127.0.0.1")
    kept = hashlib.md5(b"pold", usedforsecurity=False).hexdigest()
    PostgreSQLServer(settings).run(f"CREATE ROLE old LOGIN PASSWORD 'md5{kept}'")
    old = replace(settings, admin_username="old", admin_password=Secret("p"))
    with pytest.raises(Invalid, match="would reveal it"):
        ask(old)


@pytest.mark.skipif(bool(find_spec("nacl")), reason="with PyNaCl it is proved")
def test_an_account_that_needs_a_library_is_told_so(servers: Servers) -> None:
    settings = replace(servers.encrypting[MARIADB], host="127.0.0.1")
    try:
        DatabaseServer(settings).run("INSTALL SONAME 'auth_ed25519'")
    except pymysql.err.OperationalError as missing:
        if missing.args[0] != NO_SUCH_LIBRARY:
            raise
        pytest.skip("this MariaDB has no auth_ed25519 (Debian's mariadb-server brings it)")
    DatabaseServer(settings).run(
        "CREATE USER 'new'@'%' IDENTIFIED VIA ed25519 USING PASSWORD('p')",
    )
    new = replace(settings, admin_username="new", admin_password=Secret("p"))
    with pytest.raises(Invalid, match="PyNaCl"):
        ask(new)
