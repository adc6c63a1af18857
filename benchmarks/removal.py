"""The time of a removal beside the bare calls it is made of: the price of looking,
journalling and proving.

Both run in this process against the same stand-ins: the bare calls as a script would send them,
without a look, a journal or a proof; the removal through the engine, one after the other, from the
approved plan to the tombstone.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import httpx
import pymysql

from tests.life.person import Life, Workspace
from workspace_sandbox.demo import Demo


@dataclass(frozen=True)
class Measured:
    """Seconds of each run of one way."""

    name: str
    seconds: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    def line(self) -> str:
        slowest = max(self.seconds)
        return (
            f"{self.name:<34} median {self.median * 1000:8.1f} ms   slowest "
            f"{slowest * 1000:8.1f} ms   n={len(self.seconds)}"
        )


@dataclass(frozen=True)
class Comparison:
    """Both ways, measured in the same run."""

    bare: Measured
    whole: Measured

    @property
    def ratio(self) -> float:
        return self.whole.median / self.bare.median

    def lines(self) -> list[str]:
        ratio = f"ratio removal / bare calls: {self.ratio:.1f}"
        return [self.bare.line(), self.whole.line(), ratio]


def measure(count: int) -> Comparison:
    """Let `count` people in and out each way."""
    demo = Demo(port=0)
    try:
        workspace = Workspace(demo.start())
        people = [_somebody(workspace, f"bench{n:03}") for n in range(2 * count)]
        bare = Measured(
            "bare calls", [_timed(partial(_bare, workspace, p)) for p in people[:count]]
        )
        whole = Measured(
            "removal: approved to done", [_removal(workspace, p) for p in people[count:]]
        )
        return Comparison(bare, whole)
    finally:
        demo.stop()


def _somebody(workspace: Workspace, username: str) -> Life:
    life = Life(workspace, username)
    life.register()
    life.approve()
    life.sign_in()
    return life


def _timed(call: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def _removal(workspace: Workspace, life: Life) -> float:
    """From the approval to "done", as seen by somebody who asks every few milliseconds."""
    plan = workspace.api.post(f"/people/{life.username}/removal").json()
    begin = time.perf_counter()
    workspace.api.post(f"/plans/{plan['id']}/approve", json={"digest": plan["digest"]})
    while life.plan(plan["id"])["state"] != "done":
        time.sleep(0.005)
    return time.perf_counter() - begin


def _bare(workspace: Workspace, life: Life) -> None:
    """The writes of the seven steps and nothing else."""
    idp, drive = workspace.system("identity_provider"), workspace.system("drive")
    containers, store = workspace.system("container_manager"), workspace.system("triplestore")
    with httpx.Client(timeout=30, trust_env=False) as http:
        engine = f"/api/endpoints/{containers['environment_id']}/docker"
        stop = f"{engine}/containers/jupyter-{life.username}/stop?t=10"
        http.post(containers["url"] + stop, headers={"X-API-Key": containers["api_key"]})
        grant = {
            "grant_type": "password",
            "client_id": "admin-cli",
            "username": idp["admin_username"],
            "password": idp["admin_password"],
        }
        token = http.post(
            f"{idp['url']}/realms/master/protocol/openid-connect/token", data=grant
        ).json()
        admin = {"Authorization": f"Bearer {token['access_token']}"}
        user = f"{idp['url']}/admin/realms/{idp['realm']}/users/{life.sub}"
        http.put(user, json={"enabled": False}, headers=admin)
        http.post(f"{user}/logout", headers=admin)
        http.delete(
            f"{drive['url']}/ocs/v2.php/cloud/users/{life.sub}",
            auth=(drive["admin_username"], drive["admin_password"]),
            headers={"OCS-APIRequest": "true"},
        )
        http.delete(user, headers=admin)
        http.delete(
            f"{store['url']}/rest/security/users/{life.username}",
            auth=(store["admin_username"], store["admin_password"]),
        )
    server = workspace.system("sql_server")
    with (
        pymysql.connect(
            host=server["host"],
            port=int(server["port"]),
            user=server["admin_username"],
            password=server["admin_password"],
        ) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute("DROP USER IF EXISTS %s@'%%'", (life.username,))
