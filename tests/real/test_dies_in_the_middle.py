"""A real part that is killed in the middle of a run comes back where it was, with what it kept, and
the checks after it pass.
"""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.real_parts import Part
from workspace_sandbox.real import (
    keycloak,
    nextcloud,
    opengdb,
    podman,
    portainer,
    postgresql,
    rdf4j,
)

pytestmark = [pytest.mark.real("MariaDB", "RDF4J"), pytest.mark.timeout(900)]
pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[2]

OURS = ("causes", "real_parts", "real_table", "real_watch", "real_running")
KILLS = """
    import os, signal, socket
    import httpx, pymysql, pytest

    def kill(server):
        os.kill(server._process.pid, signal.SIGKILL)
        server._process.wait()

    def ask(server, statement):
        it = server.address
        with pymysql.connect(host=it.host, port=it.port, user=it.admin_username,
                             password=it.admin_password.reveal()) as connection:
            with connection.cursor() as cursor:
                cursor.execute(statement)
                return cursor.fetchall()

    def repositories(server):
        return httpx.get(server.url + "/repositories", trust_env=False).text

    def test_something_is_made(real_mariadb, real_rdf4j):
        ask(real_mariadb, "CREATE DATABASE kept")
        config = (
            '@prefix config: <tag:rdf4j.org,2023:config/>. [] a config:Repository;'
            'config:rep.id "kept"; config:rep.impl [config:rep.type "openrdf:SailRepository";'
            'config:sail.impl [config:sail.type "openrdf:NativeStore"]].'
        )
        made = httpx.put(real_rdf4j.url + "/repositories/kept", content=config,
                         headers={"Content-Type": "text/turtle"}, trust_env=False)
        assert made.status_code == 204, made.text

    def test_they_die(real_mariadb, real_rdf4j):
        kill(real_mariadb)
        kill(real_rdf4j)
        ask(real_mariadb, "SELECT 1")

    @pytest.mark.parametrize("number", range(3))
    def test_it_is_there_again(real_mariadb, real_rdf4j, number):
        assert ("kept",) in ask(real_mariadb, "SHOW DATABASES")
        assert "kept" in repositories(real_rdf4j)

    def test_the_second_time(real_mariadb):
        kill(real_mariadb)

    @pytest.mark.parametrize("number", range(50))
    def test_what_is_left(real_mariadb, number):
        ask(real_mariadb, "SELECT 1")

    def test_of_the_other(real_rdf4j):
        assert "kept" in repositories(real_rdf4j)
"""


def test_they_come_back_once(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\n")
    pytester.makepyfile(test_it=KILLS)
    plugins = [word for name in OURS for word in ("-p", f"tests.{name}")]
    without = ("-p", "no:django", "-p", "no:cacheprovider")
    result = pytester.runpytest_inprocess(*plugins, *without)
    result.assert_outcomes(passed=6, failed=1, errors=50)
    said = [line for line in result.outlines if " failed, from minute " in line]
    assert [line.partition(" ")[0] for line in said] == ["1", "0", "50"]
    assert "MariaDB died during or after test_it.py::test_they_die: it was started" in said[0]
    assert "RDF4J died during or after test_it.py::test_they_die: it was started" in said[1]
    assert "MariaDB died during or after test_it.py::test_the_second_time: the second" in said[2]


KILLER = '''
"""Kill MariaDB after the fourth check that used it."""

import os
import signal

done = []

def pytest_runtest_teardown(item):
    server = item.funcargs.get("trial") and item._request.getfixturevalue("real_mariadb")
    if server:
        done.append(item.nodeid)
        if len(done) == 4:
            os.kill(server._process.pid, signal.SIGKILL)
            server._process.wait()
'''


@pytest.fixture
def killer(tmp_path: Path) -> dict[str, str]:
    """The environment of a run in which it is loaded."""
    (tmp_path / "kills_mariadb.py").write_text(KILLER)
    return {**os.environ, "PYTHONPATH": str(tmp_path), "PYTEST_ADDOPTS": "-p kills_mariadb"}


def test_the_checks_of_connectors_go_on(killer: dict[str, str]) -> None:
    """Connections that a place kept open are forgotten."""
    chosen = "sql_server.user and MariaDB and not breaks and not answer"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly",
         "tests/conformance/test_every_connector.py", "-k", chosen, "--maxfail=3"],
        cwd=ROOT, env=killer, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
    assert "MariaDB died during or after tests/conformance/test_every_connector.py" in done.stdout
    assert "it was started again, once" in done.stdout


OTHERS: dict[str, tuple[Any, Callable[[contextlib.ExitStack], Any]]] = {
    "Keycloak": (keycloak, lambda stack: keycloak.Keycloak()),
    "PostgreSQL": (postgresql, lambda stack: postgresql.PostgreSQL()),
    "podman": (podman, lambda stack: podman.Podman()),
    "Nextcloud": (nextcloud, lambda stack: nextcloud.Nextcloud()),
    "OpenGDB": (
        opengdb,
        lambda stack: opengdb.OpenGDB(rdf4j_url=start_server(stack, rdf4j.RDF4J()).url),
    ),
    "Portainer": (
        portainer,
        lambda stack: portainer.Portainer(docker_url=start_server(stack, podman.Podman()).url),
    ),
}


def start_server(stack: contextlib.ExitStack, server: Any) -> Any:
    """Start it; it is stopped with the stack."""
    stack.callback(server.stop)
    server.start()
    return server


@pytest.mark.everything
@pytest.mark.parametrize("name", OTHERS)
def test_each_comes_back_where_it_was(real_part: Callable[..., Part], name: str) -> None:
    """Whichever of its programs is killed."""
    module, make = OTHERS[name]
    real_part(name, why_not=module.why_not())
    with contextlib.ExitStack() as stack:
        server = start_server(stack, make(stack))
        where = getattr(server, "address", None) or server.url
        for time in range(len(getattr(server, "_parts", [server]))):
            one = getattr(server, "_parts", [server])[time]
            assert not server.has_ended()
            os.kill(one._process.pid, signal.SIGKILL)
            one._process.wait()
            assert server.has_ended()
            server.start_again()
            assert server.answers()
            assert server.begun_again == time + 1
        assert where == (getattr(server, "address", None) or server.url)
