"""A person's things in the hub are listed from it: named servers, and containers of the spawner."""

from typing import Any, cast

import pytest

from tests.systems.notebook_hub.test_connector import (
    CONTAINER,
    KIND,
    STOPPED,
    fault,
    plan_change,
    run,
    sign_in,
)
from workspace_manager.contract.connector import ALREADY, Change, Outcome, Result
from workspace_manager.contract.containers import ContainerState
from workspace_manager.contract.errors import ConnectorError, Denied, Unavailable
from workspace_manager.systems.notebook_hub.connector import NotebookHub
from workspace_manager.systems.notebook_hub.names import container_target

ANALYSIS = f"{CONTAINER}--analysis"
OURS = {"workspace.manager.component": "5c1f"}


def spawned(world: Any, server: str, user: str = "john.doe", **body: Any) -> str:
    """Have a named server run, as the hub's spawner makes it; gives its container's name."""
    name = str(world.hub.add_server(user, server))
    image = body.pop("image", "sandbox/notebook")
    run(world, name, image, Env=[f"JUPYTERHUB_USER={user}"], **body)
    return name


def applied(system: NotebookHub, change: Change) -> Outcome:
    outcome = system.connectors[KIND].apply(change)
    assert system.connectors[KIND].verify(change) is not None
    return outcome


def evidence(system: NotebookHub, change: Change) -> str:
    found = system.connectors[KIND].verify(change)
    assert found
    return found.text


@pytest.mark.parametrize("with_api", [True, False])
@pytest.mark.parametrize("default_runs", [True, False])
def test_a_named_server_is_stopped_and_shown(
    world: Any, with_api: bool, default_runs: bool
) -> None:
    if default_runs:
        sign_in(world)
    assert spawned(world, "analysis") == ANALYSIS
    spawned(world, "analysis", "john.doe2")
    system = world.connected(with_api=with_api)
    change = plan_change(system)
    assert change.before == {"running": True}
    assert system.connectors[KIND].verify(change) is None
    assert applied(system, change).result is Result.CHANGED
    assert world.status(ANALYSIS) == "exited"
    assert ("server analysis" if with_api else ANALYSIS) in evidence(system, change)
    assert world.status("jupyter-john-2edoe2--analysis") == "running"
    assert system.connectors[KIND].apply(change) == ALREADY


def test_a_server_under_a_name_of_an_earlier_prefix_is_stopped_through_the_hub(world: Any) -> None:
    """The hub knows its own containers, whatever our settings derive."""
    world.hub.prefix = "nb-"
    name = spawned(world, "lab")
    assert name.startswith("nb-")
    system = world.connected()
    change = plan_change(system)
    assert change.before == {"running": True}
    assert applied(system, change).result is Result.CHANGED
    assert world.status(name) == "exited"


def test_a_container_that_the_hub_names_is_stopped_where_the_hub_fails_to(world: Any) -> None:
    world.hub.scopes = (*world.hub.scopes, "admin:server_state")
    world.hub.prefix = "nb-"
    name = spawned(world, "lab", image="our-own:1")
    fault(world.hub, fault="status", status=500, method="DELETE", path="^/hub/api/")
    system = world.connected()
    with pytest.raises(Unavailable):
        system.connectors[KIND].apply(plan_change(system))
    assert world.status(name) == "exited"


def test_a_stop_that_is_refused_while_the_server_starts_is_repeated(world: Any) -> None:
    """What runs besides it is stopped at once."""
    sign_in(world)
    world.hub.add_server("john.doe", "analysis", pending="spawn")
    system = world.connected()
    change = plan_change(system)
    with pytest.raises(Unavailable) as refused:
        system.connectors[KIND].apply(change)
    assert refused.value.retry_after
    assert world.status(CONTAINER) == "exited"
    assert system.connectors[KIND].plan(change.target, {**STOPPED}).before == {"running": True}
    assert system.connectors[KIND].verify(change) is None
    world.hub.servers("john.doe")["analysis"].update(pending="", running=True)
    run(world, ANALYSIS, "sandbox/notebook", Env=["JUPYTERHUB_USER=john.doe"])
    assert applied(system, change).result is Result.CHANGED


def test_a_server_that_is_stopped_and_remembered_is_shown(world: Any) -> None:
    sign_in(world)
    world.hub.add_server("john.doe", "old")
    world.hub.servers("john.doe")["old"]["running"] = False
    system = world.connected()
    change = plan_change(system)
    applied(system, change)
    assert "old" in evidence(system, change)


NOT_PROVEN: dict[str, dict[str, Any]] = {
    "another image": {"image": "our-own:1", "Env": ["JUPYTERHUB_USER=john.doe"]},
    "says nothing": {"image": "sandbox/notebook"},
    "a stack of ours": {
        "image": "sandbox/notebook",
        "Env": ["JUPYTERHUB_USER=john.doe"],
        "Labels": OURS,
    },
}


@pytest.mark.parametrize("kind", NOT_PROVEN)
def test_what_nothing_shows_to_be_the_spawners_is_shown_and_goes_on(world: Any, kind: str) -> None:
    """Anybody can write a name and a variable; whoever reads the plan decides."""
    sign_in(world)
    run(world, f"{CONTAINER}--box", **NOT_PROVEN[kind])
    system = world.connected()
    change = plan_change(system)
    outcome = applied(system, change)
    assert world.status(f"{CONTAINER}--box") == "running"
    assert [f"{CONTAINER}--box" in one.english for one in outcome.by_hand] == [True]
    assert f"{CONTAINER}--box" in evidence(system, change)
    again = system.connectors[KIND].plan(change.target, {**STOPPED})
    assert again.before != {**STOPPED}, "it is shown again as long as it runs"


def test_what_says_to_be_somebody_elses_is_not_shown(world: Any) -> None:
    sign_in(world)
    run(world, f"{CONTAINER}--box", "sandbox/notebook", Env=["JUPYTERHUB_USER=ada"])
    system = world.connected()
    change = plan_change(system)
    assert not applied(system, change).by_hand
    assert "--box" not in evidence(system, change)


def test_the_network_of_the_spawner_counts_as_its_image_does(world: Any) -> None:
    networks: dict[str, Any] = {"EndpointsConfig": {"hub-net": {}}}
    name = spawned(world, "lab", image="our-own:1", NetworkingConfig=networks)
    change = plan_change(world.connected(with_api=False))
    assert change.before == {"running": True}, "shown, not known"
    assert applied(world.connected(with_api=False), change).by_hand
    system = world.connected(with_api=False, notebook_networks="other, hub-net")
    assert applied(system, change).result is Result.CHANGED
    assert world.status(name) == "exited"


def test_only_candidates_are_inspected(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    spawned(world, "lab")
    for other in ("jupyter-ada", "jupyter-ada--lab", "traefik", "jupyter-john"):
        world.manager.run_container(other)
    system, asked = world.connected(), list[str]()
    inspect = type(system.containers).inspect

    def noted(self: Any, name: str) -> ContainerState:
        asked.append(name)
        return cast(ContainerState, inspect(self, name))

    monkeypatch.setattr(type(system.containers), "inspect", noted)
    plan_change(system)
    assert set(asked) == {CONTAINER, f"{CONTAINER}--lab"}


@pytest.mark.parametrize(
    ("scopes", "error"), [(("read:users:name", "delete:servers"), Denied), ((), Denied)]
)
def test_a_hub_that_does_not_show_servers_has_not_said_none(
    world: Any, scopes: tuple[str, ...], error: type[ConnectorError]
) -> None:
    """What can be stopped is stopped all the same."""
    sign_in(world)
    named = spawned(world, "lab")
    world.hub.scopes = scopes
    system = world.connected()
    change = plan_change(system)
    with pytest.raises(error):
        system.connectors[KIND].apply(change)
    assert world.status(CONTAINER) == world.status(named) == "exited"
    with pytest.raises(error):
        system.connectors[KIND].verify(change)
    with pytest.raises(error):
        plan_change(system)


def test_a_user_hidden_by_the_tokens_filter_is_not_unknown(world: Any) -> None:
    world.hub.api.hidden = {"john.doe"}
    system = world.connected()
    with pytest.raises(Denied):
        plan_change(system)


def test_a_silent_hub_holds_up_no_container_and_a_silent_engine_no_server(world: Any) -> None:
    sign_in(world)
    named = spawned(world, "lab")
    system = world.connected()
    change = plan_change(system)
    fault(world.hub, fault="status", status=503, path="^/hub/api/", times=9)
    with pytest.raises(Unavailable):
        system.connectors[KIND].apply(change)
    assert world.status(CONTAINER) == world.status(named) == "exited"
    with pytest.raises(Unavailable):
        system.connectors[KIND].verify(change)


def test_a_silent_engine_holds_up_no_server(world: Any) -> None:
    sign_in(world)
    change = plan_change(world.connected())
    elsewhere = world.connected(engine_url="http://127.0.0.1:9")
    with pytest.raises(Unavailable):
        elsewhere.connectors[KIND].apply(change)
    assert world.status(CONTAINER) == "exited"


def test_the_hub_alone_is_asked_where_no_container_platform_is_beside_it(world: Any) -> None:
    sign_in(world)
    named = spawned(world, "lab")
    system = world.connected(with_engine=False)
    change = plan_change(system)
    assert change.before == {"running": True}
    assert applied(system, change).result is Result.CHANGED
    assert world.status(CONTAINER) == world.status(named) == "exited"
    assert "hub" in system.prove_rights().text


def test_a_change_stored_before_ends_the_same(world: Any) -> None:
    """Its target and end are as they were: what it stops is more."""
    named = spawned(world, "lab")
    stored = Change.model_validate_json(
        '{"kind":"notebook_hub.container","subject":"7","target":{"container":"jupyter-old",'
        '"hub_user":"John.Doe"},"before":"unknown","after":{"running":false}}'
    )
    system = world.connected()
    assert system.connectors[KIND].verify(stored) is None
    applied(system, stored)
    assert world.status(named) == "exited"


def test_containers_and_users_of_a_name_are_left(world: Any) -> None:
    """Whoever has the name next would find a named server's container, and be opened by tokens of
    the hub that are kept for the name.
    """
    spawned(world, "lab")
    said = tuple(map(str, world.connected().left_of("John.Doe")))
    assert said == (
        f"the notebook container {CONTAINER}--lab",
        "the hub’s user john.doe, with that user's tokens",
    )
    assert world.connected().left_of("john.doe2") == ()


@pytest.mark.parametrize("escape", ["dockerspawner", "legacy", "none"])
def test_a_name_with_the_separator_in_it_is_somebody_elses(world: Any, escape: str) -> None:
    """`ada--lab` is a name people may have: only the container itself says whose it is."""
    target = container_target("ada--lab", escape=escape)
    run(world, target["container"], "sandbox/notebook", Env=["JUPYTERHUB_USER=ada--lab"])
    system = world.connected(container_name_escape=escape)
    change = system.connectors[KIND].plan(container_target("ada", escape=escape), {**STOPPED})
    assert change.before is None
    assert not system.connectors[KIND].apply(change).by_hand
    assert world.status(target["container"]) == "running"
