"""Volumes are restored in place, on the stand-in directly and through Portainer's; killed at each
call, a switch ends with the new content.
"""

import copy

import pytest

from tests.systems.container_manager.cases_in_place import (
    kill_switch,
    load,
    require_no_mixture,
    require_whole,
    switch,
    test_other_volumes_are_refused_before_anything_stops,
    test_what_is_not_wanted_any_more_is_discarded,
    test_what_was_loaded_beside_takes_the_place,
)
from tests.systems.container_manager.volumes import Stack, Volumes
from tests.systems.sql_server.chest import Chest
from workspace_manager.contract.connector import Change
from workspace_manager.contract.errors import Conflict, ConnectorError, Invalid
from workspace_manager.systems.container_manager.inventory import inventory
from workspace_manager.systems.container_manager.names import (
    VOLUMES_KIND,
    stack_volumes_target,
    switch_name,
)
from workspace_manager.systems.container_manager.snapshots import tar_container
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn

__all__ = [
    "test_other_volumes_are_refused_before_anything_stops",
    "test_what_is_not_wanted_any_more_is_discarded",
    "test_what_was_loaded_beside_takes_the_place",
]

CALLS = 40
"""A switch has at least as many."""


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.everything), 11])
@pytest.mark.parametrize("after", [False, True])
def test_a_switch_that_is_killed_at_any_call_ends_whole(
    engine_under_test: Volumes,
    stand_in: ContainerManagerStandIn,
    *,
    after: bool,
    step: int,
) -> None:
    stack, wanted, present = load(engine_under_test)
    state = copy.deepcopy(stand_in.state["engine"])
    number = 0
    while kill_switch(engine_under_test, stack, number, after=after):
        require_no_mixture(engine_under_test, stack, wanted, present)
        assert engine_under_test.states(stack)["worker"] == "exited"
        go_on(engine_under_test, stack, number)
        require_whole(engine_under_test, stack, wanted)
        stand_in.state["engine"] = copy.deepcopy(state)
        number += step
    require_whole(engine_under_test, stack, wanted)
    assert number > CALLS


def go_on(engine_under_test: Volumes, stack: Stack, number: int) -> None:
    """The plan goes on; or a snapshot, or another restore, comes by first."""
    if number % 3 == 1:
        engine_under_test.source.capture(stack.address, Chest())
    elif number % 3 == 2 and engine_under_test.source._in_place(stack.address).is_begun():
        engine_under_test.source.make_beside(stack.address)
    switch(engine_under_test, stack)


def test_what_an_engine_started_again_meanwhile_is_stopped(engine_under_test: Volumes) -> None:
    stack, wanted, _ = load(engine_under_test)
    killed = 0
    while "running" in engine_under_test.states(stack).values():
        assert kill_switch(engine_under_test, stack, killed, after=True)
        killed += 1
    assert kill_switch(engine_under_test, stack, killed, after=True)
    for service in ("database", "web", "worker"):
        path = f"/containers/{stack.name}-{service}-1/start"
        engine_under_test.engine.post(path).raise_for_status()
    switch(engine_under_test, stack)
    require_whole(engine_under_test, stack, wanted)


@pytest.mark.parametrize("fault", ["reset", "truncated", "garbage"])
@pytest.mark.parametrize(("method", "path"), [("POST", "/exec"), ("POST", "/stop"), ("PUT", "/")])
def test_a_fault_ends_whole(
    engine_under_test: Volumes,
    stand_in: ContainerManagerStandIn,
    method: str,
    path: str,
    fault: str,
) -> None:
    stack, wanted, present = load(engine_under_test)
    stand_in.faults.add({"method": method, "path": path, "fault": fault})
    try:
        switch(engine_under_test, stack)
    except ConnectorError:
        require_no_mixture(engine_under_test, stack, wanted, present)
        switch(engine_under_test, stack)
    require_whole(engine_under_test, stack, wanted)


def test_an_image_without_find_stops_nothing(
    engine_under_test: Volumes, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack, _, present = load(engine_under_test)
    monkeypatch.setattr(tar_container, "NOTHING", ("none",))
    with pytest.raises(Invalid, match="no find"):
        switch(engine_under_test, stack)
    assert engine_under_test.states(stack)["database"] == "running"
    assert engine_under_test.helpers() == []
    engine_under_test.source.discard_beside(stack.address)
    require_whole(engine_under_test, stack, present)
    with pytest.raises(Invalid, match="no find"):
        load(engine_under_test)


def test_a_strangers_container_of_that_name_is_left_alone(engine_under_test: Volumes) -> None:
    stack, _, _ = load(engine_under_test)
    query, body = {"name": switch_name(stack.name)}, {"Image": engine_under_test.image}
    engine_under_test.engine.post("/containers/create", params=query, json=body).raise_for_status()
    with pytest.raises(Conflict, match="switch"):
        switch(engine_under_test, stack)
    assert engine_under_test.states(stack)["database"] == "running"


def test_what_lies_beside_is_listed_and_removed_with_its_stack(engine_under_test: Volumes) -> None:
    stack, _, _ = load(engine_under_test)
    target = stack_volumes_target(stack.name, stack.mark)
    page = inventory(engine_under_test.system, "")
    entries = [*page.listed]
    while page.next:
        page = inventory(engine_under_test.system, page.next)
        entries += page.listed
    [listed] = [one for one in entries if one.kind == VOLUMES_KIND]
    assert listed.target == target
    for service in ("web", "database", "worker"):
        path = f"/containers/{stack.name}-{service}-1"
        engine_under_test.engine.delete(path, params={"force": "1"}).raise_for_status()
    connector = engine_under_test.system.connectors[VOLUMES_KIND]
    connector.remove(Change(kind=VOLUMES_KIND, subject="", target=target))
    assert engine_under_test.volumes(stack) == []
