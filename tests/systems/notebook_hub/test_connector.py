"""Notebooks are stopped by exactly the spawner's name, through hub and engine."""

from typing import Any

import httpx
import pytest

from tests.systems.notebook_hub.conftest import KEY
from workspace_manager.contract.connector import ALREADY, CHANGED, Change, Severity
from workspace_manager.contract.errors import Conflict, ConnectorError, Denied, Invalid, Unavailable
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.notebook_hub.connector import NotebookHub
from workspace_manager.systems.notebook_hub.names import container_target

KIND = "notebook_hub.container"
STOPPED = {"running": False}
CONTAINER = "jupyter-john-2edoe"
SECRETS = ("ptr_canary-8b1c", "canary-token-77")


def sign_in(world: Any) -> httpx.Response:
    with httpx.Client(follow_redirects=True) as browser:
        return browser.get(world.hub.url)


def plan_change(system: NotebookHub, username: str = "john.doe") -> Change:
    return system.connectors[KIND].plan(container_target(username), {**STOPPED})


def fault(stand_in: Any, **document: Any) -> None:
    httpx.post(stand_in.control_url + "/faults", json=document).raise_for_status()


@pytest.mark.parametrize("with_api", [True, False])
def test_stops_the_persons_own_notebook(world: Any, with_api: bool) -> None:
    sign_in(world)
    for other in ("jupyter-john.doe", "jupyter-john-2edoe2", "jupyter-john"):
        world.manager.run_container(other)
    system = world.connected(with_api=with_api)
    connector = system.connectors[KIND]
    change = plan_change(system)
    assert change.before == {"running": True}
    assert connector.verify(change) is None
    assert connector.apply(change) == CHANGED
    assert connector.apply(change) == ALREADY
    assert connector.verify(change) is not None
    assert Change.model_validate_json(change.model_dump_json()) == change
    assert world.status(CONTAINER) == "exited"
    assert world.status("jupyter-john.doe") == "running"
    assert world.status("jupyter-john-2edoe2") == "running"


def test_a_person_without_notebook(world: Any) -> None:
    system = world.connected()
    change = plan_change(system, "nobody")
    assert change.before is None
    assert system.connectors[KIND].apply(change) == ALREADY
    assert system.connectors[KIND].verify(change) is not None


def test_a_slow_stop_is_finished_by_the_engine(world: Any) -> None:
    sign_in(world)
    world.hub.slow_stop_s = 0
    system = world.connected()
    assert system.connectors[KIND].apply(plan_change(system)) == CHANGED
    assert world.status(CONTAINER) == "exited"


@pytest.mark.parametrize(
    ("document", "error"),
    [
        ({"fault": "status", "status": 503}, Unavailable),
        ({"fault": "status", "status": 403}, Denied),
        ({"fault": "html"}, Invalid),
        ({"fault": "reset"}, Unavailable),
    ],
)
def test_a_hub_in_trouble_does_not_keep_the_container_alive(
    world: Any, document: dict[str, Any], error: type[ConnectorError]
) -> None:
    sign_in(world)
    fault(world.hub, method="DELETE", path="^/hub/api/", **document)
    system = world.connected()
    change = plan_change(system)
    with pytest.raises(error) as caught:
        system.connectors[KIND].apply(change)
    assert not any(secret in str(caught.value) + caught.value.advice for secret in SECRETS)
    assert world.status(CONTAINER) == "exited"
    assert system.connectors[KIND].apply(change) == ALREADY


def test_a_manager_in_trouble_never_proves_a_stop(world: Any) -> None:
    sign_in(world)
    system = world.connected(with_api=False)
    change = plan_change(system)
    fault(world.manager, fault="status", status=502, times=9)
    with pytest.raises(Unavailable):
        system.connectors[KIND].apply(change)
    with pytest.raises(Unavailable):
        system.connectors[KIND].verify(change)
    assert world.status(CONTAINER) == "running"


def test_without_container_manager_and_token_nothing_is_known(world: Any) -> None:
    system = world.connected(with_engine=False, with_api=False)
    with pytest.raises(Invalid):
        plan_change(system)
    with pytest.raises(Invalid):
        system.prove_rights()
    assert any(finding.severity is Severity.FAILING for finding in system.check())


@pytest.mark.parametrize("after", [None, {"running": True}])
def test_notebooks_are_only_stopped(world: Any, after: Any) -> None:
    sign_in(world)
    connector = world.connected().connectors[KIND]
    change = Change(kind=KIND, subject="", target=dict(container_target("john.doe")), after=after)
    for call in (connector.apply, connector.verify, connector.remove):
        with pytest.raises(Invalid):
            call(change)
    assert world.status(CONTAINER) == "running"


def test_rights_are_the_engines(world: Any) -> None:
    assert world.connected().prove_rights().system == "container_manager"


def test_check_is_content(world: Any) -> None:
    sign_in(world)
    assert {finding.severity for finding in world.connected().check()} == {Severity.OK}


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"api_token": Secret("wrong")}, "token"),
        (
            {"container_name_escape": "legacy", "container_name_prefix": "jupyter-"},
            "container names",
        ),
        ({"container_name_prefix": ""}, "container names"),
        ({"api_url": "http://127.0.0.1:9/hub/api"}, "reachable"),
    ],
)
def test_check_finds_what_is_wrong(world: Any, changes: dict[str, Any], name: str) -> None:
    world.manager.run_container("jupyter-user.name")
    failing = [f for f in world.connected(**changes).check() if f.severity is Severity.FAILING]
    assert name in {finding.name for finding in failing}
    assert all(finding.remedy for finding in failing)


def test_check_finds_missing_scopes(world: Any) -> None:
    world.hub.scopes = ("read:users",)
    failing = [f for f in world.connected().check() if f.severity is Severity.FAILING]
    assert [finding.name for finding in failing] == ["token", "servers of each person"]
    system = world.connected()
    sign_in(world)
    change = plan_change(system)
    with pytest.raises(Denied):
        system.connectors[KIND].apply(change)


def run(world: Any, name: str, image: str, **body: Any) -> None:
    """Have a container of this image run."""
    api = world.manager._api
    api.containers.state["images"].append(image)
    record = api.containers.create(name, {"Image": image, **body})
    api.containers.start(record)


OTHERS: dict[str, dict[str, Any]] = {
    "drive": {"image": "nextcloud:29-apache"},
    "database": {"image": "mariadb:10.11"},
    "hub": {"image": "quay.io/jupyterhub/jupyterhub:5"},
    "bob": {"image": "sandbox/notebook", "Env": ["JUPYTERHUB_USER=alice", "X=JUPYTERHUB_USER=bob"]},
    "eve": {"image": "sandbox/notebook", "Labels": {"hub.user": "alice"}},
}
"""Containers that a person's could be called like, and are not this person's."""


@pytest.mark.parametrize("prefix", ["", "jupyter-"])
@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_notebook_of_that_person_goes_on_running(
    world: Any, name: str, prefix: str
) -> None:
    """Also where a setting made by hand has no prefix at all."""
    run(world, f"{prefix}{name}", **OTHERS[name])
    system = world.connected(container_name_prefix=prefix)
    connector = system.connectors[KIND]
    target = container_target(name, prefix=prefix)
    change = Change(kind=KIND, subject="", target=dict(target), after={**STOPPED})
    with pytest.raises(Conflict, match="nothing shows that it is a notebook"):
        connector.plan(target, {**STOPPED})
    with pytest.raises(Conflict):
        connector.apply(change)
    with pytest.raises(Conflict):
        connector.verify(change)
    assert world.status(f"{prefix}{name}") == "running"


def test_a_variable_alone_does_not_show_whose_it_is(world: Any) -> None:
    """Anybody who makes containers can write it."""
    run(world, CONTAINER, "our-own:1", Env=["JUPYTERHUB_USER=john.doe"])
    with pytest.raises(Conflict, match="nothing shows that it is a notebook"):
        plan_change(world.connected())
    assert world.status(CONTAINER) == "running"


OURS: dict[str, dict[str, Any]] = {
    "alice": {"image": "busybox", "Env": ["SECRET=x", "JUPYTERHUB_USER=alice"]},
    "bob": {"image": "our-own:1", "Labels": {"hub.user": "Bob"}},
    "eric": {"image": "sandbox/notebook", "Env": ["JUPYTERHUB_USER=Eric"]},
    "carol": {"image": "quay.io/jupyter/scipy-notebook:2026"},
    "dora": {"image": "jupyterhub/singleuser"},
}


@pytest.mark.parametrize("name", OURS)
def test_a_notebook_says_whose_it_is(world: Any, name: str) -> None:
    run(world, f"jupyter-{name}", **OURS[name])
    system = world.connected(notebook_images="busybox, Our-Own, notebook, singleuser")
    change = plan_change(system, name)
    assert "SECRET" not in repr(system.containers.inspect(f"jupyter-{name}"))
    assert system.connectors[KIND].apply(change) == CHANGED
    assert world.status(f"jupyter-{name}") == "exited"


def test_something_else_that_does_not_run_holds_up_nobody(world: Any) -> None:
    run(world, "jupyter-drive", "nextcloud")
    httpx.post(
        f"{world.manager.url}/api/endpoints/1/docker/containers/jupyter-drive/stop",
        headers={"X-API-Key": KEY},
    ).raise_for_status()
    system = world.connected()
    assert plan_change(system, "drive").before == {"running": False}
