"""The inventory of the container manager: what carries our mark, and nothing of others."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.systems.container_manager.conftest import KEY
from tests.systems.container_manager.odd_entries import LISTS, OddEntries
from tests.systems.container_manager.stacks import FILE, wish
from tests.systems.whole_inventory import NO_LIST, everything
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager import SYSTEM, inventory
from workspace_manager.systems.container_manager.connector import ContainerManager, connect
from workspace_manager.systems.container_manager.names import (
    STACK_KIND,
    VOLUMES_KIND,
    stack_target,
    stack_volumes_target,
)
from workspace_manager.systems.container_manager.settings import Settings
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn

STACKS = [stack_target(f"ws-ada-herbarium-ab12cd3{n}", f"mark-{n}") for n in range(3)]


@pytest.fixture
def system(stand_in: ContainerManagerStandIn) -> ContainerManager:
    return connect(Settings(url=stand_in.url, api_key=Secret(KEY)), lambda _ref: Secret("s3cret"))


def make(system: ContainerManager, target: Any) -> None:
    stacks = system.connectors[STACK_KIND]
    change = stacks.plan(target, wish())
    stacks.apply(change.model_copy(update={"secrets": {"PASSWORD": "vault-1"}}))


def test_what_was_made_is_listed_until_removed(
    stand_in: ContainerManagerStandIn, system: ContainerManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inventory, "MOST", 2)
    for target in STACKS:
        make(system, target)
    foreign = FILE.replace("PORTS", "").replace("${PASSWORD}", "x")
    system.client.create_stack("ws-strangers-ab12cd34", foreign, {})
    pages: list[int] = []
    found = everything(SYSTEM, system, pages)
    assert len(pages) == 5
    names = [target["stack"] for target in STACKS]
    assert sorted(found) == sorted(
        [(STACK_KIND, name) for name in names] + [(VOLUMES_KIND, name) for name in names]
    )
    one = found[STACK_KIND, names[1]]
    assert (one.target, one.ours, one.kept, one.open) == (dict(STACKS[1]), True, None, None)
    assert found[VOLUMES_KIND, names[1]].target == stack_volumes_target(names[1], "mark-1")

    stacks, volumes = system.connectors[STACK_KIND], system.connectors[VOLUMES_KIND]
    stacks.remove(stacks.plan(STACKS[1], None))
    left = everything(SYSTEM, system)
    assert (STACK_KIND, names[1]) not in left
    assert (VOLUMES_KIND, names[1]) in left, "they outlive it"
    volumes.remove(volumes.plan(STACKS[1], None))
    assert (VOLUMES_KIND, names[1]) not in everything(SYSTEM, system)


def test_a_stack_of_which_nothing_runs_is_listed(
    system: ContainerManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(system, STACKS[0])
    for one in system.client.containers_of(STACKS[0]["stack"]):
        system.client.stop(one.id, grace_s=0)
        system.client.remove(one.id)
    for one in system.client.networks_of(STACKS[0]["stack"]):
        system.client.remove_network(one.id)
    found = everything(SYSTEM, system)[STACK_KIND, STACKS[0]["stack"]]
    assert found.target == STACKS[0]
    assert "shows no part of it" in found.seen.english


@pytest.mark.parametrize("cursor", ["", "rows", "volumes", "volumes:ws-a"])
@pytest.mark.parametrize(
    ("fault", "error"),
    NO_LIST,
)
def test_an_answer_that_is_no_list_is_never_nothing(
    stand_in: ContainerManagerStandIn,
    system: ContainerManager,
    cursor: str,
    fault: dict[str, Any],
    error: type[ConnectorError],
) -> None:
    read = SYSTEM.lister()
    assert read
    httpx.post(f"{stand_in.control_url}/faults", json={"path": "docker/", **fault})
    with pytest.raises(error):
        read(system, cursor)


def test_an_engine_alone_has_no_rows(
    stand_in: ContainerManagerStandIn, connected: Callable[..., ContainerManager]
) -> None:
    direct = connected(stand_in, url=stand_in.url.replace("http://", "docker://"))
    assert everything(SYSTEM, direct) == {}


def test_a_key_that_is_shown_less_is_refused(
    system: ContainerManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lists are filtered without a word."""
    read = SYSTEM.lister()
    assert read
    monkeypatch.setattr(type(system.client), "me", lambda _self: {"Role": 2})
    with pytest.raises(Denied):
        read(system, "volumes")


def test_an_odd_entry_hides_no_other_one(
    stand_in: Any, system: ContainerManager, connected: Callable[..., ContainerManager]
) -> None:
    make(system, STACKS[0])
    before = everything(SYSTEM, system)
    door = OddEntries(stand_in.url)
    with running(door):
        found = everything(SYSTEM, connected(door))
    odd = {key: one for key, one in found.items() if one.unread}
    assert {key: one for key, one in found.items() if not one.unread} == before
    assert {kind for kind, _ in odd} == {STACK_KIND, VOLUMES_KIND}
    assert len(odd) == 2 * len(LISTS)
    assert all(one.kept and not one.ours for one in odd.values())


def test_whoever_acts_needs_all_of_a_list(
    stand_in: Any, system: ContainerManager, connected: Callable[..., ContainerManager]
) -> None:
    """The odd one may be what is looked for."""
    make(system, STACKS[0])
    door = OddEntries(stand_in.url)
    with running(door):
        stacks = connected(door).connectors[STACK_KIND]
        with pytest.raises(Invalid):
            stacks.plan(STACKS[0], None)
