"""The life of a person, end to end over HTTP: the same on stand-ins and on real parts."""

import time
import uuid

import httpx
import pymysql
import pytest

from tests.life.person import PASSWORD, Life, Workspace, sql
from tests.life.systems import identity_provider, running_containers
from tests.sample import some_of
from workspace_sandbox.patience import eventually


def fresh(workspace: Workspace) -> Life:
    """Somebody new, so that tests share one demo."""
    life = Life(workspace, f"p{uuid.uuid4().hex[:8]}")
    life.register()
    life.approve()
    return life


def whole_life(workspace: Workspace) -> None:
    """Register, approve, sign in, database, triplestore, notebook, remove; then ask
    every system.
    """
    life = fresh(workspace)
    page = life.sign_in()
    assert page.status_code == 200, page.text
    assert life.call("GET", "/me").json()["sub"] == life.sub

    database = life.make("sql_database", "Field notes")
    repository = life.make("triplestore_repository", "Finds")
    sql_password, triplestore_password = life.key("sql_server"), life.key("triplestore")
    keys = life.call("GET", "/service-keys").json()["items"]
    again = next(k for k in keys if k["system"] == "sql_server")
    assert life.call("GET", f"/service-keys/{again['id']}/reveal").status_code == 409
    sql_user = next(a["name"] for a in database["accounts"] if a["system"] == "sql_server")
    name = database["address"].rpartition("/")[2]
    assert sql(workspace, sql_user, sql_password, "SELECT 1", name) == ((1,),)
    query = {"query": "SELECT * WHERE { ?s ?p ?o }"}
    asked = httpx.get(
        repository["address"],
        params=query,
        auth=(life.username, triplestore_password),
        trust_env=False,
    )
    assert asked.status_code == 200, asked.text
    life.start_notebook()
    eventually("notebook runs", lambda: f"jupyter-{life.username}" in running_containers(workspace))

    plan_id = life.remove()
    plan = eventually("removal done", lambda: (p := life.plan(plan_id))["state"] == "done" and p)
    assert [step["n"] for step in plan["steps"]] == list(range(1, 8))
    assert all(step["evidence"] or step["reason"] for step in plan["steps"])
    assert not any(step["state"] in {"skipped", "stuck", "waiting"} for step in plan["steps"])

    nothing_left(life, sql_user, sql_password, name, repository["address"], triplestore_password)
    late = eventually(
        "late look",
        lambda: (p := life.plan(plan_id)["late_look"])["state"] in {"clean", "removed"} and p,
    )
    assert late["state"] == "clean", late


def nothing_left(
    life: Life,
    sql_user: str,
    sql_password: str,
    database: str,
    repository: str,
    triplestore_password: str,
) -> None:
    """Each system's own API shows nothing of the person."""
    workspace = life.workspace
    assert workspace.api.get(f"/people/{life.username}").status_code == 404
    assert identity_provider(workspace, f"/users/{life.sub}").status_code == 404
    admin = workspace.system("sql_server")
    who = (workspace, admin["admin_username"], admin["admin_password"])
    assert sql(*who, f"SELECT COUNT(*) FROM mysql.user WHERE User = '{sql_user}'") == ((0,),)
    shown = sql(*who, "SHOW DATABASES")
    assert (database,) not in shown
    with pytest.raises(pymysql.MySQLError):
        sql(workspace, sql_user, sql_password, "SELECT 1")
    store = workspace.system("triplestore")
    users = httpx.get(
        f"{store['url']}/rest/security/users/{life.username}", auth=(store["admin_username"],
        store["admin_password"]),
        trust_env=False,
    )  # fmt: skip
    assert users.status_code == 404
    refused = httpx.get(
        repository,
        params={"query": "ASK {}"},
        auth=(life.username, triplestore_password),
        trust_env=False,
    )
    assert refused.status_code in {401, 404}
    assert f"jupyter-{life.username}" not in running_containers(workspace)
    # The browser still has the hub's cookie; it is good for no start.
    life.browser.get(f"{workspace.system('notebook_hub')['url']}/hub/spawn")
    assert f"jupyter-{life.username}" not in running_containers(workspace)
    assert life.browser.api(workspace.manager, "GET", "/me").status_code == 401
    drive = workspace.system("drive")
    gone = httpx.get(
        f"{drive['url']}/ocs/v2.php/cloud/users/{life.sub}?format=json",
        headers={"OCS-APIRequest": "true"},
        auth=(drive["admin_username"], drive["admin_password"]), trust_env=False,
    )  # fmt: skip
    assert gone.status_code == 404


def test_the_whole_life_on_stand_ins(stand_ins: Workspace) -> None:
    stand_ins.control("identity_provider", "/settings", {"access_token_seconds": 5})
    whole_life(stand_ins)


@pytest.mark.real
def test_the_whole_life_on_real_parts(real_parts_demo: Workspace) -> None:
    whole_life(real_parts_demo)


def test_somebody_without_account_link(stand_ins: Workspace) -> None:
    life = Life(stand_ins, "edsger")
    plan_id = life.remove()
    plan = eventually("removal done", lambda: (p := life.plan(plan_id))["state"] == "done" and p)
    states = {step["n"]: step["state"] for step in plan["steps"]}
    assert {states[n] for n in (2, 3, 4)} == {"skipped"}
    assert all("has no account link" in step["reason"] for step in plan["steps"][1:4])
    assert {states[n] for n in (1, 5, 6, 7)} <= {"done", "already_gone"}


def test_deleting_in_the_identity_provider_triggers_nothing(stand_ins: Workspace) -> None:
    life = fresh(stand_ins)
    life.sign_in()
    database = life.make("sql_database", "Kept")
    before = len(stand_ins.api.get("/plans").json()["items"])
    idp = stand_ins.system("identity_provider")
    token = httpx.post(
        f"{idp['url']}/realms/master/protocol/openid-connect/token",
        data={"grant_type": "password", "client_id": "admin-cli", "username": idp["admin_username"],
        "password": idp["admin_password"]},
        trust_env=False,
    ).json()["access_token"]  # fmt: skip
    gone = httpx.delete(
        f"{idp['url']}/admin/realms/{idp['realm']}/users/{life.sub}",
        headers={"Authorization": f"Bearer {token}"},
        trust_env=False,
    )  # fmt: skip
    assert gone.status_code == 204
    time.sleep(1.5)  # the worker would have begun by now
    assert len(stand_ins.api.get("/plans").json()["items"]) == before
    admin = stand_ins.system("sql_server")
    shown = sql(stand_ins, admin["admin_username"], admin["admin_password"], "SHOW DATABASES")
    assert (database["address"].rpartition("/")[2],) in shown


DOWN = {
    "drive": {3, 4},
    "sql_server": {5, 7},
    "triplestore": {6, 7},
    "identity_provider": {2, 3, 4},
    "ontology_editor": {7},
    "container_manager": {1},
}


@pytest.mark.thorough
@pytest.mark.parametrize("system", some_of(DOWN, ["identity_provider", "sql_server"]))
def test_with_one_system_down_the_rest_is_done_and_it_finishes_by_itself(
    stand_ins: Workspace, system: str
) -> None:
    life = fresh(stand_ins)
    life.sign_in()
    life.make("sql_database", "Notes")
    life.make("triplestore_repository", "Finds")
    life.start_notebook()
    fault = {"fault": "reset", "times": 100000, "path": ""}
    stand_ins.control(
        system, "/faults", fault | ({"statement": ".*"} if system == "sql_server" else {})
    )
    try:
        plan_id = life.remove()
        plan = eventually(
            "the rest is done",
            lambda: (
                (p := life.plan(plan_id))["state"] == "waiting"
                and {s["n"] for s in p["steps"] if s["state"] in {"done", "already_gone"}}
                >= set(range(1, 8)) - DOWN[system] - {4}
                and p
            ),
        )
        waiting = [step for step in plan["steps"] if step["state"] == "waiting"]
        assert waiting
        assert all(step["reason"] and step["next_try_at"] for step in waiting)
    finally:
        stand_ins.control(system, "/faults", method="DELETE")
    eventually("it finishes by itself", lambda: life.plan(plan_id)["state"] == "done")


def test_a_password_that_is_not_ours_any_more_is_tried_once(stand_ins: Workspace) -> None:
    """With a wrong administrator password: stuck at once, that system paused, no second try."""
    life = fresh(stand_ins)
    life.sign_in()
    life.make("triplestore_repository", "Finds")
    stand_ins.control(
        "triplestore",
        "/faults",
        {"fault": "status", "status": 401, "times": 100000, "path": "^/(rest|api)"},
    )
    try:
        plan_id = life.remove()
        plan = eventually("stuck", lambda: (p := life.plan(plan_id))["state"] == "stuck" and p)
        assert {s["n"]: s["state"] for s in plan["steps"]}[6] == "stuck"
        systems = {s["name"]: s for s in stand_ins.api.get("/systems").json()["items"]}
        assert systems["triplestore"]["paused"]
        calls = stand_ins.control("triplestore", "/calls")["next"]
        time.sleep(3)
        assert stand_ins.control("triplestore", "/calls")["next"] == calls
    finally:
        stand_ins.control("triplestore", "/faults", method="DELETE")
    assert stand_ins.api.post("/systems/triplestore/resume").status_code == 200
    eventually("it goes on", lambda: life.plan(plan_id)["state"] == "done")


def test_signing_in_with_a_wrong_password_gives_nothing(stand_ins: Workspace) -> None:
    life = fresh(stand_ins)
    life.browser.sign_in(f"{stand_ins.manager}/sign-in", life.username, PASSWORD + "x")
    assert life.call("GET", "/me").status_code == 401
