"""The systems of a running workspace as they are seen from outside, for the life of a stack."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import httpx
import pymysql

from tests.life.person import Workspace, sql
from tests.life.systems import identity_provider

Everything: TypeAlias = dict[str, set[str]]
REFUSED = 1045
"""What the SQL server says to a password that is not, or not any more, the account's."""


def engine(workspace: Workspace, path: str) -> Any:
    """What the container engine says, through the container manager."""
    manager = workspace.system("container_manager")
    answer = httpx.get(
        f"{manager['url']}/api/endpoints/{manager['environment_id']}/docker{path}",
        headers={"X-API-Key": manager["api_key"]},
        trust_env=False,
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


def store(workspace: Workspace, path: str, **more: Any) -> httpx.Response:
    """What the triplestore answers its administrator."""
    told = workspace.system("triplestore")
    more = {"auth": (told["admin_username"], told["admin_password"]), **more}
    return httpx.get(f"{told['url']}{path}", trust_env=False, **more)


def rows(workspace: Workspace, statement: str) -> list[tuple[Any, ...]]:
    """What the SQL server answers its administrator."""
    told = workspace.system("sql_server")
    return list(sql(workspace, told["admin_username"], told["admin_password"], statement))


def everything(workspace: Workspace) -> Everything:
    """What there is in every system that a stack has anything in, by names."""
    manager = workspace.system("container_manager")
    stacks = httpx.get(
        f"{manager['url']}/api/stacks",
        headers={"X-API-Key": manager["api_key"]},
        trust_env=False,
    ).json()
    accounts, repositories = (
        store(workspace, path).raise_for_status().json()
        for path in ("/rest/security/users", "/rest/repositories")
    )
    if isinstance(accounts, dict):  # OpenGDB numbers them
        accounts = [*accounts.values()]
    clients = identity_provider(workspace, "/clients?max=1000").json()
    groups = identity_provider(workspace, "/groups?max=1000").json()
    containers = engine(workspace, "/containers/json?all=1")
    return {
        "containers": {name for one in containers for name in one["Names"]},
        "volumes": {one["Name"] for one in engine(workspace, "/volumes")["Volumes"] or []},
        "networks": {one["Name"] for one in engine(workspace, "/networks")},
        "stacks": {one["Name"] for one in stacks or []},
        "clients": {one["clientId"] for one in clients},
        "groups": {one["name"] for one in groups},
        "SQL accounts": {row[0] for row in rows(workspace, "SELECT User FROM mysql.user")},
        "databases": {row[0] for row in rows(workspace, "SHOW DATABASES")},
        "triplestore accounts": {one["username"] for one in accounts},
        "repositories": {one["id"] for one in repositories},
    }


def more_than(before: Everything, now: Everything) -> Everything:
    """What came, by kinds of which anything did."""
    return {kind: now[kind] - before[kind] for kind in now if now[kind] - before[kind]}


# --- keys -----------------------------------------------------------------------------------------


def opens_sql(workspace: Workspace, account: str, password: str) -> bool:
    """Whether a fresh connection is let in."""
    try:
        return bool(sql(workspace, account, password, "SELECT 1") == ((1,),))
    except pymysql.err.OperationalError as refused:
        if refused.args[0] != REFUSED:
            raise
        return False


def opens_store(workspace: Workspace, repository: str, account: str, password: str) -> bool:
    """Whether a fresh request is answered."""
    path = f"/repositories/{repository}?query=ASK%20%7B%7D"
    accepted = {"Accept": "application/sparql-results+json"}
    answer = store(workspace, path, auth=(account, password), headers=accepted)
    assert answer.status_code in {200, 401}, answer.text
    return answer.status_code == 200


@contextmanager
def session_of(workspace: Workspace, account: str, password: str) -> Iterator[Any]:
    """A connection to the SQL server that stays open."""
    told = workspace.system("sql_server")
    connection = pymysql.connect(
        host=told["host"], port=int(told["port"]), user=account, password=password
    )
    try:
        yield connection
    finally:
        if connection.open:
            connection.close()
