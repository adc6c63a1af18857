"""A newcomer makes snapshots of everything in a demo, but for a database on the stand-in of the SQL
server: its plan says what to do.
"""

from typing import Any

import pytest

from tests.life.person import Life, Workspace
from tests.life.test_drive import come_in, drive
from workspace_sandbox.demo import Demo
from workspace_sandbox.patience import eventually
from workspace_sandbox.real import mariadb


def take(life: Life, component: dict[str, Any]) -> dict[str, Any]:
    """Give the snapshot of a component once its plan has ended, or needs somebody."""
    answer = life.call("POST", f"/components/{component['id']}/snapshots", {})
    assert answer.status_code == 202, answer.text
    identity = answer.json()["snapshot"]["id"]
    found: dict[str, Any] = eventually(
        "the snapshot is made, or not",
        lambda: (
            (one := life.call("GET", f"/snapshots/{identity}").json())["state"] != "creating"
            and one
        ),
    )
    return found


@pytest.mark.thorough
def test_on_stand_ins_all_but_databases(stand_ins: Workspace) -> None:
    life = come_in(stand_ins)
    eventually("connected by the first sign-in", lambda: drive(life)["connected"])
    database = life.make("sql_database", "Herbs")
    repository = life.make("triplestore_repository", "Ferns")
    uses = {one["kind"]: one["id"] for one in (database, repository)}
    stack = life.make("knowledge_stack", "Notes", template="sample", uses=uses)
    assert take(life, repository)["state"] == "ready"
    assert take(life, stack)["state"] == "ready"
    failed = take(life, database)
    assert failed["state"] == "failed"
    plan = stand_ins.api.get(f"/plans/{failed['plan']}").text
    assert "A stand-in, as in the demo without MariaDB, makes no snapshots." in plan


@pytest.mark.real("MariaDB")
def test_with_mariadb_of_databases_too(real_part: Any) -> None:
    real_part("MariaDB", version=mariadb.version(), why_not=mariadb.why_not())
    demo = Demo(port=0, real=True, only=frozenset({"MariaDB"}))
    try:
        life = come_in(Workspace(demo.start()))
        assert take(life, life.make("sql_database", "Herbs"))["state"] == "ready"
    finally:
        demo.stop()
