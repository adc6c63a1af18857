"""A whole comparison with the stand-in of a SQL server, and a removal to its end."""

from collections.abc import Iterator

import pytest

from tests.fake_world.people import make_person
from tests.systems.sql_server.conftest import ADMIN_PASSWORD, reach_server
from tests.systems.sql_server.database_server import DatabaseServer
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine import run as engine
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.reconcile import repairs, walk
from workspace_manager.records.models import Account, Component, Plan, ReconcileItem
from workspace_manager.systems import registry
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn

pytestmark = pytest.mark.django_db


@pytest.fixture
def server() -> Iterator[DatabaseServer]:
    made = SqlServerStandIn(admin_password=ADMIN_PASSWORD)
    with running(made):
        yield reach_server(made)


@pytest.fixture
def systems(server: DatabaseServer) -> ConnectedSystems:
    settings = {name: spec.settings() for name, spec in registry().specs.items()}
    return ConnectedSystems(
        by_name={"sql_server": server.system()},
        settings={**settings, "sql_server": server.settings},
    )


def compare(systems: ConnectedSystems) -> list[tuple[str, str, str]]:
    run = walk.begin("ada")
    assert walk.go_on(run, systems)
    assert run.parts.get(system="sql_server").state == "done"
    rows = ReconcileItem.objects.filter(ended_at=None).order_by("difference", "name")
    return [(row.difference, row.name, row.holder) for row in rows]


def test_what_is_of_nobody_is_found_and_removed(
    server: DatabaseServer, systems: ConnectedSystems
) -> None:
    anna = make_person("anna")
    for name in ("anna", "bert"):
        Account.objects.create(
            system="sql_server", kind="sql_server.user", name=name, username=name, person=anna,
            machine=name == "bert", made_by_us=True,
        )  # fmt: skip
    Component.objects.create(
        owner=anna, kind="sql_database", label="Db", name="ws_db_0001", state="ready"
    )
    server.run(
        "CREATE USER 'anna'@'%' IDENTIFIED BY 'x'",
        "CREATE USER 'carl'@'%' IDENTIFIED BY 'x'",
        "CREATE DATABASE `ws_db_0001`",
        "CREATE DATABASE `ws_old_0001`",
        "GRANT ALL PRIVILEGES ON `ws\\_db\\_0001`.* TO 'anna'@'%'",
        "GRANT ALL PRIVILEGES ON `ws\\_db\\_0001`.* TO 'carl'@'%'",
    )

    assert compare(systems) == [
        ("holder_not_shared", "ws_db_0001", "carl"),
        ("missing", "bert", ""),
        ("unknown_account", "carl", ""),
        ("unknown_thing", "ws_old_0001", ""),
    ]

    for difference in ("unknown_account", "unknown_thing"):
        item = ReconcileItem.objects.get(difference=difference)
        plan = repairs.draft(item.n, "remove", actor="ada", systems=systems)
        repairs.approve(plan.id, digest=plan.digest, actor="ada")
        engine.run(plan.id, systems, kinds=PLAN_KINDS)
        assert Plan.objects.get(id=plan.id).state == "done"
    assert compare(systems) == [("missing", "bert", "")]
