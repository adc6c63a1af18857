"""The inventory of the hub, as the engine shows it: containers and volumes that are named as its
own.
"""

from typing import Any

import pytest

from tests.systems.notebook_hub.test_connector import CONTAINER, fault, plan_change, sign_in
from tests.systems.notebook_hub.test_left_of import VOLUME, make_volume
from tests.systems.whole_inventory import everything
from workspace_manager.contract.errors import Denied, Invalid, Unavailable
from workspace_manager.systems.notebook_hub import SYSTEM, inventory, names
from workspace_manager.systems.notebook_hub.names import container_target

KIND, KEPT = "notebook_hub.container", "notebook_hub.volume"


def test_notebooks_are_listed_by_their_names_and_evidence(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inventory, "CONTAINERS", 2)
    monkeypatch.setattr(inventory, "VOLUMES", 1)
    sign_in(world)
    for notebook in ("jupyter-ada", "jupyter-a--lab", "elsewhere"):
        world.manager.run_container(notebook)
    world.manager.state["engine"]["images"].append("traefik")
    world.manager.run_container("jupyter-proxy", image="traefik")
    for volume in ("jupyterhub-user-ada", "jupyterhub-user-X", "jupyterhub-user-", "data"):
        make_volume(world, volume)
    make_volume(world, VOLUME)
    system, pages = world.connected(), list[int]()
    found = everything(SYSTEM, system, pages)
    assert len(pages) == 5
    containers = {name: one for (kind, name), one in found.items() if kind == KIND}
    assert containers.keys() == {CONTAINER, "jupyter-ada", "jupyter-a--lab"}
    john = containers[CONTAINER]
    assert (john.username, john.open, john.kept) == ("john.doe", True, None)
    assert john.target == container_target("john.doe")
    ada = containers["jupyter-ada"]
    assert (ada.username, ada.kept, ada.target["hub_user"]) == ("", None, "ada")
    assert "its name suggests ada" in ada.seen.english
    assert containers["jupyter-a--lab"].kept
    volumes = {name: one for (kind, name), one in found.items() if kind == KEPT}
    assert volumes.keys() == {VOLUME, "jupyterhub-user-ada"}
    assert volumes[VOLUME].holders == (CONTAINER,)
    assert volumes[VOLUME].kept

    system.connectors[KIND].apply(plan_change(system))
    assert everything(SYSTEM, system)[KIND, CONTAINER].open is False


@pytest.mark.parametrize("escape", ["dockerspawner", "legacy", "none"])
@pytest.mark.parametrize("user", ["ada", "john.doe", "müller", "a--b", "a_b", "x/y", "o'brien"])
def test_a_name_is_turned_back(user: str, escape: str) -> None:
    made = names.container_name(user, escape=escape)
    assert names.user_in(made, prefix="jupyter-", escape=escape) == user


@pytest.mark.parametrize("name", ["jupyter-", "jupyter-a--lab", "jupyter--ff", "other-ada"])
def test_what_no_name_makes_is_nobodys(name: str) -> None:
    assert names.user_in(name, prefix="jupyter-", escape="dockerspawner") == ""


@pytest.mark.parametrize("cursor", ["", "containers:a", "volumes"])
def test_an_engine_that_is_down_is_not_empty(world: Any, cursor: str) -> None:
    read = SYSTEM.lister()
    assert read
    system = world.connected()
    fault(world.manager, fault="status", status=503, path="docker", times=5)
    with pytest.raises(Unavailable):
        read(system, cursor)
    fault(world.manager, fault="html", path="/users/me", times=1)
    with pytest.raises(Invalid):
        read(world.connected(), cursor)


def test_without_an_engine_nobody_can_tell(world: Any) -> None:
    read = SYSTEM.lister()
    assert read
    with pytest.raises(Invalid):
        read(world.connected(with_engine=False, with_api=False), "")


def test_a_key_that_is_shown_less_is_refused(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its lists are filtered without a word."""
    read = SYSTEM.lister()
    assert read
    system = world.connected()
    regular = lambda _self: {"Role": 2}  # noqa: E731
    monkeypatch.setattr(type(system.containers._client), "me", regular)
    with pytest.raises(Denied):
        read(system, "")
