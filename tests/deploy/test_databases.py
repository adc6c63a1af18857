"""`deploy/database.sql` on a real PostgreSQL: with what compose gives it, each program opens the
database of its own and nobody else's.
"""

import itertools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
import yaml

from tests.deploy.conftest import DEPLOY
from tests.real_parts import Part
from workspace_sandbox.real import postgresql

pytestmark = pytest.mark.real
PROGRAMS = ("manager", "identity-provider", "drive")


def run_script(server: postgresql.Address, folder: Path) -> "subprocess.CompletedProcess[str]":
    """As the image does when it makes the server."""
    return subprocess.run(
        ["psql", "-v", "ON_ERROR_STOP=1", "--no-password", "--no-psqlrc", "--host", server.host,
         "--port", str(server.port), "--username", server.admin_username, "--dbname", "postgres",
         "--file", str(folder / "database.sql")],
        env={
            **os.environ,
            "PGPASSWORD": server.admin_password.reveal(),
            "SECRETS": str(folder / "secrets"),
        },
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def part(real_part: Callable[..., Part]) -> Part:
    return real_part("PostgreSQL", version=postgresql.version(), why_not=postgresql.why_not())


@pytest.fixture(scope="module")
def server(part: Part, folder: Path) -> Iterator[postgresql.Address]:
    running = postgresql.PostgreSQL()
    address = running.start()
    try:
        done = run_script(address, folder)
        assert done.returncode == 0, done.stderr
        yield address
    finally:
        running.stop()


@pytest.fixture(scope="module")
def program_databases(server: postgresql.Address, folder: Path) -> dict[str, dict[str, Any]]:
    """What compose gives each program: user, password and database."""
    services = yaml.safe_load((folder / "compose.yaml").read_text())["services"]

    def secret(name: str) -> str:
        return (folder / "secrets" / Path(name).name).read_text()

    manager = services["manager"]["environment"]
    assert manager["WORKSPACE_QUEUE_URL_FILE"] == manager["WORKSPACE_DATABASE_URL_FILE"]
    url = urlsplit(secret(manager["WORKSPACE_DATABASE_URL_FILE"]))
    provider, drive = (services[name]["environment"] for name in PROGRAMS[1:])
    [password] = re.findall(
        r"KC_DB_PASSWORD=\"\$\$\(< (\S+)\)\"", services["identity-provider"]["entrypoint"][-1]
    )
    users = (
        (url.username, url.password, url.path[1:]),
        (provider["KC_DB_USERNAME"], secret(password), provider["KC_DB_URL"].rpartition("/")[2]),
        (drive["POSTGRES_USER"], secret(drive["POSTGRES_PASSWORD_FILE"]), drive["POSTGRES_DB"]),
    )
    where = {"host": server.host, "port": server.port}
    return {
        name: {"user": user, "password": password, "dbname": database, **where}
        for name, (user, password, database) in zip(PROGRAMS, users, strict=True)
    }


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_program_writes_to_its_own(
    program: str, program_databases: dict[str, dict[str, Any]]
) -> None:
    with psycopg.connect(**program_databases[program]) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS tried (word text)")
        connection.execute("INSERT INTO tried VALUES ('kept')")
        assert connection.execute("SELECT word FROM tried").fetchall() == [("kept",)]
        connection.execute("DROP TABLE tried")


@pytest.mark.parametrize("program", PROGRAMS)
def test_none_opens_anothers(program: str, program_databases: dict[str, dict[str, Any]]) -> None:
    others = {one["dbname"] for name, one in program_databases.items() if name != program}
    assert len(others) == len(PROGRAMS) - 1
    for database in (*others, "postgres", "template1"):
        with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
            psycopg.connect(**{**program_databases[program], "dbname": database})


def test_none_has_anothers_password_or_may_more_than_that(
    program_databases: dict[str, dict[str, Any]], server: postgresql.Address
) -> None:
    assert len({one["password"] for one in program_databases.values()}) == len(PROGRAMS)
    for one, other in itertools.permutations(program_databases.values(), 2):
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(**{**other, "password": one["password"]})
    with psycopg.connect(server.url("postgres")) as connection:
        allowed = connection.execute(
            "SELECT rolname FROM pg_roles WHERE rolcanlogin AND (rolsuper OR rolcreaterole OR"
            " rolcreatedb OR rolreplication OR rolbypassrls)"
        ).fetchall()
        members = connection.execute(
            "SELECT 1 FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.member"
            " WHERE r.rolname IN ('manager', 'keycloak', 'nextcloud')"
        ).fetchall()
    assert allowed == [(server.admin_username,)]
    assert members == []


def test_the_manager_needs_no_more(
    folder: Path, program_databases: dict[str, dict[str, Any]]
) -> None:
    """Its records, its cache and its queue."""
    mine = program_databases["manager"]
    url = "postgresql://{user}:{password}@{host}:{port}/{dbname}".format(**mine)
    environment = {
        **os.environ,
        "WORKSPACE_DATABASE_URL": url,
        "WORKSPACE_QUEUE_URL": url,
        "WORKSPACE_SECRET_KEYS": (folder / "secrets" / "manager_keys").read_text(),
    }
    use = (
        "from workspace_manager import bootstrap\n"
        "from django.core.cache import cache\n"
        "from workspace_manager import worker\n"
        "cache.set('a', 1); assert cache.get('a') == 1\n"
        "worker.sweep(); assert worker.queue.dequeue().args == ()\n"
    )
    for command in (["-m", "workspace_manager.cli", "migrate"], ["-c", use]):
        done = subprocess.run(
            [sys.executable, *command], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


def test_what_one_user_for_all_kept_is_taken_over(part: Part, folder: Path) -> None:
    """By the commands of the how-to."""
    told = (DEPLOY.parent / "docs" / "howto" / "containers.md").read_text()
    dump, restore = (
        re.findall(rf"exec -T database ({name} .*)", told)[0].split()
        for name in ("pg_dump", "pg_restore")
    )
    assert dump[-3:] == ["$name", ">", "$name.dump"]
    assert restore[-2:] == ["<", "workspace.dump"]
    running = postgresql.PostgreSQL()
    address = running.start()
    own = {
        **os.environ,
        "PGHOST": address.host,
        "PGPORT": str(address.port),
        "PGPASSWORD": address.admin_password.reveal(),
    }
    try:
        with psycopg.connect(address.url("postgres"), autocommit=True) as connection:
            connection.execute("CREATE ROLE workspace SUPERUSER")
            connection.execute("CREATE DATABASE workspace OWNER workspace")
        with psycopg.connect(address.url("workspace")) as connection:
            connection.execute("SET ROLE workspace; CREATE TABLE kept AS SELECT 'a' AS word")
            connection.execute("CREATE ROLE other; GRANT SELECT ON kept TO other")
        assert run_script(address, folder).returncode == 0
        as_admin = {"workspace": address.admin_username, "postgres": address.admin_username}
        words = [as_admin.get(word, word) for word in dump[:-3]]
        out = subprocess.run([*words, "workspace"], env=own, capture_output=True, check=True).stdout
        words = [as_admin.get(word, word) for word in restore[:-2]]
        subprocess.run(words, env=own, input=out, check=True)
        with psycopg.connect(
            (folder / "secrets" / "manager_database_url")
            .read_text()
            .replace("@database/", f"@{address.host}:{address.port}/")
        ) as connection:
            connection.execute("ALTER TABLE kept ADD number int")
            assert connection.execute("SELECT word FROM kept").fetchall() == [("a",)]
    finally:
        running.stop()


def test_without_a_password_it_ends(part: Part, folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "deploy"
    shutil.copytree(folder, place)
    (place / "secrets" / "drive_database_password").unlink()
    running = postgresql.PostgreSQL()
    address = running.start()
    try:
        done = run_script(address, place)
        assert done.returncode != 0
        assert "password" in done.stderr
        with psycopg.connect(address.url("postgres")) as connection:
            made = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = 'manager'").fetchall()
        assert made == []
    finally:
        running.stop()
