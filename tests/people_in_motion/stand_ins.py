"""Somebody with a secret for every door of the drive, the SQL server and the triplestore, on their
stand-ins; the other systems are in memory.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pymysql

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import work
from tests.people_in_motion.people import make, settle_person
from workspace_manager.accounts import keys
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.operations import settings as system_settings
from workspace_manager.records.models import Account, Component, Person, ServiceKey
from workspace_manager.wiring import connected_systems
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.drive import DriveStandIn
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn

PASSWORD = "of-the-administrator"
ON_STAND_INS = ("drive", "sql_server", "triplestore")


class StandInWorld(WorldWithIdentities):
    """Three systems are connected as wiring connects them."""

    def systems(self) -> ConnectedSystems:
        ours, real = super().systems(), connected_systems()
        stood_in = {name: real.by_name[name] for name in ON_STAND_INS}
        return ConnectedSystems(by_name={**ours.by_name, **stood_in}, settings=real.settings)


@dataclass
class Doors:
    """The stand-ins, and what opens them."""

    drive: DriveStandIn
    sql: SqlServerStandIn
    triplestore: TriplestoreStandIn
    world: StandInWorld = field(default_factory=StandInWorld)

    def drive_as_admin(self, method: str, path: str, **form: str) -> Any:
        answer = httpx.request(
            method,
            f"{self.drive.url}/ocs/v2.php{path}",
            auth=("admin", PASSWORD),
            headers={"OCS-APIRequest": "true"},
            params={"format": "json"},
            data=form or None,
        )
        assert answer.status_code == 200, answer.text
        return answer.json()["ocs"]["data"]

    def store_as_admin(self, method: str, path: str, **body: Any) -> Any:
        answer = httpx.request(
            method, f"{self.triplestore.url}{path}", auth=("admin", PASSWORD), json=body or None
        )
        answer.raise_for_status()
        return answer.json() if answer.headers["content-type"] == "application/json" else None

    def rights(self, name: str) -> list[str]:
        found = self.store_as_admin("GET", f"/rest/security/users/{name}")
        return sorted(found["grantedAuthorities"])


@contextlib.contextmanager
def doors() -> Iterator[Doors]:
    with contextlib.ExitStack() as stack:
        drive = DriveStandIn(
            issuer_url="http://127.0.0.1:9", client_id="drive", admin_password=PASSWORD, users={}
        )
        sql = SqlServerStandIn(admin_password=PASSWORD)
        store = TriplestoreStandIn(admin_password=PASSWORD)
        for one in (drive, sql, store):
            stack.enter_context(running(one))
        stored: dict[str, dict[str, Any]] = {
            "drive": {"base_url": drive.url, "admin_username": "admin", "admin_password": PASSWORD},
            "sql_server": {
                "host": sql.host,
                "port": str(sql.sql_port),
                "admin_username": sql.admin_username,
                "admin_password": PASSWORD,
            },
            "triplestore": {
                "url": store.url,
                "admin_username": "admin",
                "admin_password": PASSWORD,
            },
        }
        for name, values in stored.items():
            system_settings.save(name, values, actor="root-admin")
        yield Doors(drive, sql, store)


@dataclass
class Holder:
    """Somebody who kept every secret: what still opens with it, asked from outside."""

    person: Person
    sub: str
    app_password: str
    sql_password: str
    store_password: str
    store_token: str
    database: str
    repository: str
    doors: Doors

    def sql(self) -> "pymysql.Connection[Any]":
        sql = self.doors.sql
        return pymysql.connect(
            host=sql.host,
            port=sql.sql_port,
            user=self.person.username,
            password=self.sql_password,
            database=self.database,
        )

    def sql_opens(self) -> bool:
        try:
            self.sql().close()
        except pymysql.err.OperationalError:
            return False
        return True

    def drive_opens(self, **more: Any) -> bool:
        answer = httpx.get(
            f"{self.doors.drive.url}/ocs/v2.php/cloud/user",
            headers={"OCS-APIRequest": "true"},
            auth=(self.sub, self.app_password),
            params={"format": "json"},
        )
        assert answer.status_code in {200, 401}, answer.text
        return answer.status_code == 200

    def store_reads(self) -> bool:
        by_token = httpx.get(
            f"{self.doors.triplestore.url}/repositories/{self.repository}/size",
            headers={"Authorization": f"Token {self.store_token}"},
        )
        answer = self._store("GET", "/size")
        assert answer.status_code == by_token.status_code
        return answer.status_code == 200

    def store_writes(self) -> bool:
        text = "INSERT DATA { <urn:a> <urn:b> <urn:c> }"
        return self._store("POST", "/statements", data={"update": text}).status_code == 204

    def _store(self, method: str, path: str, **more: Any) -> httpx.Response:
        return httpx.request(
            method,
            f"{self.doors.triplestore.url}/repositories/{self.repository}{path}",
            auth=(self.person.username, self.store_password),
            **more,
        )

    def opens(self) -> dict[str, bool]:
        return {
            "drive": self.drive_opens(),
            "sql": self.sql_opens(),
            "store reads": self.store_reads(),
            "store writes": self.store_writes(),
        }


def settle_holder(name: str, doors: Doors, **project: Any) -> Holder:
    """Settled, with a database, a repository, a drive account and every secret in hand."""
    person = settle_person(name, doors.world)
    database = make(person, "sql_database", doors.world, **project)
    repository = make(person, "triplestore_repository", doors.world, **project)
    work(doors.world)
    secrets = {
        key.system: keys.reveal(key, by=person).reveal()
        for key in ServiceKey.objects.filter(owner=person)
    }
    sub = next(iter(doors.world.users(name)))
    doors.drive_as_admin("POST", "/cloud/users", userid=sub, password="Of-somebody-1")
    code, output = doors.drive.occ(
        ["php", "occ", "user:add-app-password", "-n", "--no-warnings", "--", sub]
    )
    assert code == 0, output
    Account.objects.get_or_create(
        system="drive",
        kind="drive.account",
        name=sub,
        defaults={"person": person, "username": name},
    )
    token = httpx.post(
        f"{doors.triplestore.url}/api-token-auth/",
        data={"username": name, "password": secrets["triplestore"]},
    )
    return Holder(
        person=person,
        sub=sub,
        app_password=output.split()[-1],
        sql_password=secrets["sql_server"],
        store_password=secrets["triplestore"],
        store_token=token.json()["token"],
        database=Component.objects.get(id=database.id).name,
        repository=Component.objects.get(id=repository.id).name,
        doors=doors,
    )
